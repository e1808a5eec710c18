"""The application: the routes in their order, behind the request checks and the HTTP cache.

token ─▶ view ─▶ checks ─▶ HTTP cache ─▶ linked data ─▶ FastAPI: the API, then the pages
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urlsplit

from fastapi import APIRouter, FastAPI

from api.brain import Brain
from api.http.api_route import ApiRoute
from api.http.middleware.allowed_hosts import AllowedHosts
from api.http.middleware.answer_cache import StoreState
from api.http.middleware.audiences import Audiences, Service
from api.http.middleware.cors import CorsPolicy
from api.http.middleware.http_cache import HttpCacheMiddleware, Limits, process_limits
from api.http.middleware.linked_data import LinkedDataMiddleware
from api.http.middleware.metrics import Metrics
from api.http.middleware.request_checks import RequestChecks
from api.http.openapi.api_reference import manual
from api.http.openapi.openapi_document import describe
from api.http.responses import problem_details
from api.http.responses.request_context import AppContext
from api.http.routes import (
    claim_routes,
    ledger_routes,
    library_routes,
    linked_data_routes,
    node_routes,
    price_routes,
    sparql_routes,
    text_routes,
    write_routes,
)
from api.http.routes import operation_routes as operating
from api.release import VERSION
from graph.rdf.sparql.endpoint import Endpoint

TITLE = "Brain"


def build(
    brain: Brain,
    *,
    clock: Callable[[], datetime] | None = None,
    pages: APIRouter | None = None,
    bound: str | None = None,
    at_end: Callable[[], None] | None = None,
) -> Audiences:
    """The service over an open brain; `clock` gives the time of a request, `bound` is the address it listens on.

    `at_end` is called when the service ends.

    `pages` are the pages of the brain; its method `of`, if it has one, makes those of a view.
    """
    clock = clock or (lambda: datetime.now(UTC))
    brain.use_clock(clock)
    state = StoreState(brain.revision, clock, waits=brain.store.on_server)
    shared = _Shared(brain, clock, bound, Metrics(), state, process_limits(), at_end)
    again = getattr(pages, "of", lambda _view: None)
    return Audiences(
        brain, lambda view: _service(view, shared, pages if view is brain else again(view)), shared.state, clock
    )


@dataclass(frozen=True)
class _Shared:
    """What the services over a brain and its views share."""

    brain: Brain
    clock: Callable[[], datetime]
    bound: str | None
    meter: Metrics
    state: StoreState
    limits: Limits
    at_end: Callable[[], None] | None


def _service(brain: Brain, shared: _Shared, pages: APIRouter | None) -> Service:
    """The service over a brain or one of its views."""
    desk = AppContext(brain, shared.clock, pages is not None, shared.brain)
    endpoint = Endpoint(brain.exporter.rdf(), brain.settings.home / "sparql", workers=2 if brain is shared.brain else 1)
    app = FastAPI(
        title=TITLE,
        version=VERSION,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        lifespan=_until(endpoint, shared.at_end),
    )
    app.state.desk = desk
    problem_details.install(app)
    listed = routes(desk, shared.meter, endpoint)
    app.router.routes += listed
    for router in (manual(lambda: describe(app)), *([] if pages is None else [pages])):
        app.include_router(router)
    settings, view = brain.settings, " ".join(sorted(brain.store.hidden))
    gate = HttpCacheMiddleware(
        LinkedDataMiddleware(app, listed, pages=pages is not None),
        shared.state,
        max_body=settings.max_body,
        meter=shared.meter,
        origins=CorsPolicy(settings.cors),
        limits=shared.limits,
        edition=f"{app.version} {settings.url} {settings.search} {pages is not None} {view}".rstrip(),
    )
    hosts = AllowedHosts(settings.allowed_hosts, url=settings.url or "", bound=shared.bound)
    unstored = [route.path for route in listed if route.unstored]
    url = urlsplit(settings.url or "")
    senders = CorsPolicy(f"{settings.cors},{url.scheme}://{url.netloc}" if settings.url else settings.cors)
    return Service(RequestChecks(gate, hosts, senders, shared.meter, unstored), endpoint.close)


def routes(desk: AppContext, meter: Metrics, endpoint: Endpoint) -> list[ApiRoute]:
    """Every route of the API, tagged by its subject, in the order in which they are tried."""
    subjects: tuple[tuple[str, Iterable[ApiRoute]], ...] = (
        ("nodes", node_routes.routes(desk)),
        ("library", library_routes.routes(desk)),
        ("claims", [*text_routes.routes(desk), *claim_routes.routes(desk)]),
        ("ledger", ledger_routes.routes(desk)),
        ("prices", price_routes.routes(desk)),
        ("linked data", linked_data_routes.routes(desk)),
        ("linked data", sparql_routes.routes(desk, endpoint)),
        ("writing", write_routes.routes(desk)),
        ("operation", operating.routes(desk, meter)),
    )
    found = []
    for subject, listed in subjects:
        for route in listed:
            route.tags = [subject]
            found.append(route)
    return found


def _until(
    endpoint: Endpoint, at_end: Callable[[], None] | None
) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    """The lifespan of the service: at its end the SPARQL workers shut down, and `at_end` is called."""

    @asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
        yield
        endpoint.close()
        if at_end is not None:
            at_end()

    return life
