"""The program that makes the map of a large brain again, and ends: python -m api.services.derived_program HOME."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

if TYPE_CHECKING:
    from graph.store import Store

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
