"""SQLite database files: copies of one in use, checks, and the replacement of one by another.

In WAL mode `brain.db` without `brain.db-wal` lacks the last commits. So a copy uses SQLite's backup API, and a
replacement first moves the log into the main file, under a lock that fails while another process has it open.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path

from graph.private_files import private_file
from graph.store.driver_errors import is_full
from graph.store.store_errors import StoreError

_WAIT = 2.0  # seconds to wait for other processes to close the database

_OPEN_FILES = Path("/proc/self/fd")  # links to the open files of this process, on Linux

_MAGIC, _HEADER = b"SQLite format 3\x00", 100
_AFTER_DELETION = "stop it, run brain check, start it again"
_AFTER_DAMAGE = "brain restore FILE puts a backup in its place"
_LOOKS, _PAUSE = 3, 0.05
"""Checks of a file that seems truncated, and the seconds between."""


class DatabaseInUseError(StoreError):
    """A database cannot be replaced while another process has it open."""

    sentence = "{0} is in use by another process; stop the server or the command that has it open"


class DamagedCopyError(StoreError):
    """A database file fails SQLite's integrity check."""

    sentence = "{0.name} is damaged: {1}"


def file_fault(path: Path) -> str | None:
    """What is wrong with the files of an open database; None if nothing is.

    SQLite continues with deleted files, and reads a truncated one until a page is missing.
    """
    path, opened = path.resolve(), _open_files()  # the system names a file without symbolic links
    for name in (path.name, f"{path.name}-wal"):
        place = str(path.with_name(name))
        if f"{place} (deleted)" in opened or (not opened and not Path(place).exists()):
            return f"the file {name} was deleted or replaced under the running service; {_AFTER_DELETION}"
    for _ in range(_LOOKS):
        fault = _cut_off(path, opened.get(str(path)))
        if fault is None:
            return None
        time.sleep(_PAUSE)  # a checkpoint writes the first page before the file has its new length
    return fault


def _open_files() -> dict[str, int]:
    """Descriptors of this process's open files, on Linux; Linux marks a deleted one."""
    found: dict[str, int] = {}
    for link in _OPEN_FILES.iterdir() if _OPEN_FILES.is_dir() else ():
        with suppress(OSError):  # closed meanwhile
            found[str(link.readlink())] = int(link.name)
    return found


def _cut_off(path: Path, opened: int | None) -> str | None:
    """What is wrong with the length of a database file, by the number of pages in its header.

    The header is read by SQLite's own descriptor: opening and closing the file would drop the locks on it.
    """
    size = path.stat().st_size
    head = b"" if opened is None else os.pread(opened, _HEADER, 0)
    if size < _HEADER or (head and not head.startswith(_MAGIC)):
        return f"the file {path.name} is damaged: it is no database any more; {_AFTER_DAMAGE}"
    page, pages = int.from_bytes(head[16:18]), int.from_bytes(head[28:32])
    length = pages * (65536 if page == 1 else page)
    if size >= length or head[24:28] != head[92:96]:
        return None
    return f"the file {path.name} is cut off: it has {size:,} of {length:,} bytes; {_AFTER_DAMAGE}"


def copy_database(source: Path, target: Path) -> None:
    """Copy the committed state of a database in use to one new file, private to its owner, and check it.

    Raises:
        DamagedCopyError: the copy is damaged, because the source is.
        OSError: the target cannot be written.
    """
    private_file(target)
    try:
        with closing(_source(source)) as held, closing(sqlite3.connect(target)) as copy:
            held.backup(copy)  # all pages in one step, so under one read lock
            copy.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.OperationalError as error:
        if is_full(target) or error.sqlite_errorcode == sqlite3.SQLITE_FULL:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(target)) from error
        raise OSError(f"{target} cannot be written: {error}") from error
    except sqlite3.DatabaseError as error:
        raise DamagedCopyError(source, str(error)) from error
    check_file(target)


def read_only_address(path: Path) -> str:
    """The URI for reading a database that cannot be written.

    SQLite cannot create the index of a write-ahead log there. Without a log no process writes: the file is immutable.
    """
    how = "mode=ro" if size_of(path.with_name(f"{path.name}-wal")) else "mode=ro&immutable=1"
    return f"{path.absolute().as_uri()}?{how}"


def size_of(path: Path) -> int:
    """Bytes of a file, 0 if there is none."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _source(path: Path) -> sqlite3.Connection:
    """A connection that reads a database, writable or not; raises OSError."""
    writable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    held = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw" if writable else read_only_address(path), uri=True)
    try:
        held.execute("PRAGMA schema_version").fetchone()
    except sqlite3.OperationalError as error:
        held.close()
        raise OSError(f"{path} cannot be read: {error}") from error
    return held


def check_file(path: Path) -> None:
    """Raises `DamagedCopyError` if a database file fails SQLite's integrity check."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as opened:
            said = str(opened.execute("PRAGMA integrity_check(1)").fetchone()[0])
    except sqlite3.DatabaseError as error:
        raise DamagedCopyError(path, str(error)) from error
    if said != "ok":
        raise DamagedCopyError(path, said)


def replace_database(path: Path, new: Path) -> None:
    """Replace a database atomically by the file `new` of the same folder.

    Raises:
        DatabaseInUseError: another process has it open.
        OSError: a file cannot be moved.
    """
    log_files = [path.with_name(path.name + ending) for ending in ("-wal", "-shm")]
    if path.exists():
        fold_log(path)
    for file in log_files:  # of a damaged or missing database: SQLite would read a log into the new one
        file.unlink(missing_ok=True)
    sync_path(new)
    new.replace(path)
    sync_path(path.parent)


def fold_log(path: Path) -> None:
    """Move the log of a database into its main file; a damaged one stays unchanged.

    Raises:
        DatabaseInUseError: another process has it open.
        OSError: it cannot be written.
    """
    try:
        with closing(sqlite3.connect(path, timeout=_WAIT, isolation_level=None)) as held:
            mode = str(held.execute("PRAGMA journal_mode=DELETE").fetchone()[0])
            if mode != "delete":
                raise DatabaseInUseError(path)
            held.execute("BEGIN EXCLUSIVE")
            held.execute("ROLLBACK")
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise DatabaseInUseError(path) from error
        raise OSError(f"{path}: {error}") from error
    except sqlite3.DatabaseError:
        return  # damaged: there is nothing to preserve


def sync_path(path: Path) -> None:
    """Flush a file, or the entries of a folder, to the disk; raises OSError."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
