"""What is derived from the whole graph, as JSON with the version of the graph that it was made from.

A view of the store has rows of its own, made from what it shows; it reads them from the store that it is a view of.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from sqlalchemy import delete, insert, select

from graph.store.advisory_locks import DERIVED
from graph.store.database import Database
from graph.store.schema import derived
from graph.store.store_part import StorePart


class DerivedRow(NamedTuple):
    """A derived value as JSON, and the version of the graph that it was made from."""

    version: int
    json: str


class DerivedTable(StorePart):
    """Derived values by name, for readers who do not see the brains in `hidden`."""

    def __init__(self, database: Database, hidden: Collection[str] = ()) -> None:
        super().__init__(database)
        self._without = f" without {' '.join(sorted(hidden))}" if hidden else ""

    def version(self, name: str) -> int | None:
        """The version of the graph that a value was made from; None if there is none."""
        return self._value(select(derived.c.version).where(derived.c.name == self._key(name)))

    def get(self, name: str) -> DerivedRow | None:
        """A value, also one of an earlier version."""
        row = self._first(select(derived.c.version, derived.c.json).where(derived.c.name == self._key(name)))
        return None if row is None else DerivedRow(*row)

    def put(self, name: str, version: int, json: str) -> None:
        """Store a value in place of the one before.

        The commit token stays: what is derived from the graph does not make the search index older.
        """
        key = self._key(name)
        with self._database.writing() as work:
            work.signed = False
            work.sql.execute(delete(derived).where(derived.c.name == key))
            work.sql.execute(insert(derived).values(name=key, version=version, json=json))

    def remove(self, name: str) -> None:
        """Remove a value."""
        with self._database.writing() as work:
            work.sql.execute(delete(derived).where(derived.c.name == self._key(name)))

    @contextmanager
    def lock(self) -> Iterator[bool]:
        """Whether this process alone may make derived values within the block, among all that use a PostgreSQL store.

        In SQLite it may: a lock file in the home serves there.
        """
        with self._database.lock(DERIVED) as held:
            yield held is not None

    def _key(self, name: str) -> str:
        return f"{name}{self._without}"
