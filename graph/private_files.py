"""Files that only their owner may read, whatever the umask of the process."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock

OTHERS = 0o077  # the permission bits of group and others


_LOCK = Lock()
_BEFORE: list[int] = []
"""The umask before each open block, that of the process first; threads share it, so the last block restores it."""


@contextmanager
def private_files() -> Iterator[None]:
    """Gives new files mode 0600 and folders 0700, also those of libraries."""
    with _LOCK:
        _BEFORE.append(os.umask(OTHERS))
    try:
        yield
    finally:
        with _LOCK:
            before = _BEFORE.pop()
            if not _BEFORE:
                os.umask(before)


def private_folder(path: Path) -> None:
    """Create a folder of mode 0700, unless it exists. Raises OSError."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)


def private_file(path: Path) -> None:
    """Create an empty file of mode 0600, unless it exists."""
    # An existing file is not opened: closing it would drop the locks of this process on it, also those of SQLite.
    # Another process would then take itself for the last one and delete the write-ahead log. Opening reports errors.
    with suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def tighten(paths: Iterable[Path]) -> list[Path]:
    """Remove others' access to files, and to folders with their contents; returns failures."""
    return [one for path in paths for one in _tree(path) if not _tightened(one)]


def tighten_folder(path: Path) -> list[Path]:
    """Remove others' access to a folder without its contents; returns it on failure."""
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
