"""Replaces driver errors by a `StoreError`: a full disk, a lost connection, damage, no permission to write.

A listener on the engine does so at a statement, a fetch or the commit; other errors pass unchanged.
"""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

from sqlalchemy import Engine, event
from sqlalchemy.engine import ExceptionContext

from graph.store.store_errors import (
    BusyStoreError,
    CorruptStoreError,
    FullDiskError,
    LostConnectionError,
    StoreError,
    UnavailableError,
    UnwritableError,
)

LEAST_FREE = 1 << 20  # free bytes below which an I/O error of SQLite means a full disk: it reports both in one way

_UNWRITABLE = frozenset({sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN})
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_NOT_TEXT = "Could not decode to UTF-8"
"""Start of the driver's message for an invalid text, which has no code; the bytes follow."""
_SERVER_FULL, _SERVER_READ_ONLY = "53100", "25006"
_SERVER_STOPPED = frozenset({"57P01", "57P02", "57P03"})
"""SQLSTATEs of PostgreSQL: an administrator or a crash ended the backend, or the server is starting."""


def translate_errors(engine: Engine, where: str) -> None:
    """Make an engine raise a `StoreError` for these errors; `where` names the store in messages."""

    def translated(context: ExceptionContext) -> StoreError | None:
        if context.is_pre_ping or context.connection is None:
            return None  # the pool connects again, or the caller reports that it cannot
        return store_error(context.original_exception, where, lost=context.is_disconnect)

    event.listen(engine, "handle_error", translated, retval=True)


def store_error(error: BaseException, where: str, *, lost: bool = False) -> StoreError | None:
    """The store's error for a driver's error, or None; `lost` if the connection is closed."""
    if isinstance(error, sqlite3.Error):
        return _sqlite_error(error, where)
    state = getattr(error, "sqlstate", None)
    if state == _SERVER_FULL:
        return FullDiskError(where)
    if lost or state in _SERVER_STOPPED:
        return LostConnectionError(where)
    return UnwritableError(where, str(error).strip()) if state == _SERVER_READ_ONLY else None


def _sqlite_error(error: sqlite3.Error, where: str) -> StoreError | None:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the upper bits are details
    if code == sqlite3.SQLITE_FULL or (code in _UNWRITABLE and is_full(Path(where))):
        return FullDiskError(where)
    if code in _DAMAGED or str(error).startswith(_NOT_TEXT):
        return CorruptStoreError(where, str(error).partition(" with text ")[0])
    return UnwritableError(where, str(error)) if code in _UNWRITABLE else None


def opening_error(error: BaseException, where: str) -> StoreError:
    """The store's error for a driver's error while connecting."""
    known, said = store_error(error, where), str(error).strip()
    if known is not None:
        return known
    if not isinstance(error, sqlite3.Error):
        return UnavailableError(where, said)
    if "locked" in said:
        return BusyStoreError(where)
    if any(part in said for part in ("readonly", "read-only", "unable to open", "disk")):
        return UnwritableError(where, said)
    return CorruptStoreError(where, said)


def is_full(path: Path) -> bool:
    """Whether the disk of a file has less than `LEAST_FREE` bytes free."""
    try:
        return shutil.disk_usage(path.parent).free < LEAST_FREE
    except OSError:
        return False
