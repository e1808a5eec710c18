"""The complete brain as a drawing: as SVG of the best connected nodes (server), as a canvas of all (browser)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import nsmallest
from typing import TypeVar

from api.pages.charts.graph_drawing import (
    LINK_GROUPS,
    SIDE,
    DrawnNode,
    GraphDrawing,
    LinkGroup,
    link_group,
    pair_groups,
    sketched,
)
from api.pages.render.verdict_signs import HEALTH, KINDS
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
from compute.impact.note_health import HealthState
from graph.models.link_models import Dot, Drawing, Link
from graph.models.node_models import Kind
from graph.values import dumps, slim

Key = TypeVar("Key", bound=Hashable)
Thing = TypeVar("Thing")

DRAWN = 120
"""The page draws this many nodes; the canvas draws all."""

LISTED = 40
TAGS = 14
SIDES = ("kind", "links", "health", "tag")
"""What nodes are filtered by: parameters of the address."""


@dataclass(frozen=True, slots=True)
class Graph:
    """The page: a drawing, the filters, and a list of the nodes found or else of the best connected.

    `found` counts the nodes with the words of `find` in their title; None if no words are given.
    """

    sketch: GraphDrawing
    matching: int
    total: int
    links: int
    facets: tuple[Facet, ...]
    listed: tuple[DrawnNode, ...]
    data: str
    cleared: str | None
    filters: tuple[tuple[str, str], ...]
    find: str = ""
    found: int | None = None
    groups: tuple[LinkGroup, ...] = LINK_GROUPS


@dataclass(frozen=True, slots=True)
class Filter:
    """Which nodes to show; empty fields let all pass. `links` also says which links to draw."""

    kind: str = ""
    links: str = ""
    health: str = ""
    tag: str = ""

    def chosen(self) -> tuple[tuple[str, str], ...]:
        """The sides that narrow down, with their values."""
        return tuple((side, getattr(self, side)) for side in SIDES if getattr(self, side))


@dataclass(frozen=True, slots=True)
class CompleteGraph:
    """The drawing of all nodes with what is looked up in it: nodes by what they have, links by their subject."""

    drawing: Drawing
    having: Mapping[tuple[str, str], Sequence[Dot]]
    links: Mapping[str, Sequence[Link]]
    state: Callable[[str], HealthState]
    groups: Mapping[str, Collection[str]]

    def values(self, side: str, dot: Dot) -> Collection[str]:
        """What a node has on a side: its kind, its tags, its health, the groups of its links."""
        match side:
            case "kind":
                return (dot.kind.value,)
            case "tag":
                return dot.tags
            case "health":
                return (self.state(dot.id).value,)
            case _:
                return self.groups.get(dot.id, ())

    def passing(self, wanted: Filter) -> Sequence[Dot]:
        """The nodes that pass the filter; reads only the smallest set of candidates."""
        chosen = wanted.chosen()
        if not chosen:
            return self.drawing.dots
        fewest = min((self.having.get(one, ()) for one in chosen), key=len)
        return [dot for dot in fewest if all(value in self.values(side, dot) for side, value in chosen)]

    def links_among(self, names: Collection[str], group: str) -> Iterable[Link]:
        """The links between these nodes, of one group if it is given."""
        links = (link for name in names for link in self.links.get(name, ()) if link.target in names)
        return links if not group else (link for link in links if link_group(link) == group)

    def counts(self, side: str, wanted: Filter) -> Counter[str]:
        """How many nodes a choice on this side would leave, with the other filters unchanged."""
        others = replace(wanted, **{side: ""})
        if not others.chosen():
            return Counter({value: len(dots) for (name, value), dots in self.having.items() if name == side})
        return Counter(value for dot in self.passing(others) for value in self.values(side, dot))


def page(context: PageContext, asked: PageRequest) -> TemplateResponse:
    """The drawing of what passes the filters."""
    if asked.text("find"):
        return _drawn(context, asked)
    return context.recall(("graph", tuple(asked.query)), lambda: _drawn(context, asked))


def _drawn(context: PageContext, asked: PageRequest) -> TemplateResponse:
    wanted, whole, words = _filter(asked), _complete(context), asked.text("find").casefold()
    passing = whole.passing(wanted)
    found = {dot.id for dot in passing if words and words in dot.title.casefold()}
    kept = nsmallest(DRAWN, passing, key=lambda dot: (dot.id not in found, -dot.degree, dot.id))
    links = tuple(whole.links_among({dot.id for dot in kept}, wanted.links))
    shown = sketched(_spread(Drawing(dots=tuple(kept), links=links)), whole.state)
    listed = [spot for spot in shown.spots if not found or spot.id in found]
    model = Graph(
        sketch=shown,
        matching=len(passing),
        total=len(whole.drawing.dots),
        links=sum(1 for _ in whole.links_among({dot.id for dot in passing}, wanted.links)),
        facets=_facets(asked, wanted, whole),
        listed=tuple(listed[:LISTED]),
        data=asked.link(find=None).replace("/graph", "/graph.json", 1),
        cleared="/graph" if wanted != Filter() else None,
        filters=wanted.chosen(),
        find=asked.text("find"),
        found=len(found) if words else None,
    )
    return TemplateResponse("graph.html", model)


def _complete(context: PageContext) -> CompleteGraph:
    """The drawing of all nodes, spread over the full square, with the health of each."""
    return context.recall("whole", lambda: _with_health(context))


def _with_health(context: PageContext) -> CompleteGraph:
    drawing, having, links, groups = context.recall_graph(
        "whole", lambda: _indexed(_spread(context.brain.links.drawing()))
    )
    state = context.healths().state
    by_health = _grouped((("health", state(dot.id).value), dot) for dot in drawing.dots)
    return CompleteGraph(drawing, {**having, **by_health}, links, state, groups)


Indexed = tuple[
    Drawing, Mapping[tuple[str, str], Sequence[Dot]], Mapping[str, Sequence[Link]], Mapping[str, Collection[str]]
]


def _indexed(drawing: Drawing) -> Indexed:
    """A drawing, its nodes by kind, tag and group of links, its links by subject, the groups of links of each node."""
    ends = ((end, link_group(link)) for link in drawing.links for end in (link.subject, link.target))
    groups = {name: frozenset(found) for name, found in _grouped(ends).items()}
    having = _grouped((key, dot) for dot in drawing.dots for key in _keys(dot, groups.get(dot.id, ())))
    return drawing, having, _grouped((link.subject, link) for link in drawing.links), groups


def _keys(dot: Dot, groups: Iterable[str]) -> Iterable[tuple[str, str]]:
    return (("kind", dot.kind.value), *(("tag", tag) for tag in dot.tags), *(("links", name) for name in groups))


def _grouped(pairs: Iterable[tuple[Key, Thing]]) -> dict[Key, list[Thing]]:
    found: dict[Key, list[Thing]] = {}
    for key, thing in pairs:
        found.setdefault(key, []).append(thing)
    return found


def _spread(drawing: Drawing) -> Drawing:
    """The places of a drawing stretched until they touch all four sides."""
    if not drawing.dots:
        return drawing
    (left, right), (top, bottom) = _ends(dot.x for dot in drawing.dots), _ends(dot.y for dot in drawing.dots)
    wide, tall = right - left, bottom - top
    dots = (
        slim(dot.model_copy(update={"x": (dot.x - left) / wide, "y": (dot.y - top) / tall})) for dot in drawing.dots
    )
    return drawing.model_copy(update={"dots": tuple(dots)})


def _ends(values: Iterable[float]) -> tuple[float, float]:
    """The least and the greatest; if all are equal, it is in the middle."""
    found = sorted(values)
    return (found[0], found[-1]) if found[0] < found[-1] else (found[0] - 0.5, found[0] + 0.5)


def _filter(asked: PageRequest) -> Filter:
    return Filter(
        kind=asked.one_of("kind", [kind.value for kind in Kind]),
        links=asked.one_of("links", [group.name for group in LINK_GROUPS]),
        health=asked.one_of("health", [state.value for state in HEALTH]),
        tag=asked.text("tag"),
    )


def _facets(asked: PageRequest, wanted: Filter, whole: CompleteGraph) -> tuple[Facet, ...]:
    names = {
        "kind": {kind.value: KINDS[kind] for kind in Kind},
        "links": {group.name: group.text for group in LINK_GROUPS},
        "health": {state.value: state.value for state in HEALTH},
    }
    tags = whole.counts("tag", wanted)
    return (
        *(_facet(asked, side, named, wanted, whole) for side, named in names.items()),
        facet("Tag", _options(asked, "tag", tags.most_common(TAGS + FOLDED), wanted.tag), TAGS, len(tags), "/tags"),
    )


def _facet(asked: PageRequest, side: str, named: Mapping[str, str], wanted: Filter, whole: CompleteGraph) -> Facet:
    """The values of a side that would leave nodes, and the chosen one."""
    counts, chosen = whole.counts(side, wanted), getattr(wanted, side)
    shown = [(value, counts[value]) for value in named if counts[value] or value == chosen]
    return Facet(side.capitalize(), tuple(_options(asked, side, shown, chosen, named)))


def _options(
    asked: PageRequest,
    name: str,
    counts: Sequence[tuple[str, int]],
    chosen: str,
    named: Mapping[str, str] | None = None,
) -> list[Option]:
    return [
        Option(
            named[value] if named else value,
            asked.link(**{name: None if value == chosen else value, "find": None}),
            count,
            value == chosen,
        )
        for value, count in counts
    ]


def data(context: PageContext, asked: PageRequest) -> RawResponse:
    """All nodes that pass, for the canvas: columns side by side, and links as pairs of places in them."""
    wanted = _filter(asked)
    if wanted == Filter():
        return context.recall("graph data", lambda: _data(context, wanted))
    return _data(context, wanted)


def _data(context: PageContext, wanted: Filter) -> RawResponse:
    whole = _complete(context)
    dots = whole.passing(wanted)
    place = {dot.id: number for number, dot in enumerate(dots)}
    groups = {group.name: number for number, group in enumerate(LINK_GROUPS)}
    pairs = sorted(
        (place[one], place[two], groups[name])
        for (one, two), name in pair_groups(whole.links_among(place, wanted.links)).items()
    )
    columns = {
        "id": [dot.id for dot in dots],
        "title": [dot.title for dot in dots],
        "kind": [dot.kind.value for dot in dots],
        "health": [whole.state(dot.id).value for dot in dots],
        "degree": [dot.degree for dot in dots],
        "x": [round(SIDE * dot.x, 1) for dot in dots],
        "y": [round(SIDE * dot.y, 1) for dot in dots],
        "links": [end for one, two, _ in pairs for end in (one, two)],
        "link_group": [group for _, _, group in pairs],
        "link_groups": [{"name": group.name, "text": group.text} for group in LINK_GROUPS],
        "base": path_of("nodes", ""),
    }
    return RawResponse(dumps(columns).encode(), "application/json")
