"""Commands for the home: `check`, `export`, `backup`, `restore`, `move`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Annotated, Literal

from rich.console import Group
from typer import Argument, BadParameter, Option

from api.brain import Brain
from api.cli import FAILED
from api.cli.cli_options import AsOf, Sarif
from api.cli.cli_session import Answer, CliSession, now, replace_file, today
from api.release import VERSION
from api.services import backup as home_backup
from api.services import exports
from api.services.backup import BackupReport, RestoredAccess
from api.services.checks import content_problems, damage_error, home_problems, lint, repair
from api.terminal import import_tables as shown
from compute.linting.linter import RULES, counts
from compute.reports import sarif_report
from graph.text.counts import many

ExportFormat = Literal["turtle", "trig", "jsonld", "ntriples", "graphml", "csv", "markdown", "vault", "json"]

NOT_IN = {
    "json": "",
    "vault": "it has no ledger, flags, notices, imported catalogues and earlier versions; --format json has everything",
    "markdown": "it has no claims, prices and ledger; --format vault has claims and prices, --format json everything",
}
"""What an export lacks when it is ingested again, by format; other formats cannot be ingested."""
ONE_WAY = "brain ingest does not read {form}; it reads --format json (complete) and --format vault (without the ledger)"


def export(
    asked: CliSession,
    form: Annotated[ExportFormat, Option("--format", help="What to write.", show_default=False)],
    output: Annotated[Path | None, Option("-o", "--output", help="File or folder. Default: standard output.")] = None,
) -> None:
    """Export the complete brain, as one committed state. With brain --as-public, only what is public.

    `brain ingest` reads json (everything), vault (notes, claims, prices and other rules, but no ledger) and markdown
    (notes) again. The RDF formats, graphml and csv are for other programs and cannot be read again.

    Examples: brain export --format json -o brain.json · brain export --format vault -o vault/
    """
    if form in {"markdown", "vault"}:
        if output is None:
            raise BadParameter(f"{form} is written as a folder; name it, such as -o {form}/", param_hint="--output")
        asked.say(_folder(asked.brain, form, output))
    else:
        whole = form == "json" and asked.reader is None
        with closing(exports.pieces(asked.brain, "complete" if whole else form)) as pieces:
            replace_file(output, pieces) if output is not None else sys.stdout.buffer.writelines(pieces)
    if missing := NOT_IN.get(form, ONE_WAY.format(form=form)):
        asked.say(f"note: {missing}")


def _folder(opened: Brain, form: ExportFormat, output: Path) -> str:
    if form == "markdown":
        return f"{exports.notes(opened, output)} notes in {output}"
    notes, rules = exports.vault(opened, output)
    return f"{notes} notes and {rules} files of claims, prices and other rules in {output}"


def backup(
    asked: CliSession,
    file: Annotated[Path, Argument(metavar="FILE", help="The backup, a ZIP file.", show_default=False)],
) -> Answer:
    """Write the complete home to one file, also while a server writes.

    The backup is one consistent state, checked before it replaces an older backup of the same name. It contains
    documents with all versions, claims, the ledger of runs, flags, silences, notices and catalogue snapshots. The
    search index is left out; it is built again. A home in PostgreSQL is backed up with pg_dump.

    Example: brain backup /backups/brain.zip
    """
    return _report("backed up to", home_backup.backup(asked.settings, file, now()))


def restore(
    asked: CliSession,
    file: Annotated[Path, Argument(metavar="FILE", help="What brain backup wrote.", show_default=False)],
    force: Annotated[bool, Option("--force", help="Replace the data of a home that is not empty.")] = False,
) -> Answer:
    """Replace the home by a backup.

    The backup is unpacked and checked first; then one atomic move replaces the database. Refused while another
    process has the home open, and on a home that has data unless --force is given.

    Tokens revoked and brains made private after the backup stay so, if the replaced home can be read. On a new machine
    revoke these tokens again.

    Example: brain --home /srv/brain restore /backups/brain.zip
    """
    return _report("restored from", home_backup.restore(asked.settings, file, force=force))


def move(
    asked: CliSession,
    to: Annotated[str, Option("--to", metavar="URL|DIR", help="postgresql://… of an empty database, or a new home.")],
) -> Answer:
    """Copy the home to PostgreSQL, or back to a folder.

    Copies everything in one transaction, compares each table by its rows and a checksum, and computes the latest run on
    both sides. The target must be empty; the source does not change. After an interruption the target is still empty:
    run the command again. Then set BRAIN_DB to the address, or unset it.

    Examples: brain --home /srv/brain move --to postgresql://brain@db.example.org/brain

    BRAIN_DB=postgresql://brain@db.example.org/brain brain move --to /srv/brain-again
    """
    report = home_backup.move(asked.settings, to, asked.steps())
    again = f"; run {report.run} computed again: {report.verdicts} verdicts equal" if report.run else ""
    count = sum(table.rows for table in report.tables)
    said = f"moved to {report.target}: {count:,} rows in {len(report.tables)} tables equal{again}"
    rows = (f"{table.rows:>12,}  {table.name:<14} {table.checksum}" for table in report.tables)
    return Answer(report, lambda: "\n".join(["        rows  table          checksum", *rows, said]))


def _report(done: str, report: BackupReport) -> Answer:
    manifest = report.manifest
    counts = f"{many(manifest.documents, 'document')}, {many(manifest.runs, 'run')}"
    last = f", the last of them run {manifest.last_run}" if manifest.last_run else ""
    notes = (*(problem.render() for problem in report.problems), *(_access(report.access) if report.access else ()))
    return Answer(report, lambda: f"{done} {report.file}: {counts}{last}", notes)


def _access(found: RestoredAccess) -> Iterator[str]:
    """How a restore changed access to the home, and what to check."""
    if found.revoked:
        yield f"still revoked, as they were revoked after the backup: {', '.join(found.revoked)}"
    if found.private:
        yield f"still private, as they were made private after the backup: {', '.join(found.private)}; run brain verify"
    if found.tokens and not found.known:
        unknown = "cannot tell what was revoked or made private after the backup"
        yield f"{many(len(found.tokens), 'token')} of the backup can be used: {unknown}; look at brain tokens list"


def check(
    asked: CliSession,
    sarif_file: Sarif = None,
    as_of: AsOf = None,
    repaired: Annotated[bool, Option("--repair", help="First rebuild index, links and observed prices.")] = False,
) -> Answer:
    """Check the data directory, and whether claims test what their texts say.

    Checks the store, the index, the snapshots and the content; the free disk, the age of each catalogue, the last
    night, undelivered notices, and silences about to end. Runs the linter of claims, whose findings do not change the
    exit code; docs/linting.md explains each rule. With brain --as-public it checks only the public content, not the
    data directory, which all brains share.

    --repair rebuilds the search index, removes links and tags of missing nodes, derives damaged observed prices from
    the snapshots again, and says what it did. A damaged store is not checked or rebuilt (exit code 3): use brain
    restore FILE.

    Examples: brain check --repair · brain check --sarif claims.sarif
    """
    if repaired and asked.reader is not None:
        raise BadParameter("it rebuilds shared data; leave out --as-public and --as-brain", param_hint="--repair")
    stored = asked.brain.store.check()
    if error := damage_error(asked.brain.store.where, stored):  # everything else would be read from the damaged store
        asked.show(Answer({"problems": stored, "rules": {}}, lambda: Group(*map(shown.problem, stored))))
        raise error
    repairs = tuple(repair(asked.brain)) if repaired else ()
    found = content_problems(asked.brain, None if repaired else stored)
    if asked.reader is None:
        found += home_problems(asked.brain, now())
    linted, about = lint(asked.brain, as_of or today()), {**asked.brain.about(), "search": asked.brain.search.engine}
    problems, counted = [*found, *linted], counts(linted)
    if sarif_file is not None:
        sarif_file.write_text(sarif_report.problems(problems, VERSION, RULES), "utf-8")
    done = {"repairs": repairs} if repaired else {}
    lines = (*(f"{one.part}: {one.message}" for one in repairs), *map(shown.problem, problems))
    for line in () if asked.json else lines:
        asked.out.print(line, markup=False, soft_wrap=True)
    return Answer(
        {"problems": problems, "rules": counted, **about, **done},
        lambda: Group(shown.lint_counts(counted), shown.soundness(found, about)),
        code=FAILED if any(problem.severity == "error" for problem in problems) else 0,
    )
