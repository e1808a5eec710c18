"""Files and folders as documents to read, in an order that is the same everywhere.

A folder may hold a `brain.yaml` whose field `brain` names the brain of the notes in it and below. In a folder, what
people and tools keep there for themselves (hidden files, README, pictures) is passed over; a file that is named itself
is always read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from graph.yaml import field, load, word
from ingest.formats.export import split_json

SETTINGS = ("brain.yaml", "brain.yml")
SUFFIXES = frozenset({".md", ".markdown", ".txt", ".text", ".yaml", ".yml", ".json"})
_FOR_PEOPLE = re.compile(r"(?:readme|license|licence|changelog|contributing)(?:\.\w+)?", re.I)


class Found(NamedTuple):
    """A document to read: its bytes, its name (the path inside the folder that was given), its folder's brain.

    `path` is the file; it is empty where somebody has given the name.
    """

    data: bytes
    name: str
    brain: str | None = None
    path: str = ""


class Passed(NamedTuple):
    """A file of a folder that is not read, and why."""

    name: str
    reason: str


def read_paths(paths: Iterable[Path | str]) -> Iterator[Found]:
    """The documents at `paths`, folders with all below them; an export of several documents gives each of them.

    Raises:
        OSError: a path is missing or cannot be read.
    """
    return (found for found in listing(paths) if isinstance(found, Found))


def listing(paths: Iterable[Path | str]) -> Iterator[Found | Passed]:
    """What `read_paths` gives, and what it passes over.

    Raises:
        OSError: a path is missing or cannot be read.
    """
    for given in map(Path, paths):
        if given.is_dir():
            yield from _folder(given)
        else:
            yield from _documents(given, given.read_bytes(), given.name, _brain_of(given.parent, given.parent))


def _folder(root: Path) -> Iterator[Found | Passed]:
    for path in _files(root):
        name = path.relative_to(root).as_posix()
        reason = _reason(path)
        data = b"" if reason else path.read_bytes()
        if not reason and not data.strip():
            reason = "an empty file"
        if not reason and path.suffix.lower() == ".json" and b'"brain_export"' not in data:
            reason = "JSON that is no export of a brain"
        if reason:
            yield Passed(name, reason)
        else:
            yield from _documents(path, data, name, _brain_of(path.parent, root))


def _files(root: Path) -> Iterator[Path]:
    """The files below a folder by name, without hidden ones; links to folders are not followed."""
    for folder, below, names in os.walk(root):
        below[:] = sorted(name for name in below if not name.startswith((".", "__")))
        yield from (Path(folder) / name for name in sorted(names))


def _reason(path: Path) -> str:
    """Why a file in a folder is not read; empty where it is."""
    if path.name.startswith("."):
        return "a hidden file"
    if path.name in SETTINGS:
        return "settings of the folder"
    if _FOR_PEOPLE.fullmatch(path.name):
        return "a file for people, not for the graph"
    if path.suffix.lower() not in SUFFIXES:
        return f"files that end in {path.suffix or 'no suffix'!r} are not documents"
    return "" if path.is_file() else "not a file"


def _documents(path: Path, data: bytes, name: str, brain: str | None) -> Iterator[Found]:
    """One document, or those that an export holds."""
    if b'"brain_export"' in data and data.lstrip()[:1] == b"{":
        parts = list(split_json(data.decode("utf-8", "replace")))
        if parts:
            yield from (Found(part.encode("utf-8", "replace"), own, None) for own, part in parts)
            return
    yield Found(data, name, brain, str(path))


def _brain_of(folder: Path, root: Path) -> str | None:
    """What the nearest `brain.yaml` from `folder` up to `root` names."""
    for above in (folder, *folder.parents):
        for name in SETTINGS:
            settings = above / name
            if settings.is_file():
                tree, _ = load(settings.read_text("utf-8", "replace"))
                named = word(field(tree, "brain")).strip()
                if named:
                    return named
        if above == root:
            return None
    return None
