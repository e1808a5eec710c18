"""The service over an open brain or a home, called in this process or over a real port."""

import socket
import threading
from contextlib import contextmanager

import uvicorn
from fastapi import APIRouter
from starlette.testclient import TestClient

from api.brain import Brain
from api.http.app import build
from api.http.middleware.http_protocol import HttpProtocol
from api.pages.page_routes import router
from api.pages.views.claim_table import PageContext


def application(brain, clock=None, *, pages=True):
    return build(brain, clock=clock, pages=router(PageContext(brain), clock=clock) if pages else APIRouter())


def web_client(brain, clock=None, *, pages=True, base_url="http://localhost", **options):
    """A client of the service; `options` are those of Starlette's client."""
    return TestClient(application(brain, clock, pages=pages), base_url=base_url, **options)


@contextmanager
def home_client(settings, clock=None, **options):
    """A client of the service over a home; its brain is `client.brain`."""
    with Brain.open(settings) as brain, web_client(brain, clock, **options) as client:
        client.brain = brain
        yield client


@contextmanager
def running(app, protocol=HttpProtocol):
    """The address of an application on a free port, served by uvicorn in a thread."""
    server = uvicorn.Server(uvicorn.Config(app, http=protocol, log_level="error", access_log=False))
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            thread.join(0.02)
            assert thread.is_alive(), "the server did not start"
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(20)
