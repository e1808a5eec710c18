"""Compiles terms to closures over a frame of numbers: exact ones, or arrays of floats for many points at once.

Closures use only the functions of the numbers: a formula can reach no name, attribute or module of the program.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal, DivisionByZero, InvalidOperation
from functools import partial
from typing import Any

from compute.formula import formula_tree as tree
from compute.formula.exact_numbers import FUNCTIONS, only_root
from compute.formula.formula_errors import Undefined

Frame = list[Decimal]
Closure = Callable[[Frame], Decimal]
AnyClosure = Callable[[Any], Any]  # over a frame of any numbers

_PLAIN: dict[str, Callable[[Any, Any], Any]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}


@dataclass(frozen=True, slots=True)
class Numbers:
    """Arithmetic of formulas; a value that does not exist raises `Undefined`, or is NaN in an array.

    `choice` makes the closure of an `if`; `root` is the only value between two bounds at which a curve is zero.
    """

    constant: Callable[[Decimal], Any]
    functions: Mapping[str, Callable[..., Any]]
    choice: Callable[[AnyClosure, AnyClosure, AnyClosure], AnyClosure]
    root: Callable[[tree.Solve, Callable[[Any], Any], Any, Any], Any]


_EXACT = Numbers(
    constant=lambda value: value,
    functions=FUNCTIONS,
    choice=lambda condition, then, otherwise: lambda frame: then(frame) if condition(frame) else otherwise(frame),
    root=only_root,
)


def compiled(term: tree.Node) -> Closure:
    """A function from a frame to the exact value in base units, booleans as 1 and 0; raises `ArithmeticError`."""
    return compiled_for(term, _EXACT)


def compiled_for(term: tree.Node, numbers: Numbers) -> AnyClosure:  # noqa: PLR0911 one answer for each kind of term
    """A function from a frame to the value of the term, for a kind of numbers."""
    below = [compiled_for(child, numbers) for child in tree.children(term)]
    match term:
        case tree.Number() | tree.Truth():
            constant = numbers.constant(term.base if isinstance(term, tree.Number) else Decimal(term.value))
            return lambda _: constant
        case tree.Slot(index=index):
            return operator.itemgetter(index)
        case tree.Required():
            return below[0]
        case tree.Negative():
            of = below[0]
            return lambda frame: -of(frame)
        case tree.Binary(operator="+" | "-" | "*" as sign):
            (left, right), plain = below, _PLAIN[sign]
            return lambda frame: plain(left(frame), right(frame))
        case tree.Binary(operator=sign):
            function = numbers.functions[sign]
            return _applied(term, partial(function, term.text) if sign == "^" else function, below)
        case tree.Call(function="if"):
            return numbers.choice(*below)
        case tree.Call(function=name):
            return _applied(term, numbers.functions[name], below)
        case tree.Solve():
            return _solved(term, numbers, below)
    raise TypeError(f"{term.text} is not resolved")


def _applied(term: tree.Binary | tree.Call, function: Callable[..., Any], arguments: list[AnyClosure]) -> AnyClosure:
    def apply(frame: Any) -> Any:  # noqa: ANN401  # numbers of any kind
        try:
            return function(*[argument(frame) for argument in arguments])
        except (DivisionByZero, InvalidOperation):
            raise _undefined(term) from None

    return apply


def _undefined(term: tree.Binary | tree.Call) -> Undefined:
    if isinstance(term, tree.Call):
        return Undefined(f"{term.text} has no value: its argument is out of range")
    if term.operator == "^":
        return Undefined(f"{term.text} has no value: zero or less has no such power")
    divisor = term.right.text
    return Undefined("division by zero" if divisor == "0" else f"division by zero: {divisor} is 0")


def _solved(term: tree.Solve, numbers: Numbers, below: list[AnyClosure]) -> AnyClosure:
    left, right, low, high = below

    def solve(frame: Any) -> Any:  # noqa: ANN401  # numbers of any kind
        def at(point: Any) -> Any:  # noqa: ANN401  # the same
            frame[term.index] = point
            return left(frame) - right(frame)

        return numbers.root(term, at, low(frame), high(frame))

    return solve


def fixed(term: tree.Node) -> bool:
    """Whether the term has the same value in every frame."""
    return not any(isinstance(part, tree.Slot | tree.Solve) for part in tree.parts(term))
