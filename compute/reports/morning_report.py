"""The morning report as blocks: prices first, then the audit of sources; on request every claim by verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compute.prices.data_freshness import grouped
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
from compute.reports.report_document import (
    Block,
    Heading,
    Item,
    Line,
    Paragraph,
    Words,
    before_after,
    counts,
    paragraphs,
    section,
    verdict,
)
from compute.reports.report_model import ORDER, Report, ReportEntry, figure
from graph.models.claim_models import VerdictName
from graph.text.counts import many

_MEANINGS = {
    VerdictName.REFUTED: "never true",
    VerdictName.STALE: "no longer true",
    VerdictName.DEPENDS: "depends on an assumption",
    VerdictName.CONFLICTING: "sources disagree",
    VerdictName.ERROR: "broken claims",
    VerdictName.UNVERIFIABLE: "could not be checked",
    VerdictName.HOLDS: "true",
}


def blocks(report: Report, *, everything: bool = False) -> Iterator[Block]:
    """Prices, then the audit of sources; with `everything` complete lists and every claim by verdict."""
    found, run = morning(report), report.run
    made = f"run {run.id}, prices {run.snapshot[:12]}" if run.id else "a trial"
    yield Heading(1, (f"Morning report for {run.as_of} · {many(len(report.entries), 'claim')} · {made}",))
    yield Paragraph(counts(report.counts))
    yield from (Paragraph((Words(text, "remark"),)) for text in (report.watch, *run.notes) if text)
    yield Heading(2, ("Prices",))
    yield from _prices(report, found, everything=everything)
    yield Heading(2, ("Audit of sources",))
    yield from _audit(found)
    if text := without_note(report):
        yield from (Heading(2, ("Claims without a note",)), Paragraph((text,)))
        named = [_item(one.claim, one.words) for one in report.without_note]
        yield from _list("Correct their `node`, or ingest the note", named, MOST_UNPLACED, counted=False)
    if ages := age_lines(report):
        yield Heading(2, ("Age of the prices",))
        yield from paragraphs(*ages)
    yield from _complete(report) if everything else ()


def _prices(report: Report, found: Morning, *, everything: bool) -> Iterator[Block]:
    most = None if everything else FIRST_LISTED if found.first else MOST_LISTED
    yield from paragraphs(unchanged(report, found), rules_changed(report))
    if found.added:
        yield Paragraph(("New claims: ", *counts(found.added)))
    yield from _list(f"Changed{'' if report.run.id else ' in this trial'}", [_turned(one) for one in found.turned])
    yield from _list("Failing now, the most severe", [_failing(one) for one in found.failing])
    yield from _list("Will change at announced prices", [_coming(one) for one in found.coming], most)
    fragile = [_item(one.entry.claim.id, fragility(one), one.entry.words) for one in found.fragile]
    yield from _list("Fragile", fragile, most)
    if everything or not found.first:
        near = [
            _item(one.claim, f"{one.when}, now {figure(one.now, one.unit)}: {one.moves_in_words}", one.says)
            for one in found.near
        ]
        yield from _list("Closest to failing", near[:most], counted=False)


def _audit(found: Morning) -> Iterator[Block]:
    yield Paragraph((total(found.errata, len(found.news), first=found.first),))
    news = [_item(one.root, f"{computed(one)}; {whose(one)}", one.words) for one in found.news]
    yield from _list("The most severe" if found.first else "New", news, counted=False)
    yield from _list("Price from another source", [_turned(one) for one in found.switched])


def _list(title: str, items: Sequence[Item], most: int | None = None, *, counted: bool = True) -> Iterator[Block]:
    """A list under a title; nothing where it is empty."""
    if items:
        yield Heading(3, (f"{title} ({len(items)})" if counted else title,))
        yield from items[:most]
    if most and len(items) > most:
        yield Item(((Words(f"and {len(items) - most} more (--all)", "remark"),),))


def _turned(one: ChangedClaim) -> Item:
    reason = [(one.change.reason,)] if one.change.reason else []
    return Item((_change(one), (Words(one.change.words, "quote"),), *reason))


def _change(one: ChangedClaim) -> Line:
    return *before_after(one.change), "  ", Words(one.change.claim, "name"), "  ", one.facts


def _coming(one: ChangedClaim) -> Item:
    return Item(((f"{one.change.on or ''}  ", *_change(one)), (Words(one.change.words, "quote"),)), whole=False)


def _failing(entry: ReportEntry) -> Item:
    claim = entry.claim
    head = verdict(entry.row.verdict), "  ", Words(claim.id, "name"), f"  {_value(entry)}"
    return Item((head, (Words(entry.words, "quote"),)), whole=False)


def _value(entry: ReportEntry) -> str:
    return f"{entry.value}, expected {entry.expectation_text}"


def _item(name: str, text: str, words: str = "") -> Item:
    """A claim with its text on one line, then the quoted words."""
    head: Line = Words(name, "name"), f"  {text}"
    return Item((head, (Words(words, "quote"),)) if words else (head,), whole=False)


def _complete(report: Report) -> Iterator[Block]:
    for name in ORDER:
        entries = sorted(report.of(name), key=lambda one: one.order)
        title = f"{name.value} ({len(entries)}): {_MEANINGS[name]}"
        if entries:
            yield Heading(2, (title,))
        yield from map(_holding if name is VerdictName.HOLDS else _entry, entries)
    ages = [((one.state,), (one.check_text,), (f"{one.kind}: {one.name}",)) for one in grouped(report.ages)]
    yield from section("Data age", "state | checked | names~", ages)


def _holding(entry: ReportEntry) -> Item:
    return _item(entry.claim.id, f"{_value(entry)}: {entry.claim.says}")


def _entry(entry: ReportEntry) -> Item:
    claim, row, quoted = entry.claim, entry.row, entry.quoted
    lines: list[Line] = [(Words(claim.id, "name"), Words(f"  {entry.severity.value}, on {claim.node}", "remark"))]
    lines.append((claim.says,))
    if quoted is not None:
        lines.append((Words(quoted.anchor.text, "quote"), f" ({quoted.document}:{quoted.anchor.line})"))
    then = "" if row.then_value is None else f"; on {claim.as_of}: {figure(row.then_value, row.unit)}"
    lines += [(f"{_value(entry)}{then}",), *([(row.reason,)] if row.reason else [])]
    return Item(lines)
