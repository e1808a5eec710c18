"""Search by Whoosh: its index stores the postings, and BM25 is computed over arrays of them.

Whoosh's own scorer iterates over postings in Python; the same sums over arrays take a fraction of the time. The columns
of recently used words are cached.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from whoosh import index
from whoosh.reading import TermNotFound

from graph.search.engine_protocol import Entry, Ranking
from graph.search.query_language import AllOf, AnyOf, InTitle, Phrase, Prefix, Text, Word
from graph.search.whoosh_postings import K1, PHRASE_GAIN, B, SmallSegment, blocks, follow, rarity
from graph.search.whoosh_segments import codec, schema
from graph.search.whoosh_writer import Postings

KEPT_COLUMNS = 1000
"""Maximum number of cached columns."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


FEW = 60
"""The numbers of so few documents are added faster one after the other than as arrays."""

_Few = dict[int, float]
"""A word's part of the score of each document that contains it, ascending; of few documents."""


@dataclass(frozen=True, slots=True)
class _Column:
    """The same of more documents."""

    documents: Ints
    scores: Floats

    def __len__(self) -> int:
        return len(self.documents)


NO_WORD = "\x00"
"""A placeholder for a field without words: Whoosh cannot read a segment where a field has none. No query has it."""


class WhooshEngine:
    """A Whoosh index in a folder; see `graph.search.engine_protocol.Engine`."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        path = str(folder)
        self._lock = threading.RLock()
        self._index: Any = index.open_dir(path) if index.exists_in(path) else index.create_in(path, schema())
        self._reader: Any = self._index.reader()  # type: ignore[no-untyped-call]  # Whoosh is only partly typed
        self._columns: OrderedDict[tuple[str, str], _Column | _Few] = OrderedDict()
        self._leaves = [(leaf, SmallSegment.read(leaf), first) for leaf, first in self._reader.leaf_readers()]
        self._size = int(self._reader.doc_count_all())
        self._serials = self._gathered(_serials)
        self._alive = self._gathered(_alive).astype(np.bool_)
        self._dead = frozenset(np.flatnonzero(~self._alive).tolist())
        self._texts = self._size - len(self._dead)
        self._lengths: dict[str, tuple[Floats, list[float]]] = {}

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

    def _length_factors(self, field: str) -> tuple[Floats, list[float]]:
        """k1 · (1 - b + b · length / mean length), for every document, in both forms; read at the first query."""
        if field not in self._lengths:
            factors = self._read_lengths(field)
            self._lengths[field] = factors, factors.tolist()
        return self._lengths[field]

    def _read_lengths(self, field: str) -> Floats:
        lengths = self._gathered(lambda leaf: _lengths(leaf, field)).astype(np.float64)
        mean = float(lengths[self._alive].mean()) if self._alive.any() else 1.0
        return K1 * (1 - B + B * lengths / (mean or 1.0))

    def rank(self, included: Text | None, excluded: Text | None) -> Ranking:
        """What matches `included` and not `excluded`, best first."""
        with self._lock:
            few = self._few_scores(included) if excluded is None else None
            if few is not None:
                return self._in_order(few)
            scores = self._alive.astype(np.float64) if included is None else self._evaluate(included, "text")
            if excluded is not None:
                scores = np.where(self._evaluate(excluded, "text") > 0, 0.0, scores)
            serials = self._serials
        found = np.flatnonzero(scores)
        order = np.lexsort((serials[found], -scores[found]))
        best = found[order]
        return Ranking(serials[best], scores[best])

    def _few_scores(self, included: Text | None) -> _Few | None:
        """The score of each matching document, for words of which each is in few; None for anything else."""
        match included:
            case AllOf(parts) | AnyOf(parts):
                words = [part.stem for part in parts if isinstance(part, Word)]
                columns = [self._column("text", word) for word in words]
            case _:
                return None
        few = [one for one in columns if isinstance(one, dict)]
        if not few or len(few) < len(parts):
            return None
        shared = set(few[0]).intersection(*few[1:]) if isinstance(included, AllOf) else None
        added: _Few = {}
        for one in few:
            for number, score in one.items():
                if shared is None or number in shared:
                    added[number] = added.get(number, 0.0) + score
        return added

    def _in_order(self, scores: _Few) -> Ranking:
        """The ranking by these scores."""
        serials = self._serials[list(scores)] if scores else self._serials[:0]
        best = sorted(zip([-score for score in scores.values()], serials.tolist(), strict=True))
        ranked = np.array([serial for _, serial in best], dtype=np.int64)
        return Ranking(ranked, np.array([-score for score, _ in best], dtype=np.float64))

    def frequency(self, stem: str) -> int:
        """The number of texts that contain a stem."""
        with self._lock:
            return len(self._column("text", stem))

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

    def _spread(self, column: _Column | _Few) -> Floats:
        scores = np.zeros(self._size)
        if isinstance(column, _Column):
            scores[column.documents] = column.scores
        elif column:
            scores[list(column)] = list(column.values())
        return scores

    def _column(self, field: str, stem: str) -> _Column | _Few:
        key = (field, stem)
        if key in self._columns:
            self._columns.move_to_end(key)
            return self._columns[key]
        column = self._read_column(field, stem)
        self._columns[key] = column
        if len(self._columns) > KEPT_COLUMNS:
            self._columns.popitem(last=False)
        return column

    def _read_column(self, field: str, stem: str) -> _Column | _Few:
        read = list(self._postings(field, stem))
        arrays, factors = self._length_factors(field)
        if sum([len(documents) for documents, _, _ in read]) <= FEW:
            counts = {n + first: float(count) for ns, many, first in read for n, count in zip(ns, many, strict=True)}
            counts = {n: count for n, count in counts.items() if n not in self._dead} if self._dead else counts
            factor = rarity(self._texts, len(counts))
            return {n: factor * count * (K1 + 1) / (count + factors[n]) for n, count in counts.items()}
        documents = np.concatenate([np.array(some, dtype=np.int64) + first for some, _, first in read])
        weights = np.concatenate([np.array(many, dtype=np.float64) for _, many, _ in read])
        alive = self._alive[documents]
        documents, weights = documents[alive], weights[alive]
        factor = rarity(self._texts, len(documents))
        return _Column(documents, factor * weights * (K1 + 1) / (weights + arrays[documents]))

    def _postings(self, field: str, stem: str) -> Iterator[tuple[Sequence[int], Sequence[float], int]]:
        """Documents, counts and the first document of a segment: all at once take Whoosh three times as long."""
        for leaf, small, first in self._leaves:
            if small is not None:
                found = small.blocks(field, stem)
            else:
                try:
                    found = blocks(leaf.postings(field, stem))
                except TermNotFound:
                    continue
            for documents, counts in found:
                yield documents, counts, first

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
