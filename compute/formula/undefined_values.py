"""Why a figure has no value although its formula is valid, one class per cause.

Undefined
├── DividedByZero     the divisor is zero
├── OutOfDomain       a root of a negative number, a logarithm of zero
├── TooLarge          outside the numeric range
├── NoRoot            nothing between the bounds solves the equation
└── SeveralRoots      more than one value solves it, or every value
"""

from __future__ import annotations


class Undefined(ArithmeticError):  # noqa: N818 it is an outcome, not an error
    """The figure has no value; `reason` says why, in terms of the formula."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class DividedByZero(Undefined):
    """The divisor is zero."""

    def __init__(self, divisor: str) -> None:
        super().__init__("division by zero" if divisor == "0" else f"division by zero: {divisor} is 0")


class OutOfDomain(Undefined):
    """A function has no value for its arguments."""

    def __init__(self, call: str, why: str) -> None:
        super().__init__(f"{call} has no value: {why}")


class TooLarge(Undefined):
    """The figure is outside the numeric range."""

    def __init__(self, what: str = "the figure") -> None:
        super().__init__(f"{what} is too large to compute")


class NoRoot(Undefined):
    """No value between the bounds makes the sides equal."""

    def __init__(self, name: str, low: str, high: str, larger: str) -> None:
        super().__init__(f"there is no {name} from {low} to {high}: the {larger} side stays the larger one")


class SeveralRoots(Undefined):
    """More than one value makes the sides equal."""

    def __init__(self, name: str, low: str, high: str, count: str) -> None:
        super().__init__(f"{name} is not certain: {count} values from {low} to {high} solve the equation")
