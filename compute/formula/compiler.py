"""Compiles terms to closures over a frame of exact numbers.

Closures are built only from the functions below: a formula can read the numbers of its frame, but no name, attribute
or module of the program. Constants are folded. The common shapes of `+ - * /` have dedicated closures, because a call
costs more than the arithmetic.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from decimal import Decimal, DivisionByZero, InvalidOperation

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
    uses,
)
from compute.formula.function_table import BY_NAME
from compute.formula.numeric import power
from compute.formula.root_finding import line, zeros
from compute.formula.syntax_tree import COMPARISONS
from compute.formula.undefined_values import DividedByZero, NoRoot, OutOfDomain, SeveralRoots, Undefined

Frame = list[Decimal]
Closure = Callable[[Frame], Decimal]

_COMPARE: dict[str, Callable[[Decimal, Decimal], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
YES, NO = Decimal(1), Decimal(0)


def compiled(term: Term) -> Closure:
    """A function from a frame to the value of the term, in base units; booleans are 1 and 0.

    The closure raises `Undefined` where the term has no value, and the arithmetic errors of `decimal`.
    """
    match term:
        case Constant(value=value):
            return _always(value)
        case Verity(value=value):
            return _always(YES if value else NO)
        case Slot(index=index):
            return operator.itemgetter(index)
        case Defined(body=below) | Required(of=below):
            return compiled(below)
        case Solved():
            return _solver(term)
        case _:
            return _folded(term)


def _folded(term: Negated | Operation | Applied) -> Closure:
    closure = _made(term)
    if not all(fixed(child) for child in children(term)):
        return closure
    try:
        return _always(closure([]))
    except ArithmeticError:
        return closure


def fixed(term: Term) -> bool:
    """True where the term has the same value in every frame."""
    if isinstance(term, Slot | Solved):
        return False
    return all(fixed(child) for child in children(term))


def _made(term: Negated | Operation | Applied) -> Closure:
    if isinstance(term, Negated):
        of = compiled(term.of)
        return lambda frame: -of(frame)
    if isinstance(term, Applied):
        return _applied(term)
    if term.operator in COMPARISONS:
        return _comparison(term)
    if term.operator == "/":
        return _quotient(term)
    if term.operator == "^":
        left, right, text = compiled(term.left), compiled(term.right), term.text
        return lambda frame: power(left(frame), right(frame), text)
    return _PLAIN[term.operator](term.left, term.right)


def _always(value: Decimal) -> Closure:
    return lambda _: value


def _comparison(term: Operation) -> Closure:
    compare, left, right = _COMPARE[term.operator], compiled(term.left), compiled(term.right)
    return lambda frame: YES if compare(left(frame), right(frame)) else NO


def _sum(left: Term, right: Term) -> Closure:
    one, other = compiled(left), compiled(right)
    match left, right:
        case Slot(index=i), Slot(index=j):
            return lambda frame: frame[i] + frame[j]
        case Constant(value=value), _:
            return lambda frame: value + other(frame)
        case _, Slot(index=j):
            return lambda frame: one(frame) + frame[j]
    return lambda frame: one(frame) + other(frame)


def _difference(left: Term, right: Term) -> Closure:
    one, other = compiled(left), compiled(right)
    match left, right:
        case Slot(index=i), Slot(index=j):
            return lambda frame: frame[i] - frame[j]
        case Constant(value=value), _:
            return lambda frame: value - other(frame)
        case _, Constant(value=value):
            return lambda frame: one(frame) - value
    return lambda frame: one(frame) - other(frame)


def _product(left: Term, right: Term) -> Closure:
    one, other = compiled(left), compiled(right)
    match left, right:
        case Slot(index=i), Slot(index=j):
            return lambda frame: frame[i] * frame[j]
        case _, Slot(index=j):
            return lambda frame: one(frame) * frame[j]
        case _, Constant(value=value):
            return lambda frame: one(frame) * value
    return lambda frame: one(frame) * other(frame)


_PLAIN = {"+": _sum, "-": _difference, "*": _product}


def _quotient(term: Operation) -> Closure:
    divisor = term.right.text
    if isinstance(term.left, Slot) and isinstance(term.right, Slot):
        return _slot_quotient(term.left.index, term.right.index, divisor)
    one, other = compiled(term.left), compiled(term.right)

    def quotient(frame: Frame) -> Decimal:
        over, under = one(frame), other(frame)
        try:
            return over / under
        except (DivisionByZero, InvalidOperation):
            raise DividedByZero(divisor) from None

    return quotient


def _slot_quotient(over: int, under: int, divisor: str) -> Closure:
    def quotient(frame: Frame) -> Decimal:
        try:
            return frame[over] / frame[under]
        except (DivisionByZero, InvalidOperation):
            raise DividedByZero(divisor) from None

    return quotient


def _applied(term: Applied) -> Closure:
    arguments = [compiled(argument) for argument in term.arguments]
    function, text = BY_NAME[term.function].compute, term.text
    if function is None:
        condition, then, otherwise = arguments
        return lambda frame: then(frame) if condition(frame) else otherwise(frame)

    def apply(frame: Frame) -> Decimal:
        try:
            return function(*[argument(frame) for argument in arguments])
        except Undefined:
            raise
        except (InvalidOperation, DivisionByZero) as error:
            raise OutOfDomain(text, "its argument is out of range") from error

    return apply


def _solver(term: Solved) -> Closure:
    low, high, curve = compiled(term.low), compiled(term.high), _difference(term.left, term.right)
    straight = max(degree(term.left, term.index), degree(term.right, term.index)) <= 1

    def solve(frame: Frame) -> Decimal:
        def at(point: Decimal) -> Decimal:
            frame[term.index] = point
            return curve(frame)

        return _root(term, at, low(frame), high(frame), straight=straight)

    return solve


def _root(term: Solved, curve: Callable[[Decimal], Decimal], low: Decimal, high: Decimal, *, straight: bool) -> Decimal:
    if low >= high:
        raise NoRoot(term.name, term.low.text, term.high.text, "empty")
    found = _straight_root(curve, low, high) if straight else zeros(curve, low, high)
    if found is None or len(found) > 1:
        raise SeveralRoots(term.name, term.low.text, term.high.text, "all" if found is None else str(len(found)))
    if not found:
        larger = "left" if curve(high) > 0 else "right"
        raise NoRoot(term.name, term.low.text, term.high.text, larger)
    return found[0]


def _straight_root(curve: Callable[[Decimal], Decimal], low: Decimal, high: Decimal) -> list[Decimal] | None:
    slope, start = line(curve, low, high)
    if not slope:
        return [] if start else None
    root = low - start / slope
    slack = (high - low).scaleb(-40)
    return [min(max(root, low), high)] if low - slack <= root <= high + slack else []


def degree(term: Term, index: int) -> int:  # noqa: PLR0911 one answer for each kind of term
    """0 if slot `index` does not occur in the term, 1 if it occurs linearly, 2 if in any other way."""
    if not uses(term, index):
        return 0
    match term:
        case Slot():
            return 1
        case Defined(body=below) | Required(of=below) | Negated(of=below):
            return degree(below, index)
        case Operation(operator="+" | "-", left=left, right=right):
            return max(degree(left, index), degree(right, index))
        case Operation(operator="*", left=left, right=right):
            return min(2, degree(left, index) + degree(right, index))
        case Operation(operator="/", left=left, right=right) if not uses(right, index):
            return degree(left, index)
        case _:
            return 2
