"""The application: the routes in their order, behind the request checks and the HTTP cache.

checks ─▶ token, hidden brains ─▶ HTTP cache ─▶ linked data ─▶ FastAPI: the API, then the pages
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from urllib.parse import parse_qs, quote, urlsplit

from fastapi import APIRouter, FastAPI
from starlette.types import ASGIApp, Receive, Scope, Send

from api.brain import Brain
from api.http.middleware.http_cache import HttpCacheMiddleware, StoreState
from api.http.middleware.request_checks import AllowedHosts, CorsPolicy, ReaderAccess, RequestChecks
from api.http.openapi.api_reference import MANUAL
from api.http.responses import problem_details
from api.http.responses.content_negotiation import preferred
from api.http.responses.request_context import AppContext
from api.http.routes.claim_routes import CLAIMS, LEDGER
from api.http.routes.node_routes import LIBRARY, NODES
from api.http.routes.operation_routes import OPERATION
from api.http.routes.price_routes import PRICES, THINGS
from api.http.routes.sparql_routes import SPARQL
from api.http.routes.write_routes import WRITING
from api.metrics import Metrics
from api.release import VERSION
from api.services import exports
from api.services.access import Authenticator
from graph.rdf.sparql.endpoint import Endpoint
from graph.recent_values import RecentValues
from graph.store.store import READERS

ROUTES = (*NODES, *LIBRARY, *CLAIMS, *LEDGER, *PRICES, *THINGS, *SPARQL, *WRITING, *OPERATION)
"""Every route of the API, in the order in which they are tried."""
IRIS = re.compile(r"/(?:nodes|brains|claims|tags|sources|terms|documents|runs|snapshots|prices|assumptions)/.|/tags$")
"""Addresses of things, and of the scheme of tags."""
DATA_ONLY = re.compile(r"/(?:snapshots|runs/[^/]+/claims)/.")  # addresses of things that have no page


def build(
    brain: Brain,
    *,
    pages: APIRouter,
    clock: Callable[[], datetime] | None = None,
    bound: str | None = None,
    at_end: Callable[[], None] | None = None,
) -> ASGIApp:
    """The service over a brain; `bound` is the address it listens on, `at_end` is called when it ends."""
    clock = clock or (lambda: datetime.now(UTC))
    brain.use_clock(clock)
    settings, meter = brain.settings, Metrics()
    state = StoreState(brain.revision, clock, waits=brain.store.on_server)
    tokens = Authenticator(brain, clock)
    url = urlsplit(settings.url or "")
    hosts = AllowedHosts(settings.allowed_hosts, url=settings.url or "", bound=bound)
    senders = CorsPolicy(f"{settings.cors},{url.scheme}://{url.netloc}" if settings.url else settings.cors)

    def context(hidden: frozenset[str]) -> AppContext:
        seen = brain.for_reader(hidden)
        endpoint = Endpoint(exports.rdf(seen, seen.site), settings.home / "sparql")
        return AppContext(seen, clock, meter, endpoint, tokens)

    contexts = RecentValues(context, READERS, lambda one: one.endpoint.close())

    @asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
        yield
        contexts.clear()
        if at_end is not None:
            at_end()

    app = FastAPI(
        title="Brain", version=VERSION, docs_url=None, redoc_url=None, openapi_url=None, lifespan=life,
        telemetry={"tracing": False, "metrics": False, "logs": False},  # it would look for receivers at each request
    )  # fmt: skip
    problem_details.install(app)
    app.router.routes += ROUTES
    app.include_router(MANUAL)
    app.include_router(pages)
    edition = f"{VERSION} {settings.url} {settings.search}"
    cached = HttpCacheMiddleware(LinkedDataMiddleware(app), state, edition=edition)
    access, readers = ReaderAccess(cached, brain, tokens, state, contexts.get), CorsPolicy(settings.cors)
    checks = RequestChecks(access, hosts, meter, max_body=settings.max_body, readers=readers, senders=senders)

    async def service(scope: Scope, receive: Receive, send: Send) -> None:
        await (checks if scope["type"] == "http" else app)(scope, receive, send)

    return service


class LinkedDataMiddleware:
    """ASGI middleware: the IRI of a thing and its address under `/v1` both answer with its page or its data.

    `?format=` decides, else the Accept header (RFC 9110, section 12.5.1). If it prefers neither, the IRI gives the page
    and the other address the data.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._forms = [(route.path_regex, route.forms) for route in ROUTES if route.method == "GET"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Rewrite the path and the query to what the request prefers."""
        if scope["method"] in {"GET", "HEAD"}:
            path, query = self._address(scope)
            if path != scope["path"]:
                scope = {**scope, "path": path, "raw_path": quote(path).encode(), "query_string": query}
        await self._app(scope, receive, send)

    def _address(self, scope: Scope) -> tuple[str, bytes]:
        path, query = scope["path"], scope["query_string"]
        data = f"/v1{path}" if IRIS.match(path) else path
        forms = next((forms for pattern, forms in self._forms if pattern.match(data)), ())
        if DATA_ONLY.match(path) or (data == path and "html" not in forms):
            return data, query
        asked = parse_qs(query.decode("latin-1")).get("format")
        accept = dict(scope["headers"]).get(b"accept", b"*/*").decode("latin-1")
        form = asked[-1] if asked else preferred(accept, forms if data == path else ("html", *forms))
        if form == "html" and data == path:
            return path.removeprefix("/v1"), b""
        return (path if form == "html" else data), query
