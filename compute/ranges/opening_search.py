"""Finds the figures within the stated ranges of a claim with which it holds.

    each range alone      the points at which the verdict can change, where they are known; else a grid and a bisection
    all ranges together   their corners, and the line between a value below and one above the bounds

A point at which the formula is undefined does not count as holding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, localcontext
from itertools import pairwise, product
from typing import NamedTuple

from compute.claims.claim_program import Program
from compute.claims.input_lookups import Figure
from compute.ranges.varied_program import Position, VariedProgram, first_change
from compute.units.units import EXACT

MOST_CORNERS = 12
"""Up to this many ranged figures are moved together; the others keep their values."""

GRID = 64
"""The number of pieces into which a range is divided where the critical points are not known."""

_NUDGE = Decimal("1e-12")


class StatedRange(NamedTuple):
    """Figures that may lie from `low` to `high`, in base units; those in several slots move together."""

    slots: tuple[int, ...]
    low: Decimal
    high: Decimal


Changes = Mapping[StatedRange, Decimal]


class Opening(NamedTuple):
    """Figures within their ranges with which a failing claim holds: those that differ from the stated ones.

    `further`, of a single figure: the claim still holds further away from the stated one, up to the end of the range.
    """

    at: tuple[tuple[StatedRange, Decimal], ...]
    further: bool = False


def opening(
    program: Program, figures: Sequence[Figure], ranges: Sequence[StatedRange], other: Decimal | None = None
) -> Opening | None:
    """Where within the ranges a claim holds that fails at the figures: with one moved, else with several; else None."""
    with localcontext(EXACT):
        point = _Point(program, [figure.value for figure in figures], other)
        single = (found for one in ranges if (found := _alone(point, one)) is not None)
        return next(single, None) or (_together(point, ranges[:MOST_CORNERS]) if len(ranges) > 1 else None)


class _Point(VariedProgram):
    """A program at its figures, of which some are moved."""

    def here(self, one: StatedRange) -> Decimal:
        """The stated figure of a range."""
        return self.values[one.slots[0]]

    def moved(self, changes: Changes) -> Position:
        """Where the value lies with other figures."""
        return self.position({slot: value for one, value in changes.items() for slot in one.slots})

    def holds(self, one: StatedRange, value: Decimal) -> bool:
        """Whether the claim holds with another value of one range."""
        return self.moved({one: value}) == "inside"


# ---- one figure


def _alone(point: _Point, one: StatedRange) -> Opening | None:
    """The nearest value of one figure, within its range, with which the claim holds."""
    here = point.here(one)
    found = [value for end in (one.low, one.high) if (value := _towards(point, one, end)) is not None]
    if not found:
        return None
    at = min(found, key=lambda value: (abs(value - here), value))
    end = one.high if at > here else one.low
    return Opening(((one, at),), further=at != end and point.holds(one, end))


def _towards(point: _Point, one: StatedRange, end: Decimal) -> Decimal | None:
    """The first value from the stated one to an end of the range with which the claim holds."""
    here = point.here(one)
    if here == end:
        return None
    exact = point.critical(one.slots[0]) if len(one.slots) == 1 else None
    if exact is None:
        stops, find = [here + (end - here) * piece / GRID for piece in range(GRID + 1)], _crossed
    else:
        between = {value for value in exact if min(here, end) < value < max(here, end)}
        stops, find = sorted({here, *between, end}, reverse=end < here), _edge
    return next((at for pair in pairwise(stops) if (at := find(point, one, *pair)) is not None), None)


def _crossed(point: _Point, one: StatedRange, last: Decimal, stop: Decimal) -> Decimal | None:
    """The first value between two points of the grid with which the claim holds, there or a little further."""
    at = first_change(lambda value: point.moved({one: value}), (last, stop))
    inside = at is not None and any(point.holds(one, at + (stop - last) * step) for step in (Decimal(0), _NUDGE))
    return at if inside else None


def _edge(point: _Point, one: StatedRange, last: Decimal, stop: Decimal) -> Decimal | None:
    """The first value between two neighbouring critical points with which the claim holds."""
    middle = (last + stop) / 2
    if point.holds(one, middle):
        return middle if last == point.here(one) else last
    return stop if point.holds(one, stop) else None


# ---- several figures


def _together(point: _Point, ranges: Sequence[StatedRange]) -> Opening | None:
    """Values of several figures with which the claim holds; as few of them are moved as a greedy search finds."""
    here = {one: point.here(one) for one in ranges}
    opposite = {"under": "over", "over": "under"}.get(point.moved(here))
    for corner in product(*((one.low, one.high) for one in ranges)):
        changes: Changes | None = dict(zip(ranges, corner, strict=True))
        where = point.moved(changes or {})
        if where == opposite:
            changes = _entered(point, here, changes or {})
        if changes and where in {"inside", opposite}:
            return _fewest(point, changes)
    return None


def _entered(point: _Point, first: Changes, last: Changes) -> Changes | None:
    """A point on the line between a value on one side of the bounds and one on the other that is within them."""
    low, high = Decimal(0), Decimal(1)
    start = point.moved(first)
    for _ in range(120):
        middle = (low + high) / 2
        changes = {one: value + (last[one] - value) * middle for one, value in first.items()}
        where = point.moved(changes)
        if where == "inside":
            return changes
        if where in {"nowhere", "unknown"}:
            return None
        low, high = (middle, high) if where == start else (low, middle)
    return None


def _fewest(point: _Point, changes: Changes) -> Opening:
    """The same with every figure put back that need not move."""
    kept = {one: value for one, value in changes.items() if value != point.here(one)}
    for one in list(kept):
        fewer = {other: value for other, value in kept.items() if other is not one}
        if fewer and point.moved(fewer) == "inside":
            kept = fewer
    return Opening(tuple(kept.items()))
