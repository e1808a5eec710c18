"""Tags, sources and terms."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from api import views
from api.http.answers import Desk, Limit, items
from graph.nodes import Kind
from graph.query import NodeQuery


def router(desk: Desk) -> APIRouter:
    """The routes over an open brain."""
    routes = APIRouter(prefix="/v1", tags=["library"])
    store = desk.brain.store

    @routes.get("/tags")
    def tags(prefix: str = "") -> Response:
        """All tags with their number of nodes."""
        return items([{"tag": one.value, "count": one.count} for one in store.tags(prefix)])

    @routes.get("/tags/{tag}")
    def tag(tag: str) -> Response:
        """One tag with the tags that stand beside it."""
        return items([store.tag(tag)])

    @routes.get("/sources")
    def sources(
        host: Annotated[str | None, Query(description="Only works at this host.")] = None,
        limit: Limit = 100,
        after: Annotated[str, Query(description="The id of the last work of the page before.")] = "",
    ) -> Response:
        """Works that nodes list as sources, with those nodes."""
        return items(store.sources(host, limit, after), total=store.source_count(host))

    @routes.get("/terms")
    def terms(limit: Limit = 100, cursor: str | None = None) -> Response:
        """The terms of every glossary."""
        page = store.summaries(NodeQuery(kind=Kind.TERM, limit=limit, cursor=cursor))
        return items([views.summary(one) for one in page.items], total=page.total, next=page.next)

    @routes.get("/terms/{brain}/{slug}")
    def term(brain: str, slug: str) -> Response:
        """A term with the definitions of every glossary that has it."""
        return items(desk.brain.definitions(f"{brain}/{slug}"))

    return routes
