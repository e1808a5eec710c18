"""The complete brain as a drawing: as SVG of the best connected nodes (server), as a canvas of all (browser)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import nsmallest

from api.pages.charts.graph_drawing import LINK_GROUPS, SIDE, group_of_kind, heaviest, sketched
from api.pages.render.verdict_signs import HEALTH, KINDS
from api.pages.request.listing import Side
from api.pages.request.page_request import PageRequest, RawResponse, TemplateResponse, page_of, path_of
from api.pages.views.claim_table import PageContext
from compute.impact.note_health import HealthState
from graph.links.brain_map import BrainMap
from graph.models.link_models import Drawing, Link
from graph.models.node_models import Kind
from graph.values import dumps

DRAWN, LISTED = 120, 40
"""The page draws so many nodes, and lists so many; the canvas draws all."""

Filter = Mapping[str, str]
"""Which nodes to show, by parameter; empty values let all pass. `links` also says which links to draw."""

_WORDS: Mapping[str, Mapping[str, str]] = {
    "kind": {kind.value: KINDS[kind] for kind in Kind},
    "links": {group.name: group.text for group in LINK_GROUPS},
    "health": {state.value: state.value for state in HEALTH},
}
SIDES: tuple[Side[int], ...] = (
    *(Side(name, name.capitalize(), lambda _: (), words, ordered=True) for name, words in _WORDS.items()),
    Side("tag", "Tag", lambda _: (), shown=14, rest="/tags"),
)
"""What nodes are filtered by: parameters of the address."""


@dataclass(frozen=True, slots=True)
class CompleteGraph:
    """The map of all nodes by their numbers, the groups of the links of each node, and the health of each.

    `links` are subject, target and group of links.
    """

    map: BrainMap
    links: Sequence[tuple[int, int, int]]
    groups: Sequence[Collection[str]]
    state: Callable[[str], HealthState]

    def values(self, side: str, node: int) -> Collection[str]:
        """What a node has on a side: its kind, its tags, its health, the groups of its links."""
        match side:
            case "kind":
                return (self.map.kinds[node].value,)
            case "tag":
                return self.map.tags[node]
            case "health":
                return (self.state(self.map.ids[node]).value,)
            case _:
                return self.groups[node]

    def passing(self, wanted: Filter, without: str = "") -> list[int]:
        """The nodes that pass the filter, all its sides but one."""
        chosen = [(side, value) for side, value in wanted.items() if value and side != without]
        every = range(len(self.map.ids))
        return [node for node in every if all(value in self.values(side, node) for side, value in chosen)]

    def links_among(self, nodes: Iterable[int], wanted: Filter) -> list[tuple[int, int, int]]:
        """The links between these nodes, of the wanted group."""
        inside, group = set(nodes), wanted["links"]
        return [
            one for one in self.links if one[0] in inside and one[1] in inside and group in {"", self.group(one[2])}
        ]

    def group(self, sort: int) -> str:
        """The name of the group of a sort of links."""
        return group_of_kind(*self.map.sorts[sort])

    def drawing(self, nodes: Sequence[int], wanted: Filter) -> Drawing:
        """Some nodes with the links among them, spread over the full square."""
        ids, sorts = self.map.ids, self.map.sorts
        links = [
            Link(subject=ids[one], kind=sorts[sort][0], target=ids[other], cito=sorts[sort][1])
            for one, other, sort in self.links_among(nodes, wanted)
        ]
        dots = [self.map.dot(node) for node in nodes]
        places = zip(_spread([dot.x for dot in dots]), _spread([dot.y for dot in dots]), strict=True)
        placed = [dot.model_copy(update={"x": x, "y": y}) for dot, (x, y) in zip(dots, places, strict=True)]
        return Drawing(dots=tuple(placed), links=tuple(links))


def page(context: PageContext, request: PageRequest) -> TemplateResponse:
    """The drawing of what passes the filters; with `find` also of what has words in its title.

    Raises:
        PageRequestError: a value of a filter that there is not.
    """
    if request.text("find"):
        return _drawn(context, request)
    return context.recall(("graph", tuple(request.query)), lambda: _drawn(context, request))


def _drawn(context: PageContext, request: PageRequest) -> TemplateResponse:
    wanted, whole, words = _filter(request), _complete(context), request.text("find").casefold()
    passing, ids, degrees = whole.passing(wanted), whole.map.ids, whole.map.degrees
    found = {node for node in passing if words and words in whole.map.titles[node].casefold()}
    kept = nsmallest(DRAWN, passing, key=lambda node: (node not in found, -degrees[node], ids[node]))
    drawing, found_ids = sketched(whole.drawing(kept, wanted), whole.state), {ids[node] for node in found}
    plain = replace(request, query=[(key, value) for key, value in request.query if key != "find"])
    counts = {
        name: Counter(value for node in whole.passing(wanted, name) for value in whole.values(name, node))
        for name in wanted
    }
    return page_of(
        "graph.html",
        sketch=drawing,
        matching=len(passing),
        total=len(ids),
        links=len(whole.links_among(passing, wanted)),
        facets=[one.facet(plain, counts[one.name]) for one in SIDES],
        listed=[spot for spot in drawing.spots if not found or spot.id in found_ids][:LISTED],
        data=plain.link().replace("/graph", "/graph.json", 1),
        cleared="/graph" if any(wanted.values()) else None,
        filters=[(name, value) for name, value in wanted.items() if value],
        find=request.text("find"),
        found=len(found) if words else None,
        groups=LINK_GROUPS,
    )


def _filter(request: PageRequest) -> Filter:
    chosen = {name: request.one_of(name, list(words)) for name, words in _WORDS.items()}
    return {**chosen, "tag": request.text("tag")}


def _complete(context: PageContext) -> CompleteGraph:
    """The map of all nodes, with the health of each."""

    def make() -> CompleteGraph:
        shown = context.brain.links.map()
        links = list(zip(shown.links[::3], shown.links[1::3], shown.links[2::3], strict=True))
        groups: list[set[str]] = [set() for _ in shown.ids]
        for subject, target, sort in links:
            for end in (subject, target):
                groups[end].add(group_of_kind(*shown.sorts[sort]))
        return CompleteGraph(shown, links, groups, context.healths().state)

    return context.recall("whole", make)


def _spread(values: Sequence[float]) -> list[float]:
    """The places along a side stretched to 0 and 1; if all are equal, they are in the middle."""
    least, most = min(values, default=0.0), max(values, default=0.0)
    return [(value - least) / (most - least) if least != most else 0.5 for value in values]


def data(context: PageContext, request: PageRequest) -> RawResponse:
    """All nodes that pass, for the canvas: columns side by side, and links as pairs of places in them."""
    wanted = _filter(request)
    return context.recall(("graph data", *wanted.values()), lambda: _data(context, wanted))


def _data(context: PageContext, wanted: Filter) -> RawResponse:
    whole = _complete(context)
    shown, nodes = whole.map, whole.passing(wanted)
    number = {shown.ids[node]: place for place, node in enumerate(nodes)}
    groups = {group.name: place for place, group in enumerate(LINK_GROUPS)}
    among = (
        (shown.ids[one], shown.ids[other], whole.group(sort)) for one, other, sort in whole.links_among(nodes, wanted)
    )
    pairs = sorted((number[one], number[other], groups[name]) for (one, other), name in heaviest(among).items())
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
