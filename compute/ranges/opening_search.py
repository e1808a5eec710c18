"""Finds the figures within the stated ranges of a claim with which it holds.

    each range alone      exact, where the value is a linear fraction of the figure; else a grid and a bisection
    all ranges together   their corners, some points inside, and the line between a value below and one above the bounds

A point at which the formula is undefined does not count as holding.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from itertools import islice, pairwise, product
from typing import Literal, NamedTuple

from compute.claims.claim_evaluation import computed
from compute.claims.claim_program import Program
from compute.claims.input_lookups import Figure
from compute.formula.linear_fractions import Reduction
from compute.formula.root_finding import turning
from compute.units.units import EXACT

MOST_CORNERS = 12
"""Up to this many ranged figures are moved together; the others keep their values."""

INSIDE = 64
"""The number of points inside the ranges that are tried."""

GRID = 64
"""The number of pieces into which a range is divided where there is no closed form."""

_NUDGE = Decimal("1e-24")
_ROOTS = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)

Position = Literal["holds", "under", "over", "none"]


class StatedRange(NamedTuple):
    """The figure in `slot` of a program may lie from `low` to `high`, in base units.

    `also` are further slots of the same input, such as an assumption that a claim reads twice: they move with it.
    """

    slot: int
    low: Decimal
    high: Decimal
    also: tuple[int, ...] = ()


class Opening(NamedTuple):
    """Figures within their ranges with which a failing claim holds.

    `at` are the figures that differ from the stated ones, by index, in base units. `further`, of a single figure: the
    claim still holds when it lies further away from the stated one, up to the end of its range.
    """

    at: tuple[tuple[StatedRange, Decimal], ...]
    further: bool = False


def opening(
    program: Program, figures: Sequence[Figure], ranges: Sequence[StatedRange], other: Decimal | None = None
) -> Opening | None:
    """Where within the ranges a claim holds that fails at the figures: with one moved, else with several; else None."""
    if not ranges:
        return None
    with localcontext(EXACT):
        twins = {one.slot: one.also for one in ranges if one.also}
        point = _Point(program, [figure.value for figure in figures], other, twins)
        single = (found for one in ranges if (found := _alone(point, one)) is not None)
        return next(single, None) or (_together(point, ranges) if len(ranges) > 1 else None)


@dataclass(frozen=True, slots=True)
class _Point:
    """A program at its figures, of which some are moved."""

    program: Program
    values: list[Decimal]
    other: Decimal | None
    twins: Mapping[int, tuple[int, ...]]

    def moved(self, changes: Sequence[tuple[int, Decimal]]) -> Position:
        """Where the value lies with other figures at some places."""
        values = list(self.values)
        for index, value in changes:
            for place in (index, *self.twins.get(index, ())):
                values[place] = value
        found = computed(self.program, values, self.other)
        if found.holds:
            return "holds"
        if found.value is None or found.holds is None:
            return "none"
        low = found.interval[0]
        return "under" if low is not None and found.value < low else "over"


def critical_points(
    program: Program, values: Sequence[Decimal], index: int, other: Decimal | None
) -> list[Decimal] | None:
    """The only values of one figure at which a verdict can change; None if the value is no linear fraction of it."""
    if program.bar.fixed is None and program.bar.bound is not None:
        return None
    givens = {given.slot: given.term for given in program.givens if not given.leaf}
    try:
        frame = program.frame(list(values))
        fraction = Reduction(index, givens, frame).of(program.term)
        edges = [edge for edge in program.bar.interval(frame, other) if edge is not None]
    except ArithmeticError:
        return None
    points = [*(fraction.where(edge) for edge in edges), fraction.pole()]
    return [point for point in points if point is not None]


# ---- one figure


def _alone(point: _Point, one: StatedRange) -> Opening | None:
    """The nearest value of one figure, within its range, with which the claim holds."""
    here = point.values[one.slot]
    sides = [side for side in (one.low, one.high) if side != here]
    found = [value for side in sides if (value := _towards(point, one, here, side)) is not None]
    if not found:
        return None
    at = min(found, key=lambda value: (abs(value - here), value))
    end = one.high if at > here else one.low
    return Opening(((one, at),), further=point.moved([(one.slot, end)]) == "holds" and at != end)


def _towards(point: _Point, one: StatedRange, here: Decimal, end: Decimal) -> Decimal | None:
    """The first value from the stated one to an end of the range with which the claim holds."""
    exact = None if one.also else critical_points(point.program, point.values, one.slot, point.other)
    if exact is not None:
        between = {value for value in exact if min(here, end) <= value <= max(here, end)}
        stops = sorted({here, *between, end}, reverse=end < here)
    else:
        stops = [here + (end - here) * piece / GRID for piece in range(GRID + 1)]
    return _first(point, one.slot, stops, exact=exact is not None)


def _first(point: _Point, index: int, stops: Sequence[Decimal], *, exact: bool) -> Decimal | None:
    def position(value: Decimal) -> Position:
        return point.moved([(index, value)])

    for last, stop in pairwise(stops):
        middle = (last + stop) / 2
        if exact and position(middle) == "holds":
            return _inner_edge(position(last) == "holds", last, middle)
        there = position(stop)
        if there == "holds":
            return stop if exact else turning(lambda value: position(value) == "holds", last, stop)
        if not exact and {position(last), there} == {"under", "over"}:
            entered = _entered(point, [(index, last)], [(index, stop)])
            if entered is not None:
                return entered[0][1]
    return None


def _inner_edge(holds: bool, edge: Decimal, middle: Decimal) -> Decimal:
    """The edge of an interval in which a claim holds; a little inside where rounding puts the edge itself outside."""
    return edge if holds else edge + (middle - edge) * _NUDGE


# ---- several figures


def _together(point: _Point, ranges: Sequence[StatedRange]) -> Opening | None:
    """Values of several figures with which the claim holds; as few of them are moved as a greedy search finds."""
    moved = ranges[:MOST_CORNERS]
    here = [(one.slot, point.values[one.slot]) for one in moved]
    start = point.moved(here)
    opposite = {"under": "over", "over": "under"}.get(start)
    for changes in _points(moved):
        where = point.moved(changes)
        if where == "holds":
            return _fewest(point, moved, changes)
        if where == opposite and (entered := _entered(point, here, changes)) is not None:
            return _fewest(point, moved, entered)
    return None


def _points(ranges: Sequence[StatedRange]) -> Iterator[list[tuple[int, Decimal]]]:
    """The corners of the ranges, then points inside them (Halton)."""
    for corner in product(*((one.low, one.high) for one in ranges)):
        yield [(one.slot, value) for one, value in zip(ranges, corner, strict=True)]
    for number in islice(range(1, INSIDE + 1), INSIDE):
        yield [
            (one.slot, one.low + (one.high - one.low) * _halton(number, base))
            for one, base in zip(ranges, _ROOTS, strict=False)
        ]


def _halton(number: int, base: int) -> Decimal:
    """One coordinate of a low-discrepancy point, from 0 to 1."""
    found, part = Decimal(0), Decimal(1)
    while number:
        part /= base
        number, digit = divmod(number, base)
        found += part * digit
    return found


def _entered(
    point: _Point, under: Sequence[tuple[int, Decimal]], over: Sequence[tuple[int, Decimal]]
) -> list[tuple[int, Decimal]] | None:
    """A point on the line between a value below the bounds and one above them that is within them."""
    low, high = Decimal(0), Decimal(1)
    start = point.moved(under)
    for _ in range(120):
        middle = (low + high) / 2
        changes = [(index, a + (b - a) * middle) for (index, a), (_, b) in zip(under, over, strict=True)]
        where = point.moved(changes)
        if where == "holds":
            return changes
        if where == "none":
            return None
        low, high = (middle, high) if where == start else (low, middle)
    return None


def _fewest(point: _Point, ranges: Sequence[StatedRange], changes: Sequence[tuple[int, Decimal]]) -> Opening:
    """The same with every figure put back that need not move."""
    kept = [change for change in changes if change[1] != point.values[change[0]]]
    for change in list(kept):
        fewer = [other for other in kept if other is not change]
        if fewer and point.moved(fewer) == "holds":
            kept = fewer
    by_slot = {one.slot: one for one in ranges}
    return Opening(tuple((by_slot[index], value) for index, value in kept))
