"""The database that all parts of the store share, with its transactions.

A write takes the one write lock, SQLite's or an advisory lock of PostgreSQL, so writers run one after another on both.
Every visible version is a committed state; a write without changes is rolled back with its version.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple, Self

from sqlalchemy import Connection, Engine, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.pool import QueuePool

import graph.store.database_engine as opening
from graph.store.database_files import file_fault
from graph.store.driver_errors import opening_error
from graph.store.run_journal import RunJournal
from graph.store.schema import counters, meta
from graph.store.store_errors import (
    BusyStoreError,
    LostConnectionError,
    PoolExhaustedError,
    ReadOnlyViewError,
    StoreError,
    UnknownCommitError,
)
from graph.store.versioned_cache import Answer, VersionedCache

Counter = Literal["version", "graph", "claims"]
"""Changes of everything, of nodes and edges, or of stated claims."""

STREAMED = {"yield_per": 1000}  # execution options of a query whose rows are fetched in batches

VERSION_MILLISECONDS = 1000
"""How long to wait for the version of a locked SQLite database; in WAL mode readers do not wait."""

_LOCK_TIMEOUT = "55P03"  # PostgreSQL's SQLSTATE of a lock timeout

_STATE = """SELECT (SELECT number FROM counters WHERE name = 'version'),
    (SELECT number FROM counters WHERE name = 'graph'), (SELECT number FROM counters WHERE name = 'claims'),
    (SELECT value FROM meta WHERE key = 'identity'), (SELECT value FROM meta WHERE key = 'commit')"""


class Revision(NamedTuple):
    """One committed state: the counters, the store's identity, and the commit's random token.

    Equal revisions have equal content. `version` alone repeats: in other stores, and in a restored and changed backup.
    """

    version: int
    graph: int
    claims: int
    store: str
    commit: str


@dataclass
class WriteTransaction:
    """An open write; without `changes` it is rolled back."""

    sql: Connection
    changes: bool = True
    committed: list[Callable[[], None]] = field(default_factory=list)
    """Called in order after the commit of the outermost block, not after a rollback."""
    words: set[str] = field(default_factory=set)
    """Words that this write has stored in the search tables."""

    def take(self, counter: str, step: int = 1) -> int:
        """Increase a counter and return its new value."""
        raised = update(counters).where(counters.c.name == counter).values(number=counters.c.number + step)
        return int(self.sql.execute(raised.returning(counters.c.number)).scalar_one())


class _Thread(threading.local):
    work: WriteTransaction | None = None
    read: Connection | None = None


class Database:
    """An open database that threads share; each transaction belongs to one thread."""

    hidden: frozenset[str] = frozenset()
    """The brains that this view leaves out."""

    clock: Callable[[], datetime] | None = None
    """The current time for readers, set by the entry point; None: no run is in the future."""

    read_only = False
    """Whether a write raises `ReadOnlyViewError`."""

    pin: Connection | None = None
    """The transaction that a pinned view reads in; see `Store.pinned`."""

    def __init__(self, engine: Engine, where: str, journal: RunJournal | None = None) -> None:
        self.engine = engine
        self.journal = journal
        self._reader = engine.execution_options(isolation_level="REPEATABLE READ") if self.on_server else engine
        self._writer = engine.execution_options(**{opening.WRITES: True})
        self._thread = _Thread()
        self._memory = self.cache(1024, "graph")
        self._log_bytes = opening.LOG_BYTES
        self._version_connection: Connection | None = None
        self._version_lock = threading.Lock()
        self.where = where

    @property
    def on_server(self) -> bool:
        """Whether the database is PostgreSQL."""
        return bool(self.engine.dialect.name == "postgresql")

    def present_day(self) -> date:
        """Today by `clock` (UTC); without one `date.max`."""
        return date.max if self.clock is None else self.clock().astimezone(UTC).date()

    def file_fault(self) -> str | None:
        """What is wrong with the files of SQLite; None if nothing is."""
        if self.on_server:
            return None
        try:
            return file_fault(Path(self.where))
        except OSError as error:
            return f"{self.where}: {error.strerror}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close every connection."""
        with self._version_lock:
            self._drop_version_connection()
        self.engine.dispose()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit all writes of this thread in the block together or none; its reads see them."""
        with self.writing() as work:
            work.changes = False  # until a write inside sets it
            yield

    def in_transaction(self) -> bool:
        """Whether this thread has an open write."""
        return self._thread.work is not None

    @contextmanager
    def reading(self, *, statements: bool = True) -> Iterator[Connection]:
        """A connection that sees one state, that of this thread's write; for one statement no transaction begins."""
        if (own := self._own()) is not None:
            yield own
            return
        connection = self._connected(self._reader)
        try:
            if statements:
                opening.begin(connection)
            yield connection
        finally:
            with suppress(DBAPIError, StoreError):  # the connection is lost; a reader has no changes to lose
                connection.close()

    @contextmanager
    def one_state(self) -> Iterator[None]:
        """All reads of this thread in the block see one state."""
        with self.reading() as sql:
            before, self._thread.read = self._thread.read, sql
            try:
                yield
            finally:
                self._thread.read = before

    def _own(self) -> Connection | None:
        """The connection of this thread's write, of `one_state`, or of a pinned view."""
        return self._thread.work.sql if self._thread.work is not None else self._thread.read or self.pin

    def _connected(self, engine: Engine) -> Connection:
        try:
            return engine.connect()
        except PoolTimeoutError as error:
            raise PoolExhaustedError(self.where, opening.MOST_CONNECTIONS) from error
        except DBAPIError as error:
            raise opening_error(error.orig or error, self.where) from error

    @contextmanager
    def writing(self) -> Iterator[WriteTransaction]:
        """A write, committed with the outermost block; rolled back on an exception or without changes."""
        if self.read_only:
            raise ReadOnlyViewError
        outer = self._thread.work
        if outer is not None:
            inner = WriteTransaction(outer.sql, committed=outer.committed, words=outer.words)
            yield inner
            outer.changes = outer.changes or inner.changes
            return
        with self._locked() as work:
            self._thread.work = work
            try:
                yield work
            finally:
                self._thread.work = None

    @contextmanager
    def _locked(self) -> Iterator[WriteTransaction]:
        with self._connected(self._writer) as connection:
            try:
                work = WriteTransaction(connection)
                opening.begin(connection)
                work.take("version")
            except DBAPIError as error:
                if "locked" in str(error.orig) or getattr(error.orig, "sqlstate", None) == _LOCK_TIMEOUT:
                    raise BusyStoreError(self.where) from error
                raise
            yield work
            if work.changes:
                work.sql.execute(update(meta).where(meta.c.key == "commit").values(value=uuid.uuid4().hex))
                self._commit(connection)
                for call in work.committed:
                    call()

    def _commit(self, connection: Connection) -> None:
        try:
            connection.commit()
        except LostConnectionError as error:
            raise UnknownCommitError(self.where) from error
        left = opening.empty_log(connection, self._log_bytes)
        self._log_bytes = max(opening.LOG_BYTES, 2 * left)  # a long reader: wait for it again at twice the size

    @contextmanager
    def lock(self) -> Iterator[opening.Check | None]:
        """Hold the lock of the nightly job in the block; None if another process has it.

        Call the value before each step: it raises `LostLockError` once the lock is lost. PostgreSQL's lock is for all
        homes that use the database. SQLite has none: there a lock file in the home is the lock.
        """
        if not self.on_server:
            yield lambda: None
            return
        with opening.try_lock(self.engine, opening.NIGHT, self.where) as held:
            yield held

    def night_is_locked(self) -> bool:
        """Whether a process has PostgreSQL's lock of the nightly job."""
        with self.reading() as sql:
            return self.on_server and bool(sql.execute(opening.HELD, {"key": opening.NIGHT}).scalar())

    def recall(self, key: Hashable, make: Callable[[], Answer]) -> Answer:
        """What `make` returns, cached until the graph changes."""
        return self._memory.get(key, make)

    def cache(self, size: int, of: Counter = "version") -> VersionedCache:
        """A cache of derived values, dropped when the counter `of` rises.

        Those of `version` are dropped on a new day too, which can change which run is the latest.
        """
        return VersionedCache(
            partial(self._counter, of),
            lambda: self._thread.work is not None,
            size,
            day=self.present_day if of == "version" else None,
        )

    def version(self) -> int:
        """A number that rises with every commit of any process."""
        return self._counter("version")

    def graph_version(self) -> int:
        """A number that rises with every commit that changes nodes or edges."""
        return self._counter("graph")

    def revision(self) -> Revision:
        """The last committed state, also inside a write of this thread."""
        return self._committed_state() if self.pin is None else read_state(self.pin)

    def used_connections(self) -> int:
        """How many of `MOST_CONNECTIONS` are in use."""
        pool = self.engine.pool
        return pool.checkedout() if isinstance(pool, QueuePool) else 0

    def _counter(self, name: Counter) -> int:
        own = self._own()
        return int(getattr(self._committed_state() if own is None else read_state(own), name))

    def _committed_state(self) -> Revision:
        """The state over its own connection: every request reads it, in 10 µs from SQLite."""
        driver = self.engine.dialect.loaded_dbapi.Error
        with self._version_lock:
            try:
                return self._look()
            except driver:
                self._drop_version_connection()  # a server that was restarted has ended it
            try:
                return self._look()
            except driver as error:
                raise opening_error(error, self.where) from error

    def _look(self) -> Revision:
        if self._version_connection is None:
            opened = self._connected(self.engine).execution_options(isolation_level="AUTOCOMMIT")
            self._version_connection = opened
            if not self.on_server:
                opened.connection.cursor().execute(f"PRAGMA busy_timeout = {VERSION_MILLISECONDS}")
        cursor = self._version_connection.connection.cursor()
        cursor.execute(_STATE)
        return Revision(*cursor.fetchall()[0])  # to the end: it ends the transaction of the statement

    def _drop_version_connection(self) -> None:
        if self._version_connection is not None:
            self._version_connection.invalidate()
            self._version_connection.close()
            self._version_connection = None


def read_state(sql: Connection) -> Revision:
    """The state that a connection sees."""
    return Revision(*sql.exec_driver_sql(_STATE).one())
