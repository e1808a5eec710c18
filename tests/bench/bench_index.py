"""An ingest with its search index, as `brain ingest` does it. Prints figures, asserts nothing.

    python tests/bench/bench_index.py [NOTES]

The words follow Zipf's law over 30,000 of them, as in prose: how many different words there are decides what an index
costs. CPU seconds are of this process alone, so another program on the machine changes them little.
"""

from __future__ import annotations

import gc
import itertools
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from api.brain import Brain
from api.cli.root import RARELY
from api.settings import Settings
from graph.models.query_models import NodeQuery

NOW = datetime(2026, 3, 4, tzinfo=UTC)
VOCABULARY = 30_000
LENGTH = 195
"""Words in a note."""


def texts(count: int) -> Iterator[str]:
    """Notes with front matter, each with a link to another one."""
    chance = random.Random(1)
    syllables = ["".join(pair) for pair in itertools.product("bcdfglmnprstv", "aeiou")]
    words = ["".join(chance.choices(syllables, k=chance.randint(2, 4))) for _ in range(VOCABULARY)]
    weights = list(itertools.accumulate(1 / (rank + 1) for rank in range(VOCABULARY)))
    for number in range(count):
        body = " ".join(chance.choices(words, cum_weights=weights, k=LENGTH))
        yield (
            f"---\ntitle: Note {number}\nkind: reading\ntags: [tides, quay]\n---\n"
            f"{body}. See [[note-{chance.randrange(count)}]].\n"
        )


def timed(name: str, notes: int, work: Callable[[], object]) -> None:
    """Print what a step takes."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{name:40}{wall:8.1f} s{cpu:8.1f} s CPU{notes / cpu:10,.0f} notes/s{most:8} MB at most", flush=True)


def main(count: int) -> None:
    """One line for each step."""
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder) / "notes"
        notes.mkdir()
        for number, text in enumerate(texts(count)):
            (notes / f"note-{number}.md").write_text(text)
        with Brain.open(Settings(home=Path(folder) / "home")) as brain:
            timed("ingest", count, lambda: brain.ingest([notes], at=NOW))
            timed("index", count, brain.index)
        with Brain.open(Settings(home=Path(folder) / "home")) as brain:
            timed("first search", 1, lambda: brain.find("note", NodeQuery(limit=20)))
            changed = notes / "note-0.md"
            changed.write_text(changed.read_text() + "One word more.\n")
            timed("ingest of one note", 1, lambda: brain.ingest([changed], at=NOW))
            timed("index of one note", 1, brain.index)


if __name__ == "__main__":
    gc.set_threshold(*RARELY)  # as the program does
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
