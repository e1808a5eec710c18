"""What is to be reported about flags. It depends on the flags, the silences and the day, not on the process that asks.

    flag raised, not reported            raised: at once; after a silence, if it is still raised; of a claim that held
                                         and depends now: depends
    reported flag over                   returned; after a silence too
    reported flag over, another raised   raised, with the verdict that was reported before
    claim deleted                        removed, if its flag was reported
    raised and reported `remind_days` ago    one reminder for all flags that are still raised
    raised and over within a silence     nothing
    raised and acknowledged              nothing until the acknowledgement ends; its return at once

Flags of unverifiable claims are reported as unchecked and checked again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal

from compute.claims.claim_cases import Find
from compute.runs.flag_rules import silence_of
from graph.models.alert_models import Flag, Silence
from graph.models.claim_models import VerdictName
from graph.models.verdict_models import VerdictRow

ReportKind = Literal["raised", "depends", "returned", "removed", "unchecked", "checked-again", "reminder"]
"""What happened to a flag, in the order in which notices report it."""

_NEW: frozenset[ReportKind] = frozenset({"raised", "depends", "unchecked"})


@dataclass(frozen=True, slots=True)
class FlagReport:
    """One flag to report: `row` is the newest verdict of its claim, `before` the fault that was reported before.

    `settles` are flags of the claim that are over and that this report covers.
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

    `flags` are the raised ones and the reported ones whose end is not; `rows` the newest verdicts. A pure function.
    """
    owed, standing = list[FlagReport](), list[FlagReport]()
    groups: dict[tuple[str, bool], list[Flag]] = defaultdict(list)
    for flag in flags:
        if flag.standing or flag.owing:
            groups[flag.claim, flag.verdict is VerdictName.UNVERIFIABLE].append(flag)
    for (claim_id, _), group in sorted(groups.items()):
        claim = find(claim_id)
        raised = [flag.first_run for flag in group if flag.standing]
        if silence_of(claim_id, claim, silences, on, raised) is None:
            report = _report(group, rows, deleted=claim is None)
            if not report.flag.standing or report.flag.told_on is None:
                owed.append(report)
            elif report.flag.verdict is not VerdictName.DEPENDS:  # a claim that depends needs no reminder
                standing.append(replace(report, kind="reminder", settles=()))
    due = remind_days and any(_is_long_ago(report.flag, on, remind_days) for report in standing)
    return owed + standing if due else owed


def _report(group: Sequence[Flag], rows: Mapping[str, VerdictRow], *, deleted: bool) -> FlagReport:
    """The report on the flags of one claim and class: the raised one if there is one, else the last that is over."""
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
    """Whether the last notice about a raised flag is some days old, or of a clock that was ahead."""
    last = flag.reminded_on or flag.told_on or on
    return not on - timedelta(days=days) < last <= on


def _row_of(flag: Flag) -> VerdictRow:
    """A verdict without figures for a flag that the newest run says nothing about."""
    return VerdictRow(
        claim=flag.claim, verdict=flag.verdict, value=None, margin=None, unit="", then_value=None, then_holds=None,
        now_holds=None, reason=flag.reason,
    )  # fmt: skip


def reported(owed: Iterable[FlagReport], notice_of: Mapping[tuple[str, int], str], on: date) -> list[Flag]:
    """The flags after their notices are written.

    `notice_of` has the id of the notice for the claim and first run of each flag.
    """
    found: list[Flag] = []
    for report in owed:
        flag = report.flag
        if report.kind in _NEW:
            found.append(flag.model_copy(update={"told_on": on, "notice": notice_of[flag.claim, flag.first_run]}))
        elif report.kind == "reminder":
            found.append(flag.model_copy(update={"reminded_on": on}))
        found += (over.model_copy(update={"settled": True}) for over in report.settles)
    return found
