"""Nodes and what hangs on them: lists, one node, citations, backlinks, related nodes, claims, health, the graph."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from api import views
from api.http.answers import AsOf, Desk, Exact, Limit, items
from graph.nodes import Kind
from graph.query import NodeQuery

Brain_ = Annotated[str, Path(alias="brain", description="The name of a brain.")]
Slug = Annotated[str, Path(description="The slug of a node in it.")]


def router(desk: Desk) -> APIRouter:
    """The routes over an open brain."""
    routes = APIRouter(prefix="/v1", tags=["nodes"])
    brain = desk.brain

    @routes.get("/nodes", response_model=views.NodePage)
    def find(
        q: Annotated[str, Query(max_length=2000, description='Words, "phrases", tag:x, kind:x, -not, prefix*.')] = "",
        tag: Annotated[list[str] | None, Query(description="A tag; repeated: all must hold.")] = None,
        kind: Kind | None = None,
        of: Annotated[str | None, Query(alias="brain", description="Only nodes of this brain.")] = None,
        as_of: AsOf = None,  # noqa: ARG001  # nodes have no dates of their own; taken so that links may carry it
        limit: Limit = 100,
        cursor: Annotated[str | None, Query(description="`next` of the page before.")] = None,
    ) -> Response:
        """Nodes by text and filters, with facets over all of them."""
        query = NodeQuery(tags=tuple(tag or ()), kind=kind, brain=of, limit=limit, cursor=cursor)
        page = brain.find(q, query)
        answer = Exact(page)
        if page.next:
            answer.headers["Link"] = desk.next_link(
                "/v1/nodes", page.next, q=q, tag=tag, kind=kind, brain=of, limit=limit
            )
        return answer

    @routes.get("/nodes/{brain}/{slug}", response_model=views.NodeView)
    def node(of: Brain_, slug: Slug) -> Response:
        """One node, whole."""
        return Exact(brain.node(f"{of}/{slug}"))

    @routes.get("/nodes/{brain}/{slug}/citations")
    def citations(of: Brain_, slug: Slug) -> Response:
        """What the node cites and quotes."""
        return items([views.reference(one) for one in brain.store.node(f"{of}/{slug}").citations])

    @routes.get("/nodes/{brain}/{slug}/backlinks")
    def backlinks(of: Brain_, slug: Slug) -> Response:
        """What points to the node, with the sentence in which it does."""
        return items(brain.backlinks(f"{of}/{slug}"))

    @routes.get("/nodes/{brain}/{slug}/related")
    def related(of: Brain_, slug: Slug) -> Response:
        """The nodes that have most in common with the node, with the reasons."""
        return items([views.related(one) for one in brain.links.related(f"{of}/{slug}")])

    @routes.get("/nodes/{brain}/{slug}/claims")
    def claims(of: Brain_, slug: Slug) -> Response:
        """The claims of the node with their last verdicts."""
        brain.store.node(f"{of}/{slug}")
        return items(brain.standing.states(node=f"{of}/{slug}"))

    @routes.get("/nodes/{brain}/{slug}/health")
    def health(of: Brain_, slug: Slug) -> Response:
        """Whether the node is sound, weakened, broken or unchecked, and the path that made it so."""
        return items([brain.standing.health(f"{of}/{slug}")])

    @routes.get("/graph")
    def graph(
        around: Annotated[
            str | None, Query(description="The id of the node in the middle; none: the whole graph.")
        ] = None,
        depth: Annotated[int, Query(ge=0, le=4)] = 1,
        cap: Annotated[int, Query(ge=1, le=5000, description="The most nodes that are wanted.")] = 100,
    ) -> Response:
        """Nodes and edges for a drawing."""
        return Exact(brain.links.around(around, depth, cap) if around else brain.links.whole())

    return routes
