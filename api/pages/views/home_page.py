"""The morning report: what changed, what is to be done, what will change, what is near; then the audit and the ages."""

from __future__ import annotations

from datetime import date

from api.pages.request.page_request import PageRequest, TemplateResponse, page_of
from api.pages.views.claim_table import AHEAD, CALM, ClaimRow, ClaimTable, PageContext, counted
from api.pages.views.ledger_pages import ListedChange, changes_of_run, with_causes
from compute.impact.nearest_changes import least_change
from compute.reports.morning import after_that, age_lines, rules_changed
from compute.reports.report_model import NearestChange, Report, ReportEntry
from graph.models.claim_models import Cause
from graph.models.node_models import Kind
from graph.models.verdict_models import VerdictChange

NEAREST = 2
"""So many of the near claims are listed."""

NEWEST = ((Kind.THESIS, 2), (Kind.READING, 2))
"""How many of the newest notes of which kind; terms come by the hundred and are no news."""

LOOKED_AT = 24
"""So many claims with small margins are explained, to find the few that the smallest change would make fail."""

EXAMPLE = (
    "GPT-4o is $5.00 for a million input tokens and $10 for a million of output. "
    "Eight GPUs at $3 an hour cost $240 a day."
)
"""A text to check, for the first minute: one figure is stale, one holds, one is refuted."""


def page(context: PageContext, request: PageRequest) -> TemplateResponse:
    """The morning report of the last run, as of today."""
    today, table = request.today, context.claim_table()
    before = None if table.before is None or table.before.replayed else table.before  # a first morning after replays
    changes = changes_of_run(context, table.run, before, today) if table.run else None
    listed = set(changes.names) if changes else set()
    failing = sorted(
        (row for row in table.lines.values() if not row.calm and not row.silence and row.claim.id not in listed),
        key=_order,
    )
    fragile = [row for row in table.lines.values() if row.fragile and row.claim.id not in listed]
    report, errata, ages = _report(context, table), context.brain.reports.errata(), context.brain.prices.ages(today)
    return page_of(
        "home.html",
        today=today,
        run=table.run,
        before=before,
        replayed=before is not table.before,
        total=len(table.lines),
        counts=table.counts(),
        changes=changes,
        stopped=sum(count for name, count in changes.counts if name not in CALM) if changes else 0,
        coming=_coming(context, today),
        near=_nearest(context, table, today)[:NEAREST],
        fragile=sorted(fragile, key=lambda row: row.gravity),
        failing=failing,
        failing_counts=counted(row.state for row in failing),
        errata=errata,
        rules_changed=rules_changed(report) if report else "",
        without_note=report.without_note if report else (),
        silenced=[row for row in table.lines.values() if row.silence is not None],
        aged=age_lines(report) if report else (),
        catalogs=[one for one in ages if one.kind == "catalog"],
        old_assumptions=[one for one in ages if one.kind == "assumption" and one.state != "fresh"],
        newest=[item for kind, limit in NEWEST for item in context.brain.nodes.newest(kind, limit)],
        thesis=next(iter(context.brain.nodes.newest(Kind.THESIS, 1)), None),
        nodes=sum(context.brain.nodes.count().values()),
        example=EXAMPLE,
    )


def _report(context: PageContext, table: ClaimTable) -> Report | None:
    if table.run is None:
        return None
    entries = tuple(ReportEntry(claim=one.claim, row=one.row) for one in table.lines.values() if one.row is not None)
    return context.brain.reports.news(table.run, table.before, entries)


def _coming(context: PageContext, today: date) -> list[ListedChange]:
    """The first change of each claim that announced prices will change, with those that follow in words."""
    groups: dict[str, list[VerdictChange]] = {}
    for change in context.brain.reports.coming(today, today + AHEAD):
        groups.setdefault(change.claim, []).append(change)
    lines = context.claim_table().lines
    listed = [ListedChange(first, lines.get(name), later=after_that(rest)) for name, (first, *rest) in groups.items()]
    return with_causes(context, listed, today, None, None)


def _order(row: ClaimRow) -> tuple[bool, tuple[int, int, str]]:
    """The most severe first; last, what was perhaps never true."""
    return row.row is not None and row.row.cause is Cause.THEN_UNKNOWN, row.gravity


def _nearest(context: PageContext, table: ClaimTable, today: date) -> list[tuple[ClaimRow, NearestChange]]:
    """Of the claims with the smallest margins, those that the smallest change of one input would make fail."""
    room = sorted((row.room, name) for name, row in table.lines.items() if row.room is not None)
    found = [
        (table.lines[name], flip)
        for _, name in room[:LOOKED_AT]
        if (flip := least_change(context.brain.evaluator.explain(name, today))) is not None
    ]
    return sorted(found, key=lambda near: (abs(near[1].change), near[0].claim.id))
