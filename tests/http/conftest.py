"""A service over a brain, called in this process or over a real port."""

import socket
import threading
import time
from contextlib import contextmanager
from datetime import UTC, datetime

import httpx
import pytest
import uvicorn
from starlette.testclient import TestClient

from api.brain import Brain
from api.http.app import build
from api.http.middleware.http_protocol import HttpProtocol
from api.settings import Settings

NOW = datetime(2026, 11, 21, 6, 30, tzinfo=UTC)
TOKEN = "a-token-of-the-tests"


@contextmanager
def _served(home, **settings):
    with Brain.open(Settings(home=home, **settings)) as brain, _client(brain) as client:
        client.brain = brain
        yield client


@contextmanager
def _client(brain):
    with TestClient(
        build(brain, clock=lambda: NOW), base_url="http://localhost", raise_server_exceptions=False
    ) as client:
        yield client


@pytest.fixture(scope="module")
def shipped(shipped_home):
    """A client of a read-only service over the content that ships."""
    with _served(shipped_home) as client:
        yield client


@pytest.fixture
def own(tmp_path):
    """A client of a service over an empty home, with the token set."""
    with _served(tmp_path / "home", token=TOKEN) as client:
        yield client


@pytest.fixture
def bearer():
    """The header of somebody who has the token."""
    return {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def note():
    """The text of a note."""

    def make(title, body="Nothing more.", **fields):
        head = {"title": title, "kind": "reading", **fields}
        return "\n".join(("---", *(f"{key}: {value}" for key, value in head.items()), "---", "", body, ""))

    return make


@pytest.fixture
def put(own, bearer):
    """Write a note through the API."""

    def send(name, text, **parameters):
        return own.post("/v1/documents", params={"name": name, **parameters}, content=text, headers=bearer)

    return send


@contextmanager
def running(app):
    """The address of an application on a free port, served by uvicorn in a thread."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, http=HttpProtocol, log_level="error", access_log=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=20)
        listening.close()


@pytest.fixture
def live(shipped_copy):
    """The address of a live service over a copy of the content that ships, with the token set."""
    with Brain.open(Settings(home=shipped_copy, token=TOKEN)) as brain, running(build(brain)) as address:
        yield address


@pytest.fixture
def caller(live, bearer):
    """A client of the live service that has the token."""
    with httpx.Client(base_url=live, headers=bearer, timeout=60) as client:
        yield client
