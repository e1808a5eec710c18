"""Numbers of formulas as arrays of binary floats: one formula at many points at once.

It follows the exact numbers, function by function. A point where a term is undefined or too large is NaN, and stays
NaN. Exact numbers that are equal may differ in their last bits as floats, so two floats count as equal where they
differ by less than `_CLOSE` of their size.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from compute.formula.compiler import On, compiled_for
from compute.formula.formula_terms import Solved, Term
from compute.formula.numeric import LARGEST_POWER
from compute.formula.root_finding import PIECES

Array = NDArray[np.float64]
Truths = NDArray[np.bool_]

_CLOSE = 1e-12
_HALVINGS = 60
_STRAIGHT = 1e-11
"""How far the points of a line may be from it, as a part of the largest one."""


def close(one: Array, two: Array) -> Truths:
    """Where two arrays are equal, but for the last bits."""
    return np.abs(one - two) <= _CLOSE * np.maximum(np.abs(one), np.abs(two))


def over_arrays(term: Term) -> On[Array]:
    """A function from a frame of arrays to the values of a term, NaN where it is undefined or too large."""
    closure = compiled_for(term, _Arrays())

    def values(frame: list[Array]) -> Array:
        with np.errstate(all="ignore"):
            found = closure(frame)
            return np.where(np.isfinite(found), found, np.nan)

    return values


class _Arrays:
    """Arrays of floats; constants have no dimension."""

    def constant(self, value: Decimal) -> Array:
        return np.array(float(value))

    def quotient(self, left: On[Array], right: On[Array], divisor: str) -> On[Array]:  # noqa: ARG002 for messages
        return lambda frame: _quotient(left(frame), right(frame))

    def power(self, left: On[Array], right: On[Array], text: str) -> On[Array]:  # noqa: ARG002 for messages
        return lambda frame: _power(left(frame), right(frame))

    def comparison(self, mark: str, left: On[Array], right: On[Array]) -> On[Array]:
        holds = _COMPARE[mark]
        return lambda frame: _known(holds, left(frame), right(frame))

    def choice(self, condition: On[Array], then: On[Array], otherwise: On[Array]) -> On[Array]:
        return lambda frame: FUNCTIONS["if"](condition(frame), then(frame), otherwise(frame))

    def call(self, function: str, arguments: Sequence[On[Array]], text: str) -> On[Array]:  # noqa: ARG002 for messages
        compute = FUNCTIONS[function]
        return lambda frame: compute(*[argument(frame) for argument in arguments])

    def root(self, term: Solved, curve: On[Array], low: On[Array], high: On[Array]) -> On[Array]:
        find = _root_of_rational if term.rational else _only_root

        def solve(frame: list[Array]) -> Array:
            def at(points: Array) -> Array:
                frame[term.index] = points
                return curve(frame)

            return find(at, *np.broadcast_arrays(low(frame), high(frame), *frame)[:2])

        return solve


def _root_of_rational(curve: Callable[[Array], Array], low: Array, high: Array) -> Array:
    """As below; the root of a straight line is that of its ends."""
    values = np.array([curve(low + (high - low) * piece / 4) for piece in range(5)])
    rise, room = (values[4] - values[0]) / 4, _STRAIGHT * np.abs(values).max(axis=0)
    line = np.array([np.abs(values[0] + rise * piece - value) <= room for piece, value in enumerate(values)])
    if not (line | np.isnan(values)).all():
        return _only_root(curve, low, high)
    root, slack = low - values[0] * (high - low) / (4 * rise), (high - low) * _CLOSE
    inside = (low - slack <= root) & (root <= high + slack) & (low < high) & (np.abs(rise) > room)
    return np.where(inside, np.clip(root, low, high), np.nan)


def _only_root(curve: Callable[[Array], Array], low: Array, high: Array) -> Array:
    """The root of the points that have exactly one, on the grid of `root_finding.zeros`; by bisection."""
    low, high = np.atleast_1d(low), np.atleast_1d(high)
    step = (high - low) / PIECES
    grid = np.array([*(low + step * piece for piece in range(PIECES)), high])
    values = np.array([np.broadcast_to(curve(at), low.shape) for at in grid])
    values = np.where(np.abs(values) <= _CLOSE * np.abs(values).max(axis=0), 0, values)
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
    return np.where((low < high) & (count == 1) & ~np.isnan(values).any(axis=0), root, np.nan)


def _quotient(over: Array, under: Array) -> Array:
    return np.where(under == 0, np.nan, over / under)


def _power(base: Array, exponent: Array) -> Array:
    undefined = np.isnan(base) | np.isnan(exponent) | (np.abs(exponent) > LARGEST_POWER)
    undefined |= (base == 0) & (exponent < 0)
    return np.where(undefined, np.nan, np.power(base, exponent))


def _known(holds: Callable[[Array, Array], Truths], left: Array, right: Array) -> Array:
    return np.where(np.isnan(left) | np.isnan(right), np.nan, holds(left, right).astype(float))


_COMPARE: dict[str, Callable[[Array, Array], Truths]] = {
    "<": lambda left, right: (left < right) & ~close(left, right),
    "<=": lambda left, right: (left < right) | close(left, right),
    ">": lambda left, right: (left > right) & ~close(left, right),
    ">=": lambda left, right: (left > right) | close(left, right),
    "==": close,
    "!=": lambda left, right: ~close(left, right),
}


def _over_all(of: Callable[..., Array]) -> Callable[..., Array]:
    return lambda *figures: of(np.stack(np.broadcast_arrays(*figures)), axis=0)


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
    "min": _over_all(np.min),
    "max": _over_all(np.max),
    "sum": _over_all(np.sum),
    "average": _over_all(np.mean),
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
