"""Finds where a claim starts or stops holding while one number moves: a bracketed root search over its readings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import NamedTuple

from compute.claims.claim_evaluation import Reading
from compute.formula.exact_numbers import root_between

Read = Callable[[Decimal], Reading]
Point = tuple[Decimal, Reading]

CLOSE = Decimal("1e-24")
"""The relative precision of the point where a claim changes, which is shown and not used in computations."""

_ROUNDING = Decimal("1e-26")
_NUDGE = Decimal("1e-20")


class Change(NamedTuple):
    """The point of a change, and whether the value is below or above its bounds behind it."""

    at: Decimal
    under: bool


def first_change(read: Read, stops: Iterable[Decimal]) -> Change | None:
    """The first value at which a claim starts or stops holding, on the way from the first stop to the others.

    Between two stops a change is found if the position of the value differs at these. A stop where the formula is
    undefined is passed over. Behind the last stop, the end of the possible values, a change counts too.
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
    """Whether the claim holds on one side of a point and not on the other."""
    step = abs(at) * _NUDGE or _NUDGE
    return {read(at - step).holds, read(at + step).holds} == {True, False}


def crossing(read: Read, start: Point, end: Point) -> Decimal:
    """The first point from one to another at which the position of the value changes; exact for a linear value."""
    (low, first), (high, last) = start, end
    edge = 0 if "under" in {first.position, last.position} and first.position != "over" else 1

    def beyond(at: Decimal, found: Reading) -> Decimal:
        """How far a value is from the bound that is crossed: 0 at the bound, below 0 on the side of the first one."""
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
