"""Starts the process that makes the map of a large brain again after a write (`derived_program.py`).

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

from graph.log_lines import log

AGAIN = 60.0
"""Seconds after which a process that failed is followed by another."""

_PROGRAM = "api.services.derived_program"
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
