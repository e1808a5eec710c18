"""Search by Whoosh: its index stores the postings, and BM25 is computed over arrays of them.

Whoosh's own scorer iterates over postings in Python; the same sums over arrays take a fraction of the time. The columns
of recently used words are cached. `graph.search.whoosh_index` has the same sums without arrays.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from whoosh import index
from whoosh.reading import TermNotFound

from graph.search.engine_protocol import Entry, Ranking
from graph.search.query_language import AllOf, AnyOf, InTitle, Phrase, Prefix, Text, Word
from graph.search.whoosh_postings import K1, PHRASE_GAIN, B, blocks, follow, rarity
from graph.search.whoosh_segments import codec, schema
from graph.search.whoosh_writer import Postings

KEPT_COLUMNS = 1000
"""Maximum number of cached columns."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class _Column(NamedTuple):
    """The documents that contain a word, ascending, and the word's part of each score."""

    documents: Ints
    scores: Floats


NO_WORD = "\x00"
"""A placeholder for a field without words: Whoosh cannot read a segment where a field has none. No query has it."""


class WhooshEngine:
    """A Whoosh index in a folder; see `graph.search.engine_protocol.Engine`."""

    quick = 5000

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        path = str(folder)
        self._lock = threading.RLock()
        self._index: Any = index.open_dir(path) if index.exists_in(path) else index.create_in(path, schema())
        self._reader: Any = self._index.reader()  # type: ignore[no-untyped-call]  # Whoosh is only partly typed
        self._columns: OrderedDict[tuple[str, str], _Column] = OrderedDict()
        self._size = int(self._reader.doc_count_all())
        self._serials = self._gathered(_serials)
        self._alive = self._gathered(_alive).astype(np.bool_)
        self._lengths: dict[str, Floats] = {}

    def write(self, entries: Iterable[Entry], gone: Iterable[int]) -> None:
        """Delete, insert, commit."""
        # not compound: Whoosh copies a compound file into memory
        writer = self._index.writer(codec=codec(), timeout=30, compound=False)
        writer.pool = Postings()
        try:
            for serial in gone:
                self._take_out(writer, serial)
            for entry in entries:
                self._take_out(writer, entry.serial)
                writer.add_document(serial=entry.serial, text=entry.text or [NO_WORD], title=entry.title or [NO_WORD])
        except BaseException:
            writer.cancel()
            raise
        writer.commit()

    def _take_out(self, writer: Any, serial: int) -> None:  # noqa: ANN401  # untyped in Whoosh
        for number in self._numbers.get(serial, ()):
            writer.delete_document(number)

    @cached_property
    def _numbers(self) -> dict[int, list[int]]:
        """The documents of each serial: one, unless a write was interrupted."""
        found: dict[int, list[int]] = {}
        for number in np.flatnonzero(self._alive).tolist():
            found.setdefault(int(self._serials[number]), []).append(number)
        return found

    def serials(self) -> Ints:
        """The serials of the documents that are not deleted."""
        return self._serials[self._alive]

    def _gathered(self, read: Callable[[Any], Ints]) -> Ints:
        """A number for every document, segment by segment."""
        return np.concatenate((np.zeros(0, dtype=np.int64), *(read(leaf) for leaf, _ in self._reader.leaf_readers())))

    def _length_factor(self, field: str) -> Floats:
        """k1 · (1 - b + b · length / mean length), for every document; read at the first query of a field."""
        if field not in self._lengths:
            self._lengths[field] = self._read_lengths(field)
        return self._lengths[field]

    def _read_lengths(self, field: str) -> Floats:
        lengths = self._gathered(lambda leaf: _lengths(leaf, field)).astype(np.float64)
        mean = float(lengths[self._alive].mean()) if self._alive.any() else 1.0
        return K1 * (1 - B + B * lengths / (mean or 1.0))

    def rank(self, included: Text | None, excluded: Text | None) -> Ranking:
        """What matches `included` and not `excluded`, best first."""
        with self._lock:
            scores = self._alive.astype(np.float64) if included is None else self._evaluate(included, "text")
            if excluded is not None:
                scores = np.where(self._evaluate(excluded, "text") > 0, 0.0, scores)
            serials = self._serials
        found = np.flatnonzero(scores)
        order = np.lexsort((serials[found], -scores[found]))
        best = found[order]
        return Ranking(serials[best], scores[best])

    def frequency(self, stem: str) -> int:
        """The number of texts that contain a stem."""
        with self._lock:
            return len(self._column("text", stem).documents)

    def busy(self) -> bool:
        """Whether another thread is reading: one does at a time."""
        free = self._lock.acquire(blocking=False)
        if free:
            self._lock.release()
        return not free

    def close(self) -> None:
        """Close files and free memory."""
        with self._lock:
            self._reader.close()
            self._index.close()

    def _evaluate(self, text: Text, field: str) -> Floats:
        """The score of every document, 0 if it does not match."""
        match text:
            case Word(stem) | Prefix(stem):
                return self._spread(self._column(field, stem))
            case Phrase(stems):
                return self._phrase(field, stems)
            case InTitle(inner):
                return self._evaluate(inner, "title")
            case AllOf(parts):
                found = [self._evaluate(part, field) for part in parts]
                return np.where(np.logical_and.reduce([one > 0 for one in found]), np.sum(found, axis=0), 0.0)
            case AnyOf(parts):
                return np.asarray(np.sum([self._evaluate(part, field) for part in parts], axis=0))

    def _spread(self, column: _Column) -> Floats:
        scores = np.zeros(self._size)
        scores[column.documents] = column.scores
        return scores

    def _column(self, field: str, stem: str) -> _Column:
        key = (field, stem)
        if key in self._columns:
            self._columns.move_to_end(key)
            return self._columns[key]
        column = self._read_column(field, stem)
        self._columns[key] = column
        if len(self._columns) > KEPT_COLUMNS:
            self._columns.popitem(last=False)
        return column

    def _read_column(self, field: str, stem: str) -> _Column:
        read = [(np.zeros(0, dtype=np.int64), np.zeros(0)), *self._postings(field, stem)]
        documents, counts = (np.concatenate(parts) for parts in zip(*read, strict=True))
        alive = self._alive[documents]
        documents, counts = documents[alive], counts[alive]
        factor = self._rarity(len(documents))
        return _Column(documents, factor * counts * (K1 + 1) / (counts + self._length_factor(field)[documents]))

    def _rarity(self, occurrences: int) -> float:
        """The inverse document frequency, always above 0."""
        return rarity(int(self._alive.sum()), occurrences)

    def _postings(self, field: str, stem: str) -> Iterator[tuple[Ints, Floats]]:
        """Documents and counts by segment: over all segments at once Whoosh takes three times as long."""
        for leaf, offset in self._reader.leaf_readers():
            try:
                matcher = leaf.postings(field, stem)
            except TermNotFound:
                continue
            for documents, counts in blocks(matcher):
                yield np.array(documents, dtype=np.int64) + offset, np.array(counts, dtype=np.float64)

    def _phrase(self, field: str, stems: tuple[str, ...]) -> Floats:
        """The scores of the documents in which the words of the phrase follow one another."""
        together = self._evaluate(AllOf(tuple(Word(stem) for stem in stems)), field) * PHRASE_GAIN
        matchers = [self._reader.postings(field, stem) for stem in stems] if together.any() else []
        for number in np.flatnonzero(together):
            if not follow(matchers, int(number)):
                together[number] = 0.0
        return together


def _serials(leaf: Any) -> Ints:  # noqa: ANN401  # untyped in Whoosh
    """The serials of a segment."""
    count = leaf.doc_count_all()
    return np.array(leaf.column_reader("serial", translate=False).load()[:count] if count else (), dtype=np.int64)


def _alive(leaf: Any) -> Ints:  # noqa: ANN401  # untyped in Whoosh
    """1 for each document of a segment, 0 for deleted ones."""
    found = np.ones(leaf.doc_count_all(), dtype=np.int64)
    if leaf.has_deletions():
        found[[number for number in range(len(found)) if leaf.is_deleted(number)]] = 0
    return found


def _lengths(leaf: Any, field: str) -> Ints:  # noqa: ANN401  # untyped in Whoosh
    """The number of words of each document of a segment."""
    return np.array([leaf.doc_field_length(number, field, 0) or 0 for number in range(leaf.doc_count_all())], np.int64)
