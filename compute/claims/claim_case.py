"""A claim evaluated on its own day and on the day of the run, with its verdict by the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property

from compute.claims.claim_evaluation import Measured, bound_sorts, reading
from compute.claims.claim_program import Program
from compute.claims.day_states import ClaimDay, DayState, Partner, RangeResults, days_to_come
from compute.claims.expectations import FieldError
from compute.claims.input_changes import InputChange, Kind, input_changes
from compute.claims.input_lookups import Figure
from compute.claims.overrides import SET
from compute.claims.program_facts import compares_texts, last_day, reads_texts_only
from compute.claims.thesis_effect import helps_thesis, oldest_input
from compute.claims.verdict_table import State, row_of
from compute.formula.formula_terms import Slot
from compute.formula.unit_types import shown_unit, unit_type
from compute.prices.price_models import Missing
from compute.ranges.opening_search import Opening
from compute.units.number_format import in_unit
from compute.units.units import ONE, Unit
from graph.models.claim_models import Cause, Claim, Speaker, Tense, VerdictName
from graph.models.verdict_models import Moment, OldestInput
from graph.models.written_figures import GivenRange

Unsaid = Callable[[Claim], bool]
"""Whether the node of a claim does not have the words that the claim quotes."""


def said(_: Claim) -> bool:
    """`Unsaid` where the texts are not known: every claim is taken at its word."""
    return False


@dataclass(frozen=True, slots=True)
class Compared:
    """The value of another claim, in base units, with the unit in which it is shown; or why it is missing.

    `figures` are the inputs of that claim, `node` is its node, `partner` what its ranges are evaluated with.
    """

    value: Decimal | None
    unit: Unit
    reason: str = ""
    figures: tuple[Figure | Missing, ...] = ()
    node: str = ""
    partner: Partner | None = None


@dataclass(frozen=True)
class Case:
    """A claim with the results of its evaluation.

    `program` is today's program, with the caller's overrides; `once` is that of the claim's own day, without them: of a
    dated claim they are one, as the caller's numbers are for its own day. `compared` is the claim that the value is
    compared with on the judged day, if any; `shown_in` a unit that the caller requested; `ranges` are those of given
    figures that the caller has not replaced; `unsaid` as in `Terms`.
    """

    claim: Claim
    program: Program
    once: Program
    then: Measured
    now: Measured
    compared: Compared | None = None
    shown_in: Unit | None = None
    ranges: tuple[GivenRange, ...] = ()
    unsaid: Unsaid = said
    results: RangeResults = field(default_factory=RangeResults)

    # ---- the facts of the table

    @property
    def tense(self) -> Tense:
        """Whether the claim is standing or dated."""
        return self.claim.tense

    @property
    def judged(self) -> Measured:
        """The day that the verdict is about: the own day of a dated claim, the day of the run of a standing one."""
        return self.then if self.tense is Tense.DATED else self.now

    @property
    def judged_day(self) -> ClaimDay:
        """The claim on the judged day, with its ranges."""
        return ClaimDay(self.program, self.judged, self.ranges, self.results, self._partner)

    @cached_property
    def on_judged_day(self) -> DayState:
        """The state on the judged day."""
        return self.judged_day.state(self.now.on)

    @property
    def today_state(self) -> State:
        """The state of a standing claim today."""
        return self.on_judged_day.state

    @cached_property
    def then_state(self) -> State:
        """The state on the claim's own day."""
        if self.judged is self.then:
            return self.on_judged_day.state
        own = ClaimDay(self.once, self.then, self.claim.ranges, self.results, self._partner)
        return own.state(self.now.on).state

    @property
    def _partner(self) -> Partner | None:
        return self.compared.partner if self.compared else None

    @property
    def accusable(self) -> bool:
        """Whether somebody says the claim, its text has the quoted words, and the prices of its day are dated."""
        return self.then.dated and self.spoken

    @cached_property
    def spoken(self) -> bool:
        """Whether somebody says the claim, and the text has the quoted words."""
        return self.claim.asserted_by is not Speaker.NOBODY and not self.unsaid(self.claim)

    @property
    def to_come(self) -> bool:
        """Whether the day that the claim speaks of has not come."""
        return max(self.claim.as_of, last_day(self.program)) > self.now.on

    @property
    def texts_differ(self) -> bool:
        """Whether the claim compares two texts, which differ on the judged day and did not agree on its own."""
        if not compares_texts(self.claim, self.program) or self.on_judged_day.state is not State.FALSE:
            return False
        return self.then_state not in {State.TRUE, State.OPEN}

    # ---- the verdict

    @cached_property
    def verdict(self) -> VerdictName:
        """The verdict, by the table."""
        return row_of(self).verdict

    @cached_property
    def cause(self) -> Cause | None:
        """Why the claim does not hold; None if it holds, cannot be checked, or a price was only corrected."""
        match self.verdict:
            case VerdictName.CONFLICTING:
                return Cause.SOURCES_DIFFER
            case VerdictName.REFUTED:
                return self._error()
            case VerdictName.STALE:
                known = self.then_state in {State.TRUE, State.OPEN}
                return self._change() if known else Cause.THEN_UNKNOWN
            case VerdictName.DEPENDS:
                found = self._change() if self.changes and self.then_state is State.TRUE else None
                return None if found is Cause.THEN_UNKNOWN else found
        return None

    def _error(self) -> Cause:
        if self.claim.as_of < last_day(self.program):
            return Cause.FORECAST_MISSED
        return Cause.MISCALCULATED if reads_texts_only(self.program) else Cause.CONTRADICTED

    def _change(self) -> Cause | None:
        """The kind of the input or the family whose change alone restores the claim; of prices, if both are dated.

        Where no single one does, all of one kind; where each kind was enough to break it, the last one.
        """
        if self.once is not self.program or self._own_numbers:
            return Cause.PRICE_MOVED
        if not self.changes:
            return Cause.PRICE_MOVED if self._other_moved else Cause.THEN_UNKNOWN
        groups = sorted(self._groups(), key=lambda group: _KINDS.index(group[0].kind))
        found = next((group for group in groups if self._restored(group)), groups[-1])
        return _CAUSES[found[0].kind] if all(map(_proven, found)) else Cause.THEN_UNKNOWN

    def _groups(self) -> Iterable[list[InputChange]]:
        """Each changed input, those of one family together; then all changes of each kind."""
        for single in (True, False):
            groups: dict[object, list[InputChange]] = {}
            for one in self.changes:
                key = (one.requested if one.kind == "family" else one.slot) if single else ""
                groups.setdefault((one.kind, key), []).append(one)
            yield from groups.values()

    def _restored(self, group: Iterable[InputChange]) -> bool:
        """Whether the claim holds, or depends, with the figures of today, except for some changes."""
        figures = list(self.now.figures)
        for one in group:
            figures[one.slot] = one.then
        known = tuple(figure for figure in figures if isinstance(figure, Figure))
        if len(known) < len(figures):
            return False
        found = self.judged_day.state_with(known, reading(self.program, known, self.now.other))
        return found.state in {State.TRUE, State.OPEN}

    @property
    def _own_numbers(self) -> bool:
        """Whether the caller replaced a price or an assumption."""
        known = (figure for figure in self.now.figures if isinstance(figure, Figure))
        return any(SET in {one.price and one.price.note, one.assumption and one.assumption.note} for one in known)

    @property
    def _other_moved(self) -> bool:
        """Whether a dated price of the claim that this one is compared with moved."""
        pairs = zip(self.then.compared, self.now.compared, strict=False)
        return any(
            isinstance(old, Figure) and isinstance(new, Figure) and old.value != new.value and not old.undated
            for old, new in pairs
        )

    @cached_property
    def changes(self) -> tuple[InputChange, ...]:
        """The inputs that differ between the claim's own day and the day of the run; none of a dated claim."""
        same = self.once is self.program and self.tense is Tense.STANDING
        return input_changes(self.program, self.then, self.now) if same else ()

    @property
    def helps_thesis(self) -> bool | None:
        """Whether the change of the value strengthens the thesis."""
        return helps_thesis(self.claim, self.then, self.now) if self.tense is Tense.STANDING else None

    @property
    def oldest_input(self) -> OldestInput | None:
        """The input that was checked the longest ago; of a dated claim, whose inputs do not age, none."""
        return oldest_input(self.now) if self.tense is Tense.STANDING else None

    @property
    def opening(self) -> Opening | None:
        """With which figures of their ranges a failing claim holds."""
        return self.on_judged_day.opening

    @property
    def awaited(self) -> bool:
        """Whether a claim is unverifiable because the day that it speaks of has not come."""
        if self.verdict is not VerdictName.UNVERIFIABLE:
            return False
        if self.tense is Tense.DATED:
            return self.to_come
        return self.now.reading.holds is False and bool(days_to_come(self.program, self.now, self.now.on))

    # ---- as it is shown

    @property
    def holds_now(self) -> bool | None:
        """Whether the claim holds on the day of the run; None if that is not known."""
        unknown = self.verdict is VerdictName.UNVERIFIABLE and self.awaited
        return None if unknown else self.now.reading.holds

    @property
    def other(self) -> Decimal | None:
        """The value of the claim that this one is compared with."""
        return self.judged.other

    @property
    def unit(self) -> Unit:
        """The unit of the displayed value: the caller's, the expectation's, or the default one of its dimension."""
        if self.shown_in is not None:
            return self.shown_in
        if self.compared is not None and self.compared.value is not None:
            return self.compared.unit
        return unit_of_value(self.program, self.judged)

    def moment(self, measured: Measured) -> Moment:
        """One day of the case, in the unit of the value."""
        own = measured is self.then
        holds = self.holds_now if measured is self.now else measured.reading.holds
        value = self.shown(measured.reading.value)
        return Moment(as_of=measured.on, value=value, holds=holds, dated=measured.dated if own else None)

    def shown(self, value: Decimal | None) -> Decimal | None:
        """Convert a value in base units to the displayed unit."""
        return None if value is None else in_unit(value, self.unit)


_KINDS: tuple[Kind, ...] = ("source", "family", "price", "correction")

_CAUSES: dict[Kind, Cause | None] = {
    "source": Cause.SOURCE_CHANGED,
    "family": Cause.FAMILY_MOVED,
    "price": Cause.PRICE_MOVED,
    "correction": None,
}


def _proven(change: InputChange) -> bool:
    """Whether a price that moved is dated on both days: the old one for its day, the new one by its first day."""
    old, new = change.then.undated, change.now.undated
    return change.kind != "price" or (old is None and (new is None or new.why == "checked before"))


def unit_of_value(program: Program, measured: Measured) -> Unit:
    """The unit of the displayed value of a program, given the figures of a day."""
    stated = program.bar.unit or _looked_up(program, measured)
    if stated is not None:
        return stated
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
