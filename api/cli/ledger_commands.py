"""The ledger: `runs list|prune`, `changes`."""

from __future__ import annotations

from typing import Annotated

import typer

from api.cli.cli_session import Json, day, session, today
from api.cli.listing_group import listing_group
from api.terminal import report_tables
from compute.runs import run_retention
from compute.runs.run_retention import PolicyError, policy

RUNS_HELP = "The runs of the ledger, the latest first; or one of them.  Examples: brain runs · brain runs 3 --json"


def register(app: typer.Typer) -> None:
    """Register the commands."""
    panel = "Claims"
    app.add_typer(listing_group(RUNS_HELP, list=runs, prune=prune), name="runs", rich_help_panel=panel)
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


def prune(
    context: typer.Context,
    keep: Annotated[
        str, typer.Option(metavar="POLICY", help="90d,52w,10y: the latest run of each day, week (w), month (m), year.")
    ],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be removed; remove nothing.")] = False,
    json: Json = False,
) -> None:
    """Remove runs by a policy, keep every change of a verdict, and give the space back to the disk.

    Always retained: the first and the latest run, each run in which a verdict changed and the one before it, the runs
    that flags and notices refer to, and runs for another day than the one on which they were made. A removed run cannot
    be recomputed any more. Make a backup first.

    Examples: brain runs prune --keep 90d,52w,10y --dry-run · brain runs prune --keep 30d
    """
    try:
        tiers = policy(keep)
    except PolicyError as error:
        raise typer.BadParameter(str(error), param_hint="--keep") from error
    asked = session(context)
    with asked.brain() as opened:
        found = run_retention.prune(opened.store, tiers, today(), dry_run=dry_run)
        if found.removed and not dry_run:
            opened.store.vacuum()
    if json:
        asked.emit({**found.model_dump(), "dry_run": dry_run})
    else:
        would = "would be removed" if dry_run else "removed"
        asked.out.print(f"{len(found.removed)} runs {would}, with {found.snapshots} snapshots; {found.kept} remain")


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
