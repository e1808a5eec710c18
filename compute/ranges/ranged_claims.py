"""Inputs with a range, and claims at many points of their ranges: where they hold, and which inputs matter most.

uniform                 every value from low to high is equally likely
triangular              from low to high, the stated value is the likeliest
normal, lognormal       90% of the values lie from low to high; lognormal is normal in the logarithm

    Latin hypercube ──quantiles──▶ inputs ──formula over arrays──▶ values, bounds ──▶ met, undefined

Inputs with a range vary independently. Dimension `i` of the hypercube has one point in each of `POINTS` equal parts, in
its own order. Source: McKay, Beckman and Conover 1979.

Total-order Sobol indices say which input decides: the part of the variance of the value in which an input takes part,
alone or with others (Homma and Saltelli 1996). Jansen's formula (1999) estimates them by comparing each point of a
sample A with the point at which only that input is taken from a second sample B:

    total = mean((value(A) - value(A with the input from B))²) / (2 · variance)

Points where one of the two values is undefined are left out. An estimate above 1, from noise, counts as 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_EVEN, Context, Decimal
from functools import lru_cache
from math import log
from statistics import NormalDist

import numpy as np

from compute.claims.claim_program import Program, Trial
from compute.claims.currency_conversion import stated_name
from compute.claims.input_lookups import Figure
from compute.formula.array_numbers import Array, Truths, close, over_arrays
from compute.formula.formula_errors import FormulaError
from compute.formula.formula_tree import LiteralLeaf, number_of
from compute.formula.lowering import Slots, lowered
from compute.formula.unit_types import unit_type
from compute.units.number_format import in_unit, trimmed
from compute.units.units import EXACT, ONE, Unit
from graph.models.claim_models import Claim
from graph.models.verdict_models import Robust, Sensitivity, Swing
from graph.models.written_figures import GivenRange, RangeShape

Key = tuple[str, str | int]


class RangeError(ValueError):
    """An unusable range: its field, a code, a hint, and the offset into the field's text."""

    def __init__(self, field: str, code: str, message: str, hint: str = "", offset: int = 0) -> None:
        super().__init__(message)
        self.field, self.code, self.hint, self.offset = field, code, hint, offset


_STANDARD = NormalDist()
_OUTER = _STANDARD.inv_cdf(0.95)


@dataclass(frozen=True, slots=True)
class Spread:
    """A range in base units around `mode`, the stated value; figures in its slots move together."""

    low: Decimal
    high: Decimal
    mode: Decimal
    shape: RangeShape = RangeShape.UNIFORM
    slots: tuple[int, ...] = ()

    def quantiles(self, shares: Array) -> Array:
        """The values below which these shares, above 0 and below 1, lie."""
        low, high = float(self.low), float(self.high)
        match self.shape:
            case RangeShape.NORMAL:
                return _normal(low, high, shares)
            case RangeShape.LOGNORMAL:
                return np.exp(_normal(log(low), log(high), shares))
            case RangeShape.TRIANGULAR:
                width, rising = high - low, float(self.mode) - low
                below = low + np.sqrt(shares * width * rising)
                above = high - np.sqrt((1 - shares) * width * (width - rising))
                return np.where(shares * width < rising, below, above)
        return low + shares * (high - low)


def _normal(low: float, high: float, shares: Array) -> Array:
    standard = np.fromiter(map(_STANDARD.inv_cdf, shares.tolist()), float, len(shares))
    return (low + high) / 2 + (high - low) / (2 * _OUTER) * standard


@dataclass(frozen=True, slots=True)
class RangedInput:
    """One input with a range, by a key that claims share; an assumption of two days may have two spreads."""

    key: Key
    label: str
    unit: Unit
    spreads: tuple[Spread, ...]


def ranged_inputs(
    program: Program, figures: Sequence[Figure], ranges: Iterable[GivenRange], prefix: str = ""
) -> tuple[RangedInput, ...]:
    """The ranged inputs by slot; `prefix` distinguishes the given figures of two claims."""
    stated = {one.name: one for one in ranges}
    found: dict[Key, RangedInput] = {}
    for slot, (leaf, figure) in enumerate(zip(program.leaves, figures, strict=True)):
        spread = _assumed(figure)
        if isinstance(leaf, LiteralLeaf) and leaf.name in stated:
            with suppress(RangeError):  # the claim is broken; loading it reported why
                spread = stated_spread(stated[leaf.name], leaf)
        if spread is None or spread.low == spread.high:
            continue
        key: Key = ("assumption", figure.assumption.name) if figure.assumption else ("given" + prefix, slot)
        known = found.setdefault(key, RangedInput(key, prefix + program.labels[slot], figure.unit, ()))
        spreads = {replace(one, slots=()): one.slots for one in known.spreads}
        spreads[spread] = (*spreads.get(spread, ()), slot)
        found[key] = replace(known, spreads=tuple(replace(one, slots=slots) for one, slots in spreads.items()))
    return tuple(found.values())


def ranges_of(claim: Claim, without: Mapping[str, object]) -> tuple[GivenRange, ...]:
    """The ranges of a claim, except those of replaced givens."""
    replaced = {*without, *map(stated_name, without)}
    return tuple(one for one in claim.ranges if one.name not in replaced) if without else claim.ranges


def _assumed(figure: Figure) -> Spread | None:
    assumption = figure.assumption
    if assumption is None or assumption.low is None or assumption.high is None:
        return None
    low, high = (EXACT.multiply(end, figure.unit.factor) for end in (assumption.low, assumption.high))
    return Spread(low, high, figure.value, assumption.shape)


def stated_spread(one: GivenRange, leaf: LiteralLeaf) -> Spread:
    """The range of a given figure in base units. Raises RangeError for unusable ends or shapes."""
    unit = leaf.unit or ONE
    low, high = (_end(field, text, unit) for field, text in (("low", one.low), ("high", one.high)))
    if low > high:
        raise RangeError("low", "bad-range", "the low end is above the high end", "exchange them")
    if not low <= leaf.value <= high:
        raise RangeError("low" if low > leaf.value else "high", "bad-range", "the value is outside its range")
    if one.shape is RangeShape.LOGNORMAL and low <= 0:
        hint = "write uniform, triangular or normal"
        raise RangeError("shape", "range-shape", "a lognormal range begins above 0", hint)
    return Spread(low, high, leaf.value, one.shape)


def _end(field: str, text: str, unit: Unit) -> Decimal:
    try:
        number = number_of(lowered(text, {}, Slots())[0])
    except FormulaError as error:
        raise RangeError(field, error.code, str(error), error.hint, error.at) from None
    if number is None:
        raise RangeError(field, "claim-range", f"{text!r} is not one figure", "write a number and its unit: 500 W")
    own = number.unit or unit
    if (own.factor, own.dimension) != (unit.factor, unit.dimension):
        message = f"{field!r} is in {own.text!r}, the value in {unit.text!r}"
        raise RangeError(field, "bad-unit", message, "write both in the same unit")
    return EXACT.multiply(number.value, unit.factor)


# ---- a claim at many points of its ranges

POINTS = 4096
LEVELS = (0.05, 0.50, 0.95)  # the percentiles
ENOUGH = Decimal("0.5")  # a claim is true where it holds in at least this share of its ranges, and fragile in less

_SEED = 20_250_201
_SHARE = Decimal("0.0001")
_READ = Context(prec=12, rounding=ROUND_HALF_EVEN)  # fewer digits than a float has: the same on each machine
_NOISE = 1e-24  # the variance that rounding alone may give, of values of size 1


@lru_cache(maxsize=256)
def latin_hypercube(dimension: int) -> Array:
    """One coordinate of `POINTS` points, each in 0..1 exclusive; always the same."""
    order = np.random.RandomState((_SEED, dimension)).permutation(POINTS)
    return (order + 0.5) / POINTS


@dataclass(frozen=True, slots=True)
class RangeResult:
    """The result over the ranges, percentiles in base units; `undefined` points have no value."""

    share: Decimal
    percentiles: tuple[Decimal, ...]
    undefined: int

    def robust(self, unit: Unit, *, holds: bool) -> Robust:
        """The result in the unit of a verdict; `holds`: at the stated figures."""
        shown = [trimmed(_READ.plus(EXACT.divide(value, unit.factor))) for value in self.percentiles]
        low, middle, high = shown or (None, None, None)
        fragile = holds and self.share < ENOUGH
        return Robust(
            share=self.share, p05=low, p50=middle, p95=high, points=POINTS, undefined=self.undefined, fragile=fragile
        )


@dataclass(frozen=True, slots=True)
class Ranged:
    """A claim over the ranges of its `own` inputs and the `further` ones of the claim that it is compared with."""

    trial: Trial
    own: tuple[RangedInput, ...]
    compared: Trial | None = None
    further: tuple[RangedInput, ...] = ()

    @property
    def inputs(self) -> tuple[RangedInput, ...]:
        """Every input with a range, those of the claim first; input `i` varies by dimension `i`."""
        known = {one.key for one in self.own}
        return (*self.own, *(one for one in self.further if one.key not in known))

    def at(self, points: Sequence[Array]) -> tuple[Array, Truths]:
        """The values in base units, NaN if undefined, and where the expectation is met; points by input."""
        columns = {one.key: column for one, column in zip(self.inputs, points, strict=True)}
        values, frame = _values(self.trial, self.own, columns)
        other = None if self.trial.other is None else np.full(POINTS, float(self.trial.other))
        if self.compared is not None:
            other = _values(self.compared, self.further, columns)[0]
        low, high = self.trial.program.bar.bounds(lambda bound: over_arrays(bound.term)(frame), other)
        low, high = np.array(-np.inf) if low is None else low, np.array(np.inf) if high is None else high
        undefined = np.isnan(values) | np.isnan(low) | np.isnan(high) | (low > high)
        above, below = (low <= values) | close(low, values), (values <= high) | close(values, high)
        return np.where(undefined, np.nan, values), above & below & ~undefined

    def result(self) -> RangeResult:
        """The result of a claim with a ranged input; a comparison has no percentiles."""
        values, met = self.at([latin_hypercube(place) for place in range(len(self.inputs))])
        undefined = np.isnan(values)
        share = (Decimal(int(met.sum())) / POINTS).quantize(_SHARE)
        truth = unit_type(self.trial.program.term, self.trial.program.sorts).truth
        levels = () if truth or undefined.all() else np.quantile(values[~undefined], LEVELS, method="hazen").tolist()
        return RangeResult(share, tuple(Decimal(repr(value)) for value in levels), int(undefined.sum()))

    def sensitivities(self) -> tuple[Sensitivity, ...]:
        """The total-order Sobol index of each input, the largest first; none for a constant value."""
        count = len(self.inputs)
        first, second = ([latin_hypercube(start + place) for place in range(count)] for start in (0, count))
        values, others = self.at(first)[0], self.at(second)[0]
        every = np.concatenate([values, others])
        if np.isnan(values).all() or np.isnan(others).all():
            return ()
        scale = float(np.nanmax(np.abs(every)))
        variance = float(np.nanvar(every / scale)) if scale else 0.0
        if not variance > _NOISE:
            return ()
        found = []
        for place, one in enumerate(self.inputs):
            mixed = self.at([*first[:place], second[place], *first[place + 1 :]])[0]
            steps = (values / scale - mixed / scale) ** 2
            known = steps[np.isfinite(steps)]
            total = float(known.mean()) / (2 * variance) if len(known) else 0.0
            rounded = trimmed(Decimal(repr(min(total, 1.0))).quantize(_SHARE))
            found.append(Sensitivity(input=one.label, total=rounded))
        return tuple(sorted(found, key=lambda one: -one.total))

    def swings(self, unit: Unit) -> tuple[Swing, ...]:
        """The value at both ends of each own range, other inputs unchanged; the widest first."""
        found = (self._swing(one, unit) for one in self.own)
        return tuple(sorted(found, key=lambda one: -_width(one)))

    def _swing(self, one: RangedInput, unit: Unit) -> Swing:
        lows = {slot: spread.low for spread in one.spreads for slot in spread.slots}
        highs = {slot: spread.high for spread in one.spreads for slot in spread.slots}
        values = (self.trial.at(changes).value for changes in (lows, highs))
        at_low, at_high = (None if value is None else in_unit(value, unit) for value in values)
        low, high = (in_unit(end, one.unit) for end in (one.spreads[0].low, one.spreads[0].high))
        return Swing(input=one.label, unit=one.unit.text, low=low, high=high, at_low=at_low, at_high=at_high)


def _width(swing: Swing) -> Decimal:
    return Decimal(-1) if swing.at_low is None or swing.at_high is None else abs(swing.at_high - swing.at_low)


def _values(trial: Trial, inputs: Iterable[RangedInput], columns: Mapping[Key, Array]) -> tuple[Array, list[Array]]:
    """The values of a program, NaN where a given is undefined; and the frame of its bounds."""
    program = trial.program
    frame = [np.array(float(figure.value)) for figure in trial.figures]
    frame += [np.array(0.0)] * (len(program.sorts) - len(frame))
    for one in inputs:
        for spread in one.spreads:
            values = spread.quantiles(columns[one.key])
            for slot in spread.slots:
                frame[slot] = values
    undefined = np.zeros(POINTS, dtype=bool)
    for given in program.givens:
        if not given.leaf:
            frame[given.slot] = over_arrays(given.term)(frame)
            undefined |= np.isnan(frame[given.slot])
    return np.where(undefined, np.nan, over_arrays(program.term)(frame)), frame
