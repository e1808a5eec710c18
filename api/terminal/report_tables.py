"""The morning report in a terminal, and the other views of the ledger."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date
from typing import TYPE_CHECKING

from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from api.terminal.figure_text import figure, many
from api.terminal.fitted_table import Column, FittedTable
from api.terminal.verdict_tables import STYLES, quoted, word
from compute.prices.data_freshness import Freshness, grouped
from compute.ranges.range_text import FRAGILE
from compute.reports.errata import Errata, Erratum
from compute.reports.morning import (
    FIRST_LISTED,
    MOST_LISTED,
    MOST_UNPLACED,
    ChangedClaim,
    Morning,
    age_lines,
    computed,
    fragility,
    morning,
    rules_changed,
    total,
    unchanged,
    whose,
    without_note,
)
from compute.reports.report_model import ORDER, FragileClaim, NearestChange, Report, ReportEntry
from graph.models.alert_models import Acknowledgement, Silence
from graph.models.claim_models import VerdictName
from graph.models.verdict_change import VerdictChange
from graph.models.verdict_models import Run, VerdictRow

if TYPE_CHECKING:
    from api.services.claim_evaluator import Rerun
    from api.services.claim_status import ClaimStatus, RunChanges
    from compute.impact.note_health import Health
    from compute.runs.nightly_job import FolderRead, Night
    from compute.verify.scenarios import Outcome

TOLD = (
    VerdictName.ERROR,
    VerdictName.STALE,
    VerdictName.DEPENDS,
    VerdictName.CONFLICTING,
    VerdictName.UNVERIFIABLE,
)
"""Verdicts that the complete list shows with their reasons; refuted claims are only listed."""


def morning_report(report: Report, *, everything: bool = False) -> RenderableType:
    """Prices, then the audit of sources; with `everything` also every claim by verdict."""
    found = morning(report)
    parts: list[RenderableType] = [_head(report.run), counts(report.run.counts)]
    parts += [Text(f"  {report.watch}", style="dim")] if report.watch else []
    parts += [Text(f"  {note}", style="yellow") for note in report.run.notes]
    parts += [_section("Prices", _prices(report, found)), _section("Audit of sources", _audit(found))]
    if said := without_note(report):
        parts.append(_section("Claims without a note", _without_note(report, said)))
    if told := age_lines(report):
        parts.append(_section("Age of the prices", Group(*(Text(one) for one in told))))
    return Group(*parts, *(_complete(report) if everything else ()))


def _prices(report: Report, found: Morning) -> RenderableType:
    """What changed, what will, what is fragile and what is near to a change."""
    told = [one for one in (unchanged(report, found), rules_changed(report)) if one]
    parts: list[RenderableType] = [Text(one) for one in told]
    if found.added:
        parts.append(Text.assemble("new claims:", counts(found.added)))
    parts += _list(f"turned{'' if report.run.id else ' in this trial'}", [_changed_claim(one) for one in found.turned])
    parts += _list("not holding now, the most severe", [_failing(one) for one in found.failing])
    most = FIRST_LISTED if found.first else MOST_LISTED
    parts += _list("will turn, by prices already announced", [_coming(one) for one in found.coming], most)
    parts += _list("fragile", [_fragile(one) for one in found.fragile], most)
    if not found.first:
        parts += _list("nearest to turning", [_nearest(one) for one in found.near[:MOST_LISTED]], counted=False)
    return Group(*(parts or [Text("no claims yet")]))


def _audit(found: Morning) -> RenderableType:
    """Errata when they are new, then their number, and sources that answer in place of others."""
    parts: list[RenderableType] = [Text(total(found.errata, len(found.news), first=found.first))]
    parts += _list("the most severe" if found.first else "new", [_erratum(one) for one in found.news], counted=False)
    parts += _list("another source answers than before", [_changed_claim(one) for one in found.switched])
    return Group(*parts)


def _without_note(report: Report, said: str) -> RenderableType:
    """The claims on notes that do not exist, and where their texts are."""
    named = [Text.assemble((one.claim, "bold"), f"  {one.words}") for one in report.without_note]
    return Group(Text(said), *_list("correct their `node`, or ingest the note", named, MOST_UNPLACED, counted=False))


def _list(
    title: str, items: Sequence[RenderableType], most: int | None = None, *, counted: bool = True
) -> Iterator[RenderableType]:
    """A list under a title; nothing where it is empty."""
    if not items:
        return
    yield Text(f"{title} ({len(items)})" if counted else title, style="bold")
    yield from (Padding(item, (0, 0, 0, 2)) for item in items[:most])
    if most and len(items) > most:
        yield Text(f"  and {len(items) - most} more (--all)", style="dim")


def _changed_claim(one: ChangedClaim) -> RenderableType:
    """A claim that changed, with its words and its reason in full."""
    head = Text.assemble(*_word_pair(one.change), "  ", (one.change.claim, "bold"), "  ", one.facts)
    words = Text(f"  “{one.change.words}”", style="italic")
    return Group(head, words, Text(f"  {one.change.reason}")) if one.change.reason else Group(head, words)


def _word_pair(change: VerdictChange) -> Iterator[Text]:
    before, arrow, after = _before_after(change)
    yield from (before, Text(" "), arrow, Text(" "), after)


def _coming(one: ChangedClaim) -> RenderableType:
    head = Text.assemble(f"{one.change.on or ''}  ", *_word_pair(one.change), "  ", (one.change.claim, "bold"))
    return Group(_OneLine(head.append(f"  {one.facts}")), _words(one.change.words))


def _failing(entry: ReportEntry) -> RenderableType:
    head = Text.assemble(
        word(entry.row.verdict), "  ", (entry.claim.id, "bold"), f"  {entry.value}, expected {entry.expectation_text}"
    )
    return Group(_OneLine(head), _words(entry.claim.quote or entry.claim.says))


def _fragile(one: FragileClaim) -> RenderableType:
    return Group(_OneLine(Text.assemble((one.claim, "bold"), f"  {fragility(one)}")), _words(one.words))


def _nearest(one: NearestChange) -> RenderableType:
    told = f"  {one.when}, now {figure(one.now, one.unit)}: {one.moves_in_words}"
    return _OneLine(Text.assemble((one.claim, "bold"), told))


def _erratum(one: Erratum, *, full: bool = False) -> RenderableType:
    head = Text.assemble((one.root, "bold"), f"  {computed(one)}; {whose(one)}")
    return Group(head, Text(f"  “{one.words}”", style="italic")) if full else Group(_OneLine(head), _words(one.words))


def _words(text: str) -> RenderableType:
    return _OneLine(Text(f"  “{text}”", style="italic"))


class _OneLine:
    """A text on one line, cut at the width of the screen; a file gets it whole."""

    def __init__(self, text: Text) -> None:
        self._text = text

    def __rich_console__(self, console: Console, _options: ConsoleOptions) -> Iterator[Text]:
        text = self._text.copy()
        if console.is_terminal:
            text.no_wrap, text.overflow = True, "ellipsis"
        yield text


def _complete(report: Report) -> Iterator[RenderableType]:
    """Every coming change, fragile claim, claim by verdict, and the age of all data."""
    if report.coming:
        yield _section("will turn, by prices already announced", _change_table(report.coming))
    if report.fragile:
        yield _section(f"fragile ({len(report.fragile)})", Group(*(_fragile(one) for one in report.fragile)))
    for name in TOLD:
        if found := report.of(name):
            yield _section(f"{name.value} ({len(found)})", _reasons(sorted(found, key=_weight)))
    if never := report.of(VerdictName.REFUTED):
        title = f"refuted ({len(never)}): never true; brain explain ID says why"
        yield _section(title, _listing(sorted(never, key=_weight)))
    if report.near:
        yield _section("hold, nearest to turning first", _near(report.near))
    if report.ages:
        yield _section("how old the data are", _ages(report.ages))


def errata_list(found: Errata) -> RenderableType:
    """Every erratum with its words, its place and the claims that see it; then the contradictions between texts."""
    if not found.items and not found.contradictions:
        return Text("no figure of a source is wrong")
    parts = [_erratum_in_full(one) for one in found.items]
    if found.contradictions:
        parts.append(Text(f"figures of texts differ ({len(found.contradictions)})\n", style="bold"))
    return Group(*parts, *(_erratum_in_full(one) for one in found.contradictions))


def _erratum_in_full(one: Erratum) -> RenderableType:
    place = f"{one.document}:{one.line}" if one.document and one.line else one.document or ""
    where = [f"in {one.node}", place, f"found on {one.since} (run {one.run})" if one.since else ""]
    others = [f"found by {', '.join(one.claims)}"] if len(one.claims) > 1 else []
    lines = [", ".join(part for part in where if part), *([one.source] if one.source else []), *others]
    return Group(_erratum(one, full=True), *(Text(f"  {line}", style="dim") for line in lines), Text(""))


def _head(run: Run) -> Text:
    made = f"run {run.id}, prices {run.snapshot[:12]}" if run.id else "a trial"
    return Text.assemble(("Morning report", "bold"), f" for {run.as_of} · {_many(run)} · {made}")


def _many(run: Run) -> str:
    count = sum(run.counts.values())
    return f"{count:,} claim{'s' if count != 1 else ''}"


def counts(found: Mapping[str, int]) -> Text:
    """The numbers of verdicts, each with its word."""
    shown = [(name, found.get(name.value, 0)) for name in reversed(ORDER)]
    parts = [(f"  {count} {name.value}", STYLES[name]) for name, count in shown if count]
    return (
        Text.assemble(*parts)
        if parts
        else Text("  no claims yet: ingest a file of claims (content/README.md shows one)")
    )


def _section(title: str, body: RenderableType) -> RenderableType:
    return Group(Text(""), Text(title, style="bold"), Padding(body, (0, 2)))


def _change_table(changes: Iterable[VerdictChange]) -> FittedTable:
    columns = (Column("day"), Column("before"), Column("→"), Column("after"), Column("claim", prose=True))
    table = FittedTable(columns, header=False)
    for change in changes:
        told = Text.assemble((change.claim, "bold"), f"  {change.reason}")
        table.add_row(Text(str(change.on or "")), *_before_after(change), told)
    return table


def _before_after(change: VerdictChange) -> tuple[Text, Text, Text]:
    before = word(change.before) if change.before else Text("new", style="dim")
    after = word(change.after) if change.after else Text("gone", style="dim")
    return before, Text("→"), after


def _reasons(entries: Iterable[ReportEntry]) -> RenderableType:
    parts: list[RenderableType] = []
    for entry in entries:
        claim = entry.claim
        parts.append(Text.assemble((claim.id, "bold"), (f"  {entry.severity.value}, on {claim.node}", "dim")))
        parts += [Text(claim.says, style="italic"), Text(entry.row.reason + "\n")]
    return Group(*parts)


def _near(found: Iterable[NearestChange]) -> FittedTable:
    table = FittedTable(
        (
            Column("claim"),
            Column("changes when", prose=True),
            Column("now", prose=True, said=True),
            Column("a change of", "right", said=True),
        )
    )
    for one in found:
        table.add_row(one.claim, one.when, figure(one.now, one.unit), one.moves)
    return table


def _weight(entry: ReportEntry) -> tuple[bool, int]:
    return entry.order


def _listing(entries: Iterable[ReportEntry]) -> FittedTable:
    numbers = (
        Column("value", "right"),
        Column("expected", prose=True, said=True),
        Column("margin", "right", said=True),
    )
    table = FittedTable((Column("claim"), *numbers))
    for entry in entries:
        row = entry.row
        margin = figure(row.margin, row.unit.replace("%", "pp"))
        table.add_row(entry.claim.id, entry.value, entry.expectation_text, margin)
    return table


def _ages(ages: Iterable[Freshness]) -> Table:
    """Catalogues and assumptions in one line for each state and day, the oldest news first."""
    table = Table.grid(padding=(0, 2))
    for title in ("state", "checked", "names"):
        table.add_column(no_wrap=title != "names")
    for group in grouped(ages):
        style = "" if group.state == "fresh" else "yellow"
        table.add_row(Text(group.state, style=style), group.check_text, f"{group.kind}: {', '.join(group.names)}")
    return table


def states(found: Iterable[ClaimStatus]) -> FittedTable:
    """Claims with their last verdict."""
    table = FittedTable((Column("verdict"), Column("claim"), Column("value", "right"), Column("says", prose=True)))
    for state in found:
        verdict = word(state.verdict) if state.verdict else Text("not yet", style="dim")
        if state.fragile:
            verdict = Text.assemble(verdict, " ", (FRAGILE, "yellow"))
        if not state.checked and state.verdict is not VerdictName.UNVERIFIABLE:
            verdict = Text.assemble(verdict, ("\nnot checked again", "dim"))
        says = Text(state.says)
        if state.quote is not None:
            says.append("\n").append(quoted(state.quote))
        table.add_row(verdict, state.id, figure(state.value, state.unit), says)
    return table


def shares(found: Report) -> FittedTable:
    """The claims with ranges, those that hold in the least of them first."""
    told = tuple(Column(title, "right", said=True) for title in ("5th percentile", "median", "95th percentile"))
    columns = (Column("holds in", "right", said=True), Column("verdict"), Column("claim", prose=True), *told)
    table = FittedTable(columns, title="within the stated ranges")
    entries = ((entry, entry.row.robust) for entry in found.entries)
    ranged = [(entry.row, robust) for entry, robust in entries if robust is not None]
    for row, robust in sorted(ranged, key=lambda one: (one[1].share, one[0].claim)):
        values = (figure(value, row.unit) for value in (robust.p05, robust.p50, robust.p95))
        verdict = Text.assemble(word(row.verdict), (f" {FRAGILE}" if robust.fragile else "", "yellow"))
        table.add_row(figure(robust.share * 100, "%"), verdict, row.claim, *values)
    return table


def runs(found: Sequence[Run], rows: Sequence[VerdictRow]) -> RenderableType:
    """Runs, or one run with its rows."""
    told = tuple(Column(title, said=True) for title in ("for", "made", "code", "prices"))
    table = FittedTable((Column("run", "right", said=True), *told, Column("verdicts", prose=True)))
    for run in found:
        made = f"{run.started_at:%Y-%m-%d %H:%M:%S}"
        verdicts = counts(run.counts) if run.counts else Text("  no claims", style="dim")
        table.add_row(str(run.id), str(run.as_of), made, run.code, run.snapshot[:12], verdicts)
    columns = (Column("verdict"), Column("claim"), Column("value"), Column("reason", prose=True))
    detail = FittedTable(columns, header=False)
    for row in rows:
        detail.add_row(word(row.verdict), row.claim, figure(row.value, row.unit), Text(row.reason, style="dim"))
    return Group(table, detail) if rows else table


def changes(found: Iterable[RunChanges]) -> RenderableType:
    """Changed verdicts, run by run."""
    parts = [_section(f"run {one.run} for {one.as_of}", _change_table(one.changes)) for one in found]
    return Group(*parts) if parts else Text("no verdict has changed")


def rerun(found: Rerun) -> RenderableType:
    """An old run computed again."""
    if found.same is None:
        version = f"version {found.rules} of the rules for verdicts, which this program no longer has"
        return Text(f"run {found.run} was made by {version}: it is kept as it was, and not computed again")
    if found.same:
        return Text(
            f"run {found.run}: {found.claims} verdicts computed again, all the same byte for byte", style="green"
        )
    parts: list[RenderableType] = [Text(f"run {found.run}: {len(found.differences)} verdicts differ", style="bold red")]
    parts += [Text(f"  {one.claim}\n    stored {one.kept}\n    again  {one.again}") for one in found.differences]
    return Group(*parts)


def scenarios(found: Iterable[Outcome]) -> RenderableType:
    """What each scenario changes."""
    parts: list[RenderableType] = []
    for one in found:
        parts.append(Text.assemble((one.scenario, "bold"), f"  {one.says}"))
        table = Table.grid(padding=(0, 2))
        for turn in one.turned:
            values = f"{figure(turn.value_before, turn.unit)} → {figure(turn.value_after, turn.unit)}"
            table.add_row("", *_before_after(turn), Text(turn.claim, style="bold"), values)
        parts += [table, Text(f"  {len(one.turned)} turn, {one.moved} move, {one.same} stay\n", style="dim")]
    return Group(*parts) if parts else Text("no scenario")


def health(found: Health) -> RenderableType:
    """The health of a node with the path that made it so."""
    parts: list[RenderableType] = [Text.assemble((found.node, "bold"), f"  {found.state.value}")]
    if found.reason:
        parts.append(Text(f"  {found.reason}"))
    for step, name in enumerate(found.path[1:], 1):
        parts.append(Text("  " * step + "depends on " + name))
    if found.claim:
        parts.append(Text("  " * len(found.path) + f"whose claim {found.claim} is {found.verdict or 'not checked'}"))
    return Group(*parts)


def night(found: Night, outcome: str) -> RenderableType:
    """What a night did, in a few lines; the report of its run has the verdicts and the notes."""
    lines = [Text.assemble(("Night of ", "bold"), (str(found.run.as_of), "bold"), f"  run {found.run.id}  {outcome}")]
    prices = f"{many(found.changes, 'price')} changed" if found.changes or not found.unrefreshed else ""
    if found.resumed_at:
        lines.append(Text(f"  it began at {found.started_at:%H:%M}, was interrupted, and went on where it was"))
    lines += [
        *(Text(f"  {folder.path}: {_folder(folder)}") for folder in found.folders),
        Text(f"  prices: {'; '.join(filter(None, (prices, found.unrefreshed)))}"),
        Text(f"  notices: {found.notices} written, {_sent(found)}"),
        *(Text(f"  {one}", style="dim") for one in found.acknowledged),
    ]
    return Group(*lines)


def _sent(found: Night) -> str:
    """What became of the notices, and from when on a night sends those that are pending."""
    if not found.receivers:
        return "sent to nobody: no receiver is set; BRAIN_WEBHOOK_URL names one"
    delivery = found.delivery
    said = f"{delivery.delivered} delivered, {delivery.failed} failed, {delivery.given_up} given up"
    said += f", {delivery.waiting} waiting" if delivery.waiting else ""
    if delivery.next_try is None:
        return said
    return f"{said}; a night tries again from {delivery.next_try.astimezone(UTC):%Y-%m-%d %H:%M} UTC on"


def _folder(folder: FolderRead) -> str:
    """What became of the documents of a folder of the library."""
    if folder.failed:
        return f"not read: {folder.failed}"
    counted = ("new", "changed", "moved", "removed")
    told = [
        many(folder.documents, "document"),
        *(f"{getattr(folder, one)} {one}" for one in counted if getattr(folder, one)),
    ]
    if folder.left_out:
        told.append(f"{len(folder.left_out)} left out because of errors ({', '.join(folder.left_out[:5])})")
    if folder.kept:
        told.append(f"{len(folder.kept)} kept though their files are gone ({', '.join(folder.kept[:5])})")
    return ", ".join(told)


def acknowledgements(found: Iterable[Acknowledgement]) -> RenderableType:
    """Acknowledgements, those that are over in grey."""
    days = (Column("from", said=True), Column("until", said=True), Column("state"))
    named = (Column("claim"), Column("verdict"), Column("by", said=True))
    table = FittedTable((*named, *days, Column("comment", prose=True)))
    for one in found:
        style = "" if one.state == "active" else "dim"
        cells = (one.claim, one.verdict or "–", one.by, str(one.since), str(one.until), one.state, one.comment)
        table.add_row(*cells, style=style)
    return table if table.row_count else Text("no acknowledgements")


def silences(found: Iterable[Silence], on: date) -> RenderableType:
    """Silences, those that have run out in grey."""
    told = (Column("keeps back", prose=True, said=True), Column("from", said=True), Column("until", said=True))
    table = FittedTable((Column("silence", prose=True), *told, Column("reason", prose=True)))
    for one in found:
        over = one.until is not None and one.until <= on
        what = f"claim {one.claim}" if one.claim else f"tag {one.tag}"
        table.add_row(one.id, what, str(one.since), str(one.until or "–"), one.reason, style="dim" if over else "")
    return table if table.row_count else Text("no silences")
