"""One thing at two addresses: the page and the JSON under /v1, chosen by the Accept header."""

from datetime import UTC, datetime

import pytest
from starlette.testclient import TestClient

from api.brain import Brain
from api.http.app import build
from api.pages.page_routes import router
from api.pages.views.claim_table import PageContext
from api.settings import Settings

NOW = datetime(2026, 11, 21, 6, 30, tzinfo=UTC)
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
THINGS = (
    "/nodes/analyst/caching-and-batch-stack",
    "/claims/sonnet-cached-batch-discount",
    "/tags/batching",
    "/sources/arxiv:1706.03762",
    "/runs/1",
)


@pytest.fixture(scope="module")
def paged(shipped_home):
    """A client of the service with its pages."""
    with Brain.open(Settings(home=shipped_home)) as brain:
        clock = lambda: NOW  # noqa: E731  # the time of the tests
        app = build(brain, clock=clock, pages=router(PageContext(brain), clock=clock))
        with TestClient(app, base_url="http://localhost", raise_server_exceptions=False) as client:
            yield client


@pytest.mark.parametrize("path", THINGS)
def test_a_browser_is_given_the_page_at_both_addresses(paged, path):
    page = paged.get(path, headers={"Accept": BROWSER})
    twin = paged.get(f"/v1{path}", headers={"Accept": BROWSER})
    assert page.status_code == twin.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    assert twin.text == page.text
    assert paged.get(f"/v1{path}?format=html").text == page.text


@pytest.mark.parametrize("path", THINGS)
@pytest.mark.parametrize("media", ["text/turtle", "application/ld+json", "application/json"])
def test_a_program_is_given_the_data_at_both_addresses(paged, path, media):
    iri, twin = (paged.get(address, headers={"Accept": media}) for address in (path, f"/v1{path}"))
    assert iri.status_code == twin.status_code == 200
    assert iri.headers["content-type"].startswith(media)
    assert iri.content == twin.content


def test_without_an_accept_header_the_iri_is_a_page_and_its_v1_address_is_json(paged):
    assert paged.get(THINGS[0]).headers["content-type"].startswith("text/html")
    assert paged.get(f"/v1{THINGS[0]}").headers["content-type"] == "application/json"
    assert paged.get(f"{THINGS[0]}?format=turtle").headers["content-type"].startswith("text/turtle")


def test_the_verdict_of_a_run_is_found_at_its_iri(paged):
    found = paged.get("/runs/1/claims/sonnet-cached-batch-discount", headers={"Accept": "application/json"})
    assert found.json()["claim"] == "sonnet-cached-batch-discount"


def test_pages_are_cached_and_tagged_too(paged):
    page = paged.get("/claims")
    assert paged.get("/claims", headers={"If-None-Match": page.headers["etag"]}).status_code == 304
