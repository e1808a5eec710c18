"""Commands of the service: `demo`, `nightly`, `mcp`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Annotated

from rich.console import Group
from typer import Option

from api.brain import Brain
from api.cli import FAILED, UNDELIVERED, UNREADABLE
from api.cli.cli_options import All, AsOf, FailOn, verdicts
from api.cli.cli_session import Answer, CliSession, now, today
from api.cli.ledger_commands import past_days
from api.cli.serve_commands import Host, Port, run_server
from api.services.nightly_job import run_night
from api.terminal import report_tables
from api.terminal.document import document
from compute.reports import json_report, morning_report
from compute.reports.report_model import Report
from graph.models.claim_models import VerdictName
from graph.models.verdict_models import is_present
from graph.progress_steps import ProgressStep
from graph.values import loads

OUTCOMES: Mapping[str, int] = {
    "done": 0,
    "below the bar": FAILED,
    "not read": UNREADABLE,
    "not refreshed": UNREADABLE,
    "held": UNREADABLE,
    "not delivered": UNDELIVERED,
}
"""The exit code of a night by its outcome."""

PAST = timedelta(days=2 * 365)
"""How far back `demo` replays."""


def demo(
    asked: CliSession,
    serve_pages: Annotated[bool, Option("--serve/--no-serve", help="Serve the pages after the report.")] = True,
    as_of: AsOf = None,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    everything: All = False,
) -> Answer | None:
    """Read the content that ships, verify it, print the morning report, and serve.

    The first of each month of the two years before is evaluated first, so that there are changes to show.
    On a home that already has documents nothing is read again.  Example: brain demo --no-serve
    """
    if not asked.brain.documents.heads():
        asked.brain.ingest([], at=now(), shipped=True, step=asked.steps())
        asked.brain.search.refresh(asked.steps())
    found = _toured(asked.brain, as_of or today(), asked.steps(), working=asked.json)
    asked.at_end.close()
    if asked.json:
        asked.out.file.write(json_report.render(found))
    else:
        asked.out.print(document(morning_report.blocks(found, everything=everything)))
    if serve_pages:
        run_server(asked.settings, host, port, None)
    return None


def _toured(opened: Brain, as_of: date, step: ProgressStep, *, working: bool) -> Report:
    """The report of `demo`; the first run of a home is made as if `as_of` were today."""
    at = now()
    if not is_present(as_of, at) and opened.ledger.runs(1):
        return opened.reports.trial(as_of, at=at, working=working)
    shift = datetime.combine(as_of, at.timetz()) - at
    if not opened.ledger.runs(1):
        days = past_days(as_of - PAST, as_of, "month")
        opened.replay(days, at=at + shift, clock=lambda: now() + shift, step=step)
    run = opened.verify(as_of, at=at + shift, clock=lambda: now() + shift)
    return opened.reports.report(run, working=working)


def nightly(
    asked: CliSession,
    fail_on: FailOn = "",
    refresh: Annotated[bool, Option("--refresh/--no-refresh", help="Refresh the prices first.")] = True,
    everything: All = False,
    sure: Annotated[bool, Option("--yes", help="Run even if the last run is 180 days old or more.")] = False,
) -> Answer:
    """The nightly job for cron or a timer: read folders, refresh prices, verify, notify.

    It prints what the night did and the report of brain verify, and writes one log line for each step to standard
    error. A night 180 days or more after the last run needs --yes: the clock may be wrong.

    Exit codes: 0 done; 1 a claim has a verdict of --fail-on; 2 an option or a setting is wrong; 3 a folder of the
    library could not be read, or prices could not be refreshed or are on hold (the verdicts were made with what is
    stored), or the night did not end: another nightly job is running, the day is far after the last run, the time limit
    was exceeded, the database cannot be reached, or the disk is full; 4 a notice is not delivered (a later night sends
    it again).

    Examples: brain nightly --fail-on stale,refuted · brain nightly --yes
    """
    bad = verdicts(fail_on, VerdictName)
    found = run_night(asked.brain, now, refresh=refresh, sure=sure)
    report = asked.brain.reports.report(found.run)
    outcome = found.outcome(bad)
    told = {**found.model_dump(), "outcome": outcome, "report": loads(json_report.render(report))}
    printed = report_tables.night(found, outcome), document(morning_report.blocks(report, everything=everything))
    return Answer(told, lambda: Group(*printed), code=OUTCOMES[outcome])


def mcp(asked: CliSession) -> None:
    """Read-only tools for a language-model agent (Model Context Protocol) over standard input and output.

    Give this command to the agent's configuration:  {"command": "brain", "args": ["--home", "/path/to/home", "mcp"]}
    """
    from api.mcp_server import Server  # noqa: PLC0415  # the protocol's library takes two seconds that other commands save

    Server(asked.brain, now).run()
