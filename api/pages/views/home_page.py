"""The morning report: prices first (what changed, what will change, what is near and fragile), then the audit.

The lists are those of `compute.reports.morning`, which the terminal and the files show too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from api.pages.render.figure_format import plural, short_day
from api.pages.render.verdict_signs import SEVERITIES
from api.pages.request.page_request import PageRequest, TemplateResponse
from api.pages.views import change_groups
from api.pages.views.change_groups import ChangeGroup
from api.pages.views.claim_table import ClaimRow, ClaimTable, PageContext
from compute.impact.nearest_changes import least_change
from compute.prices.data_freshness import Freshness
from compute.reports.errata import Errata, Erratum
from compute.reports.morning import Morning, age_lines, morning, rules_changed, total
from compute.reports.report_model import ORDER, ClaimWithoutNote, FragileClaim, NearestChange, Report, ReportEntry
from graph.models.claim_models import Cause, VerdictName
from graph.models.node_models import Kind
from graph.models.query_models import NodeRef, NodeSummary
from graph.models.verdict_models import Run

COMING, NEAREST, FRAGILE = 3, 3, 2
"""So many changes to come, near and fragile claims are listed.

Near claims beyond `ROWS` rows in all are folded away: a quiet day fits on one screen.
"""

ROWS = 6

NEWEST = ((Kind.THESIS, 2), (Kind.READING, 2))
"""How many of the newest notes of which kind; terms come by the hundred and are no news."""

MOST_FAILING = 12
"""So many of the claims that still fail are listed."""

PASSED = frozenset({None, VerdictName.HOLDS, VerdictName.REFUTED})
"""Verdicts that the list of failing claims leaves out; refuted ones are in the audit of sources."""

LOOKED_AT = 24
"""So many claims with small margins are explained, to find the few that the smallest change would make fail."""


@dataclass(frozen=True, slots=True)
class FailingClaim:
    """A claim that failed in the run before too, with the number of days since a run first found that."""

    line: ClaimRow
    days: int | None


@dataclass(frozen=True, slots=True)
class NearClaim:
    """A claim that holds, and the smallest change of one input that would make it fail."""

    line: ClaimRow
    flip: NearestChange


@dataclass(frozen=True, slots=True)
class Home:
    """The page. `failing` are the most severe claims that still fail, `failing_counts` all of them by verdict.

    `silenced` are claims without notices.
    """

    today: date
    run: Run | None
    before: Run | None
    total: int
    counts: tuple[tuple[VerdictName, int], ...]
    title: str
    changed: tuple[ChangeGroup, ...]
    coming: tuple[ChangeGroup, ...]
    coming_more: tuple[ChangeGroup, ...]
    near: tuple[NearClaim, ...]
    near_more: tuple[NearClaim, ...]
    fragile: tuple[FragileClaim, ...]
    fragile_total: int
    failing: tuple[FailingClaim, ...]
    failing_counts: tuple[tuple[VerdictName, int], ...]
    audit: str
    news: tuple[Erratum, ...]
    switched: tuple[ChangeGroup, ...]
    rules_changed: str
    without_note: tuple[ClaimWithoutNote, ...]
    silenced: tuple[ClaimRow, ...]
    aged: tuple[str, ...]
    catalogs: tuple[Freshness, ...]
    old_assumptions: tuple[Freshness, ...]
    newest: tuple[NodeSummary, ...]
    nodes: int
    titles: Mapping[str, NodeRef]
    lines: Mapping[str, ClaimRow]


def page(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """The morning report of the last run, as of today."""
    return TemplateResponse("home.html", desk.recall(("home", asked.today), lambda: _home(desk, asked.today)))


def _home(desk: PageContext, today: date) -> Home:
    table = desk.claim_table()
    report, found = _report(desk, table)
    turned, switched = ([one.change for one in found.turned], [one.change for one in found.switched])
    reported = {change.claim for change in (*turned, *switched)} | {name for one in found.news for name in one.claims}
    coming = [one for one in desk.coming(today) if one.claim not in reported]
    reported |= {change.claim for change in coming}
    lives = desk.brain.record.lives_of((change.claim for change in (*turned, *switched, *coming)), today)
    changes, sources = change_groups.since(table, turned, lives), change_groups.since(table, switched, lives)
    announced = change_groups.ahead(table, coming, lives)
    fragile = [one for one in found.fragile if one.claim not in reported]
    near = [one for one in _nearest(desk, table, today) if one.line.claim.id not in reported]
    near, open_rows = near[:NEAREST], ROWS - len(announced[:COMING]) - len(fragile[:FRAGILE])
    reported |= {one.line.claim.id for one in near}
    failing = sorted(_failing(table, today, reported), key=_order)
    ages = desk.ages(today)
    return Home(
        today=today,
        run=table.run,
        before=table.before,
        total=len(table.lines),
        counts=tuple(table.counts()),
        title=_title(table, len(report.changes) if report else 0),
        changed=changes,
        coming=announced[:COMING],
        coming_more=announced[COMING:],
        near=tuple(near[:open_rows]),
        near_more=tuple(near[open_rows:]),
        fragile=tuple(fragile[:FRAGILE]),
        fragile_total=len(fragile),
        failing=tuple(failing[:MOST_FAILING]),
        failing_counts=tuple(_by_verdict(failing)),
        audit=_audit(found),
        news=found.news,
        switched=sources,
        rules_changed=rules_changed(report) if report else "",
        without_note=report.without_note if report else (),
        silenced=tuple(line for line in table.lines.values() if line.silence is not None),
        aged=tuple(age_lines(report)) if report else (),
        catalogs=tuple(one for one in ages if one.kind == "catalog"),
        old_assumptions=tuple(one for one in ages if one.kind == "assumption" and one.state != "fresh"),
        newest=tuple(item for kind, limit in NEWEST for item in desk.brain.nodes.newest(kind, limit)),
        nodes=sum(desk.brain.nodes.count().values()),
        titles=desk.brain.nodes.refs(_notes((*changes, *sources, *announced), found.news)),
        lines=table.lines,
    )


def _notes(groups: Iterable[ChangeGroup], news: Iterable[Erratum]) -> list[str]:
    """The ids of the notes whose claims changed or will change, or have a new erratum."""
    return [*(change.node for group in groups for change in group.changes if change.node), *(one.node for one in news)]


def _report(desk: PageContext, claim_table: ClaimTable) -> tuple[Report | None, Morning]:
    """The report of the last run, and what the morning report says of it; nothing where there is no run."""
    if claim_table.run is None:
        return None, Morning(first=True, errata=Errata())
    lines = claim_table.lines.values()
    entries = tuple(ReportEntry(claim=line.claim, row=line.row) for line in lines if line.row is not None)
    report = desk.brain.reports.news(claim_table.run, claim_table.before, entries)
    return report, morning(report)


def _audit(found: Morning) -> str:
    """The number of errata in a sentence; the page has the link in place of the command."""
    return total(found.errata, len(found.news), first=found.first).partition(": brain errata")[0].rstrip(".") + "."


def _failing(table: ClaimTable, today: date, reported: set[str]) -> Iterator[FailingClaim]:
    for line in table.lines.values():
        if line.verdict not in PASSED and line.silence is None and line.claim.id not in reported:
            yield FailingClaim(line, (today - line.flag.first_seen).days if line.flag else None)


def _order(one: FailingClaim) -> tuple[bool, int, int, int, str]:
    """The most severe first, of these the latest, of these by verdict; last, what was perhaps never true."""
    severity = list(SEVERITIES).index(one.line.claim.severity)
    unknown = one.line.row is not None and one.line.row.cause is Cause.THEN_UNKNOWN
    verdict = ORDER.index(one.line.verdict) if one.line.verdict else len(ORDER)
    return unknown, severity, one.days or 0, verdict, one.line.claim.id


def _by_verdict(failing: Iterable[FailingClaim]) -> Iterator[tuple[VerdictName, int]]:
    counts = Counter(one.line.verdict for one in failing)
    return ((name, counts[name]) for name in ORDER if counts[name])


def _title(table: ClaimTable, changed: int) -> str:
    """What changed, in a few words; without a run before, how many figures hold."""
    if not table.lines:
        return "No claim has been written yet"
    if table.run is None:
        return "No run has checked the figures yet"
    if table.before is None:
        return f"{dict(table.counts())[VerdictName.HOLDS]:,} of {plural(len(table.lines), 'figure')} hold"
    same_day = table.before.as_of == table.run.as_of
    since = "the run before" if same_day else short_day(table.before.as_of)
    return f"{plural(changed, 'verdict')} changed since {since}" if changed else f"Nothing changed since {since}"


def _nearest(desk: PageContext, table: ClaimTable, today: date) -> list[NearClaim]:
    """Of the claims with the smallest margins, those that the smallest change of one input would make fail."""
    room = [(line.room, line.claim.id, line) for line in table.lines.values() if line.room is not None]
    narrow = [line for _, _, line in sorted(room, key=lambda entry: entry[:2])[:LOOKED_AT]]
    found = [
        NearClaim(line, flip)
        for line in narrow
        if (flip := least_change(desk.brain.evaluator.explain(line.claim.id, today))) is not None
    ]
    return sorted(found, key=lambda near: (abs(near.flip.change), near.line.claim.id))
