"""A temporary folder, removed at the end; the next process removes that of a killed one.

.b.zip.1f2e3d4c.part/       the folder, next to what is made of it, so that a file in it moves into place atomically
.b.zip.1f2e3d4c.part/lock   locked by the process that uses it; the system frees the lock when the process ends
"""

from __future__ import annotations

import re
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

_LOCK = "lock"
_NEW = ".new"
_MADE_WITHIN = 60  # seconds within which a process locks and renames its new folder


@contextmanager
def scratch_folder(parent: Path, name: str, ending: str = "") -> Iterator[Path]:
    """A private folder in `parent`, removed at the end. Raises OSError."""
    folder = parent / f"{name}{secrets.token_hex(4)}{ending}"
    fresh = folder.with_name(folder.name + _NEW)
    try:
        fresh.mkdir(mode=0o700)
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(parent)) from error  # under the name that the user gave
    lock = FileLock(fresh / _LOCK, mode=0o600)
    try:
        lock.acquire(timeout=0)
        fresh.rename(folder)  # locked before it is renamed, so no process removes it as abandoned
        yield folder
    finally:
        lock.release()
        for path in (fresh, folder):
            shutil.rmtree(path, ignore_errors=True)


def remove_left(parent: Path, name: str = "", ending: str = "") -> None:
    """Remove scratch folders of ended processes; without a name, all hidden ones with a lock."""
    ours = re.compile(rf"{re.escape(name) or r'[.].+[.]'}[0-9a-f]{{8}}{re.escape(ending)}(?:{re.escape(_NEW)})?")
    with suppress(OSError):
        for path in sorted(parent.iterdir()):
            left = ours.fullmatch(path.name) and path.is_dir() and not path.is_symlink()
            if left and _is_left(path, named=bool(name)):
                shutil.rmtree(path, ignore_errors=True)


def _is_left(path: Path, *, named: bool) -> bool:
    if path.name.endswith(_NEW):
        return time.time() - path.stat().st_mtime > _MADE_WITHIN
    if not (path / _LOCK).exists():
        return named  # else it may be of another program
    try:
        with FileLock(path / _LOCK, timeout=0):
            return True
    except Timeout:
        return False
