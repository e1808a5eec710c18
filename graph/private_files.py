"""Files that only their owner may read: what a home holds is private, whatever the umask of the process is."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock

OTHERS = 0o077
"""The permission bits of the group and of everybody else."""


class _Umask:
    """The umask of the process while private files are made. Threads share it, so the last one sets it back."""

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
    """Files made inside get 0600 and folders 0700, also those that a library makes."""
    _UMASK.enter()
    try:
        yield
    finally:
        _UMASK.leave()


def private_folder(path: Path) -> None:
    """Make a folder that only its owner may open; one that is there stays as it is.

    Raises:
        OSError: it cannot be made.
    """
    path.mkdir(mode=0o700, parents=True, exist_ok=True)


def private_file(path: Path) -> None:
    """Make an empty file that only its owner may read; where that fails, opening the file will say why."""
    with suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))


def tighten(paths: Iterable[Path]) -> list[Path]:
    """Take files, and folders with all in them, from the group and others; gives those that stay open to them."""
    return [one for path in paths for one in _tree(path) if not _tightened(one)]


def tighten_folder(path: Path) -> list[Path]:
    """Take a folder from the group and others, without what is in it; gives it where that fails."""
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
