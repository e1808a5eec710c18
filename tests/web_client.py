"""The service over an open brain or a home, called in this process."""

from contextlib import contextmanager

from starlette.testclient import TestClient

from api.brain import Brain
from api.http.app import build
from api.pages.page_routes import router
from api.pages.views.claim_table import PageContext


def web_client(brain, clock=None, *, pages=True, base_url="http://localhost", **options):
    """A client of the service, with its pages unless told otherwise; `options` are those of Starlette's client."""
    routes = router(PageContext(brain), clock=clock) if pages else None
    return TestClient(build(brain, clock=clock, pages=routes), base_url=base_url, **options)


@contextmanager
def home_client(settings, clock=None, **options):
    """A client of the service over a home; its brain is `client.brain`."""
    with Brain.open(settings) as brain, web_client(brain, clock, **options) as client:
        client.brain = brain
        yield client
