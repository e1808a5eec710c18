"""The index on disk: which folder holds it, what it was built from, and how it is brought up to date.

    index/manifest.json      engine, format, store, graph version, folder; written last, replaced whole
    index/<engine>-<n>/      the engine's own files, and the lexicon
    index/lock               held by the one process that writes

The index is derived from the store: missing, older, broken or another store's, it is built again.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock, Timeout
from pydantic import ValidationError

from graph.nodes import Node
from graph.private import private_files, private_folder
from graph.search.engine import Engine, Entry, Opener, entry_of
from graph.search.lexicon import Lexicon, counting, read_lexicon, write_lexicon
from graph.store import Store
from graph.values import Value

FORMAT = 2
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


class Opened(NamedTuple):
    """An index that is open, and what it holds."""

    manifest: Manifest
    engine: Engine
    lexicon: Lexicon


class IndexFiles:
    """The folder of the index, and the engine opened in it."""

    def __init__(self, store: Store, folder: Path, name: str, opener: Opener) -> None:
        self._store, self._folder, self._name, self._opener = store, folder, name, opener
        self._opened: Opened | None = None

    def current(self, progress: Progress) -> Opened:
        """The index with everything up to the version of its manifest.

        Raises:
            SearchBusyError: another process held the index for too long.
            SearchUnwritableError: the folder cannot be written.
        """
        version = self._store.graph_version()
        manifest = self.manifest()
        if manifest is None or manifest.version < version or self._open(manifest) is None:
            manifest = self._update(version, progress)
        opened = self._open(manifest)
        if opened is None:
            raise SearchUnwritableError(self._folder, "what was written cannot be read again")
        return opened

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
        if self._opened is not None:
            self._opened.engine.close()
        self._opened = None

    def _open(self, manifest: Manifest) -> Opened | None:
        """The index of a manifest, kept open; None where its files are missing or broken."""
        if self._opened is not None and self._opened.manifest == manifest:
            return self._opened
        path = self._folder / manifest.folder
        if not path.is_dir():
            return None
        try:
            words = read_lexicon(path)
            engine = self._reloaded(manifest) or self._opener(path)
        except Exception:  # noqa: BLE001 - a damaged index may raise anything; it is built again
            return None
        if self._opened is not None and engine is not self._opened.engine:
            self.close()
        self._opened = Opened(manifest, engine, words)
        return self._opened

    def _reloaded(self, manifest: Manifest) -> Engine | None:
        """The open engine where it only has to see what was brought since."""
        if self._opened is None or self._opened.manifest.folder != manifest.folder:
            return None
        self._opened.engine.reload()
        return self._opened.engine

    def _update(self, version: int, progress: Progress) -> Manifest:
        try:
            private_folder(self._folder)
            with private_files(), FileLock(self._folder / "lock", timeout=LOCK_SECONDS):
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
        opened = self._open(manifest)
        if opened is None:
            return False
        counts = Counter(opened.lexicon.counts)
        entries = self._entries(self._store.numbered(list(changed)), len(changed), progress)
        try:
            opened.engine.write(counting(entries, counts), changed.values())
            write_lexicon(self._folder / manifest.folder, counts)
        except Exception:  # noqa: BLE001 - a damaged index may raise anything; it is built again
            self.close()
            return False
        return True

    def _build(self, version: int, progress: Progress) -> Manifest:
        """A new index beside the old one; the manifest turns from one to the other, then the old one goes."""
        self.close()
        folder = self._free_name()
        engine = self._opener(self._folder / folder)
        counts: Counter[str] = Counter()
        total = sum(self._store.node_count().values())
        engine.write(counting(self._entries(self._store.numbered(), total, progress), counts), ())
        engine.close()
        write_lexicon(self._folder / folder, counts)
        identity = self._store.identity()
        manifest = Manifest(engine=self._name, format=FORMAT, store=identity, version=version, folder=folder)
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
