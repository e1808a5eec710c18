"""A service over a brain, called in this process or over a real port."""

import shutil
from contextlib import contextmanager

import pytest

from api.brain import Brain
from api.services.access import issue
from api.settings import Settings
from tests.conftest import NOW
from tests.web_client import application, home_client, running, web_client

TOKEN = "a-token-of-the-tests"


def served(home, **settings):
    """A client of the service without pages over a home, as a context; its brain is `client.brain`."""
    return home_client(Settings(home=home, **settings), lambda: NOW, pages=False, raise_server_exceptions=False)


@pytest.fixture(scope="session")
def shipped(shipped_brain):
    """A client of a read-only service over the content that ships."""
    with web_client(shipped_brain, lambda: NOW, pages=False, raise_server_exceptions=False) as client:
        client.brain = shipped_brain
        yield client


@pytest.fixture
def own(tmp_path):
    """A client of a service over an empty home, with the token set."""
    with served(tmp_path / "home", token=TOKEN) as client:
        yield client


@pytest.fixture
def bearer():
    return {"Authorization": f"Bearer {TOKEN}"}


def bearer_of(brain, scope, name=None, until=None):
    """The header of somebody with a new token, for one brain or for all, and the token as it is stored."""
    given, stored = issue(scope, brain=name, until=until, comment="qzxcomment", at=NOW)
    brain.tokens.add(stored)
    return {"Authorization": f"Bearer {given}"}, stored


@pytest.fixture
def note():
    def make(title, body="Nothing more.", **fields):
        head = {"title": title, "kind": "reading", **fields}
        return "\n".join(("---", *(f"{key}: {value}" for key, value in head.items()), "---", "", body, ""))

    return make


@pytest.fixture
def put(own, bearer):
    def send(name, text, **parameters):
        return own.post("/v1/documents", params={"name": name, **parameters}, content=text, headers=bearer)

    return send


@pytest.fixture(scope="session")
def live(shipped_home):
    """The address of a live service over the content that ships, with the token set; nothing may be written."""
    with _live(shipped_home) as address:
        yield address


@pytest.fixture(scope="module")
def live_part(part_home, tmp_path_factory):
    """The address of a live service over a part of the content that ships, with the token set; it may be written."""
    with _live(shutil.copytree(part_home, tmp_path_factory.mktemp("live") / "home")) as address:
        yield address


@contextmanager
def _live(home):
    with Brain.open(Settings(home=home, token=TOKEN)) as brain, running(application(brain, pages=False)) as address:
        yield address
