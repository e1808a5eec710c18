"""Which names of files in a folder are documents."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

SETTINGS = ("brain.yaml", "brain.yml")
SUFFIXES = frozenset({".md", ".markdown", ".txt", ".text", ".yaml", ".yml", ".json"})
_FOR_PEOPLE = re.compile(r"(?:readme|license|licence|changelog|contributing)(?:\.\w+)?", re.I)


def skipped_name(name: str) -> str:
    """Why a file of this name is not read in a folder; empty if it is."""
    suffix = PurePosixPath(name).suffix
    if name.startswith("."):
        return "a hidden file"
    if name in SETTINGS:
        return "settings of the folder"
    if _FOR_PEOPLE.fullmatch(name):
        return "a file for people, not for the graph"
    if suffix.lower() not in SUFFIXES:
        return f"files that end in {suffix or 'no suffix'!r} are not documents"
    return ""
