"""PostgreSQL's advisory locks: for writers, the nightly job, and derived values. A lost connection frees its locks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

from graph.store.store_errors import LostLockError, StoreError

WRITER, NIGHT, DERIVED = (0x627261696E00 + number for number in (1, 2, 3))
"""The keys of the locks; `brain` as bytes, and a number."""

_WAIT = text("SELECT set_config('lock_timeout', :wait, true), pg_advisory_xact_lock(:key)")
_LOCKS = (
    "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    " AND (classid::bigint << 32 | objid::bigint) = :key"
)
_HELD, _OWN = text(f"{_LOCKS})"), text(f"{_LOCKS} AND pid = pg_backend_pid())")

Check = Callable[[], None]
"""Raises `LostLockError` if the lock is not held any more."""


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
        connection.execute(text("SET idle_session_timeout = 0"))
        if not connection.execute(text("SELECT pg_try_advisory_lock(:key)"), {"key": key}).scalar():
            yield None
            return

        def check() -> None:
            held = False
            with suppress(DBAPIError, StoreError):  # the server ended the connection, and with it the lock
                held = not connection.invalidated and bool(connection.execute(_OWN, {"key": key}).scalar())
            if not held:
                raise LostLockError(where)

        try:
            yield check
        finally:
            with suppress(DBAPIError, StoreError):  # of a lost connection: the lock is free
                check()
                connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": key})


def is_locked(sql: Connection, key: int) -> bool:
    """Whether any connection to this database holds a lock."""
    return bool(sql.execute(_HELD, {"key": key}).scalar())
