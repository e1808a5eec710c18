"""The complete brain as a drawing: as SVG of the best connected nodes (server), as a canvas of all (browser)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from heapq import nsmallest

from api.pages.charts.graph_drawing import LINK_GROUPS, SIDE, group_of_kind, heaviest, sketched
from api.pages.render.verdict_signs import HEALTH, KINDS
from api.pages.request.listing import Narrowing, Side
from api.pages.request.page_request import PageRequest, RawResponse, TemplateResponse, page_of, path_of
from api.pages.views.claim_table import PageContext
from compute.impact.note_health import HealthState
from graph.links.brain_map import BrainMap
from graph.models.node_models import Kind
from graph.values import dumps

DRAWN, LISTED = 120, 40
"""The page draws so many nodes, and lists so many; the canvas draws all."""


@dataclass(frozen=True, slots=True)
class CompleteGraph:
    """The map of all nodes by their numbers, the groups of the links of each node, and the health of each.

    `links` are subject, target and group of links.
    """

    map: BrainMap
    links: Sequence[tuple[int, int, str]]
    groups: Sequence[Collection[str]]
    state: Callable[[str], HealthState]

    def narrowed(self, request: PageRequest) -> Narrowing[int]:
        """The nodes that pass the filters of an address; `links` also says which links to draw."""
        words = {
            "kind": {kind.value: KINDS[kind] for kind in Kind},
            "links": {group.name: group.text for group in LINK_GROUPS},
            "health": {state.value: state.value for state in HEALTH},
        }
        sides: tuple[Side[int], ...] = (
            Side("kind", "Kind", lambda node: (self.map.kinds[node].value,), words["kind"], ordered=True),
            Side("links", "Links", lambda node: self.groups[node], words["links"], ordered=True),
            Side("health", "Health", self._health, words["health"], ordered=True),
            Side("tag", "Tag", lambda node: self.map.tags[node], shown=14, rest="/tags"),
        )
        return Narrowing(request, range(len(self.map.ids)), sides)

    def _health(self, node: int) -> Collection[str]:
        return (self.state(self.map.ids[node]).value,)

    def links_among(self, nodes: Iterable[int], group: str) -> list[tuple[str, str, str]]:
        """Subject, target and group of the links between these nodes, of one group if it is named."""
        inside, ids = set(nodes), self.map.ids
        return [
            (ids[one], ids[other], name)
            for one, other, name in self.links
            if one in inside and other in inside and group in {"", name}
        ]


def page(context: PageContext, request: PageRequest) -> TemplateResponse:
    """The drawing of what passes the filters; with `find` also of what has words in its title.

    Raises:
        PageRequestError: a value of a filter that there is not.
    """
    if request.text("find"):
        return _drawn(context, request)
    return context.recall(("graph", tuple(request.query)), lambda: _drawn(context, request))


def _drawn(context: PageContext, request: PageRequest) -> TemplateResponse:
    whole, words = _complete(context), request.text("find").casefold()
    plain = replace(request, query=[(key, value) for key, value in request.query if key != "find"])
    narrowed = whole.narrowed(plain)
    passing, ids, degrees = narrowed.passing(), whole.map.ids, whole.map.degrees
    found = {node for node in passing if words and words in whole.map.titles[node].casefold()}
    kept = nsmallest(DRAWN, passing, key=lambda node: (node not in found, -degrees[node], ids[node]))
    dots = [whole.map.dot(node) for node in kept]
    places = zip(_spread([dot.x for dot in dots]), _spread([dot.y for dot in dots]), strict=True)
    placed = [dot.model_copy(update={"x": x, "y": y}) for dot, (x, y) in zip(dots, places, strict=True)]
    group = narrowed.chosen["links"]
    drawing = sketched(placed, heaviest(whole.links_among(kept, group)), whole.state)
    found_ids = {ids[node] for node in found}
    return page_of(
        "graph.html",
        sketch=drawing,
        matching=len(passing),
        total=len(ids),
        links=len(whole.links_among(passing, group)),
        facets=narrowed.facets(),
        listed=[spot for spot in drawing.spots if not found or spot.id in found_ids][:LISTED],
        data=plain.link().replace("/graph", "/graph.json", 1),
        cleared="/graph" if narrowed.filters else None,
        filters=narrowed.filters,
        find=request.text("find"),
        found=len(found) if words else None,
        groups=LINK_GROUPS,
    )


def _complete(context: PageContext) -> CompleteGraph:
    def make() -> CompleteGraph:
        shown = context.brain.links.map()
        names = [group_of_kind(*sort) for sort in shown.sorts]
        ends = zip(shown.links[::3], shown.links[1::3], shown.links[2::3], strict=True)
        links = [(subject, target, names[sort]) for subject, target, sort in ends]
        groups: list[set[str]] = [set() for _ in shown.ids]
        for subject, target, name in links:
            groups[subject].add(name)
            groups[target].add(name)
        return CompleteGraph(shown, links, groups, context.brain.status.healths().state)

    return context.recall("whole", make)


def _spread(values: Sequence[float]) -> list[float]:
    """The places along a side stretched to 0 and 1; if all are equal, they are in the middle."""
    least, most = min(values, default=0.0), max(values, default=0.0)
    return [(value - least) / (most - least) if least != most else 0.5 for value in values]


def data(context: PageContext, request: PageRequest) -> RawResponse:
    """All nodes that pass, for the canvas: columns side by side, and links as pairs of places in them."""
    whole = _complete(context)
    narrowed = whole.narrowed(request)
    return context.recall(("graph data", narrowed.filters), lambda: _data(whole, narrowed))


def _data(whole: CompleteGraph, narrowed: Narrowing[int]) -> RawResponse:
    shown, nodes = whole.map, narrowed.passing()
    number = {shown.ids[node]: place for place, node in enumerate(nodes)}
    groups = {group.name: place for place, group in enumerate(LINK_GROUPS)}
    among = heaviest(whole.links_among(nodes, narrowed.chosen["links"]))
    pairs = sorted((number[one], number[other], groups[name]) for (one, other), name in among.items())
    xs, ys = _spread(shown.xs), _spread(shown.ys)
    columns = {
        "id": [shown.ids[node] for node in nodes],
        "title": [shown.titles[node] for node in nodes],
        "kind": [shown.kinds[node].value for node in nodes],
        "health": [whole.state(shown.ids[node]).value for node in nodes],
        "degree": [shown.degrees[node] for node in nodes],
        "x": [round(SIDE * xs[node], 1) for node in nodes],
        "y": [round(SIDE * ys[node], 1) for node in nodes],
        "links": [end for one, two, _ in pairs for end in (one, two)],
        "link_group": [group for _, _, group in pairs],
        "link_groups": [{"name": group.name, "text": group.text} for group in LINK_GROUPS],
        "base": path_of("nodes", ""),
    }
    return RawResponse(dumps(columns).encode(), "application/json")
