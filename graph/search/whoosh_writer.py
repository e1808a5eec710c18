"""How the segments of a Whoosh index are written: postings are sorted as arrays, and written in full blocks.

Whoosh's own pool has a tuple for each posting, writes sorted runs of pickles to disk and merges them one by one; that
is most of the time that indexing takes, and several hundred megabytes. Here the words of a batch of nodes are three
arrays of numbers, which NumPy sorts at once; sorted batches are stored in a temporary file and merged word by word. The
file format is Whoosh's; the version of Whoosh is pinned exactly.
"""

from __future__ import annotations

import tempfile
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator
from heapq import merge
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from whoosh import fields
from whoosh.codec.whoosh3 import W3FieldWriter, W3PostingsWriter

from graph.search.engine_protocol import GAP

BATCH = 1_000_000
"""Words of a field that are sorted together; sorting takes about 40 bytes each."""

Numbers = NDArray[np.uint32]


class _Term(NamedTuple):
    """A word with its documents, ascending, how often it occurs in each, and its encoded positions there."""

    word: bytes
    documents: Numbers
    counts: Numbers
    places: list[bytes]


class _Run:
    """The sorted words of some documents, in a temporary file.

    `words` are in the order of their bytes; the documents of the word `n` are those from `cuts[n]` to `cuts[n + 1]`.
    """

    def __init__(self, words: list[str], cuts: list[int], columns: Iterable[Numbers]) -> None:
        self._words, self._cuts = words, cuts
        self._documents, self._counts, self._places = map(_unchanged, columns)

    def terms(self) -> Iterator[_Term]:
        """Every word; the separator between the parts of a text is skipped."""
        at = 0
        for word, first, last in zip(self._words, self._cuts, self._cuts[1:], strict=False):
            counts = np.array(self._counts[first:last])
            ends = np.cumsum(counts, dtype=np.int64) * 4
            total = int(ends[-1]) // 4
            places = self._places[at : at + total].tobytes()
            at += total
            if word != GAP:
                stops = ends.tolist()
                cut = [places[start:end] for start, end in zip([0, *stops], stops, strict=False)]
                yield _Term(word.encode(), np.array(self._documents[first:last]), counts, cut)


def _unchanged(numbers: Numbers) -> Numbers:
    """The numbers in a memory-mapped temporary file: the system frees the memory when it needs to."""
    with tempfile.TemporaryFile() as file:
        numbers.tofile(file)
        return np.memmap(file, dtype=np.uint32, mode="r", shape=numbers.shape)


class _Field:
    """The words of one field in the order in which they came: a number for each word, its document and its position."""

    def __init__(self) -> None:
        self._runs: list[_Run] = []
        self._clear()

    def _clear(self) -> None:
        self._numbers: defaultdict[str, int] = defaultdict()
        self._numbers.default_factory = self._numbers.__len__
        self._words, self._documents, self._places = array("I"), array("I"), array("I")

    def add(self, document: int, words: list[str]) -> None:
        """Add a complete text; texts come in the order of their documents."""
        if len(self._words) >= BATCH:
            self._column()
        self._words.extend(map(self._numbers.__getitem__, words))
        self._documents.extend([document] * len(words))
        self._places.extend(range(len(words)))

    def add_posting(self, document: int, word: str, places: bytes) -> None:
        """Add one word of a text from another segment; such documents come after all others."""
        if len(self._words) >= BATCH:
            self._column()
        count = len(places) // 4
        self._words.extend([self._numbers[word]] * count)
        self._documents.extend([document] * count)
        self._places.frombytes(places)

    def terms(self) -> Iterator[_Term]:
        """Every word, in the order of its bytes."""
        self._column()
        runs = (run.terms() for run in self._runs)
        return (_joined(list(same)) for _, same in groupby(merge(*runs, key=_BY_WORD), _BY_WORD))

    def _column(self) -> None:
        """Make a run of the words since the last one."""
        if not self._words:
            return
        names = sorted(self._numbers, key=str.encode)
        rank = np.empty(len(names), dtype=np.uint32)
        rank[[self._numbers[name] for name in names]] = np.arange(len(names), dtype=np.uint32)
        words = rank[np.frombuffer(self._words, dtype=np.uint32)]
        order = np.argsort(words, kind="stable")
        words, documents = words[order], np.frombuffer(self._documents, dtype=np.uint32)[order]
        places = np.frombuffer(self._places, dtype=np.uint32)[order]
        starts = _starts((words[1:] != words[:-1]) | (documents[1:] != documents[:-1]))
        cuts = _starts(words[starts[1:]] != words[starts[:-1]])
        counts = np.diff(np.append(starts, len(words))).astype(np.uint32)
        self._runs.append(_Run(names, [*cuts.tolist(), len(starts)], (documents[starts], counts, places)))
        self._clear()


_BY_WORD = attrgetter("word")


def _joined(terms: list[_Term]) -> _Term:
    """One word merged from several runs, whose documents follow each other."""
    if len(terms) == 1:
        return terms[0]
    places = [place for term in terms for place in term.places]
    documents, counts = ([getattr(term, name) for term in terms] for name in ("documents", "counts"))
    return _Term(terms[0].word, np.concatenate(documents), np.concatenate(counts), places)


def _starts(differs: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The positions of values that differ from the value before them."""
    return np.flatnonzero(np.concatenate((np.ones(1, dtype=np.bool_), differs)))


class Postings:
    """The words of the documents that a writer has added; replaces Whoosh's pool."""

    def __init__(self) -> None:
        self._fields: dict[str, _Field] = defaultdict(_Field)

    def add(self, item: tuple[str, list[str] | bytes, int, float, bytes]) -> None:
        """Add a complete text as `Stems` gives it, or one posting of a segment that is merged."""
        name, word, document, _, places = item
        if isinstance(word, bytes):
            self._fields[name].add_posting(document, word.decode(), places)
        else:
            self._fields[name].add(document, word)

    def iter_postings(self) -> Postings:
        """The argument of `FieldWriter.add_postings`."""
        return self

    def fields(self) -> Iterator[tuple[str, Iterator[_Term]]]:
        """The fields by name."""
        return ((name, self._fields[name].terms()) for name in sorted(self._fields))

    def cleanup(self) -> None:
        """Drop all data."""
        self._fields.clear()


class BlockWriter(W3PostingsWriter):
    """Writes the postings of a word block by block, not one by one.

    The lengths of texts, which Whoosh's scorer reads from each block, are left out: `WhooshEngine` has its own scorer.
    """

    def add_all(self, term: _Term) -> None:
        """Write all postings of the current term."""
        for start in range(0, len(term.places), self._blocklimit):
            if self._ids:
                self._write_block()  # type: ignore[no-untyped-call]  # Whoosh is only partly typed
            some = slice(start, start + self._blocklimit)
            counts = term.counts[some].astype(np.float32)
            self._ids = array("I", term.documents[some].tobytes())
            self._weights = array("f", counts.tobytes())
            self._values = term.places[some]
            self._maxweight = float(counts.max())


class FieldWriter(W3FieldWriter):
    """Writes sorted postings."""

    def add_postings(self, schema: fields.Schema, _lengths: object, postings: Postings) -> None:
        """Write all postings."""
        writer: Any = self  # Whoosh is only partly typed
        for name, terms in postings.fields():
            writer.start_field(name, schema[name])
            for term in terms:
                writer.start_term(term.word)
                writer._postwriter.add_all(term)  # noqa: SLF001 - the version of Whoosh is pinned exactly
                writer.finish_term()
            writer.finish_field()
