"""The complete brain as a drawing: as SVG of the best connected nodes (server), as a canvas of all (browser)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from typing import TypeVar

from api.pages.charts.graph_drawing import SIDE, DrawnNode, GraphDrawing, sketched
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

DRAWN = 250
"""The page draws this many nodes; the canvas draws all."""

LISTED = 60
TAGS = 14


@dataclass(frozen=True, slots=True)
class Graph:
    """The page: a drawing, the filters, and the best connected nodes as a list."""

    sketch: GraphDrawing
    matching: int
    total: int
    links: int
    facets: tuple[Facet, ...]
    listed: tuple[DrawnNode, ...]
    data: str
    cleared: str | None


@dataclass(frozen=True, slots=True)
class Filter:
    """Which nodes to show; empty fields let all pass."""

    kind: str = ""
    tag: str = ""
    health: str = ""

    def passes(self, dot: Dot, health: str) -> bool:
        """Whether the filter accepts a node."""
        return (
            (not self.kind or dot.kind.value == self.kind)
            and (not self.tag or self.tag in dot.tags)
            and (not self.health or health == self.health)
        )


@dataclass(frozen=True, slots=True)
class CompleteGraph:
    """The drawing of all nodes with what is looked up in it: nodes by what they have, links by their subject."""

    drawing: Drawing
    having: Mapping[tuple[str, str], Sequence[Dot]]
    links: Mapping[str, Sequence[Link]]
    state: Callable[[str], HealthState]

    def passing(self, wanted: Filter) -> Sequence[Dot]:
        """The nodes that pass the filter; reads only the smallest set of candidates."""
        sides = ("kind", wanted.kind), ("tag", wanted.tag), ("health", wanted.health)
        lists = [self.having.get((name, value), ()) for name, value in sides if value]
        if not lists:
            return self.drawing.dots
        return [dot for dot in min(lists, key=len) if wanted.passes(dot, self.state(dot.id).value)]

    def counts(self, side: str) -> Counter[str]:
        """How many nodes there are for each value of a side."""
        return Counter({value: len(dots) for (name, value), dots in self.having.items() if name == side})


def page(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """The drawing of what passes the filters."""
    return desk.recall(("graph", tuple(asked.query)), lambda: _drawn(desk, asked))


def _drawn(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    wanted, whole = _filter(asked), _complete(desk)
    passing = whole.passing(wanted)
    kept = nsmallest(DRAWN, passing, key=lambda dot: (-dot.degree, dot.id))
    names = {dot.id for dot in kept}
    links = tuple(link for name in names for link in whole.links.get(name, ()) if link.target in names)
    shown = sketched(whole.drawing.model_copy(update={"dots": tuple(kept), "links": links, "left_out": 0}), whole.state)
    model = Graph(
        sketch=shown,
        matching=len(passing),
        total=len(whole.drawing.dots),
        links=len(whole.drawing.links),
        facets=_facets(asked, wanted, whole),
        listed=shown.spots[:LISTED],
        data=asked.link().replace("/graph", "/graph.json", 1),
        cleared="/graph" if wanted != Filter() else None,
    )
    return TemplateResponse("graph.html", model)


def _complete(desk: PageContext) -> CompleteGraph:
    """The drawing of all nodes, spread over the full square, with the health of each."""
    return desk.recall("whole", lambda: _with_health(desk))


def _with_health(desk: PageContext) -> CompleteGraph:
    drawing, having, links = desk.recall_graph("whole", lambda: _indexed(_spread(desk.brain.links.drawing())))
    state = desk.healths().state
    by_health = _grouped((("health", state(dot.id).value), dot) for dot in drawing.dots)
    return CompleteGraph(drawing, {**having, **by_health}, links, state)


def _indexed(drawing: Drawing) -> tuple[Drawing, Mapping[tuple[str, str], Sequence[Dot]], Mapping[str, Sequence[Link]]]:
    """A drawing, its nodes by kind and by tag, its links by the node that has them."""
    having = _grouped(
        (key, dot) for dot in drawing.dots for key in (("kind", dot.kind.value), *(("tag", tag) for tag in dot.tags))
    )
    return drawing, having, _grouped((link.subject, link) for link in drawing.links)


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
        tag=asked.text("tag"),
        health=asked.one_of("health", [state.value for state in HEALTH]),
    )


def _facets(asked: PageRequest, wanted: Filter, whole: CompleteGraph) -> tuple[Facet, ...]:
    kinds, states, tags = (whole.counts(side) for side in ("kind", "health", "tag"))
    named = {kind.value: KINDS[kind] for kind in Kind}
    return (
        _facet(asked, "kind", [(name, kinds[name]) for name in named if kinds[name]], wanted.kind, named),
        _facet(
            asked,
            "health",
            [(state.value, states[state.value]) for state in HEALTH if states[state.value]],
            wanted.health,
        ),
        facet("Tag", _options(asked, "tag", tags.most_common(TAGS + FOLDED), wanted.tag), TAGS, len(tags), "/tags"),
    )


def _facet(
    asked: PageRequest,
    name: str,
    counts: Sequence[tuple[str, int]],
    chosen: str,
    named: Mapping[str, str] | None = None,
) -> Facet:
    return Facet(name.capitalize(), tuple(_options(asked, name, counts, chosen, named)))


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
            asked.link(**{name: None if value == chosen else value}),
            count,
            value == chosen,
        )
        for value, count in counts
    ]


def data(desk: PageContext, asked: PageRequest) -> RawResponse:
    """All nodes that pass, for the canvas: columns side by side, and links as pairs of places in them."""
    wanted = _filter(asked)
    if wanted == Filter():
        return desk.recall("graph data", lambda: _data(desk, wanted))
    return _data(desk, wanted)


def _data(desk: PageContext, wanted: Filter) -> RawResponse:
    whole = _complete(desk)
    dots = whole.passing(wanted)
    place = {dot.id: number for number, dot in enumerate(dots)}
    pairs = {
        tuple(sorted((place[dot.id], place[link.target])))
        for dot in dots
        for link in whole.links.get(dot.id, ())
        if link.target in place
    }
    columns = {
        "id": [dot.id for dot in dots],
        "title": [dot.title for dot in dots],
        "kind": [dot.kind.value for dot in dots],
        "health": [whole.state(dot.id).value for dot in dots],
        "degree": [dot.degree for dot in dots],
        "x": [round(SIDE * dot.x, 1) for dot in dots],
        "y": [round(SIDE * dot.y, 1) for dot in dots],
        "links": [end for pair in sorted(pairs) for end in pair],
        "base": path_of("nodes", ""),
    }
    return RawResponse(dumps(columns).encode(), "application/json")
