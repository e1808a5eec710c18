"""The library: the folders of this home that the nightly job reads again before it verifies.

brain library add ~/vault  ─▶  the list, in the store  ─▶  nightly: each folder is ingested, in the list's order
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from api.services.document_importer import DocumentImporter
from api.services.folder_following import EmptyFolderError
from compute.runs.night_models import FolderRead
from graph.store import Store
from graph.store.store_errors import ConflictError, UnknownFolderError, UnstorableError
from graph.values import Value
from ingest.source_files import listing
from ingest.text.decoding import as_brain

KEY = "library"
"""The metadata of the store under which the folders are stored, as JSON."""


class LibraryFolder(Value):
    """A folder of the library: its absolute path, the brain's name in place of the documents' own, and the links."""

    path: str
    brain: str | None = None
    follow_links: bool = False


class ListedFolder(LibraryFolder):
    """A folder as it is listed, with the number of stored documents that came from it, and whether it is there."""

    documents: int
    readable: bool


class Library:
    """The folders of a home."""

    def __init__(self, store: Store, importer: DocumentImporter) -> None:
        self._store, self._importer = store, importer

    def folders(self) -> tuple[LibraryFolder, ...]:
        """The folders in the order in which they were added."""
        return tuple(LibraryFolder(**row) for row in json.loads(self._store.metadata.get(KEY) or "[]"))

    def listed(self) -> tuple[ListedFolder, ...]:
        """The folders with the number of their documents and whether they exist."""
        known = self._store.origins.folders()
        return tuple(
            ListedFolder(**folder.model_dump(), documents=known.get(folder.path, 0), readable=_readable(folder.path))
            for folder in self.folders()
        )

    def add(self, path: Path, *, brain: str | None = None, follow_links: bool = False) -> LibraryFolder:
        """Add a folder, or change how one is read; it is not read yet.

        Raises:
            OSError: the folder is missing, cannot be listed, or is no folder.
        """
        os.scandir(path).close()
        added = LibraryFolder(path=os.path.realpath(path), brain=brain, follow_links=follow_links)
        with self._store.transaction():
            others = [folder for folder in self.folders() if folder.path != added.path]
            self._put([*others, added])
        return added

    def remove(self, path: Path) -> str:
        """Remove a folder from the library, by its absolute path, which may be missing; its documents stay."""
        gone = os.path.realpath(path)
        with self._store.transaction():
            held = self.folders()
            left = [folder for folder in held if folder.path != gone]
            if len(left) == len(held):
                raise UnknownFolderError(gone)
            self._put(left)
        return gone

    def _put(self, folders: Sequence[LibraryFolder]) -> None:
        self._store.metadata.put(KEY, json.dumps([folder.model_dump() for folder in folders]))

    def read(self, at: datetime, skip: Collection[str] = ()) -> Iterator[FolderRead]:
        """Ingest each folder in a transaction of its own; one that cannot be read is reported, and the others continue.
        No one can confirm a loss, so a document that would lose all its claims, prices or silences is unchanged.

        The folders whose paths are in `skip` are left out.
        """
        for folder in self.folders():
            if folder.path not in skip:
                yield self._read(folder, at)

    def _read(self, folder: LibraryFolder, at: datetime) -> FolderRead:
        brain = folder.brain and as_brain(folder.brain)
        try:
            os.scandir(folder.path).close()  # a file in its place is not read
            found = listing([folder.path], follow=folder.follow_links)
            report = self._importer.take(found, at=at, brain=folder.brain, losses="keep")
        except OSError as error:
            return FolderRead(path=folder.path, brain=brain, failed=(error.strerror or str(error)).lower())
        except (EmptyFolderError, ConflictError, UnstorableError) as error:
            return FolderRead(path=folder.path, brain=brain, failed=str(error))
        outcomes = [entry.outcome for entry in report.entries]
        back = {move.before for move in report.moves}
        return FolderRead(
            path=folder.path,
            brain=brain,
            documents=len(report.taken),
            new=outcomes.count("new"),
            changed=outcomes.count("changed"),
            moved=len(report.moves),
            removed=sum(removal.document not in back for removal in report.removed),
            left_out=tuple(entry.document.name for entry in report.entries if entry.outcome == "left out"),
            kept=report.kept,
        )


def _readable(path: str) -> bool:
    try:
        os.scandir(path).close()
    except OSError:
        return False
    return True
