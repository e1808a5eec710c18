"""Proofs and mined statements in a terminal: each figure with its line and a mark under it, and its working."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from api.services.import_report import FileLeft
from api.services.live_figures import LiveFigure, State
from api.services.proof_models import Proof, ProofItem, ProofVerdict, checked
from api.terminal.figure_text import figure, many
from api.terminal.import_tables import files_left
from api.terminal.marked_line import MarkedLine
from compute.figures.figure_models import Finding, Statement
from compute.figures.statement_writer import without_computed
from compute.reports.sarif_report import ReportRule
from graph.problems import Problem, Severity
from graph.text.plain_text import plain_text

STYLES: Mapping[Finding, str] = {
    "holds": "green",
    "stale": "yellow",
    "refuted": "red",
    "needs-assumption": "magenta",
    "unpriced": "cyan",
    "differs": "blue",
}
LONGEST = 280
_SEVERITIES: Mapping[ProofVerdict, Severity] = {
    "refuted": Severity.ERROR,
    "stale": Severity.WARNING,
    "needs-assumption": Severity.NOTE,
    "unpriced": Severity.NOTE,
}
_STATES: Mapping[State, str] = {
    "current": "green",
    "outdated": "yellow",
    "edited": "red",
    "unknown": "red",
    "no value": "magenta",
    "unclosed": "red",
}


_MEANINGS: tuple[tuple[ProofVerdict, str, str], ...] = (
    (
        "refuted",
        "The figure is wrong by the other figures of the text, or by a dated price.",
        "Correct the figure, or the figures that it follows from: the message has both values and the working.",
    ),
    (
        "stale",
        "The figure was right once, and a price has changed since.",
        "Bring the figure up to date, or write the day for which it holds.",
    ),
    (
        "needs-assumption",
        "The figure cannot be computed from what the text states.",
        "State the missing input, or the day of a price: the message says what its value would have to be.",
    ),
    (
        "unpriced",
        "No catalogue has the price for that day.",
        "Check the price at its source, or add it with a price card (docs/prices.md).",
    ),
)

RULES = tuple(
    ReportRule(f"figure-{verdict}", title, advice, _SEVERITIES[verdict]) for verdict, title, advice in _MEANINGS
)
"""What the verdicts of figures mean, for SARIF."""


def listing(proofs: Sequence[Proof], every: Sequence[ProofItem], left: Sequence[FileLeft] = ()) -> RenderableType:
    """The items of each file, the files that were left out, and how many figures of each verdict `every` has."""
    parts: list[RenderableType] = []
    for proof in proofs:
        if not proof.read:
            parts += [Text(f"{proof.document}: it cannot be read", style="red")]
            parts += [Padding(Text(problem.render()), (0, 2)) for problem in proof.problems]
        parts += [Padding(_item(item), (0, 0, 1, 0)) for item in proof.items]
    parts += files_left(left)
    counts = {name: checked(item for item in every if item.verdict == name) for name in _FINDINGS}
    total, shown = sum(proof.figures for proof in proofs), sum(checked(proof.items) for proof in proofs)
    some = f", {shown} of them shown" if shown < checked(every) else ""
    parts.append(Text(f"{many(total, 'figure')} in {many(len(proofs), 'file')}, {checked(every)} checked{some}"))
    told = [(f"  {counts[name]} {name}", style) for name, style in _FINDINGS.items() if counts[name]]
    return Group(*parts, Text.assemble(*told)) if told else Group(*parts)


_FINDINGS: Mapping[str, str] = {"holds": "green", "refuted": "red"} | {
    str(verdict): style for verdict, style in STYLES.items()
}
"""The styles of findings, in the order in which they are counted."""


def _item(item: ProofItem) -> RenderableType:
    head = Text.assemble(
        (f"{item.document}:{item.line}:{item.column}: ", "bold"),
        (item.verdict, _FINDINGS[item.verdict]),
        (f"  {item.kind}", "dim"),
    )
    return Group(head, _marked(item), _working(item))


def _marked(item: ProofItem) -> MarkedLine:
    """The sentence around the figure, with a caret under each character of it."""
    quote, text = plain_text(item.quote), plain_text(item.text)
    before = plain_text(item.quote[: item.quote_start or 0])
    places = [found.start() for found in re.finditer(f"(?={re.escape(text)})", quote)]
    at = min(places, key=lambda place: abs(place - len(before)), default=0)
    return MarkedLine(quote, at, at + len(text) if places else at)


def _working(item: ProofItem) -> RenderableType:
    stated = f"stated {figure(item.stated, item.unit)}"
    computed = f", computed {figure(item.computed, item.unit)}" if item.computed is not None else ""
    given = ", ".join(f"{one.name} {one.formula}" for one in item.inputs)
    working = f"  {item.expression}" + (f"  with {given}" if given else "")
    note = f"\n{further}" if (further := _note(item)) else ""
    return Padding(Text.assemble(stated + computed, (working, "dim"), note), (0, 0, 0, 2), expand=False)


def _note(item: ProofItem) -> str:
    """The note, without the computed figure where it is shown next to the stated one."""
    return item.note if item.computed is None else without_computed(item.note)


def findings(proofs: Iterable[Proof]) -> Iterator[Problem]:
    """The figures that do not hold, as problems with their places."""
    for proof in proofs:
        yield from proof.problems
        for item in proof.items:
            if item.verdict in _SEVERITIES:
                computed = f", computed {figure(item.computed, item.unit)}" if item.computed is not None else ""
                yield Problem(
                    document=item.document, line=item.line, column=item.column, end_column=item.end_column,
                    severity=_SEVERITIES[item.verdict], code=f"figure-{item.verdict}",
                    message=f"{item.text}: stated {figure(item.stated, item.unit)}{computed}",
                    hint=_note(item) or None,
                )  # fmt: skip


def live(found: Sequence[LiveFigure], left: Sequence[FileLeft] = (), *, written: bool, marked: bool) -> RenderableType:
    """The live figures that are not current, and how many there are of each state; `marked`: the files have marks."""
    parts: list[RenderableType] = []
    for one in found:
        if one.state == "current":
            continue
        state = _name(one.state, written=written)
        change = f"{one.text.strip() or '(nothing)'} → {one.now}" if one.state == "outdated" else one.note
        place = f"{one.document}:{one.line}:{one.column}: "
        parts.append(
            Text.assemble(
                (place, "bold"), (state, _STATES[one.state]), f"  {change}", f"  ({one.claim})" if one.claim else ""
            )
        )
    parts += files_left(left)
    counts = Counter(one.state for one in found)
    told = ", ".join(f"{counts[state]} {_name(state, written=written)}" for state in _STATES if counts[state])
    none = "there are no live figures" + ("; marks in code and in front matter are not read" if marked else "")
    parts.append(Text(f"{many(len(found), 'live figure')}: {told}" if found else none))
    return Group(*parts)


def _name(state: State, *, written: bool) -> str:
    """The name of a state, after outdated figures were written."""
    return "written" if written and state == "outdated" else state


def statements(found: Sequence[Statement]) -> RenderableType:
    """Statements under their nodes, and how many of each verdict there are."""
    parts: list[RenderableType] = []
    for node, some in groupby(found, key=lambda one: one.node):
        parts.append(Text(node, style="bold"))
        parts += [Padding(_statement(statement), (0, 2, 1, 2)) for statement in some]
    counts = Counter(one.verdict for one in found)
    told = [(f"  {counts[name]} {name}", style) for name, style in STYLES.items() if counts[name]]
    parts.append(Text.assemble(*told) if told else Text("no statement that can be checked was found"))
    return Group(*parts)


def _statement(statement: Statement) -> RenderableType:
    head = Text.assemble(
        (statement.verdict, STYLES[statement.verdict]),
        (f"  {statement.kind}", "dim"),
    )
    quote = plain_text(statement.quote)
    shown = quote if len(quote) <= LONGEST else quote[:LONGEST].rstrip() + "…"
    return Group(head, Text(f"“{shown}”", style="italic"), _statement_figures(statement))


def _statement_figures(statement: Statement) -> Text:
    stated = f"stated {figure(statement.stated, statement.unit)}"
    computed = f", computed {figure(statement.computed, statement.unit)}" if statement.computed is not None else ""
    given = ", ".join(f"{one.name} {one.formula}" for one in statement.inputs)
    working = f"  {statement.expression}" + (f"  with {given}" if given else "")
    note = statement.note if statement.computed is None else without_computed(statement.note)
    return Text.assemble((stated + computed, "bold"), (working, "dim"), f"\n{note}" if note else "")
