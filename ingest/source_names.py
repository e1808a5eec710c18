"""Which names of files in a folder are documents."""

from __future__ import annotations

from functools import cache
from pathlib import PurePosixPath
from typing import Literal

from ingest.text.name_checks import EMBEDDED

SETTINGS = ("brain.yaml", "brain.yml")
MARKDOWN = (".md", ".markdown")
_OWN = (*MARKDOWN, ".txt", ".text", ".yaml", ".yml", ".json")
PACKAGES = frozenset({"node_modules", "bower_components", "site-packages"})
"""Folders in which programs keep the packages that they use."""

SkipKind = Literal[
    "rule", "hidden", "packages", "settings", "attachment", "unknown", "empty", "link", "unreadable", "bad rule"
]  # fmt: skip
"""Why a file is left out: by a rule of the folder, by its name, by what it is, or because it cannot be read."""


@cache
def _suffixes() -> frozenset[str]:
    """The suffixes of documents."""
    from ingest.format_detection import KNOWN  # noqa: PLC0415  # loads every parser, which a server may never need

    return frozenset((*_OWN, *(suffix for known in KNOWN for suffix in known.suffixes)))


def bad_format(form: str) -> str:
    """Why a folder cannot declare this format; empty if it can."""
    from ingest.format_detection import PROSE  # noqa: PLC0415  # as above

    return "" if not form or form in PROSE else f"the format {form!r} is none of {', '.join(PROSE)}"


def skipped_name(name: str) -> tuple[str, SkipKind] | None:
    """Why a file of this name is not read in a folder, and the kind of that reason; None if it is read."""
    suffix = PurePosixPath(name).suffix
    if name in SETTINGS:
        return "settings of the folder", "settings"
    if suffix.lower() in EMBEDDED:
        return f"{EMBEDDED[suffix.lower()]}, which is not read", "attachment"
    if suffix.lower() not in _suffixes():
        return f"unknown kind of file: {suffix or 'no suffix'}", "unknown"
    return None
