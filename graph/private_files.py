"""Files that only their owner may read, whatever the umask of the process."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock

OTHERS = 0o077
"""The permission bits of group and others."""


class _Umask:
    """The umask while private files are created; threads share it, so the last one restores it."""

    def __init__(self) -> None:
        self._lock, self._users, self._before = Lock(), 0, 0

    def enter(self) -> None:
        with self._lock:
            if self._users == 0:
                self._before = os.umask(OTHERS)
            self._users += 1

    def leave(self) -> None:
        with self._lock:
            self._users -= 1
            if self._users == 0:
                os.umask(self._before)


_UMASK = _Umask()


@contextmanager
def private_files() -> Iterator[None]:
    """Gives files created in the block mode 0600 and folders 0700, also those that libraries create."""
    _UMASK.enter()
    try:
        yield
    finally:
        _UMASK.leave()


def private_folder(path: Path) -> None:
    """Create a folder of mode 0700, unless it exists. Raises OSError if that fails."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)


def private_file(path: Path) -> None:
    """Create an empty file of mode 0600, unless it exists; if that fails, opening the file reports why."""
    # An existing file is not opened: closing it would drop the locks of this process on it, also those of SQLite.
    # Another process would then take itself for the last one and delete the write-ahead log.
    with suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def tighten(paths: Iterable[Path]) -> list[Path]:
    """Remove access of group and others to files, and to folders with their contents; returns where that failed."""
    return [one for path in paths for one in _tree(path) if not _tightened(one)]


def tighten_folder(path: Path) -> list[Path]:
    """Remove access of group and others to a folder, not to its contents; returns it if that failed."""
    return [] if _tightened(path) else [path]


def _tree(path: Path) -> Iterator[Path]:
    yield path
    if path.is_dir() and not path.is_symlink():
        for folder, folders, files in os.walk(path):
            yield from (Path(folder, name) for name in (*folders, *files))


def _tightened(path: Path) -> bool:
    try:
        mode = path.lstat().st_mode
        if mode & OTHERS and not stat.S_ISLNK(mode):
            path.chmod(stat.S_IMODE(mode) & ~OTHERS)
    except FileNotFoundError:
        return True  # another process has removed it
    except OSError:
        return False
    return True
