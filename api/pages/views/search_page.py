"""Search: a field, facets, snippets, and suggestions while typing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from api.pages.render.verdict_signs import KINDS
from api.pages.request.page_request import (
    FOLDED,
    Facet,
    Option,
    PageRequest,
    RawResponse,
    TemplateResponse,
    facet,
    path_of,
)
from api.pages.views.claim_table import PageContext
from graph.models.node_models import Kind
from graph.models.query_models import FacetCount, Facets, NodeQuery, NodeSummary
from graph.search.search_models import Synonym
from graph.values import dumps

LENGTH = 25
TAGS = 16


@dataclass(frozen=True, slots=True)
class Found:
    """One node of the answer; `title` and `snippet` are HTML, made safe by the search, with marks."""

    node: NodeSummary
    title: str | None = None
    snippet: str | None = None


@dataclass(frozen=True, slots=True)
class Results:
    """The page; `corrected` is the query as it may have been meant, with the address of its answer."""

    text: str
    found: tuple[Found, ...]
    total: int
    facets: tuple[Facet, ...]
    synonyms: tuple[Synonym, ...] = ()
    corrected: tuple[str, str] | None = None
    relaxed: bool = False
    following: str | None = None
    cleared: str | None = None
    chosen: tuple[tuple[str, str], ...] = ()


def page(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """What matches; without a text the newest nodes.

    Raises:
        CursorError: the cursor is not of this list.
    """
    text = asked.text("q")
    kind = asked.one_of("kind", [one.value for one in Kind])
    query = NodeQuery(
        tags=asked.texts("tag"),
        kind=Kind(kind) if kind else None,
        brain=asked.text("brain") or None,
        sort="newest",
        limit=LENGTH,
        cursor=asked.text("cursor") or None,
    )
    results = _searched(desk, asked, text, query) if text else _listed(desk, asked, query)
    return TemplateResponse("search.html", results)


def _searched(desk: PageContext, asked: PageRequest, text: str, query: NodeQuery) -> Results:
    answer = desk.brain.search.search(text, query)
    return Results(
        text=text,
        found=tuple(Found(hit.node, hit.title, hit.snippet) for hit in answer.hits),
        total=answer.total,
        facets=_facets(asked, answer.facets, query),
        synonyms=answer.synonyms,
        corrected=(answer.suggestion, asked.link(q=answer.suggestion)) if answer.suggestion else None,
        relaxed=answer.relaxed,
        following=asked.link(cursor=answer.next) if answer.next else None,
        cleared=_cleared(asked),
        chosen=_chosen(asked),
    )


def _listed(desk: PageContext, asked: PageRequest, query: NodeQuery) -> Results:
    found = desk.brain.nodes.page(query)
    return Results(
        text="",
        found=tuple(Found(node) for node in found.items),
        total=found.total,
        facets=_facets(asked, found.facets, query),
        following=asked.link(cursor=found.next) if found.next else None,
        cleared=_cleared(asked),
        chosen=_chosen(asked),
    )


def _chosen(asked: PageRequest) -> tuple[tuple[str, str], ...]:
    return tuple((key, value) for key, value in asked.query if key in {"tag", "kind", "brain"} and value)


def _cleared(asked: PageRequest) -> str | None:
    return asked.link(tag=None, kind=None, brain=None) if _chosen(asked) else None


def _facets(asked: PageRequest, counts: Facets, query: NodeQuery) -> tuple[Facet, ...]:
    kinds = [FacetCount(value=one.value, count=one.count) for one in counts.kind]
    tags = [
        *(one for one in counts.tag if one.value in query.tags),
        *(one for one in counts.tag if one.value not in query.tags),
    ]
    return (
        Facet("Kind", tuple(_single(asked, "kind", kinds))),
        Facet("Brain", tuple(_single(asked, "brain", counts.brain))),
        facet("Tag", list(_several(asked, tags[: TAGS + FOLDED])), TAGS, len(tags) + counts.tags_left, "/tags"),
    )


def _single(asked: PageRequest, name: str, counts: Sequence[FacetCount]) -> Iterable[Option]:
    chosen = asked.text(name)
    for one in counts:
        shown = KINDS[Kind(one.value)] if name == "kind" else one.value
        yield Option(
            shown, asked.link(**{name: None if one.value == chosen else one.value}), one.count, one.value == chosen
        )


def _several(asked: PageRequest, counts: Sequence[FacetCount]) -> Iterable[Option]:
    chosen = asked.texts("tag")
    for one in counts:
        yield Option(one.value, asked.toggled("tag", one.value), one.count, one.value in chosen)


def suggestions(desk: PageContext, asked: PageRequest) -> RawResponse:
    """How what is being typed may go on, as JSON: kind, text, what to put in the field, and its link."""
    found = desk.brain.search.complete(asked.text("q"), 8)
    offered = [
        {
            "kind": one.kind,
            "text": one.text,
            "insert": one.insert,
            "href": path_of("nodes", one.node) if one.node else None,
        }
        for one in found
    ]
    return RawResponse(dumps({"items": offered}).encode(), "application/json")
