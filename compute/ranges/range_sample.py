"""A claim evaluated at many points of its ranges: the share in which it holds, and the percentiles of its value.

    Latin hypercube ──quantiles──▶ inputs ──formula over arrays──▶ values, bounds ──▶ met, undefined

All inputs vary independently; prices and figures without a range do not change. Dimension `i` of the hypercube has one
point in each of `POINTS` equal parts, in an order of its own: with one input the points are evenly spaced.
Source: McKay, Beckman and Conover 1979.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from functools import lru_cache

import numpy as np

from compute.claims.claim_program import Program
from compute.claims.expectations import CompiledExpectation
from compute.claims.input_lookups import Figure
from compute.formula.array_numbers import Array, Truths, close, over_arrays
from compute.formula.unit_types import unit_type
from compute.ranges.ranged_inputs import Key, RangedInput
from compute.units.number_format import trimmed
from compute.units.units import EXACT, Unit
from graph.models.verdict_models import Robust

POINTS = 4096
LEVELS = (0.05, 0.50, 0.95)
"""The percentiles."""

HALF = Decimal("0.5")
"""A claim that holds in less than this share of its ranges is fragile."""

_SEED = 20_250_201
_SHARE = Decimal("0.0001")
_READ = Context(prec=12, rounding=ROUND_HALF_EVEN)
"""Digits of a percentile: fewer than a float has, so that each machine gives the same."""


@lru_cache(maxsize=256)
def latin_hypercube(dimension: int) -> Array:
    """One coordinate, above 0 and below 1, of `POINTS` points; always the same."""
    order = np.random.RandomState((_SEED, dimension)).permutation(POINTS)
    return (order + 0.5) / POINTS


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
class RangeResult:
    """The result over the ranges, with percentiles in base units; `undefined` counts the points without a value."""

    share: Decimal
    percentiles: tuple[Decimal, ...]
    undefined: int

    def robust(self, unit: Unit, *, holds: bool) -> Robust:
        """The result in the unit of a verdict; `holds` is whether the claim holds at the stated figures."""
        shown = [trimmed(_READ.plus(EXACT.divide(value, unit.factor))) for value in self.percentiles]
        low, middle, high = shown or (None, None, None)
        fragile = holds and self.share < HALF
        return Robust(
            share=self.share, p05=low, p50=middle, p95=high, points=POINTS, undefined=self.undefined, fragile=fragile
        )


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

    def at(self, points: Sequence[Array]) -> tuple[Array, Truths]:
        """The values in base units, NaN where undefined, and where the expectation is met; `points` by input."""
        columns = {one.key: column for one, column in zip(self.inputs, points, strict=True)}
        other = None if self.other is None else np.full(POINTS, float(self.other))
        with localcontext(EXACT):
            if self.compared is not None:
                other, _ = _values(self.compared, columns)
            values, frame = _values(self.own, columns)
            low, high = _interval(self.own.program.bar, frame, other)
        undefined = np.isnan(values) | np.isnan(low) | np.isnan(high) | (low > high)
        above, below = (low <= values) | close(low, values), (values <= high) | close(values, high)
        return np.where(undefined, np.nan, values), above & below & ~undefined

    def result(self) -> RangeResult:
        """The result of a claim with at least one ranged input; a comparison has no percentiles."""
        values, met = self.at([latin_hypercube(place) for place in range(len(self.inputs))])
        undefined = np.isnan(values)
        share = (Decimal(int(met.sum())) / POINTS).quantize(_SHARE)
        truth = unit_type(self.own.program.term, self.own.program.sorts).truth
        levels = () if truth or undefined.all() else np.quantile(values[~undefined], LEVELS, method="hazen").tolist()
        return RangeResult(share, tuple(Decimal(repr(value)) for value in levels), int(undefined.sum()))


def _values(part: Part, columns: Mapping[Key, Array]) -> tuple[Array, list[Array]]:
    """The values of a program, NaN where one of its givens is undefined; and the frame, for its bounds."""
    program = part.program
    frame = [np.array(float(value)) for value in part.values]
    frame += [np.array(0.0)] * (len(program.sorts) - len(frame))
    for one in part.inputs:
        for slot, spread in one.spreads:
            frame[slot] = spread.quantiles(columns[one.key])
    undefined = np.zeros(POINTS, dtype=bool)
    for given in program.givens:
        if not given.leaf:
            frame[given.slot] = over_arrays(given.term)(frame)
            undefined |= np.isnan(frame[given.slot])
    return np.where(undefined, np.nan, over_arrays(program.term)(frame)), frame


def _interval(bar: CompiledExpectation, frame: list[Array], other: Array | None) -> tuple[Array, Array]:
    """The bounds at each point, infinite where there is none; as `CompiledExpectation.interval`."""
    none = np.full(POINTS, np.inf)
    bounds = (bar.bound, bar.upper, bar.within)
    bound, upper, within = (None if one is None else over_arrays(one.term)(frame) for one in bounds)
    middle = other if bound is None else bound
    if middle is None:
        return np.full(POINTS, np.nan), none
    if upper is not None:
        return middle, upper
    if bar.form in {"at_least", "at_most"}:
        return (middle, none) if bar.form == "at_least" else (-none, middle)
    slack = np.zeros(POINTS) if within is None else np.abs(middle) * within if bar.relative else within
    return middle - slack, middle + slack


def readable(figures: Sequence[object]) -> tuple[Figure, ...] | None:
    """The figures, if none is missing."""
    known = tuple(figure for figure in figures if isinstance(figure, Figure))
    return known if len(known) == len(figures) else None
