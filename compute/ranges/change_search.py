"""Finds where a claim starts or stops holding while its figures move, by trials.

    one figure, any value             the first change on the way from its value: a bracketed root search
    each stated range alone           the points at which the verdict changes, on a grid
    all stated ranges together        their corners, and the line between a value below and one above the bounds

A claim does not hold where its formula is undefined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal, localcontext
from itertools import pairwise, product
from typing import NamedTuple

from compute.claims.claim_program import Reading, Trial
from compute.formula.exact_numbers import root_between
from compute.ranges.ranged_claims import Spread
from compute.units.units import EXACT

Read = Callable[[Decimal], Reading]
Point = tuple[Decimal, Reading]

CLOSE = Decimal("1e-24")  # the relative precision of a point of change, which is shown and never computed with
_ROUNDING = Decimal("1e-26")
_NUDGE = Decimal("1e-20")


class Change(NamedTuple):
    """The point of a change, and whether the value is below its bounds behind it."""

    at: Decimal
    under: bool


def first_change(read: Read, stops: Iterable[Decimal]) -> Change | None:
    """The first value at which a claim starts or stops holding, on the way from the first stop.

    A change is found if the position of the value differs between two stops; undefined stops are passed over. Behind
    the last stop, the end of the possible values, a change counts too.
    """
    way = iter(stops)
    at = last = next(way)
    before = read(last)
    for at in way:
        after = read(at)
        if after.position == "unknown":
            continue
        if before.position not in {after.position, "unknown"}:
            found = crossing(read, (last, before), (at, after))
            if _changes(read, found):
                return Change(found, after.position == "under")
        last, before = at, after
    return Change(at, under=True) if at == last and _changes(read, at) else None


def _changes(read: Read, at: Decimal) -> bool:
    """Whether the claim holds on only one side of a point."""
    step = abs(at) * _NUDGE or _NUDGE
    return {read(at - step).holds, read(at + step).holds} == {True, False}


def crossing(read: Read, start: Point, end: Point) -> Decimal:
    """The first point at which the position of the value changes; exact for a linear value."""
    (low, first), (high, last) = start, end
    edge = 0 if "under" in {first.position, last.position} and first.position != "over" else 1

    def beyond(at: Decimal, found: Reading) -> Decimal:
        """The distance to the crossed bound, below 0 on the side of the first point."""
        value, bound, distance = found.value, found.interval[edge], Decimal(1)
        if value is not None and bound is not None:
            distance = abs(value - bound) or distance
            if abs(value - bound) <= abs(value) * _ROUNDING and _changes(read, at):
                return Decimal(0)
        return -distance if found.position == first.position else distance

    at_low, at_high = beyond(low, first), beyond(high, last)
    if not (at_low and at_high):
        return high if at_low else low
    return root_between(lambda at: beyond(at, read(at)), (low, at_low), (high, at_high), CLOSE)


# ---- openings: figures within their ranges with which a failing claim holds

MOST_CORNERS = 12  # so many ranged figures are moved together; the others keep their values
GRID = 64  # the pieces into which a range is divided
_INWARD = (Decimal(0), Decimal("1e-20"), Decimal("1e-12"))

Changes = Mapping[Spread, Decimal]


class Opening(NamedTuple):
    """The moved figures with which a failing claim holds; `further`: it holds up to the end of the range."""

    at: tuple[tuple[Spread, Decimal], ...]
    further: bool = False


def opening(trial: Trial, ranges: Sequence[Spread]) -> Opening | None:
    """Where a failing claim holds within its ranges: with one figure moved, else several; else None."""
    with localcontext(EXACT):
        single = (found for one in ranges if (found := _alone(trial, one)) is not None)
        return next(single, None) or (_together(trial, ranges[:MOST_CORNERS]) if len(ranges) > 1 else None)


def _moved(trial: Trial, changes: Changes) -> Reading:
    return trial.at({slot: value for one, value in changes.items() for slot in one.slots})


def _alone(trial: Trial, one: Spread) -> Opening | None:
    """The nearest value within one range with which the claim holds."""
    ways = (_first(trial, {one: one.mode}, {one: end}) for end in (one.low, one.high))
    found = [way[one] for way in ways if way is not None]
    if not found:
        return None
    at = min(found, key=lambda value: (abs(value - one.mode), value))
    end = one.high if at > one.mode else one.low
    return Opening(((one, at),), further=at != end and _moved(trial, {one: end}).position == "inside")


def _first(trial: Trial, here: Changes, there: Changes) -> Changes | None:
    """The first point on the way from one point to another at which the claim holds."""

    def at(part: Decimal) -> Changes:
        return {one: value + (there[one] - value) * part for one, value in here.items()}

    def read(part: Decimal) -> Reading:
        return _moved(trial, at(part))

    stops = (Decimal(piece) / GRID for piece in range(GRID + 1)) if here != there else ()
    for (last, before), (stop, after) in pairwise((stop, read(stop)) for stop in stops):
        if after.position == "inside" or {before.position, after.position} == {"under", "over"}:
            turn = crossing(read, (last, before), (stop, after)) if before.position != "unknown" else stop
            for step in _INWARD:
                if read(turn + (stop - last) * step).position == "inside":
                    return at(turn)
            if after.position == "inside":
                return at(stop)
    return None


def _together(trial: Trial, ranges: Sequence[Spread]) -> Opening | None:
    """Values with which the claim holds; a greedy search leaves most figures unmoved."""
    here = {one: one.mode for one in ranges}
    opposite = {"under": "over", "over": "under"}.get(_moved(trial, here).position)
    for corner in product(*((one.low, one.high) for one in ranges)):
        changes = dict(zip(ranges, corner, strict=True))
        where = _moved(trial, changes).position
        found = changes if where == "inside" else _first(trial, here, changes) if where == opposite else None
        if found:
            return _fewest(trial, found)
    return None


def _fewest(trial: Trial, changes: Changes) -> Opening:
    """The same with every figure put back that need not move."""
    needed = {one: value for one, value in changes.items() if value != one.mode}
    for one in list(needed):
        fewer = {other: value for other, value in needed.items() if other is not one}
        if fewer and _moved(trial, fewer).position == "inside":
            needed = fewer
    return Opening(tuple(needed.items()))
