"""The index on disk: which folder holds it, what it was built from, and how it is brought up to date.

    index/manifest.json      engine, format, store, version, commit, folder; written last, replaced whole
    index/<engine>-<n>/      the engine's own files, and the lexicon
    index/lock               held by the one thread of the one process that writes

The index is derived from the store: missing, broken or another store's, it is built again. Where it is of this store
but not of its present commit, the digests of all nodes are compared, and only nodes that differ are indexed.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock, Timeout
from pydantic import ValidationError

from graph.private_files import private_files, private_folder
from graph.search.engine_protocol import Engine, Entry, Opener, entry_of
from graph.search.lexicon import Lexicon, LexiconWriter, read_lexicon
from graph.search.tokenizer import forget
from graph.store import Store
from graph.store.index_feed import Numbered
from graph.values import Value

FORMAT = 3
"""Raised when words are divided or laid down differently: an index of another format is built again."""

LOCK_SECONDS = 120
"""How long a process waits for another one that builds the index."""

Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is."""


class SearchError(Exception):
    """The index cannot be used."""


class StoppedError(SearchError):
    """Building was given up because the search was closed; a progress callback raises it."""

    def __init__(self) -> None:
        super().__init__("the search index is not built: the program is ending")


class SearchNotReadyError(SearchError):
    """The index is being built in the background; `seconds` is when to ask again."""

    def __init__(self, done: int, total: int, seconds: int) -> None:
        self.seconds = seconds
        counted = f": {done:,} of {total:,} notes are done" if total else ""
        super().__init__(f"the search index is being built{counted}; try again in {seconds} s")


class SearchInWriteError(SearchError):
    """The search was used inside a write, which may still be rolled back: the index must not hold what it writes."""

    def __init__(self) -> None:
        super().__init__("search is not available inside a write transaction; ask after the commit")


class SearchFailedError(SearchError):
    """Building the index in the background failed."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the search index cannot be built: {reason}")


class SearchBusyError(SearchError):
    """Another process held the index for too long."""

    def __init__(self, folder: Path) -> None:
        super().__init__(f"the search index in {folder} is being built by another process; try again")


class SearchDamagedError(SearchError):
    """The index could not be read, not even after it was built again."""

    def __init__(self, folder: Path) -> None:
        super().__init__(f"the search index in {folder} cannot be read, although it was built again")


class SearchUnwritableError(SearchError):
    """The folder of the index cannot be written."""

    def __init__(self, folder: Path, reason: str) -> None:
        super().__init__(f"the search index in {folder} cannot be written: {reason}")


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
        """The state of the store that the index holds."""
        return StoreState(self.store, self.version, self.commit)


class OpenIndex(NamedTuple):
    """An index that is open, and what it holds; it does not change when the files do. Whoever opened it closes it."""

    manifest: Manifest
    engine: Engine
    lexicon: Lexicon


class IndexFiles:
    """The folder of the index. Processes and threads may share it: one changes it at a time, under a file lock."""

    def __init__(self, store: Store, folder: Path, name: str, opener: Opener) -> None:
        self.folder = folder
        self._store, self._folder, self._name, self._opener = store, folder, name, opener

    def current(self, progress: Progress, broken: str | None = None) -> OpenIndex:
        """Open the index, brought up to the store before where that is needed.

        `broken` is the folder of an index that could not be read: if it is still the present one, it is built again.

        Raises:
            SearchBusyError: another process held the index for too long.
            SearchUnwritableError: the folder cannot be written.
        """
        manifest = self.manifest()
        if manifest is not None and manifest.stamp == self.stamp() and manifest.folder != broken:
            opened = self._open(manifest)
            if opened is not None:
                return opened
        return self._locked(progress, broken)

    def rebuild(self, progress: Progress) -> OpenIndex:
        """Build the index again, whatever there is, and open it; raises as `current` does."""
        manifest = self.manifest()
        return self._locked(progress, manifest.folder if manifest else None)

    def manifest(self) -> Manifest | None:
        """What the index on disk was built from; None where it is none of this store in this format."""
        try:
            found = Manifest.model_validate_json((self._folder / "manifest.json").read_bytes())
        except (OSError, ValidationError):
            return None
        ours = (self._name, FORMAT, self._store.identity())
        return found if (found.engine, found.format, found.store) == ours else None

    def stamp(self) -> StoreState:
        """The present state of the store.

        What is read from the store after its stamp is of this state or a later one, so an index never claims to hold
        more than it does.
        """
        commit = self._store.commit_token()  # first: a commit that comes between is then seen at the next look
        return StoreState(self._store.identity(), self._store.graph_version(), commit)

    def _open(self, manifest: Manifest) -> OpenIndex | None:
        """The index that a manifest names; None where it cannot be read."""
        path = self._folder / manifest.folder
        if not path.is_dir():
            return None
        try:
            return OpenIndex(manifest, self._opener(path), read_lexicon(path))
        except Exception:  # noqa: BLE001 - a damaged index may raise anything; it is built again
            return None

    def _locked(self, progress: Progress, broken: str | None) -> OpenIndex:
        try:
            private_folder(self._folder)
            with private_files(), FileLock(self._folder / "lock", timeout=LOCK_SECONDS):
                opened = self._open(self._updated(progress, broken)) or self._open(self._build(progress))
        except Timeout as error:
            raise SearchBusyError(self._folder) from error
        except OSError as error:
            raise SearchUnwritableError(self._folder, error.strerror or str(error)) from error
        if opened is None:
            raise SearchDamagedError(self._folder)
        return opened

    def _updated(self, progress: Progress, broken: str | None) -> Manifest:
        """Under the lock: nothing to do, the nodes that differ, or everything."""
        manifest = self.manifest()
        if manifest is None or manifest.folder == broken:
            return self._build(progress)
        stamp = self.stamp()
        if manifest.stamp == stamp:
            return manifest
        if not self._bring(self._folder / manifest.folder, progress):
            return self._build(progress)
        return self._seal(stamp, manifest.folder)

    def _bring(self, path: Path, progress: Progress) -> bool:
        """Index the nodes that differ; False where everything must be built: nearly all differ, or it is broken."""
        if not path.is_dir():
            return False
        try:
            with closing(self._opener(path)) as engine, LexiconWriter(path) as lexicon:
                return self._differences(engine, lexicon, progress)
        except StoppedError:
            raise
        except Exception:  # noqa: BLE001 - a damaged index may raise anything; it is built again
            return False

    def _differences(self, engine: Engine, lexicon: LexiconWriter, progress: Progress) -> bool:
        held, there = lexicon.digests(), self._store.digests()
        if sorted(held) != sorted(engine.serials().tolist()):
            return False  # a write was cut off between the two
        changed = [name for serial, (name, digest) in there.items() if held.get(serial) != digest]
        if len(changed) > 100 and 2 * len(changed) > len(there):
            return False
        gone = held.keys() - there.keys()
        if changed or gone:
            lexicon.remove(gone)
            entries = _entries(self._store.numbered(changed), len(changed), progress)
            engine.write(lexicon.noting(entries), gone)
        return True

    def _build(self, progress: Progress) -> Manifest:
        """A new index beside the old one; the manifest turns from one to the other, then the old one goes."""
        stamp, folder = self.stamp(), self._free_name()
        path = self._folder / folder
        total = sum(self._store.node_count().values())
        try:
            with closing(self._opener(path)) as engine, LexiconWriter(path) as lexicon:
                engine.write(lexicon.noting(_entries(self._store.numbered(), total, progress)), ())
        except BaseException:
            shutil.rmtree(path, ignore_errors=True)
            raise
        finally:
            forget()
        manifest = self._seal(stamp, folder)
        self._sweep(folder)
        return manifest

    def _free_name(self) -> str:
        number = 1
        while (self._folder / f"{self._name}-{number}").exists():
            number += 1
        return f"{self._name}-{number}"

    def _seal(self, stamp: StoreState, folder: str) -> Manifest:
        """Write the manifest: from now on the index counts as holding this state of the store."""
        named = stamp._asdict()  # public, in spite of its name: a method of every named tuple
        manifest = Manifest(engine=self._name, format=FORMAT, folder=folder, **named)
        path = self._folder / "manifest.json"
        fresh = path.with_suffix(".new")
        fresh.write_text(json.dumps(manifest.model_dump()))
        fresh.replace(path)
        return manifest

    def _sweep(self, kept: str) -> None:
        """Remove the indexes that no manifest names any more; those who have them open keep what they opened."""
        for path in self._folder.iterdir():
            if path.is_dir() and path.name != kept:
                shutil.rmtree(path, ignore_errors=True)


def _entries(numbered: Iterable[Numbered], total: int, progress: Progress) -> Iterator[Entry]:
    for done, (serial, digest, node) in enumerate(numbered):
        if done % 100 == 0:
            progress("indexing", done, total)
        yield entry_of(node, serial, digest)
    progress("indexing", total, total)
