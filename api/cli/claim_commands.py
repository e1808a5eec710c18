"""Claims: `claims`, `explain`, `errata`, `health`."""

from __future__ import annotations

from typing import Annotated

import typer

from api.cli.cli_session import (
    Json,
    Node,
    session,
)
from api.services import name_lookup
from api.terminal import report_tables
from compute.reports.errata import Errata
from graph.models.claim_models import VerdictName


def claims(
    context: typer.Context,
    verdict: Annotated[VerdictName | None, typer.Option(help="Only claims with this verdict.")] = None,
    node: Annotated[str | None, typer.Option(help="Only claims of this node.")] = None,
    json: Json = False,
) -> None:
    """Claims with their last verdict.  Example: brain claims --verdict stale"""
    asked = session(context)
    with asked.brain() as opened:
        found = name_lookup.states(opened, node, verdict)
        asked.mention_empty(opened)
    asked.answer({"items": found}, lambda: report_tables.states(found), json=json)


def errata(
    context: typer.Context,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="At most so many of each list.")] = 100,
    json: Json = False,
) -> None:
    """Figures of sources that do not add up, after the last run, each error once, the most severe first.

    Each has the words of its text, the stated and the computed figure, and the claims that see the error. Figures of
    texts that differ come after them.

    Examples: brain errata · brain errata --limit 5 · brain errata --json
    """
    asked = session(context)
    with asked.brain() as opened:
        found = opened.errata.found()
        asked.mention_empty(opened)
    shown = Errata(items=found.items[:limit], contradictions=found.contradictions[:limit])
    if json:
        totals = {"total": len(found.items), "differing": len(found.contradictions)}
        asked.emit({"items": shown.items, "contradictions": shown.contradictions, **totals})
        return
    asked.out.print(report_tables.errata_list(shown))
    if left := len(found.items) - len(shown.items):
        asked.log.print(f"{left} more: brain errata --limit {min(len(found.items), 1000)}", soft_wrap=True)


def health(context: typer.Context, node: Node, json: Json = False) -> None:
    """Is a node sound, weakened, broken or unchecked, and by which path?  Example: brain health analyst/kv-cache"""
    asked = session(context)
    with asked.brain() as opened:
        found = opened.status.health(opened.nodes.named(node))
    asked.answer({"items": [found]}, lambda: report_tables.health(found), json=json)
