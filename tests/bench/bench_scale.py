"""How time, memory and disk grow with nodes, claims and requests, and what that gives for ten and a hundred million.

    python -m tests.bench scale [--nodes 1000,10000,100000,1000000] [--claims 1000,10000,100000] [--ingest-most 100000]
                                [--memory 10] [--homes FOLDER] [--figures FILE]

Each step of each size runs in a process of its own (`scale_steps.py`), one after another; a progress line on standard
error says what it took. Up to `--ingest-most` nodes are Markdown files of 195 words that `brain ingest` reads; beyond
that the same notes are put into the store as rows. The search engine is the one that Brain chooses. The claims have a
formula of their own each. A step that needs more than `--memory` GB ends, and its figures say so; the following ones
of this size that depend on it are left out.

Times are CPU seconds: other programs make them longer, but not by much. The exponent is the slope of the least-squares
line on a log-log scale through all sizes: 1 is in proportion. `--figures` keeps the figures as JSON lines, and a step
that is in the file is not run again, so that a run which was stopped goes on; its homes must be kept with `--homes`.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from scale_tables import cost, rates, series, table

from api.brain import Brain
from api.settings import SHIPPED, Settings
from graph.search.index_files import LARGE

STEPS = Path(__file__).with_name("scale_steps.py")
NODES, CLAIMS = "nodes", "claims"
OF_NODES = (("notes", "ingest"), ("index", "requests", "one_more"))
OF_CLAIMS = ("claim_home", "verify", "claim_requests")
FIGURE_OF = {
    "ingest": "ingest, s", "rows": "rows, s", "index": "index, s", "requests": "start, s",
    "one_more": "one changed note, s", "claim_home": "claims, MB of disk", "verify": "verify, s",
    "claim_requests": "claim, ms",
}  # fmt: skip
"""The figure in whose place a table says that its step ended."""


class Outcome(NamedTuple):
    """What a step measured, or why it ended without."""

    kind: str
    size: int
    step: str
    figures: dict[str, float]
    failure: str = ""


def planned(nodes: Iterable[int], claims: Iterable[int], most: int) -> Iterator[tuple[str, int, str]]:
    """The steps by kind and size, in the order in which they run."""
    for size in nodes:
        made, asked = OF_NODES
        yield from ((NODES, size, step) for step in (*(made if size <= most else ("rows",)), *asked))
    for size in claims:
        yield from ((CLAIMS, size, step) for step in OF_CLAIMS)


def run(kind: str, size: int, step: str, home: Path, gigabytes: float) -> Outcome:
    """One step in a process of its own."""
    arguments = [sys.executable, str(STEPS), step, str(home), str(size), str(gigabytes)]
    begun, before = time.perf_counter(), os.times()
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    failure = "" if done.returncode == 0 else _why(done.returncode, done.stderr, gigabytes)
    figures = {} if failure else json.loads(done.stdout.splitlines()[-1])
    say = failure or ", ".join(f"{name} {value:,.2f}" for name, value in figures.items())
    wall, load = time.perf_counter() - begun, os.getloadavg()[0]
    print(
        f"{kind} {size:,} {step}: {spent:.1f} s CPU, {wall:.0f} s, load {load:.1f}; {say}", file=sys.stderr, flush=True
    )
    return Outcome(kind, size, step, figures, failure)


def _why(code: int, said: str, gigabytes: float) -> str:
    if "MemoryError" in said or "emory" in said[-300:] or code == -9:
        return f"needs more than {gigabytes:g} GB"
    print(said[-2000:], file=sys.stderr)
    return f"ended with exit code {code}"


def outcomes(given: argparse.Namespace, homes: Path) -> Iterator[Outcome]:
    """Every step, those that are in the file of figures from there."""
    known = {(one.kind, one.size, one.step): one for one in _kept(given.figures)}
    broken: set[tuple[str, int]] = set()
    for kind, size, step in planned(given.nodes, given.claims, given.ingest_most):
        folder = homes / f"{kind}-{size}"
        found = known.get((kind, size, step))
        if found is None and (kind, size) not in broken:
            found = run(kind, size, step, folder / "home", given.memory)
            if given.figures:
                with given.figures.open("a", encoding="utf-8") as out:
                    out.write(json.dumps(found._asdict()) + "\n")
        if found is not None:
            yield found
            broken |= {(kind, size)} if found.failure and step in {"ingest", "rows", "index", "claim_home"} else set()
        if given.homes is None and step in {"one_more", "claim_requests"}:
            shutil.rmtree(folder, ignore_errors=True)


def _kept(file: Path | None) -> list[Outcome]:
    if file is None or not file.exists():
        return []
    return [Outcome(**json.loads(line)) for line in file.read_text("utf-8").splitlines()]


def figures_of(done: Iterable[Outcome], kind: str) -> tuple[dict[int, dict[str, float]], dict[tuple[int, str], str]]:
    """The figures of a kind by size and name, and why some are missing."""
    found: dict[int, dict[str, float]] = {}
    failed = {}
    for one in done:
        if one.kind == kind:
            found.setdefault(one.size, {}).update(one.figures)
            failed |= {(one.size, FIGURE_OF[one.step]): one.failure} if one.failure else {}
    return found, failed


def main() -> None:
    """Measure, and print the tables."""
    given = _options()
    print(f"load {os.getloadavg()[0]:.1f} of {os.cpu_count()} cores\n", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        done = list(outcomes(given, given.homes or Path(folder)))
    nodes, no_nodes = figures_of(done, NODES)
    claims, no_claims = figures_of(done, CLAIMS)
    of_nodes, of_claims = series(nodes, LARGE), series(claims)
    print(
        f"search: whoosh up to {LARGE:,} nodes, tantivy beyond: exponents of the search are those of the larger sizes"
    )
    print(table("Nodes", "node", of_nodes, no_nodes))
    print(table("Claims", "claim", of_claims, no_claims))
    with tempfile.TemporaryDirectory() as folder, Brain.open(Settings(home=Path(folder))) as brain:
        brain.ingest([SHIPPED], at=datetime.now(UTC))
        print(cost(of_nodes, of_claims, rates(brain.prices.book())))


def _options() -> argparse.Namespace:
    def numbers(text: str) -> list[int]:
        return [int(one) for one in text.split(",") if int(one)]

    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--nodes", type=numbers, default=[1000, 10_000, 100_000, 1_000_000])
    options.add_argument("--claims", type=numbers, default=[1000, 10_000, 100_000])
    options.add_argument("--ingest-most", type=int, default=100_000, help="the most nodes that are ingested from files")
    options.add_argument("--memory", type=float, default=10, help="the most GB of memory of a step")
    options.add_argument("--homes", type=Path, help="where the homes are made, and kept")
    options.add_argument("--figures", type=Path, help="a file of JSON lines that keeps the figures")
    return options.parse_args()


if __name__ == "__main__":
    main()
