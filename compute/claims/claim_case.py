"""A claim evaluated on its own day and on the day of the run, with its verdict by the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from compute.claims.claim_day import ClaimDay
from compute.claims.claim_program import Program
from compute.claims.input_changes import CAUSES, InputChange, compared_changes, input_changes
from compute.claims.input_lookups import Figure
from compute.claims.overrides import SET
from compute.claims.verdict_table import State, row_of
from compute.formula.formula_tree import CellLeaf, LiteralLeaf
from compute.prices.price_models import Price
from compute.units.number_format import in_unit
from compute.units.units import Unit
from graph.groups import group_by
from graph.models.claim_models import Cause, Claim, Direction, Speaker, Stance, Tense, VerdictName
from graph.models.verdict_models import Moment, OldestInput

Unsaid = Callable[[Claim], str]  # why the text of its node does not state a claim; empty if it does


@dataclass(frozen=True)
class Case:
    """A claim on its own day and on the day of the run.

    `now` uses the caller's overrides; `then` uses them for a dated claim only. `shown_in` is the caller's unit.
    """

    claim: Claim
    then: ClaimDay
    now: ClaimDay
    words: Unsaid
    shown_in: Unit | None = None

    @property
    def program(self) -> Program:
        """Today's program."""
        return self.now.program

    @property
    def judged(self) -> ClaimDay:
        """The day that the verdict is about: the own day of a dated claim, today of a standing one."""
        return self.then if self.claim.tense is Tense.DATED else self.now

    @property
    def then_state(self) -> State:
        """State on the claim's own day."""
        return self.then.state.state

    @property
    def accusable(self) -> bool:
        """Whether the claim is `spoken` and the prices of its own day are dated."""
        return self.then.dated and self.spoken

    @cached_property
    def spoken(self) -> bool:
        """Whether somebody says the claim, and the text of its node has the words."""
        return self.claim.asserted_by is not Speaker.NOBODY and not self.unsaid

    @cached_property
    def unsaid(self) -> str:
        """Why the text of its node does not state the claim; empty if it does."""
        return self.words(self.claim)

    @property
    def to_come(self) -> bool:
        """Whether the claim is about a future day."""
        return max(self.claim.as_of, self.program.last_day) > self.now.on

    @property
    def texts_differ(self) -> bool:
        """Whether the claim compares two texts that differ now and did not agree on its own day."""
        others = {leaf.node for leaf in self.program.leaves if isinstance(leaf, CellLeaf)} - {self.claim.node}
        if not (self.program.bar.target or others) or self.judged.state.state is not State.FALSE:
            return False
        return self.then_state not in {State.TRUE, State.OPEN}

    @cached_property
    def verdict(self) -> VerdictName:
        """Verdict, by the table."""
        return row_of(self).verdict

    @cached_property
    def cause(self) -> Cause | None:
        """Why the claim does not hold; None if it holds, cannot be checked, or a price was only corrected."""
        match self.verdict:
            case VerdictName.CONFLICTING:
                return Cause.SOURCES_DIFFER
            case VerdictName.REFUTED:
                if self.claim.as_of < self.program.last_day:
                    return Cause.FORECAST_MISSED
                texts = all(isinstance(leaf, LiteralLeaf | CellLeaf) for leaf in self.program.leaves)
                texts_only = texts and self.program.bar.target is None
                return Cause.MISCALCULATED if texts_only else Cause.CONTRADICTED
            case VerdictName.STALE:
                known = self.then_state in {State.TRUE, State.OPEN}
                return self._change() if known else Cause.THEN_UNKNOWN
            case VerdictName.DEPENDS:
                found = self._change() if self.changes and self.then_state is State.TRUE else None
                return None if found is Cause.THEN_UNKNOWN else found
        return None

    def _change(self) -> Cause | None:
        """The kind of input whose change alone makes the claim hold again, else the last kind that changed."""
        origins = (figure.origin for figure in self.now.figures if isinstance(figure, Figure))
        own_numbers = any(one is not None and one.note == SET for one in origins)
        if self.then.program is not self.program or own_numbers:
            return Cause.PRICE_MOVED
        if not self.changes:
            return Cause.PRICE_MOVED if self._other_moved else Cause.THEN_UNKNOWN
        groups = sorted(self._groups(), key=lambda group: list(CAUSES).index(group[0].kind))
        found = next((group for group in groups if self._restored(group)), groups[-1])
        return CAUSES[found[0].kind] if all(map(_proven, found)) else Cause.THEN_UNKNOWN

    def _groups(self) -> Iterable[list[InputChange]]:
        """Each changed input, families together; then all changes of each kind."""
        own = group_by(self.changes, lambda one: (one.kind, one.requested if one.kind == "family" else one.slot))
        yield from own.values()
        if len(self.changes) > 1:
            yield from group_by(self.changes, lambda one: one.kind).values()

    def _restored(self, group: Iterable[InputChange]) -> bool:
        """Whether the claim holds, or depends, if some changes are undone."""
        if self.now.known is None:
            return False
        undone = {one.slot: one.then for one in group}
        figures = tuple(undone.get(slot, figure) for slot, figure in enumerate(self.now.known))
        found = self.now.trial(figures).reading()
        return found.holds is True or self.judged.state_with(figures, found).state is State.OPEN

    @property
    def _other_moved(self) -> bool:
        """Whether a dated price of the compared claim moved."""
        return any(not one.then.undated for one in compared_changes(self.then, self.now))

    @cached_property
    def changes(self) -> tuple[InputChange, ...]:
        """Inputs that differ between the own day and today; none for a dated claim."""
        same = self.then.program is self.program and self.claim.tense is Tense.STANDING
        return tuple(input_changes(self.then, self.now)) if same else ()

    @property
    def helps_thesis(self) -> bool | None:
        """Whether the change of the value strengthens the thesis; None if it did not change, or no direction is good.

        If the earlier value is unknown, the direction is the side of the expectation on which the value is now.
        """
        before, now = self.then.reading.value, self.now.reading
        if self.claim.tense is Tense.DATED or now.value is None or now.value == before:
            return None
        if before is not None:
            return strengthens(self.claim, up=now.value > before)
        return strengthens(self.claim, up=now.position == "over") if now.position in {"under", "over"} else None

    @property
    def oldest_input(self) -> OldestInput | None:
        """The input that was checked longest ago; None for a dated claim, whose inputs do not age."""
        every = () if self.claim.tense is Tense.DATED else (one.origin for one in self.now.read)
        days = [(one.checked, one.item if isinstance(one, Price) else one.name) for one in every if one and one.checked]
        if not days:
            return None
        checked, item = min(days)
        return OldestInput(item=item, checked=checked, days=max(0, (self.now.on - checked).days))

    @property
    def awaited(self) -> bool:
        """Whether the claim is unverifiable because its day has not come."""
        if self.verdict is not VerdictName.UNVERIFIABLE:
            return False
        if self.claim.tense is Tense.DATED:
            return self.to_come
        return self.now.reading.holds is False and bool(self.now.days_to_come)

    @property
    def holds_now(self) -> bool | None:
        """Whether the claim holds today; None if unknown."""
        return None if self.awaited else self.now.reading.holds

    @property
    def unit(self) -> Unit:
        """Unit of the displayed value: the caller's, else that of the judged day."""
        return self.shown_in or self.judged.unit

    def moment(self, day: ClaimDay) -> Moment:
        """One day of the case, in the displayed unit."""
        holds = self.holds_now if day is self.now else day.reading.holds
        dated = day.dated if day is self.then else None
        return Moment(as_of=day.on, value=self.shown(day.reading.value), holds=holds, dated=dated)

    def shown(self, value: Decimal | None) -> Decimal | None:
        """A value in base units converted to the displayed unit."""
        return None if value is None else in_unit(value, self.unit)


def _proven(change: InputChange) -> bool:
    """Whether a moved price is dated on both days."""
    old, new = change.then.undated, change.now.undated
    return change.kind != "price" or (old is None and (new is None or new.why == "checked before"))


def strengthens(claim: Claim, *, up: bool) -> bool | None:
    """Whether a rising (`up`) or falling value strengthens the thesis; None if neither direction is good.

    The bound of a disputed figure has no good side.
    """
    sides = {"at_least": Direction.HIGHER, "at_most": Direction.LOWER}
    good = claim.helps or (None if claim.stance is Stance.DISPUTES else sides.get(claim.expect.form))
    return None if good is None else up == (good is Direction.HIGHER)
