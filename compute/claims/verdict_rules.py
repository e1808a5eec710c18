"""From two readings to a verdict.

now \\ then     held      did not hold     cannot be known
holds          holds     holds            holds
does not       stale     refuted          stale
unknown        unverifiable, whatever was then

conflicting: rival catalogues would give different verdicts        error: the claim itself is broken
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from compute.claims.claim_evaluation import Measured, bound_sorts
from compute.claims.claim_program import Program
from compute.claims.expectations import FieldError
from compute.claims.input_lookups import Figure
from compute.formula.formula_terms import Slot
from compute.formula.unit_types import shown_unit, unit_type
from compute.units.number_format import in_unit
from compute.units.units import ONE, Unit
from graph.models.claim_models import Claim, Moment, VerdictName


@dataclass(frozen=True, slots=True)
class Compared:
    """The value of another claim, in base units, with the unit in which it is shown; or why it has none."""

    value: Decimal | None
    unit: Unit
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """A claim with all that was measured for it.

    `program` is the one of now, with the caller's overrides in it; `once` that of then, without them; `compared` the
    claim that the value is compared with now, if any.
    """

    claim: Claim
    program: Program
    once: Program
    then: Measured
    now: Measured
    compared: Compared | None = None

    @property
    def verdict(self) -> VerdictName:
        """The verdict, whichever catalogue is right; `conflicting` where that decides."""
        return concluded(self.now, self.then)

    @property
    def unit(self) -> Unit:
        """The unit in which the value is shown: that of the bar, or the usual one of its dimension."""
        if self.compared is not None and self.compared.value is not None:
            return self.compared.unit
        return unit_of_value(self.program, self.now)

    def moment(self, measured: Measured) -> Moment:
        """One day of the case, in the unit of the value."""
        return Moment(as_of=measured.on, value=self.shown(measured.reading.value), holds=measured.reading.holds)

    def shown(self, value: Decimal | None) -> Decimal | None:
        """A value in base units as a number of the unit of the value."""
        return None if value is None else in_unit(value, self.unit)


def concluded(now: Measured, then: Measured) -> VerdictName:
    """The verdict of two days.

    Where rivals leave open whether the claim holds, and the verdict depends on it, it is `conflicting`.
    """
    names = {_one(today, once) for today in _outcomes(now) for once in _outcomes(then)}
    return names.pop() if len(names) == 1 else VerdictName.CONFLICTING


def _outcomes(measured: Measured) -> set[bool | None]:
    if not measured.choices:
        return {measured.reading.holds}
    return {reading.holds for _, reading in measured.choices}


def _one(now: bool | None, then: bool | None) -> VerdictName:
    if now is None:
        return VerdictName.UNVERIFIABLE
    if now:
        return VerdictName.HOLDS
    return VerdictName.REFUTED if then is False else VerdictName.STALE


def unit_of_value(program: Program, measured: Measured) -> Unit:
    """The unit in which the value of a program is shown on the figures of a day."""
    told = program.bar.unit or _looked_up(program, measured)
    if told is not None:
        return told
    if not all(isinstance(figure, Figure) for figure in measured.figures):
        return shown_unit(unit_type(program.term, program.sorts))
    dimensions = tuple(figure.dimension for figure in measured.figures if isinstance(figure, Figure))
    try:
        return shown_unit(unit_type(program.term, bound_sorts(program, dimensions)))
    except FieldError:
        return ONE


def _looked_up(program: Program, measured: Measured) -> Unit | None:
    """The unit of a bound that is looked up: a ceiling of 50% in a table lets the value be read in percent."""
    for bound in (program.bar.upper, program.bar.bound):
        if bound is not None and isinstance(bound.term, Slot) and bound.term.index < len(measured.figures):
            figure = measured.figures[bound.term.index]
            return figure.unit if isinstance(figure, Figure) else None
    return None
