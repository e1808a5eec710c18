"""Tags and sources: what the nodes carry, and what they quote."""

from __future__ import annotations

from dataclasses import dataclass

from api.pages.request.page_request import FOLDED, Facet, Option, PageRequest, TemplateResponse, facet
from api.pages.views.claim_table import PageContext
from api.services.linked_data import tag_detail
from graph.models.query_models import FacetCount, NodeQuery, NodeRef, Page, SourceDetail, SourceUse, TagDetail

MOST_TAGS = 400
MOST_SOURCES = 40
HOSTS = 24
QUOTES = 100
LISTING = 100


@dataclass(frozen=True, slots=True)
class Tags:
    """Every tag with its count; `most` is the greatest count."""

    tags: tuple[FacetCount, ...]
    total: int
    starts: str
    most: int


@dataclass(frozen=True, slots=True)
class TagPage:
    """One tag with the nodes that carry it."""

    tag: TagDetail
    nodes: Page
    following: str | None


@dataclass(frozen=True, slots=True)
class Sources:
    """Works with the nodes that list them."""

    uses: tuple[SourceUse, ...]
    total: int
    host: str
    hosts: Facet
    following: str | None


@dataclass(frozen=True, slots=True)
class SourcePage:
    """One work; `left` counts the quotations that are not shown, `nodes_left` the nodes."""

    detail: SourceDetail
    nodes: tuple[NodeRef, ...]
    nodes_left: int
    left: int


def tags(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """All tags, or those with the requested prefix, most frequent first."""
    starts = asked.text("starts")
    found = desk.brain.tags.all(starts)
    most = found[0].count if found else 1
    return TemplateResponse("tags.html", Tags(found[:MOST_TAGS], len(found), starts, most))


def tag(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """One tag.

    Raises:
        UnknownTagError: no node and no claim carries it.
        CursorError: the cursor is not of this list.
    """
    name = asked.parts["tag"]
    detail = desk.recall(("tag", name), lambda: tag_detail(desk.brain, name))
    cursor = asked.text("cursor") or None
    nodes = desk.brain.nodes.page(NodeQuery(tags=(detail.tag,), sort="newest", limit=40, cursor=cursor))
    return TemplateResponse("tag.html", TagPage(detail, nodes, asked.link(cursor=nodes.next) if nodes.next else None))


def sources(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """The works, of one host or of all."""
    host = asked.text("host")
    after = asked.text("after")
    uses = desk.recall(("uses", host, after), lambda: desk.brain.sources.page(host or None, MOST_SOURCES + 1, after))
    shown = uses[:MOST_SOURCES]
    counts = [one for one in desk.recall("hosts", desk.brain.sources.hosts) if one.value]  # some addresses name no host
    options = (
        Option(
            one.value,
            asked.link(host=None if one.value == host else one.value, after=None),
            one.count,
            one.value == host,
        )
        for one in counts[: HOSTS + FOLDED]
    )
    model = Sources(
        uses=shown,
        total=desk.recall(("sources", host), lambda: desk.brain.sources.count(host or None)),
        host=host,
        hosts=facet("Host", list(options), HOSTS, len(counts), "/v1/sources"),
        following=asked.link(after=shown[-1].source.id) if len(uses) > len(shown) else None,
    )
    return TemplateResponse("sources.html", model)


def source(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """One work with everything quoted from it.

    Raises:
        UnknownSourceError: no node lists it.
    """
    work = asked.parts["work"]
    detail = desk.recall(("source", work), lambda: desk.brain.sources.get(work))
    left = max(0, len(detail.quotations) - QUOTES)
    if left:
        detail = detail.model_copy(update={"quotations": detail.quotations[:QUOTES]})
    nodes = detail.use.nodes
    model = SourcePage(detail, nodes[:LISTING], max(0, len(nodes) - LISTING), left)
    return TemplateResponse("source.html", model)
