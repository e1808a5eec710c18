"""The morning report as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from compute.prices.data_freshness import grouped
from compute.reports.report_model import ORDER, Report, ReportEntry, figure
from compute.units.number_format import said
from graph.models.claim_models import VerdictName
from graph.models.verdict_change import VerdictChange

_TITLES = {
    VerdictName.REFUTED: "Never true",
    VerdictName.STALE: "No longer true",
    VerdictName.DEPENDS: "Depends on an assumption",
    VerdictName.CONFLICTING: "Catalogues disagree",
    VerdictName.ERROR: "Broken claims",
    VerdictName.UNVERIFIABLE: "Could not be checked",
    VerdictName.HOLDS: "Holds",
}
_MARKED = re.compile(r"([\\`*_\[\]<>|#])")


def render(report: Report) -> str:
    """The report; claims that hold come last, in one table."""
    return (
        "\n".join(
            [*_head(report), *_changes(report), *_coming(report), *_near(report), *_verdicts(report), *_ages(report)]
        )
        + "\n"
    )


def plain_text(text: str) -> str:
    """An author's text on one line, with Markdown markup escaped."""
    return _MARKED.sub(r"\\\1", " ".join(text.split()))


def _head(report: Report) -> Iterator[str]:
    run = report.run
    counts = [f"{run.counts.get(name.value, 0)} {name.value}" for name in ORDER if run.counts.get(name.value)]
    yield f"# Claims on {run.as_of.isoformat()}"
    yield ""
    yield f"Run {run.id}: {sum(run.counts.values())} claims, {', '.join(counts) or 'none'}."
    for note in run.notes:
        yield f"\n> {plain_text(note)}"


def _changes(report: Report) -> Iterator[str]:
    if report.changes:
        yield from ("", "## Turned since the run before", "")
        yield from table(("claim", "from", "to", "why"), (_change(change) for change in report.changes))


def _coming(report: Report) -> Iterator[str]:
    if report.coming:
        yield from ("", "## Will turn", "")
        rows = ((one.on.isoformat() if one.on else "", *_change(one)) for one in report.coming)
        yield from table(("on", "claim", "from", "to", "why"), rows)


def _change(change: VerdictChange) -> tuple[str, ...]:
    before, after = (name.value if name else "–" for name in (change.before, change.after))
    return f"{plain_text(change.says)} (`{change.claim}`)", before, after, plain_text(change.reason)


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
    return f"{plain_text(entry.claim.says)} (`{entry.claim.id}`)", entry.value, plain_text(entry.bar)


def _entry(entry: ReportEntry) -> Iterator[str]:
    claim, row = entry.claim, entry.row
    yield f"- **{plain_text(claim.says)}** (`{claim.id}`, in `{claim.node}`, {claim.severity.value})"
    if entry.quoted is not None:
        place = f"{entry.quoted.document}:{entry.quoted.anchor.line}"
        yield f"  - “{plain_text(entry.quoted.anchor.text)}” ({plain_text(place)})"
    yield f"  - {entry.value}, expected {plain_text(entry.bar)}"
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
        yield from ("", "## Nearest to turning", "")
        rows = (
            (
                f"{plain_text(one.says)} (`{one.claim}`)",
                plain_text(one.when),
                said(one.now, one.unit),
                one.moves,
            )
            for one in report.near
        )
        yield from table(("claim", "turns when", "now", "a change of"), rows)


def _ages(report: Report) -> Iterator[str]:
    if report.ages:
        yield from ("", "## Data age", "")
        rows = (
            (one.kind, ", ".join(f"`{name}`" for name in one.names), one.told, one.state)
            for one in grouped(report.ages)
        )
        yield from table(("kind", "names", "checked", "state"), rows)


def table(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """The lines of a table; the cells are Markdown already."""
    yield f"| {' | '.join(header)} |"
    yield f"|{'---|' * len(header)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
