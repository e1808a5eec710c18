"""A view of a store that stays at one committed state, however long it is read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, select

from graph.store.database import Counter, Revision, WriteTransaction
from graph.store.schema import counters, meta
from graph.store.store import Store
from graph.store.store_errors import StoreError


class PinnedWriteError(StoreError):
    """A pinned view of a store is read-only."""

    def __init__(self) -> None:
        super().__init__("this view of the store is read-only")


class PinnedStore(Store):
    """The parts of a store, all over one read transaction. One thread at a time may use it."""

    def __init__(self, store: Store, connection: Connection) -> None:
        super().__init__(store.engine, store.where)
        self.hidden, self.has_stored_counts = store.hidden, store.has_stored_counts
        self._connection, self.clock = connection, store.clock
        self._counters = {row.name: int(row.number) for row in connection.execute(select(counters))}
        self._meta = {row.key: str(row.value) for row in connection.execute(select(meta))}

    def listen(self) -> None:
        """Count nothing: the store behind it counts."""

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """The connection of the view."""
        yield self._connection

    @contextmanager
    def writing(self) -> Iterator[WriteTransaction]:
        """Refused.

        Raises:
            PinnedWriteError: always.
        """
        raise PinnedWriteError
        yield  # type: ignore[unreachable]  # makes it a generator, as the signature wants

    def revision(self) -> Revision:
        """The state of the view."""
        return Revision(self._counters["version"], self._meta["identity"], self._meta.get("commit", ""))

    def close(self) -> None:
        """Nothing: `pinned` returns the connection."""

    def _counter(self, name: Counter) -> int:
        return self._counters[name]


@contextmanager
def pinned(store: Store) -> Iterator[PinnedStore]:
    """The committed state of now; in PostgreSQL and in SQLite's WAL mode it blocks no writer."""
    with store.reading() as connection:
        yield PinnedStore(store, connection)
