"""The texts of the indexed nodes without Markdown, next to the index: an answer reads those that it cuts snippets from.

    texts.db   text: serial, text     name: what links name, with the title that stood for it     link: name, serial

A link without words of its own shows the title of its target, so a text changes when another node gets another title,
comes or goes. An update compares all names with the titles of now, and writes the texts anew that show another one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Self

from graph.models.node_cards import Card
from graph.text.plain_text import names_of, naming_by, plain_text

_FILE = "texts.db"

_SCHEMA = """
CREATE TABLE IF NOT EXISTS text (serial INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS name (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, title TEXT);
CREATE TABLE IF NOT EXISTS link (serial INTEGER, name INTEGER, PRIMARY KEY (serial, name)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_name ON link (name);
"""

PAGE = 20
"""How many texts one statement reads: those of a page of a search."""

_READ = f"SELECT serial, text FROM text WHERE serial IN ({', '.join('?' * PAGE)})"  # noqa: S608  # only marks

_ROWS = 500
"""How many texts are read again at a time."""


class StoredTexts:
    """The texts of an index, for reading. Threads may share it.

    Raises:
        sqlite3.Error: the file is missing or broken.
    """

    def __init__(self, folder: Path) -> None:
        where = f"{(folder / _FILE).resolve().as_uri()}?mode=ro"
        self._sql = sqlite3.connect(where, uri=True, timeout=0, isolation_level=None, check_same_thread=False)
        self.of([])

    def of(self, serials: Sequence[int]) -> dict[int, str]:
        """The texts of those nodes that the index has.

        Raises:
            sqlite3.Error: the file is being written at this moment, or broken.
        """
        found: dict[int, str] = {}
        for start in range(0, max(1, len(serials)), PAGE):
            some = serials[start : start + PAGE]
            found.update(self._sql.execute(_READ, (*some, *[-1] * (PAGE - len(some)))).fetchall())
        return found

    def close(self) -> None:
        """Close the file."""
        self._sql.close()


class TextWriter:
    """One change to the texts of an index: use it with `with`; it commits at the end of the block.

    Raises:
        sqlite3.Error: the file is broken, or another process is writing to it.
    """

    def __init__(self, folder: Path, titles: Mapping[str, str]) -> None:
        """`titles` are those of all nodes by the names that a link may use."""
        self._titles = titles
        self._sql = sqlite3.connect(folder / _FILE, isolation_level=None)
        try:
            self._sql.executescript(_SCHEMA)
            self._sql.execute("BEGIN IMMEDIATE")
            known = self._sql.execute("SELECT name, id, title FROM name").fetchall()
        except sqlite3.Error:
            self._sql.close()
            raise
        self._fresh = not known
        self._ids = {name: number for name, number, _ in known}
        self._shown = {name: title for name, _, title in known}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, _error: object, _trace: TracebackType | None) -> None:
        with closing(self._sql):
            if self._sql.in_transaction:  # SQLite rolls back by itself when the disk is full
                self._sql.execute("ROLLBACK" if kind else "COMMIT")

    def put(self, serial: int, markdown: str) -> None:
        """Write the text of a node."""
        linked: dict[str, None] = {}

        def title(name: str) -> str | None:
            linked[name] = None
            return self._titles.get(name)

        text = plain_text(markdown, naming_by(title))
        self._sql.execute("INSERT OR REPLACE INTO text VALUES (?, ?)", (serial, text))
        if not self._fresh:
            self._sql.execute("DELETE FROM link WHERE serial = ?", (serial,))
        self._sql.executemany("INSERT INTO link VALUES (?, ?)", [(serial, self._named(name)) for name in linked])

    def remove(self, serials: Iterable[int]) -> None:
        """Remove the texts of nodes."""
        for serial in serials:
            self._sql.execute("DELETE FROM text WHERE serial = ?", (serial,))
            self._sql.execute("DELETE FROM link WHERE serial = ?", (serial,))

    def renew(self, markdown: Callable[[Sequence[int]], Mapping[int, str]]) -> None:
        """Write the texts anew that show an earlier title of a node; `markdown` reads nodes by serial."""
        renamed = [name for name, title in self._shown.items() if self._titles.get(name) != title]
        stale: dict[int, None] = {}
        for name in renamed:
            number, title = self._ids[name], self._titles.get(name)
            stale.update(
                dict.fromkeys(row[0] for row in self._sql.execute("SELECT serial FROM link WHERE name = ?", (number,)))
            )
            self._sql.execute("UPDATE name SET title = ? WHERE id = ?", (title, number))
            self._shown[name] = title
        for some in _batches(stale):
            for serial, body in markdown(some).items():
                self.put(serial, body)

    def _named(self, name: str) -> int:
        """The number of a name, which is written where it is new."""
        number = self._ids.get(name)
        if number is None:
            number = self._ids[name] = len(self._ids) + 1
            self._shown[name] = self._titles.get(name)
            self._sql.execute("INSERT INTO name VALUES (?, ?, ?)", (number, name, self._shown[name]))
        return number


def titles_of(cards: Sequence[Card]) -> dict[str, str]:
    """The titles of all nodes by the names that a link may use; if several brains share a name, the first."""
    return {name: title for card in reversed(cards) for name, title in names_of(card.id, card.title).items()}


def _batches(serials: Iterable[int]) -> Iterator[list[int]]:
    left = iter(serials)
    while some := list(islice(left, _ROWS)):
        yield some
