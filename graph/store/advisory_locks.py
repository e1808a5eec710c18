"""PostgreSQL's advisory locks: one for writers, one for the nightly job. A lost connection frees its locks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

from graph.store.store_errors import StoreError

WRITER = 0x627261696E01
NIGHT = 0x627261696E02
"""The keys of the locks; `brain` as bytes, and a number."""

_WAIT = text("SELECT set_config('lock_timeout', :wait, true), pg_advisory_xact_lock(:key)")
_TRY = text("SELECT pg_try_advisory_lock(:key)")
_FREE = text("SELECT pg_advisory_unlock(:key)")
_HELD = text(
    "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    " AND classid::bigint = :high AND objid::bigint = :low)"
)


def wait_to_write(sql: Connection, seconds: int) -> None:
    """Take the lock of writers until the end of the transaction; the driver's error after `seconds`."""
    sql.execute(_WAIT, {"wait": f"{seconds}s", "key": WRITER})


@contextmanager
def try_lock(engine: Engine, key: int) -> Iterator[bool]:
    """Hold a lock over a connection of its own within the block; False if another connection has it."""
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        held = bool(connection.execute(_TRY, {"key": key}).scalar())
        try:
            yield held
        finally:
            if held:
                with suppress(DBAPIError, StoreError):  # of a lost connection: the lock is free
                    connection.execute(_FREE, {"key": key})


def is_locked(sql: Connection, key: int) -> bool:
    """Whether any connection to this database holds a lock."""
    return bool(sql.execute(_HELD, {"high": key >> 32, "low": key & 0xFFFFFFFF}).scalar())
