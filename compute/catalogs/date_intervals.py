"""Reduces dated windows to intervals `[from, to)` and joins equal neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import pairwise
from typing import TypeVar

T = TypeVar("T")
Interval = tuple[date | None, date | None]


def between(borders: Iterable[date]) -> Iterator[Interval]:
    """The intervals between days: before the first, between neighbours, from the last on."""
    edges: list[date | None] = [None, *sorted(set(borders)), None]
    yield from pairwise(edges)


def joined(parts: Sequence[tuple[Interval, T]]) -> Iterator[tuple[Interval, T]]:
    """Joins neighbouring intervals with equal content; `parts` ascend and do not overlap."""
    current: tuple[Interval, T] | None = None
    for (begin, end), content in parts:
        if current is not None and current[1] == content and current[0][1] == begin and begin is not None:
            current = ((current[0][0], end), content)
            continue
        if current is not None:
            yield current
        current = ((begin, end), content)
    if current is not None:
        yield current
