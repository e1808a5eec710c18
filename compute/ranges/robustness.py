"""In which share of its stated ranges a claim holds, and the percentiles of its value there.

With one input, where the value is a fraction linear in it and has no pole inside the range, there is a closed form: the
value is monotone, so percentiles are values at percentiles of the input, and the claim holds between the points at
which the value meets a bound. All other claims are evaluated at `POINTS` points.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from itertools import pairwise

import numpy as np

from compute.claims.claim_evaluation import computed
from compute.claims.claim_program import Program
from compute.formula.linear_fractions import Fraction, Reduction
from compute.formula.unit_types import unit_type
from compute.ranges.range_sample import Part, Ranged, Sampled
from compute.ranges.sobol_points import sobol_points
from compute.ranges.spread import Spread
from compute.units.number_format import trimmed
from compute.units.units import EXACT, Unit
from graph.models.verdict_models import Robust

LEVELS = (0.05, 0.50, 0.95)
"""The percentiles."""

FRAGILE = Decimal("0.5")
"""A claim that holds in less than this share of its ranges is fragile."""

_SHARE = Decimal("0.0001")
_READ = Context(prec=12, rounding=ROUND_HALF_EVEN)
"""Digits of a percentile: fewer than a float has, so that each machine gives the same."""


@dataclass(frozen=True, slots=True)
class RangeResult:
    """The result over the ranges, with percentiles in base units; `points` is 0 for a closed form."""

    share: Decimal
    percentiles: tuple[Decimal, ...]
    points: int = 0
    undefined: int = 0

    def robust(self, unit: Unit, *, holds: bool) -> Robust:
        """The result in the unit of a verdict; `holds` is whether the claim holds at the stated figures."""
        shown = [trimmed(_READ.plus(EXACT.divide(value, unit.factor))) for value in self.percentiles]
        low, middle, high = shown or (None, None, None)
        return Robust(
            share=self.share, p05=low, p50=middle, p95=high, points=self.points, undefined=self.undefined,
            fragile=holds and self.share < FRAGILE,
        )  # fmt: skip


def range_result(ranged: Ranged, *, sampled: bool = False) -> RangeResult:
    """The result of a claim with at least one ranged input; `sampled` forces sampling where there is a closed form."""
    found = None if sampled else closed_form(ranged)
    return found or summary(ranged.at(sobol_points(len(ranged.inputs))), truth=_is_truth(ranged.own.program))


def summary(sample: Sampled, *, truth: bool = False) -> RangeResult:
    """The result of a sample. A comparison has no percentiles, and neither have values too large for a float."""
    points, undefined = len(sample.values), int(sample.undefined.sum())
    defined = sample.values[~sample.undefined]
    share = (Decimal(int(sample.met.sum())) / points).quantize(_SHARE)
    if truth or not len(defined) or not np.isfinite(defined).all():
        return RangeResult(share, (), points, undefined)
    return RangeResult(share, tuple(map(_decimal, np.quantile(defined, LEVELS).tolist())), points, undefined)


def _decimal(value: float) -> Decimal:
    return Decimal(repr(value))


def _is_truth(program: Program) -> bool:
    return unit_type(program.term, program.sorts).truth


def closed_form(ranged: Ranged) -> RangeResult | None:
    """The exact result, or None if the claim has several ranged inputs or is not monotone in this way."""
    part = ranged.own
    if ranged.compared is not None or len(part.inputs) != 1 or len(part.inputs[0].spreads) != 1:
        return None
    [(slot, spread)] = part.inputs[0].spreads
    with localcontext(EXACT):
        try:
            return _OneInput(part, slot, spread, ranged.other).result()
        except ArithmeticError:
            return None


class _OneInput:
    """A claim whose value is a linear fraction of its one ranged input."""

    def __init__(self, part: Part, slot: int, spread: Spread, other: Decimal | None) -> None:
        self._part, self._slot, self._spread, self._other = part, slot, spread, other

    def result(self) -> RangeResult | None:
        """The result; None if the value has a pole inside the range, or the bounds depend on the input.

        Raises:
            ArithmeticError: the value is no linear fraction.
        """
        program = self._part.program
        givens = {given.slot: given.term for given in program.givens if not given.leaf}
        frame = program.frame(self._part.values)
        reduction = Reduction(self._slot, givens, frame)
        fraction = reduction.of(program.term)
        if self._has_pole(fraction) or not self._bounds_are_constant(reduction):
            return None
        edges = [edge for edge in program.bar.interval(frame, self._other) if edge is not None]
        share = sum((high - low for low, high in self._pieces(fraction, edges) if self._holds((low + high) / 2)), 0.0)
        values = sorted(_value(fraction, self._at(level)) for level in LEVELS)
        return RangeResult(_decimal(share).quantize(_SHARE), tuple(values))

    def _bounds_are_constant(self, reduction: Reduction) -> bool:
        bar = self._part.program.bar
        bounds = (bound for bound in (bar.bound, bar.upper, bar.within) if bound is not None)
        return bar.fixed is not None or all(reduction.of(bound.term).constant for bound in bounds)

    def _has_pole(self, fraction: Fraction) -> bool:
        pole, (low, high) = fraction.pole(), self._spread.support
        return pole is not None and low < pole < high

    def _pieces(self, fraction: Fraction, edges: list[Decimal]) -> Iterator[tuple[float, float]]:
        """The parts of the range, as shares, inside which the outcome does not change."""
        turns = (fraction.where(edge) for edge in edges)
        inside = (self._spread.share_below(float(turn)) for turn in turns if turn is not None)
        cuts = sorted({0.0, *inside, 1.0})
        return pairwise(cuts)

    def _at(self, share: float) -> Decimal:
        return Decimal(self._spread.quantile(share))

    def _holds(self, share: float) -> bool:
        values = self._part.values
        values[self._slot] = self._at(share)
        return bool(computed(self._part.program, values, self._other).holds)


def _value(fraction: Fraction, at: Decimal) -> Decimal:
    return (fraction.p + fraction.q * at) / (fraction.r + fraction.s * at)
