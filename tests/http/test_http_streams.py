"""Answers sent piece by piece: clients that hang up or read nothing leave nothing behind; HEAD makes nothing."""

import asyncio
import ctypes
import gc
import multiprocessing
import os
import random
import socket
import struct
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

from api.brain import Brain
from api.http.middleware.http_cache import EXPORTS as AT_ONCE
from api.http.responses import request_context
from api.http.responses.request_context import Stream
from api.http.routes import price_routes
from api.http.routes.price_routes import EXPORTED
from api.services import exports
from api.settings import Settings
from graph.store.database_engine import IDLE_CONNECTIONS, MOST_CONNECTIONS
from tests.web_client import application, running

NODE = "/nodes/analyst/caching-and-batch-stack"
PATHS = (
    *(f"/v1/export?format={form}" for form in EXPORTED.split()[::5]),  # each takes a process
    *(f"/v1{NODE}?format={form}" for form in ("json", "turtle", "jsonld", "ntriples")),
    *(
        "/feed.atom",
        "/feed.json",
        "/v1/runs/1",
        "/v1/nodes?limit=1000",
        "/v1/claims?format=csv&limit=1000",
        NODE,
        "/graph",
    ),
    f"/sparql?query={quote('SELECT * { ?s ?p ?o } LIMIT 5000')}",
    f"/sparql?query={quote('CONSTRUCT WHERE { ?s ?p ?o } LIMIT 5000')}",
)
"""Every kind of answer that takes a while to send."""
GROWTH = 48 * 2**20
"""Bytes by which the memory of the process may grow: less than half of what the cache of answers alone may take."""


@pytest.fixture
def address(part_home):
    with _service(part_home) as (found, _):
        yield found


@contextmanager
def _service(home):
    with Brain.open(Settings(home=home)) as brain, running(application(brain)) as address:
        yield address, brain


@pytest.mark.slow
def test_clients_that_hang_up_leave_no_connection_file_or_memory_behind(part_home):
    """In a process of its own: the memory of a process that ran a thousand tests says nothing about one of them."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as processes:
        grown = processes.submit(_grown_after, part_home, 20).result(timeout=300)
    assert grown < GROWTH


def _grown_after(home, clients):
    """The bytes by which this process grew while `clients` hung up on a service over `home`."""
    with _service(home) as (address, brain):
        for path in PATHS:
            assert httpx.get(address + path, timeout=120).status_code == 200
        with ThreadPoolExecutor(4) as threads:  # both workers of SPARQL start, each with a socket
            list(threads.map(lambda path: httpx.get(address + path, timeout=120), PATHS[-2:] * 2))
        _hang_up(address, 10, seed=1)
        eventually(lambda: _used(brain) <= 1)
        before = _open_files(), _resident()
        _hang_up(address, clients, seed=2)
        eventually(lambda: _used(brain) <= 1, "a database connection is still in use")
        assert brain.store.engine.pool.checkedin() <= IDLE_CONNECTIONS
        eventually(lambda: _open_files() <= before[0], "a socket or a file is still open")
        grown = _resident() - before[1]
        for path in ("/readyz", "/v1/claims?limit=3"):
            assert httpx.get(address + path, timeout=60).status_code == 200
        export = f"{address}/v1/export?format=csv"  # 503 until the program of an export nobody waits for has ended
        eventually(lambda: httpx.get(export, timeout=60).status_code == 200, "exports are still refused")
        return grown


def _hang_up(address, clients, seed):
    dice = random.Random(seed)
    plans = [(dice.choice(PATHS), random.Random(dice.random())) for _ in range(clients)]
    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(lambda plan: _hang_up_once(address, *plan), plans))


def _hang_up_once(address, path, dice):
    """Ask, and close the socket before, while or after the answer comes: politely or by a reset."""
    host, _, port = address.removeprefix("http://").partition(":")
    method = dice.choice(("GET", "GET", "GET", "HEAD"))
    packed = dice.choice(("gzip", "identity"))
    request = f"{method} {path} HTTP/1.1\r\nHost: {host}:{port}\r\nAccept-Encoding: {packed}\r\n\r\n".encode()
    with socket.create_connection((host, int(port)), timeout=60) as client:
        if dice.random() < 0.1:
            request = request[: dice.randrange(len(request))]
        client.sendall(request)
        if dice.random() < 0.5:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.settimeout(dice.choice((0.001, 0.02, 0.1)))
        left = dice.choice((0, 1, 5_000, 300_000))
        try:
            while left > 0 and (read := client.recv(min(left, 65536))):
                left -= len(read)
        except TimeoutError:
            pass
    return True


def _used(brain):
    return brain.used_connections()  # one of them is reserved for reading the version


def _open_files():
    """The open files of this process but for those of the database, whose idle connections are counted by the pool."""
    found = 0
    for one in Path("/proc/self/fd").iterdir():
        try:
            found += "brain.db" not in str(one.readlink())
        except FileNotFoundError:
            continue
    return found


def _resident():
    """Bytes of memory in use, without what the allocator holds back for later."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def eventually(holds, what="it did not come about"):
    for _ in range(600):
        if holds():
            return
        time.sleep(0.05)
    pytest.fail(what)


@pytest.mark.parametrize("form", EXPORTED.split())
def test_head_of_an_export_has_the_headers_and_makes_nothing(shipped, form, monkeypatch):
    made = []
    monkeypatch.setattr(price_routes, "exported", lambda *given: made.append(given[2]) or iter((b"x",)))
    head = shipped.head(f"/v1/export?format={form}")
    assert (head.status_code, head.content, made) == (200, b"", [])
    assert head.headers["etag"].startswith('"')
    assert head.headers["content-disposition"].startswith("attachment")
    get = shipped.get(f"/v1/export?format={form}")
    assert made == [form]
    assert get.headers["content-type"] == head.headers["content-type"]
    assert get.headers["etag"] == head.headers["etag"]


def test_more_exports_than_may_run_at_once_get_a_retry_hint(address, monkeypatch):
    begun, go_on = threading.Semaphore(0), threading.Event()

    def pieces(*_arguments):
        begun.release()
        assert go_on.wait(30)
        yield b"done"

    monkeypatch.setattr(price_routes, "exported", pieces)
    with ThreadPoolExecutor(AT_ONCE) as threads:
        running = [threads.submit(httpx.get, address + "/v1/export?format=csv", timeout=60) for _ in range(AT_ONCE)]
        for _ in running:
            assert begun.acquire(timeout=30)
        late = httpx.get(address + "/v1/export?format=ntriples", timeout=30)
        other = httpx.get(address + "/v1/tags", timeout=30)
        head = httpx.head(address + "/v1/export?format=csv", timeout=30)
        go_on.set()
        assert [one.result().text for one in running] == ["done"] * AT_ONCE
    assert (late.status_code, late.headers["content-type"]) == (503, "application/problem+json")
    assert late.json()["type"] == "/problems/unavailable"
    assert int(late.headers["retry-after"]) > 0
    assert (other.status_code, head.status_code) == (200, 200)
    assert httpx.get(address + "/v1/export?format=csv", timeout=30).text == "done"


def test_an_export_that_breaks_before_its_first_piece_is_a_problem_and_gives_its_turn_back(shipped, monkeypatch):
    monkeypatch.setattr(exports, "__name__", "api.no_such_module")
    answers = [shipped.get("/v1/export?format=csv") for _ in range(AT_ONCE + 1)]
    assert {one.status_code for one in answers} == {500}
    assert answers[0].json()["type"] == "/problems/internal-error"


def test_while_every_connection_is_in_use_the_service_is_not_ready_and_a_request_is_a_503(own, bearer, monkeypatch):
    monkeypatch.setattr(own.brain.store.engine.pool, "_timeout", 0.01)
    assert own.get("/readyz").status_code == 200
    held = [own.brain.store.engine.connect() for _ in range(MOST_CONNECTIONS - _used(own.brain))]
    try:
        answers = [own.get("/readyz"), own.get("/v1/tags?prefix=a"), own.post("/v1/runs", headers=bearer)]
        assert own.get("/healthz").status_code == 200
    finally:
        for connection in held:
            connection.close()
    assert {(one.status_code, "retry-after" in one.headers) for one in answers} == {(503, True)}
    assert {one.headers["content-type"] for one in answers} == {"application/problem+json"}
    assert {one.json()["type"] for one in answers[1:]} == {"/problems/unavailable"}
    assert [own.get(path).status_code for path in ("/readyz", "/v1/tags?prefix=a")] == [200, 200]


class Pieces:
    def __init__(self, count=1000):
        self.left, self.closed = count, threading.Event()

    def __iter__(self):
        return self

    def __next__(self):
        if not self.left:
            raise StopIteration
        self.left -= 1
        return b"x" * 70_000

    def close(self):
        self.closed.set()


@pytest.mark.parametrize("fate", ["reads all", "hangs up", "reads nothing", "breaks"])
def test_the_iterator_is_closed_whatever_becomes_of_the_client(fate, monkeypatch):
    monkeypatch.setattr(request_context, "STALLED", 0.01)
    pieces = Pieces(count=5 if fate == "reads all" else 1000)
    stream = Stream(lambda: pieces, headers={}, media_type="text/plain")

    async def served():
        gone, sent = asyncio.Event(), []

        async def receive():
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message):
            sent.append(message)
            await asyncio.sleep(0)
            if len(sent) == 3 and fate == "hangs up":
                gone.set()
            if len(sent) == 3 and fate == "reads nothing":
                await asyncio.Event().wait()
            if len(sent) == 3 and fate == "breaks":
                raise OSError("the socket is closed")

        scope = {"type": "http", "method": "GET", "path": "/"}
        if fate == "breaks":
            with pytest.raises(OSError, match="closed"):
                await stream(scope, receive, send)
        else:
            await stream(scope, receive, send)
        return sent

    sent = ThreadPoolExecutor(1).submit(asyncio.run, served()).result()  # other tests may run a loop in this thread
    assert pieces.closed.is_set()
    assert len(sent) == 7 if fate == "reads all" else len(sent) < 20
