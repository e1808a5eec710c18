"""What the service answers while the search index is still being built."""

import threading

import pytest
from starlette.testclient import TestClient

from api.brain import Brain
from api.http.app import build
from api.pages.page_routes import router
from api.pages.views.claim_table import PageContext
from api.settings import Settings
from graph.search.building import OPENING, Build
from graph.search.search import Search
from tests.pages.invented import filled

WAIT = 20
"""Seconds after which a thread that should have come is given up."""


class PausedProgress:
    """A progress callback that waits at the first node until it is let go."""

    def __init__(self):
        self.come, self.go = threading.Event(), threading.Event()

    def __call__(self, *_step):
        self.come.set()
        assert self.go.wait(WAIT)


@pytest.fixture
def building(tmp_path):
    """A service whose index is being built, and what holds the build up."""
    with filled(tmp_path):
        pass
    held = PausedProgress()
    with Brain.open(Settings(home=tmp_path)) as brain:
        brain.search._patience = 0.01
        brain.search.in_background(held)
        assert held.come.wait(WAIT)
        yield TestClient(build(brain, pages=router(PageContext(brain))), base_url="http://localhost"), held, brain
        held.go.set()


def test_what_needs_no_index_is_answered_while_it_is_being_built(building):
    asked, _, _ = building
    for path in ("/healthz", "/readyz", "/v1/nodes", "/", "/search", "/claims", "/terms"):
        assert asked.get(path).status_code == 200, path


@pytest.mark.parametrize("path", ["/v1/nodes?q=price", "/v1/suggest?q=pr", "/suggest.json?q=pr"])
def test_programs_get_503_with_a_retry_time_and_nothing_is_cached(building, path):
    asked, held, brain = building
    early = asked.get(path)
    assert early.status_code == 503
    assert int(early.headers["retry-after"]) >= 1
    assert early.headers["content-type"] == "application/problem+json"
    assert early.headers["cache-control"] == "no-store"
    assert "search index is being built" in early.json()["detail"]
    held.go.set()
    brain.search._build._thread.join(WAIT)
    assert asked.get(path).status_code == 200


def test_readers_get_a_page_that_says_when_to_come_back(building):
    asked, held, brain = building
    early = asked.get("/search?q=price&kind=thesis", headers={"accept": "text/html"})
    assert (early.status_code, early.headers["content-type"]) == (503, "text/html; charset=utf-8")
    assert int(early.headers["retry-after"]) >= 1
    assert early.headers["cache-control"] == "no-store"
    assert "The search index is being built" in early.text
    assert 'href="/search?q=price&amp;kind=thesis"' in early.text
    held.go.set()
    brain.search._build._thread.join(WAIT)
    assert asked.get("/search?q=price", headers={"accept": "text/html"}).status_code == 200


def test_a_current_index_that_is_still_being_opened_is_waited_for(tmp_path, monkeypatch):
    """At 100,000 nodes that takes seconds: a service that had said it was ready answered its first search with 503."""
    with filled(tmp_path) as before:
        before.index()
    asked_for, go, made, wait = [], threading.Event(), Search._made, Build.wait

    def opened(self, found):
        assert go.wait(WAIT)
        return made(self, found)

    def waited(self, patience):
        asked_for.append(patience)
        go.set()
        wait(self, patience)

    with Brain.open(Settings(home=tmp_path)) as brain:
        brain.search._patience = 0.01
        monkeypatch.setattr(Search, "_made", opened)
        monkeypatch.setattr(Build, "wait", waited)
        brain.search.in_background()
        assert TestClient(build(brain), base_url="http://localhost").get("/v1/nodes?q=price").status_code == 200
    assert asked_for == [OPENING]


@pytest.fixture
def opening(tmp_path, monkeypatch):
    """A service whose index is current and still being opened, and what lets that go on."""
    with filled(tmp_path) as before:
        before.index()
    go, made = threading.Event(), Search._made

    def opened(self, found):
        assert go.wait(WAIT)
        return made(self, found)

    monkeypatch.setattr(Search, "_made", opened)
    with Brain.open(Settings(home=tmp_path)) as brain:
        brain.search.in_background()
        yield TestClient(build(brain), base_url="http://localhost"), go, brain
        go.set()


def test_a_service_is_not_ready_while_a_current_index_is_being_opened(opening):
    """A busy machine took longer for it than a query waits: a service that had said it was ready answered with 503."""
    asked, go, brain = opening
    early = asked.get("/readyz")
    assert (early.status_code, early.headers["retry-after"]) == (503, "1")
    assert "The search index is being opened" in early.json()["detail"]
    assert [asked.get(path).status_code for path in ("/healthz", "/v1/nodes")] == [200, 200]
    go.set()
    brain.search._build._thread.join(WAIT)
    assert [asked.get(path).status_code for path in ("/readyz", "/v1/nodes?q=price")] == [200, 200]


def test_a_search_that_waited_in_vain_for_the_opening_keeps_no_other_from_waiting(opening, monkeypatch):
    asked, go, _ = opening
    monkeypatch.setattr("graph.search.search.OPENING", 0.01)
    early = asked.get("/v1/nodes?q=price")
    assert (early.status_code, early.headers["retry-after"]) == (503, "1")
    assert "The search index is being opened; try again in 1 s" in early.json()["detail"]
    monkeypatch.setattr("graph.search.search.OPENING", WAIT)
    threading.Timer(0.05, go.set).start()
    assert asked.get("/v1/nodes?q=price").status_code == 200


def test_a_service_stays_ready_while_it_opens_an_index_that_another_process_brought_up_to_date(opening):
    _, go, brain = opening
    go.set()
    brain.search._build._thread.join(WAIT)
    go.clear()
    brain.search._begun()
    assert not brain.search.opening()
