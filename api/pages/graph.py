"""The whole brain as a drawing: on the server as SVG of the best connected nodes, in the browser as a canvas of all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from api.pages.asked import Asked, Facet, Option, Raw, Sheet, path_of
from api.pages.board import Desk
from api.pages.drawing import SIDE, Sketch, Spot, sketched
from api.pages.signs import HEALTH, KINDS
from compute.health import State
from graph.nodes import Kind
from graph.trails import Dot, Drawing
from graph.values import dumps

DRAWN = 400
"""The page draws this many nodes; the canvas draws all."""

LISTED = 60
TAGS = 14


@dataclass(frozen=True, slots=True)
class Graph:
    """The page: a drawing, the filters, and the best connected nodes as a list."""

    sketch: Sketch
    matching: int
    total: int
    links: int
    facets: tuple[Facet, ...]
    listed: tuple[Spot, ...]
    data: str
    cleared: str | None


@dataclass(frozen=True, slots=True)
class Filter:
    """Which nodes are wanted; empty fields let all pass."""

    kind: str = ""
    tag: str = ""
    health: str = ""

    def passes(self, dot: Dot, health: str) -> bool:
        """Whether a node is wanted."""
        return (
            (not self.kind or dot.kind.value == self.kind)
            and (not self.tag or self.tag in dot.tags)
            and (not self.health or health == self.health)
        )


def page(desk: Desk, asked: Asked) -> Sheet:
    """The drawing of what passes the filters."""
    return desk.recall(("graph", tuple(asked.query)), lambda: _drawn(desk, asked))


def _drawn(desk: Desk, asked: Asked) -> Sheet:
    wanted = _filter(asked)
    drawing, states = _whole(desk), desk.states()
    passing = [dot for dot in drawing.dots if wanted.passes(dot, states[dot.id].value)]
    kept = sorted(passing, key=lambda dot: (-dot.degree, dot.id))[:DRAWN]
    names = {dot.id for dot in kept}
    links = tuple(link for link in drawing.links if link.subject in names and link.target in names)
    shown = sketched(drawing.model_copy(update={"dots": tuple(kept), "links": links, "left_out": 0}), states)
    model = Graph(
        sketch=shown,
        matching=len(passing),
        total=len(drawing.dots),
        links=len(drawing.links),
        facets=_facets(asked, wanted, drawing.dots, states),
        listed=shown.spots[:LISTED],
        data=asked.link().replace("/graph", "/graph.json", 1),
        cleared="/graph" if wanted != Filter() else None,
    )
    return Sheet("graph.html", model)


def _whole(desk: Desk) -> Drawing:
    """The drawing of all nodes, spread over the whole square."""
    return desk.recall("whole", lambda: _spread(desk.brain.links.whole()))


def _spread(drawing: Drawing) -> Drawing:
    """The places of a drawing pulled apart until they touch all four sides."""
    if not drawing.dots:
        return drawing
    (left, right), (top, bottom) = _ends(dot.x for dot in drawing.dots), _ends(dot.y for dot in drawing.dots)
    wide, tall = (right - left) or 1, (bottom - top) or 1
    dots = (dot.model_copy(update={"x": (dot.x - left) / wide, "y": (dot.y - top) / tall}) for dot in drawing.dots)
    return drawing.model_copy(update={"dots": tuple(dots)})


def _ends(values: Iterable[float]) -> tuple[float, float]:
    found = sorted(values)
    return found[0], found[-1]


def _filter(asked: Asked) -> Filter:
    return Filter(
        kind=asked.one_of("kind", [kind.value for kind in Kind]),
        tag=asked.text("tag"),
        health=asked.one_of("health", [state.value for state in HEALTH]),
    )


def _facets(asked: Asked, wanted: Filter, dots: Sequence[Dot], health: Mapping[str, State]) -> tuple[Facet, ...]:
    kinds = Counter(dot.kind for dot in dots)
    states = Counter(health[dot.id] for dot in dots)
    tags = Counter(tag for dot in dots for tag in dot.tags)
    named = {kind.value: KINDS[kind] for kind in Kind}
    return (
        _facet(asked, "kind", [(kind.value, kinds[kind]) for kind in Kind if kinds[kind]], wanted.kind, named),
        _facet(asked, "health", [(state.value, states[state]) for state in HEALTH if states[state]], wanted.health),
        replace(_facet(asked, "tag", tags.most_common(TAGS), wanted.tag), left=max(0, len(tags) - TAGS)),
    )


def _facet(
    asked: Asked, name: str, counts: Sequence[tuple[str, int]], chosen: str, named: Mapping[str, str] | None = None
) -> Facet:
    options = (
        Option(
            named[value] if named else value,
            asked.link(**{name: None if value == chosen else value}),
            count,
            value == chosen,
        )
        for value, count in counts
    )
    return Facet(name.capitalize(), tuple(options))


def data(desk: Desk, asked: Asked) -> Raw:
    """All nodes that pass, for the canvas: columns side by side, and links as pairs of places in them."""
    wanted = _filter(asked)
    drawing, states = _whole(desk), desk.states()
    dots = [dot for dot in drawing.dots if wanted.passes(dot, states[dot.id].value)]
    place = {dot.id: number for number, dot in enumerate(dots)}
    pairs = {
        tuple(sorted((place[link.subject], place[link.target])))
        for link in drawing.links
        if link.subject in place and link.target in place
    }
    columns = {
        "id": [dot.id for dot in dots],
        "title": [dot.title for dot in dots],
        "kind": [dot.kind.value for dot in dots],
        "health": [states[dot.id].value for dot in dots],
        "degree": [dot.degree for dot in dots],
        "x": [round(SIDE * dot.x, 1) for dot in dots],
        "y": [round(SIDE * dot.y, 1) for dot in dots],
        "links": [end for pair in sorted(pairs) for end in pair],
        "base": path_of("nodes", ""),
    }
    return Raw(dumps(columns).encode(), "application/json")
