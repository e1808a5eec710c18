"""Claims evaluated: `explain`, `verify`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import nullcontext
from datetime import date, datetime
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from rich.console import RenderableType
from typer import Argument, BadParameter, Context, Exit, Option

from api.brain import Brain
from api.cli import FAILED, UNREADABLE
from api.cli.cli_options import All, AsOf, FailOn, Json, Known, Scheduler, Sets, Workers, assignments, verdicts
from api.cli.cli_session import CliSession, Processes, now, opened_brain, session, today
from api.release import VERSION
from api.services.claim_reports import claim_report
from api.services.claim_status import sentence
from api.terminal import import_tables, proof_tables, verdict_tables
from api.terminal.console import FileConsole
from api.terminal.document import document
from compute.reports import json_report, junit_report, morning_report, sarif_report
from compute.reports.claim_report import blocks, verdict_blocks
from compute.reports.markdown_report import html, markdown
from compute.reports.report_model import Report
from compute.verify.scenarios import load
from graph.models.claim_models import VerdictName
from graph.models.verdict_models import is_present
from graph.values import dumps

ReportFormat = Literal["text", "markdown", "html", "json", "sarif", "junit"]
ClaimFormat = Literal["text", "markdown", "html", "json"]

WRITERS: Mapping[ReportFormat, Callable[[Report, bool], str]] = {
    "markdown": lambda found, everything: markdown(morning_report.blocks(found, everything=everything)),
    "html": lambda found, everything: html(
        f"Claims on {found.run.as_of}", morning_report.blocks(found, everything=everything)
    ),
    "json": lambda found, _: json_report.render(found),
    "sarif": lambda found, _: sarif_report.render(found, VERSION),
    "junit": lambda found, _: junit_report.render(found),
}
"""What writes a report in each form, with every claim or only with what is new; JSON, SARIF and JUnit are complete."""


def explain(
    context: Context,
    claim: Annotated[str, Argument(metavar="CLAIM", help="A claim's id.")],
    as_of: AsOf = None,
    known: Known = None,
    sets: Sets = None,
    currency: Annotated[
        str | None,
        Option("--currency", "--in", metavar="CODE", help="Show money in this currency, at the rate of each day."),
    ] = None,
    form: Annotated[ClaimFormat, Option("--format", help="html and markdown add history and quotations.")] = "text",
    out: Annotated[Path | None, Option("--out", "-o", metavar="FILE", help="Write to this file.")] = None,
    json: Json = False,
) -> None:
    """One verdict with its working, inputs and the values at which it changes.

    Examples: brain explain sonnet-cached-batch-discount · brain explain h100-break-even --set rate=2.00 ·
    brain explain private-endpoint-month --currency EUR · brain explain h100-break-even --format html --out claim.html
    """
    with opened_brain(context) as (asked, opened):
        given = assignments(sets)
        found = opened.evaluator.explain(claim, as_of or today(), known=known, sets=given, currency=currency)
        chosen = "json" if json else form
        if chosen == "text":
            told: RenderableType = document(verdict_blocks(found))
        elif chosen == "json":
            told = dumps(found, indent=2) + "\n"
        else:
            parts = blocks(claim_report(opened, found))
            told = markdown(parts) if chosen == "markdown" else html(found.says, parts)
    _put(asked, out, told)


def _put(asked: CliSession, out: Path | None, told: RenderableType) -> None:
    """Print, or write to a file. A text goes out as it is."""
    with out.open("w", encoding="utf-8") if out else nullcontext() as file:
        console = FileConsole(file) if file else asked.out
        if isinstance(told, str):
            console.file.write(told)
        else:
            console.print(told)


def verify(
    context: Context,
    as_of: AsOf = None,
    known: Known = None,
    claim: Annotated[list[str] | None, Option(help="Evaluate only this claim (repeatable); records no run.")] = None,
    fail_on: FailOn = "",
    sets: Sets = None,
    scenario: Annotated[Path | None, Option(help="A file of scenarios; records no run.")] = None,
    run: Annotated[int | None, Option(help="Compute this run again and compare; records no run.")] = None,
    form: Annotated[ReportFormat, Option("--format", help="Format of the report.")] = "text",
    append: Annotated[bool, Option("--append", help="Record a run for a past day; never the latest run.")] = False,
    draft: Annotated[Path | None, Option(metavar="FILE", help="Check drafts of claims; stores nothing.")] = None,
    text: Annotated[Path | None, Option(metavar="FILE", help="With --draft: the text that the drafts quote.")] = None,
    robust: Annotated[bool, Option("--robust", help="Also list in what share of ranges each holds.")] = False,
    everything: All = False,
    workers: Workers = None,
    scheduler: Scheduler = None,
    json: Json = False,
) -> None:
    """Evaluate the claims, append a run to the ledger, and print the report.

    The report shows what is new; --all adds every claim by verdict. `brain errata` lists wrong figures of sources.

    Examples: brain verify --fail-on stale,refuted · brain verify --all · brain verify --set "assume:pue=1.1" ·
    brain verify --as-of 2026-11-21 · brain verify --as-of 2026-11-21 --append · brain verify --known 2026-03-31 ·
    brain verify --scenario blackwell.yaml · brain verify --run 3 · brain verify --robust ·
    brain verify --draft claims.yaml --text draft.md ·
    brain verify --workers 4 · brain verify --scheduler tcp://10.0.0.7:8786
    """
    asked, processes = session(context), (workers, scheduler)
    if run is not None or scenario is not None or draft is not None:
        _alone(context)
    if text is not None and draft is None:
        raise BadParameter("--text goes with --draft")
    at = now()
    if draft is not None:
        _check_drafts(asked, draft, text, as_of or at.date(), json=json)
    elif run is not None:
        _again(asked, run, processes, json=json)
    elif scenario is not None:
        _play(asked, scenario, as_of or at.date(), json=json)
    else:
        bad = verdicts(fail_on, VerdictName)
        chosen = "json" if json else form
        told = TrialVerdicts(claim or [], assignments(sets), known)
        if append:
            _can_append(told, as_of or at.date(), at)
        with asked.brain(processes) as opened:
            found = _verified(asked, opened, as_of or at.date(), told, at, append=append, working=chosen == "json")
        _print(asked, found, chosen, everything=everything or bool(told.claims))
        if robust and chosen == "text":
            ranged = ((entry.row, entry.row.robust) for entry in found.entries)
            asked.out.print(verdict_tables.shares((row, robust) for row, robust in ranged if robust is not None))
        failed = {entry.claim.id for verdict in bad for entry in found.of(verdict)}
        if failed:
            _print_acknowledged(asked, failed, at.date())
            raise Exit(FAILED)


def _print_acknowledged(asked: CliSession, claims: Collection[str], on: date) -> None:
    """Say on standard error which of these claims somebody looks after."""
    with asked.brain() as opened:
        seen = opened.acknowledgements.active(on)
    for claim in sorted(seen.keys() & set(claims)):
        asked.say(sentence(seen[claim]))


def _alone(context: Context) -> None:
    """Refuse options that `--run`, `--scenario` and `--draft` would ignore."""
    alone = {"draft": "--draft", "run": "--run", "scenario": "--scenario"}
    one = next(option for name, option in alone.items() if context.params[name] is not None)
    others = {"claim": "--claim", "sets": "--set", "known": "--known", "fail_on": "--fail-on", **alone}
    others |= {} if one == "--run" else {"workers": "--workers", "scheduler": "--scheduler"}
    given = [option for name, option in others.items() if context.params[name] and option != one]
    if given:
        raise BadParameter(f"{given[0]} does not go with {one}")


class TrialVerdicts(NamedTuple):
    """The options that make a verification a trial, which stores nothing."""

    claims: list[str]
    sets: dict[str, str]
    known: date | None


def _can_append(told: TrialVerdicts, as_of: date, at: datetime) -> None:
    if any(told):
        raise BadParameter("--append cannot be combined with --claim, --set or --known, which append nothing")
    if as_of > at.date() and not is_present(as_of, at):
        raise BadParameter(f"{as_of} is in the future: a run can be appended for today or a past day")


def _verified(
    asked: CliSession, opened: Brain, as_of: date, told: TrialVerdicts, at: datetime, *, append: bool, working: bool
) -> Report:
    if any(told) or not (append or is_present(as_of, at)):
        if not any(told):
            option = "; --append appends a run for a past day" if as_of < at.date() else ""
            asked.say(f"{as_of} is not today: nothing was appended{option}")
        return opened.reports.trial(as_of, at=at, claims=told.claims, sets=told.sets, known=told.known, working=working)
    with asked.progress() as bar:
        bar.add_task("verifying", total=None)
        run = opened.verify(as_of, at=at, clock=now)
        return opened.reports.report(run, working=working)


def _print(asked: CliSession, found: Report, form: ReportFormat, *, everything: bool) -> None:
    """Print a report; one about chosen claims lists them all."""
    if form == "text":
        asked.out.print(document(morning_report.blocks(found, everything=everything)))
    else:
        asked.out.file.write(WRITERS[form](found, everything))


def _again(asked: CliSession, run: int, processes: Processes, *, json: bool) -> None:
    with asked.brain(processes) as opened:
        found = opened.evaluator.rerun(run)
    asked.answer({**found.model_dump(), "same": found.same}, lambda: verdict_tables.rerun(found), json=json)
    if found.same is False:
        raise Exit(FAILED)


def _play(asked: CliSession, file: Path, as_of: date, *, json: bool) -> None:
    scenarios, problems = load(file.name, file.read_text("utf-8"))
    for problem in problems:
        asked.log.print(import_tables.problem(problem))
    if problems:
        raise Exit(UNREADABLE)
    with asked.brain() as opened:
        found = opened.evaluator.play(scenarios, as_of)
    asked.answer({"items": found}, lambda: verdict_tables.scenarios(found), json=json)


def _check_drafts(asked: CliSession, draft: Path, text: Path | None, day: date, *, json: bool) -> None:
    """Check drafts of claims against a text; exit code 1 if one of them must be changed."""
    claims, data = draft.read_text("utf-8-sig"), text.read_bytes() if text else None
    with asked.brain_if_any() as opened:
        found = opened.draft_checker.check(
            claims, day, text=data, name=text.name if text else "draft.md", claims_name=draft.name
        )
    asked.answer({"items": found.items, "problems": found.problems}, lambda: proof_tables.drafts(found), json=json)
    if not found.sound:
        raise Exit(FAILED)
