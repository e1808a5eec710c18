"""Numbers of formulas as arrays of binary floats: one formula at many points at once.

They follow `exact_numbers`. A point where a term is undefined or too large is NaN, and stays NaN. Floats count as equal
if they differ by less than `_CLOSE` of their size, because equal exact numbers may differ in their last bits as floats.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from compute.formula.compiler import AnyClosure, Numbers, compiled_for
from compute.formula.exact_numbers import LARGEST_POWER, PIECES
from compute.formula.formula_tree import Node, Solve

Array = NDArray[np.float64]
Truths = NDArray[np.bool_]

_CLOSE = 1e-12
_HALVINGS = 60


def close(one: Array, two: Array) -> Truths:
    """Where two arrays are equal, except for the last bits."""
    return np.abs(one - two) <= _CLOSE * np.maximum(np.abs(one), np.abs(two))


def over_arrays(term: Node) -> Callable[[list[Array]], Array]:
    """A function from a frame of arrays to the values of a term, NaN where undefined or too large."""
    closure = compiled_for(term, _ARRAYS)

    def values(frame: list[Array]) -> Array:
        with np.errstate(all="ignore"):
            found = closure(frame)
            return np.where(np.isfinite(found), found, np.nan)

    return values


def _only_root(_term: Solve, curve: Callable[[Array], Array], low: Array, high: Array) -> Array:
    """`exact_numbers.only_root` at each point, by bisection; NaN without exactly one root."""
    shape = np.broadcast_shapes(low.shape, high.shape, curve(low).shape)
    low, high = (np.atleast_1d(np.broadcast_to(end, shape)) for end in (low, high))
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


def _power(_text: str, base: Array, exponent: Array) -> Array:
    undefined = np.isnan(base) | np.isnan(exponent) | (np.abs(exponent) > LARGEST_POWER)
    undefined |= (base == 0) & (exponent < 0)
    return np.where(undefined, np.nan, np.power(base, exponent))


def _compared(holds: Callable[[Array, Array], Truths]) -> Callable[[Array, Array], Array]:
    return lambda left, right: np.where(np.isnan(left) | np.isnan(right), np.nan, holds(left, right).astype(float))


def _over_all(of: Callable[..., Array]) -> Callable[..., Array]:
    return lambda *figures: of(np.stack(np.broadcast_arrays(*figures)), axis=0)


def _stepped(rounded: Callable[[Array], Array], parts: int = 1) -> Callable[[Array, Array], Array]:
    """Rounds to a multiple of a step; a step in `parts` counts despite its last bits."""

    def to_step(figure: Array, step: Array) -> Array:
        count = figure / step * parts
        count = np.where(np.abs(count - np.rint(count)) <= _CLOSE * np.maximum(1, np.abs(count)), np.rint(count), count)
        return np.where(step > 0, rounded(count / parts) * step, np.nan)

    return to_step


def _logarithm(figure: Array, base: Array) -> Array:
    natural = np.where(figure > 0, np.log(figure), np.nan)
    other = np.where((base > 0) & (base != 1), natural / np.log(base), np.nan)
    return np.where(base == 0, natural, other)


def _choice(condition: AnyClosure, then: AnyClosure, otherwise: AnyClosure) -> AnyClosure:
    def chosen(frame: list[Array]) -> Array:
        truth = condition(frame)
        return np.where(np.isnan(truth), np.nan, np.where(truth != 0, then(frame), otherwise(frame)))

    return chosen


FUNCTIONS: dict[str, Callable[..., Array]] = {
    "/": lambda over, under: np.where(under == 0, np.nan, over / under),
    "^": _power,
    "<": _compared(lambda left, right: (left < right) & ~close(left, right)),
    "<=": _compared(lambda left, right: (left < right) | close(left, right)),
    ">": _compared(lambda left, right: (left > right) & ~close(left, right)),
    ">=": _compared(lambda left, right: (left > right) | close(left, right)),
    "==": _compared(close),
    "!=": _compared(lambda left, right: ~close(left, right)),
    "min": _over_all(np.min),
    "max": _over_all(np.max),
    "sum": _over_all(np.sum),
    "average": _over_all(np.mean),
    "abs": np.abs,
    "round": _stepped(np.rint, 2),
    "ceil": _stepped(np.ceil),
    "floor": _stepped(np.floor),
    "sqrt": lambda figure: np.where(figure < 0, np.nan, np.sqrt(figure)),
    "exp": lambda figure: np.where(np.abs(figure) > LARGEST_POWER, np.nan, np.exp(figure)),
    "log": _logarithm,
}

_ARRAYS = Numbers(lambda value: np.array(float(value)), FUNCTIONS, _choice, _only_root)
