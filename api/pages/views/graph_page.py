"""The complete brain as a drawing: as SVG of the best connected nodes (server), as a canvas of all (browser)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import nsmallest
from typing import TypeVar

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

Key = TypeVar("Key", bound=Hashable)
Thing = TypeVar("Thing")

DRAWN, LISTED = 120, 40
"""The page draws so many nodes, and lists so many; the canvas draws all."""

Filter = Mapping[str, str]
"""Which nodes to show, by parameter; empty values let all pass. `links` also says which links to draw."""


@dataclass(frozen=True, slots=True)
class CompleteGraph:
    """The map of all nodes by their numbers, with what is looked up in it.

    `having` has the nodes by what they have, `links` the targets of each subject with the sort of the link, `groups`
    the groups of the links of each node, `group_of` the group of each sort of links.
    """

    map: BrainMap
    having: Mapping[tuple[str, str], Sequence[int]]
    links: Mapping[int, Sequence[tuple[int, int]]]
    groups: Mapping[int, Collection[str]]
    group_of: Sequence[str]
    state: Callable[[str], HealthState] = lambda _node: HealthState.UNCHECKED

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
                return self.groups.get(node, ())

    def passing(self, wanted: Filter) -> Sequence[int]:
        """The nodes that pass the filter; reads only the smallest set of candidates."""
        chosen = [(side, value) for side, value in wanted.items() if value]
        if not chosen:
            return range(len(self.map.ids))
        fewest = min((self.having.get(one, ()) for one in chosen), key=len)
        return [node for node in fewest if all(value in self.values(side, node) for side, value in chosen)]

    def links_among(self, nodes: Collection[int], group: str) -> Iterable[tuple[int, int, int]]:
        """Subject, target and sort of the links between these nodes, of one group if it is given."""
        links = ((one, other, sort) for one in nodes for other, sort in self.links.get(one, ()) if other in nodes)
        return links if not group else (link for link in links if self.group_of[link[2]] == group)

    def counts(self, side: str, wanted: Filter) -> Counter[str]:
        """How many nodes a choice on this side would leave, with the other filters unchanged."""
        others = {**wanted, side: ""}
        if not any(others.values()):
            return Counter({value: len(nodes) for (name, value), nodes in self.having.items() if name == side})
        return Counter(value for node in self.passing(others) for value in self.values(side, node))

    def drawing(self, nodes: Sequence[int], group: str) -> Drawing:
        """Some nodes with the links among them, spread over the full square."""
        links = [
            Link(subject=self.map.ids[one], kind=kind, target=self.map.ids[other], cito=cito)
            for one, other, sort in self.links_among(set(nodes), group)
            for kind, cito in [self.map.sorts[sort]]
        ]
        dots = [self.map.dot(node) for node in nodes]
        places = zip(_spread([dot.x for dot in dots]), _spread([dot.y for dot in dots]), strict=True)
        placed = [dot.model_copy(update={"x": x, "y": y}) for dot, (x, y) in zip(dots, places, strict=True)]
        return Drawing(dots=tuple(placed), links=tuple(links))


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
    drawing = sketched(whole.drawing(kept, wanted["links"]), whole.state)
    found_ids = {ids[node] for node in found}
    plain = replace(request, query=[(key, value) for key, value in request.query if key != "find"])
    return page_of(
        "graph.html",
        sketch=drawing,
        matching=len(passing),
        total=len(ids),
        links=sum(1 for _ in whole.links_among(set(passing), wanted["links"])),
        facets=[one.facet(plain, whole.counts(one.name, wanted)) for one in SIDES],
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
    return context.recall("whole", lambda: _with_health(context))


def _with_health(context: PageContext) -> CompleteGraph:
    shown = context.brain.links.map()
    indexed = context.recall_graph(("whole", shown.version), lambda: _indexed(shown))
    state = context.healths().state
    by_health = _grouped((("health", state(name).value), node) for node, name in enumerate(shown.ids))
    return replace(indexed, having={**indexed.having, **by_health}, state=state)


def _indexed(shown: BrainMap) -> CompleteGraph:
    """A map, its nodes by kind, tag and group of links, its links by subject, the groups of links of each node."""
    group_of = [group_of_kind(kind, cito) for kind, cito in shown.sorts]
    links = list(zip(shown.links[::3], shown.links[1::3], shown.links[2::3], strict=True))
    ends = ((end, group_of[sort]) for subject, target, sort in links for end in (subject, target))
    groups = {node: frozenset(found) for node, found in _grouped(ends).items()}
    having = _grouped((key, node) for node in range(len(shown.ids)) for key in _keys(shown, node, groups))
    by_subject = _grouped((subject, (target, sort)) for subject, target, sort in links)
    return CompleteGraph(shown, having, by_subject, groups, group_of)


def _keys(shown: BrainMap, node: int, groups: Mapping[int, Iterable[str]]) -> Iterable[tuple[str, str]]:
    tags, linked = shown.tags[node], groups.get(node, ())
    return (("kind", shown.kinds[node].value), *(("tag", tag) for tag in tags), *(("links", name) for name in linked))


def _grouped(pairs: Iterable[tuple[Key, Thing]]) -> dict[Key, list[Thing]]:
    found: dict[Key, list[Thing]] = {}
    for key, thing in pairs:
        found.setdefault(key, []).append(thing)
    return found


def _spread(values: Sequence[float]) -> list[float]:
    """The places along a side stretched to 0 and 1; if all are equal, they are in the middle."""
    least, most = min(values, default=0.0), max(values, default=0.0)
    if least == most:
        return [0.5] * len(values)
    return [(value - least) / (most - least) for value in values]


def data(context: PageContext, request: PageRequest) -> RawResponse:
    """All nodes that pass, for the canvas: columns side by side, and links as pairs of places in them."""
    wanted = _filter(request)
    if not any(wanted.values()):
        return context.recall("graph data", lambda: _data(context, wanted))
    return _data(context, wanted)


def _data(context: PageContext, wanted: Filter) -> RawResponse:
    whole = _complete(context)
    shown, nodes = whole.map, whole.passing(wanted)
    place = {node: number for number, node in enumerate(nodes)}
    groups = {group.name: number for number, group in enumerate(LINK_GROUPS)}
    among = whole.links_among(place, wanted["links"])
    grouped = heaviest((shown.ids[one], shown.ids[other], whole.group_of[sort]) for one, other, sort in among)
    number = {shown.ids[node]: place[node] for node in nodes}
    pairs = sorted((number[one], number[other], groups[name]) for (one, other), name in grouped.items())
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
