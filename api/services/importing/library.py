"""The folders of a home that the nightly job reads again."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

from graph.store import Store
from graph.store.store_errors import UnknownFolderError
from graph.values import Value

KEY = "library"  # the metadata of the store under which the folders are stored, as JSON


class LibraryFolder(Value):
    """A folder of the library: its absolute path, its brain, whether links are followed."""

    path: str
    brain: str | None = None
    follow_links: bool = False


class ListedFolder(LibraryFolder):
    """A folder with the number of its stored documents, and whether it can be read."""

    documents: int
    readable: bool


class Library:
    """The folders of a home that the nightly job reads again, in their order."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def folders(self) -> tuple[LibraryFolder, ...]:
        """The folders in the order in which they were added."""
        return tuple(LibraryFolder(**row) for row in json.loads(self._store.metadata.get(KEY) or "[]"))

    def listed(self) -> tuple[ListedFolder, ...]:
        """The folders with the number of their documents and whether they can be read."""
        known = self._store.origins.folders()
        return tuple(
            ListedFolder(**folder.model_dump(), documents=known.get(folder.path, 0), readable=_readable(folder.path))
            for folder in self.folders()
        )

    def add(self, path: Path, *, brain: str | None = None, follow_links: bool = False) -> LibraryFolder:
        """Add a folder, or change how one is read; it is not read yet. Raises `OSError` if it cannot be listed."""
        os.scandir(path).close()
        added = LibraryFolder(path=os.path.realpath(path), brain=brain, follow_links=follow_links)
        with self._store.transaction():
            others = [folder for folder in self.folders() if folder.path != added.path]
            self._put([*others, added])
        return added

    def remove(self, path: Path) -> str:
        """Remove a folder by its absolute path; its documents stay. Raises `UnknownFolderError`."""
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


def _readable(path: str) -> bool:
    try:
        os.scandir(path).close()
    except OSError:
        return False
    return True
