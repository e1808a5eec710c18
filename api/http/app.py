"""The application: the routes in their order, behind the request checks and the HTTP cache.

token ─▶ view ─▶ checks ─▶ HTTP cache ─▶ linked data ─▶ FastAPI: the API, then the pages
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

from fastapi import APIRouter, FastAPI
from starlette.types import ASGIApp, Receive, Scope, Send

from api.brain import Brain
from api.http.middleware.audiences import Audiences, Service
from api.http.middleware.http_cache import HttpCacheMiddleware, StoreState, process_limits
from api.http.middleware.metrics import Metrics
from api.http.middleware.request_checks import AllowedHosts, CorsPolicy, RequestChecks
from api.http.openapi.api_reference import manual
from api.http.openapi.openapi_document import describe
from api.http.responses import problem_details
from api.http.responses.content_negotiation import MEDIA
from api.http.responses.request_context import AppContext
from api.http.routes.claim_routes import CLAIMS, LEDGER
from api.http.routes.node_routes import LIBRARY, NODES
from api.http.routes.operation_routes import OPERATION
from api.http.routes.price_routes import PRICES, THINGS
from api.http.routes.sparql_routes import SPARQL
from api.http.routes.text_routes import TEXTS
from api.http.routes.write_routes import WRITING
from api.release import VERSION
from graph.rdf.accept_header import quality
from graph.rdf.sparql.endpoint import Endpoint

ROUTES = (*NODES, *LIBRARY, *TEXTS, *CLAIMS, *LEDGER, *PRICES, *THINGS, *SPARQL, *WRITING, *OPERATION)
"""Every route of the API, in the order in which they are tried."""
IRIS = re.compile(r"/(?:nodes|brains|claims|tags|sources|terms|documents|runs|snapshots|prices|assumptions)/.|/tags$")
"""Addresses that name one thing, and that of the scheme of tags."""
PUBLISHER = "/v1/publisher"
"""The data of the publisher, whose IRI is a fragment of the first page."""


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
    settings, meter, limits = brain.settings, Metrics(), process_limits()
    state = StoreState(brain.revision, clock, waits=brain.store.on_server)
    pages_of = getattr(pages, "of", lambda _view: None)
    url = urlsplit(settings.url or "")
    hosts = AllowedHosts(settings.allowed_hosts, url=settings.url or "", bound=bound)
    senders = CorsPolicy(f"{settings.cors},{url.scheme}://{url.netloc}" if settings.url else settings.cors)

    def service(view: Brain) -> Service:
        """The service over the brain or one of its views."""
        own = pages if view is brain else pages_of(view)
        endpoint = Endpoint(view.exporter.rdf(), settings.home / "sparql", workers=2 if view is brain else 1)
        app = _application(AppContext(view, brain, clock, meter, endpoint, own is not None), own, at_end)
        hidden = " ".join(sorted(view.store.hidden))
        checked = RequestChecks(
            HttpCacheMiddleware(
                LinkedDataMiddleware(app, pages=own is not None),
                state,
                edition=f"{app.version} {settings.url} {settings.search} {own is not None} {hidden}".rstrip(),
                limits=limits,
            ),
            hosts,
            meter,
            max_body=settings.max_body,
            readers=CorsPolicy(settings.cors),
            senders=senders,
            unstored=[route.path for route in ROUTES if route.unstored],
        )
        return Service(checked, endpoint.close)

    return Audiences(brain, service, state, clock)


def _application(desk: AppContext, pages: APIRouter | None, at_end: Callable[[], None] | None) -> FastAPI:
    """The routes, the description and the pages; at its end the SPARQL workers shut down, and `at_end` is called."""

    @asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
        yield
        desk.endpoint.close()
        if at_end is not None:
            at_end()

    app = FastAPI(title="Brain", version=VERSION, docs_url=None, redoc_url=None, openapi_url=None, lifespan=life)
    app.state.desk = desk
    problem_details.install(app)
    app.router.routes += ROUTES
    app.include_router(manual(lambda: describe(app)))
    if pages is not None:
        app.include_router(pages)
    return app


class LinkedDataMiddleware:
    """ASGI middleware: a thing has two addresses, its IRI, which is its page, and that of its data under `/v1`.

    An IRI such as `/nodes/analyst/kv-cache` answers with the page, or with what `/v1/nodes/analyst/kv-cache` answers:
    as the Accept header weighs HTML against the forms of the data (RFC 9110, section 12.5.1), or as `?format=` says.
    Where a caller likes both alike, the page is given; where the service has no pages, always the data.
    """

    def __init__(self, app: ASGIApp, *, pages: bool) -> None:
        self._app, self._pages = app, pages
        listed = [route for route in ROUTES if route.method == "GET" and route.path.startswith("/v1/")]
        self._forms = [(route.path_regex, route.forms) for route in listed]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Ask for the data where the page will not do."""
        if scope["type"] == "http" and scope["method"] in {"GET", "HEAD"}:
            path = scope["path"]
            data = PUBLISHER if path == "/" else f"/v1{path}" if IRIS.match(path) else None
            if data is not None and self._prefers(scope, data):
                raw = data.encode() if data == PUBLISHER else b"/v1" + scope.get("raw_path", b"")
                scope = {**scope, "path": data, "raw_path": raw}
        await self._app(scope, receive, send)

    def _prefers(self, scope: Scope, data: str) -> bool:
        """Whether the request prefers the data at an address to the page."""
        asked = parse_qs(scope["query_string"].decode("latin-1")).get("format")
        if asked is not None or not self._pages:
            return asked != ["html"] or not self._pages
        accept = dict(scope["headers"]).get(b"accept", b"*/*").decode("latin-1")
        forms = next((forms for pattern, forms in self._forms if pattern.match(data)), ())
        page = quality(MEDIA["html"], accept)
        return page == 0 or any(quality(MEDIA[form], accept) > page for form in forms if form != "html")
