"""The process that makes the map of a large brain again after a write.

    write ─▶ start ─▶ process: lock ─▶ wait until nobody writes ─▶ make ─▶ table `derived` ─▶ still older? ─▶ end

One process at a time works for a home: it holds `derived.lock`, which the system frees when it ends or is killed, and
in PostgreSQL a lock of the database too. A process that fails leaves the map of before; the next write or reader of the
map starts another.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout

LOCK = "derived.lock"
"""Locked in the data directory while the process works."""

QUIET = 3.0
"""Seconds without a write after which it begins, so that one map follows many writes."""

LONGEST = 60.0
"""The most seconds for which it waits while others write."""

AGAIN = 60.0
"""Seconds after which a process that failed is followed by another."""

_ROOT = Path(__file__).parents[2]


class DerivedProcess:
    """Starts the process for a home; safe to share between threads."""

    def __init__(self, home: Path, db: str | None) -> None:
        self._home, self._db = home, db
        self._starting = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._begun = 0.0

    def start(self) -> None:
        """Start it and do not wait for it; nothing where one works already, or the home cannot be written."""
        with self._starting:
            if self._rests() and os.access(self._home, os.W_OK):
                self._begun = time.monotonic()
                with suppress(OSError):  # no room for a file or a process: the map stays as it is
                    self._process = None if _is_locked(self._home / LOCK) else _started(self._home, self._db)

    def _rests(self) -> bool:
        code = 0 if self._process is None else self._process.poll()
        return code == 0 or (code is not None and time.monotonic() - self._begun >= AGAIN)


def _is_locked(lock: Path) -> bool:
    try:
        with FileLock(lock, timeout=0, mode=0o600):
            return False
    except Timeout:
        return True


def _started(home: Path, db: str | None) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(  # noqa: S603 - a fixed command: this interpreter, this module
        [sys.executable, "-m", __name__, str(home.resolve())],
        cwd=_ROOT,
        env=os.environ | ({"BRAIN_DB": db} if db else {}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # an interrupt at the terminal is for who started it
    )
    threading.Thread(target=process.wait, daemon=True).start()  # else it would stay as a zombie
    return process


def main(home: Path, quiet: float = QUIET) -> None:
    """Make what is older than the notes, again and again until nothing is."""
    if not home.is_dir():
        return
    with suppress(Timeout), FileLock(home / LOCK, timeout=1, mode=0o600):
        time.sleep(quiet)  # before anything is loaded: who started it is still at work
        _make(home, quiet)


def _make(home: Path, quiet: float) -> None:
    from api.brain import Brain  # noqa: PLC0415  # takes half a second
    from api.settings import Settings  # noqa: PLC0415  # as above

    with Brain.open(Settings(home=home)) as brain, brain.store.derived.lock() as ours:
        brain.store.after_commit.clear()  # it would start this process
        while ours and (older := [one for one in (brain, brain.views.public()) if one.links.is_outdated()]):
            version, end = -1, time.monotonic() + LONGEST
            while version != (version := brain.store.graph_version()) and time.monotonic() < end:
                time.sleep(quiet)
            older[0].links.make_map()


if __name__ == "__main__":
    os.nice(10)
    main(Path(sys.argv[1]))
