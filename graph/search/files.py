"""The index on disk: which folder holds it, what it was built from, and how it is brought up to date.

    index/manifest.json      engine, format, store, graph version, folder; written last, replaced whole
    index/<engine>-<n>/      the engine's own files
    index/lock               held by the one process that writes

The index is derived from the store: missing, older, broken or another store's, it is built again.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from filelock import FileLock, Timeout
from pydantic import ValidationError

from graph.nodes import Node
from graph.search.engine import Engine, Entry, Opener, entry_of
from graph.store import Store
from graph.values import Value

FORMAT = 1
"""Raised when words are divided or laid down differently: an index of another format is built again."""

LOCK_SECONDS = 120
"""How long a process waits for another one that builds the index."""

Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is."""


class SearchError(Exception):
    """The index cannot be used."""


class SearchBusyError(SearchError):
    """Another process held the index for too long."""

    def __init__(self, folder: Path) -> None:
        super().__init__(f"the search index in {folder} is being built by another process; try again")


class SearchUnwritableError(SearchError):
    """The folder of the index cannot be written."""

    def __init__(self, folder: Path, reason: str) -> None:
        super().__init__(f"the search index in {folder} cannot be written: {reason}")


class Manifest(Value):
    """What the index was built from."""

    engine: str
    format: int
    store: str
    version: int
    folder: str


class IndexFiles:
    """The folder of the index, and the engine opened in it."""

    def __init__(self, store: Store, folder: Path, name: str, opener: Opener) -> None:
        self._store, self._folder, self._name, self._opener = store, folder, name, opener
        self._engine: Engine | None = None
        self._opened: Manifest | None = None

    def current(self, progress: Progress) -> tuple[Engine, int]:
        """The engine with everything up to the version that is given with it.

        Raises:
            SearchBusyError: another process held the index for too long.
            SearchUnwritableError: the folder cannot be written.
        """
        version = self._store.graph_version()
        manifest = self.manifest()
        if manifest is None or manifest.version < version or self._open(manifest) is None:
            manifest = self._update(version, progress)
        engine = self._open(manifest)
        if engine is None:
            raise SearchUnwritableError(self._folder, "what was written cannot be read again")
        return engine, manifest.version

    def rebuild(self, progress: Progress) -> None:
        """Build the index again, whatever there is."""
        self.close()
        self._drop_manifest()
        self.current(progress)

    def manifest(self) -> Manifest | None:
        """What the index on disk was built from; None where it is none of this store in this format."""
        try:
            found = Manifest.model_validate_json((self._folder / "manifest.json").read_bytes())
        except (OSError, ValidationError):
            return None
        ours = (self._name, FORMAT, self._store.identity())
        return found if (found.engine, found.format, found.store) == ours else None

    def close(self) -> None:
        """Give the engine back."""
        if self._engine is not None:
            self._engine.close()
        self._engine = self._opened = None

    def _open(self, manifest: Manifest) -> Engine | None:
        """The engine of a manifest, kept open; None where its files are missing or broken."""
        if self._engine is not None and self._opened == manifest:
            return self._engine
        path = self._folder / manifest.folder
        if not path.is_dir() or not any(path.iterdir()):
            return None
        try:
            engine = self._reloaded(manifest) or self._opener(path)
        except Exception:  # noqa: BLE001 - a damaged index may raise anything; it is built again
            return None
        if engine is not self._engine:
            self.close()
        self._engine, self._opened = engine, manifest
        return engine

    def _reloaded(self, manifest: Manifest) -> Engine | None:
        """The open engine where it only has to see what another process has brought."""
        if self._engine is None or self._opened is None or self._opened.folder != manifest.folder:
            return None
        self._engine.reload()
        return self._engine

    def _update(self, version: int, progress: Progress) -> Manifest:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with FileLock(self._folder / "lock", timeout=LOCK_SECONDS):
                return self._updated(version, progress)
        except Timeout as error:
            raise SearchBusyError(self._folder) from error
        except OSError as error:
            raise SearchUnwritableError(self._folder, error.strerror or str(error)) from error

    def _updated(self, version: int, progress: Progress) -> Manifest:
        """Under the lock: nothing to do, a few nodes to bring, or everything."""
        manifest = self.manifest()
        if manifest is None or self._open(manifest) is None:
            return self._build(version, progress)
        changed = self._store.changed_since(manifest.version)
        if len(changed) > 100 and 2 * len(changed) > sum(self._store.node_count().values()):
            return self._build(version, progress)
        if changed and not self._bring(manifest, changed, progress):
            return self._build(version, progress)
        return self._seal(manifest.model_copy(update={"version": version}))

    def _bring(self, manifest: Manifest, changed: dict[str, int], progress: Progress) -> bool:
        """Bring the changed nodes into the index; False where it turns out to be broken."""
        engine = self._open(manifest)
        if engine is None:
            return False
        entries = self._entries(self._store.numbered(list(changed)), len(changed), progress)
        try:
            engine.write(entries, changed.values())
            engine.reload()
        except Exception:  # noqa: BLE001 - a damaged index may raise anything; it is built again
            self.close()
            return False
        return True

    def _build(self, version: int, progress: Progress) -> Manifest:
        """A new index beside the old one; the manifest turns from one to the other, then the old one goes."""
        self.close()
        folder = self._free_name()
        manifest = Manifest(
            engine=self._name, format=FORMAT, store=self._store.identity(), version=version, folder=folder
        )
        engine = self._opener(self._folder / folder)
        total = sum(self._store.node_count().values())
        engine.write(self._entries(self._store.numbered(), total, progress), ())
        engine.reload()
        self._engine, self._opened = engine, manifest
        self._seal(manifest)
        self._sweep(folder)
        return manifest

    def _entries(self, numbered: Iterable[tuple[int, Node]], total: int, progress: Progress) -> Iterator[Entry]:
        for done, (serial, node) in enumerate(numbered):
            if done % 100 == 0:
                progress("indexing", done, total)
            yield entry_of(node, serial)
        progress("indexing", total, total)

    def _free_name(self) -> str:
        number = 1
        while (self._folder / f"{self._name}-{number}").exists():
            number += 1
        return f"{self._name}-{number}"

    def _seal(self, manifest: Manifest) -> Manifest:
        path = self._folder / "manifest.json"
        fresh = path.with_suffix(".new")
        fresh.write_text(json.dumps(manifest.model_dump()))
        fresh.replace(path)
        return manifest

    def _drop_manifest(self) -> None:
        (self._folder / "manifest.json").unlink(missing_ok=True)

    def _sweep(self, kept: str) -> None:
        """Remove the indexes that no manifest names any more."""
        for path in self._folder.iterdir():
            if path.is_dir() and path.name != kept:
                shutil.rmtree(path, ignore_errors=True)
