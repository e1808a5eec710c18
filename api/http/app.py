"""The application: the routes in their order, behind the checks and the gate.

checks ─▶ gate ─▶ linked data ─▶ routes of the API ─▶ pages
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime

from fastapi import APIRouter, FastAPI

from api.brain import Brain
from api.http import trouble
from api.http.answers import Desk
from api.http.checks import RequestChecks
from api.http.gate import Gate
from api.http.glance import Glance
from api.http.hosts import AllowedHosts
from api.http.manual import manual
from api.http.meter import Meter
from api.http.openapi import describe
from api.http.origins import Origins
from api.http.routes import claims, exports, ledger, library, nodes, prices, sparql, statements, things, writes
from api.http.routes import operation as operating
from api.http.table import Route, mounted, operation
from api.http.twins import LinkedDataMiddleware
from api.release import VERSION
from graph.rdf.sparql.endpoint import Endpoint

TITLE = "Brain"


def build(
    brain: Brain,
    *,
    clock: Callable[[], datetime] | None = None,
    pages: APIRouter | None = None,
    bound: str | None = None,
) -> RequestChecks:
    """The service over an open brain; `clock` gives the time of a request, `bound` is the address it listens on."""
    desk, meter = Desk(brain, clock or (lambda: datetime.now(UTC)), pages is not None), Meter()
    endpoint = Endpoint(brain.exporter.rdf(), brain.settings.home / "sparql")
    app = FastAPI(
        title=TITLE,
        version=VERSION,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        lifespan=_until(endpoint),
    )
    app.state.desk = desk
    trouble.install(app)
    tables = routes(desk, meter, endpoint)
    app.state.routes = {operation(route): route for _, table in tables for route in table}
    for tag, table in tables:
        app.include_router(mounted(tag, table))
    app.include_router(manual(lambda: describe(app, tables)))
    if pages is not None:
        app.include_router(pages)
    glance = Glance(brain.store.revision, desk.clock)
    settings = brain.settings
    gate = Gate(
        LinkedDataMiddleware(app, app.state.routes.values(), pages=pages is not None), glance,
        max_body=settings.max_body, meter=meter, origins=Origins(settings.cors),
        edition=f"{app.version} {settings.url} {settings.search} {pages is not None}",
    )  # fmt: skip
    hosts = AllowedHosts(settings.allowed_hosts, url=settings.url or "", bound=bound)
    unstored = [route.path for _, table in tables for route in table if route.unstored]
    return RequestChecks(gate, hosts, meter, unstored)


def routes(desk: Desk, meter: Meter, endpoint: Endpoint) -> Sequence[tuple[str, Sequence[Route]]]:
    """Every route of the API, by subject, in the order in which they are tried."""
    return (
        ("nodes", nodes.routes(desk)),
        ("library", library.routes(desk)),
        ("claims", [*claims.routes(desk), *statements.routes(desk)]),
        ("ledger", ledger.routes(desk)),
        ("prices", prices.routes(desk)),
        ("linked data", [*things.routes(desk), *sparql.routes(desk, endpoint), *exports.routes(desk)]),
        ("writing", writes.routes(desk)),
        ("operation", operating.routes(desk, meter)),
    )


def _until(endpoint: Endpoint) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    """The life of the service: at its end the workers of SPARQL are sent home."""

    @asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
        yield
        endpoint.close()

    return life
