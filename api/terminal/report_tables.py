"""A night in a terminal, errata, and the record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC
from decimal import Decimal
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType, group
from rich.text import Text

from api.terminal.tables import NO_RUN, table
from compute.record.record import DAYS, BrokenFigure, Record, RecordGroup, basis_text, moves_text, percent
from compute.reports.errata import Errata, Erratum
from compute.reports.morning_report import computed, whose
from graph.text.counts import many

if TYPE_CHECKING:
    from compute.runs.night_models import FolderRead, Night


@group()
def errata_list(found: Errata) -> Iterator[RenderableType]:
    """Errata with words, place and claims; then contradictions."""
    if not found.items and not found.contradictions:
        yield Text("no figure of a source is wrong" if found.run else NO_RUN)
    yield from map(_erratum, found.items)
    if found.contradictions:
        yield Text(f"figures of texts differ ({len(found.contradictions)})\n", style="bold")
    yield from map(_erratum, found.contradictions)


def _erratum(one: Erratum) -> RenderableType:
    place = f"{one.document}:{one.line}" if one.document and one.line else one.document or ""
    where = [f"in {one.node}", place, f"found on {one.since} (run {one.run})" if one.since else ""]
    others = [f"found by {', '.join(one.claims)}"] if len(one.claims) > 1 else []
    lines = [", ".join(part for part in where if part), *([one.source] if one.source else []), *others]
    words = f"“{one.quote}”" if one.quote else one.says
    head = Text.assemble((one.root, "bold"), f"  {computed(one)}; {whose(one)}\n", (f"  {words}", "italic"))
    return Group(head, *(Text(f"  {line}", style="dim") for line in lines), Text(""))


@group()
def night(found: Night, outcome: str) -> Iterator[RenderableType]:
    """What a night did, without its report."""
    yield Text.assemble((f"Night of {found.run.as_of}", "bold"), f"  run {found.run.id}  {outcome}")
    if found.resumed_at:
        yield Text(f"  it began at {found.started_at:%H:%M}, was interrupted, and went on where it was")
    prices = many(found.changes, "change") if found.changes or not found.unrefreshed else ""
    for folder in found.folders:
        yield from [] if folder.failed else [Text(f"  {folder.path}: {_folder(folder)}")]
        yield from (Text(f"  {note.text}") for note in folder.notes())
    yield Text(f"  prices: {'; '.join(filter(None, (prices, found.unrefreshed, *found.list_notes)))}")
    yield Text(f"  notices: {found.notices} written; {_sent(found)}")
    yield from (Text(f"  {one}", style="dim") for one in found.acknowledged)


def _sent(found: Night) -> str:
    if not found.receivers:
        return "none is sent, because no receiver is set (BRAIN_WEBHOOK_URL)"
    delivery = found.delivery
    said = f"{delivery.delivered} delivered, {delivery.failed} failed, {delivery.given_up} given up"
    said += f", {delivery.waiting} waiting" if delivery.waiting else ""
    if delivery.next_try is None:
        return said
    return f"{said}; a night tries again from {delivery.next_try.astimezone(UTC):%Y-%m-%d %H:%M} UTC on"


def _folder(folder: FolderRead) -> str:
    counted = ((count, one) for one in ("new", "changed", "moved", "removed") if (count := getattr(folder, one)))
    return ", ".join([many(folder.documents, "document"), *(f"{count} {one}" for count, one in counted)])


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


def _shares(one: RecordGroup) -> Sequence[object]:
    half = "–" if not one.curve else "not reached" if one.half_life_days is None else f"{one.half_life_days} days"
    shares = (_share(one, str(day)) for day in DAYS)
    return one.value, one.claims, one.true_when_written, one.broken, *shares, half


def _share(one: RecordGroup, day: str) -> str:
    alive, low, high = (shares[day] for shares in (one.alive, one.low, one.high))  # type: ignore[index]  # the days are those of `Shares`
    if alive is None or low is None or high is None:
        return "–"
    return percent(alive) if low == high == Decimal(alive) else f"{percent(alive)} ({percent(low)}–{percent(high)})"


def _rest(one: RecordGroup) -> str:
    """The numbers of claims that are not followed."""
    counted = (
        (one.fixed, "fixed (they use no prices)"),
        (one.never_true, "never true"),
        (one.unknown_when_written, "not known to be true or false when written"),
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
