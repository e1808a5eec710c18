"""Commands that evaluate claims: `explain`, `verify`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

from rich.console import Group, RenderableType
from typer import Argument, BadParameter, Option

from api.cli import FAILED
from api.cli.cli_options import All, AsOf, FailOn, Known, Scheduler, Sets, Workers, assignments, verdicts
from api.cli.cli_session import Answer, CliSession, now, today
from api.release import VERSION
from api.services.claim_status import sentence
from api.terminal import proof_tables, verdict_tables
from api.terminal.document import document
from compute.reports import json_report, junit_report, morning_report, sarif_report
from compute.reports.claim_report import blocks, verdict_blocks
from compute.reports.report_document import Block, markdown
from compute.reports.report_model import Report
from graph.models.claim_models import VerdictName
from graph.models.verdict_models import is_present

ReportFormat = Literal["text", "markdown", "json", "sarif", "junit"]
ClaimFormat = Literal["text", "markdown", "json"]


def explain(
    asked: CliSession,
    claim: Annotated[str, Argument(metavar="CLAIM", help="A claim's id.")],
    as_of: AsOf = None,
    known: Known = None,
    sets: Sets = None,
    currency: Annotated[str | None, Option("--currency", "--in", metavar="CODE", help="Show money in CODE.")] = None,
    form: Annotated[ClaimFormat, Option("--format", help="markdown adds history and quotations.")] = "text",
) -> Answer:
    """One verdict with its working, inputs and the values at which it changes.

    Examples: brain explain private-endpoint-month --currency EUR ·
    brain explain h100-break-even-utilisation --set rate=2.00 ·
    brain explain sonnet-cached-batch-discount --format markdown > claim.md
    """
    given = assignments(sets)
    found = asked.brain.evaluator.explain(claim, as_of or today(), known=known, sets=given, currency=currency)
    asked.json |= form == "json"
    parts = list(verdict_blocks(found) if form == "text" else blocks(asked.brain.reports.claim_report(found)))
    return Answer(found, lambda: _view(parts, form))


def verify(
    asked: CliSession,
    as_of: AsOf = None,
    known: Known = None,
    claim: Annotated[list[str] | None, Option(help="Evaluate only this claim (repeatable); records no run.")] = None,
    fail_on: FailOn = "",
    sets: Sets = None,
    run: Annotated[int | None, Option(help="Compute this run again and compare; records no run.")] = None,
    form: Annotated[ReportFormat, Option("--format", help="Format of the report.")] = "text",
    append: Annotated[bool, Option("--append", help="Record a run for a past day; it is never the latest.")] = False,
    draft: Annotated[Path | None, Option(metavar="FILE", help="Check drafts of claims; stores nothing.")] = None,
    text: Annotated[Path | None, Option(metavar="FILE", help="With --draft: the text that the drafts quote.")] = None,
    robust: Annotated[bool, Option("--robust", help="Also list in what share of its ranges each claim holds.")] = False,
    everything: All = False,
    workers: Workers = None,
    scheduler: Scheduler = None,
) -> Answer | None:
    """Evaluate the claims, append a run to the ledger, and print the report.

    The report shows what is new; --all adds every claim by verdict. `brain errata` lists wrong figures of sources.

    Examples: brain verify --fail-on stale,refuted · brain verify --all · brain verify --set "assume:pue=1.1" ·
    brain verify --as-of 2026-11-21 · brain verify --as-of 2026-11-21 --append · brain verify --known 2026-03-31 ·
    brain verify --run 3 · brain verify --robust · brain verify --draft claims.yaml --text draft.md ·
    brain verify --workers 4 · brain verify --scheduler tcp://10.0.0.7:8786
    """
    at, asked.processes = now(), (workers, scheduler)
    day = as_of or at.date()
    trial = {"--claim": claim, "--set": sets, "--known": known}
    others = {**trial, "--fail-on": fail_on}
    if text is not None and draft is None:
        raise BadParameter("--text goes with --draft")
    if draft is not None:
        _alone("--draft", {**others, "--run": run, "--workers": workers, "--scheduler": scheduler})
        return _check_drafts(asked, draft, text, day)
    if run is not None:
        _alone("--run", others)
        again = asked.brain.evaluator.rerun(run)
        view, code = (lambda: verdict_tables.rerun(again)), FAILED if again.same is False else 0
        return Answer({**again.model_dump(), "same": again.same}, view, code=code)
    bad, given = verdicts(fail_on, VerdictName), assignments(sets)
    asked.json |= form == "json"
    if append:
        _can_append(any(trial.values()), day, at)
    if any(trial.values()) or not (append or is_present(day, at)):
        if not any(trial.values()):
            option = "; --append appends a run for a past day" if day < at.date() else ""
            asked.say(f"{day} is not today: nothing was appended{option}")
        found = asked.brain.reports.trial(day, at=at, claims=claim or [], sets=given, known=known, working=asked.json)
    else:
        asked.progress.add_task("verifying", total=None)
        found = asked.brain.reports.report(asked.brain.verify(day, at=at, clock=now), working=asked.json)
    failed = {entry.claim.id for verdict in bad for entry in found.of(verdict)}
    seen = asked.brain.status.acknowledgements.active(at.date()) if failed else {}
    for name in sorted(seen.keys() & failed):
        asked.say(sentence(seen[name]))
    shown = partial(_shown, found, form, everything=everything or bool(claim), robust=robust)
    return Answer(json_report.fields(found), shown, code=FAILED if failed else 0)


def _view(blocks: Iterable[Block], form: str) -> RenderableType:
    return markdown(blocks) if form == "markdown" else document(blocks)


def _shown(found: Report, form: ReportFormat, *, everything: bool, robust: bool) -> RenderableType:
    """A report in a format, with every claim or only what is new; SARIF and JUnit are complete."""
    if form == "sarif":
        return sarif_report.render(found, VERSION)
    if form == "junit":
        return junit_report.render(found)
    shown = _view(morning_report.blocks(found, everything=everything), form)
    if form == "text" and robust:
        ranged = [(entry.row, entry.row.robust) for entry in found.entries if entry.row.robust is not None]
        return Group(shown, verdict_tables.shares(ranged))
    return shown


def _alone(option: str, others: Mapping[str, object]) -> None:
    """Refuse options that this one would ignore."""
    if ignored := next((name for name, value in others.items() if value), None):
        raise BadParameter(f"{ignored} does not go with {option}")


def _can_append(trial: bool, as_of: date, at: datetime) -> None:
    if trial:
        raise BadParameter("--append cannot be combined with --claim, --set or --known, which append nothing")
    if as_of > at.date() and not is_present(as_of, at):
        raise BadParameter(f"{as_of} is in the future: a run can be appended for today or a past day")


def _check_drafts(asked: CliSession, draft: Path, text: Path | None, day: date) -> Answer:
    """Check drafts of claims; exit code 1 if one must be changed."""
    claims, data = draft.read_text("utf-8-sig"), text.read_bytes() if text else None
    found = asked.brain_if_any().mining.check_drafts(
        claims, day, text=data, name=text.name if text else "draft.md", claims_name=draft.name
    )
    listed = {"items": found.items, "problems": found.problems}
    return Answer(listed, lambda: proof_tables.drafts(found), code=0 if found.sound else FAILED)
