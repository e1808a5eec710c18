"""The morning report: prices first (what changed, fails, will change, is fragile), then the audit of sources.

The lists are those of `compute.reports.morning`, which the terminal and the files show too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from api.pages.render.figure_format import plural
from api.pages.render.verdict_signs import SEVERITIES
from api.pages.request.page_request import PageRequest, TemplateResponse
from api.pages.views.claim_table import ClaimRow, ClaimTable, PageContext
from compute.impact.nearest_changes import least_change
from compute.prices.data_freshness import Freshness
from compute.reports.errata import Errata, Erratum
from compute.reports.morning import Morning, age_lines, morning, rules_changed, total
from compute.reports.report_model import ORDER, FragileClaim, Report, ReportEntry
from compute.reports.report_model import NearestChange as Turn
from graph.models.claim_models import ClaimSeverity, VerdictName
from graph.models.node_models import Kind
from graph.models.query_models import NodeRef, NodeSummary
from graph.models.verdict_change import VerdictChange
from graph.models.verdict_models import Run

NEAREST = 5
NEWEST = ((Kind.THESIS, 3), (Kind.READING, 5))
"""How many of the newest nodes of which kind; terms come by the hundred and are no news."""

LEAST_FLAGS, MOST_FLAGS = 4, 8
"""The page shows as many failing claims per severity as have changed, within these bounds."""

NEWS = (None, *(name for name in ORDER if name is not VerdictName.REFUTED), VerdictName.REFUTED)
"""Verdicts by how much news they are: what never was true is the least."""

PASSED = frozenset({None, VerdictName.HOLDS, VerdictName.REFUTED})
"""Verdicts that the list of failing claims leaves out; refuted ones are in the audit of sources."""

LOOKED_AT = 24
"""So many claims with little room are looked at, for the few that the smallest change would turn."""


@dataclass(frozen=True, slots=True)
class Flagged:
    """A failing claim, with the number of days since that was first found."""

    line: ClaimRow
    days: int | None

    @property
    def since(self) -> date | None:
        """The day on which a run first found it."""
        return self.line.flag.first_seen if self.line.flag else None


@dataclass(frozen=True, slots=True)
class Group:
    """The failing claims of one severity: the latest of them, and how many there are."""

    severity: ClaimSeverity
    flagged: tuple[Flagged, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Near:
    """A claim that holds, and the smallest change of one input that would turn it."""

    line: ClaimRow
    flip: Turn


@dataclass(frozen=True, slots=True)
class Home:
    """The page. `flags` are grouped by severity, most severe first; `silenced` are claims without notices."""

    today: date
    run: Run | None
    before: Run | None
    total: int
    counts: tuple[tuple[VerdictName, int], ...]
    headline: str
    changed: tuple[VerdictChange, ...]
    switched: tuple[VerdictChange, ...]
    news: tuple[Erratum, ...]
    audit: str
    rules_changed: str
    fragile: tuple[FragileClaim, ...]
    fragile_total: int
    aged: tuple[str, ...]
    flags: tuple[Group, ...]
    silenced: tuple[ClaimRow, ...]
    near: tuple[Near, ...]
    coming: tuple[VerdictChange, ...]
    catalogs: tuple[Freshness, ...]
    old_assumptions: tuple[Freshness, ...]
    newest: tuple[NodeSummary, ...]
    nodes: int
    titles: Mapping[str, NodeRef]
    lines: Mapping[str, ClaimRow]


def page(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """The morning report of the last run, as of today."""
    claim_table = desk.claim_table()
    report, found = desk.recall(("report", asked.today), lambda: _report(desk, claim_table))
    groups = tuple(_groups(sorted(_failing(claim_table, asked.today), key=_order)))
    newest = [item for kind, limit in NEWEST for item in desk.brain.nodes.newest(kind, limit)]
    ages = desk.ages(asked.today)
    near = desk.recall(("near", asked.today), lambda: tuple(_nearest(desk, claim_table, asked.today)))
    changed = tuple(one.change for one in found.turned)
    told = {change.claim for change in changed}
    model = Home(
        today=asked.today,
        run=claim_table.run,
        before=claim_table.before,
        total=len(claim_table.lines),
        counts=tuple(claim_table.counts()),
        headline=_headline(claim_table, len(report.changes) if report else 0),
        changed=changed,
        switched=tuple(one.change for one in found.switched),
        news=found.news,
        audit=_audit(found),
        rules_changed=rules_changed(report) if report else "",
        fragile=found.fragile[:NEAREST],
        fragile_total=len(found.fragile),
        aged=tuple(age_lines(report)) if report else (),
        flags=groups,
        silenced=tuple(line for line in claim_table.lines.values() if line.silence is not None),
        near=tuple(one for one in near if one.line.claim.id not in told),
        coming=tuple(one for one in desk.coming(asked.today) if one.claim not in told),
        catalogs=tuple(one for one in ages if one.kind == "catalog"),
        old_assumptions=tuple(one for one in ages if one.kind == "assumption" and one.state != "fresh"),
        newest=tuple(newest),
        nodes=sum(desk.recall("counts", desk.brain.nodes.count).values()),
        titles=desk.brain.nodes.refs(
            [
                *(flagged.line.claim.node for group in groups for flagged in group.flagged),
                *(
                    claim_table.lines[change.claim].claim.node
                    for change in changed
                    if change.claim in claim_table.lines
                ),
            ]
        ),
        lines=claim_table.lines,
    )
    return TemplateResponse("home.html", model)


def _report(desk: PageContext, claim_table: ClaimTable) -> tuple[Report | None, Morning]:
    """The report of the last run, and what the morning report says of it; nothing where there is no run."""
    if claim_table.run is None:
        return None, Morning(first=True, errata=Errata())
    lines = claim_table.lines.values()
    entries = tuple(ReportEntry(claim=line.claim, row=line.row) for line in lines if line.row is not None)
    report = desk.brain.evaluator.news(claim_table.run, claim_table.before, entries)
    return report, morning(report)


def _audit(found: Morning) -> str:
    """The number of errata in a sentence; the page has the link in place of the command."""
    return total(found.errata, len(found.news), first=found.first).partition(": brain errata")[0].rstrip(".") + "."


def _failing(claim_table: ClaimTable, today: date) -> Iterator[Flagged]:
    for line in claim_table.lines.values():
        if line.verdict not in PASSED and line.silence is None:
            yield Flagged(line, (today - line.flag.first_seen).days if line.flag else None)


def _order(flagged: Flagged) -> tuple[int, int, str]:
    """Latest first; on one day, changed verdicts before claims that were never true."""
    return (flagged.days or 0, NEWS.index(flagged.line.verdict), flagged.line.claim.id)


def _groups(failing: Sequence[Flagged]) -> Iterator[Group]:
    for severity in SEVERITIES:
        mine = [flagged for flagged in failing if flagged.line.claim.severity is severity]
        if mine:
            changed = sum(flagged.line.verdict is not VerdictName.REFUTED for flagged in mine)
            yield Group(severity, tuple(mine[: min(MOST_FLAGS, max(LEAST_FLAGS, changed))]), len(mine))


def _headline(claim_table: ClaimTable, changed: int) -> str:
    """The report in a sentence or two: first what changed, then how many figures hold."""
    if not claim_table.lines:
        return "No claim has been written yet."
    if claim_table.run is None:
        return f"{plural(len(claim_table.lines), 'figure')} to check, and no run has checked them yet."
    counts = dict(claim_table.counts())
    holding = counts[VerdictName.HOLDS]
    unknown = counts[VerdictName.UNVERIFIABLE] + sum(line.verdict is None for line in claim_table.lines.values())
    failing = len(claim_table.lines) - holding - unknown
    news = (
        f"{plural(changed, 'verdict') if changed else 'Nothing'} changed since the previous run. "
        if claim_table.before
        else ""
    )
    rest = f", {unknown:,} cannot be checked" if unknown else ""
    return f"{news}{holding:,} of {plural(len(claim_table.lines), 'figure')} hold, {failing:,} do not{rest}."


def _nearest(desk: PageContext, claim_table: ClaimTable, today: date) -> list[Near]:
    """Of the claims with the least room, those that the smallest change of a price or an assumption would turn."""
    room = [(line.room, line.claim.id, line) for line in claim_table.lines.values() if line.room is not None]
    narrow = [line for _, _, line in sorted(room, key=lambda entry: entry[:2])[:LOOKED_AT]]
    found = [
        Near(line, flip) for line in narrow if (flip := least_change(desk.explain(line.claim.id, today))) is not None
    ]
    return sorted(found, key=lambda near: (abs(near.flip.change), near.line.claim.id))[:NEAREST]
