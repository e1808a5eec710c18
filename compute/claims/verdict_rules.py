"""Derives a verdict from two readings, by the presumption of innocence (versions 2 and 3 of the rules).

now \\ then     holds     does not hold    not known
holds          holds     holds            holds
does not       stale     refuted          stale
unknown        unverifiable in every case

*Then* is known only where every price is dated for that day. Of the claims that do not hold,

depends        those that hold somewhere within the stated ranges of their inputs, whatever they did then
stale          those without an assertion, those that compare two texts, and those whose text does not have the words
               that they quote: none of them is ever refuted
conflicting    those for which rival catalogues would give different verdicts

unverifiable   by version 3, forecasts whose day has not come and whose prices are not dated for it (`Case.awaited`)

`error` is the verdict of a claim that is itself broken. Version 1 is in `first_rules`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property

from compute.claims import first_rules
from compute.claims.claim_evaluation import Measured, bound_sorts, outcomes
from compute.claims.claim_program import Program
from compute.claims.expectations import FieldError
from compute.claims.input_changes import InputChange, input_changes
from compute.claims.input_lookups import Figure
from compute.claims.verdict_causes import cause, helps_thesis, oldest_input, several_texts
from compute.formula.formula_terms import ChoiceLeaf, PriceLeaf, Slot
from compute.formula.unit_types import shown_unit, unit_type
from compute.prices.price_models import Missing
from compute.ranges.opening_search import Opening, StatedRange, opening
from compute.ranges.ranged_inputs import RangedInput, ranged_inputs
from compute.units.number_format import in_unit
from compute.units.units import ONE, Unit
from graph.models.claim_models import Cause, Claim, Speaker, VerdictName
from graph.models.verdict_models import METHOD, Moment, OldestInput
from graph.models.written_figures import GivenRange


@dataclass(frozen=True, slots=True)
class Compared:
    """The value of another claim, in base units, with the unit in which it is shown; or why it is missing.

    `figures` are the inputs of that claim, `node` is its node.
    """

    value: Decimal | None
    unit: Unit
    reason: str = ""
    figures: tuple[Figure | Missing, ...] = ()
    node: str = ""


AWAITING = 3
"""The first version of the rules by which a forecast does not fail before its day."""

CORRECTING = 4
"""The first version of the rules by which a corrected price has not moved."""

Unsaid = Callable[[Claim], bool]
"""Whether the node of a claim does not have the words that the claim quotes."""


def said(_: Claim) -> bool:
    """`Unsaid` where the texts are not known: every claim is taken at its word."""
    return False


@dataclass(frozen=True)
class Case:
    """A claim with the results of its evaluation.

    `program` is today's program, with the caller's overrides; `once` is that of the claim's own day, without them;
    `compared` is the claim that the value is compared with today, if any; `shown_in` a unit that the caller requested;
    `method` is the version of the rules, `ranges` are those of given figures that the caller has not replaced; `unsaid`
    as in `Terms`.
    """

    claim: Claim
    program: Program
    once: Program
    then: Measured
    now: Measured
    compared: Compared | None = None
    shown_in: Unit | None = None
    method: int = METHOD
    ranges: tuple[GivenRange, ...] = ()
    unsaid: Unsaid = said

    @cached_property
    def ruling(self) -> Ruling:
        """The verdict with its cause, by the rules of the method."""
        return _first(self) if self.method == first_rules.METHOD else _second(self)

    @property
    def verdict(self) -> VerdictName:
        """The verdict; `conflicting` if it depends on which catalogue is right."""
        return self.ruling.verdict

    @property
    def dated(self) -> bool:
        """Whether *then* is known from dated prices."""
        return self.then.dated

    @cached_property
    def awaited(self) -> tuple[tuple[date, Figure], ...]:
        """The prices that a claim reads for days to come and that are not dated for them, each with its day."""
        if self.method < AWAITING or self.now.reading.holds is not False:
            return ()
        read = zip(self.program.leaves, self.now.figures, strict=True)
        days = ((leaf.on, one) for leaf, one in read if isinstance(leaf, PriceLeaf | ChoiceLeaf))
        return tuple(
            (on, one) for on, one in days if on and on > self.now.on and isinstance(one, Figure) and one.undated
        )

    @property
    def holds_now(self) -> bool | None:
        """Whether the claim holds on the day of evaluation; None if that is not known."""
        return None if self.verdict is VerdictName.UNVERIFIABLE else self.now.reading.holds

    @property
    def other(self) -> Decimal | None:
        """The value of the claim that this one is compared with."""
        return self.compared.value if self.compared else None

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
        known = self.dated if measured is self.then and self.method != first_rules.METHOD else None
        reading = measured.reading
        holds = self.holds_now if measured is self.now else reading.holds
        return Moment(as_of=measured.on, value=self.shown(reading.value), holds=holds, dated=known)

    def shown(self, value: Decimal | None) -> Decimal | None:
        """Convert a value in base units to the displayed unit."""
        return None if value is None else in_unit(value, self.unit)


@dataclass(frozen=True, slots=True)
class Ruling:
    """A verdict with its cause; `opening` says with which figures of their ranges a failing claim holds."""

    verdict: VerdictName
    cause: Cause | None = None
    helps_thesis: bool | None = None
    oldest_input: OldestInput | None = None
    opening: Opening | None = None
    changes: tuple[InputChange, ...] = ()


def _first(case: Case) -> Ruling:
    return Ruling(first_rules.concluded(case.now, case.then))


def _second(case: Case) -> Ruling:
    """The ruling by the presumption of innocence."""
    now, then = case.now, case.then
    helps, oldest = helps_thesis(case.claim, then, now), oldest_input(now)
    if now.reading.holds and not now.choices:
        return Ruling(VerdictName.HOLDS, helps_thesis=helps, oldest_input=oldest)
    ways = now.choices or ((None, now.reading),)
    openings = [None if reading.holds is not False else _opening(case, figures) for figures, reading in ways]
    once = outcomes(then) if case.dated else {True if then.reading.holds else None}
    names = {
        _one(case, reading.holds, before, depends=opening is not None)
        for (_, reading), opening in zip(ways, openings, strict=True)
        for before in once
    }
    verdict = names.pop() if len(names) == 1 else VerdictName.CONFLICTING
    if verdict in {VerdictName.HOLDS, VerdictName.UNVERIFIABLE}:
        return Ruling(verdict, helps_thesis=helps, oldest_input=oldest)
    changes = input_changes(case.program, then, now) if case.once is case.program else ()
    why: Cause | None = Cause.SOURCES_DIFFER
    if verdict is not VerdictName.CONFLICTING:
        why = cause(case.claim, case.program, (then, now), changes, case.other)
    if why is None and case.method < CORRECTING:
        why = Cause.PRICE_MOVED
    return Ruling(verdict, why, helps, oldest, next((one for one in openings if one), None), changes)


def _one(case: Case, now: bool | None, then: bool | None, *, depends: bool) -> VerdictName:
    """The verdict of one choice of catalogues; `then` is None if it is not known from dated prices."""
    if now is None:
        return VerdictName.UNVERIFIABLE
    if now:
        return VerdictName.HOLDS
    if depends:
        return VerdictName.DEPENDS
    if case.awaited:
        return VerdictName.UNVERIFIABLE
    refuted = then is False and accuses(case) and not case.unsaid(case.claim)
    return VerdictName.REFUTED if refuted else VerdictName.STALE


def accuses(case: Case) -> bool:
    """Whether a failing claim says that somebody was wrong: it has a speaker, and compares no two texts."""
    return case.claim.asserted_by is not Speaker.NOBODY and not several_texts(case.claim, case.program)


def _opening(case: Case, figures: tuple[Figure, ...] | None) -> Opening | None:
    """The figures within their ranges with which the claim holds now."""
    known = figures or tuple(figure for figure in case.now.figures if isinstance(figure, Figure))
    if len(known) < len(case.now.figures):
        return None
    compared = case.compared.figures if case.compared else ()
    there = (figure.assumption for figure in compared if isinstance(figure, Figure))
    shared = {("assumption", held.name) for held in there if held}  # they would move there too
    inputs = ranged_inputs(case.program, known, case.ranges)
    ranges = [each for one in inputs if one.key not in shared for each in _together(one, known)]
    return opening(case.program, known, ranges, case.other)


def _together(one: RangedInput, figures: Sequence[Figure]) -> list[StatedRange]:
    """The slots of an input as ranges, those with one value and one range together: they cannot differ."""
    slots: dict[tuple[Decimal, Decimal, Decimal], list[int]] = {}
    for slot, spread in one.spreads:
        slots.setdefault((spread.low, spread.high, figures[slot].value), []).append(slot)
    return [StatedRange(first, low, high, tuple(more)) for (low, high, _), (first, *more) in slots.items()]


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
