"""A service answers searches while the index is still being built."""

import threading

import pytest
from starlette.testclient import TestClient

from api.brain import Brain
from api.http.app import build
from api.pages.page_routes import router
from api.pages.views.claim_table import PageContext
from api.settings import Settings
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
        brain.search.in_background(held)
        assert held.come.wait(WAIT)
        yield TestClient(build(brain, pages=router(PageContext(brain))), base_url="http://localhost"), held
        held.go.set()


def test_everything_is_answered_while_the_index_is_being_built(building):
    asked, held = building
    paths = ("/readyz", "/v1/nodes?q=price", "/v1/suggest?q=pr", "/suggest.json?q=pr", "/search?q=price", "/terms")
    assert [asked.get(path).status_code for path in paths] == [200] * len(paths)
    held.go.set()
    assert [asked.get(path).status_code for path in paths] == [200] * len(paths)
