"""How many requests a second the API answers, compared with a bare FastAPI handler that returns the same bytes.

    bench_http.py [HOME]        HOME holds a brain; without one the content that ships is read into a fresh one

Two figures for each request: *cached*, the same addresses again and again, and *first*, every address for the first time.
"""

from __future__ import annotations

import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).parents[2]))

import uvicorn
from fastapi import FastAPI, Response
from load import body, free_port, rate, server

from api.brain import Brain
from api.http.app import build
from api.settings import Settings

SECONDS = 5.0


def serve_brain(home: str, port: int) -> None:
    """The service, one worker."""
    with Brain.open(Settings(home=Path(home))) as brain:
        uvicorn.run(build(brain), host="127.0.0.1", port=port, access_log=False, log_level="error")


def serve_bare(file: str, port: int) -> None:
    """One async handler that returns the bytes of a file."""
    app, told = FastAPI(), Path(file).read_bytes()

    @app.get("/")
    async def handler() -> Response:
        return Response(told, media_type="application/json")

    uvicorn.run(app, host="127.0.0.1", port=port, access_log=False, log_level="error")


def brain_server(home: str, port: int):
    """The service as a process."""
    return server([sys.executable, __file__, "brain", home, str(port)], port, "/healthz")


def bare_rate(told: bytes) -> float:
    """What a bare handler reaches with these bytes."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(told)
        file.flush()
        port = free_port()
        with server([sys.executable, __file__, "bare", file.name, str(port)], port) as address:
            return rate(address, ["/"], SECONDS)


def questions(home: str) -> dict[str, list[str]]:
    """Addresses by the kind of request: nodes with a tag, one node, a text search."""
    with Brain.open(Settings(home=Path(home))) as brain:
        tags = [one.value for one in brain.tags.all() if one.count > 1]
        cards = list(brain.index_feed.cards())
        brain.search.refresh()
    titles = [[word for word in card.title.split() if word.isalpha() and len(word) > 4] for card in cards]
    pairs = list(dict.fromkeys(" ".join(words[:2]) for words in titles if len(words) > 1))
    return {
        "tag": [f"/v1/nodes?tag={quote(tag)}&limit=20" for tag in tags],
        "node": [f"/v1/nodes/{card.id}" for card in cards],
        "text": [f"/v1/nodes?q={quote(pair)}&limit=20" for pair in pairs[:300]],
    }


def first_rate(address: str, paths: list[str]) -> float:
    """Requests a second where each address is requested once, by several connections."""
    fresh = [f"{path}{'&' if '?' in path else '?'}never={number}" for number in range(40) for path in paths]
    return rate(address, fresh, SECONDS, warm=0)


def shipped(folder: str) -> str:
    """A home with the content that ships, verified."""
    now = datetime.now(UTC)
    with Brain.open(Settings(home=Path(folder))) as brain:
        brain.ingest([], at=now, shipped=True)
        brain.verify(now.date(), at=now, clock=lambda: datetime.now(UTC))
    return folder


def main(home: str) -> None:
    """Print the figures."""
    asked, port = questions(home), free_port()
    print(f"{'request':8} {'bytes':>8} {'bare/s':>9} {'kept/s':>9} {'share':>6} {'first/s':>9}")
    for name, paths in asked.items():
        with brain_server(home, port) as address:
            told = body(address, paths[0])
            first = first_rate(address, paths)
            kept = rate(address, paths[:1], SECONDS)
        bare = bare_rate(told)
        print(f"{name:8} {len(told):8,} {bare:9,.0f} {kept:9,.0f} {kept / bare:6.0%} {first:9,.0f}", flush=True)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["brain", home, port]:
            serve_brain(home, int(port))
        case ["bare", file, port]:
            serve_bare(file, int(port))
        case [home]:
            main(home)
        case _:
            with tempfile.TemporaryDirectory() as folder:
                main(shipped(folder))
