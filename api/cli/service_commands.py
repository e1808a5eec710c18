"""Commands of the service: `demo`, `nightly`, `mcp`, `brains [list]|set`, `tokens [list]|create|revoke`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Annotated

from rich.console import Group
from typer import Argument, BadParameter, Option

from api.brain import Brain
from api.cli import FAILED, UNDELIVERED, UNREADABLE
from api.cli.cli_options import All, AsOf, DayOption, FailOn, brain_name, verdicts
from api.cli.cli_session import Answer, CliSession, listing, now, today
from api.cli.command_table import group
from api.cli.ledger_commands import past_days
from api.cli.serve_commands import Host, Port, start
from api.models import api_models
from api.services.access import issue
from api.services.nightly_job import run_night
from api.terminal import import_tables, report_tables
from api.terminal.document import document
from compute.reports import json_report, morning_report
from compute.reports.report_model import Report
from graph.models.access_models import BrainPolicy, Scope
from graph.models.claim_models import VerdictName
from graph.models.verdict_models import is_present
from graph.progress_steps import ProgressStep

OUTCOMES: Mapping[str, int] = {
    "done": 0,
    "below the bar": FAILED,
    "not read": UNREADABLE,
    "not refreshed": UNREADABLE,
    "held": UNREADABLE,
    "not delivered": UNDELIVERED,
}
"""The exit code of a night by its outcome."""

PAST = timedelta(days=2 * 365)  # how far back `demo` replays


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
    asked.show(Answer(json_report.fields(found), lambda: document(morning_report.blocks(found, everything=everything))))
    if serve_pages:
        start(asked.settings, host, port, None)
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
    library cannot be read, or prices cannot be refreshed or are on hold: the verdicts use what is stored; 3 also if the
    night did not end, because another nightly job runs, the last run is long ago, the time limit is exceeded, the
    database cannot be reached, or the disk is full; 4 a notice is not delivered: a later night sends it again.

    Examples: brain nightly --fail-on stale,refuted · brain nightly --yes
    """
    bad = verdicts(fail_on, VerdictName)
    found = run_night(asked.brain, now, refresh=refresh, sure=sure)
    report = asked.brain.reports.report(found.run)
    outcome = found.outcome(bad)
    told = {**found.model_dump(), "outcome": outcome, "report": json_report.fields(report)}
    printed = report_tables.night(found, outcome), document(morning_report.blocks(report, everything=everything))
    return Answer(told, lambda: Group(*printed), code=OUTCOMES[outcome])


def mcp(asked: CliSession) -> None:
    """Read-only tools for a language-model agent (Model Context Protocol) over standard input and output.

    Give this command to the agent's configuration:  {"command": "brain", "args": ["--home", "/path/to/home", "mcp"]}
    """
    from api.mcp_server import Server  # noqa: PLC0415  # the protocol's library takes two seconds that other commands save

    Server(asked.brain, now).run()


Quota = Annotated[str | None, Option(metavar="NUMBER", help="Its limit, or none.")]


def listed(asked: CliSession) -> Answer:
    """List the brains: what each holds, its quotas, and whether it is private.  Example: brain brains list --json"""
    return listing(api_models.brains(asked.brain.brains.policies(), asked.brain.brains.usage()), import_tables.brains)


def put(
    asked: CliSession,
    name: Annotated[str, Argument(metavar="NAME", parser=brain_name, help="The brain; it may have no documents yet.")],
    private: Annotated[bool, Option("--private", help="Only holders of a token for it may read it.")] = False,
    public: Annotated[bool, Option("--public", help="Everyone may read it.")] = False,
    max_nodes: Quota = None,
    max_bytes: Quota = None,
    max_claims: Quota = None,
) -> Answer:
    """Make a brain private or public, or limit how much it may hold.

    A private brain is visible only with its token: brain tokens create --brain NAME. On this command line everything
    stays visible, except with brain --as-public.

    Examples: brain brains set mara --private · brain brains set mara --max-nodes 5000 --max-bytes none
    """
    if private and public:
        raise BadParameter("use either --private or --public", param_hint="--private / --public")
    given = {"max_nodes": max_nodes, "max_bytes": max_bytes, "max_claims": max_claims}
    changes = {what: _number(what, text) for what, text in given.items() if text is not None}
    if private or public:
        changes["private"] = private
    if not changes:
        raise BadParameter("name a change: --private, --public, or a quota", param_hint="brains set")
    policy = asked.brain.brains.policies().get(name, BrainPolicy(name=name)).model_copy(update=changes)
    asked.brain.prices.put_policy(policy, at=now())
    used = asked.brain.brains.usage().get(name)
    found = api_models.brains({name: policy}, {name: used} if used else {})
    return Answer(found[0], notes=[_said(policy, changes)])


def _said(policy: BrainPolicy, changes: Mapping[str, object]) -> str:
    if changes.get("private"):
        return f"{policy.name} is private: only tokens for it or for all brains show it; next: brain verify"
    return f"{policy.name} is public: everyone may read it" if "private" in changes else f"{policy.name} is changed"


def _number(what: str, text: str) -> int | None:
    """A quota; None for `none`."""
    if text == "none":
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise BadParameter(f"{text!r} is no limit; write a number or none", param_hint=f"--{what.replace('_', '-')}")
    return int(text)


def create(
    asked: CliSession,
    scope: Annotated[Scope, Option(help="read; write: also documents; admin: also the audit log.")] = Scope.READ,
    brain: Annotated[
        str | None, Option(parser=brain_name, help="The brain that it is for. Default: all brains.")
    ] = None,
    until: Annotated[date | None, DayOption(help="First day without access.")] = None,
    comment: Annotated[str, Option(help="What it is for.")] = "",
) -> Answer:
    """Create a token and print it, this once: only its hash is stored.

    A token for one brain reads that brain and the public ones, and writes documents of that brain only.

    Example: brain tokens create --scope write --brain mara --until 2027-01-01 --comment "laptop of Mara"
    """
    if until is not None and until <= today():
        raise BadParameter(f"{until} is not after today", param_hint="--until")
    token, stored = issue(scope, brain=brain, until=until, comment=comment, at=now())
    asked.brain.tokens.add(stored)
    notes = [f"save it now; it is not shown again; brain tokens revoke {stored.id} ends it"]
    if brain and brain not in asked.brain.brains.usage().keys() | asked.brain.brains.policies().keys():
        notes.append(f"there is no brain {brain} yet; brain brains lists those there are")
    return Answer({"token": token, **api_models.token(stored, today()).model_dump()}, lambda: token, notes)


def tokens_listed(asked: CliSession) -> Answer:
    """List the tokens, without their secrets.  Example: brain tokens list --json"""
    return listing([api_models.token(one, today()) for one in asked.brain.tokens.all()], import_tables.tokens)


def revoke(
    asked: CliSession, token: Annotated[str, Argument(metavar="ID", help="Its id, as `list` shows it.")]
) -> Answer:
    """Revoke a token; a running service refuses it at once.  Example: brain tokens revoke k3v9x0qa"""
    ended = asked.brain.tokens.revoke(token, now())
    return Answer(api_models.token(ended, today()), notes=[f"the token {ended.id} is revoked"])


brains = group(bare=True, list=listed, set=put)
tokens = group(bare=True, create=create, list=tokens_listed, revoke=revoke)
