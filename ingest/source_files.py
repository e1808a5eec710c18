"""Files and folders as documents to read, in an order that is the same everywhere.

A folder may contain a `brain.yaml` whose field `brain` names the brain of the notes in it and below. Hidden files,
README files and pictures in a folder are skipped; a file named explicitly is always read. A symbolic link to a target
outside the folder is skipped unless the caller follows links.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from graph.yaml import field, load, word
from ingest.formats.brain_export import split_json
from ingest.source_names import SETTINGS, skipped_name


class SourceFile(NamedTuple):
    """A document to read: its bytes, its name (the path inside the folder that was given), its folder's brain.

    `path` is the file; it is empty if the caller gave the name.
    """

    data: bytes
    name: str
    brain: str | None = None
    path: str = ""


class SkippedFile(NamedTuple):
    """A skipped file of a folder, and the reason; `link` if it is a symbolic link that is not followed."""

    name: str
    reason: str
    link: bool = False


class ExportedHistory(NamedTuple):
    """The history in an export (`ingest.formats.brain_export`): rows by table, and the file that it is from."""

    name: str
    sections: dict[str, list[dict[str, Any]]]


def read_paths(paths: Iterable[Path | str], *, follow: bool = False) -> Iterator[SourceFile]:
    """The documents at `paths`, folders recursively; an export of several documents yields each of them.

    `follow`: also read symbolic links to targets outside a folder.

    Raises:
        OSError: a path is missing or cannot be read.
    """
    return (found for found in listing(paths, follow=follow) if isinstance(found, SourceFile))


def listing(
    paths: Iterable[Path | str], *, follow: bool = False
) -> Iterator[SourceFile | SkippedFile | ExportedHistory]:
    """The documents of `read_paths`, the skipped files, and the histories of exports.

    Raises:
        OSError: a path is missing or cannot be read.
    """
    for given in map(Path, paths):
        if given.is_dir():
            yield from _folder(given, Links(given, follow=follow))
        else:
            links = Links(given.parent, follow=follow)
            brain = _brain_of(given.parent, given.parent, links)
            yield from _documents(given, given.read_bytes(), given.name, brain)


class Links:
    """The symbolic links of a folder: which of them may be followed. Each folder is read once, so a loop ends."""

    def __init__(self, root: Path, *, follow: bool) -> None:
        self._follow = follow
        self._base = Path(os.path.realpath(root))
        self._folders = [self._base]

    def refused(self, path: Path) -> str:
        """Why a file is not read: it is a link out of the folder; empty if it may be read."""
        out = not self._follow and path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(self._base)
        return "a symbolic link that leads out of the folder" if out else ""

    def enter(self, folder: Path) -> str:
        """Why the link to a folder is not followed; empty if it is, and then the folder is marked as read."""
        target = Path(os.path.realpath(folder))
        if not self._follow:
            inside = target.is_relative_to(self._base)
            return "a symbolic link to a folder" if inside else "a symbolic link that leads out of the folder"
        if any(target.is_relative_to(known) or known.is_relative_to(target) for known in self._folders):
            return "a symbolic link to a folder that is read already"
        self._folders.append(target)
        return ""


def _folder(root: Path, links: Links) -> Iterator[SourceFile | SkippedFile | ExportedHistory]:
    for path in _files(root, links):
        if isinstance(path, SkippedFile):
            yield path
            continue
        name = path.relative_to(root).as_posix()
        reason = _reason(path)
        if (not reason or path.name in SETTINGS) and (linked := links.refused(path)):
            yield SkippedFile(name, linked, link=True)
            continue
        data = b"" if reason else path.read_bytes()
        if not reason and not data.strip():
            reason = "an empty file"
        if not reason and path.suffix.lower() == ".json" and b'"brain_export"' not in data:
            reason = "JSON that is no export of a brain"
        if reason:
            yield SkippedFile(name, reason)
        else:
            yield from _documents(path, data, name, _brain_of(path.parent, root, links))


def _files(root: Path, links: Links) -> Iterator[Path | SkippedFile]:
    """The files below a folder by name, without hidden ones, and the links to folders that are not followed."""
    for folder, below, names in os.walk(root, followlinks=True):
        entered = []
        for name in sorted(name for name in below if not name.startswith((".", "__"))):
            path = Path(folder, name)
            reason = links.enter(path) if path.is_symlink() else ""
            if reason:
                yield SkippedFile(path.relative_to(root).as_posix(), reason, link=True)
            else:
                entered.append(name)
        below[:] = entered
        yield from (Path(folder) / name for name in sorted(names))


def _reason(path: Path) -> str:
    """Why a file in a folder is not read; empty if it is."""
    return skipped_name(path.name) or ("" if path.is_file() else "not a file")


def _documents(path: Path, data: bytes, name: str, brain: str | None) -> Iterator[SourceFile | ExportedHistory]:
    """One document, or those that an export holds."""
    if b'"brain_export"' in data and data.lstrip()[:1] == b"{":
        parts = split_json(data.decode("utf-8", "replace"))
        if parts.history is not None:
            yield ExportedHistory(name, parts.history)
        if parts.documents:
            yield from (SourceFile(part.encode("utf-8", "replace"), own, None) for own, part in parts.documents)
            return
    yield SourceFile(data, name, brain, str(path))


def _brain_of(folder: Path, root: Path, links: Links) -> str | None:
    """The brain named by the nearest `brain.yaml` from `folder` up to `root`."""
    for above in (folder, *folder.parents):
        for name in SETTINGS:
            settings = above / name
            if settings.is_file() and not links.refused(settings):
                tree, _ = load(settings.read_text("utf-8", "replace"))
                named = word(field(tree, "brain")).strip()
                if named:
                    return named
        if above == root:
            return None
    return None
