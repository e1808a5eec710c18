"""The file that an option names for SARIF: never one that holds something else."""

from __future__ import annotations

import json
from pathlib import Path

import typer


def sarif_target(path: Path | None) -> Path | None:
    """The file, if it is new, empty, no regular file, or an earlier SARIF file.

    Raises:
        typer.BadParameter: it holds something else, is a folder, or is `-`.
    """
    if path == Path("-"):
        raise typer.BadParameter("SARIF goes to a file, and - is none; write ./- for a file of this name")
    if path is not None and path.is_dir():
        raise typer.BadParameter(f"{path} is a folder; name a file, such as {path / 'brain.sarif'}")
    if path is not None and path.is_file() and not _is_sarif(path):
        raise typer.BadParameter(f"{path} exists and is no SARIF file; it would be overwritten: name another one")
    return path


def _is_sarif(path: Path) -> bool:
    data = path.read_bytes()
    try:
        found = json.loads(data) if data.strip() else {"runs": []}
    except ValueError:
        return False
    return isinstance(found, dict) and isinstance(found.get("runs"), list)
