"""Tags, sources and terms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from fastapi import Path, Query, Response

from api.http.api_route import ApiRoute
from api.http.responses.rdf_responses import LINKED, written
from api.http.responses.request_context import AppContext, Ask, OfBrain, Part
from api.http.routes.node_routes import Owner, Slug
from api.models import api_models, response_models
from api.services.linked_data import LinkedData, tag_detail
from graph.models.node_models import Kind
from graph.models.query_models import FacetCount, NodeQuery, SourceUse
from graph.store import cursors
from graph.store.cursors import Cursor

Tag = Annotated[str, Path(description="A tag.", examples=["inference-optimization"])]
Work = Annotated[str, Path(description="The id of a work.", examples=["arxiv:1706.03762"])]


class Library:
    """The routes over an open brain."""

    def __init__(self, desk: AppContext) -> None:
        self._brain, self._linked = desk.brain, LinkedData(desk.brain)

    def tags(
        self,
        ask: Ask,
        part: Part,
        prefix: Annotated[str, Query(description="Only tags that begin so.", examples=["inference"])] = "",
        sort: Annotated[
            Literal["count", "name"], Query(description="The most frequent first, or by the alphabet.")
        ] = "count",
        brain: OfBrain = None,
    ) -> Response:
        """All tags with their number of nodes; in the forms of RDF the scheme of all tags."""
        told = self._linked.at(ask.site)
        if ask.form not in {"json", "csv"}:
            return ask.record(None, written(told, told.tags), cite=told.names.tags.value)
        found = self._brain.tags.all(prefix, brain)
        ordered = sorted(found, key=lambda one: one.value) if sort == "name" else found
        shown = [response_models.TagCount(tag=one.value, count=one.count) for one in ordered]
        return ask.page(shown, part, by_name if sort == "name" else by_count)

    def tag(self, ask: Ask, tag: Tag) -> Response:
        """One tag: its nodes by kind, and the tags used together with it."""
        found = tag_detail(self._brain, tag)
        told = self._linked.at(ask.site)
        return ask.record(found, written(told, lambda: told.tag(found.tag)), cite=told.names.tag(found.tag).value)

    def sources(
        self,
        ask: Ask,
        part: Part,
        host: Annotated[str | None, Query(description="Only works at this host.", examples=["arxiv.org"])] = None,
        brain: OfBrain = None,
    ) -> Response:
        """Works that nodes list as sources, by id, with those nodes; `quotations` counts what is quoted of each."""
        after = None if part.cursor is None else cursors.read(part.cursor, ask.scope, str).id
        found = self._brain.sources.page(host, part.limit + 1, after, brain)
        shown, more = found[: part.limit], len(found) > part.limit
        following = Cursor(shown[-1].source.id, shown[-1].source.id).text(ask.scope) if more else None
        hosts = [_facet(one) for one in self._brain.sources.hosts()[:100]] if part.cursor is None else []
        total = self._brain.sources.count(host, brain)
        return ask.items([_work(one) for one in shown], next=following, total=total, hosts=hosts)

    def source(self, ask: Ask, work: Work) -> Response:
        """One work with every quotation of it, in the order of the nodes."""
        found = self._brain.sources.get(work)
        shown = _work(found.use).model_copy(update={"quotes": found.quotations})
        told = self._linked.at(ask.site)
        return ask.record(shown, written(told, lambda: told.source(work)), cite=told.names.source(work).value)

    def terms(
        self,
        ask: Ask,
        part: Part,
        brain: Annotated[str | None, Query(description="Only terms of this glossary.", examples=["terms"])] = None,
    ) -> Response:
        """The terms of every glossary, in the order of arrival."""
        page = self._brain.nodes.page(NodeQuery(kind=Kind.TERM, brain=brain, limit=part.limit, cursor=part.cursor))
        return ask.items([api_models.summary(one) for one in page.items], next=page.next, total=page.total)

    def term(self, ask: Ask, brain: Owner, slug: Slug) -> Response:
        """A term with the definitions of every glossary that has it, the requested one first."""
        return ask.items(self._brain.definitions(f"{brain}/{slug}"))


def by_count(one: response_models.TagCount) -> Cursor:
    """The place of a tag among the most frequent."""
    return Cursor(-one.count, one.tag)


def by_name(one: response_models.TagCount) -> Cursor:
    """The place of a tag in the alphabet."""
    return Cursor(one.tag, one.tag)


def _facet(one: FacetCount) -> api_models.Facet:
    return api_models.Facet(value=one.value, count=one.count)


def _work(use: SourceUse) -> response_models.Work:
    source = use.source
    return response_models.Work(
        id=source.id,
        url=source.url,
        title=source.title,
        date=source.date,
        host=source.host,
        urls=use.urls,
        nodes=use.nodes,
        quotations=use.quotations,
    )


def routes(desk: AppContext) -> Sequence[ApiRoute]:
    """The routes in their order."""
    of, listed = Library(desk), ("json", "csv")
    return (
        ApiRoute(
            "/v1/tags",
            of.tags,
            response_models.Items[response_models.TagCount],
            (*listed, *LINKED, "html"),
            ("invalid-cursor",),
        ),
        ApiRoute("/v1/tags/{tag:path}", of.tag, response_models.TagView, ("json", *LINKED, "html"), ("not-found",)),
        ApiRoute("/v1/sources", of.sources, response_models.Works, listed, ("invalid-cursor",)),
        ApiRoute("/v1/sources/{work:path}", of.source, response_models.Work, ("json", *LINKED, "html"), ("not-found",)),
        ApiRoute("/v1/terms", of.terms, response_models.Items[api_models.NodeSummary], listed, ("invalid-cursor",)),
        ApiRoute(
            "/v1/terms/{brain}/{slug}",
            of.term,
            response_models.Items[api_models.NodeView],
            listed,
            ("not-found", "gone"),
        ),
    )
