"""Makes the map of a large brain again after a write, in a process of its own that nobody waits for.

    write ─▶ start ─▶ process: lock ─▶ wait until nobody writes ─▶ make ─▶ table `derived` ─▶ still older? ─▶ end

One process at a time works for a home: it holds `derived.lock`, which the system frees when it ends or is killed, and
in PostgreSQL a lock of the database too. A process that fails leaves the map of before; the next write or reader of the
map starts another. The process is `python -m api.services.derived_process HOME`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from graph.log_lines import log

if TYPE_CHECKING:
    from graph.store import Store

AGAIN = 60.0
"""Seconds after which a process that failed is followed by another."""

_PROGRAM = "api.services.derived_process"
_ROOT = Path(__file__).parents[2]


class DerivedProcess:
    """Starts the process for a home; safe to share between threads."""

    def __init__(self, home: Path, db: str | None) -> None:
        self._home, self._db = home, db
        self._starting = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._begun = 0.0

    def start(self) -> None:
        """Start it and do not wait for it; nothing where this one works already, or the home cannot be written."""
        with self._starting:
            if self._rests() and os.access(self._home, os.W_OK):
                self._begun = time.monotonic()
                with suppress(OSError, RuntimeError):  # no room for a process or thread: the map stays as it is
                    self._process = _started(self._home, self._db)

    def _rests(self) -> bool:
        code = 0 if self._process is None else self._process.poll()
        return code == 0 or (code is not None and time.monotonic() - self._begun >= AGAIN)


def _started(home: Path, db: str | None) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(  # noqa: S603 - a fixed command: this interpreter, a module of ours
        [sys.executable, "-m", _PROGRAM, str(home.resolve())],
        cwd=_ROOT,
        env=os.environ | ({"BRAIN_DB": db} if db else {}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # an interrupt at the terminal is for who started it
    )
    threading.Thread(target=_await, args=(process,), daemon=True).start()  # else it would stay as a zombie
    return process


def _await(process: subprocess.Popen[bytes]) -> None:
    code = process.wait()
    if code:
        log("warning", "no new map", exit_code=code)


LOCK = "derived.lock"
"""Locked in the data directory while the program works."""

QUIET = 3.0
"""Seconds without a write after which it begins, so that one map follows many writes."""

LONGEST = 60.0
"""The most seconds for which it waits while others write."""

ROUNDS = 100
"""The most times that it makes the maps, one after another: the next write starts it again."""


def main(home: Path, quiet: float = QUIET) -> None:
    """Make what is older than the notes, again and again until nothing is; nothing where another one does."""
    if not home.is_dir():
        return
    with suppress(Timeout), FileLock(home / LOCK, timeout=0, mode=0o600):
        time.sleep(quiet)  # before anything is loaded: who started it is still at work
        _make(home, quiet)


def _make(home: Path, quiet: float) -> None:
    from api.brain import Brain  # noqa: PLC0415  # takes half a second
    from api.settings import Settings  # noqa: PLC0415  # as above
    from graph.store.database_engine import DERIVED  # noqa: PLC0415  # as above

    with Brain.open(Settings(home=home)) as brain, brain.store.lock(DERIVED) as ours:
        brain.store.after_commit.clear()  # it would start this program
        if not ours:
            return
        for _ in range(ROUNDS):
            older = [one for one in (brain, brain.for_reader(brain.brains.private())) if one.links.is_outdated()]
            if not older:
                return
            _wait_until_quiet(brain.store, quiet)
            for one in older:
                one.links.make_map()


def _wait_until_quiet(store: Store, quiet: float) -> None:
    end, version = time.monotonic() + LONGEST, -1
    while time.monotonic() < end and version != store.graph_version():
        version = store.graph_version()
        time.sleep(quiet)


if __name__ == "__main__":
    if hasattr(os, "nice"):  # not on Windows
        os.nice(10)
    main(Path(sys.argv[1]))
