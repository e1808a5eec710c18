"""Small expressions over the figures around a figure that give it, whatever the text says: readings that may save it.

The relations say what a text seems to claim. A figure that none of them gives may still be right, by a relation that
nobody described. So all sums, differences, products and ratios of two or three figures are tried. Many expressions and
a coarse rounding fit any figure, so a fit counts by how many would fit a random figure of about that size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, permutations
from math import log
from typing import NamedTuple

from compute.mining.claim_scopes import Scope
from compute.mining.quantities import Quantity

MOST = 7
"""The most figures that are combined, the nearest ones."""
CONSTANTS = (2, 3, 4, 5, 7, 8, 10, 12, 24, 30, 52, 60, 100, 365, 720, 730, 1000, 1024, 3600, 8760, 1_000_000)
"""Factors that texts leave out: months, hours, days, bits, percent."""
EARLIER, LONGEST, _FEW = 40, 12, 3
"""The most figures of a text before a figure that are combined, and of a run of them that is summed or subtracted."""
DECADES = log(100.0)
"""The width, as a logarithm, of the sizes that a random figure may have: ten times smaller to ten times larger."""


CLASSES = ("two", "constant", "three")
"""Two figures, one or two with a factor that texts leave out, three figures."""


class Fits(NamedTuple):
    """For one class of expressions: whether one gives the figure, and how many would give a random one."""

    given: bool
    expected: float


def small_expressions(within: Scope, target: Quantity) -> dict[str, Fits]:
    """The fits of a figure, by class of expressions."""
    values = _values(within, target)
    twos = [*_twos(values)]
    found = (twos, _scaled([*values, *twos]), _threes(values))
    return {name: _fits(target, given) for name, given in zip(CLASSES, found, strict=True)}


def earlier_expressions(target: Quantity, earlier: Sequence[Quantity]) -> Fits:
    """The fits of a figure by two figures that a text states earlier, near or far, and by the sums of runs of them."""
    others = [one for one in earlier if one.figure.start != target.figure.start][-EARLIER:]
    values = [*dict.fromkeys(size for one in others if one.base > 0 for size in _sizes(one, target))]
    return _fits(target, (*_two_of_text(values), *_runs([one for one in others if one.kind == target.kind])))


def _sizes(one: Quantity, target: Quantity) -> Iterator[float]:
    """The size of a figure; of a bare number also in thousands and millions, as texts shorten: of the €36m, 24."""
    yield float(one.base)
    if one.kind == "count" and not one.unit and one.factor == 1 and one.base < _SHORT and target.kind != "count":
        yield from (float(one.base) * 1e3, float(one.base) * 1e6)


_SHORT = 1000
"""The size from which a bare number is written out."""


def _two_of_text(values: list[float]) -> Iterator[float]:
    for one, two in permutations(values, 2):
        yield from (one / two, abs(one / two - 1))
    for one, two in combinations(values, 2):
        yield from (one * two, one + two, abs(one - two))


def _runs(alike: Sequence[Quantity]) -> Iterator[float]:
    """The sums of figures that follow each other, and what another one leaves of them: a list and its total."""
    sizes = [float(one.base) for one in alike]
    for first in range(len(sizes)):
        total = sizes[first]
        for last in range(first + 1, min(first + LONGEST, len(sizes))):
            total += sizes[last]
            yield total
            if last - first < _FEW:
                yield from (abs(one - total) for one in sizes)


def _values(within: Scope, target: Quantity) -> list[float]:
    """The sizes of the figures nearest to a target, each once; both ends of a range."""
    others = (one for one in within.quantities if one.index != target.index)
    ranked = sorted(others, key=lambda one: abs(one.index - target.index))
    ends = (float(end * one.factor) for one in ranked for end in (one.figure.low, one.figure.high))
    return [*dict.fromkeys(end for end in ends if end > 0)][:MOST]


def _twos(values: list[float]) -> Iterator[float]:
    """What two figures give; one alone gives its complement."""
    for one in values:
        yield from (one, 1 - one, 1 / one)
    for one, two in permutations(values, 2):
        yield from (one / two, abs(one / two - 1), one / (one + two), abs(one * (1 - two)), one / (1 + two))
        if two != 1:
            yield abs(one / (1 - two))
    for one, two in combinations(values, 2):
        yield from (one + two, abs(one - two), one * two, one * (1 + two), two * (1 + one), one + two + one * two)
        yield (one + two) / 2


def _scaled(values: Iterable[float]) -> Iterator[float]:
    for one in values:
        for constant in CONSTANTS:
            yield one * constant
            yield one / constant


def _threes(values: list[float]) -> Iterator[float]:
    """What three figures give."""
    for one, two, three in combinations(values, 3):
        yield from (one + two + three, one * two * three, (one + two + three) / 3)
    for one, two, three in permutations(values, 3):
        yield from (one * two / three, one / (two * three), abs(one - two) * three, abs(one - two) / three)
        yield from ((one + two) * three, (one + two) / three, abs(one - two - three), one * two + three)
        yield from (
            abs(one * two - three),
            one / two + three,
            abs(one / two - three),
            abs(one - two) / (one or 1) * three,
        )
        yield from (one * two * (1 - three), one / (one + two + three), one * (1 - two) * (1 - three))
        if two != three:
            yield one / abs(two - three)


def _fits(target: Quantity, values: Iterable[float]) -> Fits:
    size = float(abs(target.base))
    half = float(target.figure.half * target.factor) * 1.02
    if not size:
        return Fits(False, 0.0)
    near = [one for one in set(values) if size / 10 <= abs(one) <= size * 10]
    given = any(abs(abs(one) - size) <= half for one in near)
    return Fits(given, len(near) * 2 * half / size / DECADES)
