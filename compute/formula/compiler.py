"""Compiles terms to closures over a frame of numbers: exact ones, or arrays of floats for many points at once.

Closures are built only from the functions below and those of the numbers: a formula can read the numbers of its frame,
but no name, attribute or module of the program. Constants are folded.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from decimal import Decimal, DivisionByZero, InvalidOperation
from typing import Any, Protocol, TypeVar

from compute.formula.formula_terms import (
    Applied,
    Constant,
    Defined,
    Negated,
    Operation,
    Required,
    Slot,
    Solved,
    Term,
    Verity,
    children,
)
from compute.formula.numeric import COMPUTED, power
from compute.formula.root_finding import straight, zeros, zeros_of_line
from compute.formula.syntax_tree import COMPARISONS
from compute.formula.undefined_values import DividedByZero, NoRoot, OutOfDomain, SeveralRoots, Undefined

N = TypeVar("N")
Frame = list[Decimal]
Closure = Callable[[Frame], Decimal]
On = Callable[[list[N]], N]
"""A closure over a frame of numbers."""

YES, NO = Decimal(1), Decimal(0)


class Numbers(Protocol[N]):
    """What formulas compute with; a value that does not exist raises `Undefined`, or is NaN in an array."""

    def constant(self, value: Decimal) -> N:
        """A constant as such a number."""

    def quotient(self, left: On[N], right: On[N], divisor: str) -> On[N]:
        """Division; `divisor` is the text of the right side."""

    def power(self, left: On[N], right: On[N], text: str) -> On[N]:
        """A power; `text` is that of the term."""

    def comparison(self, mark: str, left: On[N], right: On[N]) -> On[N]:
        """A comparison: 1 or 0."""

    def choice(self, condition: On[N], then: On[N], otherwise: On[N]) -> On[N]:
        """One of two values."""

    def call(self, function: str, arguments: Sequence[On[N]], text: str) -> On[N]:
        """A numeric function."""

    def root(self, term: Solved, curve: On[N], low: On[N], high: On[N]) -> On[N]:
        """The only value between two bounds at which a curve over the slot of the unknown is zero."""


_negative: Callable[[Any], Any] = operator.neg
_PLAIN: dict[str, Callable[[Any, Any], Any]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}


def compiled(term: Term) -> Closure:
    """A function from a frame to the exact value of the term, in base units; booleans are 1 and 0.

    The closure raises `Undefined` where the term has no value, and the arithmetic errors of `decimal`.
    """
    return compiled_for(term, _EXACT)


def compiled_for(term: Term, numbers: Numbers[N]) -> On[N]:
    """A function from a frame to the value of the term, over numbers of a kind."""
    if not isinstance(term, Constant | Verity) and fixed(term):
        try:
            return _always(numbers.constant(_made(term, _EXACT)([])))
        except ArithmeticError:
            pass
    return _made(term, numbers)


def _made(term: Term, numbers: Numbers[N]) -> On[N]:  # noqa: PLR0911 one answer for each kind of term
    match term:
        case Constant(value=value):
            return _always(numbers.constant(value))
        case Verity(value=truth):
            return _always(numbers.constant(YES if truth else NO))
        case Slot(index=index):
            return operator.itemgetter(index)
        case Defined(body=below) | Required(of=below):
            return compiled_for(below, numbers)
        case Negated():
            of = compiled_for(term.of, numbers)
            return lambda frame: _negative(of(frame))
        case Operation():
            return _operation(term, numbers)
        case Applied():
            arguments = [compiled_for(argument, numbers) for argument in term.arguments]
            return (
                numbers.choice(*arguments)
                if term.function == "if"
                else numbers.call(term.function, arguments, term.text)
            )
        case Solved():
            low, high = compiled_for(term.low, numbers), compiled_for(term.high, numbers)
            left, right = compiled_for(term.left, numbers), compiled_for(term.right, numbers)
            return numbers.root(term, lambda frame: operator.sub(left(frame), right(frame)), low, high)


def _always(value: N) -> On[N]:
    return lambda _: value


def _operation(term: Operation, numbers: Numbers[N]) -> On[N]:
    left, right = compiled_for(term.left, numbers), compiled_for(term.right, numbers)
    if term.operator in COMPARISONS:
        return numbers.comparison(term.operator, left, right)
    if term.operator == "/":
        return numbers.quotient(left, right, term.right.text)
    if term.operator == "^":
        return numbers.power(left, right, term.text)
    plain = _PLAIN[term.operator]
    return lambda frame: plain(left(frame), right(frame))


def fixed(term: Term) -> bool:
    """True where the term has the same value in every frame."""
    if isinstance(term, Slot | Solved):
        return False
    return all(fixed(child) for child in children(term))


# ---- exact numbers

_COMPARE: dict[str, Callable[[Decimal, Decimal], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


class _Exact:
    """Exact decimals."""

    def constant(self, value: Decimal) -> Decimal:
        return value

    def quotient(self, left: Closure, right: Closure, divisor: str) -> Closure:
        def quotient(frame: Frame) -> Decimal:
            over, under = left(frame), right(frame)
            try:
                return over / under
            except (DivisionByZero, InvalidOperation):
                raise DividedByZero(divisor) from None

        return quotient

    def power(self, left: Closure, right: Closure, text: str) -> Closure:
        return lambda frame: power(left(frame), right(frame), text)

    def comparison(self, mark: str, left: Closure, right: Closure) -> Closure:
        compare = _COMPARE[mark]
        return lambda frame: YES if compare(left(frame), right(frame)) else NO

    def choice(self, condition: Closure, then: Closure, otherwise: Closure) -> Closure:
        return lambda frame: then(frame) if condition(frame) else otherwise(frame)

    def call(self, function: str, arguments: Sequence[Closure], text: str) -> Closure:
        compute = COMPUTED[function]

        def apply(frame: Frame) -> Decimal:
            try:
                return compute(*[argument(frame) for argument in arguments])
            except Undefined:
                raise
            except (InvalidOperation, DivisionByZero) as error:
                raise OutOfDomain(text, "its argument is out of range") from error

        return apply

    def root(self, term: Solved, curve: Closure, low: Closure, high: Closure) -> Closure:
        rational = term.rational

        def solve(frame: Frame) -> Decimal:
            def at(point: Decimal) -> Decimal:
                frame[term.index] = point
                return curve(frame)

            return _only_root(term, at, low(frame), high(frame), rational=rational)

        return solve


_EXACT = _Exact()


def _only_root(
    term: Solved, curve: Callable[[Decimal], Decimal], low: Decimal, high: Decimal, *, rational: bool
) -> Decimal:
    if low >= high:
        raise NoRoot(term.name, term.low.text, term.high.text, "empty")
    ends = straight(curve, low, high) if rational else None
    found = zeros(curve, low, high) if ends is None else zeros_of_line(low, high, *ends)
    if found is None or len(found) > 1:
        raise SeveralRoots(term.name, term.low.text, term.high.text, "all" if found is None else str(len(found)))
    if not found:
        raise NoRoot(term.name, term.low.text, term.high.text, "left" if curve(high) > 0 else "right")
    return found[0]
