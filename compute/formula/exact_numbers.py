"""The functions of formulas on exact numbers, and the root of an equation."""

from __future__ import annotations

import operator
from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal

from compute.formula.formula_errors import NoRoot, Undefined
from compute.formula.formula_tree import Solve

Curve = Callable[[Decimal], Decimal]
Point = tuple[Decimal, Decimal]  # a place and the value of a curve there

LARGEST_POWER = 1_000
PIECES = 64  # of a range in which zeros are searched; two zeros inside one piece count as one

_STEPS = 400
_NONE = Decimal(0)
_CLOSE = Decimal("1e-42")  # the relative precision of a zero
_ROUNDING = Decimal("1e-40")  # a value smaller than this part of the largest one of a curve is 0


def _power(text: str, base: Decimal, exponent: Decimal) -> Decimal:
    if abs(exponent) > LARGEST_POWER:
        raise Undefined(f"the exponent of {text} is too large to compute")
    if not base and not exponent:
        return Decimal(1)
    if not base and exponent < 0:
        raise Undefined(f"division by zero: the base of {text} is 0")
    return base**exponent


def _stepped(rounding: str) -> Callable[[Decimal, Decimal], Decimal]:
    """Rounds to a multiple of a step by a `decimal` rounding rule."""

    def to_step(figure: Decimal, step: Decimal) -> Decimal:
        if step <= 0:
            raise Undefined("rounding has no value: the step must be more than 0")
        return (figure / step).to_integral_value(rounding=rounding) * step

    return to_step


def _logarithm(figure: Decimal, base: Decimal) -> Decimal:
    """The logarithm; natural with base 0."""
    if figure <= 0:
        raise Undefined("log has no value: only numbers above 0 have a logarithm")
    if not base:
        return figure.ln()
    if base <= 0 or base == 1:
        raise Undefined("log has no value: the base must be above 0 and not 1")
    return figure.ln() / base.ln()


def _exponential(figure: Decimal) -> Decimal:
    if abs(figure) > LARGEST_POWER:
        raise Undefined("the exponent of exp is too large to compute")
    return figure.exp()


def _square_root(figure: Decimal) -> Decimal:
    if figure < 0:
        raise Undefined("sqrt has no value: a negative number has no root")
    return figure.sqrt()


def _compared(holds: Callable[[Decimal, Decimal], bool]) -> Callable[[Decimal, Decimal], Decimal]:
    return lambda left, right: Decimal(holds(left, right))


FUNCTIONS: dict[str, Callable[..., Decimal]] = {
    "/": operator.truediv,
    "^": _power,
    "<": _compared(operator.lt),
    "<=": _compared(operator.le),
    ">": _compared(operator.gt),
    ">=": _compared(operator.ge),
    "==": _compared(operator.eq),
    "!=": _compared(operator.ne),
    "min": lambda *figures: min(figures),
    "max": lambda *figures: max(figures),
    "sum": lambda *figures: sum(figures, Decimal(0)),
    "average": lambda *figures: sum(figures, Decimal(0)) / len(figures),
    "abs": abs,
    "round": _stepped(ROUND_HALF_EVEN),
    "ceil": _stepped(ROUND_CEILING),
    "floor": _stepped(ROUND_FLOOR),
    "sqrt": _square_root,
    "exp": _exponential,
    "log": _logarithm,
}
"""The operators but + - *, and the numeric functions of `function_table` except `if`, which evaluates one branch."""


def only_root(term: Solve, curve: Curve, low: Decimal, high: Decimal) -> Decimal:
    """The only zero of a curve between two bounds, found by sign changes on a grid of `PIECES`.

    Raises:
        NoRoot: there is none.
        Undefined: there are several.
    """
    between = f"from {term.low.text} to {term.high.text}"
    if low >= high:
        raise NoRoot(f"there is no {term.name} {between}: the empty side stays the larger one")
    points = [low + (high - low) * piece / PIECES for piece in range(PIECES)] + [high]
    values = [curve(point) for point in points]
    room = _ROUNDING * max(map(abs, values))
    found = [point for point, value in zip(points, values, strict=True) if abs(value) <= room]
    for left, right, start, end in zip(points, points[1:], values, values[1:], strict=False):
        if start * end < 0 and min(abs(start), abs(end)) > room:
            found.append(root_between(curve, (left, start), (right, end), _CLOSE, room))
    if len(found) > 1:
        count = "all" if len(found) > PIECES else str(len(found))
        raise Undefined(f"{term.name} is not certain: {count} values {between} solve the equation")
    if not found:
        larger = "left" if values[-1] > 0 else "right"
        raise NoRoot(f"there is no {term.name} {between}: the {larger} side stays the larger one")
    return found[0]


def root_between(curve: Curve, start: Point, end: Point, close: Decimal, room: Decimal = _NONE) -> Decimal:
    """Where a curve changes its sign: regula falsi with the Illinois step, every third step a bisection.

    It stops within `room` of 0, or when the points are within `close` of each other, relative to their size.
    """
    (low, at_low), (high, at_high) = start, end
    side = 0
    for step in range(_STEPS):
        if abs(high - low) <= close * max(abs(low), abs(high)):
            break
        falsi = step % 3 != 2
        middle = (low * at_high - high * at_low) / (at_high - at_low) if falsi else (low + high) / 2
        value = curve(middle)
        if abs(value) <= room:
            return middle
        if (value > 0) == (at_high > 0):
            high, at_high = middle, value
            at_low, side = (at_low / 2, -1) if side == -1 and falsi else (at_low, -1)
        else:
            low, at_low = middle, value
            at_high, side = (at_high / 2, 1) if side == 1 and falsi else (at_high, 1)
    return (low + high) / 2
