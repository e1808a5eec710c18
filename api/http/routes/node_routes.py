"""Nodes and what hangs on them: lists, one node, citations, backlinks, related nodes, claims, health, the graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from fastapi import Path, Query, Response

from api.http.api_route import ApiRoute
from api.http.responses.problem_details import ProblemError
from api.http.responses.rdf_responses import LINKED, written
from api.http.responses.request_context import WHOLE, AppContext, Ask, Part
from api.models import api_models, response_models
from api.models.iso_day import IsoDay
from api.services.linked_data import LinkedData
from graph.models.node_models import Kind
from graph.models.query_models import MOST_VALUES, NodeQuery, Sort
from graph.store.cursors import Cursor
from ingest.formats.brain_export import write_note

MOST_TYPED = 2000
"""The most characters of a text query."""
Owner = Annotated[str, Path(alias="brain", description="The name of a brain.", examples=["analyst"])]
Slug = Annotated[str, Path(description="The slug of a node in it.", examples=["caching-and-batch-stack"])]
Text = Annotated[
    str,
    Query(
        max_length=MOST_TYPED,
        description='Words, "phrases", tag:x, kind:x, brain:x, -not, prefix*; any other punctuation is text.',
        examples=["batch discount"],
    ),
]
Tags = Annotated[
    list[str] | None,
    Query(
        max_length=MOST_VALUES,
        description="A tag; repeated, up to 50 times: all must hold.",
        examples=[["inference-optimization"]],
    ),
]
Kinds = Annotated[Kind | None, Query(description="Only nodes of this kind.", examples=["reading"])]
Of = Annotated[str | None, Query(alias="brain", description="Only nodes of this brain.", examples=["analyst"])]


NO_PAST = "Node lists are always current and take no earlier day; claims and prices do"


class Nodes:
    """The routes over an open brain."""

    def __init__(self, desk: AppContext) -> None:
        self._brain, self._linked, self._clock = desk.brain, LinkedData(desk.brain), desk.clock

    def find(
        self,
        ask: Ask,
        part: Part,
        *,
        as_of: Annotated[IsoDay | None, Query(description="Today or later: node lists are always current.")] = None,
        q: Text = "",
        tag: Tags = None,
        kind: Kinds = None,
        of: Of = None,
        source: Annotated[str | None, Query(description="Only nodes that list this work.")] = None,
        sort: Annotated[Sort, Query(description="The order where there is no `q`.")] = "added",
    ) -> Response:
        """Nodes by text and filters, with facets over all of them.

        With `q` the best come first, each with a score and a snippet; else they come in the order of `sort`. The list
        is always current: an `as_of` before today is refused.
        """
        if as_of is not None and as_of < (today := self._clock().date()):
            raise ProblemError("invalid-request", f"query.as_of: {NO_PAST} (today is {today}).")
        query = NodeQuery(
            tags=tuple(tag or ()), kind=kind, brain=of, source=source, sort=sort, limit=part.limit, cursor=part.cursor
        )
        fields = api_models.page_fields(self._brain.matching(q, query))
        return ask.items(fields.pop("items"), next=fields.pop("next"), **fields)

    def node(self, ask: Ask, of: Owner, slug: Slug) -> Response:
        """Show one node."""
        name = f"{of}/{slug}"
        found = self._brain.nodes.get(name)
        told = self._linked.at(ask.site)
        cite = told.names.node(name).value
        if ask.form == "json":
            shown = api_models.node_fields(found, self._brain.status.state_of(name).value)
            return ask.record(shown, cite=cite)
        writers = written(told, lambda: told.node(found))
        writers["markdown"] = lambda: write_note(found).encode("utf-8", "replace")
        return ask.record(None, writers, cite=cite)

    def citations(self, ask: Ask, of: Owner, slug: Slug) -> Response:
        """What the node cites and quotes, in the order of its text."""
        return ask.items([api_models.reference(one) for one in self._brain.nodes.get(f"{of}/{slug}").citations])

    def backlinks(self, ask: Ask, of: Owner, slug: Slug) -> Response:
        """What points to the node, with the sentence in which it does."""
        return ask.items(self._brain.backlinks(f"{of}/{slug}"))

    def related(
        self,
        ask: Ask,
        of: Owner,
        slug: Slug,
        limit: Annotated[int, Query(ge=1, le=100, description="Maximum number of nodes."), WHOLE] = 10,
    ) -> Response:
        """The nodes that have most in common with the node, with the reasons."""
        return ask.items([api_models.related(one) for one in self._brain.links.related(f"{of}/{slug}", limit)])

    def dependents(self, ask: Ask, of: Owner, slug: Slug, part: Part) -> Response:
        """Every node that depends on this one by citations, nearest first, with the chain."""
        found = self._brain.links.dependents(f"{of}/{slug}")
        return ask.page(found, part, lambda one: Cursor(one.distance, f"{2 - one.confidence:.9f} {one.node.id}"))

    def claims(self, ask: Ask, of: Owner, slug: Slug) -> Response:
        """The claims of the node with their last verdicts."""
        self._brain.nodes.get(f"{of}/{slug}")
        return ask.items(self._brain.status.states(node=f"{of}/{slug}"))

    def health(self, ask: Ask, of: Owner, slug: Slug) -> Response:
        """Whether the node is sound, weakened, broken or unchecked, and the path that made it so."""
        return ask.items([self._brain.status.health(f"{of}/{slug}")])

    def graph(
        self,
        ask: Ask,
        around: Annotated[
            str | None,
            Query(
                description="The id of the node in the middle; without it, the complete graph.",
                examples=["analyst/caching-and-batch-stack"],
            ),
        ] = None,
        depth: Annotated[int, Query(ge=0, le=4, description="Steps from the middle."), WHOLE] = 1,
        cap: Annotated[int, Query(ge=1, le=5000, description="The most nodes around the middle."), WHOLE] = 100,
        edge: Annotated[
            list[str] | None,
            Query(
                max_length=MOST_VALUES, description="Only edges of this kind; may be repeated.", examples=[["cites"]]
            ),
        ] = None,
    ) -> Response:
        """Nodes and edges for a drawing, with places from 0 to 1; `left_out` counts the nodes beyond the cap."""
        links, middle = self._brain.links, self._brain.nodes.named(around) if around else ""
        return ask.record(links.around(middle, depth, cap, tuple(edge or ())) if middle else links.drawing())

    def path(
        self,
        ask: Ask,
        start: Annotated[
            str, Query(alias="from", description="The id of a node.", examples=["analyst/caching-and-batch-stack"])
        ],
        end: Annotated[
            str, Query(alias="to", description="The id of a node.", examples=["analyst/batch-size-and-gpu-utilisation"])
        ],
    ) -> Response:
        """The shortest way between two nodes along edges of any kind; `path` is null where there is none."""
        return ask.record({"path": self._brain.links.path(*map(self._brain.nodes.named, (start, end)))})

    def suggest(
        self,
        ask: Ask,
        q: Annotated[str, Query(max_length=200, description="What was typed so far.", examples=["batch"])] = "",
        limit: Annotated[int, Query(ge=1, le=50, description="Maximum number of completions."), WHOLE] = 10,
    ) -> Response:
        """Tags, terms and titles that go on as was typed."""
        return ask.items(self._brain.search.complete(q, limit))


def routes(desk: AppContext) -> Sequence[ApiRoute]:
    """The routes in their order."""
    of, one, listed = Nodes(desk), "/v1/nodes/{brain}/{slug}", ("json", "csv")
    gone = ("not-found", "gone")
    return (
        ApiRoute(
            "/v1/nodes",
            of.find,
            api_models.NodePage,
            listed,
            ("invalid-cursor", "unavailable"),
        ),
        ApiRoute(
            one,
            of.node,
            api_models.NodeView,
            ("json", *LINKED, "markdown", "html"),
            gone,
        ),
        ApiRoute(f"{one}/citations", of.citations, response_models.Items[response_models.Citations], listed, gone),
        ApiRoute(f"{one}/backlinks", of.backlinks, response_models.Items[api_models.Backlink], listed, gone),
        ApiRoute(f"{one}/related", of.related, response_models.Items[api_models.Related], listed, gone),
        ApiRoute(
            f"{one}/dependents",
            of.dependents,
            response_models.Items[response_models.Dependent],
            listed,
            (*gone, "invalid-cursor"),
        ),
        ApiRoute(f"{one}/claims", of.claims, response_models.Items[response_models.ClaimStatus], listed, gone),
        ApiRoute(f"{one}/health", of.health, response_models.Items[response_models.Health], listed, gone),
        ApiRoute("/v1/graph", of.graph, response_models.Drawing, ("json",), gone),
        ApiRoute("/v1/path", of.path, response_models.Way, ("json",), gone),
        ApiRoute(
            "/v1/suggest", of.suggest, response_models.Items[response_models.Completion], listed, ("unavailable",)
        ),
    )
