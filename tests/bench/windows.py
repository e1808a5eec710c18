"""Rates in windows of three seconds from the start of the service, with writes meanwhile, beside Datasette.

    python -m tests.bench.windows HOME [--datasette PROGRAM] [--seconds 180] [--svg FILE]

A copy of the home is served, with a note stored every 20 seconds. Each window asks one server for one kind of thing by
`wrk` with 16 connections, addresses that were never asked before: a node, a tag, a text, of Brain and of Datasette in
turn. `again` asks the first addresses of a kind once more. Printed are the rates of all windows, the worst against the
best, the percentiles, the most memory of the service, and how long each write took.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from tests.bench.peer import table, theirs

WINDOW, EVERY, TOKEN = 3, 20.0, "bench"
SCRIPT = """\
local paths, at = {}, 0
for line in io.lines("%s") do paths[#paths + 1] = line end
request = function()
  at = at %% #paths + 1
  return wrk.format("GET", paths[at])
end
done = function(s, l)
  print(string.format("figures %%d %%.0f %%d", s.requests, l:percentile(99),
    s.errors.status + s.errors.read + s.errors.timeout + s.errors.connect))
end
"""
MOST = 7_000
"""More addresses than a window asks."""


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def process(command: Sequence[str], port: int, path: str = "/") -> Iterator[tuple[str, int]]:
    """A server process; gives its address and its process id when it answers."""
    running = subprocess.Popen(
        command, env=_environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(3000):
            try:
                urllib.request.urlopen(address + path, timeout=5).read()
                break
            except OSError:
                if running.poll() is not None:
                    sys.exit(f"the server ended: {' '.join(command)}")
                time.sleep(0.02)
        yield address, running.pid
    finally:
        os.killpg(running.pid, signal.SIGTERM)
        running.wait(20)


def _environment() -> dict[str, str]:
    """The environment of a server: it finds this tree, and keeps compiled modules as an installed program does."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    compiled = Path(tempfile.gettempdir(), "brain-bench-compiled")
    return kept | {"PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONPYCACHEPREFIX": str(compiled)}


def peak(pid: int) -> int:
    """The most memory (RSS) of a process, in megabytes."""
    found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) // 1024 if found else 0


@contextmanager
def script(paths: Sequence[str]) -> Iterator[Path]:
    """A script for `wrk` that asks the paths in turn."""
    with tempfile.TemporaryDirectory() as folder:
        listed, asking = Path(folder, "paths"), Path(folder, "ask.lua")
        listed.write_text("\n".join(paths) + "\n")
        asking.write_text(SCRIPT % listed)
        yield asking


def addresses(home: Path) -> dict[str, Iterator[str]]:
    """Addresses of each kind without end, none twice: the same things with other limits.

    A text is two words of a title: one that nothing matches would be looked for in other ways too, which Datasette is not.
    """
    with sqlite3.connect(f"file:{home}/brain.db?mode=ro", uri=True) as db:
        ids = [row[0] for row in db.execute("SELECT id FROM nodes ORDER BY serial")]
        tags = [row[0] for row in db.execute("SELECT DISTINCT tag FROM node_tags ORDER BY tag")]
        titles = [re.findall(r"[a-z]{4,}", row[0]) for row in db.execute("SELECT title FROM nodes ORDER BY serial")]
    texts = sorted({"%20".join(pair) for words in titles for pair in itertools.combinations(words, 2)})
    chance = random.Random(1)
    for some in (ids, tags, texts):
        chance.shuffle(some)
    return {
        "node": itertools.chain(
            (f"/v1/nodes/{one}" for one in ids),
            (f"/v1/nodes/{one}?limit={most}" for most in itertools.count(1) for one in ids),
        ),
        "tag": (f"/v1/nodes?tag={quote(one)}&limit={most}" for most in itertools.count(20) for one in tags),
        "text": (f"/v1/nodes?q={one}&limit={most}" for most in itertools.count(20) for one in texts),
    }


def asked(address: str, paths: Sequence[str]) -> tuple[float, float, int]:
    """Requests a second, the 99th percentile in milliseconds and the errors of one window."""
    with script(paths) as asking:
        command = ["wrk", "-t1", "-c16", f"-d{WINDOW}s", "--timeout", "30s", "-s", str(asking), address]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    requests, late, wrong = re.findall(r"figures (\d+) (\d+) (\d+)", told)[0]
    return int(requests) / WINDOW, int(late) / 1000, int(wrong)


def write(address: str, number: int) -> float:
    """Store a note; the seconds that it took."""
    said = f"---\ntitle: Written {number}\nkind: reading\ntags: [written]\n---\nNote {number}.\n".encode()
    asked = urllib.request.Request(
        f"{address}/v1/documents?name=written-{number}.md&brain=written", said,
        {"Authorization": f"Bearer {TOKEN}", "Content-Type": "text/markdown"},
    )  # fmt: skip
    began = time.perf_counter()
    urllib.request.urlopen(asked, timeout=120).read()
    return time.perf_counter() - began


def drawn(rates: dict[tuple[str, str], list[tuple[float, float]]], file: Path) -> None:
    """The windows of Brain as lines over time, one for each kind, on a scale by tens."""
    colours = {"node": "#1a5fb4", "tag": "#26734d", "text": "#a04000"}
    most = max(at for windows in rates.values() for at, _ in windows) or 1
    top = max(rate for windows in rates.values() for _, rate in windows)
    lines = []
    for (kind, who), windows in rates.items():
        points = " ".join(f"{60 + 620 * at / most:.1f},{260 - 220 * rate / top:.1f}" for at, rate in windows)
        dash = "" if who == "Brain" else ' stroke-dasharray="4 4"'
        lines.append(f'<polyline points="{points}" fill="none" stroke="{colours[kind]}" stroke-width="2"{dash}/>')
        rate = windows[-1][1]
        lines.append(f'<text x="690" y="{264 - 220 * rate / top:.1f}" fill="{colours[kind]}">{kind}, {who}</text>')
    ticks = [f'<text x="8" y="{264 - 220 * part / 4:.0f}">{top * part / 4:,.0f}/s</text>' for part in range(5)]
    ticks += [f'<text x="{60 + 620 * part / 6:.0f}" y="284">{most * part / 6:.0f} s</text>' for part in range(7)]
    file.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 292" font-family="sans-serif" font-size="12">'
        '<rect width="860" height="292" fill="#fff"/>'
        f"{''.join(ticks)}{''.join(lines)}</svg>\n"
    )


def main() -> None:
    """Read the options, run and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("home", type=Path)
    options.add_argument("--datasette", default=shutil.which("datasette"))
    options.add_argument("--seconds", type=float, default=180.0)
    options.add_argument("--svg", type=Path)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        home, rows = Path(name, "home"), Path(name, "brain.db")
        shutil.copytree(given.home, home)
        port, other = free_port(), free_port()
        os.environ |= {"BRAIN_TOKEN": TOKEN, "BRAIN_OFFLINE": "1"}
        table(str(home), rows)
        brain = [sys.executable, "-c", "from api.cli.root import main; main()", "--home", str(home), "serve", "--port"]
        with (
            process([*brain, str(port)], port, "/readyz") as (ours, pid),
            process([given.datasette, "-i", str(rows), "-p", str(other)], other, "/-/versions.json") as (peer, _),
        ):
            run(ours, peer, pid, given.seconds, addresses(home), given.svg)


def run(ours: str, peer: str, pid: int, seconds: float, new: dict[str, Iterator[str]], svg: Path | None) -> None:
    """All windows."""
    rates: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    late: dict[str, list[float]] = defaultdict(list)
    writes: list[float] = []
    ended = threading.Event()

    def writing() -> None:
        while not ended.wait(EVERY):
            writes.append(write(ours, len(writes)))

    began, errors = time.monotonic(), 0
    writer = threading.Thread(target=writing)
    writer.start()
    while time.monotonic() - began < seconds:
        for kind, paths in new.items():
            some = list(itertools.islice(paths, MOST))
            same = theirs(kind, [one.partition("?limit=")[0] for one in some])
            for who, address, asking in (("Brain", ours, some), ("Datasette", peer, same)):
                at = time.monotonic() - began
                rate, percentile, wrong = asked(address, asking)
                rates[kind, who].append((at, rate))
                errors += wrong
                if who == "Brain":
                    late[kind].append(percentile)
    again = {kind: asked(ours, list(itertools.islice(paths, 50)))[0] for kind, paths in new.items()}
    ended.set()
    writer.join()
    for (kind, who), windows in rates.items():
        found = [rate for _, rate in windows]
        every = " ".join(f"{one:.0f}" for one in found)
        print(f"{kind:5} {who:10} best {max(found):7,.0f}/s  worst {min(found):7,.0f}/s  {every}")
    for kind, found in late.items():
        ratio = sum(one for _, one in rates[kind, "Brain"]) / sum(one for _, one in rates[kind, "Datasette"])
        print(f"{kind:5} {ratio:.2f} × Datasette; p99 {max(found):.0f} ms at most; again {again[kind]:,.0f}/s")
    print(f"writes: {' '.join(f'{one:.2f}' for one in writes)} s; memory {peak(pid)} MB; errors {errors}")
    if svg is not None:
        drawn(rates, svg)


if __name__ == "__main__":
    main()
