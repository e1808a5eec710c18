"""The texts of the indexed nodes without Markdown, next to the index: an answer reads those that it cuts snippets from.

    texts-<n>.bin   the texts one after another; what is changed is added at the end
    texts.db        file: its name, and for each serial where its text begins and how long it is
                    name: what links name, with the title that stood for it     link: serial, name

Nothing in the file changes, so whoever has it open reads what it was, without a lock. Where more than half of it is of
no use any more, a new one is written.

A link without words of its own shows the title of its target, so a text changes when another node gets another title,
comes or goes. An update compares all names with the titles of now, and writes the texts anew that show another one.
"""

from __future__ import annotations

import os
import sqlite3
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from operator import add
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from graph.models.node_cards import Card
from graph.text.plain_text import names_of, naming_by, plain_text

_FILE = "texts.db"

_SCHEMA = """
CREATE TABLE IF NOT EXISTS file (name TEXT NOT NULL, starts BLOB NOT NULL, sizes BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS name (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, title TEXT);
CREATE TABLE IF NOT EXISTS link (serial INTEGER, name INTEGER, PRIMARY KEY (serial, name)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_name ON link (name);
"""

_ROWS = 500
"""How many texts are read again at a time."""

SPARE = 1_000_000
"""Bytes of no use that a small file may have."""


class _Places(NamedTuple):
    """Where the text of each serial is in a file; its size is -1 where there is none."""

    file: str
    starts: array[int]
    sizes: array[int]

    @property
    def used(self) -> int:
        """The bytes of all texts."""
        return sum(size for size in self.sizes if size > 0)

    def put(self, serial: int, start: int, size: int) -> None:
        """Set a place."""
        missing = serial + 1 - len(self.sizes)
        if missing > 0:
            self.starts.extend([0] * missing)
            self.sizes.extend([-1] * missing)
        self.starts[serial], self.sizes[serial] = start, size


def _read_places(sql: sqlite3.Connection) -> _Places | None:
    row = sql.execute("SELECT name, starts, sizes FROM file").fetchone()
    return None if row is None else _Places(row[0], array("q", row[1]), array("q", row[2]))


class StoredTexts:
    """The texts of an index, for reading. Threads may share it.

    Raises:
        sqlite3.Error: a file is missing or broken.
        OSError: as above.
    """

    def __init__(self, folder: Path) -> None:
        with closing(sqlite3.connect(f"{(folder / _FILE).resolve().as_uri()}?mode=ro", uri=True)) as sql:
            places = _read_places(sql)
        if places is None:
            raise FileNotFoundError(folder / _FILE)
        _, self._starts, self._sizes = places
        self._file = os.open(folder / places.file, os.O_RDONLY)
        if os.fstat(self._file).st_size < max(map(add, self._starts, self._sizes), default=0):
            self.close()
            raise EOFError(folder / places.file)

    def of(self, serials: Iterable[int]) -> dict[int, str]:
        """The texts of those nodes that the index has."""
        file, starts, sizes, read = self._file, self._starts, self._sizes, os.pread
        most = len(sizes)
        return {
            serial: str(read(file, sizes[serial], starts[serial]), "utf-8")
            for serial in serials
            if serial < most and sizes[serial] >= 0
        }

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


class TextWriter:
    """One change to the texts of an index: use it with `with`; it commits at the end of the block.

    Raises:
        sqlite3.Error: the file is broken, or another process is writing to it.
    """

    def __init__(self, folder: Path, titles: Mapping[str, str]) -> None:
        """`titles` are those of all nodes by the names that a link may use."""
        self._folder, self._titles = folder, titles
        self._sql = sqlite3.connect(folder / _FILE, isolation_level=None)
        try:
            self._sql.executescript(_SCHEMA)
            self._sql.execute("BEGIN IMMEDIATE")
            known = self._sql.execute("SELECT name, id, title FROM name").fetchall()
            self._places = _read_places(self._sql) or _Places("texts-1.bin", array("q"), array("q"))
            self._file = (folder / self._places.file).open("ab")
        except (sqlite3.Error, OSError):
            self._sql.close()
            raise
        self._fresh = not known
        self._ids = {name: number for name, number, _ in known}
        self._shown = {name: title for name, _, title in known}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, _error: object, _trace: TracebackType | None) -> None:
        with closing(self._sql), closing(self._file):
            if kind is None:
                self._finish()
            elif self._sql.in_transaction:  # SQLite rolls back by itself when the disk is full
                self._sql.execute("ROLLBACK")

    def _finish(self) -> None:
        """Write what was put, in a new file where most of the present one is of no use, and commit."""
        places = self._places
        self._file.flush()
        old = self._folder / places.file
        renewed = self._file.tell() > 2 * places.used + SPARE
        if renewed:
            places = self._copied(places)
        else:
            os.fsync(self._file.fileno())
        self._sql.execute("DELETE FROM file")
        self._sql.execute("INSERT INTO file VALUES (?, ?, ?)", (places.file, places.starts, places.sizes))
        self._sql.execute("COMMIT")
        if renewed:
            old.unlink()

    def _copied(self, places: _Places) -> _Places:
        """The places in a new file, with the texts that are of use."""
        number = int(places.file.partition("-")[2].partition(".")[0]) + 1
        fresh = _Places(f"texts-{number}.bin", array("q"), array("q"))
        with (self._folder / places.file).open("rb") as old, (self._folder / fresh.file).open("wb") as new:
            for serial, (start, size) in enumerate(zip(places.starts, places.sizes, strict=True)):
                if size >= 0:
                    old.seek(start)
                    fresh.put(serial, new.tell(), new.write(old.read(size)))
            new.flush()
            os.fsync(new.fileno())
        return fresh

    def put(self, serial: int, markdown: str) -> None:
        """Write the text of a node."""
        linked: dict[str, None] = {}

        def title(name: str) -> str | None:
            linked[name] = None
            return self._titles.get(name)

        text = plain_text(markdown, naming_by(title)).encode()
        self._places.put(serial, self._file.tell(), self._file.write(text))
        if not self._fresh:
            self._sql.execute("DELETE FROM link WHERE serial = ?", (serial,))
        self._sql.executemany("INSERT INTO link VALUES (?, ?)", [(serial, self._named(name)) for name in linked])

    def remove(self, serials: Iterable[int]) -> None:
        """Remove the texts of nodes."""
        for serial in serials:
            self._places.put(serial, 0, -1)
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
