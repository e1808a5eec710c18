"""PostgreSQL's advisory locks: for writers, the nightly job, and derived values. A lost connection frees its locks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from sqlalchemy import Connection, Engine, TextClause, text
from sqlalchemy.exc import DBAPIError

from graph.store.store_errors import LostLockError, StoreError

WRITER = 0x627261696E01
NIGHT = 0x627261696E02
DERIVED = 0x627261696E03
"""The keys of the locks; `brain` as bytes, and a number."""

_WAIT = text("SELECT set_config('lock_timeout', :wait, true), pg_advisory_xact_lock(:key)")
_TRY = text("SELECT pg_try_advisory_lock(:key)")
_FREE = text("SELECT pg_advisory_unlock(:key)")
_LOCKS = (
    "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    " AND classid::bigint = :high AND objid::bigint = :low"
)
_HELD, _OWN = text(f"{_LOCKS})"), text(f"{_LOCKS} AND pid = pg_backend_pid())")
_WAITS = text("SET idle_session_timeout = 0")

Check = Callable[[], None]
"""Raises `LostLockError` if the lock is not held any more."""


class _HeldLock:
    """A lock that a connection holds until it ends; what was lost once stays lost."""

    def __init__(self, connection: Connection, key: int, where: str) -> None:
        self._connection, self._key, self._where = connection, key, where
        self._lost = False

    def check(self) -> None:
        """Ask the server; raises `LostLockError`."""
        if not self._lost:
            try:
                self._lost = not _is_there(self._connection, _OWN, self._key)
            except (DBAPIError, StoreError):  # the server ended the connection, and with it the lock
                self._lost = True
        if self._lost:
            raise LostLockError(self._where)

    def free(self) -> None:
        """Free the lock, unless it is lost."""
        with suppress(DBAPIError, StoreError):  # of a lost connection: the lock is free
            self.check()
            self._connection.execute(_FREE, {"key": self._key})


def wait_to_write(sql: Connection, seconds: int) -> None:
    """Take the lock of writers until the end of the transaction; the driver's error after `seconds`."""
    sql.execute(_WAIT, {"wait": f"{seconds}s", "key": WRITER})


@contextmanager
def try_lock(engine: Engine, key: int, where: str) -> Iterator[Check | None]:
    """Hold a lock over a connection of its own within the block; None if another connection has it.

    A connection that ends loses its lock, so call the value before each step that needs it.
    """
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.detach()  # closed after the block, with its setting
        connection.execute(_WAITS)
        if not connection.execute(_TRY, {"key": key}).scalar():
            yield None
            return
        held = _HeldLock(connection, key, where)
        try:
            yield held.check
        finally:
            held.free()


def is_locked(sql: Connection, key: int) -> bool:
    """Whether any connection to this database holds a lock."""
    return _is_there(sql, _HELD, key)


def _is_there(sql: Connection, query: TextClause, key: int) -> bool:
    return bool(sql.execute(query, {"high": key >> 32, "low": key & 0xFFFFFFFF}).scalar())
