"""Flags: which verdict changes are reported, with few repeats.

    verdict of a run        no flag                 flag raised
    fails (see FAULTS)      waits for_runs, raised  stays; another fault replaces it, reported as a change
    holds clearly           -                       lowered, reported as a return
    holds narrowly          -                       stays, until it has held for `settled_runs` runs in a row
    unverifiable            its own flag: grouped   stays as it is, marked as not checked again

So a value that moves around its bound gives one notice, not ten; a claim that cannot be checked never counts as
holding; and all claims left unchecked by one missing catalogue are one notice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal, localcontext

from compute.claims.claim_cases import Find
from graph.models.alert_models import Flag, Silence
from graph.models.claim_models import Claim, VerdictName, VerdictRow
from graph.values import Value

FAULTS = frozenset({VerdictName.STALE, VerdictName.REFUTED, VerdictName.CONFLICTING, VerdictName.ERROR})
"""Verdicts that report a wrong figure; `unverifiable` means only that the result is unknown."""


class FlagPolicy(Value):
    """When flags come down: a claim holds clearly by `clear` of its value, or after `settled_runs` runs that hold."""

    clear: Decimal = Decimal("0.01")
    settled_runs: int = 5


@dataclass(frozen=True, slots=True)
class FlagChange:
    """One claim whose flag went up, changed or came down in a run; `silent` is the silence that applies."""

    claim: str
    flag: Flag
    row: VerdictRow
    before: VerdictName | None = None
    silent: Silence | None = None


@dataclass(slots=True)
class FlagChanges:
    """The effect of one run on the flags: records to save and to delete, and the changes to report, by kind."""

    keep: list[Flag] = field(default_factory=list)
    forget: list[Flag] = field(default_factory=list)
    raised: list[FlagChange] = field(default_factory=list)
    returned: list[FlagChange] = field(default_factory=list)
    unchecked: list[FlagChange] = field(default_factory=list)
    checked_again: list[FlagChange] = field(default_factory=list)


def advance(
    standing: Iterable[Flag],
    rows: Iterable[VerdictRow],
    find: Find,
    *,
    run: int,
    on: date,
    silences: Iterable[Silence] = (),
    calm: FlagPolicy | None = None,
) -> FlagChanges:
    """The changes that the rows of a run make to flags; `standing` are all open records. A pure function."""
    mover = _Mover(find, run, on, tuple(silences), calm or FlagPolicy())
    open_flags: dict[str, list[Flag]] = {}
    for flag in standing:
        open_flags.setdefault(flag.claim, []).append(flag)
    for row in rows:
        mover.move(row, open_flags.pop(row.claim, []))
    for claim, flags in open_flags.items():
        if find(claim) is None:
            mover.retire(flags)
    return mover.turns


@dataclass(slots=True)
class _Mover:
    """Applies one run to the flags of its claims."""

    find: Find
    run: int
    on: date
    silences: tuple[Silence, ...]
    calm: FlagPolicy
    turns: FlagChanges = field(default_factory=FlagChanges)

    def move(self, row: VerdictRow, flags: list[Flag]) -> None:
        """Apply the row of one claim; `flags` are its open records."""
        fault = next((flag for flag in flags if flag.verdict in FAULTS), None)
        blind = next((flag for flag in flags if flag.verdict is VerdictName.UNVERIFIABLE), None)
        if row.verdict is VerdictName.UNVERIFIABLE:
            self._seen(row, blind)
            return
        if blind is not None:
            self._over(row, blind, self.turns.checked_again)
        if row.verdict is VerdictName.HOLDS:
            self._held(row, fault)
        elif fault is not None and fault.verdict is not row.verdict:
            self._changed(row, fault)
        else:
            self._seen(row, fault)

    def retire(self, flags: Iterable[Flag]) -> None:
        """Close the flags of a deleted claim without a notice. A claim that this run only left out keeps its flags."""
        for flag in flags:
            if flag.standing:
                self.turns.keep.append(flag.model_copy(update={"lowered_at": self.on, "lowered_run": self.run}))
            else:
                self.turns.forget.append(flag)

    def _seen(self, row: VerdictRow, flag: Flag | None, before: VerdictName | None = None) -> None:
        """Record the verdict of the row, for the first time or again."""
        if flag is None:
            flag = Flag(claim=row.claim, verdict=row.verdict, first_run=self.run, first_seen=self.on, streak=0)
        claim = self.find(row.claim)
        updates: dict[str, object] = {"streak": flag.streak + 1, "held": 0, "reason": row.reason}
        if flag.raised_at is None and flag.streak + 1 >= (claim.for_runs if claim else 1):
            updates |= {"raised_at": self.on, "raised_run": self.run}
        grown = flag.model_copy(update=updates)
        self.turns.keep.append(grown)
        if grown.standing and not flag.standing:
            blind = row.verdict is VerdictName.UNVERIFIABLE
            self._tell(self.turns.unchecked if blind else self.turns.raised, row, grown, before)

    def _changed(self, row: VerdictRow, flag: Flag) -> None:
        """Replace the record after a different fault; the new one stays raised if the old one was."""
        if not flag.standing:
            self.turns.forget.append(flag)
            self._seen(row, None)
            return
        self.turns.keep.append(flag.model_copy(update={"lowered_at": self.on, "lowered_run": self.run}))
        self._seen(row, None, before=flag.verdict)

    def _held(self, row: VerdictRow, flag: Flag | None) -> None:
        if flag is None:
            return
        if flag.standing and not self._clear(row) and flag.held + 1 < self.calm.settled_runs:
            self.turns.keep.append(flag.model_copy(update={"held": flag.held + 1, "streak": 0}))
            return
        self._over(row, flag, self.turns.returned)

    def _over(self, row: VerdictRow, flag: Flag, told: list[FlagChange]) -> None:
        """Close a record; one that was never raised is deleted."""
        if not flag.standing:
            self.turns.forget.append(flag)
            return
        ended = flag.model_copy(update={"lowered_at": self.on, "lowered_run": self.run, "held": flag.held + 1})
        self.turns.keep.append(ended)
        self._tell(told, row, ended, flag.verdict)

    def _clear(self, row: VerdictRow) -> bool:
        if row.margin is None or row.value is None:
            return True  # no margin: it holds or it does not
        with localcontext(prec=40):
            return row.margin >= abs(row.value) * self.calm.clear

    def _tell(self, told: list[FlagChange], row: VerdictRow, flag: Flag, before: VerdictName | None) -> None:
        silent = silence_of(row.claim, self.find(row.claim), self.silences, self.on)
        told.append(FlagChange(row.claim, flag, row, before, silent))


def silence_of(claim_id: str, claim: Claim | None, silences: Iterable[Silence], on: date) -> Silence | None:
    """The silence that covers a claim on a day, or None."""
    tags = claim.tags if claim else ()
    for silence in silences:
        begun = silence.since <= on and (silence.until is None or on < silence.until)
        if begun and (silence.claim == claim_id or (silence.tag is not None and silence.tag in tags)):
            return silence
    return None


def visible(row: VerdictRow, standing: Mapping[str, Flag]) -> tuple[VerdictName, bool]:
    """The displayed verdict, and whether it was checked in this run.

    A claim that cannot be checked shows its last fault; `standing` has the raised fault of each claim.
    """
    if row.verdict is not VerdictName.UNVERIFIABLE:
        return row.verdict, True
    last = standing.get(row.claim)
    return (last.verdict if last and last.verdict in FAULTS else row.verdict), False
