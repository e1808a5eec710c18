"""The ledger and what follows from it: `runs`, `changes`, `replay`, `errata`, `record`."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from typer import Argument, BadParameter, Context, Option

from api.cli.cli_options import AsOf, Json, Scheduler, Workers, day
from api.cli.cli_session import now, opened_brain, steps, today
from api.terminal import report_tables, verdict_tables
from compute.record.record import Basis, GroupField
from compute.reports.errata import Errata

LOOKED_AT = 50
"""Of so many runs, the latest first, `brain changes` lists the changes."""


def runs(
    context: Context,
    run: Annotated[int | None, Argument(metavar="[RUN]", help="One run with its verdicts.")] = None,
    limit: Annotated[int, Option(min=1, max=1000)] = 20,
    json: Json = False,
) -> None:
    """The runs of the ledger, latest first, or one of them.  Example: brain runs 3 --json"""
    with opened_brain(context) as (asked, opened):
        found = [opened.ledger.run(run)] if run is not None else list(opened.ledger.runs(limit))
        rows = list(opened.status.worded(list(opened.ledger.rows(run)))) if run is not None else []
        counted = opened.status.run_counts(found)
    asked.answer(
        {"items": found} if run is None else {**found[0].model_dump(), "verdicts": rows},
        lambda: verdict_tables.runs(found, rows, counted),
        json=json,
    )


def changes(
    context: Context,
    since: Annotated[date | None, Option(parser=day, metavar="DATE", help="Only runs from this day on.")] = None,
    json: Json = False,
) -> None:
    """Verdicts that changed from one run to the next, latest first.  Example: brain changes --since 2026-11-01"""
    with opened_brain(context) as (asked, opened):
        found = list(opened.reports.changed_runs(since, limit=LOOKED_AT))
    asked.answer({"items": found}, lambda: verdict_tables.changes(found), json=json)


def replay(
    context: Context,
    since: Annotated[date, Option("--from", parser=day, metavar="DATE", help="The first day to evaluate for.")],
    every: Annotated[Literal["month", "week"], Option(help="The first of each month, or each Monday.")] = "month",
    json: Json = False,
) -> None:
    """Evaluate the claims for past days, and append the runs as computed afterwards.

    Each day is evaluated with the claims made by then and the prices as known now. The runs count as runs of their
    days: changes, pages, feeds and the record show them. Flags and notices do not. A day that has a run is left out, so
    the command can be repeated.

    Examples: brain replay --from 2025-01-01 --every month · brain replay --from 2026-09-01 --every week
    """
    until = today()
    if since >= until:
        raise BadParameter(f"{since} is not before today", param_hint="--from")
    with opened_brain(context) as (asked, opened), asked.progress() as bar:
        found = opened.replay(past_days(since, until, every), at=now(), clock=now, step=steps(bar))
        counted = opened.status.run_counts(found)
    asked.answer({"items": found}, lambda: verdict_tables.runs(found, (), counted), json=json)


def past_days(since: date, until: date, every: Literal["month", "week"]) -> list[date]:
    """The firsts of months, or the Mondays, from a day on and before another."""
    days = (date.fromordinal(number) for number in range(since.toordinal(), until.toordinal()))
    return [one for one in days if (one.day == 1 if every == "month" else one.weekday() == 0)]


def errata(
    context: Context,
    limit: Annotated[int, Option(min=1, max=1000, help="Most entries of each list.")] = 100,
    json: Json = False,
) -> None:
    """Refuted figures after the last run, each error once, most severe first.

    Each has the words of its text, the stated and the computed figure, and its claims. Figures on which texts differ
    come after them.

    Examples: brain errata · brain errata --limit 5 · brain errata --json
    """
    with opened_brain(context) as (asked, opened):
        found = opened.reports.errata()
        asked.mention_empty(opened)
    shown = Errata(items=found.items[:limit], contradictions=found.contradictions[:limit])
    totals = {"total": len(found.items), "differing": len(found.contradictions)}
    listed = {"items": shown.items, "contradictions": shown.contradictions, **totals}
    asked.answer(listed, lambda: report_tables.errata_list(shown), json=json)
    if (left := len(found.items) - len(shown.items)) and not json:
        asked.say(f"{left} more: brain errata --limit {min(len(found.items), 1000)}")


def record(
    context: Context,
    by: Annotated[GroupField | None, Option(help="Group the claims by this field.")] = None,
    basis: Annotated[Basis, Option(help="Over prices as known now, or what the runs saw.")] = Basis.HINDSIGHT,
    as_of: AsOf = None,
    limit: Annotated[int, Option(min=1, max=1000, help="Most groups and broken figures.")] = 20,
    workers: Workers = None,
    scheduler: Scheduler = None,
    json: Json = False,
) -> None:
    """How long figures stay true, and what broke them.

    Examples: brain record · brain record --by kind · brain record --by model --as-of 2026-01-01 ·
    brain record --basis ledger --json · brain record --workers 4
    """
    with opened_brain(context, (workers, scheduler)) as (asked, opened):
        found = opened.record.record(as_of or today(), basis, by)
        asked.mention_empty(opened)
    asked.answer(found, lambda: report_tables.record(found, limit), json=json)
    left = max(len(found.groups), len(found.broken)) - limit
    if left > 0 and not json:
        asked.say(f"{left} more: brain record --limit {min(1000, limit + left)}")
