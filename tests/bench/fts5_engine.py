"""Search by SQLite's FTS5, as an engine of our protocol: measured beside the engines of the program, used by none."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from graph.search.engine_protocol import Entry, Ranking
from graph.search.query_language import AllOf, AnyOf, InTitle, Phrase, Prefix, Text, Word

SCHEMA = """
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(text, title, tokenize = "ascii tokenchars '!#$%&*+,-./:;<=>?@^_~'");
CREATE VIRTUAL TABLE IF NOT EXISTS vocabulary USING fts5vocab(words, col);
"""


class Fts5Engine:
    """A table of stems in a file; SQLite 3.40 cannot delete from a table without content, so it keeps the stems."""

    quick = 5000

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._sql = sqlite3.connect(folder / "words.db", check_same_thread=False)
        self._sql.executescript(SCHEMA)

    def write(self, entries: Iterable[Entry], gone: Iterable[int]) -> None:
        """Delete, insert, commit."""
        with self._sql:
            self._sql.executemany("DELETE FROM words WHERE rowid = ?", ((serial,) for serial in gone))
            rows = ((one.serial, " ".join(one.text), " ".join(one.title)) for one in entries)
            self._sql.executemany("INSERT OR REPLACE INTO words (rowid, text, title) VALUES (?, ?, ?)", rows)

    def serials(self) -> np.ndarray:
        """The serials of all texts."""
        return np.array([row[0] for row in self._sql.execute("SELECT rowid FROM words")], dtype=np.int64)

    def rank(self, wanted: Text | None, unwanted: Text | None) -> Ranking:
        """What matches `wanted` and not `unwanted`, best first."""
        if wanted is None:
            left = set(self.serials().tolist()) - set(self.rank(unwanted, None).serials.tolist() if unwanted else ())
            return Ranking(np.array(sorted(left), dtype=np.int64), np.ones(len(left)))
        asked = _query(wanted, "text") + (f" NOT {_query(unwanted, 'text')}" if unwanted else "")
        found = self._sql.execute("SELECT rowid, -rank FROM words WHERE words MATCH ? ORDER BY rank, rowid", (asked,))
        rows = found.fetchall()
        return Ranking(np.array([row[0] for row in rows], np.int64), np.array([row[1] for row in rows], np.float64))

    def busy(self) -> bool:
        """Never."""
        return False

    def frequency(self, stem: str) -> int:
        """The number of texts that contain a stem."""
        row = self._sql.execute("SELECT doc FROM vocabulary WHERE term = ? AND col = 'text'", (stem,)).fetchone()
        return int(row[0]) if row else 0

    def close(self) -> None:
        """Close the file."""
        self._sql.close()


def _query(text: Text, field: str) -> str:
    match text:
        case Word(stem) | Prefix(stem):
            return f'{{{field}}} : "{stem}"'
        case Phrase(stems):
            return f'{{{field}}} : "{" ".join(stems)}"'
        case InTitle(inner):
            return _query(inner, "title")
        case AllOf(parts):
            return "(" + " AND ".join(_query(one, field) for one in parts) + ")"
        case AnyOf(parts):
            return "(" + " OR ".join(_query(one, field) for one in parts) + ")"
