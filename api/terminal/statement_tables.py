"""Mined statements in a terminal: by node, the quotation, what is stated and what was computed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from api.terminal.figure_text import figure
from compute.figures.figure_models import Finding, Statement
from compute.figures.statement_writer import without_computed
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


def listing(found: Sequence[Statement]) -> RenderableType:
    """Statements under their nodes, and how many of each verdict there are."""
    parts: list[RenderableType] = []
    for node, statements in groupby(found, key=lambda one: one.node):
        parts.append(Text(node, style="bold"))
        parts += [Padding(_one(statement), (0, 2, 1, 2)) for statement in statements]
    counts = Counter(one.verdict for one in found)
    told = [(f"  {counts[name]} {name}", style) for name, style in STYLES.items() if counts[name]]
    parts.append(Text.assemble(*told) if told else Text("no statement that can be checked was found"))
    return Group(*parts)


def _one(statement: Statement) -> RenderableType:
    head = Text.assemble(
        (statement.verdict, STYLES[statement.verdict]),
        (f"  {statement.kind}", "dim"),
    )
    quote = plain_text(statement.quote)
    shown = quote if len(quote) <= LONGEST else quote[:LONGEST].rstrip() + "…"
    return Group(head, Text(f"“{shown}”", style="italic"), _figures(statement))


def _figures(statement: Statement) -> Text:
    stated = f"stated {figure(statement.stated, statement.unit)}"
    computed = f", computed {figure(statement.computed, statement.unit)}" if statement.computed is not None else ""
    given = ", ".join(f"{one.name} {one.formula}" for one in statement.inputs)
    working = f"  {statement.expression}" + (f"  with {given}" if given else "")
    note = statement.note if statement.computed is None else without_computed(statement.note)
    return Text.assemble((stated + computed, "bold"), (working, "dim"), f"\n{note}" if note else "")
