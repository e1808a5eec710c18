"""Search: one field over nodes, claims, prices, terms, tags and sources; groups, facets, snippets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from api.pages.render.verdict_signs import KINDS
from api.pages.request.page_request import FOLDED, Facet, Option, PageRequest, TemplateResponse, facet
from api.pages.views.claim_table import PageContext
from api.pages.views.name_hits import NAME_KINDS, FoundThing, NameHit, found, shown
from graph.models.claim_models import Claim
from graph.models.node_models import Kind
from graph.models.query_models import FacetCount, Facets, NodeQuery, NodeSummary
from graph.search.name_index import BEGINS, EXACT, MENTIONED, NAMED, NameWords, query_words
from graph.search.query_language import ParsedQuery, parse
from graph.search.search_models import Synonym
from graph.search.snippets import Marker
from graph.search.tokenizer import split, stems

LENGTH = 25
"""How many results a page of one kind has."""

NODES, NAMES = 8, 3
"""How many nodes, and how many of every other kind, the page of all kinds has."""

SPARE = 8
"""How many more nodes are looked for: a term that is shown as a term is not shown as a note again."""

TAGS = 16
NODE, TERM = "node", "term"
ORDER = (TERM, "price", "claim", NODE, "tag", "source")
"""The order of groups that match equally well."""


@dataclass(frozen=True, slots=True)
class Found:
    """One node of the answer; `title` and `snippet` are HTML, made safe by the search, with marks."""

    node: NodeSummary
    title: str | None = None
    snippet: str | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """Results of one kind: nodes, or things found by name with their titles as HTML; `more` lists the rest."""

    kind: str
    title: str
    total: int
    nodes: tuple[Found, ...] = ()
    hits: tuple[tuple[NameHit, str], ...] = ()
    more: str | None = None


@dataclass(frozen=True, slots=True)
class Results:
    """The page; `corrected` is the query as it may have been meant, with the address of its answer.

    `mentions`: on the page of terms, how many definitions have the words, and where they are listed.
    """

    text: str
    kind: str
    groups: tuple[Group, ...]
    total: int
    facets: tuple[Facet, ...]
    synonyms: tuple[Synonym, ...] = ()
    corrected: tuple[str, str] | None = None
    relaxed: bool = False
    previous: str | None = None
    following: str | None = None
    cleared: str | None = None
    chosen: tuple[tuple[str, str], ...] = ()
    mentions: tuple[int, str] | None = None


@dataclass(frozen=True, slots=True)
class Nodes:
    """The nodes that match, as the search or the list of nodes gives them."""

    found: tuple[Found, ...]
    total: int
    facets: Facets
    next: str | None = None
    synonyms: tuple[Synonym, ...] = ()
    suggestion: str | None = None
    relaxed: bool = False


def page(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """What matches, of all kinds or of one; without a text the newest nodes.

    Raises:
        CursorError: the cursor is not of this list.
        AskedWronglyError: a kind that there is not, or the number of a page that is none.
    """
    text, cursor = asked.text("q"), asked.text("cursor") or None
    kind = asked.one_of("kind", [NODE, *NAME_KINDS, *(one.value for one in Kind if one is not Kind.TERM)])
    query = NodeQuery(tags=asked.texts("tag"), brain=asked.text("brain") or None, sort="newest", limit=NODES + SPARE)
    every = _nodes(desk, text, query)
    names = _names(desk, parse(text), query) if text else {}
    if kind in NAME_KINDS:
        results = _one_kind(desk, asked, text, kind, names.get(kind))
    elif text and not kind and not cursor:
        results = _all_kinds(desk, asked, text, every, names)
    else:
        own = Kind(kind) if kind and kind != NODE else None
        listed = query.model_copy(update={"kind": own, "limit": LENGTH, "cursor": cursor})
        results = _node_list(asked, text, kind, _nodes(desk, text, listed))
    counts = {one: len(matches) for one, matches in names.items()} if text else _sizes(desk, query)
    chosen = _chosen(asked)
    return TemplateResponse(
        "search.html",
        replace(
            results,
            facets=_facets(asked, {**counts, NODE: every.total}, every.facets),
            synonyms=every.synonyms,
            corrected=(every.suggestion, asked.link(q=every.suggestion)) if every.suggestion else None,
            relaxed=every.relaxed,
            cleared=asked.link(tag=None, kind=None, brain=None) if chosen else None,
            chosen=chosen,
            mentions=_mentions(asked, text, every.facets) if kind == TERM and text else None,
        ),
    )


# ---- what matches


def _nodes(desk: PageContext, text: str, query: NodeQuery) -> Nodes:
    if not text:
        listed = desk.brain.nodes.page(query)
        return Nodes(tuple(Found(node) for node in listed.items), listed.total, listed.facets, listed.next)
    answer = desk.brain.search.search(text, query)
    hits = tuple(Found(hit.node, hit.title, hit.snippet) for hit in answer.hits)
    return Nodes(
        hits, answer.total, answer.facets, answer.next, answer.synonyms, answer.suggestion, relaxed=answer.relaxed
    )


def _names(desk: PageContext, parsed: ParsedQuery, query: NodeQuery) -> Mapping[str, Sequence[FoundThing]]:
    """What matches by name, of each kind; with a filter only claims, which have tags and a brain as nodes do."""
    filtered = bool(parsed.filters or query.tags or query.brain)
    wanted = query_words(parsed)
    if not wanted.words and not filtered:
        return {}
    kinds: Iterable[str] = ("claim",) if filtered else NAME_KINDS
    if any(one.field == "kind" and not one.negated for one in parsed.filters):
        kinds = ()  # a kind of node
    unwanted = [NameWords(tuple(split(item.typed))) for item in parsed.unwanted]
    may = _passing(parsed, query)
    return {kind: found(desk, kind, wanted, unwanted, may if kind == "claim" else None) for kind in kinds}


def _mentions(asked: PageRequest, text: str, facets: Facets) -> tuple[int, str] | None:
    """How many terms have the words in their definition, as notes, and the list of these."""
    count = next((one.count for one in facets.kind if one.value == TERM), 0)
    return (count, asked.link(q=f"{text} kind:{TERM}", kind=NODE)) if count else None


def _passing(parsed: ParsedQuery, query: NodeQuery) -> Callable[[Claim], bool]:
    """Whether a claim has the tags and the brain of the filters."""

    def passing(claim: Claim) -> bool:
        tags, brain = {tag.casefold() for tag in claim.tags}, claim.node.partition("/")[0]
        values = {"tag": tags, "brain": {brain.casefold()}, "kind": set[str]()}
        return (
            set(query.tags) <= set(claim.tags)
            and query.brain in {None, brain}
            and all((one.value in values[one.field]) is not one.negated for one in parsed.filters)
        )

    return passing


def _sizes(desk: PageContext, query: NodeQuery) -> Mapping[str, int]:
    """How much there is of each kind, where no text and no filter narrows it down."""
    if query.tags or query.brain:
        return {}
    names = desk.brain.names
    return {
        "claim": len(desk.brain.status.claims()),
        "price": len(names.prices().things),
        TERM: len(names.concepts()),
        "tag": len(names.tag_uses()),
        "source": len(names.sources().things),
    }


# ---- how it is listed


def _all_kinds(
    desk: PageContext, asked: PageRequest, text: str, nodes: Nodes, names: Mapping[str, Sequence[FoundThing]]
) -> Results:
    """A group for each kind, the one with the best match first."""
    level = {kind: matches[0].level for kind, matches in names.items() if matches}
    level[NODE] = _level(nodes, parse(text))
    groups = [_group(desk, asked, kind, matches[:NAMES], len(matches)) for kind, matches in names.items()]
    as_terms = {term.id for one in names.get(TERM, ())[:NAMES] for term in one.thing.terms}
    notes = tuple(one for one in nodes.found if one.node.id not in as_terms)[:NODES]
    groups.append(Group(NODE, "Notes", nodes.total if notes else 0, nodes=notes))
    ordered = sorted((one for one in groups if one.total), key=lambda one: (level[one.kind], ORDER.index(one.kind)))
    shown_of = (
        replace(one, more=asked.link(kind=one.kind) if one.total > len(one.nodes) + len(one.hits) else None)
        for one in ordered
    )
    return Results(text, "", tuple(shown_of), sum(one.total for one in ordered), ())


def _level(nodes: Nodes, parsed: ParsedQuery) -> int:
    """How well the best title matches, as for names."""
    asked = [one for item in parsed.required for one in stems(item.typed)]
    titles = [stems(one.node.title) for one in nodes.found if one.node.kind is not Kind.TERM]
    if any(title == asked for title in titles):
        return EXACT
    if any(title[: len(asked)] == asked for title in titles):
        return BEGINS
    return NAMED if any(set(asked) <= set(title) for title in titles) else MENTIONED


def _one_kind(
    desk: PageContext, asked: PageRequest, text: str, kind: str, matches: Sequence[FoundThing] | None
) -> Results:
    """A page of the things of one kind that match by name; without a text, of all of them."""
    if matches is None:
        matches = [] if text else found(desk, kind, NameWords(()))
    pages = max(1, -(-len(matches) // LENGTH))
    number = min(asked.number("page"), pages)
    first = (number - 1) * LENGTH
    group = _group(desk, asked, kind, matches[first : first + LENGTH], len(matches))
    return Results(
        text,
        kind,
        (group,) if group.hits else (),
        len(matches),
        (),
        previous=asked.link(page=str(number - 1)) if number > 1 else None,
        following=asked.link(page=str(number + 1)) if number < pages else None,
    )


def _node_list(asked: PageRequest, text: str, kind: str, nodes: Nodes) -> Results:
    groups = (Group(NODE, "Notes", nodes.total, nodes=nodes.found),) if nodes.found else ()
    return Results(
        text, kind or NODE, groups, nodes.total, (), following=asked.link(cursor=nodes.next) if nodes.next else None
    )


def _group(desk: PageContext, asked: PageRequest, kind: str, matches: Sequence[FoundThing], total: int) -> Group:
    marker = Marker(item.text for item in parse(asked.text("q")).required)
    hits = tuple((hit, marker.marked(hit.title)) for hit in shown(desk, kind, matches, asked.today))
    return Group(kind, NAME_KINDS[kind].title, total, hits=hits)


# ---- facets


def _chosen(asked: PageRequest) -> tuple[tuple[str, str], ...]:
    return tuple((key, value) for key, value in asked.query if key in {"tag", "kind", "brain"} and value)


def _facets(asked: PageRequest, counts: Mapping[str, int], nodes: Facets) -> tuple[Facet, ...]:
    held = asked.texts("tag")
    tags = [*(one for one in nodes.tag if one.value in held), *(one for one in nodes.tag if one.value not in held)]
    own = {one.value: KINDS[one] for one in Kind if one is not Kind.TERM}
    notes = [FacetCount(value=one.value, count=one.count) for one in nodes.kind if one.value in own]
    titles = {NODE: "Notes", **{name: one.title for name, one in NAME_KINDS.items()}}
    kinds = [FacetCount(value=name, count=counts[name]) for name in titles if counts.get(name)]
    return (
        Facet("Kind", tuple(_single(asked, "kind", kinds, titles))),
        Facet("Notes by kind", (*_single(asked, "kind", notes, own), *_definitions(asked, nodes))),
        Facet("Brain", tuple(_single(asked, "brain", nodes.brain, {}))),
        facet("Tag", list(_several(asked, tags[: TAGS + FOLDED])), TAGS, len(tags) + nodes.tags_left, "/tags"),
    )


def _definitions(asked: PageRequest, nodes: Facets) -> Iterator[Option]:
    """The terms among the notes. The address has a word of the query for them: `?kind=term` is terms by name."""
    text, word = asked.text("q"), f"kind:{TERM}"
    chosen = word in text.split()
    other = " ".join(one for one in text.split() if one != word) if chosen else f"{text} {word}".strip()
    for one in nodes.kind:
        if one.value == TERM:
            yield Option("Definition of a term", asked.link(q=other or None, kind=NODE), one.count, chosen)


def _single(asked: PageRequest, name: str, counts: Sequence[FacetCount], words: Mapping[str, str]) -> Iterable[Option]:
    chosen = asked.text(name)
    for one in counts:
        link = asked.link(**{name: None if one.value == chosen else one.value})
        yield Option(words.get(one.value, one.value), link, one.count, one.value == chosen)


def _several(asked: PageRequest, counts: Sequence[FacetCount]) -> Iterable[Option]:
    chosen = asked.texts("tag")
    for one in counts:
        yield Option(one.value, asked.toggled("tag", one.value), one.count, one.value in chosen)
