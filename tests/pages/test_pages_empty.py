"""A brain with nothing in it, or with one note: no frame without a picture, and what to do next."""

import httpx
import pytest

from api.brain import Brain
from api.settings import Settings
from tests.pages.conftest import served
from tests.pages.invented import TODAY, at, document, node, verify

LISTS = ("/", "/search", "/claims", "/tags", "/sources", "/terms", "/runs", "/changes", "/graph", "/about")


@pytest.fixture(scope="module")
def nothing(tmp_path_factory):
    """A client of a service whose brain is empty."""
    with (
        Brain.open(Settings(home=tmp_path_factory.mktemp("nothing"))) as brain,
        served(brain) as site,
        httpx.Client(base_url=site, headers={"accept": "text/html"}, timeout=60) as client,
    ):
        yield client


@pytest.mark.parametrize("address", LISTS)
def test_what_is_empty_has_no_frame_and_says_what_to_do(nothing, address):
    answer = nothing.get(address)
    assert answer.status_code == 200
    for frame in ("<tbody>\n</tbody>", "Narrow down", "<ul>\n</ul>", 'class="shares"', "Every claim holds"):
        assert frame not in answer.text, frame
    assert address != "/" or "brain ingest FILE" in answer.text


def test_a_run_without_claims_is_no_good_news(tmp_path):
    with Brain.open(Settings(home=tmp_path)) as brain:
        brain.documents.put_all([document((node("alone"),))], at(TODAY))
        verify(brain, TODAY)
        with served(brain) as site:
            report = httpx.get(site, headers={"accept": "text/html"}, timeout=60).text
            graph = httpx.get(f"{site}/graph.json", timeout=60).json()
    assert "Every claim holds" not in report
    assert "brain ingest claims.yaml" in report
    assert (graph["x"], graph["y"]) == ([500], [500]), "one node is in the middle"
