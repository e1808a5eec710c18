"""Suggestions while typing, over everything that has a name: nodes, claims, prices, terms, tags, sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from api.pages.render.verdict_signs import KINDS
from api.pages.request.page_request import PageRequest, RawResponse, path_of
from api.pages.views.claim_table import PageContext
from api.pages.views.search.name_hits import NAME_KINDS, NameHit, found
from graph.models.node_models import Kind
from graph.search.name_index import BEGINS, EXACT, NAMED, typed_words
from graph.search.search_models import Completion
from graph.search.tokenizer import words
from graph.values import dumps

MOST = 10
OF_A_KIND = 3
"""The most suggestions of one kind, as long as others have some."""

LONGEST = 300
"""How many characters of the typed text are read."""

ORDER = ("term", "price", "node", "claim", "tag", "source")
"""Kinds in the order of equally good matches."""


class Suggestion(NamedTuple):
    """A suggestion with what it is sorted by: the level of its match, its kind, its place within the kind."""

    level: int
    kind: int
    place: int
    hit: NameHit
    insert: str


def page(context: PageContext, request: PageRequest) -> RawResponse:
    """How what is being typed may go on, as JSON: kind, text, label, what to put in the field, and its link."""
    typed = request.text("q")[:LONGEST]
    offered = [
        {
            "kind": one.hit.kind,
            "text": one.hit.title,
            "label": one.hit.label,
            "insert": one.insert,
            "href": one.hit.href,
        }
        for one in _chosen(sorted(_suggestions(context, request, typed)))
    ]
    return RawResponse(dumps({"items": offered}).encode(), "application/json")


def _chosen(ranked: list[Suggestion]) -> list[Suggestion]:
    """The best, at most `OF_A_KIND` of a kind; more of a kind only where there is room left."""
    seen = Counter[int]()
    first: list[Suggestion] = []
    later: list[Suggestion] = []
    for one in ranked:
        (first if seen[one.kind] < OF_A_KIND else later).append(one)
        seen[one.kind] += 1
    return sorted((first + later)[:MOST])


def _suggestions(context: PageContext, request: PageRequest, typed: str) -> Iterator[Suggestion]:
    wanted = typed_words(typed)
    if not wanted.words:
        return
    completions = context.brain.search.complete(typed, 3 * MOST)
    inserts = {one.text: one.insert for one in completions if one.kind != "title"}
    for kind, one in NAME_KINDS.items():
        for place, match in enumerate(found(context, kind, wanted)[:MOST]):
            hit = one.shown(context, match.thing, request.today)
            yield Suggestion(match.level, ORDER.index(kind), place, hit, inserts.get(hit.title, hit.title))
    yield from _nodes(context, [one for one in completions if one.kind == "title"], typed)


def _nodes(context: PageContext, titles: list[Completion], typed: str) -> Iterator[Suggestion]:
    """Nodes by title, except terms, which are suggested as terms."""
    refs = context.brain.nodes.refs(one.node for one in titles if one.node)
    for place, one in enumerate(titles):
        ref = refs.get(one.node or "")
        if ref is not None and ref.kind is not Kind.TERM:
            hit = NameHit("node", ref.title, path_of("nodes", ref.id), figure=KINDS[ref.kind].lower())
            yield Suggestion(_title_level(one.text, typed), ORDER.index("node"), place, hit, one.insert)


def _title_level(title: str, typed: str) -> int:
    text, start = " ".join(words(title)), " ".join(words(typed))
    if text == start:
        return EXACT
    return BEGINS if text.startswith(start) else NAMED
