"""Find what can be checked: `mine`."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from api.cli.cli_session import AsOf, Json, session, today
from api.cli.document_commands import steps
from api.services.claim_drafts import claim_file
from api.terminal import statement_tables as shown


class MinedVerdict(StrEnum):
    """What is found about a statement."""

    HOLDS = "holds"
    REFUTED = "refuted"
    NEEDS_ASSUMPTION = "needs-assumption"
    UNPRICED = "unpriced"
    DIFFERS = "differs"


def register(app: typer.Typer) -> None:
    """Register the command."""
    app.command(rich_help_panel="Claims")(mine)


def mine(
    context: typer.Context,
    nodes: Annotated[
        list[str] | None, typer.Argument(metavar="[NODE…]", help="Ids of nodes; all if none is named.")
    ] = None,
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
    json: Json = False,
) -> None:
    """Checkable statements found in prose, each with the figure that our own computation gives.

    Nothing is stored. A statement that this finds is a suggestion: write a claim for what should be watched.

    Examples: brain mine · brain mine kai/what-ai-coverage-is-for · brain mine --verdict refuted --sure 0.7 ·
    brain mine analyst/kv-cache-budget --claims > claims.yaml
    """
    asked, day = session(context), as_of or today()
    with asked.brain() as opened, asked.progress() as bar:
        found = opened.mining.statements(nodes or [], day, step=steps(bar))
    wanted = {one.value for one in verdict or MinedVerdict}
    found = tuple(one for one in found if one.verdict in wanted and one.confidence >= sure)
    if json:
        asked.emit({"items": found})
    elif claims:
        told = claim_file(found, day)
        asked.out.file.write(told.text)
        if told.left:
            asked.log.print(f"{told.left} statements are left out: their formulas would be refused")
    else:
        asked.out.print(shown.listing(found))
