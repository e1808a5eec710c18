"""The lexicon: every word of the indexed nodes as written, with the number of nodes that have it.

Engines store stems only. Prefixes (`quantiza*`) and spelling suggestions (for `promt`) are looked up here.

The file next to the index is a SQLite database. It also stores, for each indexed node, the digest of its content and
its words: so an update finds which nodes to index, and a word is deleted with the last node that has it.
"""

from __future__ import annotations

import sqlite3
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from graph.search.query_language import AllOf, AnyOf, InTitle, Phrase, Prefix, Text, Word
from graph.search.tokenizer import stem

if TYPE_CHECKING:
    from graph.search.engine_protocol import Entry  # brings in NumPy

MOST_WORDS = 300
"""Maximum number of words that a prefix expands to, the most frequent ones."""

_FILE = "lexicon.db"

_SCHEMA = """
CREATE TABLE IF NOT EXISTS word (id INTEGER PRIMARY KEY, text TEXT NOT NULL, nodes INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS node (serial INTEGER PRIMARY KEY, digest TEXT NOT NULL, words BLOB NOT NULL);
"""

_ROWS = 1000
"""Nodes written to the file in one statement."""


class Lexicon:
    """The words and the number of nodes that have each."""

    def __init__(self, counts: dict[str, int]) -> None:
        self.counts = counts

    @cached_property
    def _sorted(self) -> list[str]:
        """The words in order, for prefixes."""
        return sorted(self.counts)

    def starting(self, start: str) -> list[str]:
        """The words that begin with `start`, the most frequent first."""
        first = bisect_left(self._sorted, start)
        last = bisect_left(self._sorted, start + "\U0010ffff")
        return sorted(self._sorted[first:last], key=lambda word: (-self.counts[word], word))[:MOST_WORDS]

    def spelt_out(self, text: Text) -> Text:
        """The text with every prefix expanded to its words."""
        match text:
            case Prefix(start):
                stems = dict.fromkeys(stem(word) for word in self.starting(start))
                return AnyOf(tuple(Word(one) for one in (stems or {start: None})))
            case InTitle(inner):
                return InTitle(self.spelt_out(inner))
            case AllOf(parts):
                return AllOf(tuple(self.spelt_out(part) for part in parts))
            case AnyOf(parts):
                return AnyOf(tuple(self.spelt_out(part) for part in parts))
            case Word() | Phrase():
                return text


def read_lexicon(folder: Path) -> Lexicon:
    """The lexicon of an index.

    Raises:
        sqlite3.Error: it is missing or broken.
    """
    with closing(sqlite3.connect(f"{(folder / _FILE).resolve().as_uri()}?mode=ro", uri=True)) as sql:
        return Lexicon(dict(sql.execute("SELECT text, nodes FROM word")))


class LexiconWriter:
    """One change to the lexicon of an index: use it with `with`; it commits at the end of the block.

    Raises:
        sqlite3.Error: the file is broken, or another process is writing to it.
    """

    def __init__(self, folder: Path) -> None:
        self._sql = sqlite3.connect(folder / _FILE, isolation_level=None)
        try:
            self._sql.executescript(_SCHEMA)
            self._sql.execute("BEGIN IMMEDIATE")
            self._ids: dict[str, int] = dict(self._sql.execute("SELECT text, id FROM word"))
        except sqlite3.Error:
            self._sql.close()
            raise
        self._next = 1 + max(self._ids.values(), default=0)
        self._first = self._next
        self._fresh = not self._ids
        self._counts: Counter[int] = Counter()
        self._rows: list[tuple[int, str, bytes]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, _error: object, _trace: TracebackType | None) -> None:
        try:
            if kind is None:
                self._finish()
            elif self._sql.in_transaction:  # SQLite rolls back by itself when the disk is full
                self._sql.execute("ROLLBACK")
        finally:
            self._sql.close()

    def digests(self) -> dict[int, str]:
        """The digest of every indexed node by its serial."""
        return dict(self._sql.execute("SELECT serial, digest FROM node"))

    def noting(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Record each entry, replacing any with the same serial, and pass it on."""
        for entry in entries:
            if not self._fresh:
                self._take_out(entry.serial)
            ids = array("I", [self._id(word) for word in entry.words])
            self._counts.update(ids)
            self._rows.append((entry.serial, entry.digest, ids.tobytes()))
            if len(self._rows) >= _ROWS:
                self._flush()
            yield entry

    def remove(self, serials: Iterable[int]) -> None:
        """Remove nodes with their words."""
        for serial in serials:
            self._take_out(serial)
            self._sql.execute("DELETE FROM node WHERE serial = ?", (serial,))

    def _id(self, word: str) -> int:
        found = self._ids.get(word)
        if found is None:
            found = self._ids[word] = self._next
            self._next += 1
        return found

    def _take_out(self, serial: int) -> None:
        for (packed,) in self._sql.execute("SELECT words FROM node WHERE serial = ?", (serial,)):
            self._counts.subtract(array("I", packed))

    def _flush(self) -> None:
        self._sql.executemany("INSERT OR REPLACE INTO node VALUES (?, ?, ?)", self._rows)
        self._rows.clear()

    def _finish(self) -> None:
        """Write the collected words, drop those that no node has any more, and commit."""
        self._flush()
        fresh = ((number, word, 0) for word, number in self._ids.items() if number >= self._first)
        self._sql.executemany("INSERT INTO word VALUES (?, ?, ?)", fresh)
        changed = ((more, number) for number, more in self._counts.items() if more)
        self._sql.executemany("UPDATE word SET nodes = nodes + ? WHERE id = ?", changed)
        self._sql.execute("DELETE FROM word WHERE nodes <= 0")
        self._sql.execute("COMMIT")
