"""Follows folders: which stored documents came from a folder, and which of them were moved, renamed or deleted in it.

The store keeps for each document where it came from: the folder that was given and the file in it, or the file that was
given itself. Only documents of a folder that is read again are ever removed. A document that an older version of the
program stored has no such entry.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from api.services.document_names import Again, Pair, distinctive_lines
from api.services.import_report import DocumentReport, Move, Origin
from graph.ids import slug
from graph.models.node_models import Node
from graph.models.query_models import DocumentHead
from graph.store import Store
from ingest.source_files import Listed, SkippedFile, SourceFile, SourceFolder, settings_of

MOST_COMPARED = 40_000
"""Pairs of removed and new documents that are compared line by line."""

Text = Callable[[str], str | None]
"""The stored text of a document by its name."""


class EmptyFolderError(Exception):
    """A folder that documents came from gives none now: it may not be mounted, so nothing is deleted."""

    def __init__(self, folder: str, documents: int) -> None:
        many = "1 document" if documents == 1 else f"{documents} documents"
        super().__init__(
            f"{folder} gives no document now, and {many} in the brain came from it; nothing was removed. "
            "Is it mounted? --keep reads it without removing; brain remove DOCUMENT removes documents"
        )
        self.folder = folder


class GivenFiles(NamedTuple):
    """What a caller gives to an ingest: documents, files that are left out, and folders."""

    files: tuple[SourceFile, ...]
    skipped: tuple[SkippedFile, ...] = ()
    folders: tuple[str, ...] = ()

    @classmethod
    def of(cls, listed: Iterable[Listed]) -> GivenFiles:
        """The parts of a listing."""
        files: list[SourceFile] = []
        skipped: list[SkippedFile] = []
        folders: list[str] = []
        for one in listed:
            if isinstance(one, SourceFile):
                files.append(one)
            elif isinstance(one, SkippedFile):
                skipped.append(one)
            elif isinstance(one, SourceFolder):
                folders.append(one.root)
        return cls(tuple(files), tuple(skipped), tuple(folders))

    def retained(self) -> Iterator[str]:
        """Files that are there but could not be read, as absolute paths; of a folder, with a slash at the end.

        What a rule of the folder leaves out is not among them: it is removed.
        """
        for one in self.skipped:
            if one.kind in {"link", "unreadable"}:
                end = "/" if one.name.endswith("/") or one.kind == "link" else ""
                yield _join(one.root, one.name) + end


def origin_of(found: SourceFile) -> Origin:
    """Where a file came from; a document that the caller named has an empty origin."""
    if found.root:
        return Origin(folder=found.root, file=found.inside)
    return Origin(file=os.path.realpath(found.path) if found.path else "")


def path_of(origin: Origin) -> str:
    """The absolute path of the file that a document came from; empty if there is none."""
    return _join(origin.folder, origin.file) if origin.folder else origin.file


def _join(folder: str, name: str) -> str:
    return f"{folder.rstrip('/')}/{name.rstrip('/')}"


class Origins:
    """Where the documents of a store came from."""

    def __init__(self, store: Store) -> None:
        self._store, self._cache = store, store.cache(1)

    def of(self, held: Iterable[DocumentHead]) -> dict[str, Origin]:
        """The origins of these documents by name; documents of older versions are missing."""
        origins = self._cache.get("origins", self._store.origins.all)
        return {head.name: _origin(*origins[head.name]) for head in held if head.name in origins}

    def put(self, come: Mapping[str, Origin], gone: Collection[str] = ()) -> None:
        """Record the origins of documents that came, and forget those of documents that went."""
        held = self._store.origins.of(come)
        wider = {name: _wider(_origin(*held[name]) if name in held else None, one) for name, one in come.items()}
        self._store.origins.put({name: (one.folder, one.file) for name, one in wider.items()}, gone)


def _origin(folder: str, file: str) -> Origin:
    return Origin(folder=folder, file=file)


def _wider(before: Origin | None, now: Origin) -> Origin:
    """The origin of a document that was read again: the wider folder, where the file is the same."""
    if before is None or path_of(before) != path_of(now) or not before.folder:
        return now
    return before if not now.folder or _within(now.folder, before.folder) else now


def known_names(
    given: GivenFiles, held: Iterable[DocumentHead], origins: Mapping[str, Origin]
) -> tuple[SourceFile, ...]:
    """The files under the names of the documents that were read from the same paths.

    Files of a folder inside one that was read before are named by their path in that one. A file keeps its own name if
    the folder that is read now lies above the one that the document came from: links use the longer path then.
    """
    names = {path_of(origin): name for name, origin in origins.items() if path_of(origin)}
    read_before = sorted({origin.folder for origin in origins.values() if origin.folder}, key=len)
    above = {root: next((one for one in read_before if _within(root, one)), root) for root in given.folders}
    brains = {head.name: head.brain for head in held}
    lifted = (_lifted(found, above.get(found.root, found.root)) for found in given.files)
    return tuple(_known(found, names, origins, brains) for found in lifted)


def _lifted(found: SourceFile, folder: str) -> SourceFile:
    """A file of a folder, as a file of the folder above it that was read before."""
    if folder == found.root:
        return found
    path = path_of(origin_of(found))
    inside = path.removeprefix(folder.rstrip("/") + "/")
    if not found.path:
        return found._replace(root=folder, inside=inside)
    settings = settings_of(path, folder)
    brain, form = found.brain or settings.brain, found.form or settings.form
    return found._replace(root=folder, inside=inside, name=inside, brain=brain, form=form)


def _known(
    found: SourceFile, names: Mapping[str, str], origins: Mapping[str, Origin], brains: Mapping[str, str]
) -> SourceFile:
    name = names.get(path_of(origin_of(found))) if found.path else None
    if name is None or (found.root and not _within(found.root, origins[name].folder)):
        return found
    return found._replace(name=name, brain=found.brain if found.root else found.brain or brains[name])


def _within(path: str, folder: str) -> bool:
    """Whether an absolute path is a folder or below it; nothing is below an empty one."""
    return bool(folder) and f"{path}/".startswith(f"{folder.rstrip('/')}/")


def of_folders(pairs: Iterable[Pair], origins: Mapping[str, Origin], again: Again, text: Text) -> list[Pair]:
    """The documents of files under names that no other folder's file has; `again` reads one under another name.

    Two folders may hold different files of one name. The second gets the name of its folder before its own; a copy of
    the first, of which half of the lines are the same, keeps the name.
    """
    owners = {name: origin for name, origin in origins.items() if origin.folder}
    read_now: dict[str, str] = {}
    result = []
    for given, first in pairs:
        found, entry = given, first
        owner, name = owners.get(found.name), found.name
        elsewhere = owner is not None and owner.folder != found.root and os.path.exists(path_of(owner))  # noqa: PTH110  # a path as stored
        if found.path and found.root and elsewhere:
            other = read_now[name] if name in read_now else text(name) or ""
            if not _copied(entry, other):
                found = found._replace(name=f"{PurePosixPath(found.root).name}/{name}")
                entry = again(found)
        if found.path and found.root:
            owners[found.name], read_now[found.name] = origin_of(found), entry.document.text
        result.append((found, entry))
    return result


def _copied(entry: DocumentReport, other: str) -> bool:
    """Whether a document has half of the lines of another text, or that one half of its lines."""
    before, now = distinctive_lines(other), distinctive_lines(entry.document.text)
    return 2 * len(before & now) >= max(1, min(len(before), len(now)))


def missing(
    given: GivenFiles,
    entries: Sequence[DocumentReport],
    held: Sequence[DocumentHead],
    origins: Mapping[str, Origin],
) -> list[DocumentHead]:
    """The stored documents whose file is no longer in the folders that were given, or is a document of another name."""
    names: dict[str, set[str]] = defaultdict(set)
    for entry in entries:
        if entry.origin and (path := path_of(entry.origin)):  # a document without a file has no path
            names[path].add(entry.document.name)
    back = tuple(given.retained())
    gone = []
    for head in held:
        origin = origins.get(head.name, Origin())
        path = path_of(origin)
        if path in names:
            if head.name not in names[path]:
                gone.append(head)
        elif _covered(path, origin.folder, given.folders) and not _left_in_place(path, back):
            gone.append(head)
    return gone


def _covered(path: str, folder: str, given: Sequence[str]) -> bool:
    """Whether a file came from a folder that was given, or from one above it."""
    return any(_within(one, folder) and _within(path, one) for one in given)


def _left_in_place(path: str, back: Sequence[str]) -> bool:
    return any(path == one or (one.endswith("/") and path.startswith(one)) for one in back)


def refuse_empty(given: GivenFiles, gone: Sequence[DocumentHead], origins: Mapping[str, Origin]) -> None:
    """Refuse to delete all documents of a folder.

    Raises:
        EmptyFolderError: a folder gives no document at all, and some of those that are gone came from it.
    """
    for folder in given.folders:
        lost = sum(_within(path_of(origins[head.name]), folder) for head in gone if head.name in origins)
        if lost and not any(_within(path_of(origin_of(found)), folder) for found in given.files):
            raise EmptyFolderError(folder, lost)


def moves(
    entries: Sequence[DocumentReport],
    gone: Sequence[DocumentHead],
    held: Sequence[DocumentHead],
    origins: Mapping[str, Origin],
    text: Text,
) -> tuple[Move, ...]:
    """The documents that were moved or renamed: one that is gone and a new one with the same text.

    Equal files are paired first, then files that share at least half of their lines, those of one file name first.
    """
    known = {head.name for head in held}
    new = [entry for entry in entries if entry.document.name not in known]
    pairs: dict[str, str] = {}
    for same in (_same_path(origins), _same_bytes(base=True), _same_bytes(base=False), _same_lines(text, gone, new)):
        for entry in new:
            if entry.document.name not in pairs:
                free = [head for head in gone if head.name not in pairs.values()]
                found = next((head.name for head in free if same(head, entry)), None)
                if found is not None:
                    pairs[entry.document.name] = found
    return tuple(_move(before, after) for after, before in sorted(pairs.items()))


def _move(before: str, after: str) -> Move:
    same = PurePosixPath(before).name == PurePosixPath(after).name
    return Move(document=after, before=before, how="moved" if same else "renamed")


def stored_ids(nodes: Iterable[Node], moved: Iterable[Move]) -> dict[str, str]:
    """The stored id of each document of these nodes that is one note, under the name that it has now.

    A note that was moved keeps its id; one whose name is another now gets that of its new name.
    """
    found: dict[str, list[str]] = defaultdict(list)
    for node in nodes:
        found[node.provenance.document].append(node.id)
    for move in moved:
        if move.before in found and _stem(move.before) == _stem(move.document):
            found[move.document] = found[move.before]
    return {document: ids[0] for document, ids in found.items() if len(ids) == 1}


def _stem(document: str) -> str:
    return slug(PurePosixPath(document).stem)


Same = Callable[[DocumentHead, DocumentReport], bool]


def _same_path(origins: Mapping[str, Origin]) -> Same:
    """The same file under another name: a folder above the earlier one was read."""

    def same(head: DocumentHead, entry: DocumentReport) -> bool:
        before = origins.get(head.name)
        path = path_of(entry.origin) if entry.origin else ""
        return before is not None and bool(path) and path_of(before) == path

    return same


def _same_bytes(*, base: bool) -> Same:
    """The same bytes; `base`: and the same file name, in another folder."""

    def same(head: DocumentHead, entry: DocumentReport) -> bool:
        document = entry.document
        names = PurePosixPath(head.name).name == PurePosixPath(document.name).name
        return head.sha256 == document.sha256 and (names or not base)

    return same


def _same_lines(text: Text, gone: Sequence[DocumentHead], new: Sequence[DocumentReport]) -> Same:
    """At least half of the lines of each are in the other."""
    if len(gone) * len(new) > MOST_COMPARED:
        return lambda _head, _entry: False
    before: dict[str, set[str]] = {}
    after = {entry.document.name: distinctive_lines(entry.document.text) for entry in new}

    def same(head: DocumentHead, entry: DocumentReport) -> bool:
        if head.format != entry.document.format:
            return False
        if head.name not in before:
            before[head.name] = distinctive_lines(text(head.name) or "")
        one, other = before[head.name], after[entry.document.name]
        return bool(one and other) and 2 * len(one & other) >= max(len(one), len(other))

    return same
