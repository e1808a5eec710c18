"""The morning report as Markdown, and Markdown as one HTML page that loads nothing, for mail or build artifacts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from markdown_it import MarkdownIt

from compute.prices.data_freshness import grouped
from compute.reports.errata import Erratum
from compute.reports.morning import (
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
from compute.reports.report_model import ORDER, FragileClaim, NearestChange, Report, ReportEntry, figure
from compute.units.number_format import said
from graph.models.claim_models import VerdictName

_TITLES = {
    VerdictName.REFUTED: "Never true",
    VerdictName.STALE: "No longer true",
    VerdictName.DEPENDS: "Depends on an assumption",
    VerdictName.CONFLICTING: "Sources disagree",
    VerdictName.ERROR: "Broken claims",
    VerdictName.UNVERIFIABLE: "Could not be checked",
    VerdictName.HOLDS: "Holds",
}
_MARKED = re.compile(r"([\\`*_\[\]<>|#])")
_FRAME = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ font: 1rem/1.5 Georgia, serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
th, td {{ text-align: left; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #ccc; vertical-align: top; }}
code {{ font-size: .85em; }}
@media (prefers-color-scheme: dark) {{ body {{ background: #16181c; color: #e6e4df; }} }}
</style>
</head>
<body>
{body}</body>
</html>
"""


def render(report: Report, *, everything: bool = False) -> str:
    """The morning report: prices, then the audit of sources; with `everything` also every claim by verdict."""
    found = morning(report)
    lines = [*_head(report), *_prices(report, found), *_audit(found), *_without_note(report), *_ages(report)]
    if everything:
        lines += [*_near(report), *_verdicts(report), *_all_ages(report)]
    return "\n".join(lines) + "\n"


def render_html(report: Report, *, everything: bool = False) -> str:
    """The report as one HTML document without scripts; authors' text is escaped."""
    return page(f"Claims on {report.run.as_of.isoformat()}", render(report, everything=everything))


def page(title: str, markdown: str) -> str:
    """Markdown as one HTML document that loads nothing; HTML in it is shown as text."""
    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(markdown)
    return _FRAME.format(title=escape(title), body=body)


def plain_text(text: str) -> str:
    """An author's text on one line, with Markdown markup escaped."""
    return _MARKED.sub(r"\\\1", " ".join(text.split()))


def _head(report: Report) -> Iterator[str]:
    run = report.run
    counts = [f"{run.counts.get(name.value, 0)} {name.value}" for name in ORDER if run.counts.get(name.value)]
    yield f"# Claims on {run.as_of.isoformat()}"
    yield ""
    yield f"Run {run.id}: {sum(run.counts.values())} claims, {', '.join(counts) or 'none'}."
    if report.watch:
        yield f"\n{report.watch[:1].upper()}{report.watch[1:]}."
    for note in run.notes:
        yield f"\n> {plain_text(note)}"


def _prices(report: Report, found: Morning) -> Iterator[str]:
    """What changed, what will, what is fragile and what is near to a change."""
    yield from ("", "## Prices", "")
    yield from (f"{plain_text(one)}  " for one in (unchanged(report, found), rules_changed(report)) if one)
    if found.added:
        yield f"New claims: {', '.join(f'{count} {name}' for name, count in found.added.items())}."
    yield from _items("Turned", [_turn(one) for one in found.turned])
    yield from _items("Not holding now, the most severe", [_failing(one) for one in found.failing])
    yield from _items("Will turn, by prices already announced", [_coming(one) for one in found.coming], MOST_LISTED)
    yield from _items("Fragile", [_fragile(one) for one in found.fragile], MOST_LISTED)
    yield from _items("Nearest to turning", [_nearest(one) for one in found.near], MOST_LISTED, counted=False)


def _without_note(report: Report) -> Iterator[str]:
    """The claims on notes that do not exist."""
    if said := without_note(report):
        yield from ("", "## Claims without a note", "", said)
        named = [f"**{plain_text(one.claim)}**: {plain_text(one.words)}" for one in report.without_note]
        yield from _items("Correct their `node`, or ingest the note", named[:MOST_UNPLACED], counted=False)


def _audit(found: Morning) -> Iterator[str]:
    """Errata when they are new, then their number, and sources that answer in place of others."""
    yield from ("", "## Audit of sources", "")
    yield plain_text(total(found.errata, len(found.news), first=found.first))
    yield from _items("The most severe" if found.first else "New", [_erratum(one) for one in found.news])
    yield from _items("Another source answers than before", [_turn(one) for one in found.switched])


def _items(title: str, items: Sequence[str], most: int | None = None, *, counted: bool = True) -> Iterator[str]:
    """A list under a title; nothing where it is empty."""
    if not items:
        return
    yield from ("", f"### {title}{f' ({len(items)})' if counted else ''}", "")
    yield from (f"- {item}" for item in items[:most])
    if most and len(items) > most and counted:
        yield f"- and {len(items) - most} more (`--all`)"


def _turn(one: ChangedClaim) -> str:
    change = one.change
    before, after = (name.value if name else other for name, other in ((change.before, "new"), (change.after, "gone")))
    facts = f": {plain_text(one.facts)}" if one.facts else ""
    reason = f" {plain_text(change.reason)}" if change.reason else ""
    return f"**{before} → {after}** “{plain_text(change.words)}” (`{change.claim}`){facts}.{reason}"


def _coming(one: ChangedClaim) -> str:
    return f"{one.change.on or ''} {_turn(one)}"


def _failing(entry: ReportEntry) -> str:
    claim, reason = entry.claim, plain_text(entry.row.reason)
    value = f"{entry.value}, expected {plain_text(entry.expectation_text)}"
    return f"**{entry.row.verdict.value}** “{plain_text(claim.quote or claim.says)}” (`{claim.id}`): {value}. {reason}"


def _fragile(one: FragileClaim) -> str:
    return f"“{plain_text(one.words)}” (`{one.claim}`): {plain_text(fragility(one))}"


def _nearest(one: NearestChange) -> str:
    moves = plain_text(one.moves_in_words)
    return f"{plain_text(one.says)} (`{one.claim}`): changes when {plain_text(one.when)}, {moves}"


def _erratum(one: Erratum) -> str:
    where = f"`{one.root}`, in `{one.node}`"
    return f"“{plain_text(one.words)}” ({where}): {plain_text(computed(one))}; {plain_text(whose(one))}"


def _ages(report: Report) -> Iterator[str]:
    if told := age_lines(report):
        yield from ("", "## Age of the prices", "")
        yield from (f"{plain_text(one)}  " for one in told)


def _verdicts(report: Report) -> Iterator[str]:
    for name in ORDER:
        entries = report.of(name)
        if not entries:
            continue
        yield from ("", f"## {_TITLES[name]} ({len(entries)})", "")
        if name is VerdictName.HOLDS:
            yield from table(("claim", "value", "expected"), (_short(entry) for entry in entries))
        else:
            for entry in entries:
                yield from _entry(entry)


def _short(entry: ReportEntry) -> tuple[str, ...]:
    return f"{plain_text(entry.claim.says)} (`{entry.claim.id}`)", entry.value, plain_text(entry.expectation_text)


def _entry(entry: ReportEntry) -> Iterator[str]:
    claim, row = entry.claim, entry.row
    yield f"- **{plain_text(claim.says)}** (`{claim.id}`, in `{claim.node}`, {entry.severity.value})"
    if entry.quoted is not None:
        place = f"{entry.quoted.document}:{entry.quoted.anchor.line}"
        yield f"  - “{plain_text(entry.quoted.anchor.text)}” ({plain_text(place)})"
    yield f"  - {entry.value}, expected {plain_text(entry.expectation_text)}"
    if row.then_value is not None:
        yield f"  - on {claim.as_of.isoformat()}: {figure(row.model_copy(update={'value': row.then_value}))}"
    if row.reason:
        yield f"  - {plain_text(row.reason)}"
    for given in entry.verdict.inputs if entry.verdict else ():
        source = f", {given.source}" if given.source else ""
        value = "–" if given.value is None else said(given.value, given.unit)
        yield f"  - {plain_text(given.name)}: {value} ({given.catalog or given.kind}{source})"


def _near(report: Report) -> Iterator[str]:
    if report.near:
        yield from ("", "## Claims that hold, nearest to turning first", "")
        rows = (
            (
                f"{plain_text(one.says)} (`{one.claim}`)",
                plain_text(one.when),
                said(one.now, one.unit),
                one.moves,
            )
            for one in report.near
        )
        yield from table(("claim", "changes when", "now", "a change of"), rows)


def _all_ages(report: Report) -> Iterator[str]:
    if report.ages:
        yield from ("", "## Data age", "")
        rows = (
            (one.kind, ", ".join(f"`{name}`" for name in one.names), one.check_text, one.state)
            for one in grouped(report.ages)
        )
        yield from table(("kind", "names", "checked", "state"), rows)


def table(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """The lines of a table; the cells are Markdown already."""
    yield f"| {' | '.join(header)} |"
    yield f"|{'---|' * len(header)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
