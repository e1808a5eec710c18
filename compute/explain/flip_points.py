"""The value of each input at which the verdict changes, and the share of the value that depends on assumptions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Context, Decimal, localcontext

from compute.claims.claim_case import Case
from compute.claims.claim_evaluation import computed
from compute.claims.claim_program import Program
from compute.claims.input_lookups import Figure
from compute.prices.price_models import Assumption
from compute.ranges.varied_program import VariedProgram, first_change
from compute.units.number_format import in_unit, said, trimmed
from compute.units.units import EXACT
from graph.models.verdict_models import Flip, Side

REACH = Decimal(1_000_000)
"""Without a closed form, an input is varied up to this factor in both directions."""

_STRIDE = Decimal("1.25")
_NUDGE = Decimal("1e-24")
_CHANGE = Decimal("1e-12")
_SHARE = Decimal("0.0001")
_KEPT = Context(prec=18)
"""Significant digits of a flip point: fewer than the 28 digits of the value, because a search approximates it."""


def flips(case: Case) -> tuple[Flip, ...]:
    """For each input, the nearest value at which the claim starts or stops holding, with all others unchanged.

    An input keeps its sign, and a percentage from 0 to 100 stays in that range: no price below zero, no utilisation
    above 100%. `at` is None if no possible value changes the verdict. A claim without a value has no flips.
    """
    figures = [figure for figure in case.judged.figures if isinstance(figure, Figure)]
    if len(figures) < len(case.judged.figures) or case.judged.reading.holds is None:
        return ()
    other = case.compared.value if case.compared else None
    search = _Search(case.program, figures, other, holds=case.judged.reading.holds)
    pairs = enumerate(zip(case.program.labels, figures, strict=True))
    return tuple(_flip(label, figure, *search.flip(index)) for index, (label, figure) in pairs)


def _flip(label: str, figure: Figure, at: Decimal | None, side: Side) -> Flip:
    if at is None:
        return Flip(input=label, at=None, unit=figure.unit.text, note="within 0–100%" if _is_share(figure) else "")
    shown = trimmed(_KEPT.plus(in_unit(at, figure.unit)))
    return Flip(input=label, at=shown, unit=figure.unit.text, side=side, note=_beyond(figure.assumption, shown))


def _is_share(figure: Figure) -> bool:
    """True if the figure is a percentage from 0 to 100."""
    return figure.unit.share and not figure.unit.points and 0 <= figure.value <= 1


def _beyond(held: Assumption | None, at: Decimal) -> str:
    """A note if a value is outside the range of an assumption."""
    if held is None or held.low is None or held.high is None or held.low <= at <= held.high:
        return ""
    low, high = said(held.low, held.unit), said(held.high, held.unit)
    return f"outside the range of the assumption, {low} to {high}"


class _Search:
    """Varies one number of a program at a time."""

    def __init__(self, program: Program, figures: list[Figure], other: Decimal | None, *, holds: bool) -> None:
        self._varied, self._now = VariedProgram(program, [figure.value for figure in figures], other), holds
        self._values = self._varied.values
        self._most = [Decimal(1) if _is_share(figure) else None for figure in figures]

    def _holds(self, index: int, value: Decimal) -> bool | None:
        position = self._varied.position({index: value})
        return None if position == "unknown" else position == "inside"

    def flip(self, index: int) -> tuple[Decimal | None, Side]:
        """The nearest value of input `index` at which the result changes, or None; and the side on which it differs."""
        with localcontext(EXACT):
            at, here = self._nearest(index), self._values[index]
            if at is None:
                return None, ""
            beyond = at > here if at != here else self._holds(index, at + _nudge(at)) != self._now
        return at, "above" if beyond else "below"

    def _nearest(self, index: int) -> Decimal | None:
        exact = self._candidates(index)
        if exact is None:
            return self._scan(index)
        turning_points = [point for point in exact if self._flips_at(index, point)]
        here = self._values[index]
        return min(turning_points, key=lambda point: _KEPT.plus(abs(point - here)), default=None)

    def _candidates(self, index: int) -> list[Decimal] | None:
        """The only points where the result can change, if the value is a linear fraction of the input."""
        points = self._varied.critical(index)
        return None if points is None else [point for point in points if self._possible(index, point)]

    def _possible(self, index: int, point: Decimal) -> bool:
        here, most = self._values[index], self._most[index]
        return (point >= 0 if here >= 0 else point <= 0) and (most is None or point <= most)

    def _flips_at(self, index: int, point: Decimal) -> bool:
        nudge = _nudge(point)
        sides = {self._holds(index, point - nudge), self._holds(index, point + nudge)}
        return sides == {True, False}

    def _scan(self, index: int) -> Decimal | None:
        """Search outward in both directions until the result changes, then bisect."""
        here = self._values[index]
        ways = (self._stops(index, points) for points in (_up(here), _down(here)))
        found = [first_change(lambda value: self._varied.position({index: value}), stops) for stops in ways]
        return min((point for point in found if point is not None), key=lambda point: abs(point - here), default=None)

    def _stops(self, index: int, points: Iterator[Decimal]) -> Iterator[Decimal]:
        yield self._values[index]
        most = self._most[index]
        for far in points:
            yield far if most is None else min(far, most)
            if most is not None and far > most:
                return


def _nudge(point: Decimal) -> Decimal:
    """A step that is small relative to a point."""
    return abs(point) * _NUDGE or _NUDGE


def _up(here: Decimal) -> Iterator[Decimal]:
    start = here or 1 / REACH
    point = start
    while abs(point) < abs(start) * REACH * (1 if here else REACH):
        point *= _STRIDE
        yield point


def _down(here: Decimal) -> Iterator[Decimal]:
    point = here
    while abs(point) > abs(here) / REACH:
        point /= _STRIDE
        yield point
    if here:
        yield Decimal(0)


def assumed(case: Case) -> Decimal | None:
    """The share of the value that depends on assumptions, from 0 to 1; None if no input affects it.

    The weight of an input x is |x · dV/dx|, its elasticity times the value: the change of the value per small
    relative change of the input. The share is the weight of the assumptions over that of all inputs.
    """
    figures = [figure for figure in case.judged.figures if isinstance(figure, Figure)]
    if case.judged.reading.value is None or len(figures) < len(case.judged.figures):
        return None
    other = case.compared.value if case.compared else None
    with localcontext(EXACT):
        weights = [_weight(case.program, figures, index, other) for index in range(len(figures))]
        total = sum(weights, Decimal(0))
        if not total:
            return None
        resting = [weight for weight, figure in zip(weights, figures, strict=True) if figure.kind == "assumption"]
        return trimmed((sum(resting, Decimal(0)) / total).quantize(_SHARE))


def _weight(program: Program, figures: Sequence[Figure], index: int, other: Decimal | None) -> Decimal:
    values = [figure.value for figure in figures]
    ends = []
    for factor in (1 - _CHANGE, 1 + _CHANGE):
        values[index] = figures[index].value * factor
        ends.append(computed(program, values, other).value)
    low, high = ends
    return Decimal(0) if low is None or high is None else abs(high - low)
