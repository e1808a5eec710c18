"""The morning report in a terminal, the night before it, errata, and the record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC
from decimal import Decimal
from typing import TYPE_CHECKING

from rich.console import Console, ConsoleOptions, Group, RenderableType, group
from rich.padding import Padding
from rich.text import Text

from api.terminal.tables import figure, many, section, table
from api.terminal.verdict_tables import before_after, change_table, counts, word
from compute.prices.data_freshness import grouped
from compute.record.record import DAYS, BrokenFigure, Record, RecordGroup
from compute.record.record_text import basis_text, moves_text, percent
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
from compute.reports.report_model import Report, ReportEntry
from graph.models.claim_models import VerdictName

if TYPE_CHECKING:
    from compute.runs.nightly_job import FolderRead, Night

TOLD = (VerdictName.ERROR, VerdictName.STALE, VerdictName.DEPENDS, VerdictName.CONFLICTING, VerdictName.UNVERIFIABLE)
"""Verdicts that the complete list shows with their reasons; refuted claims are only listed."""


@group()
def morning_report(report: Report, *, everything: bool = False) -> Iterator[RenderableType]:
    """Prices, then the audit of sources; with `everything` also every claim by verdict."""
    found, run = morning(report), report.run
    made = f"run {run.id}, prices {run.snapshot[:12]}" if run.id else "a trial"
    claims = many(sum(run.counts.values()), "claim")
    yield Text.assemble(("Morning report", "bold"), f" for {run.as_of} · {claims} · {made}")
    yield counts(run.counts)
    if report.watch:
        yield Text(f"  {report.watch}", style="dim")
    yield from (Text(f"  {note}", style="yellow") for note in run.notes)
    yield from section("Prices", Group(*_prices(report, found) or [Text("no claims yet")]))
    yield from section("Audit of sources", Group(*_audit(found)))
    if said := without_note(report):
        named = [_line(one.claim, one.words) for one in report.without_note]
        listed = _list("correct their `node`, or ingest the note", named, MOST_UNPLACED, counted=False)
        yield from section("Claims without a note", Group(Text(said), *listed))
    if told := age_lines(report):
        yield from section("Age of the prices", Group(*map(Text, told)))
    yield from _complete(report) if everything else ()


def _prices(report: Report, found: Morning) -> list[RenderableType]:
    """What changed, what will, what is fragile and what is near to a change."""
    most = FIRST_LISTED if found.first else MOST_LISTED
    parts: list[RenderableType] = [Text(one) for one in (unchanged(report, found), rules_changed(report)) if one]
    if found.added:
        parts.append(Text.assemble("new claims:", counts(found.added)))
    parts += _list(f"turned{'' if report.run.id else ' in this trial'}", [_changed_claim(one) for one in found.turned])
    parts += _list("not holding now, the most severe", [_failing(one) for one in found.failing])
    parts += _list("will turn, by prices already announced", [_coming(one) for one in found.coming], most)
    fragile = [_line(one.claim, fragility(one), one.words) for one in found.fragile]
    parts += _list("fragile", fragile, most)
    if not found.first:
        near = [
            _line(one.claim, f"{one.when}, now {figure(one.now, one.unit)}: {one.moves_in_words}") for one in found.near
        ]
        parts += _list("nearest to turning", near[:MOST_LISTED], counted=False)
    return parts


def _audit(found: Morning) -> Iterator[RenderableType]:
    """New errata, the number of all, and sources that replaced others."""
    yield Text(total(found.errata, len(found.news), first=found.first))
    news = [_line(one.root, f"{computed(one)}; {whose(one)}", one.words) for one in found.news]
    yield from _list("the most severe" if found.first else "new", news, counted=False)
    yield from _list("another source answers than before", [_changed_claim(one) for one in found.switched])


def _list(
    title: str, items: Sequence[RenderableType], most: int | None = None, *, counted: bool = True
) -> Iterator[RenderableType]:
    """A list under a title; nothing where it is empty."""
    if items:
        yield Text(f"{title} ({len(items)})" if counted else title, style="bold")
        yield from (Padding(item, (0, 0, 0, 2)) for item in items[:most])
    if most and len(items) > most:
        yield Text(f"  and {len(items) - most} more (--all)", style="dim")


def _changed_claim(one: ChangedClaim) -> RenderableType:
    """A claim that changed, with its words and its reason in full."""
    head = _head(*before_after(one.change), one.change.claim, one.facts)
    reason = [Text(f"  {one.change.reason}")] if one.change.reason else []
    return Group(head, Text(f"  “{one.change.words}”", style="italic"), *reason)


def _head(before: Text, arrow: Text, after: Text, claim: str, facts: str) -> Text:
    return Text.assemble(before, " ", arrow, " ", after, "  ", (claim, "bold"), "  ", facts)


def _coming(one: ChangedClaim) -> RenderableType:
    head = Text.assemble(f"{one.change.on or ''}  ", _head(*before_after(one.change), one.change.claim, one.facts))
    return Group(_OneLine(head), _words(one.change.words))


def _failing(entry: ReportEntry) -> RenderableType:
    told = f"  {entry.value}, expected {entry.expectation_text}"
    head = Text.assemble(word(entry.row.verdict), "  ", (entry.claim.id, "bold"), told)
    return Group(_OneLine(head), _words(entry.claim.quote or entry.claim.says))


def _line(name: str, told: str, words: str = "") -> RenderableType:
    """A name with its text on one line, then the quoted words."""
    head = _OneLine(Text.assemble((name, "bold"), f"  {told}"))
    return Group(head, _words(words)) if words else head


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
        yield from section("will turn, by prices already announced", change_table(report.coming))
    if report.fragile:
        fragile = (_line(one.claim, fragility(one), one.words) for one in report.fragile)
        yield from section(f"fragile ({len(report.fragile)})", Group(*fragile))
    for name in TOLD:
        if found := report.of(name):
            reasons = (_reason(one) for one in sorted(found, key=lambda one: one.order))
            yield from section(f"{name.value} ({len(found)})", Group(*reasons))
    if never := report.of(VerdictName.REFUTED):
        rows = (_refuted(one) for one in sorted(never, key=lambda one: one.order))
        title = f"refuted ({len(never)}): never true; brain explain ID says why"
        yield from section(title, table("claim | value> | expected~= | margin>=", rows))
    if report.near:
        near = ((one.claim, one.when, figure(one.now, one.unit), one.moves) for one in report.near)
        titles = "claim | changes when~ | now~= | a change of>="
        yield from section("hold, nearest to turning first", table(titles, near))
    if report.ages:
        ages = (
            (Text(one.state, "" if one.state == "fresh" else "yellow"), one.check_text,
             f"{one.kind}: {', '.join(one.names)}")
            for one in grouped(report.ages)
        )  # fmt: skip
        yield from section("how old the data are", table("state | checked | names~", ages, header=False))


def _reason(entry: ReportEntry) -> RenderableType:
    claim = entry.claim
    head = Text.assemble((claim.id, "bold"), (f"  {entry.severity.value}, on {claim.node}", "dim"))
    return Group(head, Text(claim.says, style="italic"), Text(entry.row.reason + "\n"))


def _refuted(entry: ReportEntry) -> Sequence[str]:
    margin = figure(entry.row.margin, entry.row.unit.replace("%", "pp"))
    return entry.claim.id, entry.value, entry.expectation_text, margin


@group()
def errata_list(found: Errata) -> Iterator[RenderableType]:
    """Every erratum with words, place and claims; then contradictions between texts."""
    if not found.items and not found.contradictions:
        yield Text("no figure of a source is wrong")
    yield from map(_erratum, found.items)
    if found.contradictions:
        yield Text(f"figures of texts differ ({len(found.contradictions)})\n", style="bold")
    yield from map(_erratum, found.contradictions)


def _erratum(one: Erratum) -> RenderableType:
    place = f"{one.document}:{one.line}" if one.document and one.line else one.document or ""
    where = [f"in {one.node}", place, f"found on {one.since} (run {one.run})" if one.since else ""]
    others = [f"found by {', '.join(one.claims)}"] if len(one.claims) > 1 else []
    lines = [", ".join(part for part in where if part), *([one.source] if one.source else []), *others]
    head = Text.assemble((one.root, "bold"), f"  {computed(one)}; {whose(one)}\n", (f"  “{one.words}”", "italic"))
    return Group(head, *(Text(f"  {line}", style="dim") for line in lines), Text(""))


@group()
def night(found: Night, outcome: str) -> Iterator[RenderableType]:
    """What a night did, in a few lines, without its report."""
    yield Text.assemble((f"Night of {found.run.as_of}", "bold"), f"  run {found.run.id}  {outcome}")
    if found.resumed_at:
        yield Text(f"  it began at {found.started_at:%H:%M}, was interrupted, and went on where it was")
    prices = f"{many(found.changes, 'price')} changed" if found.changes or not found.unrefreshed else ""
    yield from (Text(f"  {folder.path}: {_folder(folder)}") for folder in found.folders)
    yield Text(f"  prices: {'; '.join(filter(None, (prices, found.unrefreshed, *found.list_notes)))}")
    yield Text(f"  notices: {found.notices} written, {_sent(found)}")
    yield from (Text(f"  {one}", style="dim") for one in found.acknowledged)


def _sent(found: Night) -> str:
    """How many notices were delivered, and when the others are due."""
    if not found.receivers:
        return "not sent: no receiver is set; BRAIN_WEBHOOK_URL names one"
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
    counted = ((count, one) for one in ("new", "changed", "moved", "removed") if (count := getattr(folder, one)))
    told = [many(folder.documents, "document"), *(f"{count} {one}" for count, one in counted)]
    if folder.left_out:
        told.append(f"{len(folder.left_out)} left out because of errors ({', '.join(folder.left_out[:5])})")
    if folder.kept:
        told.append(f"{len(folder.kept)} kept though their files are gone ({', '.join(folder.kept[:5])})")
    return ", ".join(told)


@group()
def record(found: Record, limit: int) -> Iterator[RenderableType]:
    """The record with at most `limit` groups and broken figures."""
    yield Text(f"Record for {found.as_of}: {basis_text(found)}", style="bold")
    by, days = found.groups[0].by if found.groups else "", " | ".join(f"{day} days>=" for day in DAYS)
    titles = f"{by}~ | claims>= | true when written>= | broken>= | {days} | half-life>="
    yield table(titles, map(_shares, found.groups[:limit]))
    yield from (Text(f"  {one.value}: {_rest(one)}", style="dim") for one in found.groups[:1])
    if found.broken:
        yield Text(f"\nbroken ({len(found.broken)})", style="bold")
    yield from map(_broken, found.broken[:limit])
    if found.left:
        yield Text(f"{found.left} claims of earlier runs are left out: no document states them any more")


def _shares(one: RecordGroup) -> Sequence[str]:
    half = "–" if not one.curve else "not reached" if one.half_life_days is None else f"{one.half_life_days} days"
    counted = (str(one.claims), str(one.true_when_written), str(one.broken))
    return one.value, *counted, *(_share(one, str(day)) for day in DAYS), half


def _share(one: RecordGroup, day: str) -> str:
    alive, low, high = (shares[day] for shares in (one.alive, one.low, one.high))  # type: ignore[index]  # the days are those of `Shares`
    if alive is None or low is None or high is None:
        return "–"
    return percent(alive) if low == high == Decimal(alive) else f"{percent(alive)} ({percent(low)}–{percent(high)})"


def _rest(one: RecordGroup) -> str:
    """What is not followed, in words."""
    counted = (
        (one.fixed, "fixed (no price can turn them)"),
        (one.never_true, "never true"),
        (one.unknown_when_written, "unknown when written"),
        (one.failed_before, "failed before the first run"),
        (one.censored, "lost from sight"),
        (one.holding_again, "holding again"),
    )
    return ", ".join(f"{count} {words}" for count, words in counted if count) or "all are followed"


def _broken(one: BrokenFigure) -> RenderableType:
    cause = one.cause.value if one.cause else "unknown"
    head = Text.assemble(f"  {one.day}  after {one.days} days  ", (one.claim, "bold"), f"  {cause}")
    again = ["holds again"] if one.holds_again else []
    lines = [one.says, *([moves_text(one.moves)] if one.moves else []), *again]
    return Group(head, *(Text(f"    {line}", style="dim") for line in lines))
