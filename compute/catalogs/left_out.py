"""What an import of a price list says of the figures that it leaves out, in numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator


def left_out(zeros: int, others: Counter[str], *, source: str, noun: str) -> Iterator[str]:
    """A sentence on figures of zero, and one on fields of other kinds; none where nothing was left out.

    `source` is what wrote the zeros (`map`, `list`), `noun` what the other fields are called.
    """
    if zeros:
        yield f"{zeros:,} figures of zero left out: the {source} writes 0 for free and for unknown alike"
    if others:
        kinds = ", ".join(key for key, _ in others.most_common(5))
        yield f"{others.total():,} {noun} of {len(others)} other kinds left out, such as {kinds}"
