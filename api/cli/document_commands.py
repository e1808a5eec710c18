"""Commands for documents: `ingest`, `remove`, `library [list]|add|remove`."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group
from typer import Argument, BadParameter, Option

from api.brain import Brain
from api.cli import FAILED, UNREADABLE
from api.cli.cli_options import Sarif, Scheduler, Workers, brain_name
from api.cli.cli_session import Answer, CliSession, listing, now, today
from api.cli.command_table import group
from api.models.response_models import ImportView
from api.release import VERSION
from api.services.checks import lint
from api.services.importing.document_importer import ImportOptions
from api.services.importing.documents import CODE as UNKNOWN_INPUT
from api.services.importing.documents import ImportReport, RuleLossError, of_removals
from api.services.importing.documents import counted as counted_rules
from api.terminal import import_tables as shown
from compute.linting.linter import counts
from compute.reports import sarif_report
from graph.problems import Problem
from graph.text.similar_names import near
from ingest.format_detection import FORMATS

Yes = Annotated[bool, Option("--yes", help="Do not ask before claims, prices or silences are removed.")]
FollowLinks = Annotated[bool, Option("--follow-links", help="Also read symbolic links that lead out of the folder.")]
BrainName = Annotated[str | None, Option(parser=brain_name, help="Name of the brain, in place of the document's own.")]


def ingest(
    asked: CliSession,
    paths: Annotated[list[Path], Argument(metavar="PATH…", help="Files and folders.", show_default=False)],
    brain: BrainName = None,
    form: Annotated[str | None, Option("--format", help="Format, in place of the detected one.")] = None,
    strict: Annotated[
        bool, Option("--strict", help="Store nothing if a file has a problem or is of unknown kind.")
    ] = False,
    dry_run: Annotated[bool, Option("--dry-run", help="Report what would change; write nothing.")] = False,
    keep: Annotated[bool, Option("--keep", help="Keep documents whose files were deleted from the folder.")] = False,
    prune: Annotated[bool, Option("--prune", help="Also for deleted files that were given by name.")] = False,
    sarif_file: Sarif = None,
    follow_links: FollowLinks = False,
    yes: Yes = False,
    workers: Workers = None,
    scheduler: Scheduler = None,
) -> Answer:
    """Read documents into the brain, in one transaction.

    The format is detected from the content. An unreadable file in a folder is left out with its problem; one given by
    name stops the ingest. Reading a folder again updates it: moved, renamed and deleted files are recognised. Before
    all claims, prices or silences of a file are removed, it asks; a script needs --yes.

    Examples: brain ingest notes/ glossary.md · brain ingest page.html --brain kai --dry-run --json ·
    brain ingest letter.txt --format note · brain ingest ~/vault --keep --workers 4
    """
    if keep and prune:
        raise BadParameter("--keep and --prune are opposites; choose one", param_hint="--keep / --prune")
    if prune and not any(path.is_dir() for path in paths):
        raise BadParameter("it needs a folder", param_hint="--prune")
    if form is not None and form not in FORMATS:
        close = f"; did you mean {near(form, FORMATS, 1)[0]}?" if near(form, FORMATS, 1) else ""
        raise BadParameter(f"{form!r} is none of {', '.join(FORMATS)}{close}", param_hint="--format")
    asked.processes = workers, scheduler
    options = ImportOptions(
        brain=brain, form=form, strict=strict, dry_run=dry_run, prune=prune, keep=keep,
        losses="let go" if yes else "refuse",
    )  # fmt: skip
    read = partial(asked.brain.ingest, paths, at=now(), follow_links=follow_links, step=asked.steps())
    try:
        report = read(options=options)
    except RuleLossError as error:
        _confirm_losses(asked, error)
        report = read(options=replace(options, losses="let go"))
    if report.stored:
        asked.brain.search.refresh(asked.steps())
    hints = _hints(asked.brain, report)
    if sarif_file is not None:
        sarif_file.write_text(sarif_report.problems(report.problems, VERSION), "utf-8")
    return Answer(
        {**ImportView.model_validate(report, from_attributes=True).model_dump(), "hints": counts(hints)},
        lambda: Group(shown.import_table(report), shown.hints(hints)),
        code=UNREADABLE if report.refused else FAILED if report.failed else UNREADABLE if report.empty else 0,
    )


def _confirm_losses(asked: CliSession, error: RuleLossError) -> None:
    """Ask on a terminal whether claims, prices or silences may go."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise error
    asked.progress.stop()
    typer.confirm(f"{error}\nTake {counted_rules(error.losses)} out of the brain?", abort=True, err=True)


def _hints(opened: Brain, report: ImportReport) -> list[Problem]:
    """Findings of the linter in added or changed claims, without those that are problems."""
    changed = [entry for entry in report.entries if entry.claims and entry.outcome != "unchanged"]
    found = lint(opened, today(), [one.document.name for one in changed]) if report.stored and changed else []
    said = {(one.document, one.line) for entry in changed for one in entry.problems if one.code == UNKNOWN_INPUT}
    return [one for one in found if one.code != UNKNOWN_INPUT or (one.document, one.line) not in said]


def remove(
    asked: CliSession,
    documents: Annotated[list[str], Argument(metavar="DOCUMENT…", help="Names of documents.", show_default=False)],
    dry_run: Annotated[bool, Option("--dry-run", help="List what would be removed; write nothing.")] = False,
    yes: Yes = False,
) -> Answer:
    """Remove documents from the brain, with their nodes and claims.

    Removes all of them or none. Their versions stay stored; a node that others cite leaves a tombstone. Before claims,
    prices or silences are removed, it asks; a script needs --yes.

    Example: brain remove old-page.txt --dry-run
    """
    removed = asked.brain.importer.remove(documents, at=now(), dry_run=True)
    if not dry_run:
        if (losses := of_removals(removed)) and not yes:
            _confirm_losses(asked, RuleLossError(losses))
        removed = asked.brain.importer.remove(documents, at=now())
        asked.brain.search.refresh(asked.steps())
    return Answer({"removed": removed, "stored": not dry_run}, lambda: shown.removals(removed, done=not dry_run))


Folder = Annotated[Path, Argument(metavar="PATH", help="A folder.", show_default=False)]


def library_list(asked: CliSession) -> Answer:
    """List the folders, with the number of documents from each.  Example: brain library list --json"""
    return listing(asked.brain.library.listed(), shown.library)


def library_add(asked: CliSession, path: Folder, brain: BrainName = None, follow_links: FollowLinks = False) -> None:
    """Add a folder; `brain nightly` and `brain serve --nightly` read it again before they verify.

    Adding a folder again changes its options. It is not read now: brain ingest PATH does that.

    Example: brain library add ~/vault
    """
    added = asked.brain.library.add(path, brain=brain, follow_links=follow_links)
    asked.say(f"{added.path} is in the library; the next nightly job reads it")


def library_remove(asked: CliSession, path: Folder) -> None:
    """Remove a folder from the library; its documents stay.  Example: brain library remove ~/vault"""
    gone = asked.brain.library.remove(path)
    asked.say(f"{gone} is no longer in the library; its documents stay")


library = group(bare=True, list=library_list, add=library_add, remove=library_remove)
