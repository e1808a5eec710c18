"""One read of an SQLite store by Python's own SQLite module: for a command that must start without SQLAlchemy.

It reads only what a search shows. Whatever is unusual, such as an older schema, is left to `Store`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, Self

from graph.models.node_cards import Card, Kind
from graph.store.schema_version import HEAD

BUSY_SECONDS = 30
"""How long a read waits for another process that recovers the write-ahead log."""

_KINDS = {kind.value: kind for kind in Kind}

_STATE = """SELECT (SELECT value FROM meta WHERE key = 'identity'),
    (SELECT number FROM counters WHERE name = 'graph'), (SELECT value FROM meta WHERE key = 'commit'),
    (SELECT version_num FROM alembic_version), EXISTS (SELECT 1 FROM documents WHERE current)"""
_NAMES = "SELECT json_extract(body, '$.labels') FROM nodes WHERE kind = 'term' ORDER BY serial"
_CARDS = """SELECT serial, id, kind, brain, title, tags, document FROM nodes
    WHERE serial IN (SELECT value FROM json_each(?))"""
_BODIES = "SELECT id, body FROM nodes WHERE id IN (SELECT value FROM json_each(?))"
_TITLE = "SELECT title FROM nodes WHERE id IN (SELECT value FROM json_each(?)) ORDER BY serial LIMIT 1"


class UnusualStoreError(Exception):
    """The store is not one that can be read quickly: an older or a newer schema, or no document."""


class QuickReader:
    """A read transaction: all that it reads is of one state. Use it with `with`.

    Raises:
        UnusualStoreError: the store has another schema, or no document.
        sqlite3.Error: the file is missing, or no store.
    """

    def __init__(self, path: Path) -> None:
        where = f"{path.absolute().as_uri()}?mode=rw"  # the log of a store cannot be read without writing its index
        self._sql = sqlite3.connect(where, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
        try:
            self._sql.execute("PRAGMA query_only=ON")
            self._sql.execute("BEGIN")
            self.state = self._checked()
        except BaseException:
            self._sql.close()
            raise
        self._brains: list[str] | None = None
        self._titles: dict[str, str | None] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._sql.close()

    def _checked(self) -> QuickState:
        store, version, commit, schema, documents = self._sql.execute(_STATE).fetchone()
        if schema != HEAD or not documents:
            raise UnusualStoreError
        return QuickState(store, version, commit or "")

    def names_of_terms(self) -> Iterator[tuple[str, ...]]:
        """The names of each term that has some, in the order of `Labels.all`, terms in the order of arrival."""
        for (labels,) in self._sql.execute(_NAMES):
            if labels is not None:
                said = json.loads(labels)
                names = (said["preferred"], said["abbreviation"], said["expansion"], *said["variants"])
                yield tuple(dict.fromkeys(name for name in names if name))

    def cards(self, serials: Iterable[int]) -> dict[int, Card]:
        """The cards of nodes by serial."""
        rows = self._sql.execute(_CARDS, (json.dumps(list(serials)),)).fetchall()
        tags = json.loads(f"[{','.join(row[5] for row in rows)}]")  # at once: a thousand lists take as long as ten
        return {
            row[0]: Card(row[0], row[1], _KINDS[row[2]], row[3], row[4], tuple(own), row[6])
            for row, own in zip(rows, tags, strict=True)
        }

    def bodies(self, ids: Iterable[str]) -> dict[str, str]:
        """The Markdown of nodes by id."""
        rows = self._sql.execute(_BODIES, (json.dumps(list(ids)),))
        return {name: json.loads(body)["body"] for name, body in rows}

    def title(self, name: str) -> str | None:
        """The title of the node with an id, or, of several brains, of the first node with this slug."""
        if name not in self._titles:
            found = self._sql.execute(_TITLE, (json.dumps(self._ids(name)),)).fetchone()
            self._titles[name] = found[0] if found else None
        return self._titles[name]

    def _ids(self, name: str) -> list[str]:
        if "/" in name:
            return [name]
        if self._brains is None:
            self._brains = [brain for (brain,) in self._sql.execute("SELECT DISTINCT brain FROM nodes")]
        return [f"{brain}/{name}" for brain in self._brains]


class QuickState(NamedTuple):
    """A state of a store: its identity, the version of its graph, and the token of its last commit."""

    store: str
    version: int
    commit: str
