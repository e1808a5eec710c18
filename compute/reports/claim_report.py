"""One claim as blocks: verdict, statement, working, inputs with sources; for a document also history and quotations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import groupby

from compute.reports.report_document import Block, Heading, Line, Paragraph, Words, section
from compute.reports.report_document import verdict as verdict_word
from compute.reports.report_model import figure
from compute.units.number_format import said
from graph.models.claim_models import Claim, Direction, Speaker, Stance, Tense
from graph.models.node_models import Quotation
from graph.models.verdict_models import Flip, Input, Robust, Run, Verdict, VerdictRow
from graph.values import Value

MOST_QUOTED = 40  # quotations of the node
_MET = {True: "met", False: "missed", None: "cannot be known"}


class ClaimReport(Value):
    """A claim for a document: `history` has its runs, the latest first; `made` says by which program and prices."""

    claim: Claim
    verdict: Verdict
    title: str = ""
    history: tuple[tuple[Run, VerdictRow], ...] = ()
    quotations: tuple[Quotation, ...] = ()
    made: str = ""


def blocks(report: ClaimReport) -> Iterator[Block]:
    """The verdict, then what the note and earlier runs say."""
    claim = report.claim
    yield from verdict_blocks(report.verdict)
    yield from section("History", "days | runs> | verdict | value> | reason~", list(_history(report)))
    about = (
        ("Title of the note", report.title),
        ("Note", claim.note),
        ("Source", claim.source),
        ("Tags", ", ".join(claim.tags)),
    )
    if any(text for _, text in about):
        yield Heading(2, ("About the claim",))
    yield from (Paragraph((f"{label}: ", Words(text, "link"))) for label, text in about if text)
    yield from _quotations(report.quotations)
    if report.made:
        yield from (Paragraph(()), Paragraph((report.made,)))


def verdict_blocks(verdict: Verdict) -> Iterator[Block]:
    """One verdict with its reason, working, inputs and turning points."""
    unit = verdict.unit
    yield Heading(1, (verdict_word(verdict.verdict), "  ", Words(verdict.claim, "name"), f"  ({verdict.node})"))
    yield Paragraph((verdict.says,))
    if verdict.quote is not None:
        yield Paragraph((Words(verdict.quote.text, "quote"), f" (line {verdict.quote.line})"))
    speaker = f"{speaker_text(verdict.asserted_by, verdict.stance)} {helps_text(verdict.helps)}".strip()
    yield from (Paragraph((Words(speaker, "remark"),)), Paragraph(()), Paragraph((verdict.reason,)))
    moments = [
        ((name,), (one.as_of.isoformat(),), (figure(one.value, unit),), (_MET[one.holds],))
        for name, one in verdict.moments
    ]
    yield from section("Then and now", "when | day | value> | expectation~", moments)
    margin = figure(verdict.margin, unit.replace("%", "pp"))
    yield Paragraph((f"Expected: {verdict.expected or '–'}. Margin: {margin}.",))
    if verdict.assumed is not None:
        yield Paragraph((f"Of the value, {figure(verdict.assumed * 100, '%')} depends on assumptions.",))
    steps = [((one.name,), (one.text,), (figure(one.value, one.unit),)) for one in verdict.steps]
    yield from section("Working", "step | computation~ | result>", steps)
    if verdict.robust is not None:
        titles = "input | range~ | value at its ends> | share of the variance>"
        yield from section("Within the stated ranges", titles, list(_swings(verdict)))
        yield Paragraph((sentence(verdict.robust, unit),))
    inputs = [_input(one) for one in verdict.inputs]
    yield from section("Inputs", "input | value> | what it is~ | dates, source and note~", inputs)
    flips = [((one.input,), (_flip(one),)) for one in verdict.flips]
    yield from section("The verdict changes when", "input | is~", flips)


def _swings(verdict: Verdict) -> Iterator[Sequence[Line]]:
    """What each ranged input does, the one that matters most first."""
    totals = {one.input: one.total for one in verdict.sensitivity}
    for swing in sorted(verdict.swings, key=lambda one: -totals.get(one.input, Decimal(0))):
        total = totals.get(swing.input)
        share = figure(None if total is None else total * 100, "%")
        values = f"{figure(swing.at_low, verdict.unit)} to {figure(swing.at_high, verdict.unit)}"
        ends = f"{said(swing.low, swing.unit)} to {said(swing.high, swing.unit)}"
        yield (swing.input,), (ends,), (values,), (share,)


def _input(one: Input) -> Sequence[Line]:
    origin = " · ".join(part for part in (one.kind, one.item, one.component, one.catalog) if part)
    begin = f"from {one.valid_from}" if one.valid_from else ""
    valid = " ".join(part for part in (begin, f"until {one.valid_to}" if one.valid_to else "") if part)
    parts = (valid, f"checked {one.checked}" if one.checked else "", one.source, one.note)
    notes = [part for text in parts if text for part in (" · ", Words(text, "link"))]
    return (one.name,), (figure(one.value, one.unit),), (origin,), notes[1:]


def _flip(flip: Flip) -> str:
    if flip.at is None:
        return f"at {flip.note}" if flip.note.startswith("any") else f"at no value {flip.note}".strip()
    return f"{flip.side or 'at'} {figure(flip.at, flip.unit)}" + (f"; {flip.note}" if flip.note else "")


def _history(report: ClaimReport) -> Iterator[Sequence[Line]]:
    for _, group in groupby(report.history, key=lambda one: (one[1].verdict, one[1].value, one[1].unit)):
        runs = list(group)
        (last, row), (first, _) = runs[0], runs[-1]
        days = first.as_of.isoformat() + (f" to {last.as_of}" if last.as_of != first.as_of else "")
        numbers = f"{first.id}" + (f" to {last.id}" if last.id != first.id else "")
        yield (days,), (numbers,), (verdict_word(row.verdict),), (figure(row.value, row.unit),), (row.reason,)


def _quotations(found: Sequence[Quotation]) -> Iterator[Block]:
    if not found:
        return
    yield Heading(2, (f"Quoted words ({len(found)})",))
    for one in found[:MOST_QUOTED]:
        source = (" ", Words(one.source, "link")) if one.source else ()
        yield from (Paragraph((Words(one.quote, "quote"), *source)), Paragraph(()))
    if len(found) > MOST_QUOTED:
        yield Paragraph((f"{len(found) - MOST_QUOTED} more are in the note.",))


def sentence(robust: Robust, unit: str) -> str:
    """The share in which a claim holds, with the percentiles of its value."""
    parts = [f"Holds in {said(robust.share * 100, '%')} of the stated ranges"]
    if robust.p05 is not None and robust.p50 is not None and robust.p95 is not None:
        low, middle, high = (said(value, unit) for value in (robust.p05, robust.p50, robust.p95))
        parts.append(f"5th percentile {low}, median {middle}, 95th percentile {high}")
    if robust.undefined:
        parts.append(f"undefined at {robust.undefined} of {robust.points} points")
    fragile = " It is fragile: it holds at the stated values and in less than half of their ranges."
    return "; ".join(parts) + "." + (fragile if robust.fragile else "")


# ---- in words: who states the figure, what its node makes of it, of which days it speaks, which way is good

_SPEAKERS = {
    Speaker.SOURCE: "A source of the note states the figure",
    Speaker.AUTHOR: "The author of the note states the figure",
    Speaker.NOBODY: "No one states the figure: it is a watch or a cross-check",
}
_STANCES = {
    Stance.ENDORSES: "the note endorses it",
    Stance.DISPUTES: "the note disputes it",
    Stance.REPORTS: "the note reports it",
}
TENSES = {
    Tense.STANDING: "standing: evaluated every day from its own day on",
    Tense.DATED: "dated: evaluated only for its own day",
}


def speaker_text(speaker: Speaker, stance: Stance) -> str:
    """A sentence such as `A source of the note states the figure, and the note disputes it.`"""
    if stance is Stance.ENDORSES and speaker is not Speaker.SOURCE:
        return f"{_SPEAKERS[speaker]}."
    joint = "; " if speaker is Speaker.NOBODY else ", and "
    return f"{_SPEAKERS[speaker]}{joint}{_STANCES[stance]}."


def helps_text(direction: Direction | None) -> str:
    """Which direction of the value strengthens the thesis; empty if not stated."""
    return f"A {direction.value} value strengthens the thesis." if direction else ""
