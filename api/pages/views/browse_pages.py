"""Tags: what the nodes carry."""

from __future__ import annotations

from dataclasses import dataclass

from api.pages.request.page_request import PageRequest, TemplateResponse
from api.pages.views.claim_table import PageContext
from api.services.linked_data import tag_detail
from graph.models.query_models import FacetCount, NodeQuery, Page, TagDetail

MOST_TAGS = 400


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
