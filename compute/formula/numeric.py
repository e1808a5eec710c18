"""The numeric functions on exact numbers."""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal, InvalidOperation

from compute.formula.undefined import DividedByZero, OutOfDomain, TooLarge

LARGEST_POWER = 1_000
CONDITIONAL = "if"
_ZERO, _ONE = Decimal(0), Decimal(1)


def power(base: Decimal, exponent: Decimal, text: str) -> Decimal:
    """`base` to the `exponent`.

    Raises:
        Undefined: the exponent is beyond `LARGEST_POWER`, zero is raised to a negative power, or a negative number to
            a broken one.
    """
    if abs(exponent) > LARGEST_POWER:
        raise TooLarge(f"the exponent of {text}")
    if not base and not exponent:
        return _ONE
    if not base and exponent < 0:
        raise DividedByZero(f"the base of {text}")
    try:
        return base**exponent
    except InvalidOperation:
        raise OutOfDomain(text, "zero or less has no such power") from None


def _sum(*figures: Decimal) -> Decimal:
    return sum(figures, _ZERO)


def _average(*figures: Decimal) -> Decimal:
    return _sum(*figures) / len(figures)


def _stepped(rounding: str) -> Callable[[Decimal, Decimal], Decimal]:
    def to_step(figure: Decimal, step: Decimal) -> Decimal:
        if step <= 0:
            raise OutOfDomain("rounding", "the step must be more than 0")
        return (figure / step).to_integral_value(rounding=rounding) * step

    return to_step


def _logarithm(figure: Decimal, base: Decimal) -> Decimal:
    if figure <= 0:
        raise OutOfDomain("log", "only numbers above 0 have a logarithm")
    if not base:
        return figure.ln()
    if base <= 0 or base == 1:
        raise OutOfDomain("log", "the base must be above 0 and not 1")
    return figure.ln() / base.ln()


def _exponential(figure: Decimal) -> Decimal:
    if abs(figure) > LARGEST_POWER:
        raise TooLarge("the exponent of exp")
    return figure.exp()


def _root(figure: Decimal) -> Decimal:
    if figure < 0:
        raise OutOfDomain("sqrt", "a negative number has no root")
    return figure.sqrt()


NUMERIC: dict[str, Callable[..., Decimal]] = {
    "min": min,
    "max": max,
    "sum": _sum,
    "average": _average,
    "abs": abs,
    "round": _stepped(ROUND_HALF_EVEN),
    "ceil": _stepped(ROUND_CEILING),
    "floor": _stepped(ROUND_FLOOR),
    "sqrt": _root,
    "exp": _exponential,
    "log": _logarithm,
}
