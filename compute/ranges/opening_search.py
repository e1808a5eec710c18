"""Finds the figures within the stated ranges of a claim with which it holds.

    each range alone      the points at which the verdict changes, on a grid
    all ranges together   their corners, and the line between a value below and one above the bounds

A point at which the formula is undefined does not count as holding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, localcontext
from itertools import product
from typing import NamedTuple

from compute.claims.claim_evaluation import Reading, Trial
from compute.ranges.change_search import crossing
from compute.ranges.ranged_inputs import Spread
from compute.units.units import EXACT

MOST_CORNERS = 12
"""Up to this many ranged figures are moved together; the others keep their values."""

GRID = 64
"""The number of pieces into which a range is divided."""

_INWARD = (Decimal(0), Decimal("1e-20"), Decimal("1e-12"))


Changes = Mapping[Spread, Decimal]


class Opening(NamedTuple):
    """Figures within their ranges with which a failing claim holds: those that differ from the stated ones.

    `further`, of a single figure: the claim still holds further away from the stated one, up to the end of the range.
    """

    at: tuple[tuple[Spread, Decimal], ...]
    further: bool = False


def opening(trial: Trial, ranges: Sequence[Spread]) -> Opening | None:
    """Where within the ranges a claim holds that fails at the figures: with one moved, else with several; else None."""
    with localcontext(EXACT):
        single = (found for one in ranges if (found := _alone(trial, one)) is not None)
        return next(single, None) or (_together(trial, ranges[:MOST_CORNERS]) if len(ranges) > 1 else None)


def _moved(trial: Trial, changes: Changes) -> Reading:
    return trial.at({slot: value for one, value in changes.items() for slot in one.slots})


# ---- one figure


def _alone(trial: Trial, one: Spread) -> Opening | None:
    """The nearest value of one figure, within its range, with which the claim holds."""
    found = [value for end in (one.low, one.high) if (value := _towards(trial, one, end)) is not None]
    if not found:
        return None
    at = min(found, key=lambda value: (abs(value - one.mode), value))
    end = one.high if at > one.mode else one.low
    return Opening(((one, at),), further=at != end and _moved(trial, {one: end}).position == "inside")


def _towards(trial: Trial, one: Spread, end: Decimal) -> Decimal | None:
    """The first value from the stated one to an end of the range with which the claim holds, there or just behind."""

    def read(value: Decimal) -> Reading:
        return _moved(trial, {one: value})

    here = last = one.mode
    before = read(here)
    for piece in range(1, GRID + 1) if here != end else ():
        stop = here + (end - here) * piece / GRID
        after = read(stop)
        if after.position == "inside" or {before.position, after.position} == {"under", "over"}:
            at = crossing(read, (last, before), (stop, after)) if before.position != "unknown" else stop
            for step in _INWARD:
                if read(at + (stop - last) * step).position == "inside":
                    return at
            if after.position == "inside":
                return stop
        last, before = stop, after
    return None


# ---- several figures


def _together(trial: Trial, ranges: Sequence[Spread]) -> Opening | None:
    """Values of several figures with which the claim holds; as few of them are moved as a greedy search finds."""
    here = {one: one.mode for one in ranges}
    opposite = {"under": "over", "over": "under"}.get(_moved(trial, here).position)
    for corner in product(*((one.low, one.high) for one in ranges)):
        changes: Changes | None = dict(zip(ranges, corner, strict=True))
        where = _moved(trial, changes or {}).position
        if where == opposite:
            changes = _entered(trial, here, changes or {})
        if changes and where in {"inside", opposite}:
            return _fewest(trial, changes)
    return None


def _entered(trial: Trial, first: Changes, last: Changes) -> Changes | None:
    """A point on the line between a value on one side of the bounds and one on the other that is within them."""
    low, high = Decimal(0), Decimal(1)
    start = _moved(trial, first).position
    for _ in range(120):
        middle = (low + high) / 2
        changes = {one: value + (last[one] - value) * middle for one, value in first.items()}
        where = _moved(trial, changes).position
        if where == "inside":
            return changes
        if where in {"nowhere", "unknown"}:
            return None
        low, high = (middle, high) if where == start else (low, middle)
    return None


def _fewest(trial: Trial, changes: Changes) -> Opening:
    """The same with every figure put back that need not move."""
    kept = {one: value for one, value in changes.items() if value != one.mode}
    for one in list(kept):
        fewer = {other: value for other, value in kept.items() if other is not one}
        if fewer and _moved(trial, fewer).position == "inside":
            kept = fewer
    return Opening(tuple(kept.items()))
