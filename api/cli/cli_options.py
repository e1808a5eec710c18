"""Options of several commands, and their parsers."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import date, time
from functools import partial
from pathlib import Path
from typing import Annotated, TypeVar

from typer import Argument, BadParameter, Option

from graph.name_rules import InvalidNameError, brain_named

Name = TypeVar("Name", bound=str)


def day(text: str) -> date:
    """The date of an option. Raises BadParameter for other texts."""
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise BadParameter(f"{text!r} is not a date; write YYYY-MM-DD") from error


def time_of_day(text: str) -> time:
    """The time of an option. Raises BadParameter for other texts."""
    try:
        return time.fromisoformat(text)
    except ValueError as error:
        raise BadParameter(f"{text!r} is not a time; write HH:MM", param_hint="--nightly") from error


def brain_name(text: str) -> str:
    """The stored form of a brain's name. Raises BadParameter for an invalid one."""
    try:
        return brain_named(text)
    except InvalidNameError as error:
        raise BadParameter(str(error)) from error


def sarif_target(path: Path | None) -> Path | None:
    """The file for SARIF. Raises BadParameter for a folder, and a file of another kind, which is not overwritten."""
    if path == Path("-"):
        raise BadParameter("SARIF is written to a file; write ./- for a file named -")
    if path is not None and path.is_dir():
        raise BadParameter(f"{path} is a folder; name a file, such as {path / 'brain.sarif'}")
    if path is not None and path.is_file() and not _is_sarif(path):
        raise BadParameter(f"{path} exists and is not a SARIF file; it would be overwritten: name another one")
    return path


def _is_sarif(path: Path) -> bool:
    data = path.read_bytes()
    try:
        found = json.loads(data) if data.strip() else {"runs": []}
    except ValueError:
        return False
    return isinstance(found, dict) and isinstance(found.get("runs"), list)


def verdicts(text: str, known: Iterable[Name]) -> frozenset[Name]:
    """The verdicts of `--fail-on`, separated by commas. Raises BadParameter for unknown ones."""
    names, verdicts = {part.strip() for part in text.split(",") if part.strip()}, list(known)
    if unknown := names.difference(verdicts):
        told = f"{', '.join(map(repr, sorted(unknown)))} is not a verdict; use one of {', '.join(verdicts)}"
        raise BadParameter(told, param_hint="--fail-on")
    return frozenset(one for one in verdicts if one in names)


def assignments(given: list[str] | None) -> dict[str, str]:
    """Values by name from `NAME=VALUE` pairs. Raises BadParameter for others."""
    wrong = [text for text in given or () if "=" not in text]
    if wrong:
        raise BadParameter(f"{wrong[0]!r} is not NAME=VALUE, such as assume:pue=1.1", param_hint="--set")
    return {name.strip(): value.strip() for name, _, value in (text.partition("=") for text in given or ())}


DayOption = partial(Option, parser=day, metavar="DATE")

Json = Annotated[bool, Option("--json", help="One JSON document on standard output.")]
AsOf = Annotated[date | None, DayOption("--as-of", help="The day to compute for, as 2026-11-21. Default: today.")]
Workers = Annotated[int | None, Option(metavar="N", min=1, help="Compute in N processes; the result is the same.")]
Scheduler = Annotated[str | None, Option(metavar="ADDRESS", help="Compute on a Dask cluster: tcp://HOST:8786.")]
Home = Annotated[Path | None, Option(envvar="BRAIN_HOME", metavar="DIR", help="Data directory. Default: .brain")]
FailOn = Annotated[str, Option(help="Exit 1 on these verdicts, separated by commas.")]
Sets = Annotated[
    list[str] | None, Option("--set", metavar="NAME=VALUE", help="Your value for an input; stores nothing.")
]
Known = Annotated[date | None, DayOption(help="Use the claims and prices known on this day; stores nothing.")]
All = Annotated[bool, Option("--all", help="List every claim; without it only what is new.")]
Node = Annotated[str, Argument(metavar="NODE", help="A node's id, as analyst/kv-cache-budget; gpt4o for notes/gpt-4o.")]
Sarif = Annotated[Path | None, Option("--sarif", help="Also write the problems as SARIF.", callback=sarif_target)]
