"""Files and folders as documents to read, in an order that is the same everywhere.

A folder's `brain.yaml` names the brain and the format of the notes in it and below; `ingest.folder_rules` leaves files
out. Hidden files, pictures and unknown kinds of files are left out by name; a file given itself is always read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any, Literal, NamedTuple

from graph.older_ids import NOTES
from graph.yaml.reader import field, load, word
from ingest.folder_rules import BadRule, FolderRules
from ingest.format_detection import KNOWN, PROSE, is_foreign
from ingest.formats.brain_export import split_json
from ingest.text.name_checks import EMBEDDED

SETTINGS = ("brain.yaml", "brain.yml")
YAML = (".yaml", ".yml")
_SUFFIXES = frozenset((*NOTES, *YAML, ".txt", ".text", ".json"))
PACKAGES = frozenset({"node_modules", "bower_components", "site-packages"})  # folders of installed packages

SkipKind = Literal[
    "rule", "hidden", "packages", "settings", "attachment", "unknown", "empty", "link", "unreadable", "bad rule"
]  # fmt: skip
"""Why a file is left out."""
_OTHERS_JSON = re.compile(rb'"brain_export"|"string"\s*:')  # fields of exports of Brain and Roam


class SourceFile(NamedTuple):
    """A document to read: its bytes, its name (the path inside the given folder), its folder's settings.

    `path` is empty if the caller gave the name, and for the documents of an export. `root` is the given folder as an
    absolute path without links, `inside` the file's path in it; both are empty for a file given itself.
    """

    data: bytes
    name: str
    brain: str | None = None
    path: str = ""
    root: str = ""
    inside: str = ""
    form: str = ""


class FolderSettings(NamedTuple):
    """The settings of the nearest `brain.yaml`: the brain of notes, the format of prose."""

    brain: str | None = None
    form: str = ""


class SkippedFile(NamedTuple):
    """A file left out; `name` is its path in `root`; of a folder, which is not entered, it ends with a slash."""

    name: str
    reason: str
    kind: SkipKind = "link"
    root: str = ""


class SourceFolder(NamedTuple):
    """A given folder, as an absolute path without links; its files follow."""

    root: str


class ExportedHistory(NamedTuple):
    """The history in an export: its file, and rows by table."""

    name: str
    sections: dict[str, list[dict[str, Any]]]


Listed = SourceFile | SkippedFile | SourceFolder | ExportedHistory


def read_paths(paths: Iterable[Path | str]) -> Iterator[SourceFile]:
    """The documents at `paths`, as in `listing`. Raises OSError if a path is missing or cannot be read."""
    return (found for found in listing(paths) if isinstance(found, SourceFile))


def listing(
    paths: Iterable[Path | str], *, follow: bool = False, only: Collection[str] | None = None
) -> Iterator[Listed]:
    """The documents at `paths`, files left out, and each folder before its files; an export yields its documents.

    `follow`: also read links out of a folder. `only`: read just these files of folders, and yield no folder.

    Raises:
        OSError: a path is missing or cannot be read. An unreadable file inside a folder is left out instead.
    """
    for given in map(Path, paths):
        if given.is_dir():
            root = os.path.realpath(given)
            os.scandir(root).close()  # a folder that cannot be listed is an error of the caller
            if only is None:
                yield SourceFolder(root)
            links = Links(given, follow=follow)
            for path in _files(given, links):
                if isinstance(path, SkippedFile):
                    yield path._replace(root=root)
                elif only is None or str(path) in only:
                    yield from _file(path, given, root, links)
        else:
            links = Links(given.parent, follow=follow)
            settings = settings_of(given.parent, given.parent, links)
            yield from _documents(given, given.read_bytes(), given.name, settings)


class Links:
    """Which symbolic links of a folder may be followed; each folder is entered once, so loops end."""

    def __init__(self, root: Path, *, follow: bool) -> None:
        self._follow = follow
        self._base = Path(os.path.realpath(root))
        self._folders = [self._base]

    def refused(self, path: Path) -> str:
        """Why a link is not read; empty if it is."""
        out = not self._follow and path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(self._base)
        return "a symbolic link that points out of the folder" if out else ""

    def readable(self, path: Path) -> bool:
        """Whether a file exists and may be read."""
        return path.is_file() and not self.refused(path)

    def enter(self, folder: Path) -> str:
        """Why a link to a folder is not followed; else empty, and the folder counts as read."""
        target = Path(os.path.realpath(folder))
        if not self._follow:
            inside = target.is_relative_to(self._base)
            return "a symbolic link to a folder" if inside else "a symbolic link that points out of the folder"
        if any(target.is_relative_to(known) or known.is_relative_to(target) for known in self._folders):
            return "a symbolic link to a folder that is read already"
        self._folders.append(target)
        return ""


def _file(path: Path, folder: Path, root: str, links: Links) -> Iterator[SourceFile | SkippedFile | ExportedHistory]:
    name = path.relative_to(folder).as_posix()
    skipped = skipped_name(path.name) or (None if path.is_file() else ("not a file", "unreadable"))
    if (skipped is None or path.name in SETTINGS) and (linked := links.refused(path)):
        skipped = linked, "link"
    if skipped is not None:
        yield SkippedFile(name, *skipped, root)
        return
    try:
        data = path.read_bytes()
    except OSError as error:
        yield SkippedFile(name, f"cannot be read: {error.strerror}", "unreadable", root)
        return
    if not data.strip() and path.suffix.lower() not in NOTES:
        yield SkippedFile(name, "an empty file", "empty", root)
    elif path.suffix.lower() == ".json" and not _OTHERS_JSON.search(data):
        yield SkippedFile(name, "JSON that is not an export of Brain or Roam", "unknown", root)
    elif path.suffix.lower() in YAML and is_foreign(data.decode("utf-8", "replace")):
        yield SkippedFile(name, "YAML of another program", "unknown", root)
    else:
        for found in _documents(path, data, name, settings_of(path.parent, folder, links)):
            yield found if isinstance(found, ExportedHistory) else found._replace(root=root, inside=name)


def _files(root: Path, links: Links) -> Iterator[Path | SkippedFile]:
    """The files below a folder by name, and those left out."""
    rules = {Path(root): FolderRules()}
    unread: list[SkippedFile] = []

    def failed(error: OSError) -> None:
        name = Path(error.filename).relative_to(root).as_posix()
        unread.append(SkippedFile(f"{name}/", f"cannot be read: {error.strerror}", kind="unreadable"))

    for walked, below, names in os.walk(root, followlinks=True, onerror=failed):
        folder = Path(walked)
        base = "" if folder == root else f"{folder.relative_to(root).as_posix()}/"
        own, bad = rules.pop(folder).inside(folder, base, links.readable)
        bad += _bad_settings(folder, base, links)
        yield from (SkippedFile(name, reason, kind="bad rule") for name, reason in bad)
        entered = []
        for name in sorted(below):
            left = list(_left_folder(folder / name, f"{base}{name}", own, links))
            yield from left
            if not left:
                entered.append(name)
                rules[folder / name] = own
        below[:] = entered
        for name in sorted(names):
            if name.startswith(".") and not own.brings_back(f"{base}{name}"):
                yield SkippedFile(f"{base}{name}", "a hidden file", kind="hidden")
            else:
                reason = own.reason(f"{base}{name}")
                yield SkippedFile(f"{base}{name}", reason, kind="rule") if reason else folder / name
    yield from unread


def _bad_settings(folder: Path, base: str, links: Links) -> Iterator[BadRule]:
    for name in SETTINGS:
        if links.readable(folder / name) and (form := _read_settings(folder / name).form) and form not in PROSE:
            yield BadRule(f"{base}{name}", f"unknown format {form!r}; known formats: {', '.join(PROSE)}")


def _left_folder(path: Path, name: str, rules: FolderRules, links: Links) -> Iterator[SkippedFile]:
    """Why a folder is not read; a rule lists each file."""
    hidden, packages = path.name.startswith((".", "__")), path.name in PACKAGES
    if (hidden or packages) and not rules.brings_back(f"{name}/"):
        reason = "a hidden folder" if hidden else "packages of others"
        yield SkippedFile(f"{name}/", reason, kind="hidden" if hidden else "packages")
    elif reason := rules.reason(f"{name}/"):
        yield from _named(path, name, reason)
    elif path.is_symlink() and (reason := links.enter(path)):
        yield SkippedFile(name, reason)


def _named(path: Path, name: str, reason: str) -> Iterator[SkippedFile]:
    """All files below a folder, or the folder if empty."""
    empty = True
    for folder, below, names in os.walk(path):
        below.sort()
        for file in sorted(names):
            empty = False
            inside = (Path(folder) / file).relative_to(path).as_posix()
            yield SkippedFile(f"{name}/{inside}", reason, kind="rule")
    if empty:
        yield SkippedFile(f"{name}/", reason, kind="rule")


def skipped_name(name: str) -> tuple[str, SkipKind] | None:
    """Why a file of this name is left out, and the kind of reason; None if read."""
    suffix = PurePosixPath(name).suffix
    if name in SETTINGS:
        return "settings of the folder", "settings"
    if suffix.lower() in EMBEDDED:
        return f"{EMBEDDED[suffix.lower()]}, which is not read", "attachment"
    if suffix.lower() not in _SUFFIXES and not any(known.has_name(name) for known in KNOWN):
        return f"unknown kind of file: {suffix or 'no suffix'}", "unknown"
    return None


def _documents(path: Path, data: bytes, name: str, settings: FolderSettings) -> Iterator[SourceFile | ExportedHistory]:
    if b'"brain_export"' in data and data.lstrip()[:1] == b"{":
        documents, history = split_json(data.decode("utf-8", "replace"))
        if history:
            yield ExportedHistory(name, history)
        if documents:
            yield from (SourceFile(part.encode("utf-8", "replace"), own, None) for own, part in documents)
            return
    yield SourceFile(data, name, settings.brain, str(path), form=settings.form)


def settings_of(folder: Path, root: Path, links: Links | None = None) -> FolderSettings:
    """The brain and format of the nearest `brain.yaml`, from `folder` up to `root`."""
    links, found = links or Links(root, follow=False), FolderSettings()
    for above in (folder, *folder.parents):
        for name in SETTINGS:
            if links.readable(above / name):
                settings = _read_settings(above / name)
                found = FolderSettings(found.brain or settings.brain, found.form or settings.form)
        if above == root:
            break
    return found


def _read_settings(path: Path) -> FolderSettings:
    tree, _ = load(path.read_text("utf-8", "replace"))
    return FolderSettings(word(field(tree, "brain")).strip() or None, word(field(tree, "format")).strip())
