"""Flags and notices of the store, run by run; an interrupted run is repeated, so nothing is lost.

The store records the last processed run; later runs follow in order. A run for an earlier day than the last one, or for
another day than it was made on, changes no flags. If a clock was ahead, the runs until that day do change flags. Every
process writes the same notices, with or without receivers; `webhook_delivery` sends them. What is to be reported about
flags follows from the flags, the silences and the day alone:

    flag raised, not reported            raised: at once; after a silence, if it is still raised; of a claim that held
                                         and depends now: depends
    reported flag over                   returned; after a silence too
    reported flag over, another raised   raised, with the verdict that was reported before
    claim deleted                        removed, if its flag was reported
    raised and reported `remind_days` ago    one reminder for all flags that are still raised, except those reported
                                         today and those of claims that depend
    raised and over within a silence     nothing
    raised and acknowledged              nothing until the acknowledgement ends; its return at once

Flags of unverifiable claims are reported as unchecked and checked again. The reports are written as notices
(CloudEvents), grouped to keep them few:

    raised, depends,
    returned, removed    one notice per claim; one for `SAME_CAUSE` claims or more of one price;
                         from `GROUPED` claims on, one for all
    unchecked            one, with its causes: one missing catalogue leaves many claims unchecked
    checked again        one
    reminder             one

The body of a notice is written once, so that every attempt to deliver it sends the same bytes under the same id.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import cache
from typing import Literal, get_args

from compute.claims.claim_cases import Find
from compute.runs.flag_rules import FlagChanges, silence_of
from graph.groups import group_by
from graph.models.alert_models import Flag, Notice, Silence
from graph.models.claim_models import VerdictName
from graph.models.verdict_models import Run, VerdictRow, severity_of
from graph.store import Store
from graph.values import dumps

ReportKind = Literal["raised", "depends", "returned", "removed", "unchecked", "checked-again", "reminder"]
"""What happened to a flag, in the order in which notices report it."""

_NEW: frozenset[ReportKind] = frozenset({"raised", "depends", "unchecked"})


@dataclass(frozen=True, slots=True)
class FlagReport:
    """A flag to report: `row` is the newest verdict of its claim, `before` the fault that was reported before.

    `settles` are closed flags of the claim that this report covers.
    """

    kind: ReportKind
    flag: Flag
    row: VerdictRow
    before: VerdictName | None = None
    settles: tuple[Flag, ...] = ()

    @property
    def claim(self) -> str:
        """The id of the claim."""
        return self.flag.claim


def owed_notices(
    flags: Iterable[Flag],
    rows: Mapping[str, VerdictRow],
    find: Find,
    silences: Sequence[Silence],
    *,
    on: date,
    remind_days: int,
) -> list[FlagReport]:
    """What is to be reported on a day, by claim; reminders come last.

    `flags` are those raised, and those reported and closed without a report; `rows` are the newest verdicts.
    """
    owed, standing = list[FlagReport](), list[FlagReport]()
    open_flags = (flag for flag in flags if flag.standing or flag.owing)
    groups = group_by(open_flags, lambda flag: (flag.claim, flag.verdict is VerdictName.UNVERIFIABLE))
    for (claim_id, _), group in sorted(groups.items()):
        claim = find(claim_id)
        raised = [flag.first_run for flag in group if flag.standing]
        if silence_of(claim_id, claim, silences, on, raised) is None:
            report = _report(group, rows, deleted=claim is None)
            flag = report.flag
            if not flag.standing or flag.told_on is None:
                owed.append(report)
            elif flag.verdict is not VerdictName.DEPENDS and flag.told_on != on:
                standing.append(replace(report, kind="reminder", settles=()))
    due = remind_days and any(_is_long_ago(report.flag, on, remind_days) for report in standing)
    return owed + standing if due else owed


def _report(group: Sequence[Flag], rows: Mapping[str, VerdictRow], *, deleted: bool) -> FlagReport:
    """The report on flags of one claim and class: the raised one, else the last closed."""
    over = tuple(sorted((flag for flag in group if not flag.standing), key=lambda flag: flag.first_run))
    now = next((flag for flag in group if flag.standing), None)
    blind = group[0].verdict is VerdictName.UNVERIFIABLE
    if now is None:
        last = over[-1]
        row = rows.get(last.claim) or _row_of(last)
        return FlagReport(
            "removed" if deleted else "checked-again" if blind else "returned", last, row, last.verdict, over
        )
    found = rows.get(now.claim)
    if found is None or found.verdict is not now.verdict:
        found = _row_of(now)  # it cannot be checked, or holds too narrowly: the flag is what is reported
    kind: ReportKind = "unchecked" if blind else "depends" if now.verdict is VerdictName.DEPENDS else "raised"
    return FlagReport(kind, now, found, over[-1].verdict if over else None, over)


def _is_long_ago(flag: Flag, on: date, days: int) -> bool:
    """Whether the last notice about a flag is `days` old, or in the future."""
    last = flag.reminded_on or flag.told_on or on
    return not on - timedelta(days=days) < last <= on


def _row_of(flag: Flag) -> VerdictRow:
    """A verdict without figures for a flag whose claim has no newer one."""
    return VerdictRow(
        claim=flag.claim, verdict=flag.verdict, value=None, margin=None, unit="", then_value=None, then_holds=None,
        now_holds=None, reason=flag.reason,
    )  # fmt: skip


def reported(owed: Iterable[FlagReport], notice_of: Mapping[tuple[str, int], str], on: date) -> list[Flag]:
    """The flags after their notices are written; `notice_of` is by claim and first run."""
    found: list[Flag] = []
    for report in owed:
        flag = report.flag
        if report.kind in _NEW:
            found.append(flag.model_copy(update={"told_on": on, "notice": notice_of[flag.claim, flag.first_run]}))
        elif report.kind == "reminder":
            found.append(flag.model_copy(update={"reminded_on": on}))
        found += (over.model_copy(update={"settled": True}) for over in report.settles)
    return found


GROUPED = 25  # changes of one kind in a run that one notice reports together
SAME_CAUSE = 3  # claims changed by the same price in a run that one notice reports together
LISTED = 100  # claims of a notice; the rest are counted
_TOGETHER = frozenset({"unchecked", "checked-again", "reminder"})

Written = tuple[Notice, tuple[FlagReport, ...]]  # a notice and the reports in it
Causes = Callable[[Sequence[FlagReport]], Mapping[str, str]]
"""What moved for each claim of some reports, such as a price with its figures; claims without a cause are left out."""


class NoticeWriter:
    """Writes the notices of one run. `source` is the address of the service or a name for it.

    `store` is the identity of the store, which separates the ids of two homes at one address. `causes` names what moved
    for claims whose flag was raised or lowered.
    """

    def __init__(
        self, run: Run, at: datetime, source: str, find: Find, *, store: str = "", causes: Causes = lambda _: {}
    ) -> None:
        self._run, self._at, self._source, self._find, self._store = run, at, source, find, store
        self._causes = causes

    def notices(self, owed: Sequence[FlagReport]) -> list[Written]:
        """The notices, each with its reports; the same reports at the same time give the same ids."""
        found: list[Written] = []
        for kind in get_args(ReportKind):
            reports = [one for one in owed if one.kind == kind]
            if reports and (kind in _TOGETHER or len(reports) >= GROUPED):
                found.append(self._group(kind, reports))
            else:
                found += self._each(kind, reports)
        return found

    def _each(self, kind: str, reports: Sequence[FlagReport]) -> Iterator[Written]:
        """One notice for reports with a frequent cause, one for each other report."""
        causes = self._causes(reports) if len(reports) >= SAME_CAUSE else {}
        counts = Counter(causes.get(one.claim, "") for one in reports)
        shared = [cause for cause, count in counts.items() if cause and count >= SAME_CAUSE]
        for cause in shared:
            yield self._group(kind, [one for one in reports if causes.get(one.claim) == cause], cause)
        for one in reports:
            if causes.get(one.claim) not in shared:
                yield self._notice(f"claim.{kind}", one.claim, self._of_claim(one), [one]), (one,)

    def _group(self, kind: str, reports: Sequence[FlagReport], cause: str = "") -> Written:
        causes = Counter(one.row.reason or one.flag.reason for one in reports)
        data = {
            "run": self._run.id,
            "as_of": self._run.as_of,
            "count": len(reports),
            **({"cause": cause} if cause else {}),
            "claims": [self._of_claim(one) for one in reports[:LISTED]],
            "causes": [{"reason": reason, "claims": count} for reason, count in causes.most_common(LISTED)],
        }
        return self._notice(f"claims.{kind}", f"run/{self._run.id}", data, reports), tuple(reports)

    def _of_claim(self, report: FlagReport) -> dict[str, object]:
        claim, row = self._find(report.claim), report.row
        return {
            "claim": report.claim,
            "node": claim.node if claim else None,
            "says": claim.says if claim else None,
            "severity": severity_of(claim.severity, row.cause) if claim else None,
            "owner": claim.owner if claim else None,
            "verdict": row.verdict,
            "before": report.before,
            "value": row.value,
            "unit": row.unit,
            "margin": row.margin,
            "reason": row.reason,
            "run": self._run.id,
            "as_of": self._run.as_of,
            "since": report.flag.first_seen,
            "raised": report.flag.raised_at,
        }

    def _notice(self, kind: str, subject: str, data: dict[str, object], reports: Sequence[FlagReport]) -> Notice:
        """A notice with its CloudEvent 1.0 as JSON text (structured mode), numbers with all digits."""
        flags = " ".join(f"{one.claim}#{one.flag.first_run}" for one in reports)
        words = f"{self._store} {self._source} {self._run.id} {self._at.isoformat()} {kind} {subject} {flags}"
        notice_id = "msg_" + hashlib.sha256(words.encode()).hexdigest()[:24]
        event = {
            "id": notice_id,
            "source": self._source,
            "type": f"brain.{kind}",
            "specversion": "1.0",
            "time": self._at.isoformat().replace("+00:00", "Z"),
            "subject": subject,
            "datacontenttype": "application/json",
            "data": data,
        }
        return Notice(
            id=notice_id,
            kind=kind,
            subject=subject,
            body=dumps(event),
            created_at=self._at,
            claims=tuple(dict.fromkeys(one.claim for one in reports)),
        )


# ---- the runs of a store

Moved = Callable[[int, Sequence[str]], Mapping[str, str]]

_LAST_RUN, _LAST_DAY, _OBSERVED = "flags.run", "flags.day", "flags.observed"


class AlertProcessor:
    """Processes the runs of a store. `source` is the address of the service, the source of its notices."""

    def __init__(
        self, store: Store, source: str, *, remind_days: int = 7, moved: Moved = lambda _run, _claims: {}
    ) -> None:
        """Raised flags are reported again after `remind_days` (0: never); `moved` names what moved in a run."""
        self._store, self._source, self._remind_days, self._moved = store, source, remind_days, moved

    def catch_up(self, at: datetime) -> tuple[Notice, ...]:
        """Update flags up to the latest run and write the notices that are owed; returns them, the oldest first.

        Without a new run it writes what is due since: after a silence, and reminders.
        """
        last = self._last()
        fresh = [run for run in reversed(self._store.ledger.runs()) if run.id > last]
        found = [notice for run in fresh for notice in self._look(run, at)]
        if not fresh:
            with self._store.transaction():
                found += self._report(at)
        return tuple(found)

    def _last(self) -> int:
        """The last processed run; 0 if there is none."""
        return int(self._store.metadata.get(_LAST_RUN) or 0)

    def _look(self, run: Run, at: datetime) -> list[Notice]:
        """Process one run and record it as processed, in one transaction."""
        with self._store.transaction():
            if run.id <= self._last():
                return []  # another process has processed it
            if self._is_observation(run, at):
                self._observe(run)
            self._store.metadata.put(_LAST_RUN, str(run.id))
            return self._report(at)

    def _is_observation(self, run: Run, at: datetime) -> bool:
        if run.replayed or not run.of_its_day or run.as_of > at.date():
            return False
        noted = date.fromisoformat(self._store.metadata.get(_LAST_DAY) or date.min.isoformat())
        return run.as_of >= noted or noted > at.date()

    def _observe(self, run: Run) -> None:
        """Update the flags by a run, compared with the last one used."""
        ledger, last = self._store.ledger, self._store.metadata.get(_OBSERVED)
        changes = ledger.changes(int(last), run.id) if last is not None else ()
        held = frozenset(name for name, old, _ in changes if old and old.verdict is VerdictName.HOLDS)
        turns = FlagChanges(cache(self._store.claims.find), run.id, run.as_of, held=held)
        turns.advance(self._store.alerts.flags(over=False), ledger.rows(run.id))
        self._store.alerts.remove_flags(turns.forget)
        self._store.alerts.put_flags(turns.keep)
        self._store.metadata.put(_LAST_DAY, run.as_of.isoformat())
        self._store.metadata.put(_OBSERVED, str(run.id))

    def _report(self, at: datetime) -> list[Notice]:
        """Write the notices owed on the day of `at`, and record them."""
        flags = (*self._store.alerts.flags(standing=True), *self._store.alerts.flags(owing=True))
        if not flags:
            return []
        # of a store from an older program, the last processed run is the last that moved flags
        run = self._store.ledger.run(int(self._store.metadata.get(_OBSERVED) or self._last()))
        find = cache(self._store.claims.find)
        found = self._store.ledger.rows(run.id, claims={flag.claim for flag in flags})
        rows, silences = {row.claim: row for row in found}, self._store.alerts.silences()
        owed = owed_notices(flags, rows, find, silences, on=at.date(), remind_days=self._remind_days)
        identity = self._store.metadata.identity()
        writer = NoticeWriter(run, at, self._source, find, store=identity, causes=self._causes)
        written = writer.notices(owed)
        notice_of = {(one.claim, one.flag.first_run): notice.id for notice, reports in written for one in reports}
        self._store.notices.put(notice for notice, _ in written)
        self._store.alerts.put_flags(reported(owed, notice_of, at.date()))
        return [notice for notice, _ in written]

    def _causes(self, reports: Sequence[FlagReport]) -> dict[str, str]:
        """What moved for each claim in the run that changed it."""
        found: dict[str, str] = {}
        by_run = group_by(reports, lambda one: one.flag.first_run if one.flag.standing else one.flag.lowered_run)
        for run, owed in by_run.items():
            found |= {} if run is None else self._moved(run, [one.claim for one in owed])
        return found
