"""Finds the zeros of a function of one number, in exact decimals."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

Curve = Callable[[Decimal], Decimal]

PIECES = 64
"""The number of pieces that a range is divided into; two zeros inside one piece count as one."""

STEPS = 400
CLOSE = Decimal("1e-42")
"""The relative precision of a zero."""

CLOSE_TURN = Decimal("1e-21")
"""The relative precision of the point where a condition changes, which is shown and not used in computations."""

_STRAIGHT = Decimal("1e-40")


def zeros(curve: Curve, low: Decimal, high: Decimal) -> list[Decimal]:
    """The zeros of a curve from `low` to `high`, one for each change of sign between neighbouring grid points."""
    step = (high - low) / PIECES
    points = [low + step * piece for piece in range(PIECES)] + [high]
    values = [curve(point) for point in points]
    found = [point for point, value in zip(points, values, strict=True) if not value]
    for left, right, start, end in zip(points, points[1:], values, values[1:], strict=False):
        if start * end < 0:
            found.append(zero_between(curve, left, right, start, end))
    return sorted(found)


def straight(curve: Curve, low: Decimal, high: Decimal) -> tuple[Decimal, Decimal] | None:
    """The values at both ends if a rational curve is a straight line, as five of its points show; else None."""
    values = [curve(low + (high - low) * piece / 4) for piece in range(5)]
    rise, room = (values[4] - values[0]) / 4, _STRAIGHT * max(map(abs, values))
    line = all(abs(values[0] + rise * piece - value) <= room for piece, value in enumerate(values))
    return (values[0], values[4]) if line else None


def zeros_of_line(low: Decimal, high: Decimal, start: Decimal, end: Decimal) -> list[Decimal] | None:
    """The zero of a line by its values at both ends, if it is between them; None where every point is one."""
    if abs(start - end) <= _STRAIGHT * abs(start):
        return [] if start else None
    root = low - start * (high - low) / (end - start)
    slack = (high - low).scaleb(-40)
    return [min(max(root, low), high)] if low - slack <= root <= high + slack else []


def zero_between(curve: Curve, low: Decimal, high: Decimal, at_low: Decimal, at_high: Decimal) -> Decimal:
    """The zero between two points of opposite sign: regula falsi with the Illinois step, else bisection."""
    side = 0
    for step in range(STEPS):
        if abs(high - low) <= CLOSE * max(abs(low), abs(high)):
            break
        falsi = step % 3 != 2
        middle = (low * at_high - high * at_low) / (at_high - at_low) if falsi else (low + high) / 2
        value = curve(middle)
        if not value:
            return middle
        if (value > 0) == (at_high > 0):
            high, at_high = middle, value
            at_low, side = (at_low / 2, -1) if side == -1 and falsi else (at_low, -1)
        else:
            low, at_low = middle, value
            at_high, side = (at_high / 2, 1) if side == 1 and falsi else (at_high, 1)
    return (low + high) / 2


def turning(holds: Callable[[Decimal], bool], inside: Decimal, outside: Decimal) -> Decimal:
    """The point between two at which a condition changes, by bisection."""
    at_inside = holds(inside)
    for _ in range(STEPS):
        if abs(outside - inside) <= CLOSE_TURN * max(abs(inside), abs(outside)):
            break
        middle = (inside + outside) / 2
        if holds(middle) == at_inside:
            inside = middle
        else:
            outside = middle
    return (inside + outside) / 2
