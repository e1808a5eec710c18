"""Find what can be checked: `mine`."""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from api.brain import Brain
from api.cli.cli_session import AsOf, Json, Scheduler, Workers, session, steps, today
from api.services.claim_drafts import claim_file
from api.services.progress_steps import ProgressStep
from api.terminal import statement_tables as shown
from compute.figures.figure_models import Statement
from ingest.source_files import read_paths


class MinedVerdict(StrEnum):
    """What is found about a statement."""

    HOLDS = "holds"
    STALE = "stale"
    REFUTED = "refuted"
    NEEDS_ASSUMPTION = "needs-assumption"
    UNPRICED = "unpriced"
    DIFFERS = "differs"


def register(app: typer.Typer) -> None:
    """Register the command."""
    app.command(rich_help_panel="Claims")(mine)


def mine(
    context: typer.Context,
    sources: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FILE|NODE…]", help="Files, or ids of nodes; all nodes if none is named."),
    ] = None,
    nodes: Annotated[list[str] | None, typer.Option("--node", metavar="NODE", help="A node; repeat it.")] = None,
    verdict: Annotated[
        list[MinedVerdict] | None, typer.Option(help="Only statements with this verdict; repeat it.")
    ] = None,
    sure: Annotated[
        float, typer.Option(min=0, max=1, help="Only readings at least as sure as this, from 0 to 1.")
    ] = 0.0,
    claims: Annotated[
        bool, typer.Option("--claims", help="As claims in YAML, to be pasted into a file of claims.")
    ] = False,
    as_of: AsOf = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
    json: Json = False,
) -> None:
    """Checkable statements found in prose, each with the figure that our own computation gives.

    Nothing is stored. A statement that this finds is a suggestion: write a claim for what should be watched.

    Examples: brain mine · brain mine kai/what-ai-coverage-is-for · brain mine --verdict refuted --sure 0.7 ·
    brain mine --node analyst/kv-cache-budget --claims > claims.yaml · brain mine draft.md --claims ·
    brain mine --workers 4
    """
    asked, day = session(context), as_of or today()
    wanted = {one.value for one in verdict or MinedVerdict}
    places: dict[str, str] = {}
    named = [*(sources or ()), *(nodes or ())]
    only_files = bool(named) and not nodes and all(Path(name).is_file() for name in named)
    opening = asked.brain_if_any if only_files else asked.brain
    with opening((workers, scheduler)) as opened, asked.progress() as bar:
        found = _found(opened, (sources or [], nodes or []), day, places, steps(bar))
        found = tuple(one for one in found if one.verdict in wanted and one.confidence >= sure)
        drafts = claim_file(found, day, lambda one: places.get(one.id) or opened.mining.place(one)) if claims else None
    if json:
        asked.emit({"items": found})
    elif drafts is not None:
        asked.out.file.write(drafts.text)
        if drafts.left:
            asked.log.print(f"{drafts.left} statements are left out: their formulas would be refused")
    else:
        asked.out.print(shown.listing(found))


def _found(
    opened: Brain,
    named: tuple[list[str], list[str]],
    day: date,
    places: dict[str, str],
    step: ProgressStep,
) -> tuple[Statement, ...]:
    """The statements of files and of nodes; `places` gets the line of each statement of a file."""
    files = [name for name in named[0] if Path(name).is_file()]
    nodes = [*(name for name in named[0] if name not in files), *named[1]]
    found: list[Statement] = []
    for one in read_paths(Path(name) for name in files):
        some, lines = opened.mining.read(one.data, one.name, day, step)
        found += some
        places.update(lines)
    if nodes or not files:
        found += opened.mining.statements([opened.nodes.named(node) for node in nodes], day, step=step)
    return tuple(found)
