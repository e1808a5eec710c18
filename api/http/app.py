"""The application: the routes in their order, behind the gate."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from fastapi import APIRouter, FastAPI

from api.brain import Brain
from api.http import trouble
from api.http.answers import Desk
from api.http.gate import Gate
from api.http.routes import claims, ledger, library, nodes, operation

ROUTES = (nodes, library, claims, ledger, operation)


def build(brain: Brain, *, clock: Callable[[], datetime] | None = None, pages: APIRouter | None = None) -> Gate:
    """The service over an open brain; `clock` gives the time at the door."""
    desk = Desk(brain, clock or (lambda: datetime.now(UTC)))
    app = FastAPI(title="Brain", version="1", docs_url="/docs", redoc_url=None)
    trouble.install(app)
    for module in ROUTES:
        app.include_router(module.router(desk))
    if pages is not None:
        app.include_router(pages)
    return Gate(
        app,
        lambda: b"%d-%b" % (brain.store.version(), desk.clock().strftime("%Y%m%d").encode()),
        brain.settings.max_body,
    )
