"""The numeric functions on exact numbers."""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal, InvalidOperation

from compute.formula.undefined_values import DividedByZero, OutOfDomain, TooLarge

LARGEST_POWER = 1_000


def power(base: Decimal, exponent: Decimal, text: str) -> Decimal:
    """`base` to the `exponent`.

    Raises:
        Undefined: the exponent is beyond `LARGEST_POWER`, zero is raised to a negative power, or a negative number to a
            fractional one.
    """
    if abs(exponent) > LARGEST_POWER:
        raise TooLarge(f"the exponent of {text}")
    if not base and not exponent:
        return Decimal(1)
    if not base and exponent < 0:
        raise DividedByZero(f"the base of {text}")
    try:
        return base**exponent
    except InvalidOperation:
        raise OutOfDomain(text, "zero or less has no such power") from None


def _stepped(rounding: str) -> Callable[[Decimal, Decimal], Decimal]:
    """Rounds to a multiple of a step by a `decimal` rounding rule; raises `OutOfDomain` for a step of 0 or less."""

    def to_step(figure: Decimal, step: Decimal) -> Decimal:
        if step <= 0:
            raise OutOfDomain("rounding", "the step must be more than 0")
        return (figure / step).to_integral_value(rounding=rounding) * step

    return to_step


def _logarithm(figure: Decimal, base: Decimal) -> Decimal:
    """The logarithm, natural with base 0; raises `OutOfDomain` for invalid numbers and bases."""
    if figure <= 0:
        raise OutOfDomain("log", "only numbers above 0 have a logarithm")
    if not base:
        return figure.ln()
    if base <= 0 or base == 1:
        raise OutOfDomain("log", "the base must be above 0 and not 1")
    return figure.ln() / base.ln()


def _exponential(figure: Decimal) -> Decimal:
    """e to a power; raises `TooLarge` beyond `LARGEST_POWER`."""
    if abs(figure) > LARGEST_POWER:
        raise TooLarge("the exponent of exp")
    return figure.exp()


def _square_root(figure: Decimal) -> Decimal:
    """The square root; raises `OutOfDomain` for negative numbers."""
    if figure < 0:
        raise OutOfDomain("sqrt", "a negative number has no root")
    return figure.sqrt()


COMPUTED: dict[str, Callable[..., Decimal]] = {
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
"""The numeric functions of `function_table` on exact numbers, except `if`, which evaluates one branch only."""
