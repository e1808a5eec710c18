"""First answers: every address asked once, of Brain and of Datasette on the same rows, in one run.

    bench_first.py [--datasette PROGRAM] [--rounds N] [--homes FOLDER] [SIZE …]       sizes 163 and 20000 by default

Each round starts both servers with empty caches and asks each address once by `wrk` with 32 connections. A line has the
best round of each. `CPU` is what the server process used for one request in user and system mode: another program on
the machine changes it little. `RSS` is the most memory of the process. Datasette is installed separately; it answers SQL
over a table of the same rows with an index on tags and FTS5, and counts no facets, which the API does. `Floor` is
FastAPI and uvicorn alone: a route with two parameters that answers as many bytes as Brain does, from memory. `--homes`
keeps the homes for another time. The second line says how long the service takes until it is ready, and its first page.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).parents[2]))

import uvicorn
from bench_datasette import table, theirs
from corpus import questions, write_notes
from fastapi import FastAPI, Response
from load import Load, body, free_port, once, process, used

from api.brain import Brain
from api.settings import Settings

MOST = 2000
"""The most addresses of a kind."""

AT_REST = 0.005
"""The most seconds of CPU that a server uses in a second when it has nothing to do."""


class Figures(NamedTuple):
    """The best round of a server for one kind of request."""

    load: Load
    cpu: float
    """Milliseconds of CPU for one request."""
    memory: int
    """Megabytes at most."""


def home(count: int, folder: Path) -> Path:
    """A home with made-up notes and its search index."""
    if (folder / "home/brain.db").exists():
        return folder / "home"
    with Brain.open(Settings(home=folder / "home")) as brain:
        brain.ingest([write_notes(count, folder / "notes")], at=datetime.now(UTC))
        brain.index()
    return folder / "home"


def addresses(count: int) -> dict[str, list[str]]:
    """The addresses of each kind, each once."""
    asked = questions(count, MOST)
    return {
        "node": [f"/v1/nodes/notes/{slug}" for slug in asked["node"]],
        "tag": [f"/v1/nodes?tag={quote(tag)}&limit=20" for tag in asked["tag"]],
        "text": [f"/v1/nodes?q={quote(text)}&limit=20" for text in asked["text"]],
    }


def measured(command: Sequence[str], ready: str, paths: Sequence[str]) -> Figures:
    """One round on a server that has just started."""
    port = free_port()
    with process([*command, str(port)], port, ready) as (address, pid):
        before = used(pid)
        load = once(address, paths)
        after = used(pid)
        return Figures(load, 1000 * (after.cpu - before.cpu) / max(1, load.requests), after.peak)


def brain_command(folder: Path) -> list[str]:
    """The service as users start it."""
    return [sys.executable, "-c", "from api.cli.root import main; main()", "--home", str(folder), "serve", "--port"]


def best(rounds: int, command: Sequence[str], ready: str, paths: Sequence[str]) -> Figures:
    """The best of several rounds, by CPU."""
    return min((measured(command, ready, paths) for _ in range(rounds)), key=lambda one: one.cpu)


def line(name: str, who: str, one: Figures) -> str:
    """A row of the table."""
    load = one.load
    return (
        f"{name:6}{who:11}{load.requests:6}{load.rate:9,.0f}/s{load.p50:8.1f}{load.p99:8.1f} ms"
        f"{one.cpu:8.2f} ms CPU{one.memory:6} MB{'' if not load.errors else f'  {load.errors} ERRORS'}"
    )


def floor_command(folder: Path, command: Sequence[str], path: str) -> list[str]:
    """A service of FastAPI alone that answers as many bytes as another one does at a path."""
    port, file = free_port(), folder / "answer"
    with process([*command, str(port)], port, "/readyz") as (address, _pid):
        file.write_bytes(body(address, path))
    return [sys.executable, __file__, "floor", str(file)]


def serve_floor(file: Path, port: int) -> None:
    """Answer every address with the bytes of a file, by a handler in a thread as FastAPI runs it."""
    said = file.read_bytes()
    app = FastAPI(openapi_url=None)

    @app.get("/{first}/{rest:path}")
    def answered(first: str, rest: str, limit: int = 100) -> Response:  # parameters cost time too
        return Response(said, media_type="application/json")

    uvicorn.run(app, port=port, log_level="warning", access_log=False)


def started(command: Sequence[str], slug: str) -> str:
    """How long the service takes until it is ready and for its first pages, with its memory."""
    port, told, begun = free_port(), [], time.perf_counter()
    with process([*command, str(port)], port, "/readyz") as (address, pid):
        for path in ("", f"/v1/nodes/notes/{slug}", f"/nodes/notes/{slug}", "/"):
            before = used(pid).cpu if path else 0.0
            begun = time.perf_counter() if path else begun
            if path:
                body(address, path)
            now = used(pid)
            told.append(
                f"{path or 'ready'} {time.perf_counter() - begun:.2f} s, {now.cpu - before:.2f} s CPU, {now.peak} MB"
            )
        while (now := used(pid)).cpu > before + AT_REST:
            before = now.cpu
            time.sleep(1.0)
        told.append(f"at rest {now.peak} MB at most")
    return "; ".join(told)


def compare(count: int, datasette: str | None, rounds: int, homes: Path | None) -> None:
    """Print the figures of one size."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) if homes is None else homes / f"h{count}"
        folder.mkdir(parents=True, exist_ok=True)
        ours, file = home(count, folder), folder / "brain.db"
        if datasette and not file.exists():
            table(str(ours), file)
        print(f"{count:,} nodes; load of the machine {os.getloadavg()[0]:.1f}", flush=True)
        started(brain_command(ours), questions(count, 1)["node"][0])  # compiles the modules, once
        print(started(brain_command(ours), questions(count, 1)["node"][0]), flush=True)
        for kind, paths in addresses(count).items():
            own = best(rounds, brain_command(ours), "/readyz", paths)
            print(line(kind, "Brain", own), flush=True)
            least = best(rounds, floor_command(Path(name), brain_command(ours), paths[0]), paths[0], paths)
            print(line(kind, "Floor", least), flush=True)
            if datasette:
                command = [datasette, "-i", str(file), "-p"]
                other = best(rounds, command, "/-/versions.json", theirs(kind, paths))
                print(line(kind, "Datasette", other))
                print(f"{kind:6}{'ratio':11}{own.load.rate / other.load.rate:15.1f} ×{other.cpu / own.cpu:27.1f} × CPU")


def main() -> None:
    """Read the options."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--datasette", default=shutil.which("datasette"))
    options.add_argument("--rounds", type=int, default=2)
    options.add_argument("--homes", type=Path)
    options.add_argument("sizes", nargs="*", type=int, default=[163, 20_000])
    given = options.parse_args()
    for size in given.sizes:
        compare(size, given.datasette, given.rounds, given.homes)


if __name__ == "__main__":
    if sys.argv[1:2] == ["floor"]:
        serve_floor(Path(sys.argv[2]), int(sys.argv[3]))
    else:
        main()
