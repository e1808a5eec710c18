"""Search over nodes, claims, prices, terms, tags and sources, with facets and suggestions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, NamedTuple

from api.pages.page_request import (
    FOLDED,
    Facet,
    Option,
    PageRequest,
    Part,
    RawResponse,
    TemplateResponse,
    facet_options,
    page_of,
    part_of,
    path_of,
)
from api.pages.render.verdict_signs import HEALTH, KINDS, OF_KIND
from api.pages.views.claim_table import PageContext
from api.pages.views.name_hits import NAME_KINDS, FoundThing, NameHit, found
from graph.groups import group_by
from graph.models.claim_models import Claim
from graph.models.node_models import Kind
from graph.models.query_models import Facets, NodeQuery, NodeSummary
from graph.search.name_index import BEGINS, EXACT, MENTIONED, NAMED, NameWords, query_words, typed_words
from graph.search.query_language import ParsedQuery, parse
from graph.search.search_models import Answer, Completion
from graph.search.snippets import Marker, gist
from graph.search.tokenizer import split, stems, words
from graph.text.similar_names import near
from graph.values import dumps

LENGTH = 25  # how many results a page of one kind has
NODES, BEST, NAMES = 8, 4, 3  # nodes at the head of the list of a kind; nodes and names of a kind among all kinds
TAGS, SNIPPET = 16, 260  # tags of a facet, characters of an excerpt
SUGGESTED, OF_A_KIND = 10, 3  # the most suggestions, and those of one kind as long as others have some
LONGEST = 300  # how many characters of a text that is being typed are read
_SENTENCE = re.compile(r"(?<=[.!?]) (?=[A-Z“])")

NODE, TERM = "node", "term"
ORDER = (TERM, "price", "claim", NODE, "tag", "source")  # the order of groups that match equally well
SUGGESTED_ORDER = (TERM, "price", NODE, "claim", "tag", "source")  # kinds in the order of equally good suggestions

FoundNode = tuple[NodeSummary, str | None]
"""One node of the answer and its snippet, which is HTML, made safe by the marker, with marks."""


class Group(NamedTuple):
    """Results of one kind: nodes, or names with their notes as HTML."""

    kind: str
    title: str
    total: int
    nodes: Sequence[FoundNode] = ()
    hits: tuple[tuple[NameHit, str], ...] = ()


def page(context: PageContext, request: PageRequest) -> TemplateResponse:
    """What matches, of all kinds or one; without a text the latest notes. Raises CursorError, PageRequestError."""
    text, cursor = request.text("q"), request.text("cursor") or None
    kind = request.one_of("kind", [NODE, *NAME_KINDS, *(one.value for one in Kind if one is not Kind.TERM)])
    query = NodeQuery(tags=request.texts("tag"), brain=request.text("brain") or None, sort="title", limit=LENGTH)
    own = Kind(kind) if kind and kind not in {NODE, *NAME_KINDS} else None
    listed = query.model_copy(update={"kind": own})
    known = {} if text or kind in NAME_KINDS else context.brain.status.by_health(listed)
    sign, places = context.signs(), context.recall("places", lambda: _places(context)) if known else {}
    inside = sorted((one for nodes in known.values() for one in nodes), key=lambda one: places[one])
    healths = group_by(inside, lambda one: sign(one).word)
    health = request.one_of("health", [sign.word for sign in HEALTH.values()]) if known else ""
    first, every = _nodes(context, text, query)
    names, definitions = _names(context, parse(text), query) if text else {}, every.facets.kind.get(TERM, 0)
    counted = every.facets
    if kind in {"", NODE} and 0 < definitions < every.total:  # terms have a list of their own
        counted = context.brain.search.search(f"{text} -kind:{TERM}", query.model_copy(update={"limit": 1})).facets
    part: Part[Any] | None = None
    following = None
    if kind in NAME_KINDS:
        matches = names.get(kind, () if text else found(context, kind, NameWords(())))
        part = part_of(request, matches, LENGTH)
        group = _group(context, request, kind, part.things, part.total)
        groups, total = [group] if group.hits else [], part.total
    elif health or (own and not text):
        part = part_of(request, healths.get(health, ()) if health else inside, LENGTH)
        groups, total, kind = [_notes(context, part.things)] if part.total else [], part.total, kind or NODE
    elif kind in {"", NODE} and not (text or cursor) and definitions < every.total:
        of_kind = group_by(inside, lambda one: places[one][2])
        groups = [_notes(context, of_kind[one], one.value, OF_KIND[one]) for one in OF_KIND if one in of_kind]
        total, kind = every.total - definitions, NODE
    elif text and not kind and not cursor:
        groups = _all_kinds(context, request, (first, every.total - definitions), names)
        total = sum(one.total for one in groups)
    else:
        asked = text if own or not text or "kind:" in text else f"{text} -kind:{TERM}"
        nodes, found_nodes = _nodes(context, asked, listed.model_copy(update={"cursor": cursor}))
        total, counted = found_nodes.total, replace(found_nodes.facets, kind=counted.kind)
        groups = [Group(NODE, "Notes", total, nodes=nodes)] if nodes else []
        kind, following = kind or NODE, request.link(cursor=found_nodes.next) if found_nodes.next else None
    counts = {one: len(matches) for one, matches in names.items()}
    chosen = tuple((key, value) for key, value in request.query if key in {"tag", "kind", "brain", "health"} and value)
    facets = _facets(request, {**counts, NODE: every.total - definitions}, counted)
    sizes = [(sign.word, len(healths[sign.word])) for sign in HEALTH.values() if sign.word in healths]
    said = 0 if len(groups) < 2 else 1 if text else 2  # the facets that the links to the groups repeat
    suggestion = every.suggestion or (None if total else _nearest_name(context, text))
    return page_of(
        "search.html",
        kind=kind,
        groups=groups,
        total=total,
        facets=(Facet("Health", facet_options(request, "health", sizes)), *(() if health else facets[said:])),
        marked=Marker(item.text for item in parse(text).required).marked,
        synonyms=every.synonyms,
        corrected=(suggestion, request.link(q=suggestion)) if suggestion else None,
        relaxed=every.relaxed,
        chosen=chosen,
        definitions=definitions,
        part=part,
        following=following,
        mark=context.mark,
        by_node=context.claim_table().by_node,
        dated=any(places[one][0] < -1 for one in inside),
    )


def _nearest_name(context: PageContext, text: str) -> str | None:
    """A provider, tag or term spelled almost like a text without results."""
    names = {item.name.partition("/")[0] for item in context.brain.names.prices().things}
    names |= {use.tag for use in context.brain.names.tag_uses()} | {one.title for one in context.brain.names.concepts()}
    return next(iter(near(text, names, 1)), None)


def _nodes(context: PageContext, text: str, query: NodeQuery) -> tuple[list[FoundNode], Answer]:
    if not text:
        listed = context.brain.nodes.page(query)
        found_nodes: list[FoundNode] = [(item, None) for item in listed.items]
        return found_nodes, Answer(total=listed.total, facets=listed.facets, next=listed.next)
    answer = context.brain.search.search(text, query)
    wanted = (text, *(name for one in answer.synonyms for name in one.used))
    marker = Marker(item.text for each in wanted for item in parse(each).required)
    texts = {one.id: gist(one) for one in context.brain.nodes.get_many(hit.node.id for hit in answer.hits)}
    found_nodes = [(hit.node, excerpt(marker, texts.get(hit.node.id, hit.plain))) for hit in answer.hits]
    return found_nodes, answer


def excerpt(marker: Marker, text: str) -> str:
    """Complete sentences of a text from that with the most matches on, as HTML; a snippet of one that is too long."""
    sentences = _SENTENCE.split(text)
    first = max(range(len(sentences)), key=lambda number: (len(marker.spans(sentences[number])), -number))
    kept = " ".join(sentences[first:])
    whole = kept if len(kept) <= SNIPPET else kept[: kept.rfind(". ", 0, SNIPPET) + 1]
    return marker.marked(whole) if whole else marker.snippet(kept).marked


def _names(context: PageContext, parsed: ParsedQuery, query: NodeQuery) -> Mapping[str, Sequence[FoundThing]]:
    """Matches by name of each kind; with a filter only claims, which have tags and a brain."""
    filtered, wanted = bool(parsed.filters or query.tags or query.brain), query_words(parsed)
    if not wanted.words and not filtered:
        return {}
    kinds: Iterable[str] = ("claim",) if filtered else NAME_KINDS
    if any(one.field == "kind" and not one.negated for one in parsed.filters):
        kinds = ()  # a kind of node
    unwanted = [NameWords(tuple(split(item.typed))) for item in parsed.unwanted]
    may = {"claim": lambda claim: _passes(claim, parsed, query)}
    return {kind: found(context, kind, wanted, unwanted, may.get(kind)) for kind in kinds}


def _passes(claim: Claim, parsed: ParsedQuery, query: NodeQuery) -> bool:
    tags, brain = {tag.casefold() for tag in claim.tags}, claim.node.partition("/")[0]
    values = {"tag": tags, "brain": {brain.casefold()}, "kind": set[str]()}
    return (
        set(query.tags) <= set(claim.tags)
        and query.brain in {None, brain}
        and all((one.value in values[one.field]) is not one.negated for one in parsed.filters)
    )


def _all_kinds(
    context: PageContext,
    request: PageRequest,
    nodes: tuple[Sequence[FoundNode], int],
    names: Mapping[str, Sequence[FoundThing]],
) -> list[Group]:
    """A group for each kind, exact matches first; `nodes` are the first nodes, and how many are no definitions."""
    level = {kind: matches[0].level for kind, matches in names.items() if matches}
    level[NODE] = _level([one for one, _ in nodes[0]], parse(request.text("q")))
    groups = [_group(context, request, kind, matches[:NAMES], len(matches)) for kind, matches in names.items()]
    notes = [one for one in nodes[0] if one[0].kind is not Kind.TERM or not nodes[1]][:BEST]
    if nodes[1] or not groups:
        groups.append(Group(NODE, "Notes" if nodes[1] else "Definitions", nodes[1] or len(nodes[0]), nodes=notes))
    return sorted(
        (one for one in groups if one.total),
        key=lambda one: (NAMED if level[one.kind] == BEGINS else level[one.kind], ORDER.index(one.kind)),
    )


def _notes(context: PageContext, ids: Sequence[str], kind: str = NODE, title: str = "Notes") -> Group:
    first = ids if kind == NODE else ids[:NODES]
    return Group(kind, title, len(ids), [(one, None) for one in context.brain.nodes.summaries(first)])


def _places(context: PageContext) -> Mapping[str, tuple[int, str, Kind]]:
    """The place of each note in a list, by the date that it shows, the latest first, then by title; and its kind."""
    latest = {node: max(row.claim.as_of for row in rows) for node, rows in context.claim_table().by_node.items()}
    cards = (one.id for one in context.brain.index_feed.card_list() if one.kind is not Kind.TERM)
    dated = ((one, one.published or latest.get(one.id, date.min)) for one in context.brain.nodes.summaries(cards))
    return {one.id: (-day.toordinal(), one.title.casefold(), one.kind) for one, day in dated}


def _level(nodes: Iterable[NodeSummary], parsed: ParsedQuery) -> int:
    wanted = [one for item in parsed.required for one in stems(item.typed)]
    titles = [stems(one.title) for one in nodes if one.kind is not Kind.TERM]
    if any(title == wanted for title in titles):
        return EXACT
    if any(title[: len(wanted)] == wanted for title in titles):
        return BEGINS
    return NAMED if any(set(wanted) <= set(title) for title in titles) else MENTIONED


def _group(context: PageContext, request: PageRequest, kind: str, matches: Sequence[FoundThing], total: int) -> Group:
    marker = Marker(item.text for item in parse(request.text("q")).required)
    terms = context.brain.nodes.get_many(one.thing.id for one in matches) if kind == TERM else ()
    notes = {path_of("terms", one.id): gist(one).partition(". ")[0] for one in terms}
    named = [NAME_KINDS[kind].shown(context, one.thing, request.today) for one in matches]
    hits = tuple((hit, marker.marked(notes.get(hit.href, hit.note))) for hit in named)
    return Group(kind, NAME_KINDS[kind].title, total, hits=hits)


def _facets(request: PageRequest, counts: Mapping[str, int], nodes: Facets) -> tuple[Facet, ...]:
    own, held = {one.value: title for one, title in OF_KIND.items()}, request.texts("tag")
    tags = sorted(nodes.tag.items(), key=lambda one: one[0] not in held)
    titles = {NODE: "Notes", **{name: one.title for name, one in NAME_KINDS.items()}}
    kinds = [(name, counts[name]) for name in titles if counts.get(name)]
    notes = facet_options(request, "kind", [(one, nodes.kind[one]) for one in own if one in nodes.kind], own)
    chosen = [
        Option(value, request.toggled("tag", value), count, value in held) for value, count in tags[: TAGS + FOLDED]
    ]
    return (
        Facet("Kind", facet_options(request, "kind", kinds, titles)),
        Facet("Notes by kind", notes),
        Facet("Brain or glossary", facet_options(request, "brain", nodes.brain.items())),
        Facet("Tag", chosen, TAGS, len(tags) + nodes.tags_left - len(chosen), "/tags"),
    )


# ---- suggestions while typing


class Suggestion(NamedTuple):
    """A suggestion with its sort key: match level, kind, place."""

    level: int
    kind: int
    place: int
    hit: NameHit
    insert: str


def suggestions(context: PageContext, request: PageRequest) -> RawResponse:
    """Completions as JSON: kind, text, label, value, link."""
    ranked = sorted(_suggestions(context, request, request.text("q")[:LONGEST]))
    offered = [
        {"kind": hit.kind, "text": hit.title, "label": hit.label, "insert": insert, "href": hit.href}
        for _, _, _, hit, insert in _chosen(ranked)
    ]
    return RawResponse(dumps({"items": offered}).encode(), "application/json")


def _chosen(ranked: list[Suggestion]) -> list[Suggestion]:
    """The best, at most `OF_A_KIND` of a kind while others are left."""
    seen = Counter[int]()
    first: list[Suggestion] = []
    later: list[Suggestion] = []
    for one in ranked:
        (first if seen[one.kind] < OF_A_KIND else later).append(one)
        seen[one.kind] += 1
    return sorted((first + later)[:SUGGESTED])


def _suggestions(context: PageContext, request: PageRequest, typed: str) -> Iterator[Suggestion]:
    wanted = typed_words(typed)
    if not wanted.words:
        return
    completions = context.brain.search.complete(typed, 3 * SUGGESTED)
    inserts = {one.text: one.insert for one in completions if one.kind != "title"}
    for kind, one in NAME_KINDS.items():
        for place, match in enumerate(found(context, kind, wanted)[:SUGGESTED]):
            hit = one.shown(context, match.thing, request.today)
            yield Suggestion(match.level, SUGGESTED_ORDER.index(kind), place, hit, inserts.get(hit.title, hit.title))
    yield from _suggested_nodes(context, [one for one in completions if one.kind == "title"], typed)


def _suggested_nodes(context: PageContext, titles: list[Completion], typed: str) -> Iterator[Suggestion]:
    refs = context.brain.nodes.refs(one.node for one in titles if one.node)
    for place, one in enumerate(titles):
        ref = refs.get(one.node or "")
        if ref is not None and ref.kind is not Kind.TERM:
            hit = NameHit("node", ref.title, path_of("nodes", ref.id), figure=KINDS[ref.kind].lower())
            yield Suggestion(_title_level(one.text, typed), SUGGESTED_ORDER.index(NODE), place, hit, one.insert)


def _title_level(title: str, typed: str) -> int:
    text, start = " ".join(words(title)), " ".join(words(typed))
    if text == start:
        return EXACT
    return BEGINS if text.startswith(start) else NAMED
