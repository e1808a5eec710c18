"""A claim evaluated at many points of its ranges: the value and the outcome at each.

    points ──quantiles──▶ inputs ──ArrayEvaluator──▶ values, bounds ──▶ met, undefined

All inputs vary independently; prices and figures without a range do not change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext

import numpy as np
from numpy.typing import NDArray

from compute.claims.claim_evaluation import computed
from compute.claims.claim_program import Program
from compute.claims.input_lookups import Figure
from compute.formula.array_evaluator import ArrayEvaluator, close
from compute.ranges.ranged_inputs import Key, RangedInput
from compute.ranges.spread import Array
from compute.units.units import EXACT

Truths = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Part:
    """A program with its figures and its inputs with a range."""

    program: Program
    figures: tuple[Figure, ...]
    inputs: tuple[RangedInput, ...]

    @property
    def values(self) -> list[Decimal]:
        """The figures in base units."""
        return [figure.value for figure in self.figures]


@dataclass(frozen=True, slots=True)
class Ranged:
    """A claim to be evaluated over its ranges.

    `compared` is the claim that its value is compared with (`same_as`), which shares the inputs of the same key;
    `other` is that claim's value today.
    """

    own: Part
    compared: Part | None = None
    other: Decimal | None = None

    @property
    def inputs(self) -> tuple[RangedInput, ...]:
        """Every input with a range, those of the claim first: input `i` varies by dimension `i` of the points."""
        known = {one.key for one in self.own.inputs}
        further = self.compared.inputs if self.compared else ()
        return (*self.own.inputs, *(one for one in further if one.key not in known))

    def at(self, points: Array) -> Sampled:
        """The claim at each row of `points`: numbers from 0 to 1, one column for each input."""
        columns = {one.key: points[:, place] for place, one in enumerate(self.inputs)}
        with localcontext(EXACT):
            return _sampled(self, columns, len(points))


@dataclass(frozen=True, slots=True)
class Sampled:
    """The values in base units, NaN where undefined; and where the expectation is met: nowhere without a value."""

    values: Array
    met: Truths

    @property
    def undefined(self) -> Truths:
        """The points without a value."""
        return np.isnan(self.values)


def _sampled(ranged: Ranged, columns: Mapping[Key, Array], points: int) -> Sampled:
    other = None
    if ranged.compared is not None:
        other, _, _ = _values(ranged.compared, _varied(ranged.compared, columns), points)
    elif ranged.other is not None:
        other = np.full(points, float(ranged.other))
    varied = _varied(ranged.own, columns)
    values, evaluator, undefined = _values(ranged.own, varied, points)
    low, high = _interval(ranged.own, evaluator, other, points)
    undefined |= np.isnan(values) | np.isnan(low) | np.isnan(high) | (low > high)
    above = (low <= values) | close(low, values)
    found = Sampled(np.where(undefined, np.nan, values), above & ((values <= high) | close(values, high)) & ~undefined)
    return _exactly(ranged, found, varied, other, np.flatnonzero(evaluator.beyond).tolist())


def _varied(part: Part, columns: Mapping[Key, Array]) -> dict[int, Array]:
    return {slot: spread.quantiles(columns[one.key]) for one in part.inputs for slot, spread in one.spreads}


def _values(part: Part, varied: Mapping[int, Array], points: int) -> tuple[Array, ArrayEvaluator, Truths]:
    """The values of a program, what evaluates its bounds too, and where one of its givens is undefined."""
    program = part.program
    evaluator = ArrayEvaluator(_frame(part), varied, points)
    undefined = np.zeros(points, dtype=bool)
    for given in program.givens:
        if given.leaf:
            continue
        values = evaluator.of(given.term)
        undefined |= np.isnan(values)
        if evaluator.varies(given.term):
            evaluator.store(given.slot, values)
    values = evaluator.of(program.term)
    return np.where(undefined, np.nan, values), evaluator, undefined


def _frame(part: Part) -> list[Decimal]:
    """The frame at the point values, NaN where a computed given is undefined."""
    frame = part.values + [Decimal(0)] * (len(part.program.sorts) - len(part.figures))
    for slot, closure in part.program.computed:
        try:
            frame[slot] = closure(frame)
        except ArithmeticError:
            frame[slot] = Decimal("nan")
    return frame


def _interval(part: Part, evaluator: ArrayEvaluator, other: Array | None, points: int) -> tuple[Array, Array]:
    """The bounds at each point, infinite where there is none; as `CompiledExpectation.interval`."""
    bar = part.program.bar
    none = np.full(points, np.inf)
    if bar.fixed is not None:
        low, high = bar.fixed
        return (-none if low is None else np.full(points, float(low))), (
            none if high is None else np.full(points, float(high))
        )
    middle = evaluator.of(bar.bound.term) if bar.bound else other
    if middle is None:
        return np.full(points, np.nan), none
    if bar.upper is not None:
        return middle, evaluator.of(bar.upper.term)
    if bar.form in {"at_least", "at_most"}:
        return (middle, none) if bar.form == "at_least" else (-none, middle)
    within = evaluator.of(bar.within.term) if bar.within else np.zeros(points)
    slack = np.abs(middle) * within if bar.relative else within
    return middle - slack, middle + slack


def _exactly(
    ranged: Ranged, found: Sampled, varied: Mapping[int, Array], other: Array | None, places: Iterable[int]
) -> Sampled:
    """The sample, with some points computed exactly: those that are too large for a float on the way."""
    for row in places:
        values = ranged.own.values
        for slot, column in varied.items():
            values[slot] = Decimal(float(column[row]))
        compared = None if other is None or np.isnan(other[row]) else Decimal(float(other[row]))
        reading = computed(ranged.own.program, values, compared)
        found.values[row] = np.nan if reading.value is None else float(reading.value)
        found.met[row] = reading.value is not None and bool(reading.holds)
    return found


def readable(figures: Sequence[object]) -> tuple[Figure, ...] | None:
    """The figures, if none is missing."""
    known = tuple(figure for figure in figures if isinstance(figure, Figure))
    return known if len(known) == len(figures) else None
