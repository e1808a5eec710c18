"""The program that makes the map of a large brain again, and ends: python -m api.services.derived_program HOME."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout

LOCK = "derived.lock"
"""Locked in the data directory while the program works."""

QUIET = 3.0
"""Seconds without a write after which it begins, so that one map follows many writes."""

LONGEST = 60.0
"""The most seconds for which it waits while others write."""

ROUNDS = 100
"""The most maps that it makes, one after another: the next write starts it again."""


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

    with Brain.open(Settings(home=home)) as brain, brain.store.derived.lock() as ours:
        brain.store.after_commit.clear()  # it would start this program
        for _ in range(ROUNDS if ours else 0):
            older = [one for one in (brain, brain.views.public()) if one.links.is_outdated()]
            if not older:
                return
            version, end = -1, time.monotonic() + LONGEST
            while version != (version := brain.store.graph_version()) and time.monotonic() < end:
                time.sleep(quiet)
            older[0].links.make_map()


if __name__ == "__main__":
    os.nice(10)
    main(Path(sys.argv[1]))
