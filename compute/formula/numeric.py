"""The numeric functions on exact numbers."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, InvalidOperation

from compute.formula.undefined_values import DividedByZero, OutOfDomain, TooLarge

LARGEST_POWER = 1_000
_ZERO, _ONE = Decimal(0), Decimal(1)


def power(base: Decimal, exponent: Decimal, text: str) -> Decimal:
    """`base` to the `exponent`.

    Raises:
        Undefined: the exponent is beyond `LARGEST_POWER`, zero is raised to a negative power, or a negative number to a
            fractional one.
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


def smallest(*figures: Decimal) -> Decimal:
    """The smallest of one or more figures."""
    return min(figures)


def largest(*figures: Decimal) -> Decimal:
    """The largest of one or more figures."""
    return max(figures)


def total(*figures: Decimal) -> Decimal:
    """The sum."""
    return sum(figures, _ZERO)


def average(*figures: Decimal) -> Decimal:
    """The arithmetic mean."""
    return total(*figures) / len(figures)


def stepped(rounding: str) -> Callable[[Decimal, Decimal], Decimal]:
    """Rounds to a multiple of a step by a `decimal` rounding rule; raises `OutOfDomain` for a step of 0 or less."""

    def to_step(figure: Decimal, step: Decimal) -> Decimal:
        if step <= 0:
            raise OutOfDomain("rounding", "the step must be more than 0")
        return (figure / step).to_integral_value(rounding=rounding) * step

    return to_step


def logarithm(figure: Decimal, base: Decimal) -> Decimal:
    """The logarithm, natural with base 0; raises `OutOfDomain` for invalid numbers and bases."""
    if figure <= 0:
        raise OutOfDomain("log", "only numbers above 0 have a logarithm")
    if not base:
        return figure.ln()
    if base <= 0 or base == 1:
        raise OutOfDomain("log", "the base must be above 0 and not 1")
    return figure.ln() / base.ln()


def exponential(figure: Decimal) -> Decimal:
    """e to a power; raises `TooLarge` beyond `LARGEST_POWER`."""
    if abs(figure) > LARGEST_POWER:
        raise TooLarge("the exponent of exp")
    return figure.exp()


def square_root(figure: Decimal) -> Decimal:
    """The square root; raises `OutOfDomain` for negative numbers."""
    if figure < 0:
        raise OutOfDomain("sqrt", "a negative number has no root")
    return figure.sqrt()
