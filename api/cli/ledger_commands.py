"""Commands for the ledger: `runs`, `changes`, `replay`, `errata`, `record`."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from typer import Argument, BadParameter, Option

from api.cli.cli_options import AsOf, DayOption, Scheduler, Workers
from api.cli.cli_session import Answer, CliSession, now, today
from api.terminal import report_tables, verdict_tables
from compute.record.record import Basis, GroupField
from compute.reports.errata import Errata


def runs(
    asked: CliSession,
    run: Annotated[int | None, Argument(metavar="[RUN]", help="One run with its verdicts.")] = None,
    limit: Annotated[int, Option(min=1, max=1000)] = 20,
) -> Answer:
    """The runs of the ledger, latest first, or one of them.  Example: brain runs 3 --json"""
    every = asked.brain.ledger.runs() if run is None else (asked.brain.ledger.run(run),)
    found = list(every[:limit])
    rows = list(asked.brain.status.worded(list(asked.brain.ledger.rows(run)))) if run is not None else []
    counted = asked.brain.status.run_counts(found)
    return Answer(
        {"items": found, "total": len(every)} if run is None else {**found[0].model_dump(), "verdicts": rows},
        lambda: verdict_tables.runs(found, rows, counted),
        _more(len(every), limit, "runs"),
    )


def _more(total: int, limit: int, command: str, what: str = "more") -> list[str]:
    """What a list of at most `limit` leaves out, and how to see it."""
    return [f"{total - limit} {what}: brain {command} --limit {min(total, 1000)}"] if total > limit else []


def changes(
    asked: CliSession,
    since: Annotated[date | None, DayOption(help="Only runs from this day on.")] = None,
    limit: Annotated[int, Option(min=1, max=1000, help="How many runs to read, latest first.")] = 50,
) -> Answer:
    """Verdicts that changed from one run to the next, latest first.  Example: brain changes --since 2026-11-01"""
    found = list(asked.brain.reports.changed_runs(since, limit=limit))
    total = sum(since is None or one.as_of >= since for one in asked.brain.ledger.present_runs())
    answer = {"items": found, "runs_read": min(limit, total), "runs": total}
    return Answer(answer, lambda: verdict_tables.changes(found, total), _more(total, limit, "changes", "earlier runs"))


def replay(
    asked: CliSession,
    since: Annotated[date, DayOption("--from", help="The first day to evaluate for.")],
    every: Annotated[Literal["month", "week"], Option(help="The first of each month, or each Monday.")] = "month",
) -> Answer:
    """Evaluate the claims for past days, and append the runs as computed afterwards.

    Each day is evaluated with the claims made by then and the prices as known now. The runs count as runs of their
    days: changes, pages, feeds and the record show them. They raise no flags and send no notices. A day with a run is
    left out, so the command can be repeated.

    Examples: brain replay --from 2025-01-01 --every month · brain replay --from 2026-09-01 --every week
    """
    until = today()
    if since >= until:
        raise BadParameter(f"{since} is not before today", param_hint="--from")
    found = asked.brain.replay(past_days(since, until, every), at=now(), clock=now, step=asked.steps())
    counted = asked.brain.status.run_counts(found)
    return Answer({"items": found}, lambda: verdict_tables.runs(found, (), counted))


def past_days(since: date, until: date, every: Literal["month", "week"]) -> list[date]:
    """The firsts of months, or the Mondays, from `since` until before `until`."""
    days = (date.fromordinal(number) for number in range(since.toordinal(), until.toordinal()))
    return [one for one in days if (one.day == 1 if every == "month" else one.weekday() == 0)]


def errata(
    asked: CliSession, limit: Annotated[int, Option(min=1, max=1000, help="Most entries of each list.")] = 100
) -> Answer:
    """Refuted figures after the last run, each error once, most severe first.

    Each has the words of its text, the stated and the computed figure, and its claims. Figures on which texts differ
    come after them.

    Examples: brain errata · brain errata --limit 5 · brain errata --json
    """
    found = asked.brain.reports.errata()
    asked.mention_empty()
    shown = Errata(items=found.items[:limit], contradictions=found.contradictions[:limit], run=found.run)
    totals = {"total": len(found.items), "differing": len(found.contradictions), "run": found.run}
    listed = {"items": shown.items, "contradictions": shown.contradictions, **totals}
    return Answer(listed, lambda: report_tables.errata_list(shown), _more(len(found.items), limit, "errata"))


def record(
    asked: CliSession,
    by: Annotated[GroupField | None, Option(help="Group the claims by this field.")] = None,
    basis: Annotated[Basis, Option(help="Over prices as known now, or what the runs saw.")] = Basis.HINDSIGHT,
    as_of: AsOf = None,
    limit: Annotated[int, Option(min=1, max=1000, help="The most groups and broken figures to print.")] = 20,
    workers: Workers = None,
    scheduler: Scheduler = None,
) -> Answer:
    """How long figures stay true, and what broke them.

    Examples: brain record · brain record --by kind · brain record --by model --as-of 2026-01-01 ·
    brain record --basis ledger --json · brain record --workers 4
    """
    asked.processes = workers, scheduler
    found = asked.brain.record.record(as_of or today(), basis, by)
    asked.mention_empty()
    total = max(len(found.groups), len(found.broken))
    return Answer(found, lambda: report_tables.record(found, limit), _more(total, limit, "record"))
