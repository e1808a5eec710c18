"""Evaluates terms over arrays: one formula at many points at once, in binary floats.

It follows `compiler`, function by function. A point where a term is undefined is NaN, and stays NaN. Parts of a formula
that do not vary are computed exactly. Exact numbers that are equal may differ in their last bits as floats, so two
floats count as equal where they differ by less than `_CLOSE` of their size.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from compute.formula.compiler import compiled, degree
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
from compute.formula.numeric import LARGEST_POWER
from compute.formula.root_finding import PIECES

Array = NDArray[np.float64]
Truths = NDArray[np.bool_]

_CLOSE = 1e-12
_HALVINGS = 60


def close(one: Array, two: Array) -> Truths:
    """Where two arrays are equal, but for the last bits."""
    return np.abs(one - two) <= _CLOSE * np.maximum(np.abs(one), np.abs(two))


class ArrayEvaluator:
    """Evaluates the terms of one program.

    `exact` is the frame of the point values, NaN where a computed given is undefined; `arrays` are the slots that vary.
    """

    def __init__(self, exact: Sequence[Decimal], arrays: Mapping[int, Array], points: int) -> None:
        self._exact, self.points = list(exact), points
        self._arrays = dict(arrays)
        self._constants: dict[int, tuple[Term, Array]] = {}

    def store(self, slot: int, values: Array) -> None:
        """Set the values of a computed slot."""
        self._arrays[slot] = values

    def varies(self, term: Term) -> bool:
        """Whether a slot that varies occurs in the term."""
        if isinstance(term, Slot):
            return term.index in self._arrays
        return any(map(self.varies, children(term)))

    def of(self, term: Term) -> Array:
        """The values of a term at all points, NaN where it is undefined."""
        with np.errstate(all="ignore"):
            values = self._term(term)
            return np.where(np.isfinite(values), values, np.nan)

    def _term(self, term: Term) -> Array:  # noqa: PLR0911 one answer for each kind of term
        if not self.varies(term):
            return self._constant(term)
        match term:
            case Slot(index=index):
                return self._arrays[index]
            case Negated(of=below):
                return -self._term(below)
            case Defined(body=below) | Required(of=below):
                return self._term(below)
            case Operation():
                return _OPERATIONS[term.operator](self._term(term.left), self._term(term.right))
            case Applied():
                return FUNCTIONS[term.function](*map(self._term, term.arguments))
            case Solved():
                return self._solved(term)
            case Constant() | Verity():
                return self._constant(term)

    def _constant(self, term: Term) -> Array:
        found = self._constants.get(id(term))
        if found is None:
            found = self._constants[id(term)] = term, np.full(self.points, self._exactly(term))
        return found[1]

    def _exactly(self, term: Term) -> float:
        try:
            return float(compiled(term)(self._exact))
        except (ArithmeticError, ValueError):  # float() of a signalling NaN is a ValueError
            return np.nan

    def _solved(self, term: Solved) -> Array:
        low, high = self._term(term.low), self._term(term.high)
        outer = self._arrays.get(term.index)

        def curve(at: Array) -> Array:
            self._arrays[term.index] = at
            return self._term(term.left) - self._term(term.right)

        straight = max(degree(term.left, term.index), degree(term.right, term.index)) <= 1
        found = _straight_root(curve, low, high) if straight else _only_root(curve, low, high)
        self._arrays.pop(term.index, None)
        if outer is not None:
            self._arrays[term.index] = outer
        return np.where(low < high, found, np.nan)


def _straight_root(curve: Callable[[Array], Array], low: Array, high: Array) -> Array:
    start = curve(low)
    slope = (curve(high) - start) / (high - low)
    root, slack = low - start / slope, (high - low) * _CLOSE
    inside = (low - slack <= root) & (root <= high + slack) & (slope != 0)
    return np.where(inside, np.clip(root, low, high), np.nan)


def _only_root(curve: Callable[[Array], Array], low: Array, high: Array) -> Array:
    """The root of the points that have exactly one, on the grid of `root_finding.zeros`; by bisection."""
    step = (high - low) / PIECES
    grid = np.array([*(low + step * piece for piece in range(PIECES)), high])
    values = np.array([curve(at) for at in grid])
    turns = values[:-1] * values[1:] < 0
    count = turns.sum(axis=0) + (values == 0).sum(axis=0)
    piece, every = turns.argmax(axis=0), np.arange(len(low))
    left, right, sign = grid[piece, every], grid[piece + 1, every], np.sign(values[piece, every])
    for _ in range(_HALVINGS):
        middle = (left + right) / 2
        same = np.sign(curve(middle)) == sign
        left, right = np.where(same, middle, left), np.where(same, right, middle)
    on_grid = grid[(values == 0).argmax(axis=0), every]
    root = np.where(turns.any(axis=0), (left + right) / 2, on_grid)
    return np.where((count == 1) & ~np.isnan(values).any(axis=0), root, np.nan)


def _quotient(over: Array, under: Array) -> Array:
    return np.where(under == 0, np.nan, over / under)


def _power(base: Array, exponent: Array) -> Array:
    undefined = np.isnan(base) | np.isnan(exponent) | (np.abs(exponent) > LARGEST_POWER)
    undefined |= (base == 0) & (exponent < 0)
    return np.where(undefined, np.nan, np.power(base, exponent))


Compare = Callable[[Array, Array], Truths]


def _compared(holds: Compare) -> Callable[[Array, Array], Array]:
    def compare(left: Array, right: Array) -> Array:
        return np.where(np.isnan(left) | np.isnan(right), np.nan, holds(left, right).astype(float))

    return compare


_OPERATIONS: dict[str, Callable[[Array, Array], Array]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": _quotient,
    "^": _power,
    "<": _compared(lambda left, right: (left < right) & ~close(left, right)),
    "<=": _compared(lambda left, right: (left < right) | close(left, right)),
    ">": _compared(lambda left, right: (left > right) & ~close(left, right)),
    ">=": _compared(lambda left, right: (left > right) | close(left, right)),
    "==": _compared(close),
    "!=": _compared(lambda left, right: ~close(left, right)),
}


def _least(*figures: Array) -> Array:
    return np.asarray(np.min(np.stack(figures), axis=0), dtype=np.float64)


def _largest(*figures: Array) -> Array:
    return np.asarray(np.max(np.stack(figures), axis=0), dtype=np.float64)


def _total(*figures: Array) -> Array:
    return np.asarray(np.sum(np.stack(figures), axis=0), dtype=np.float64)


def _average(*figures: Array) -> Array:
    return _total(*figures) / len(figures)


def _stepped(rounded: Callable[[Array], Array], parts: int = 1) -> Callable[[Array, Array], Array]:
    """Rounds to a multiple of a step; a multiple of a step in `parts` counts as one despite its last bits."""

    def to_step(figure: Array, step: Array) -> Array:
        count = figure / step * parts
        count = np.where(np.abs(count - np.rint(count)) <= _CLOSE * np.maximum(1, np.abs(count)), np.rint(count), count)
        return np.where(step > 0, rounded(count / parts) * step, np.nan)

    return to_step


def _root(figure: Array) -> Array:
    return np.where(figure < 0, np.nan, np.sqrt(figure))


def _exponential(figure: Array) -> Array:
    return np.where(np.abs(figure) > LARGEST_POWER, np.nan, np.exp(figure))


def _logarithm(figure: Array, base: Array) -> Array:
    natural = np.where(figure > 0, np.log(figure), np.nan)
    other = np.where((base > 0) & (base != 1), natural / np.log(base), np.nan)
    return np.where(base == 0, natural, other)


def _chosen(condition: Array, then: Array, otherwise: Array) -> Array:
    return np.where(np.isnan(condition), np.nan, np.where(condition != 0, then, otherwise))


FUNCTIONS: dict[str, Callable[..., Array]] = {
    "min": _least,
    "max": _largest,
    "sum": _total,
    "average": _average,
    "abs": np.abs,
    "round": _stepped(np.rint, 2),
    "ceil": _stepped(np.ceil),
    "floor": _stepped(np.floor),
    "sqrt": _root,
    "exp": _exponential,
    "log": _logarithm,
    "if": _chosen,
}
"""The numeric functions of `function_table` on arrays."""
