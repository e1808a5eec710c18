"""Proofs, live figures, statements, drafts and watched saves in a terminal."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, get_args

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, group
from rich.padding import Padding
from rich.text import Span, Text

from api.services.importing.documents import FileLeft
from api.services.texts.claim_drafts import CheckedClaim, DraftCheck
from api.services.texts.live_figures import LiveFigure, State
from api.services.texts.proofreader import Proof, ProofItem, checked, figures_text, note_text
from api.terminal.document import STYLES, document, styled_line, word
from api.terminal.import_tables import files_left, problem
from compute.figures.figure_models import Finding, Statement
from compute.reports.claim_report import verdict_blocks
from compute.reports.report_document import before_after, counts
from compute.reports.report_model import figure
from graph.models.verdict_models import VerdictRow
from graph.problems import Problem
from graph.text.counts import many
from graph.text.plain_text import plain_text

if TYPE_CHECKING:  # what loads the linter
    from api.services.importing.folder_watch import SavedChanges
    from api.services.texts.claim_author import NewClaim

SHOWN = 300  # the most characters shown of a statement or a reason
BAR = "  | "  # the beginning of each line of a sentence


@group()
def listing(
    proofs: Sequence[Proof], verdicts: Container[str], left: Sequence[FileLeft] = ()
) -> Iterator[RenderableType]:
    """Items with some verdicts, files left out, and the number of all figures by verdict."""
    every = [item for proof in proofs for item in proof.items]
    for proof in proofs:
        if not proof.read:
            yield Text(f"{proof.document}: it cannot be read", style="red")
            yield from (Padding(Text(one.render()), (0, 2)) for one in proof.problems)
        yield from (Padding(_item(item), (0, 0, 1, 0)) for item in proof.items if item.verdict in verdicts)
    yield from files_left(left)
    total, shown = sum(proof.figures for proof in proofs), checked(one for one in every if one.verdict in verdicts)
    some = f", {shown} of them shown" if shown < checked(every) else ""
    yield Text(f"{many(total, 'figure')} in {many(len(proofs), 'file')}, {checked(every)} checked{some}")
    if every:
        yield _counted({name: checked(item for item in every if item.verdict == name) for name in get_args(Finding)})


def _counted(counts: Mapping[Finding, int]) -> Text:
    shown = (name for name in get_args(Finding) if counts.get(name))
    return Text.assemble(*((f"  {counts[name]} {name}", STYLES[name]) for name in shown))


def _item(item: ProofItem) -> RenderableType:
    place = f"{item.document}:{item.line}:{item.column}: "
    head = Text.assemble((place, "bold"), word(item.verdict), (f"  {item.kind}", "dim"))
    return Group(head, _marked(item), Padding(_working(item), (0, 0, 0, 2), expand=False))


def _marked(item: ProofItem) -> MarkedLine:
    """The sentence around the figure, with carets under it."""
    quote, text = plain_text(item.quote), plain_text(item.text)
    before = plain_text(item.quote[: item.quote_start or 0])
    places = [found.start() for found in re.finditer(f"(?={re.escape(text)})", quote)]
    at = min(places, key=lambda place: abs(place - len(before)), default=0)
    return MarkedLine(quote, at, at + len(text) if places else at)


@dataclass(frozen=True)
class MarkedLine:
    """A sentence with carets under a figure; some characters have two columns."""

    text: str
    start: int
    end: int

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        text = Text(self.text)
        text.stylize("bold", self.start, self.end)
        for line in text.wrap(console, options.max_width - len(BAR)):
            figure = next(iter(line.spans), Span(0, 0, ""))
            before, marked = line.plain[: figure.start], line.plain[figure.start : figure.end].rstrip()
            yield Text(f"{BAR}{line.plain.rstrip()}")
            if marked:
                yield Text(f"{BAR}{' ' * cell_len(before)}{'^' * cell_len(marked)}")


def _working(one: ProofItem | Statement) -> Text:
    """Stated and computed figure, expression with inputs, note."""
    given = ", ".join(f"{each.name} {each.formula}" for each in one.inputs)
    expression = f"  {one.expression}" + (f"  with {given}" if given else "")
    note = f"\n{further}" if (further := note_text(one)) else ""
    return Text.assemble((figures_text(one), "bold"), (expression, "dim"), note)


@group()
def live(
    found: Sequence[LiveFigure], left: Sequence[FileLeft] = (), *, written: bool, marked: bool
) -> Iterator[RenderableType]:
    """Live figures that are not current, and counts by state; `marked`: the files have marks."""
    names = {state: "written" if written and state == "outdated" else state for state in get_args(State)}
    for one in found:
        if one.state != "current":
            place = f"{one.document}:{one.line}:{one.column}: "
            change = f"{one.text.strip() or '(nothing)'} → {one.now}" if one.state == "outdated" else one.note
            claim = f"  ({one.claim})" if one.claim else ""
            yield Text.assemble((place, "bold"), (names[one.state], STYLES[one.state]), f"  {change}", claim)
    yield from files_left(left)
    counts = Counter(one.state for one in found)
    told = ", ".join(f"{counts[state]} {name}" for state, name in names.items() if counts[state])
    none = "there are no live figures" + ("; marks in code and in front matter are not read" if marked else "")
    yield Text(f"{many(len(found), 'live figure')}: {told}" if found else none)


@group()
def statements(found: Sequence[Statement]) -> Iterator[RenderableType]:
    """Statements by node, and their number by verdict."""
    for node, some in groupby(found, key=lambda one: one.node):
        yield Text(node, style="bold")
        yield from (Padding(_statement(one), (0, 2, 1, 2)) for one in some)
    counts = Counter(one.verdict for one in found)
    yield _counted(counts) if found else Text("no statement that can be checked was found")


def _statement(one: Statement) -> RenderableType:
    head = Text.assemble(word(one.verdict), (f"  {one.kind}", "dim"))
    return Group(head, Text(f"“{shorten(plain_text(one.quote), SHOWN, placeholder=' …')}”", "italic"), _working(one))


@group()
def drafts(found: DraftCheck) -> Iterator[RenderableType]:
    """Checked drafts, and how many need no change."""
    yield from map(problem, found.problems)
    yield from (Padding(_draft(item), (0, 0, 1, 0)) for item in found.items)
    kept = sum(not item.changes for item in found.items)
    yield Text(f"{many(len(found.items), 'claim')}, {kept} without a change; nothing was stored")


@group()
def _draft(item: CheckedClaim) -> Iterator[RenderableType]:
    style = "yellow" if item.changes else "green"
    yield Text.assemble((f"line {item.line}  ", "dim"), (item.id, "bold"), "  ", (item.verdict.verdict, style))
    if item.quote and item.quoted:
        yield Text(f"  quoted at line {item.quote.line}", style="dim")
    yield Padding(document(verdict_blocks(item.verdict)), (0, 2))
    yield from (Text(f"  → {change}", style="yellow") for change in item.changes)


@group()
def new_claim(found: NewClaim, hints: Sequence[Problem], path: Path | None) -> Iterator[RenderableType]:
    """A new claim with the path of its file, or its YAML."""
    yield Text(f"{path}: the claim {found.id} is added\n" if path else found.yaml)
    if found.gap:
        where = f" in {path}" if path else ""
        yield Text.assemble(word(found.checked.verdict.verdict), f"  a gap: write the formula under value{where}")
        yield from (Text(f"  {one.formula}  {figure(one.value, one.unit)}") for one in found.proposals)
        if not found.proposals:
            yield Text("  no price is known by the names of the sentence: brain prices list, brain new price")
        return
    yield document(verdict_blocks(found.checked.verdict))
    yield from (Text(f"→ {change}", style="yellow") for change in found.checked.changes)
    yield from map(problem, hints)


def watching(folder: Path, first: SavedChanges, rows: Mapping[str, VerdictRow]) -> str:
    """The watched folder, and its state at the beginning."""
    verdicts = (
        styled_line(counts(Counter(row.verdict.value for row in rows.values()))).plain if rows else "no claims yet"
    )
    found = many(len(first.problems), "problem")
    return f"watching {folder}: {verdicts}; {found}; Ctrl-C ends"


@group()
def saved(found: SavedChanges) -> Iterator[RenderableType]:
    """What a save changed: verdicts, new problems, fixed problems."""
    yield Text.assemble((f"{found.at:%H:%M:%S}  ", "dim"), (", ".join(found.documents), "bold"))
    for one in found.changes:
        known = (value for value in (one.value_before, one.value_after) if value is not None)
        values = dict.fromkeys(figure(value, one.unit) for value in known)
        verdicts = styled_line(before_after(one))
        yield Text.assemble("  ", verdicts, " ", (one.claim, "bold"), f"  {' → '.join(values)}")
        if one.reason:
            yield Padding(Text(shorten(one.reason, SHOWN, placeholder=" …"), "dim"), (0, 4))
    yield from map(problem, found.problems)
    yield from (Text(f"  fixed: {one.where()}: {one.message}", style="green") for one in found.mended)
    if not (found.changes or found.problems or found.mended):
        yield Text("  no verdict changes", style="dim")
