"""How time, memory and disk grow with the number of nodes, and what that gives for ten and a hundred million.

    python -m tests.bench scale [NODES …]       1000, 4000 and 16000 by default

Each size runs in a process of its own, once for each engine: notes of 195 words are ingested and indexed; then nodes,
tags and texts are asked for, each once, inside the process. Times are CPU seconds. The slope of a figure is that of the least-squares line through all sizes.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np
from corpus import questions, write_notes

from api.brain import Brain
from api.settings import SHIPPED, Settings
from graph.models.query_models import NodeQuery

GIGABYTE = 1e9
FAR = (10_000_000, 100_000_000)


def cpu(work: Callable[[], object]) -> float:
    """CPU seconds of a step."""
    start = time.process_time()
    work()
    return time.process_time() - start


def bytes_of(paths: Iterable[Path]) -> int:
    """The size of files, also of those in folders."""
    return sum(path.stat().st_size for top in paths for path in (top, *top.rglob("*")) if path.is_file())


def one_size(count: int, engine: str) -> dict[str, float]:
    """The figures of one size."""
    asked = questions(count, 200)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        notes, settings = write_notes(count, folder / "notes"), Settings(home=folder / "home", search=engine)
        with Brain.open(settings) as brain:
            found = {"ingest, s": cpu(lambda: brain.ingest([notes], at=datetime.now(UTC)))}
            found["index, s"] = cpu(brain.index)
        with Brain.open(settings) as brain:
            found["open the search, s"] = cpu(brain.search.refresh)
            kinds: dict[str, Callable[[str], object]] = {
                "node": lambda slug: brain.node(f"notes/{slug}"),
                "tag": lambda tag: brain.find("", NodeQuery(tags=(tag,), limit=20)),
                "text": lambda text: brain.find(text, NodeQuery(limit=20)),
            }
            for kind, ask in kinds.items():
                ask(asked[kind][0])
                rest = asked[kind][1:]
                found[f"{kind}, ms"] = 1000 * cpu(lambda ask=ask, rest=rest: [ask(one) for one in rest]) / len(rest)
        found["store, MB"] = bytes_of(folder.glob("home/brain.db*")) / 1e6
        found["search index, MB"] = bytes_of([folder / "home/index"]) / 1e6
    found["memory at most, MB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return found


def claims() -> dict[str, float]:
    """The figures of the claims that ship: one run."""
    with tempfile.TemporaryDirectory() as name, Brain.open(Settings(home=Path(name))) as brain:
        now = datetime.now(UTC)
        brain.ingest([SHIPPED], at=now)
        before = bytes_of(Path(name).glob("brain.db*"))
        seconds = cpu(lambda: brain.verify(date(2026, 11, 1), at=now, clock=lambda: now))
        count = brain.claims.count()
        return {
            "claims": count,
            "first run, ms a claim": 1000 * seconds / count,
            "ledger, kB a claim": (bytes_of(Path(name).glob("brain.db*")) - before) / 1000 / count,
        }


def measured(*arguments: str) -> dict[str, float]:
    """The figures of a process of its own."""
    command = [sys.executable, __file__, *arguments]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found: dict[str, float] = json.loads(told)
    return found


def main(sizes: list[int]) -> None:
    """Print the tables."""
    for engine in ("whoosh", "tantivy"):
        rows = [measured("size", str(size), engine) for size in sizes]
        print(
            f"\n{engine}\n\n| figure | {' | '.join(f'{size:,}' for size in sizes)} | slope, a million nodes |", end=""
        )
        print("".join(f" at {far:,} |" for far in FAR))
        print("|---|" + "---|" * (len(sizes) + 1 + len(FAR)))
        for name in rows[0]:
            slope, start = np.polyfit(sizes, [row[name] for row in rows], 1)
            cells = [f"{row[name]:,.2f}" for row in rows]
            far = [f"{start + slope * one:,.0f}" for one in FAR]
            print(f"| {name} | {' | '.join(cells)} | {1e6 * slope:,.0f} | {' | '.join(far)} |", flush=True)
    print("\n| figure | value |\n|---|---|")
    for name, value in measured("claims").items():
        print(f"| {name} | {value:,.2f} |")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["size", count, engine]:
            print(json.dumps(one_size(int(count), engine)))
        case ["claims"]:
            print(json.dumps(claims()))
        case given:
            main([int(one) for one in given] or [1000, 4000, 16_000])
