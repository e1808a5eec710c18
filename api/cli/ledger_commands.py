"""The ledger: `runs`, `changes`."""

from __future__ import annotations

from typing import Annotated

import typer

from api.cli.cli_session import Json, day, session
from api.terminal import report_tables


def register(app: typer.Typer) -> None:
    """Register the commands."""
    panel = "Claims"
    app.command(rich_help_panel=panel)(runs)
    app.command(rich_help_panel=panel)(changes)


def runs(
    context: typer.Context,
    run: Annotated[int | None, typer.Argument(metavar="[RUN]", help="One run with its verdicts.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000)] = 20,
    json: Json = False,
) -> None:
    """The runs of the ledger, the latest first; or one of them.  Example: brain runs 3 --json"""
    asked = session(context)
    with asked.brain() as opened:
        found = [opened.ledger.run(run)] if run is not None else list(opened.ledger.runs(limit))
        rows = list(opened.status.worded(list(opened.ledger.rows(run)))) if run is not None else []
    if json:
        asked.emit({"items": found} if run is None else {**found[0].model_dump(), "verdicts": rows})
    else:
        asked.out.print(report_tables.runs(found, rows))


def changes(
    context: typer.Context,
    since: Annotated[str | None, typer.Option(help="Only runs for this day and later, as 2026-11-21.")] = None,
    json: Json = False,
) -> None:
    """Verdicts that changed from one run to the next, latest first.  Example: brain changes --since 2026-11-01"""
    asked = session(context)
    with asked.brain() as opened:
        found = opened.status.changes(day(since) if since else None)
    if json:
        asked.emit({"items": found})
    else:
        asked.out.print(report_tables.changes(found))
