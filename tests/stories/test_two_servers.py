"""Two web processes on one PostgreSQL database: one version in each answer, news within a second, and an outage."""

import re
import shutil
import threading
import time
from contextlib import ExitStack, contextmanager
from xml.etree import ElementTree as ET

import httpx
import psycopg
import pytest

from api.brain import Brain
from api.settings import Settings
from tests.command import outcome
from tests.conftest import NOW, PART, TODAY
from tests.graph.conftest import make_document, make_node
from tests.stories.own_process import SECONDS, served
from tests.web_client import web_client

NOTES = 6
ADDRESSES = ("/v1/nodes?q=oats&limit=20", "/v1/nodes?limit=20", "/v1/nodes?q=round*&limit=20")


def rounds(number):
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


@pytest.fixture(scope="module")
def home(part_home, tmp_path_factory):
    """A home without some of the claims and with a run more, so that the feed has entries."""
    made = shutil.copytree(part_home, tmp_path_factory.mktemp("changed") / "home")
    with Brain.open(Settings(home=made)) as opened:
        opened.importer.remove([name for name in PART if name.startswith("claims/c")], at=NOW)
        opened.verify(TODAY, at=NOW, clock=lambda: NOW)
    return made


@pytest.fixture(scope="module")
def client(home):
    """A client of a service that may also be reached as brain.example.org."""
    with served(home, BRAIN_ALLOWED_HOSTS="brain.example.org") as opened:
        yield opened


def test_feeds_citations_and_what_other_processes_write_carry_the_served_address(home, client):
    site = str(client.base_url).rstrip("/")
    atom = ET.fromstring(client.get("/feed.atom").content)
    links = [one.get("href") for one in atom.iter("{http://www.w3.org/2005/Atom}link")]
    assert len(links) > 10
    assert all(link.startswith(site) for link in links)
    feed = client.get("/feed.json").json()
    assert all(one["url"].startswith(f"{site}/") for one in feed["items"])
    page = client.get("/nodes/analyst/caching-and-batch-stack").text
    assert f"{site}/nodes/analyst/caching-and-batch-stack" in page
    # What other processes write while it is served: the export of the command line.
    text = outcome(home, "export", "--format", "ntriples").out
    assert f"<{site}/nodes/analyst/caching-and-batch-stack>" in text
    assert "127.0.0.1:8000" not in text
    headers = {"Host": "brain.example.org", "X-Forwarded-Proto": "https"}
    feed = client.get("/feed.json", headers=headers).json()
    assert feed["feed_url"] == "https://brain.example.org/feed.json"


def test_every_worker_answers_a_write_to_one_is_seen_by_all_and_none_outlives_a_parent_that_was_killed(tmp_path, write):
    note = write("quay.md", "---\ntitle: Quay\n---\nCranes stand idle.\n")
    assert outcome(tmp_path / "home", "ingest", note, "--brain", "port").code == 0
    with served(tmp_path / "home", "--workers", "2") as client:
        assert client.get("/v1/nodes/port/quay").json()["title"] == "Quay"
        note = {"params": {"name": "dawn.md", "brain": "port"}, "content": "---\ntitle: Dawn\n---\nNobody is there.\n"}
        assert client.post("/v1/documents", **note).status_code == 201
        nodes = f"{client.base_url}/v1/nodes?limit=5"
        by_connections = {httpx.get(nodes, timeout=SECONDS).json()["total"] for _ in range(20)}
        assert by_connections == {2}
        client.process.kill()
        client.process.wait(SECONDS)
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            try:
                httpx.get(f"{client.base_url}/healthz", timeout=SECONDS)
            except httpx.TransportError:
                return
            time.sleep(0.02)
    pytest.fail("a worker answers, and keeps the port")
