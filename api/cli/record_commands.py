"""The record: `record`."""

from __future__ import annotations

from typing import Annotated

import typer

from api.cli.cli_session import AsOf, Json, Scheduler, Workers, session, today
from api.terminal import record_tables
from compute.record.record import Basis, GroupField


def register(app: typer.Typer) -> None:
    """Register the command."""
    app.command(rich_help_panel="Claims")(record)


def record(
    context: typer.Context,
    by: Annotated[GroupField | None, typer.Option(help="Group the claims by this field.")] = None,
    basis: Annotated[
        Basis, typer.Option(help="Replayed over the prices as known now, or only what the runs saw.")
    ] = Basis.HINDSIGHT,
    as_of: AsOf = None,
    forecasts: Annotated[
        bool, typer.Option("--forecasts", help="Also score what the runs announced: it reads every run again.")
    ] = False,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="At most so many groups, and broken figures.")] = 20,
    workers: Workers = None,
    scheduler: Scheduler = None,
    json: Json = False,
) -> None:
    """How long figures live: of those that were true when written, the share that still holds, and what broke them.

    Examples: brain record · brain record --by kind · brain record --by model --as-of 2026-01-01 ·
    brain record --basis ledger --json · brain record --forecasts · brain record --workers 4
    """
    asked = session(context)
    with asked.brain((workers, scheduler)) as opened:
        found = opened.record.record(as_of or today(), basis, by)
        scores = opened.record.forecasts(as_of or today()) if forecasts else None
        asked.mention_empty(opened)
    if json:
        asked.emit({**found.model_dump(), **({"forecasts": scores} if scores else {})})
        return
    asked.out.print(record_tables.record(found, limit))
    if scores:
        asked.out.print(record_tables.forecasts(scores, limit))
    left = max(len(found.groups), len(found.broken)) - limit
    if left > 0:
        asked.log.print(f"{left} more: brain record --limit {min(1000, limit + left)}", soft_wrap=True)
