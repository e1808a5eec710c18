"""Backups: `backup`, `restore`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from api.cli.cli_session import CliSession, Json, now, session
from api.services import home_backup
from api.services.home_backup import BackupReport


def register(app: typer.Typer) -> None:
    """Register the commands."""
    panel = "Documents"
    app.command(rich_help_panel=panel)(backup)
    app.command(rich_help_panel=panel)(restore)


def backup(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The backup, a ZIP file.", show_default=False)],
    json: Json = False,
) -> None:
    """Write the complete home to one file, also while a server writes.

    The backup is one consistent state, checked before it replaces an older backup of the same name. It contains
    documents with all versions, claims, the ledger of runs, flags, silences, notices and catalogue snapshots. The
    search index is left out; it is built again. A home in PostgreSQL is backed up with pg_dump.

    Example: brain backup /backups/brain.zip
    """
    asked = session(context)
    _report(asked, "backed up to", home_backup.backup(asked.settings, file, now()), json=json)


def restore(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What brain backup wrote.", show_default=False)],
    force: Annotated[bool, typer.Option("--force", help="Replace the data of a home that is not empty.")] = False,
    json: Json = False,
) -> None:
    """Replace the home by a backup.

    The backup is unpacked and checked first; then one atomic move replaces the database. Refused while another
    process has the home open, and on a home that has data unless --force is given.

    Example: brain --home /srv/brain restore /backups/brain.zip
    """
    asked = session(context)
    _report(asked, "restored from", home_backup.restore(asked.settings, file, force=force), json=json)


def _report(asked: CliSession, done: str, report: BackupReport, *, json: bool) -> None:
    if json:
        asked.emit(report)
        return
    for problem in report.problems:
        asked.log.print(problem.render(), markup=False, soft_wrap=True)
    manifest = report.manifest
    counts = f"{manifest.documents} documents, {manifest.runs} runs"
    last = f", the last of them run {manifest.last_run}" if manifest.last_run else ""
    asked.out.print(f"{done} {report.file}: {counts}{last}", markup=False, soft_wrap=True)
