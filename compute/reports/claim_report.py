"""One claim as a document to send: statement, verdict, working, inputs with sources, history, quoted words.

The HTML is made from the Markdown, so both say the same. It loads nothing and has no scripts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from itertools import groupby

from compute.explain.speaker_text import helps_text, speaker_text
from compute.ranges.range_text import ends, sentence
from compute.reports.markdown_report import page, plain_text, table
from compute.units.number_format import said
from graph.models.claim_models import Claim
from graph.models.node_models import Quotation
from graph.models.verdict_models import Flip, Input, Moment, Run, Swing, Verdict, VerdictRow
from graph.values import Value

MOST_QUOTED = 40
"""The most quotations of the node that are listed."""

_ADDRESS = re.compile(r"https?://[^\s<>|\\]+")
_MET = {True: "met", False: "missed", None: "cannot be known"}


class ClaimReport(Value):
    """What is reported of one claim.

    `title` is that of its node; `history` are the runs that found it, the latest first; `quotations` are the words that
    its node quotes; `made` says by which program and prices the verdict was computed.
    """

    claim: Claim
    verdict: Verdict
    title: str = ""
    history: tuple[tuple[Run, VerdictRow], ...] = ()
    quotations: tuple[Quotation, ...] = ()
    made: str = ""


def markdown(report: ClaimReport) -> str:
    """The document as Markdown."""
    parts = (_head, _moments, _ranges, _working, _inputs, _flips, _history, _quoted, _foot)
    return "\n".join(line for part in parts for line in part(report)) + "\n"


def html(report: ClaimReport) -> str:
    """The document as one HTML file."""
    return page(report.verdict.says or report.claim.id, markdown(report))


def _head(report: ClaimReport) -> Iterator[str]:
    claim, verdict = report.claim, report.verdict
    where = f"{plain_text(report.title)} (`{claim.node}`)" if report.title else f"`{claim.node}`"
    yield f"# {plain_text(verdict.says)}"
    yield f"\n**{verdict.verdict.value}**: claim `{claim.id}` of {where}, asserted for {claim.as_of.isoformat()}."
    if verdict.quote is not None:
        yield f"\n> {plain_text(verdict.quote.text)}"
    told = f"{speaker_text(claim.asserted_by, claim.stance)} {helps_text(claim.helps)}".strip()
    yield f"\n{told}{f' Line {verdict.quote.line} of its document.' if verdict.quote else ''}"
    yield f"\n{plain_text(verdict.reason)}"
    for label, text in (("Note", claim.note), ("Source", claim.source or ""), ("Tags", ", ".join(claim.tags))):
        if text:
            yield f"\n{label}: {_linked(text)}"


def _moments(report: ClaimReport) -> Iterator[str]:
    verdict = report.verdict
    rows = [_moment(name, one, verdict.unit) for name, one in verdict.moments]
    yield from _section("Then and now", ("", "day", "value", "expectation"), rows)
    margin = _figure(verdict.margin, verdict.unit.replace("%", "pp"))
    yield f"\nExpected: {plain_text(verdict.expected) or '–'}. Margin: {margin}."
    if verdict.assumed is not None:
        yield f"\nOf the value, {said(verdict.assumed * 100, '%')} depends on assumptions."


def _ranges(report: ClaimReport) -> Iterator[str]:
    verdict = report.verdict
    if verdict.robust is None:
        return
    yield from ("", "## Within the stated ranges", "", plain_text(sentence(verdict.robust, verdict.unit)), "")
    totals = {one.input: one.total for one in verdict.sensitivity}
    header = ("input", "range", "value at the low end", "value at the high end", "share of the variance")
    yield from table(header, [_swing(one, verdict.unit, totals.get(one.input)) for one in verdict.swings])


def _swing(one: Swing, unit: str, total: Decimal | None) -> tuple[str, ...]:
    share = "–" if total is None else said(total * 100, "%")
    return plain_text(one.input), plain_text(ends(one)), _figure(one.at_low, unit), _figure(one.at_high, unit), share


def _moment(name: str, moment: Moment, unit: str) -> tuple[str, ...]:
    return name, moment.as_of.isoformat(), _figure(moment.value, unit), _MET[moment.holds]


def _working(report: ClaimReport) -> Iterator[str]:
    rows = (
        (plain_text(step.name), plain_text(step.text), _figure(step.value, step.unit)) for step in report.verdict.steps
    )
    yield from _section("Working", ("step", "computation", "result"), rows)


def _inputs(report: ClaimReport) -> Iterator[str]:
    header = ("input", "value", "what it is", "valid", "checked", "source", "note")
    yield from _section("Inputs", header, (_input(one) for one in report.verdict.inputs))


def _input(one: Input) -> tuple[str, ...]:
    what = ", ".join(part for part in (one.kind, one.item, one.component, one.catalog) if part)
    begin = f"from {one.valid_from}" if one.valid_from else ""
    valid = " ".join(part for part in (begin, f"until {one.valid_to}" if one.valid_to else "") if part)
    return (
        plain_text(one.name),
        _figure(one.value, one.unit),
        plain_text(what),
        valid,
        one.checked.isoformat() if one.checked else "",
        _linked(one.source or ""),
        plain_text(one.note),
    )


def _flips(report: ClaimReport) -> Iterator[str]:
    rows = ((plain_text(one.input), _turn(one), plain_text(one.note)) for one in report.verdict.flips)
    yield from _section("The verdict changes when", ("input", "is", "note"), rows)


def _turn(flip: Flip) -> str:
    return "at no value" if flip.at is None else f"{flip.side or 'at'} {_figure(flip.at, flip.unit)}"


def _history(report: ClaimReport) -> Iterator[str]:
    rows = []
    for _, group in groupby(report.history, key=lambda one: (one[1].verdict, one[1].value, one[1].unit)):
        runs = list(group)
        (last, row), (first, _) = runs[0], runs[-1]
        days = first.as_of.isoformat() + (f" to {last.as_of}" if last.as_of != first.as_of else "")
        numbers = f"{first.id}" + (f" to {last.id}" if last.id != first.id else "")
        rows.append((days, numbers, row.verdict.value, _figure(row.value, row.unit), plain_text(row.reason)))
    yield from _section("History", ("days", "runs", "verdict", "value", "reason"), rows)


def _quoted(report: ClaimReport) -> Iterator[str]:
    found = report.quotations
    if not found:
        return
    yield from ("", "## Quoted words", "")
    yield f"What the note of the claim quotes, {len(found)} {'passages' if len(found) != 1 else 'passage'}."
    for one in found[:MOST_QUOTED]:
        yield f"\n> {plain_text(one.quote)}"
        if one.source:
            yield f">\n> {_linked(one.source)}"
    if len(found) > MOST_QUOTED:
        yield f"\n{len(found) - MOST_QUOTED} more are in the note."


def _foot(report: ClaimReport) -> Iterator[str]:
    if report.made:
        yield f"\n{plain_text(report.made)}"


def _section(title: str, header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """A heading with a table; nothing where there is no row."""
    listed = list(rows)
    if listed:
        yield from ("", f"## {title}", "")
        yield from table(header, listed)


def _figure(value: Decimal | None, unit: str) -> str:
    return "–" if value is None else plain_text(said(value, unit))


def _linked(text: str) -> str:
    """A text of an author; an address is a link."""
    found = text.strip()
    return f"<{found}>" if _ADDRESS.fullmatch(found) else plain_text(found)
