"""What an import of a price list says of the figures that it leaves out, in numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal

from graph.values import dumps

_LONGEST = 60


def left_out(zeros: int, others: Counter[str], *, source: str, noun: str) -> Iterator[str]:
    """A sentence on figures of zero, and one on fields of other kinds; none where nothing was left out.

    `source` is what wrote the zeros (`map`, `list`), `noun` what the other fields are called.
    """
    if zeros:
        yield f"{zeros:,} figures of zero left out: the {source} writes 0 for free and for unknown alike"
    if others:
        kinds = ", ".join(key for key, _ in others.most_common(5))
        yield f"{others.total():,} {noun} of {len(others)} other kinds left out, such as {kinds}"


def as_written(value: object) -> str:
    """A value of a JSON file as the file has it, for a message: `-1.0`, `null`; a text in quotes; a long one is cut."""
    text = repr(value) if isinstance(value, str) else str(value) if isinstance(value, Decimal) else dumps(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
