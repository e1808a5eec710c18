"""Which stored document a file is, and which documents of a folder were moved, renamed or deleted.

The origin of a document is the folder that was given and the file in it, or the file that was given itself. Only
documents of a folder that is read again are ever removed.

    a file is the document that     was read from the same path; else, of a file given itself, the one whose name ends
                                    its path and that shares half of its lines; else the document of its own name
    that name belongs to another    another folder has a different file of that name: the folder's name goes before it
                                    another brain has it: the brain's name goes before it
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

from api.services.importing.documents import DocumentReport, FileLeft, LinkLeft, Move
from graph.groups import group_by
from graph.ids import slug
from graph.models.node_models import Node
from graph.models.query_models import DocumentHead
from graph.problems import Problem, Severity
from graph.store import Store
from graph.store.document_tables import FilePlace
from ingest.source_files import ExportedHistory, Listed, SkippedFile, SourceFile, SourceFolder, settings_of

MOST_COMPARED = 40_000  # pairs of removed and new documents that are compared line by line

_TELLING = re.compile(r"[\W_]*+[^\W_].*?[^\W_]{2}")  # a line with words, not only signs

NO_FILE: FilePlace = ("", "")  # the origin of a document that came from no file, such as one that came over HTTP


class EmptyFolderError(Exception):
    """A folder with stored documents contains none now: it may not be mounted, so nothing is deleted."""

    def __init__(self, folder: str, documents: int) -> None:
        many = "1 document" if documents == 1 else f"{documents} documents"
        super().__init__(
            f"{folder} contains no document now, but {many} in the brain came from it; nothing was removed. "
            "Is it mounted? --keep ingests it and removes nothing; brain remove DOCUMENT removes documents"
        )
        self.folder = folder


class GivenFiles:
    """The inputs of an ingest: documents, folders, histories of exports, and what is left out.

    `unread` are absolute paths that could not be read, of folders with a slash at the end; unlike files that a rule
    leaves out, they are not removed.
    """

    def __init__(self, listed: Iterable[Listed]) -> None:
        every = list(listed)
        self.files = [one for one in every if isinstance(one, SourceFile)]
        self.folders = [one.root for one in every if isinstance(one, SourceFolder)]
        self.histories = [one for one in every if isinstance(one, ExportedHistory)]
        skipped = [one for one in every if isinstance(one, SkippedFile)]
        links, left = ([one for one in skipped if (one.kind == "link") is linked] for linked in (True, False))
        self.links_left = tuple(LinkLeft(name=one.name, reason=one.reason) for one in links)
        self.files_left = tuple(FileLeft(name=one.name, reason=one.reason, kind=one.kind) for one in left)
        self.unread = [_join(one.root, one.name) + "/" for one in links]
        unreadable = (one for one in left if one.kind == "unreadable")
        self.unread += [_join(one.root, one.name) + "/" * one.name.endswith("/") for one in unreadable]


def origin_of(found: SourceFile) -> FilePlace:
    """Where a file came from; both parts are empty for a document without a file."""
    if found.root:
        return found.root, found.inside
    return "", os.path.realpath(found.path) if found.path else ""


def path_of(origin: FilePlace | None) -> str:
    """The absolute path of the file of an origin; empty if there is none."""
    folder, file = origin or NO_FILE
    return _join(folder, file) if folder else file


def _join(folder: str, name: str) -> str:
    return f"{folder.rstrip('/')}/{name.rstrip('/')}"


def _within(path: str, folder: str) -> bool:
    """Whether an absolute path is a folder or below it; nothing is below an empty one."""
    return bool(folder) and f"{path}/".startswith(f"{folder.rstrip('/')}/")


def record_origins(store: Store, come: Mapping[str, FilePlace], gone: Collection[str]) -> None:
    """Record the origins of stored documents, the outer of two folders; forget removed documents."""
    held = store.origins.of(come)
    for name, now in come.items():
        before = held.get(name, NO_FILE)
        same = bool(before[0]) and path_of(before) == path_of(now)
        if not (same and (not now[0] or _within(now[0], before[0]))):
            held[name] = now
    store.origins.put(held, gone)


class StoredFiles:
    """The stored documents of the folders of an ingest, and those that its files may be."""

    def __init__(self, store: Store, given: GivenFiles) -> None:
        self._store, self._given = store, given
        known = sorted(store.origins.folders(), key=len)
        above = {root: next((one for one in known if _within(root, one)), root) for root in given.folders}
        given.files[:] = [_lifted(found, above.get(found.root, found.root)) for found in given.files]
        near = [one for one in known if any(_within(one, root) or _within(root, one) for root in given.folders)]
        alone = [path_of(origin_of(found)) for found in self._given.files if found.path and not found.root]
        inside = {path.removeprefix(one.rstrip("/") + "/") for path in alone for one in known if _within(path, one)}
        self.heads: dict[str, DocumentHead] = {}
        self.origins = store.origins.read_from([*near, *([""] if given.folders else [])], [*inside, *alone])
        self._looked_up: set[str] = set()
        self.load([*self.origins, *(end for found in given.files for end in (found.name, *_ends(found)))])
        self.origins = {name: one for name, one in self.origins.items() if name in self.heads}
        self._by_path = {path: name for name, one in self.origins.items() if (path := path_of(one))}

    def load(self, names: Iterable[str]) -> None:
        """Look up more documents by name."""
        text = (name for name in names if name.encode("utf-8", "replace").decode() == name)  # others are no documents
        fresh = [name for name in dict.fromkeys(text) if name not in self._looked_up]
        self._looked_up |= {*fresh}
        self.heads |= {head.name: head for head in self._store.documents.heads_of(fresh)}
        self.origins |= self._store.origins.of(
            name for name in fresh if name in self.heads and name not in self.origins
        )

    def text(self, name: str) -> str:
        """The stored text of a document."""
        return self._store.documents.get(name).text or ""

    def _named(self, found: SourceFile) -> SourceFile:
        """A file under the name of the stored document that it is."""
        name = self._by_path.get(path_of(origin_of(found))) if found.path else None
        if name is not None and (not found.root or _within(found.root, self.origins[name][0])):
            return found._replace(name=name, brain=found.brain if found.root else found.brain or self.heads[name].brain)
        if found.name in self.heads:
            return found
        home = next((self.heads[end] for end in _ends(found) if end in self.heads), None)
        if home is None or not _alike(self.text(home.name), found.data.decode("utf-8", "replace")):
            return found
        return found._replace(name=home.name, brain=found.brain or home.brain)

    def documents(self, parse: Callable[[SourceFile], DocumentReport]) -> list[DocumentReport]:
        """The document of each file once; of two files of one name and brain the second is an error."""
        pairs = [(found, parse(found)) for found in map(self._named, self._given.files)]
        self.load(entry.document.name for _, entry in pairs)
        folders = {name: one for name, one in self.origins.items() if one[0]}
        brains = {head.name: head.brain for head in self.heads.values() if head.nodes}
        texts: dict[str, str] = {}
        first: dict[str, tuple[str, str]] = {}
        result = []
        for given, parsed in pairs:
            found, entry, origin = given, parsed, origin_of(given)
            if found.path and found.root:
                if self._is_another(found, entry, folders.get(found.name), texts):
                    found = found._replace(name=f"{PurePosixPath(found.root).name}/{found.name}")
                    entry = parse(found)
                folders[found.name], texts[found.name] = origin, entry.document.text
            document = entry.document
            if found.path and document.nodes and brains.setdefault(document.name, document.brain) != document.brain:
                found = found._replace(name=f"{document.brain}/{document.name}")
                brains.setdefault(found.name, document.brain)
                entry = parse(found)
            path, sha = found.path or found.name, entry.document.sha256
            before = first.get(entry.document.name)
            if before is None:
                first[entry.document.name] = path, sha
            elif before[1] == sha:
                continue
            else:
                entry.added += (_twice(found.name, before[0], path),)
            entry.origin, entry.in_folder = origin, bool(found.root)
            result.append(entry)
        self.load(entry.document.name for entry in result)
        return result

    def _is_another(
        self, found: SourceFile, entry: DocumentReport, owner: FilePlace | None, texts: Mapping[str, str]
    ) -> bool:
        """Whether another folder's file of this name is still there, and differs."""
        if owner is None or owner[0] == found.root or not os.path.exists(path_of(owner)):  # noqa: PTH110  # as stored
            return False
        other = texts[found.name] if found.name in texts else self.text(found.name)
        return not _alike(other, entry.document.text)

    def missing(self, entries: Iterable[DocumentReport], *, named: bool = False) -> list[DocumentHead]:
        """The stored documents whose file is gone from the given folders, or is another document.

        Of files that were given by name only those are, and with `named` those that were in the folders.
        """
        names: dict[str, set[str]] = defaultdict(set)
        for entry in entries:
            if path := path_of(entry.origin):  # a document without a file has no path
                names[path].add(entry.document.name)
        return [head for _, head in sorted(self.heads.items()) if self._is_missing(head.name, names, named=named)]

    def _is_missing(self, name: str, names: Mapping[str, Collection[str]], *, named: bool) -> bool:
        origin = self.origins.get(name, NO_FILE)
        path = path_of(origin)
        if path in names:
            return name not in names[path]
        alone = named and not origin[0] and not os.path.lexists(path)
        covered = any((alone or _within(one, origin[0])) and _within(path, one) for one in self._given.folders)
        unread = self._given.unread
        return covered and not any(path == one or (one.endswith("/") and path.startswith(one)) for one in unread)

    def refuse_empty(self, gone: Sequence[DocumentHead]) -> None:
        """Refuse to delete all documents of an empty folder. Raises `EmptyFolderError`."""
        for folder in self._given.folders:
            lost = sum(_within(path_of(self.origins.get(head.name)), folder) for head in gone)
            if lost and not any(_within(path_of(origin_of(found)), folder) for found in self._given.files):
                raise EmptyFolderError(folder, lost)

    def moves(self, entries: Iterable[DocumentReport], gone: Iterable[DocumentHead]) -> tuple[Move, ...]:
        """The moved or renamed documents: first equal files, then those with half of their lines in common."""
        new = {entry.document.name: entry for entry in entries if entry.document.name not in self.heads}
        left = {head.name: head for head in gone}
        pairs: dict[str, str] = {}
        for key in _SAME:
            free: dict[Hashable, list[str]] = defaultdict(list)
            for name in left:
                free[key(name, left[name].sha256, path_of(self.origins.get(name)))].append(name)
            for name in list(new):
                same = free.get(key(name, new[name].document.sha256, path_of(new[name].origin)) or None)
                if same:
                    pairs[name] = same.pop(0)
                    del new[name], left[pairs[name]]
        pairs |= self._same_lines(new, left)
        return tuple(_move(before, after) for after, before in sorted(pairs.items()))

    def _same_lines(self, new: Mapping[str, DocumentReport], left: Mapping[str, DocumentHead]) -> dict[str, str]:
        """Pairs of a new and a missing document that have half of their lines in common."""
        if len(new) * len(left) > MOST_COMPARED:
            return {}
        lines = {name: distinctive_lines(self.text(name)) for name in left} if new else {}
        pairs: dict[str, str] = {}
        for name, entry in new.items():
            own = distinctive_lines(entry.document.text)
            for before in left:
                other, form = lines[before], left[before].format
                enough = own and other and 2 * len(own & other) >= max(len(own), len(other))
                if enough and form == entry.document.format and before not in pairs.values():
                    pairs[name] = before
                    break
        return pairs


_SAME: tuple[Callable[[str, str, str], Hashable], ...] = (
    lambda _name, _sha, path: path,  # a folder above the earlier one was read
    lambda name, sha, _path: (PurePosixPath(name).name, sha),
    lambda _name, sha, _path: sha,
)
"""The key that two names of one document share: name, hash and path of the file."""


def stored_ids(nodes: Iterable[Node], moved: Iterable[Move]) -> dict[str, str]:
    """The stored id of each document that is one note; a moved note keeps its id, a renamed one does not."""
    found = group_by(nodes, lambda node: node.provenance.document)
    for move in moved:
        if move.before in found and slug(PurePosixPath(move.before).stem) == slug(PurePosixPath(move.document).stem):
            found[move.document] = found[move.before]
    return {document: some[0].id for document, some in found.items() if len(some) == 1}


def distinctive_lines(text: str) -> set[str]:
    """The lines of a text that are not trivial."""
    return {line.strip() for line in text.splitlines() if _TELLING.match(line)}


def _alike(one: str, other: str) -> bool:
    """Whether one text has half of the lines of the other."""
    before, now = distinctive_lines(one), distinctive_lines(other)
    return 2 * len(before & now) >= max(1, min(len(before), len(now)))


def _move(before: str, after: str) -> Move:
    same = PurePosixPath(before).name == PurePosixPath(after).name
    return Move(document=after, before=before, how="moved" if same else "renamed")


def _ends(found: SourceFile) -> list[str]:
    """The ends of the path of a file that was given itself, longest first."""
    parts = Path(found.path).absolute().parts if found.path and not found.root else ()
    return ["/".join(parts[start:]) for start in range(1, len(parts))]


def _lifted(found: SourceFile, folder: str) -> SourceFile:
    """A file of a folder as a file of the folder above it that was read before."""
    if folder == found.root:
        return found
    path = path_of(origin_of(found))
    inside = path.removeprefix(folder.rstrip("/") + "/")
    if not found.path:
        return found._replace(root=folder, inside=inside)
    settings = settings_of(Path(path).parent, Path(folder))
    brain, form = found.brain or settings.brain, found.form or settings.form
    return found._replace(root=folder, inside=inside, name=inside, brain=brain, form=form)


def _twice(name: str, first: str, second: str) -> Problem:
    message = f"{first} and {second} are both called {name!r}"
    hint = "read the folder that holds both, so that their names differ, or give one of them another name"
    return Problem.of(name, "document-twice", message, hint, Severity.ERROR)
