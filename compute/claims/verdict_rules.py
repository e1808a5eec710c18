"""Derives a verdict from two readings.

now \\ then     held      did not hold     cannot be known
holds          holds     holds            holds
does not       stale     refuted          stale
unknown        unverifiable in every case

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
    """The value of another claim, in base units, with the unit in which it is shown; or why it is missing."""

    value: Decimal | None
    unit: Unit
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """A claim with the results of its evaluation.

    `program` is today's program, with the caller's overrides; `once` is that of the claim's own day, without them;
    `compared` is the claim that the value is compared with today, if any; `shown_in` a unit that the caller asked for.
    """

    claim: Claim
    program: Program
    once: Program
    then: Measured
    now: Measured
    compared: Compared | None = None
    shown_in: Unit | None = None

    @property
    def verdict(self) -> VerdictName:
        """The verdict; `conflicting` if it depends on which catalogue is right."""
        return concluded(self.now, self.then)

    @property
    def unit(self) -> Unit:
        """The unit of the displayed value: the caller's, the expectation's, or the default one of its dimension."""
        if self.shown_in is not None:
            return self.shown_in
        if self.compared is not None and self.compared.value is not None:
            return self.compared.unit
        return unit_of_value(self.program, self.now)

    def moment(self, measured: Measured) -> Moment:
        """One day of the case, in the unit of the value."""
        return Moment(as_of=measured.on, value=self.shown(measured.reading.value), holds=measured.reading.holds)

    def shown(self, value: Decimal | None) -> Decimal | None:
        """Convert a value in base units to the displayed unit."""
        return None if value is None else in_unit(value, self.unit)


def concluded(now: Measured, then: Measured) -> VerdictName:
    """The verdict of two days.

    It is `conflicting` if rival catalogues give different verdicts.
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
    """The unit of the displayed value of a program, given the figures of a day."""
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
    """The unit of a looked-up bound: with a limit of 50% in a table, the value is shown in percent."""
    for bound in (program.bar.upper, program.bar.bound):
        if bound is not None and isinstance(bound.term, Slot) and bound.term.index < len(measured.figures):
            figure = measured.figures[bound.term.index]
            return figure.unit if isinstance(figure, Figure) else None
    return None
