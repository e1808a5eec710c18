"""Links that leave the program carry the address at which it is served."""

import shutil
from xml.etree import ElementTree as ET

import pytest

from api.brain import Brain
from api.settings import SHIPPED, Settings
from tests.command import outcome
from tests.conftest import NOW, TODAY
from tests.stories.own_process import served


@pytest.fixture(scope="module")
def home(shipped_home, tmp_path_factory):
    """A home without some of the claims and with a run more, so that the feed has entries."""
    made = shutil.copytree(shipped_home, tmp_path_factory.mktemp("changed") / "home")
    names = [f"claims/{path.name}" for path in sorted((SHIPPED / "claims").glob("*.yaml"))[:4]]
    with Brain.open(Settings(home=made)) as opened:
        opened.importer.remove(names, at=NOW)
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
