"""The service as its own process: links carry the address at which it is served, and workers share one port."""

import shutil
import time
from xml.etree import ElementTree as ET

import httpx
import pytest

from api.brain import Brain
from api.settings import Settings
from tests.command import outcome
from tests.conftest import NOW, TODAY
from tests.shipped_part import PART
from tests.stories.own_process import SECONDS, served


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
