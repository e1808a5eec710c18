"""One property of all cards as arrays: which cards have a value, and how often each value occurs among some cards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from graph.models.facet_counts import RankedCounts

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]


FEW = 64
"""So few values are counted faster one after the other than as arrays."""


class FacetColumn:
    """One or several values for each card.

    Values are numbered in their order, so values in the order of their numbers are sorted by name.
    """

    def __init__(self, values: Iterable[Sequence[str]]) -> None:
        own = [one if len(one) < 2 else tuple(dict.fromkeys(one)) for one in values]
        self.names = sorted(set(chain.from_iterable(own)))
        """The values in order."""
        self._codes = {name: code for code, name in enumerate(self.names)}
        self._lengths = np.fromiter(map(len, own), dtype=np.int64, count=len(own))
        self._starts = np.cumsum(self._lengths) - self._lengths
        self._uses = np.fromiter(map(self._codes.__getitem__, chain.from_iterable(own)), dtype=np.int64)
        self._folded: dict[str, list[int]] = {}
        for name, code in self._codes.items():
            self._folded.setdefault(name.casefold(), []).append(code)

    def having(self, value: str, *, folded: bool = False) -> Mask:
        """The cards that have the value, or, with `folded`, one that differs only in case."""
        codes = self._folded.get(value, []) if folded else [self._codes[value]] if value in self._codes else []
        mask = np.zeros(len(self._lengths), dtype=np.bool_)
        for code in codes:
            mask[np.searchsorted(self._starts, np.flatnonzero(self._uses == code), side="right") - 1] = True
        return mask

    def ranked(self, places: Ints, most: int | None = None) -> RankedCounts:
        """How many of the cards at these places, each named once, have each value; of the `most` frequent ones."""
        if len(self.names) == 1 and len(self._uses) == len(self._lengths):
            return RankedCounts([(self.names[0], len(places))] if len(places) else [], 0)
        lengths = self._lengths[places]
        ends = lengths.cumsum()
        inside = np.repeat(self._starts[places] - ends + lengths, lengths)
        codes = self._uses[inside + np.arange(len(inside))]
        if len(codes) <= FEW:
            return self._ranked_few(codes.tolist(), most)
        tally = np.bincount(codes, minlength=len(self.names))
        found = tally.nonzero()[0]
        counts = tally[found]
        order = (-counts).argsort(kind="stable")[:most]
        names = self.names
        listed = [
            (names[code], count) for code, count in zip(found[order].tolist(), counts[order].tolist(), strict=True)
        ]
        return RankedCounts(listed, len(found) - len(listed))

    def _ranked_few(self, codes: list[int], most: int | None) -> RankedCounts:
        """The same for the values of a few cards."""
        tally: dict[int, int] = {}
        for code in codes:
            tally[code] = tally.get(code, 0) + 1
        order = sorted(sorted(tally), key=tally.__getitem__, reverse=True)[:most]
        return RankedCounts([(self.names[code], tally[code]) for code in order], len(tally) - len(order))
