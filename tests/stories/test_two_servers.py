"""Two web processes on one PostgreSQL database: one version in each answer, news within a second, and an outage."""

import re
import threading
import time
from contextlib import ExitStack, contextmanager

import psycopg
import pytest

from api.brain import Brain
from api.settings import Settings
from tests.conftest import NOW
from tests.graph.conftest import make_document, make_node
from tests.web_client import web_client

NOTES = 6
ADDRESSES = ("/v1/nodes?q=oats&limit=20", "/v1/nodes?limit=20", "/v1/nodes?q=round*&limit=20")


def rounds(number):
    """A document of notes that all name one round."""
    name, body = "rounds.md", f"Oats of round{number}."
    titles = [f"Oats {n} of round{number}" for n in range(NOTES)]
    nodes = (make_node(f"n{n}", title, body=body, document=name, line=n + 1) for n, title in enumerate(titles))
    return make_document(*nodes, name=name, sha=f"{number:064x}")


@contextmanager
def outage(url):
    """The database ends every connection and accepts none."""
    name = psycopg.conninfo.conninfo_to_dict(url)["dbname"]
    with psycopg.connect(url.replace(f"/{name}?", "/postgres?"), autocommit=True) as admin:
        admin.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))
        try:
            yield
        finally:
            admin.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")


class Readers:
    """A thread for each client that reads all addresses until `end`; `wrong` has the answers of more than one round."""

    def __init__(self, clients):
        self.wrong, self.count, self._ended = [], 0, threading.Event()
        self._threads = [threading.Thread(target=self._read, args=(client,)) for client in clients]
        for thread in self._threads:
            thread.start()

    def _read(self, client):
        while not self._ended.is_set():
            for address in ADDRESSES:
                answer = client.get(address)
                found = re.findall(r"\bround\d+", answer.text)
                if len(found) < NOTES or len(set(found)) != 1:
                    self.wrong.append((address, answer.status_code, found))
                self.count += 1

    def end(self):
        self._ended.set()
        for thread in self._threads:
            thread.join()


def until_lost(client):
    """Until a server knows that its database is gone: before, it answers from what it last heard."""
    for _ in range(100):
        if client.get(ADDRESSES[0]).status_code == 503:
            return
        time.sleep(0.05)
    pytest.fail("the outage is not noticed within five seconds")


def until_seen(client, number):
    latest = time.monotonic() + 20
    while f"round{number}" not in client.get(ADDRESSES[0]).text:
        assert time.monotonic() < latest


@pytest.fixture
def servers(tmp_path, postgres_store):
    """The address of a database, a brain on it, and the clients of two services over it."""
    url, brains, clients = postgres_store(), [], []
    with ExitStack() as stack:
        for name in ("one", "two"):
            brains.append(stack.enter_context(Brain.open(Settings(home=tmp_path / name, db=url))))
            clients.append(stack.enter_context(web_client(brains[-1], lambda: NOW, pages=False)))
        yield url, brains[0], clients


@pytest.mark.postgres
def test_each_answer_is_of_one_version_news_spread_and_an_outage_ends(servers):
    url, brain, clients = servers

    def put(number):
        brain.documents.put_all([rounds(number)], NOW)

    put(0)
    for client in clients:
        until_seen(client, 0)
    readers = Readers(clients)
    for number in range(1, 6):
        put(number)
        for client in clients:
            until_seen(client, number)
    readers.end()
    assert readers.wrong == []
    assert readers.count > 20
    asked = [(client, address) for client in clients for address in (*ADDRESSES, "/v1/nodes/ada/n1")]
    with outage(url):
        for client in clients:
            until_lost(client)
        refused = [client.get(address) for client, address in asked]
        assert {(one.status_code, one.headers["retry-after"]) for one in refused} == {(503, "1")}
    assert {client.get(address).status_code for client, address in asked} == {200}
    put(9)
    assert "round9" in clients[0].get(ADDRESSES[1]).text
