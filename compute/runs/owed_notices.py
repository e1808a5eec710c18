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
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import chain

from compute.claims.claim_cases import Find
from compute.runs.flag_rules import silence_of
from graph.models.alert_models import Flag, Silence
from graph.models.claim_models import VerdictName
from graph.models.verdict_models import VerdictRow


@dataclass(frozen=True, slots=True)
class FlagReport:
    """One flag to report: `row` is the newest verdict of its claim, `before` the fault that was reported before.

    `settles` are flags of the claim that are over and that this report covers.
    """

    flag: Flag
    row: VerdictRow
    before: VerdictName | None = None
    settles: tuple[Flag, ...] = ()

    @property
    def claim(self) -> str:
        """The id of the claim."""
        return self.flag.claim


@dataclass(slots=True)
class OwedNotices:
    """The flags to report, by kind."""

    raised: list[FlagReport] = field(default_factory=list)
    depends: list[FlagReport] = field(default_factory=list)
    returned: list[FlagReport] = field(default_factory=list)
    removed: list[FlagReport] = field(default_factory=list)
    unchecked: list[FlagReport] = field(default_factory=list)
    checked_again: list[FlagReport] = field(default_factory=list)
    reminded: list[FlagReport] = field(default_factory=list)


def owed_notices(
    flags: Iterable[Flag],
    rows: Mapping[str, VerdictRow],
    find: Find,
    silences: Sequence[Silence],
    *,
    on: date,
    remind_days: int,
) -> OwedNotices:
    """What is to be reported on a day.

    `flags` are the raised ones and the reported ones whose end is not; `rows` the newest verdicts. A pure function.
    """
    owed, standing = OwedNotices(), list[FlagReport]()
    groups: dict[tuple[str, bool], list[Flag]] = defaultdict(list)
    for flag in flags:
        if flag.standing or flag.owing:
            groups[flag.claim, flag.verdict is VerdictName.UNVERIFIABLE].append(flag)
    for (claim_id, blind), group in sorted(groups.items()):
        claim = find(claim_id)
        raised = [flag.first_run for flag in group if flag.standing]
        if silence_of(claim_id, claim, silences, on, raised) is None:
            reports = _reports(group, rows)
            _into(owed, reports, blind=blind, deleted=claim is None)
            standing += (report for report in reports if _is_reminded(report.flag))
    if remind_days and any(_is_long_ago(report.flag, on, remind_days) for report in standing):
        owed.reminded = standing
    return owed


def _is_reminded(flag: Flag) -> bool:
    """Whether a flag is raised and was reported; one of a claim that depends needs no reminder."""
    return flag.standing and flag.told_on is not None and flag.verdict is not VerdictName.DEPENDS


def _reports(group: Sequence[Flag], rows: Mapping[str, VerdictRow]) -> list[FlagReport]:
    """The report on the flags of one claim and class: the raised one if there is one, else the last that is over."""
    over = tuple(sorted((flag for flag in group if not flag.standing), key=lambda flag: flag.first_run))
    now = next((flag for flag in group if flag.standing), None)
    if now is None:
        last = over[-1]
        return [FlagReport(last, rows.get(last.claim) or _row_of(last), last.verdict, over)]
    row = rows.get(now.claim)
    if row is None or row.verdict is not now.verdict:
        row = _row_of(now)  # it cannot be checked, or holds too narrowly: the flag is what is reported
    return [FlagReport(now, row, over[-1].verdict if over else None, over)]


def _into(owed: OwedNotices, reports: Iterable[FlagReport], *, blind: bool, deleted: bool) -> None:
    for report in reports:
        if report.flag.standing:
            if report.flag.told_on is None:
                open_ = report.flag.verdict is VerdictName.DEPENDS
                (owed.unchecked if blind else owed.depends if open_ else owed.raised).append(report)
        elif deleted:
            owed.removed.append(report)
        else:
            (owed.checked_again if blind else owed.returned).append(report)


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


def reported(owed: OwedNotices, notice_of: Mapping[tuple[str, int], str], on: date) -> list[Flag]:
    """The flags after their notices are written.

    `notice_of` has the id of the notice for the claim and first run of each flag.
    """
    done: dict[tuple[str, int], Flag] = {}
    for report in chain(owed.raised, owed.depends, owed.unchecked):
        flag = report.flag
        done[flag.claim, flag.first_run] = flag.model_copy(
            update={"told_on": on, "notice": notice_of[flag.claim, flag.first_run]}
        )
    for report in owed.reminded:
        done[report.flag.claim, report.flag.first_run] = report.flag.model_copy(update={"reminded_on": on})
    for report in chain(owed.raised, owed.depends, owed.unchecked, owed.returned, owed.checked_again, owed.removed):
        for over in report.settles:
            done[over.claim, over.first_run] = over.model_copy(update={"settled": True})
    return list(done.values())
