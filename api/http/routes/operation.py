"""Is the service alive, and can it answer?"""

from __future__ import annotations

from fastapi import APIRouter, Response

from api.http.answers import Desk, Exact


def router(desk: Desk) -> APIRouter:
    """The routes over an open brain."""
    routes = APIRouter(tags=["operation"])

    @routes.get("/healthz")
    def alive() -> Response:
        """The process answers."""
        return Exact({"status": "ok"})

    @routes.get("/readyz")
    def ready() -> Response:
        """The store answers."""
        return Exact({"status": "ok", "version": desk.brain.store.version()})

    return routes
