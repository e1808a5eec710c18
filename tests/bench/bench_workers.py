"""Several processes against one: `verify`, `mine` and `record` of made-up brains, with equal results.

    python -m tests.bench workers [--claims 10000,100000,1000000] [--mine-mb 5] [--record 0] [--workers 2] [--seed 1]
                                  [--homes FOLDER] [--csv FILE]

A brain of so many claims, none with the formula of another, over the prices that ship; and one of notes, a third of whose
sentences state figures. Each command runs in a new process: once alone, once with workers, on copies of one data
directory. `CPU` is that of the process and of its workers together, so the difference is what the workers cost; `wall`
depends on what else the machine does. `on free cores` is the least wall time without other programs: the larger one of
the CPU of the calling process and of that of the busiest worker, with the start of the workers before. Memory is the peak
(RSS) of the calling process and of the largest worker. The benchmark ends with exit code 1 if a result differs in one
byte.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from worker_corpus import NOW, TODAY, claims_home, prose_home

from api.brain import Brain
from api.services.task_mapper import mapper
from api.settings import Settings
from graph.values import dumps

EVERY = 0.2
"""Seconds between two looks at the processes."""

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Watched:
    """The CPU seconds and the peak memory (MB) of a process and of those below it, by process id."""

    cpu: dict[int, float] = field(default_factory=dict)
    peak: dict[int, float] = field(default_factory=dict)

    def look(self, top: int) -> None:
        """Read /proc for the process `top` and all below it."""
        for pid in _family(top):
            with suppress(OSError, IndexError, ValueError):
                told = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                self.cpu[pid] = (int(told[11]) + int(told[12])) / TICKS
                status = Path(f"/proc/{pid}/status").read_text()
                self.peak[pid] = int(status.partition("VmHWM:")[2].split()[0]) / 1024


def _family(top: int) -> list[int]:
    parents: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, IndexError, ValueError):
            parent = int(path.read_text().rpartition(")")[2].split()[1])
            parents.setdefault(parent, []).append(int(path.parent.name))
    found = [top]
    for one in found:
        found += parents.get(one, [])
    return found


def measured(command: str, home: Path, workers: int) -> dict[str, Any]:
    """One command in a new process, with the figures of it and of its workers."""
    arguments = [sys.executable, __file__, "--inside", command, "--homes", str(home), "--workers", str(workers)]
    watched, begin = Watched(), time.perf_counter()
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as running:
        over = threading.Event()

        def watch() -> None:
            while not over.wait(EVERY):
                watched.look(running.pid)

        watcher = threading.Thread(target=watch)
        watcher.start()
        out = running.stdout.read() if running.stdout else ""
        over.set()
        watcher.join()
        _, status, use = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
    if running.returncode:
        raise SystemExit(running.returncode)
    own = watched.cpu.pop(running.pid, 0.0)
    peak = watched.peak.pop(running.pid, 0.0)
    return {
        "wall": time.perf_counter() - begin,
        "cpu": use.ru_utime + use.ru_stime,
        "caller": own,
        "busiest": max(watched.cpu.values(), default=0.0),
        "peak": peak,
        "worker_peak": max(watched.peak.values(), default=0.0),
        **json.loads(out),
    }


# ---- inside the measured process


def inside(command: str, home: Path, workers: int) -> None:
    """Run a command, and print as JSON what it made."""
    begin = time.perf_counter()
    with mapper(workers or None) as processes, Brain.open(Settings(home=home), mapper=processes) as brain:
        ready = time.perf_counter() - begin
        digest = COMMANDS[command](brain)
        told = {"started": ready, "digest": digest}
    sys.stdout.write(json.dumps(told))


def _verify(brain: Brain) -> str:
    brain.verify(TODAY, at=NOW, clock=lambda: NOW)
    made = hashlib.sha256()
    with sqlite3.connect(brain.settings.home / "brain.db") as connection:
        for table in ("runs", "snapshots", "verdicts"):
            for row in connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2"):
                made.update(repr(row).encode())
    return made.hexdigest()


def _report(brain: Brain) -> str:
    run = brain.evaluator.append(TODAY, at=NOW, clock=lambda: NOW)
    return hashlib.sha256(dumps(brain.reports.report(run)).encode()).hexdigest()


def _record(brain: Brain) -> str:
    return hashlib.sha256(dumps(list(brain.record.lives(TODAY))).encode()).hexdigest()


def _mine(brain: Brain) -> str:
    return hashlib.sha256(dumps(brain.mining.statements((), TODAY)).encode()).hexdigest()


COMMANDS: dict[str, Callable[[Brain], str]] = {"verify": _verify, "report": _report, "record": _record, "mine": _mine}
"""`verify` appends a run; `report` also makes the report that the command prints."""


# ---- the table

COLUMNS = (
    ("command", "{}"), ("size", "{}"), ("processes", "{}"), ("wall", "{:.1f} s"), ("cpu", "{:.1f} s"),
    ("caller", "{:.1f} s"), ("busiest", "{:.1f} s"), ("free", "{:.1f} s"), ("peak", "{:.0f} MB"),
    ("worker_peak", "{:.0f} MB"), ("equal", "{}"),
)  # fmt: skip
HEADS = (
    "command", "size", "processes", "wall", "CPU, all", "CPU, caller", "CPU, busiest worker", "on free cores",
    "memory, caller", "memory, worker", "equal",
)  # fmt: skip


def compare(command: str, size: str, home: Path, workers: int, file: Path | None) -> bool:
    """Print a line for one process and one for the workers; whether both made the same."""
    found = []
    for count in (0, workers):
        with tempfile.TemporaryDirectory(dir=home.parent) as folder:
            copy = shutil.copytree(home, Path(folder) / "home")
            told = measured(command, copy, count)
        found.append(told)
        told |= {"command": command, "size": size, "processes": f"1 + {count}" if count else "1"}
        told["free"] = told["cpu"] if not count else max(told["caller"], told["busiest"])
        told["equal"] = "" if not count else "yes" if told["digest"] == found[0]["digest"] else "NO"
        print("| " + " | ".join(form.format(told[name]) for name, form in COLUMNS) + " |", flush=True)
        if file:
            with file.open("a", encoding="utf-8", newline="") as out:
                csv.DictWriter(out, [name for name, _ in COLUMNS], extrasaction="ignore").writerow(told)
    return bool(found[0]["digest"] == found[1]["digest"])


def main() -> int:
    """Exit code 1 if a result of workers differs."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--claims", default="10000,100000,1000000", help="numbers of claims to verify; 0 for none")
    options.add_argument("--report", default="0", help="numbers of claims to verify and to report on")
    options.add_argument("--record", default="0", help="numbers of claims whose life lines are computed")
    options.add_argument("--mine-mb", type=float, default=5, help="megabytes of prose to mine; 0 for none")
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--homes", type=Path, help="where the data directories are made, and kept for the next time")
    options.add_argument("--csv", type=Path, help="also append the figures to this file")
    options.add_argument("--inside", choices=COMMANDS, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.inside:
        inside(given.inside, given.homes, given.workers)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        return 0 if all(_lines(given, given.homes or Path(folder))) else 1


def _lines(given: argparse.Namespace, homes: Path) -> list[bool]:
    print(f"{given.workers} workers, seed {given.seed}, load {os.getloadavg()[0]:.1f} of {os.cpu_count()} cores\n")
    print(f"| {' | '.join(HEADS)} |\n|{'---|' * len(HEADS)}", flush=True)
    same = []
    for command in ("verify", "report", "record"):
        for count in filter(None, map(int, getattr(given, {"verify": "claims"}.get(command, command)).split(","))):
            home = _made(homes / f"claims-{count}-{given.seed}", lambda home, n=count: claims_home(home, n, given.seed))
            same.append(compare(command, f"{count:,} claims", home, given.workers, given.csv))
    if given.mine_mb:
        size = round(given.mine_mb * 1e6)
        home = _made(homes / f"prose-{size}-{given.seed}", lambda home: prose_home(home, size, given.seed))
        same.append(compare("mine", f"{given.mine_mb:g} MB", home, given.workers, given.csv))
    return same


def _made(home: Path, make: Callable[[Path], None]) -> Path:
    if not home.exists():
        part = home.with_name(home.name + ".part")
        make(part)
        part.rename(home)
    return home


if __name__ == "__main__":
    sys.exit(main())
