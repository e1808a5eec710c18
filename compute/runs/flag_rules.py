"""Flags: which verdicts count as a lasting change. `alerts` decides what is reported about them.

    verdict of a run        no flag                 flag raised
    fails (see FAULTS)      waits for_runs, raised  stays; another fault replaces it
    holds clearly           -                       lowered
    holds narrowly          -                       stays, until it holds `SETTLED_RUNS` days in a row
    depends, held before    waits for_runs, raised  stays: only a claim that holds lowers a flag
    depends                 -                       stays
    unverifiable            its own flag            stays as it is, marked as not checked again

A dated claim has no flag: it is judged for its own day only.
`for_runs` and `SETTLED_RUNS` count days: several runs on one day count once. So a value that moves around its bound
gives one notice, not ten, and a claim that cannot be checked never counts as holding.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal, localcontext
from typing import TYPE_CHECKING

from pydantic import ValidationInfo, field_validator, model_validator

from graph.groups import group_by
from graph.models.alert_models import Flag, Silence
from graph.models.claim_models import Claim, Tense, VerdictName
from graph.models.verdict_models import VerdictRow
from graph.problems import Problem
from graph.yaml.validation import Day, Line, Source, Written, entries, mistake

if TYPE_CHECKING:
    from compute.claims.claim_cases import Find

FAULTS = frozenset({VerdictName.STALE, VerdictName.REFUTED, VerdictName.CONFLICTING, VerdictName.ERROR})
"""Verdicts that report a wrong figure; `unverifiable` means only that the result is unknown."""

CLEAR = Decimal("0.01")  # a claim holds clearly if its margin is at least this part of its value
SETTLED_RUNS = 5  # days that hold, however narrowly, after which a flag is lowered


@dataclass(slots=True)
class FlagChanges:
    """The changes that one run makes to the flags of its claims: records to `keep` and to `forget`.

    `held` are claims that held in the run before; one of them that depends now gets a flag.
    """

    find: Find
    run: int
    on: date
    held: Collection[str] = ()
    keep: list[Flag] = field(default_factory=list)
    forget: list[Flag] = field(default_factory=list)

    def advance(self, standing: Iterable[Flag], rows: Iterable[VerdictRow]) -> None:
        """Apply the rows of the run; `standing` are all open flags.

        The flags of a deleted claim are closed; a claim that the run left out keeps its flags.
        """
        open_flags = group_by(standing, lambda flag: flag.claim)
        for row in rows:
            self.move(row, open_flags.pop(row.claim, []))
        for claim, flags in open_flags.items():
            if self.find(claim) is None:
                for flag in flags:
                    self._over(flag)

    def move(self, row: VerdictRow, flags: list[Flag]) -> None:
        """Apply the row of one claim; `flags` are its open flags."""
        if not flags and row.verdict is VerdictName.HOLDS:
            return
        claim = self.find(row.claim)
        if claim is not None and claim.tense is Tense.DATED:
            for flag in flags:
                self._over(flag.model_copy(update={"settled": True}))  # without a notice: it was no change of a figure
            return
        fault = next((flag for flag in flags if flag.verdict is not VerdictName.UNVERIFIABLE), None)
        blind = next((flag for flag in flags if flag.verdict is VerdictName.UNVERIFIABLE), None)
        if row.verdict is VerdictName.UNVERIFIABLE:
            self._failed(row, blind)
            return
        if blind is not None:
            self._over(blind)
        if row.verdict is VerdictName.HOLDS:
            self._passed(row, fault)
        elif row.verdict is VerdictName.DEPENDS:
            self._depends(row, fault)
        elif fault is not None and fault.verdict is not row.verdict:
            self._over(fault)
            self._failed(row, None, at_once=fault.standing)
        else:
            self._failed(row, fault)

    def _depends(self, row: VerdictRow, flag: Flag | None) -> None:
        """Keep a raised flag; flag a claim that held; drop an unraised fault."""
        if flag is not None and not flag.standing and flag.verdict is not row.verdict:
            self._over(flag)
        elif flag is not None and flag.verdict is row.verdict:
            self._failed(row, flag)
        elif flag is None and row.claim in self.held:
            self._failed(row, None)

    def _failed(self, row: VerdictRow, flag: Flag | None, *, at_once: bool = False) -> None:
        """Record a failing row; `at_once` raises the flag without waiting."""
        if flag is None:
            flag = Flag(claim=row.claim, verdict=row.verdict, first_run=self.run, first_seen=self.on, streak=0)
        claim = self.find(row.claim)
        streak = flag.streak + self._new_day(flag, flag.streak)
        updates: dict[str, object] = {"streak": streak, "held": 0, "reason": row.reason, "counted_on": self.on}
        if flag.raised_at is None and (at_once or streak >= (claim.for_runs if claim else 1)):
            updates |= {"raised_at": self.on, "raised_run": self.run}
        self.keep.append(flag.model_copy(update=updates))

    def _new_day(self, flag: Flag, counted: int) -> bool:
        """Whether this run is on another day than the last one counted; the first one always is.

        Runs come in the order of their days, except after one made by a clock that was ahead.
        """
        return not counted or self.on != (flag.counted_on or flag.first_seen)

    def _passed(self, row: VerdictRow, flag: Flag | None) -> None:
        if flag is None:
            return
        held = flag.held + self._new_day(flag, flag.held)
        if flag.standing and not self._clear(row) and held < SETTLED_RUNS:
            self.keep.append(flag.model_copy(update={"held": held, "streak": 0, "counted_on": self.on}))
            return
        self._over(flag, held)

    def _over(self, flag: Flag, held: int | None = None) -> None:
        """Close a flag; delete one that was never raised."""
        if not flag.standing:
            self.forget.append(flag)
            return
        ended = {"lowered_at": self.on, "lowered_run": self.run, "held": flag.held if held is None else held}
        self.keep.append(flag.model_copy(update=ended))

    def _clear(self, row: VerdictRow) -> bool:
        if row.margin is None or row.value is None:
            return True  # no margin: it holds or it does not
        with localcontext(prec=40):
            return row.margin >= abs(row.value) * CLEAR


def silence_of(
    claim_id: str, claim: Claim | None, silences: Iterable[Silence], on: date, raised: Collection[int] = ()
) -> Silence | None:
    """The silence that covers a claim on a day, or None.

    `raised` are the first runs of its raised flags: an acknowledgement covers them only if it names them all.
    """
    tags = claim.tags if claim else ()
    for silence in silences:
        begun = silence.since <= on and (silence.until is None or on < silence.until)
        if silence.flags is not None and not (raised and set(raised) <= set(silence.flags)):
            continue
        if begun and (silence.claim == claim_id or (silence.tag is not None and silence.tag in tags)):
            return silence
    return None


def visible(row: VerdictRow, standing: Mapping[str, Flag]) -> tuple[VerdictName, bool]:
    """The displayed verdict, and whether it was checked in this run.

    A claim that cannot be checked shows its last fault, from `standing`, the raised flag of each claim. A claim that
    fails but cannot be refuted was checked.
    """
    unknown = row.now_holds is None or row.value is None
    if row.verdict is not VerdictName.UNVERIFIABLE or not unknown:
        return row.verdict, True
    last = standing.get(row.claim)
    return (last.verdict if last and last.verdict in FAULTS else row.verdict), False


# ---- silence files
#
#   silences:
#     - claim: h100-break-even-utilisation      # or `tag: gpu-pricing`
#       reason: the vendor changes its list this week
#       since: 2026-11-01
#       until: 2026-12-01                        # exclusive; a silence without an end is an error


class StatedSilence(Written):
    """No notices for a claim or a tag, until a day."""

    claim: Line | None = None
    tag: Line | None = None
    reason: Line
    since: Day
    until: Day

    @field_validator("until")
    @classmethod
    def _later(cls, until: date, info: ValidationInfo) -> date:
        if until <= info.data.get("since", date.min):
            raise mistake(
                "bad-range", "'until' is not after 'since'", hint="'until' is the first day with notices again"
            )
        return until

    @model_validator(mode="after")
    def _one(self) -> StatedSilence:
        if (self.claim is None) == (self.tag is None):
            raise mistake("missing-key", "a silence names a claim or a tag, one of the two")
        return self


class Silences(Written):
    """A file of silences."""

    silences: tuple[StatedSilence, ...]


def load_silences(document: str, text: str) -> tuple[tuple[Silence, ...], tuple[Problem, ...]]:
    """The silences of a file, with ids derived from its name; an invalid one is left out and reported."""
    source = Source(document, text)
    found = tuple(
        Silence(id=f"{document}#{number}", **dict(entry.value))
        for number, entry in enumerate(entries(source, Silences, StatedSilence), 1)
        if entry.value is not None
    )
    return found, tuple(source.problems)
