"""Finds where a claim starts or stops holding while one number moves: a bracketed root search over its readings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import NamedTuple

from compute.claims.claim_evaluation import Reading

Read = Callable[[Decimal], Reading]
Point = tuple[Decimal, Reading]

STEPS = 200
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
    """The first point from one to another at which the position of the value changes; exact for a linear value.

    Regula falsi with the Illinois step on the distance to the bound that is crossed; each third step is a bisection.
    """
    (low, first), (high, last) = start, end
    edge = 0 if "under" in {first.position, last.position} and first.position != "over" else 1
    at_low, at_high, side = _off(first, edge), _off(last, edge), 0
    for at, off in ((low, at_low), (high, at_high)):
        if off == 0 and _changes(read, at):
            return at
    for step in range(STEPS):
        if abs(high - low) <= CLOSE * max(abs(low), abs(high)):
            break
        if step % 3 != 2 and at_low and at_high and at_low != at_high:
            middle = (low * at_high - high * at_low) / (at_high - at_low)
        else:
            middle = (low + high) / 2
        found = read(middle)
        off = _off(found, edge)
        if off is not None and abs(off) <= abs(found.value or Decimal(0)) * _ROUNDING and _changes(read, middle):
            return middle
        if found.position == first.position:
            low, at_low = middle, off
            at_high = at_high / 2 if side == 1 and at_high else at_high
            side = 1
        else:
            high, at_high = middle, off
            at_low = at_low / 2 if side == -1 and at_low else at_low
            side = -1
    return (low + high) / 2


def _off(found: Reading, edge: int) -> Decimal | None:
    """How far a value is above a bound: the lower one (0) or the upper one (1)."""
    bound = found.interval[edge]
    return None if found.value is None or bound is None else found.value - bound
