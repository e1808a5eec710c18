"""Engines with the options of each database, transactions, and PostgreSQL's advisory locks."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, Table, create_engine, event, func, select, text
from sqlalchemy.engine import URL, Connection, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from graph.database_address import address_fault
from graph.private_files import private_file, private_folder
from graph.store.database_files import read_only_address, size_of
from graph.store.store_errors import AddressError, LostLockError, StoreError, UnavailableError, UnwritableError

LOG = logging.getLogger(__name__)

WRITER, NIGHT = (0x627261696E00 + number for number in (1, 2))
"""Keys of the locks: `brain` as bytes, and a number."""

_WAIT = text("SELECT set_config('lock_timeout', :wait, true), pg_advisory_xact_lock(:key)")
_LOCKS = (
    "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    " AND (classid::bigint << 32 | objid::bigint) = :key"
)
HELD, _OWN = text(f"{_LOCKS})"), text(f"{_LOCKS} AND pid = pg_backend_pid())")

Check = Callable[[], None]
"""Raises `LostLockError` if the lock was lost."""

BUSY_SECONDS = 30  # how long a writer waits for another writer

IDLE_CONNECTIONS = 8  # how many idle connections stay open
MOST_CONNECTIONS = 40  # maximum connections of one process; those above `IDLE_CONNECTIONS` are closed after use
POOL_SECONDS = 10  # how long a thread waits for a connection when all are in use
_POOL = {
    "pool_size": IDLE_CONNECTIONS,
    "max_overflow": MOST_CONNECTIONS - IDLE_CONNECTIONS,
    "pool_timeout": POOL_SECONDS,
    "pool_use_lifo": True,  # the connection used last has the pages of the database in memory
}

LOG_BYTES = 4 << 20
"""Bytes of an SQLite write-ahead log above which a commit empties it; SQLite copies it at 1,000 pages."""
LOG_WAIT_MS = 250  # milliseconds that such a commit waits for readers of the log

WRITES = "brain_writes"  # execution option of a connection for writing


def address(where: str | Path) -> URL:
    """The database URL of a file path or a URL. Raises `AddressError` if it is neither."""
    text = str(where)
    if "://" not in text:
        return URL.create("sqlite", database=str(Path(text).absolute()))
    server = text.partition("://")[0].partition("+")[0] != "sqlite"
    if server and (fault := address_fault(text)):
        raise AddressError(fault)
    try:
        url = make_url(text)
    except (ArgumentError, ValueError) as error:  # a port that is no number is a ValueError
        expected = "postgresql://user@host/database" if server else "sqlite:///FILE"
        raise AddressError(f"expected {expected}") from error
    if server:
        return url.set(drivername="postgresql+psycopg")
    if url.database in {None, "", ":memory:"}:
        raise AddressError("a store is a file or a server, not memory")
    return url


def build(url: URL) -> Engine:
    """An engine for `url`, not yet connected; creates the folder of an SQLite file. Raises as `Store.open`."""
    if url.get_backend_name() == "sqlite":
        return build_read_only(url) if is_read_only(url) else _sqlite(url)
    logging.getLogger("psycopg").setLevel(logging.ERROR)  # its warnings repeat errors that it also raises
    logging.getLogger("sqlalchemy.pool.impl.QueuePool").addFilter(_in_one_line)
    try:
        engine = create_engine(url, pool_pre_ping=True, isolation_level="READ COMMITTED", **_POOL)
    except (ModuleNotFoundError, NoSuchModuleError) as error:
        raise UnavailableError(
            url.render_as_string(), "psycopg is not installed; pip install 'brain-claims[postgres]'"
        ) from error
    event.listen(engine, "connect", _without_jit)
    return engine


def _in_one_line(record: logging.LogRecord) -> bool:
    """Log a lost connection in one line: the caller gets an error anyway."""
    if record.exc_info and record.exc_info[1] is not None:
        said = " ".join(str(record.exc_info[1]).split())
        record.levelno, record.levelname = logging.WARNING, "WARNING"
        record.msg, record.args = "a database connection is dropped: %s", (said,)
        record.exc_info = None
    return True


def _without_jit(connection: Any, _record: object) -> None:  # noqa: ANN401  # a connection of the driver
    """Turn off PostgreSQL's JIT: compiling facet queries takes longer than it saves."""
    with connection.cursor() as cursor:
        cursor.execute("SET jit = off")
    connection.commit()


def is_read_only(url: URL) -> bool:
    """Whether a database exists, and it or its folder is not writable."""
    path = Path(url.database or "")
    writable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    return url.get_backend_name() == "sqlite" and path.is_file() and not writable


def build_read_only(url: URL) -> Engine:
    """An engine for an unwritable SQLite database."""
    return _with_pragmas(url, read_only_address(Path(url.database or "")))


def _sqlite(url: URL) -> Engine:
    path = Path(url.database or "")
    try:
        private_folder(path.parent)
    except OSError as error:
        raise UnwritableError(str(path.parent), error.strerror or str(error)) from error
    private_file(path)  # its -wal and -shm get the same mode
    return _with_pragmas(
        url,
        str(path),
        "journal_mode=WAL",
        "synchronous=FULL",  # each commit is on the disk when it returns, also if the power fails
        f"journal_size_limit={LOG_BYTES}",  # the log keeps its largest size otherwise
        "foreign_keys=ON",
    )


def _with_pragmas(url: URL, file: str, *pragmas: str) -> Engine:
    """An engine that opens connections itself: the pool would not close one whose pragma fails."""

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(
            file, timeout=BUSY_SECONDS, check_same_thread=False, uri=file.startswith("file:"), isolation_level=None
        )  # `begin` begins transactions, not the driver
        try:
            for pragma in (*pragmas, "cache_size=-8192", "temp_store=MEMORY"):
                connection.execute(f"PRAGMA {pragma}")
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    return create_engine(url, creator=connect, **_POOL)


def begin(connection: Connection) -> None:
    """Begin a transaction; a listener of SQLAlchemy would slow every statement.

    A writer takes its lock at once: after a read its snapshot could be outdated, and the write would fail.
    """
    writes, on_server = connection.get_execution_options().get(WRITES), connection.dialect.name == "postgresql"
    if writes and on_server:
        connection.execute(_WAIT, {"wait": f"{BUSY_SECONDS}s", "key": WRITER})
    elif writes:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    elif not on_server:
        connection.connection.cursor().execute("BEGIN")  # it waits for nothing: the driver alone is faster


def empty_log(connection: Connection, least: int) -> int:
    """Empty a write-ahead log of more than `least` bytes after a commit; returns its size, 0 without one.

    SQLite's automatic checkpoint restarts the log only at a moment without readers. Under load there is none, and the
    log would grow without bound. This one blocks other writers and waits up to `LOG_WAIT_MS` for readers of the log.
    """
    path = connection.engine.url.database
    if connection.dialect.name != "sqlite" or path is None:
        return 0
    log = Path(f"{path}-wal")
    if size_of(log) <= least:
        return 0
    cursor = connection.connection.cursor()
    try:
        cursor.execute(f"PRAGMA busy_timeout={LOG_WAIT_MS}")
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except sqlite3.Error as error:  # the commit is done: the next one tries again
        LOG.warning("the log of %s was not emptied: %s", path, error)
    finally:
        cursor.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")
        cursor.close()
    return size_of(log)


def continue_numbering(connection: Connection, table: Table) -> None:
    """Let the database continue after the numbers of inserted rows."""
    column = table.autoincrement_column
    if column is None or connection.dialect.name != "postgresql":
        return  # SQLite takes the highest number of the table
    last = connection.execute(select(func.max(column))).scalar()
    if last is not None:
        sequence = func.pg_get_serial_sequence(table.name, column.name)
        connection.execute(select(func.setval(sequence, last)))


@contextmanager
def try_lock(engine: Engine, key: int, where: str) -> Iterator[Check | None]:
    """Hold a lock over its own connection in the block; None if another connection has it.

    A lost connection frees its lock, so call the value before each step.
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
