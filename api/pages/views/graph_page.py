"""The map as a drawing: as SVG of the best connected nodes (server), as a canvas of all (browser)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import nsmallest

from api.pages.charts.graph_drawing import LINK_GROUPS, SIDE, group_of_kind, heaviest, sketched
from api.pages.render.verdict_signs import HEALTH, KINDS
from api.pages.request.listing import Narrowing, Side
from api.pages.request.page_request import PageRequest, RawResponse, TemplateResponse, page_of, path_of
from api.pages.views.claim_table import PageContext
from compute.impact.note_health import HealthState
from graph.models.link_models import Dot, Drawing
from graph.models.node_models import Kind
from graph.values import dumps

DRAWN, LISTED = 120, 40
"""The page draws so many nodes, and lists so many; the canvas draws the complete map."""


@dataclass(frozen=True, slots=True)
class CompleteGraph:
    """The map, the subject, target and group of each link, the groups of the links of each node, and its health."""

    map: Drawing
    links: Sequence[tuple[str, str, str]]
    groups: Mapping[str, Collection[str]]
    state: Callable[[str], HealthState]

    def narrowed(self, request: PageRequest) -> Narrowing[Dot]:
        """The nodes that pass the filters of an address; `links` also says which links to draw."""
        words = {
            "kind": {kind.value: KINDS[kind] for kind in Kind},
            "links": {group.name: group.text for group in LINK_GROUPS},
            "health": {state.value: state.value for state in HEALTH},
        }
        sides: tuple[Side[Dot], ...] = (
            Side("kind", "Kind", lambda dot: (dot.kind.value,), words["kind"], ordered=True),
            Side("links", "Links", lambda dot: self.groups.get(dot.id, ()), words["links"], ordered=True),
            Side("health", "Health", lambda dot: (self.state(dot.id).value,), words["health"], ordered=True),
            Side("tag", "Tag", lambda dot: dot.tags, shown=14, rest="/tags"),
        )
        return Narrowing(request, self.map.dots, sides)

    def links_among(self, dots: Iterable[Dot], group: str) -> list[tuple[str, str, str]]:
        """Subject, target and group of the links between these nodes, of one group if it is named."""
        inside = {dot.id for dot in dots}
        return [link for link in self.links if link[0] in inside and link[1] in inside and group in {"", link[2]}]


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
    passing = narrowed.passing()
    found = {dot.id for dot in passing if words and words in dot.title.casefold()}
    kept = nsmallest(DRAWN, passing, key=lambda dot: (dot.id not in found, -dot.degree, dot.id))
    group = narrowed.chosen["links"]
    drawing = sketched(_spread(kept), heaviest(whole.links_among(kept, group)), whole.state)
    return page_of(
        "graph.html",
        sketch=drawing,
        matching=len(passing),
        total=len(whole.map.dots),
        left=whole.map.left_out,
        links=len(whole.links_among(passing, group)),
        facets=narrowed.facets(),
        listed=[spot for spot in drawing.spots if not found or spot.id in found][:LISTED],
        data=plain.link().replace("/graph", "/graph.json", 1),
        cleared="/graph" if narrowed.filters else None,
        filters=narrowed.filters,
        find=request.text("find"),
        found=len(found) if words else None,
        groups=LINK_GROUPS,
    )


def _complete(context: PageContext) -> CompleteGraph:
    def make() -> CompleteGraph:
        drawing = context.brain.links.drawing()
        links = [(link.subject, link.target, group_of_kind(link.kind, link.cito)) for link in drawing.links]
        groups: dict[str, set[str]] = defaultdict(set)
        for subject, target, name in links:
            groups[subject].add(name)
            groups[target].add(name)
        return CompleteGraph(drawing, links, groups, context.brain.status.healths().state)

    return context.recall("map", make)


def _spread(dots: Sequence[Dot]) -> list[Dot]:
    """The nodes with their places stretched to 0 and 1 on each side; if all are equal there, in the middle."""
    columns = []
    for values in ([dot.x for dot in dots], [dot.y for dot in dots]):
        least, most = min(values, default=0.0), max(values, default=0.0)
        columns.append([(value - least) / (most - least) if least != most else 0.5 for value in values])
    return [dot.model_copy(update={"x": x, "y": y}) for dot, x, y in zip(dots, *columns, strict=True)]


def data(context: PageContext, request: PageRequest) -> RawResponse:
    """All nodes that pass, for the canvas: columns side by side, and links as pairs of places in them."""
    whole = _complete(context)
    narrowed = whole.narrowed(request)
    return context.recall(("graph data", narrowed.filters), lambda: _data(whole, narrowed))


def _data(whole: CompleteGraph, narrowed: Narrowing[Dot]) -> RawResponse:
    passing = {dot.id for dot in narrowed.passing()}
    dots = [dot for dot in _spread(whole.map.dots) if dot.id in passing]
    number = {dot.id: place for place, dot in enumerate(dots)}
    groups = {group.name: place for place, group in enumerate(LINK_GROUPS)}
    among = heaviest(whole.links_among(dots, narrowed.chosen["links"]))
    pairs = sorted((number[one], number[other], groups[name]) for (one, other), name in among.items())
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
