"""Links between the pages of the brain that ships have pages."""

import html
import re
from collections import Counter
from urllib.parse import unquote, urlsplit

import pytest

from api.pages.page_request import path_of, work_path
from api.settings import Settings
from graph.models.node_models import Kind
from tests.conftest import NOW
from tests.web_client import home_client, web_client

LISTS = ("/", "/search", "/claims", "/prices", "/tags", "/sources", "/terms", "/runs", "/runs/1", "/changes", "/errata", "/record",
         "/graph", "/graph?links=disputes", "/proof", "/about", "/tags?starts=c", "/terms?starts=c")  # fmt: skip  # one list
LINK = re.compile(r'(?:href|src|action|data-graph|data-preview)="([^"]*)"')
NAMES = re.compile(r'\bid="([^"]*)"')
MOST = 40
"""So many links to one kind of page are followed."""
SITE, HTML = "http://localhost:8123", {"accept": "text/html"}
PROGRAMS = ("/v1/", "/static/", "/charts/", "/feed", "/docs", "/graph.json", "/openapi")


@pytest.fixture(scope="module")
def shipped(shipped_brain):
    with web_client(shipped_brain, lambda: NOW, base_url=SITE, headers=HTML) as client:
        yield shipped_brain, client


def links(text):
    """The links of a page, and its anchors that lead nowhere in it."""
    found = {link for links in LINK.findall(text) for link in html.unescape(links).split()}
    names = {html.unescape(name) for name in NAMES.findall(text)}
    dead = {link for link in found if link.startswith("#") and unquote(link[1:]) not in names}
    return {link.partition("#")[0] for link in found if link.startswith("/") and not link.startswith("//")}, dead


def known(brain):
    """Addresses that lead to something that is stored; another test makes the page of every node."""
    nodes = [node.id for node in brain.nodes.all()]
    claims = [claim.id for claim in brain.store.claims.all()]
    return {
        *(path_of(kind, node) for kind in ("nodes", "previews") for node in nodes),
        *(path_of("terms", node.id) for node in brain.nodes.all() if node.kind is Kind.TERM),
        *(path_of(kind, claim) for kind in ("claims", "claim-previews") for claim in claims),
        *(path_of("tags", tag.value) for tag in brain.store.tags.all()),
        *(work_path(source.id) for node in brain.nodes.all() for source in node.sources),
    }


def test_links_of_the_shipped_brain_have_pages(shipped):
    brain, client = shipped
    sure, seen, wrong = known(brain), {}, []
    nodes, claims = list(brain.nodes.all()), sorted(brain.store.claims.all(), key=lambda claim: claim.id)
    visited = [*LISTS, *(path_of("nodes", one.id) for one in nodes[::25])]
    visited += [path_of("claims", one.id) for one in claims[::50]]
    visited += [path_of("tags", tag) for claim in claims for tag in claim.tags if path_of("tags", tag) not in sure]
    for address in dict.fromkeys(visited):
        answer = client.get(address)
        assert answer.status_code == 200, address
        found, dead = links(answer.text)
        wrong += [(address, anchor) for anchor in dead]
        seen |= {link: address for link in found if link not in seen}
    followed = Counter()
    for link, address in seen.items():
        path = urlsplit(link).path
        if path in sure or path.startswith(PROGRAMS) or link in visited or _alike(link, address):
            continue
        followed[kind := path.split("/")[1]] += 1
        if followed[kind] > MOST:
            continue
        status = client.get(link).status_code
        wrong += [(address, link, status)] if status != 200 else []
    assert not wrong
    assert len(seen) > 1000


def _alike(link, address):
    """Whether a link narrows down the page that it is on; LISTS has a few of these."""
    return "?" in link and urlsplit(link).path == urlsplit(address).path


def test_what_to_cite_is_the_address_at_which_the_page_was_read(shipped):
    brain, client = shipped
    address = path_of("nodes", next(iter(brain.nodes.all())).id)
    for host in ("localhost:8123", "127.0.0.1:9000"):
        cited = re.search(r"<dt>Cite this</dt><dd[^>]*>([^<]*)", client.get(address, headers={"host": host}).text)[1]
        assert f" http://{host}{address}," in cited


def test_the_page_of_a_node_is_the_same_from_its_neighbours_alone(shipped, shipped_home, monkeypatch):
    """In a large brain the first page after a start is made before the graph of all nodes."""
    brain, client = shipped
    _, _ = brain.status.healths(), brain.status.dependencies()
    paths = [path_of("nodes", node) for node in brain.nodes.ids()[::40]]
    known = {path: client.get(path).text for path in paths}
    monkeypatch.setattr("graph.links.node_graph.NodeGraph", None)
    alone = home_client(Settings(home=shipped_home), lambda: NOW, base_url=SITE, headers=HTML)
    with alone as client:
        assert {path: client.get(path).text for path in paths} == known
