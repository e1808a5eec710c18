"""Verdicts in a terminal: a table of many, the full working of one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from api.terminal.figure_text import figure
from api.terminal.fitted_table import Column, FittedTable
from compute.explain.speaker_text import helps_text, speaker_text
from compute.ranges.range_text import ends, sentence
from graph.models.claim_models import VerdictName
from graph.models.verdict_models import Input, QuoteAnchor, Robust, Verdict

STYLES: Mapping[VerdictName, str] = {
    VerdictName.HOLDS: "green",
    VerdictName.STALE: "yellow",
    VerdictName.REFUTED: "red",
    VerdictName.UNVERIFIABLE: "magenta",
    VerdictName.DEPENDS: "blue",
    VerdictName.CONFLICTING: "cyan",
    VerdictName.ERROR: "bold red",
}
"""One colour for each verdict; the word is always next to it."""


def word(name: VerdictName) -> Text:
    """A verdict as a coloured word."""
    return Text(name.value, style=STYLES[name])


def working(verdict: Verdict) -> RenderableType:
    """One verdict with its reason, working, inputs and flips."""
    head = Text.assemble(word(verdict.verdict), "  ", (verdict.claim, "bold"), f"  ({verdict.node})")
    parts: list[RenderableType] = [head, Padding(Text(verdict.says), (0, 2)), Padding(_stated(verdict), (0, 2))]
    parts.append(Padding(Text(verdict.reason), (1, 2)))
    parts += [_section("then and now", _moments(verdict)), _section("working", _steps(verdict))]
    if verdict.robust is not None:
        parts.append(_section("within the stated ranges", _ranges(verdict, verdict.robust)))
    if verdict.inputs:
        parts.append(_section("inputs", _inputs(verdict.inputs)))
    if verdict.flips:
        parts.append(_section("the verdict changes", _flips(verdict)))
    return Group(*parts)


def quoted(anchor: QuoteAnchor) -> Text:
    """The words of a note that a claim is about, on one line."""
    return Text(f"“{' '.join(anchor.text.split())}”", style="italic")


def _stated(verdict: Verdict) -> Text:
    """The quoted words, who says them, and which way is good."""
    told = f"{speaker_text(verdict.asserted_by, verdict.stance)} {helps_text(verdict.helps)}".strip()
    if verdict.quote is None:
        return Text(told, style="dim")
    return Text.assemble(quoted(verdict.quote), f" (line {verdict.quote.line})\n", (told, "dim"))


def _section(title: str, body: RenderableType) -> RenderableType:
    return Group(Text(title, style="bold dim"), Padding(body, (0, 2, 1, 2)))


_VALUE, _PROSE = Column("value", "right"), Column("words", prose=True)


def _grid(*columns: Column) -> FittedTable:
    """A table without titles; the first column names the row."""
    return FittedTable((Column("name"), *columns), header=False)


def _moments(verdict: Verdict) -> FittedTable:
    table = _grid(_VALUE, _PROSE)
    for name, moment in verdict.moments:
        met = {True: "met", False: "missed", None: "cannot be known"}[moment.holds]
        table.add_row(f"{name}, {moment.as_of}", figure(moment.value, verdict.unit), met)
    margin = figure(verdict.margin, verdict.unit.replace("%", "pp"))
    table.add_row("expected", "", f"{verdict.expected}; margin {margin}")
    if verdict.assumed is not None:
        table.add_row(
            "depends on assumptions", figure(None if verdict.assumed is None else verdict.assumed * 100, "%"), ""
        )
    return table


def _ranges(verdict: Verdict, robust: Robust) -> RenderableType:
    """The share, the percentiles, and what each ranged input does, the one that matters most first."""
    totals = {one.input: one.total for one in verdict.sensitivity}
    table = _grid(_PROSE, _VALUE, _PROSE)
    for swing in sorted(verdict.swings, key=lambda one: -totals.get(one.input, Decimal(0))):
        total = totals.get(swing.input)
        part = "" if total is None else f"{figure(total * 100, '%')} of the variance"
        values = f"{figure(swing.at_low, verdict.unit)} to {figure(swing.at_high, verdict.unit)}"
        table.add_row(Text(swing.input, style="bold"), ends(swing), values, Text(part, style="dim"))
    return Group(Text(sentence(robust, verdict.unit)), table)


def _steps(verdict: Verdict) -> FittedTable:
    table = _grid(_PROSE, _VALUE)
    for step in verdict.steps:
        table.add_row(Text(step.name, style="bold"), Text(step.text), figure(step.value, step.unit))
    return table


def _inputs(inputs: Iterable[Input]) -> FittedTable:
    table = _grid(_VALUE, _PROSE, _PROSE)
    for item in inputs:
        origin = " · ".join(part for part in (item.kind, item.item, item.component, item.catalog) if part)
        dates = f"from {item.valid_from}" if item.valid_from else ""
        notes = " · ".join(
            part for part in (dates, f"checked {item.checked}" if item.checked else "", item.source, item.note) if part
        )
        table.add_row(
            Text(item.name, style="bold"), figure(item.value, item.unit), Text(origin), Text(notes, style="dim")
        )
    return table


def _flips(verdict: Verdict) -> FittedTable:
    table = _grid(_PROSE)
    for flip in verdict.flips:
        at = f"{flip.side or 'at'} {figure(flip.at, flip.unit)}" if flip.at is not None else "at no value"
        told = f"{at} {flip.note}" if flip.at is None else f"{at}; {flip.note}" if flip.note else at
        table.add_row(Text(flip.input, style="bold"), told.strip())
    return table
