"""What the record costs: the life lines of all shipped claims over the full price history, and the record by each field.

Usage: bench_record.py

Everything runs in one process on a new home; seconds of the processor.
"""

from __future__ import annotations

import sys
import tempfile
import time
from datetime import UTC, date, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from api.brain import Brain
from api.settings import Settings
from compute.record.record import GroupField

TODAY = date(2026, 11, 21)


def timed(words, work):
    """Print how long a piece of work takes, and give its result."""
    start = time.process_time()
    found = work()
    print(f"{words:44} {time.process_time() - start:6.2f} s")
    return found


def main():
    with tempfile.TemporaryDirectory() as folder, Brain.open(Settings(home=Path(folder))) as brain:
        at = datetime(2026, 11, 21, 5, tzinfo=UTC)
        brain.ingest([], at=at, shipped=True)
        borders = len(brain.prices.book().borders())
        lives = timed("life lines, nothing cached", lambda: brain.record.lives(TODAY))
        print(f"{len(lives)} claims, {borders} days on which an input may change")
        brain.verify(TODAY, at=at, clock=lambda: at)
        timed("life lines after a night (same prices)", lambda: brain.record.lives(TODAY))
        for by in (None, *GroupField):
            timed(f"record by {by.value if by else 'nothing'}", lambda by=by: brain.record.record(TODAY, by=by))


if __name__ == "__main__":
    main()
