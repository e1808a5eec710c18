"""The index on disk: its folder, what it was built from, and how it is updated.

    index/manifest.json      engine, format, store, version, commit, folder; written last, replaced atomically
    index/<engine>-<n>/      the engine's own files, and the lexicon
    index/lock               locked by the one thread of the one process that writes

The index is derived from the store. If it is missing, broken or of another store, it is rebuilt. If it is of this store
but of an earlier commit, the digests of all nodes are compared, and only nodes that differ are indexed.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import weakref
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

from filelock import FileLock, Timeout
from pydantic import ValidationError

from graph.private_files import private_files, private_folder
from graph.search.engine_protocol import Engine, Entry, Opener, entry_of
from graph.search.lexicon import Lexicon, LexiconWriter, read_lexicon
from graph.search.search_errors import SearchBusyError, SearchDamagedError, SearchUnwritableError, StoppedError
from graph.search.search_protocol import Progress
from graph.search.tokenizer import forget
from graph.store import Store
from graph.store.index_feed import Numbered
from graph.values import Value

FORMAT = 5
"""Increase it when the tokenizer or the file layout changes: an index of another format is rebuilt."""

LARGE = 10_000
"""More nodes than this are a large brain: its index is built by the engine for those, unless one was chosen."""

LOCK_SECONDS = 120
"""Seconds that a process waits for another one that builds the index."""


class StoreState(NamedTuple):
    """A state of a store: its identity, the version of its graph, and the token of its last commit."""

    store: str
    version: int
    commit: str


class Manifest(Value):
    """What the index was built from, and where it is."""

    engine: str
    format: int
    store: str
    version: int
    commit: str
    folder: str

    @property
    def stamp(self) -> StoreState:
        """The state of the store that the index was built from."""
        return StoreState(self.store, self.version, self.commit)


class OpenIndex(NamedTuple):
    """An index that is open, and its contents; it does not change when the files do. The caller closes it."""

    manifest: Manifest
    engine: Engine
    lexicon: Lexicon

    def close(self) -> None:
        """Close the files."""
        self.engine.close()


class IndexFiles:
    """The folder of the index. Processes and threads may share it: one changes it at a time, under a file lock."""

    def __init__(
        self, store: Store, folder: Path, name: str, opener: Opener, large: tuple[str, Opener] | None = None
    ) -> None:
        """An index of the engine `name`; with `large`, of that engine for more than `LARGE` nodes."""
        self.folder = folder
        self._store, self._folder, self._name = store, folder, name
        self._openers = {name: opener} | (dict([large]) if large else {})
        self._large = large[0] if large else name

    def current(self, progress: Progress, broken: str | None = None) -> OpenIndex:
        """Open the index; update it first if it is older than the store.

        `broken` is the folder of an index that could not be read: if it is still the current one, it is rebuilt.

        Raises:
            SearchBusyError: another process locked the index for too long.
            SearchUnwritableError: the folder cannot be written.
        """
        manifest = self.manifest()
        if manifest is not None and manifest.stamp == self.stamp() and manifest.folder != broken:
            opened = self._open(manifest)
            if opened is not None:
                return opened
        try:
            return self._locked(progress, broken)
        except SearchUnwritableError:
            return self._read_only(manifest, progress, broken)

    def _read_only(self, manifest: Manifest | None, progress: Progress, broken: str | None) -> OpenIndex:
        """Where the folder cannot be written: the index in it, if it is of these nodes, or one in a temporary folder.

        Raises:
            SearchUnwritableError: there is no other place either.
        """
        if manifest is not None and manifest.version == self.stamp().version and manifest.folder != broken:
            opened = self._open(manifest)
            if opened is not None:
                return opened
        if self._folder != self.folder:
            raise SearchUnwritableError(self._folder, "the disk is full or read-only")
        try:
            self._folder = Path(mkdtemp(prefix="brain-index-"))
        except OSError as error:
            raise SearchUnwritableError(self.folder, error.strerror or str(error)) from error
        weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        return self._locked(progress, None)

    def rebuild(self, progress: Progress) -> OpenIndex:
        """Rebuild the index in any case and open it; raises as `current` does."""
        manifest = self.manifest()
        return self._locked(progress, manifest.folder if manifest else None)

    def manifest(self) -> Manifest | None:
        """What the index on disk was built from; None unless it is of this store and format."""
        try:
            found = Manifest.model_validate_json((self._folder / "manifest.json").read_bytes())
        except (OSError, ValidationError):
            return None
        ours = (FORMAT, self._store.metadata.identity())
        return found if (found.format, found.store) == ours and found.engine in self._openers else None

    def _fitting(self, present: str | None) -> str:
        """The engine for the number of nodes; the present one stays until half of `LARGE` nodes are left."""
        if self._large == self._name:
            return self._name
        count = sum(self._store.nodes.count().values())
        return self._large if count > (LARGE // 2 if present == self._large else LARGE) else self._name

    def stamp(self) -> StoreState:
        """The current state of the store.

        Data read from the store after this call is of this state or a later one, so an index never claims to contain
        more than it does.
        """
        commit = self._store.metadata.commit_token()  # first: the next check then detects a commit made in between
        return StoreState(self._store.metadata.identity(), self._store.graph_version(), commit)

    def _open(self, manifest: Manifest) -> OpenIndex | None:
        """The index that a manifest names; None if it cannot be read."""
        path = self._folder / manifest.folder
        if not path.is_dir():
            return None
        try:
            return OpenIndex(manifest, self._openers[manifest.engine](path), read_lexicon(path))
        except Exception:  # noqa: BLE001 - a damaged index may raise anything; it is rebuilt
            return None

    def _locked(self, progress: Progress, broken: str | None) -> OpenIndex:
        try:
            private_folder(self._folder)
            with private_files(), FileLock(self._folder / "lock", timeout=LOCK_SECONDS):
                opened = self._open(self._updated(progress, broken)) or self._open(self._build(progress))
        except Timeout as error:
            raise SearchBusyError(self._folder) from error
        except (OSError, sqlite3.Error) as error:  # the lexicon is a SQLite file
            raise SearchUnwritableError(self._folder, getattr(error, "strerror", None) or str(error)) from error
        if opened is None:
            raise SearchDamagedError(self._folder)
        return opened

    def _updated(self, progress: Progress, broken: str | None) -> Manifest:
        """Called with the lock: do nothing, index the nodes that differ, or rebuild."""
        manifest = self.manifest()
        if manifest is None or manifest.folder == broken or manifest.engine != self._fitting(manifest.engine):
            return self._build(progress)
        stamp = self.stamp()
        if manifest.stamp == stamp:
            return manifest
        if not self._bring(manifest, progress):
            return self._build(progress)
        return self._seal(stamp, manifest.engine, manifest.folder)

    def _bring(self, manifest: Manifest, progress: Progress) -> bool:
        """Index the nodes that differ; False if a rebuild is needed: nearly all differ, or the index is broken."""
        path = self._folder / manifest.folder
        if not path.is_dir():
            return False
        try:
            with closing(self._openers[manifest.engine](path)) as engine, LexiconWriter(path) as lexicon:
                return self._differences(engine, lexicon, progress)
        except StoppedError:
            raise
        except Exception:  # noqa: BLE001 - a damaged index may raise anything; it is rebuilt
            return False

    def _differences(self, engine: Engine, lexicon: LexiconWriter, progress: Progress) -> bool:
        held, there = lexicon.digests(), self._store.index_feed.digests()
        if sorted(held) != sorted(engine.serials().tolist()):
            return False  # a write was interrupted between the two
        changed = [name for serial, (name, digest) in there.items() if held.get(serial) != digest]
        if len(changed) > 100 and 2 * len(changed) > len(there):
            return False
        gone = held.keys() - there.keys()
        if changed or gone:
            lexicon.remove(gone)
            entries = _entries(self._store.index_feed.numbered(changed), len(changed), progress)
            engine.write(lexicon.noting(entries), gone)
        return True

    def _build(self, progress: Progress) -> Manifest:
        """Build a new index next to the old one, switch the manifest to it, then delete the old one."""
        stamp, manifest = self.stamp(), self.manifest()
        name = self._fitting(manifest.engine if manifest else None)
        folder = self._free_name(name)
        path = self._folder / folder
        total = sum(self._store.nodes.count().values())
        try:
            with closing(self._openers[name](path)) as engine, LexiconWriter(path) as lexicon:
                entries = _entries(self._store.index_feed.numbered(), total, progress)
                engine.write(lexicon.noting(entries), ())
        except BaseException:
            shutil.rmtree(path, ignore_errors=True)
            raise
        finally:
            forget()
        built = self._seal(stamp, name, folder)
        self._sweep(folder)
        return built

    def _free_name(self, name: str) -> str:
        number = 1
        while (self._folder / f"{name}-{number}").exists():
            number += 1
        return f"{name}-{number}"

    def _seal(self, stamp: StoreState, name: str, folder: str) -> Manifest:
        """Write the manifest, which says that the index is of this state of the store."""
        named = stamp._asdict()  # public despite its name: a method of every named tuple
        manifest = Manifest(engine=name, format=FORMAT, folder=folder, **named)
        path = self._folder / "manifest.json"
        fresh = path.with_suffix(".new")
        fresh.write_text(json.dumps(manifest.model_dump()))
        fresh.replace(path)
        return manifest

    def _sweep(self, kept: str) -> None:
        """Delete the indexes that the manifest no longer names; readers that have one open can still read it."""
        for path in self._folder.iterdir():
            if path.is_dir() and path.name != kept:
                shutil.rmtree(path, ignore_errors=True)


def _entries(numbered: Iterable[Numbered], total: int, progress: Progress) -> Iterator[Entry]:
    """The nodes as an engine takes them."""
    for done, (serial, digest, node) in enumerate(numbered):
        if done % 100 == 0:
            progress("indexing", done, total)
        yield entry_of(node, serial, digest)
    progress("indexing", total, total)
