"""Documents: `ingest`, `remove`, `export`, `check`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from api.brain import Brain
from api.cli.cli_session import AsOf, CliSession, Json, Scheduler, Workers, now, session, steps, today
from api.cli.exit_codes import FAILED, UNREADABLE
from api.cli.sarif_target import sarif_target
from api.models import api_models
from api.release import VERSION
from api.services.home_repair import repair
from api.services.import_report import ImportReport
from api.services.rule_losses import RuleLossError, of_removals
from api.services.rule_losses import counted as counted_rules
from api.services.store_damage import damage_error
from api.services.unknown_inputs import CODE as UNKNOWN_INPUT
from api.terminal import import_tables as shown
from compute.linting.linter import counts
from compute.linting.rule_table import BY_ID, RULES
from compute.reports import sarif_report
from graph.name_rules import InvalidNameError, brain_named
from graph.problems import Problem
from graph.search import SearchError
from graph.text.similar_names import near
from ingest.format_detection import FORMATS


class ExportFormat(StrEnum):
    """The export formats of the complete brain."""

    TURTLE = "turtle"
    TRIG = "trig"
    JSONLD = "jsonld"
    NTRIPLES = "ntriples"
    GRAPHML = "graphml"
    CSV = "csv"
    MARKDOWN = "markdown"
    VAULT = "vault"
    JSON = "json"


NOT_IN = {
    ExportFormat.JSON: "",
    ExportFormat.VAULT: "the ledger, flags, notices, imported catalogues and earlier versions are not in a vault; "
    "--format json has everything",
    ExportFormat.MARKDOWN: "claims, prices and the ledger are not in it; --format vault has claims and prices, "
    "--format json has everything",
}
"""What cannot be read back from an export, by format; of the others nothing can."""
ONE_WAY = (
    "brain cannot read {form} again; --format json can be ingested with everything, --format vault without the ledger"
)

Yes = Annotated[
    bool, typer.Option("--yes", help="Do not ask before claims, prices or silences go with the file that states them.")
]
Paths = Annotated[list[Path], typer.Argument(metavar="PATH…", help="Files and folders.", show_default=False)]


def register(app: typer.Typer) -> None:
    """Register the commands."""
    panel = "Documents"
    app.command(rich_help_panel=panel)(ingest)
    app.command(rich_help_panel=panel)(remove)
    app.command(rich_help_panel=panel)(export)
    app.command(rich_help_panel=panel)(check)


def ingest(
    context: typer.Context,
    paths: Paths,
    brain: Annotated[str | None, typer.Option(help="The name of the brain, in place of the document's own.")] = None,
    form: Annotated[str | None, typer.Option("--format", help="The format, in place of what is detected.")] = None,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Store nothing if any document has a problem or any file is of an unknown kind."),
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Read and report; write nothing.")] = False,
    keep: Annotated[
        bool, typer.Option("--keep", help="Keep documents whose files were deleted from the folder.")
    ] = False,
    prune: Annotated[
        bool,
        typer.Option(
            "--prune", help="Also remove documents of homes of earlier versions that are not among the files."
        ),
    ] = False,
    sarif_file: Annotated[
        Path | None, typer.Option("--sarif", help="Also write the problems here, as SARIF.", callback=sarif_target)
    ] = None,
    follow_links: Annotated[
        bool, typer.Option("--follow-links", help="Also read symbolic links that lead out of a folder.")
    ] = False,
    yes: Yes = False,
    workers: Workers = None,
    scheduler: Scheduler = None,
    json: Json = False,
) -> None:
    """Read documents into the brain, in one transaction.

    The format is detected from the content. A file of a folder that cannot be read is left out with its problem, and
    the rest is stored; a file that is named itself and cannot be read stops the ingest.

    The brain follows a folder: read it again, and documents whose files were moved, renamed or deleted follow. Before
    all claims, prices or silences of a file go, it asks; in a script it stores nothing without --yes.

    Examples: brain ingest notes/ glossary.md · brain ingest page.html --brain kai --dry-run --json ·
    brain ingest letter.txt --format note

    brain ingest ~/vault --keep · brain ingest ~/vault --workers 4
    """
    if keep and prune:
        raise typer.BadParameter("--keep and --prune are opposites; choose one", param_hint="--keep / --prune")
    if prune and not any(path.is_dir() for path in paths):
        raise typer.BadParameter("it follows a folder, and none is named", param_hint="--prune")
    if form is not None and form not in FORMATS:
        close = f"; did you mean {near(form, FORMATS, 1)[0]}?" if near(form, FORMATS, 1) else ""
        raise typer.BadParameter(f"{form!r} is none of {', '.join(FORMATS)}{close}", param_hint="--format")
    if brain is not None:
        valid_brain(brain)
    asked = session(context)
    with asked.brain((workers, scheduler)) as opened, asked.progress() as bar:
        read = partial(
            opened.ingest, paths, at=now(), brain=brain, form=form, strict=strict, dry_run=dry_run, prune=prune,
            keep=keep, follow_links=follow_links, step=steps(bar),
        )  # fmt: skip
        report = _with_consent(read, bar, yes=yes)
        if report.stored:
            index(asked, opened, bar)
        hints = _hints(opened, report)
    if json:
        asked.emit({**api_models.import_view(report), "hints": counts(hints)})
    else:
        asked.out.print(shown.import_table(report))
        asked.out.print(shown.hints(hints))
    if sarif_file is not None:
        sarif_file.write_text(sarif_report.problems(report.problems, VERSION), "utf-8")
    if report.refused:
        raise typer.Exit(UNREADABLE)
    if report.failed:
        raise typer.Exit(FAILED)


def _with_consent(read: Callable[..., ImportReport], bar: Progress, *, yes: bool) -> ImportReport:
    """The report of an ingest that may take claims, prices or silences out, if its caller says so."""
    try:
        return read(rules_may_go=yes)
    except RuleLossError as error:
        bar.stop()
        confirm_losses(error)
        return read(rules_may_go=True)


def confirm_losses(error: RuleLossError) -> None:
    """Ask whether claims, prices or silences may go.

    Raises:
        RuleLossError: there is nobody to ask.
        typer.Abort: they may not.
    """
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise error
    typer.confirm(f"{error}\nTake {counted_rules(error.losses)} out of the brain?", abort=True, err=True)


def _hints(opened: Brain, report: ImportReport) -> list[Problem]:
    """What the linter finds in the claims of the documents that were added or changed, beyond their problems."""
    names = [entry.document.name for entry in report.entries if entry.claims and entry.outcome != "unchanged"]
    found = opened.lint(today(), names) if report.stored and names else []
    return [one for one in found if one.code != UNKNOWN_INPUT]


def valid_brain(name: str) -> None:
    """Check the name of a brain.

    Raises:
        typer.BadParameter: it breaks the rule of names.
    """
    try:
        brain_named(name)
    except InvalidNameError as error:
        raise typer.BadParameter(str(error), param_hint="--brain") from error


def remove(
    context: typer.Context,
    documents: Annotated[
        list[str], typer.Argument(metavar="DOCUMENT…", help="Names of documents.", show_default=False)
    ],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would go; write nothing.")] = False,
    yes: Yes = False,
    json: Json = False,
) -> None:
    """Remove documents from the brain, with their nodes and claims.

    Removes all of them or none. Their versions stay stored; a node that others cite leaves a tombstone. Before claims,
    prices or silences go, it asks; in a script it removes none without --yes.

    Example: brain remove old-page.txt --dry-run
    """
    asked = session(context)
    with asked.brain() as opened, asked.progress() as bar:
        removed = opened.remove(documents, at=now(), dry_run=True)
        if not dry_run:
            if (losses := of_removals(removed)) and not yes:
                bar.stop()
                confirm_losses(RuleLossError(losses))
            removed = opened.remove(documents, at=now())
            index(asked, opened, bar)
    if json:
        asked.emit({"removed": removed, "stored": not dry_run})
    else:
        asked.out.print(shown.removals(removed, done=not dry_run))


def index(asked: CliSession, opened: Brain, bar: Progress) -> None:
    """Update the search index from the store; if that fails, print why: the documents stay stored."""
    try:
        opened.index(steps(bar))
    except SearchError as error:
        asked.log.print(f"brain: the documents are stored, but not indexed yet: {error}", highlight=False)


def export(
    context: typer.Context,
    form: Annotated[
        ExportFormat,
        typer.Option(
            "--format",
            help="What to write. json comes back in complete, vault without the ledger, markdown with notes only; "
            "the others cannot be read again.",
            show_default=False,
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="The file, or the folder of vault and markdown. Default: standard output."),
    ] = None,
) -> None:
    """Export the complete brain, as one committed state.

    With brain --as-public it is what the public may read, without silences, notices, tokens and the audit log.
    `brain ingest` reads json (everything), vault (notes, claims, prices and other rules) and markdown (notes) again.
    The RDF formats, graphml and csv are for other programs and cannot be read again.

    Examples: brain export --format json -o brain.json · brain export --format vault -o vault/
    """
    asked = session(context)
    with asked.brain() as opened:
        if form in {ExportFormat.MARKDOWN, ExportFormat.VAULT}:
            if output is None:
                raise typer.BadParameter(f"{form.value} is a folder: name it with -o", param_hint="--output")
            asked.log.print(_folder(opened, form, output), markup=False, soft_wrap=True)
        else:
            exporter = opened.exporter
            whole = form is ExportFormat.JSON and asked.reader is None
            _file(exporter.complete_json() if whole else exporter.forms[form.value](), output)
    if missing := NOT_IN.get(form, ONE_WAY.format(form=form.value)):
        asked.log.print(f"note: {missing}", markup=False, soft_wrap=True)


def _folder(opened: Brain, form: ExportFormat, output: Path) -> str:
    if form is ExportFormat.MARKDOWN:
        return f"{opened.exporter.notes(output)} notes in {output}"
    made = opened.exporter.vault(output)
    return f"{made.notes} notes and {made.rules} files of claims, prices and other rules in {output}"


def _file(pieces: Iterable[bytes], output: Path | None) -> None:
    if output is not None:
        _complete_file(output, pieces)
        return
    stream = sys.stdout.buffer if hasattr(sys.stdout, "buffer") else None
    for piece in pieces:
        stream.write(piece) if stream else sys.stdout.write(piece.decode())


def _complete_file(path: Path, pieces: Iterable[bytes]) -> None:
    """Write a file atomically: under another name first, so that a failure leaves the old one."""
    held = path.with_name(path.name + ".part")
    try:
        with held.open("wb") as file:
            file.writelines(pieces)
        held.replace(path)
    except OSError as error:
        held.unlink(missing_ok=True)
        raise type(error)(error.errno, error.strerror, str(path)) from error  # under the requested name


def check(
    context: typer.Context,
    rules: Annotated[
        list[str] | None, typer.Option("--rule", help="Only findings of this rule of the linter; may be repeated.")
    ] = None,
    statistics: Annotated[
        bool, typer.Option("--statistics", help="Count findings by rule, and problems; print none.")
    ] = False,
    sarif_file: Annotated[
        Path | None, typer.Option("--sarif", help="Also write the problems here, as SARIF.", callback=sarif_target)
    ] = None,
    as_of: AsOf = None,
    repaired: Annotated[
        bool, typer.Option("--repair", help="First rebuild what is derived: search index, links, observed prices.")
    ] = False,
    json: Json = False,
) -> None:
    """Is the data directory sound, and do the claims test what their texts say?

    Checks the store, the index, the snapshots and the content, and runs the linter of claims. The findings of the
    linter are warnings and notes: they do not change the exit code. docs/linting.md explains each rule.

    With brain --as-public it checks the public content only, and not the data directory, which all brains share.

    --repair rebuilds the search index, removes links and tags of missing nodes and a damaged drawing, and derives
    damaged observed prices from the snapshots again; it touches nothing else, and says what it did. In a damaged store
    nothing else is checked or rebuilt: exit code 3, and brain restore FILE.

    Examples: brain check --repair · brain check --statistics · brain check --rule quote-hedge ·
    brain check --sarif claims.sarif
    """
    for rule in rules or ():
        _known_rule(rule)
    asked = session(context)
    if repaired and asked.reader is not None:
        raise typer.BadParameter("it rebuilds what all brains share: call it as the operator", param_hint="--repair")
    with asked.brain() as opened:
        stored = opened.store.check()
        _refuse_damaged(asked, opened, stored, json=json)
        repairs = repair(opened) if repaired else ()
        found = [] if rules else opened.check(None if repaired else stored)
        linted = opened.lint(as_of or today())
        about = opened.about()
    linted = [one for one in linted if not rules or one.code.removeprefix("claims/") in rules]
    problems, counted = [*found, *linted], counts(linted)
    if sarif_file is not None:
        sarif_file.write_text(sarif_report.problems(problems, VERSION, RULES), "utf-8")
    if json:
        done = {"repairs": repairs} if repaired else {}
        asked.emit({"problems": problems, "rules": counted, **about, **done})
    else:
        for one in repairs:
            asked.out.print(f"{one.part}: {one.message}", soft_wrap=True)
        for problem in () if statistics else problems:
            asked.out.print(shown.problem(problem), soft_wrap=True)
        asked.out.print(shown.lint_counts(counted, whole=statistics))
        asked.out.print(shown.soundness(found, about))
    if any(problem.severity == "error" for problem in problems):
        raise typer.Exit(FAILED)


def _refuse_damaged(asked: CliSession, opened: Brain, stored: list[Problem], *, json: bool) -> None:
    """Print what is damaged, and end there: everything else would be read from the damaged store.

    Raises:
        CorruptStoreError: a problem of the store is damage.
    """
    error = damage_error(opened.store.where, stored)
    if error is None:
        return
    if json:
        asked.emit({"problems": stored, "rules": {}})
    else:
        for problem in stored:
            asked.out.print(shown.problem(problem), soft_wrap=True)
    raise error


def _known_rule(rule: str) -> None:
    """Check the name of a rule of the linter.

    Raises:
        typer.BadParameter: there is no such rule.
    """
    if rule not in BY_ID:
        close = near(rule, BY_ID, 1)
        hint = f"; did you mean {close[0]}?" if close else f"; one of {', '.join(BY_ID)}"
        raise typer.BadParameter(f"{rule!r} is no rule of the linter{hint}", param_hint="--rule")
