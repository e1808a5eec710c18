"""Runs, changes and prices."""

from __future__ import annotations

from datetime import date

from fastapi import APIRouter, Response

from api.http.answers import AsOf, Desk, Exact, Limit, items
from api.http.trouble import not_found


def router(desk: Desk) -> APIRouter:
    """The routes over an open brain."""
    routes = APIRouter(prefix="/v1", tags=["ledger"])
    brain = desk.brain

    @routes.get("/runs")
    def runs(limit: Limit = 100, before: int | None = None) -> Response:
        """The runs, the latest first."""
        return items(brain.store.runs(limit, before))

    @routes.get("/runs/{run}")
    def run(run: int) -> Response:
        """One run with its verdicts."""
        return Exact({**brain.store.run(run).model_dump(), "verdicts": list(brain.store.rows(run))})

    @routes.get("/changes")
    def changes(since: date | None = None, limit: Limit = 50) -> Response:
        """The verdicts that turned from one run to the next."""
        return items(brain.standing.changes(since, limit))

    @routes.get("/prices")
    def prices(item: str | None = None, as_of: AsOf = None) -> Response:
        """The items that have a price; with `item` its prices on a day."""
        if item is None:
            return items(brain.market.book().items())
        day = desk.day(as_of)
        found = [one for one in brain.market.prices(item) if one.on(day)]
        return items(found)

    @routes.get("/prices/{item:path}/history")
    def history(item: str) -> Response:
        """Every price of an item that any catalogue has."""
        found = brain.market.prices(item)
        if not found:
            raise not_found("price of", item)
        return items(found)

    @routes.get("/prices/{item:path}/impact")
    def impact(item: str, as_of: AsOf = None) -> Response:
        """What rests on a price: claims, their nodes, and the nodes that rest on those."""
        return items([brain.standing.impact(item, desk.day(as_of))])

    return routes
