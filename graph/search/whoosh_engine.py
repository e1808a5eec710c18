"""Search by Whoosh: an index in a folder, derived from the store.

    index/state.json   the state of the store that is indexed, written last
    index/whoosh/      Whoosh's files
    index/lock         locked by the one process that writes

The index has the digest of each node, and nodes with another digest are indexed again. A missing or damaged index, or
one of another format or store, is built again. It answers only for the state that is indexed.
"""

from __future__ import annotations

import json
import logging
import shutil
import threading
from collections.abc import Collection
from pathlib import Path
from typing import Any, NamedTuple

from filelock import FileLock, Timeout
from whoosh import fields, index, query, scoring
from whoosh.analysis import SpaceSeparatedTokenizer
from whoosh.writing import CLEAR

from graph.private_files import private_files, private_folder
from graph.progress_steps import ProgressStep
from graph.search.database_engine import WEIGHTS, Scores
from graph.search.query_language import AllOf, AnyOf, InTitle, Phrase, Prefix, Text, Word
from graph.store import Store
from graph.store.database import Revision, read_state
from graph.store.search_tables import GAP, search_text

FORMAT = 8  # increase it when the words or the schema change

FIELDS = dict(zip(("title", "names", "body"), WEIGHTS, strict=True))

LOG = logging.getLogger(__name__)


class _Open(NamedTuple):
    """A searcher over a state, with the serial of each document."""

    state: Revision
    searcher: Any
    serials: dict[int, int]


class WhooshIndex:
    """The index of a store; threads may share it."""

    def __init__(self, store: Store, folder: Path) -> None:
        self._store, self._folder = store, folder
        self._searching, self._updating = threading.Lock(), threading.Lock()
        self._open: _Open | None = None

    def find(self, state: Revision, included: Text | None, excluded: Text | None) -> Scores | None:
        """Scores of the nodes, as `database_engine.find`; None unless this state is indexed."""
        with self._searching:  # a searcher of Whoosh reads files at a place that threads would share
            if self._open is None or self._open.state != state:
                return None
            _, searcher, serials = self._open
            wanted = query.Every() if included is None else _query(included)
            if excluded is not None:
                wanted = query.AndNot(wanted, _query(excluded))
            try:
                found = searcher.search(wanted, limit=None).items()
                pairs = [(-(score or 0.0), serials[document]) for document, score in found]
            except Exception:  # noqa: BLE001 - a damaged index may raise anything; it is built again
                self._state_file.unlink(missing_ok=True)
                self._open = None
                return None
        return {serial: -score for score, serial in sorted(pairs)}

    def is_open(self) -> bool:
        """Whether the index is open and of the present state."""
        opened = self._open
        return opened is not None and opened.state == self._state()

    def is_current(self) -> bool:
        """Whether the index on disk has the present nodes."""
        held, state = self._stored_state(), self._state()
        return held is not None and (held.store, held.graph) == (state.store, state.graph)

    def update(self, progress: ProgressStep, *, again: bool = False) -> bool:
        """Update (`again`: rebuild) and open the index; False if another process writes it, or it is unwritable."""
        with self._updating:
            try:
                if again or self._stored_state() != self._state():
                    self._written(progress, again=again)
                if self._open is None or self._open.state != self._stored_state():
                    self._reopen(progress)
            except Timeout:
                return False
            except Exception as error:  # noqa: BLE001 - the database answers meanwhile, and the next search tries again
                LOG.info("the search index in %s is not up to date: %s", self._folder, error)
                return False
            return self._open is not None

    def close(self) -> None:
        """Close the files."""
        with self._searching:
            if self._open is not None:
                self._open.searcher.close()
            self._open = None

    @property
    def _state_file(self) -> Path:
        return self._folder / "state.json"

    def _state(self) -> Revision:
        with self._store.reading() as sql:
            return read_state(sql)

    def _stored_state(self) -> Revision | None:
        """The state of the index on disk; None without one of this format."""
        try:
            form, *state = json.loads(self._state_file.read_bytes())
            return Revision(*state) if form == FORMAT else None
        except (OSError, ValueError, TypeError):
            return None

    def _written(self, progress: ProgressStep, *, again: bool) -> None:
        private_folder(self._folder)
        with private_files(), FileLock(self._folder / "lock", timeout=0):
            held, state = self._stored_state(), self._state()  # before the nodes, never newer than them
            if held == state and not again:
                return
            self._state_file.unlink(missing_ok=True)
            if held is None or held.store != state.store or again or not self._followed(progress):
                self._built(progress)
            fresh = self._state_file.with_suffix(".new")
            fresh.write_text(json.dumps([FORMAT, *state]))
            fresh.replace(self._state_file)

    def _built(self, progress: ProgressStep) -> None:
        for path in self._folder.iterdir():  # also what earlier versions left
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
        (self._folder / "whoosh").mkdir(exist_ok=True)
        index.create_in(str(self._folder / "whoosh"), _schema())
        self._index({}, progress)

    def _followed(self, progress: ProgressStep) -> bool:
        """Index what differs; False if the index cannot be read."""
        try:
            with index.open_dir(str(self._folder / "whoosh")).reader() as reader:
                held = {found["serial"]: found["digest"] for found in reader.all_stored_fields()}
            self._index(held, progress)
        except Exception:  # noqa: BLE001 - a damaged index may raise anything; it is built again
            return False
        return True

    def _index(self, held: dict[str, str], progress: ProgressStep) -> None:
        there = {str(serial): found for serial, found in self._store.index_feed.digests().items()}
        changed = [name for serial, (name, digest) in there.items() if held.get(serial) != digest]
        gone = held.keys() - there.keys()
        if not changed and not gone:
            return
        afresh = not held or len(changed) > len(there) // 2
        writer = index.open_dir(str(self._folder / "whoosh")).writer()
        try:
            for old in () if afresh else gone:
                writer.delete_by_term("serial", old)
            numbered = self._store.index_feed.numbered(None if afresh else changed)
            total = len(there) if afresh else len(changed)
            for done, (serial, digest, node) in enumerate(numbered):
                if done % 100 == 0:
                    progress("indexing", done, total)
                put = writer.add_document if afresh else writer.update_document
                parts = {name: part or GAP for name, part in search_text(node)._asdict().items()}
                put(serial=str(serial), digest=digest, **parts)
        except BaseException:
            writer.cancel()
            raise
        writer.commit(mergetype=CLEAR if afresh else None)
        progress("indexing", total, total)

    def _reopen(self, progress: ProgressStep) -> None:
        """Open the index on disk, or build it again if it cannot be opened."""
        try:
            fresh = self._opened()
        except Exception:  # noqa: BLE001 - a damaged index may raise anything
            self._written(progress, again=True)
            fresh = self._opened()
        self.close()
        with self._searching:
            self._open = fresh

    def _opened(self) -> _Open | None:
        state = self._stored_state()
        if state is None:
            return None
        searcher = index.open_dir(str(self._folder / "whoosh")).searcher(weighting=scoring.BM25F(B=0.75, K1=1.2))
        serials = {document: int(found["serial"]) for document, found in searcher.reader().iter_docs()}
        return _Open(state, searcher, serials)


def _schema() -> fields.Schema:
    """Our words, separated by spaces; an empty part is `GAP`, as Whoosh cannot read a field without words."""
    words: Any = SpaceSeparatedTokenizer()  # a chain of one, which Whoosh does not type as an analyser
    parts = {name: fields.TEXT(analyzer=words, field_boost=weight) for name, weight in FIELDS.items()}
    return fields.Schema(serial=fields.ID(unique=True, stored=True), digest=fields.STORED(), **parts)


def _query(wanted: Text, names: Collection[str] = tuple(FIELDS)) -> query.Query:
    match wanted:
        case Word(stem):
            return query.Or([query.Term(name, stem) for name in names])
        case Prefix(start):
            return query.Or([query.Prefix(name, start) for name in names])
        case Phrase(stems):
            return query.Or([query.Phrase(name, list(stems)) for name in names])
        case InTitle(inner):
            return _query(inner, ("title",))
        case AllOf(parts):
            return query.And([_query(part, names) for part in parts])
        case AnyOf(parts):
            return query.Or([_query(part, names) for part in parts])
