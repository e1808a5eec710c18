"""Checked drafts of claims in a terminal: each with its quote, its verdict with the working, and what to change."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from api.services.draft_checker import CheckedClaim, DraftCheck
from api.terminal import import_tables, verdict_tables
from api.terminal.figure_text import many


def listing(found: DraftCheck) -> RenderableType:
    """The claims in their order, and how many can be kept as they are."""
    parts: list[RenderableType] = [import_tables.problem(problem) for problem in found.problems]
    for item in found.items:
        parts += [Padding(Group(*_item(item)), (0, 0, 1, 0))]
    kept = sum(not item.changes for item in found.items)
    return Group(*parts, Text(f"{many(len(found.items), 'claim')}, {kept} without a change; nothing was stored"))


def _item(item: CheckedClaim) -> Iterator[RenderableType]:
    style = "yellow" if item.changes else "green"
    yield Text.assemble((f"line {item.line}  ", "dim"), (item.id, "bold"), "  ", (item.verdict.verdict, style))
    if item.quote and item.quoted:
        yield Text(f"  quoted at line {item.quote.line}", style="dim")
    yield Padding(verdict_tables.working(item.verdict), (0, 2))
    for change in item.changes:
        yield Text(f"  → {change}", style="yellow")
