"""What an author sees: a new claim with its verdict, and what a save changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import shorten

from rich.console import RenderableType, group
from rich.padding import Padding
from rich.text import Text

from api.services.authoring import NewClaim
from api.services.folder_watch import SavedChanges
from api.terminal.document import document, styled_line, word
from api.terminal.import_tables import problem
from api.terminal.tables import many
from compute.reports.claim_report import verdict_blocks
from compute.reports.report_document import before_after, counts
from compute.reports.report_model import figure
from graph.models.verdict_models import VerdictRow
from graph.problems import Problem

REASON = 300
"""The most characters of a reason; brain explain has all of it."""


@group()
def new_claim(found: NewClaim, hints: Sequence[Problem], path: Path | None) -> Iterator[RenderableType]:
    """A new claim with the path of its file, else with its YAML."""
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
    """What is watched, and how it is at the beginning."""
    verdicts = (
        styled_line(counts(Counter(row.verdict.value for row in rows.values()))).plain if rows else "no claims yet"
    )
    found = many(len(first.problems), "problem")
    return f"watching {folder}: {verdicts}; {found}; Ctrl-C ends"


@group()
def saved(found: SavedChanges) -> Iterator[RenderableType]:
    """What a save changed: verdicts, new problems, solved problems."""
    yield Text.assemble((f"{found.at:%H:%M:%S}  ", "dim"), (", ".join(found.documents), "bold"))
    for one in found.changes:
        known = (value for value in (one.value_before, one.value_after) if value is not None)
        values = dict.fromkeys(figure(value, one.unit) for value in known)
        verdicts = styled_line(before_after(one))
        yield Text.assemble("  ", verdicts, " ", (one.claim, "bold"), f"  {' → '.join(values)}")
        if one.reason:
            yield Padding(Text(shorten(one.reason, REASON, placeholder=" …"), "dim"), (0, 4))
    yield from map(problem, found.problems)
    yield from (Text(f"  fixed: {one.where()}: {one.message}", style="green") for one in found.mended)
    if not (found.changes or found.problems or found.mended):
        yield Text("  no verdict changes", style="dim")
