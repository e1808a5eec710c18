"""The map of notes and links, as SVG (server) and as a canvas (browser)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from heapq import nsmallest
from typing import NamedTuple

from api.pages.page_request import Narrowing, PageRequest, RawResponse, Side, TemplateResponse, page_of, path_of
from api.pages.render.verdict_signs import HEALTH, KINDS
from api.pages.views.claim_table import PageContext
from compute.impact.note_health import HealthState
from graph.models.link_models import ARGUING, Dot, Drawing
from graph.models.node_models import Kind
from graph.values import dumps

SIDE = 1000
DISPUTING = frozenset({"disputes", "disagreesWith", "refutes", "critiques", "corrects", "qualifies", "contradicts"})
"""Kinds of citation and of relation that speak against their target."""

LINK_GROUPS = {
    "disputes": "disputes or qualifies",
    "supports": "supports, or builds on",
    "cites": "cites or discusses",
    "terms": "relation of terms, or a mention",
}
"""Links that are drawn alike, with what the subject does to the target: a pair is drawn as the first that it has."""


def group_of_kind(kind: str, cito: str | None) -> str:
    """The name of the group of the links of a kind with a CiTO type."""
    said = cito or kind
    if said in DISPUTING:
        return "disputes"
    if said in ARGUING:
        return "supports"
    return "cites" if kind == "cites" else "terms"


def heaviest(links: Iterable[tuple[str, str, str]]) -> dict[tuple[str, str], str]:
    """Of subjects, targets and groups of links, the group of most weight of each pair, in alphabetical order."""
    weight = {name: number for number, name in enumerate(LINK_GROUPS)}
    found: dict[tuple[str, str], str] = {}
    for one, other, name in links:
        pair = (min(one, other), max(one, other))
        if pair[0] != pair[1] and weight[name] < weight.get(found.get(pair, ""), len(weight)):
            found[pair] = name
    return found


class DrawnNode(NamedTuple):
    """A node in a drawing, with its place in integer units of a square of `SIDE`; `size` is its radius."""

    dot: Dot
    health: HealthState
    x: int
    y: int
    size: float


def sketched(
    dots: Iterable[Dot], pairs: Mapping[tuple[str, str], str], state: Callable[[str], HealthState]
) -> tuple[list[DrawnNode], list[tuple[str, str]]]:
    """Nodes as spots, and lines for the groups of pairs of them; the lines of least weight first, below the others."""
    spots = {}
    for dot in dots:
        size = round(min(14.0, 4 + dot.degree**0.5), 1)
        spots[dot.id] = DrawnNode(dot, state(dot.id), round(SIDE * dot.x), round(SIDE * dot.y), size)
    lines = []
    for group in reversed(LINK_GROUPS):
        ends = [(spots[one], spots[two]) for (one, two), name in pairs.items() if name == group]
        if ends:
            lines.append((group, "".join(f"M{a.x} {a.y}L{b.x} {b.y}" for a, b in ends)))
    return list(spots.values()), lines


DRAWN = 120
"""The page draws so many nodes; the canvas draws the complete map."""


class CompleteGraph(NamedTuple):
    """The map, the subject, target and group of each link, the groups of the links of each node, and its health."""

    map: Drawing
    links: Sequence[tuple[str, str, str]]
    groups: Mapping[str, Collection[str]]
    state: Callable[[str], HealthState]

    def narrowed(self, request: PageRequest) -> Narrowing[Dot]:
        """The nodes that pass the filters of an address; `links` also says which links to draw."""
        kinds, states = {kind.value: KINDS[kind] for kind in Kind}, {state.value: state.value for state in HEALTH}
        sides: tuple[Side[Dot], ...] = (
            Side("kind", "Kind", lambda dot: (dot.kind.value,), kinds, ordered=True),
            Side("links", "Has a link that", lambda dot: self.groups.get(dot.id, ()), LINK_GROUPS, ordered=True),
            Side("health", "Health", lambda dot: (self.state(dot.id).value,), states, ordered=True),
            Side("tag", "Tag", lambda dot: dot.tags, shown=14, rest="/tags"),
        )
        return Narrowing(request, self.map.dots, sides)

    def drawn(self, narrowed: Narrowing[Dot], *, whole: bool = False) -> DrawnPart:
        """What passes the filters with the notes that it is linked to; terms are drawn where they are asked for.

        Without filters it is what argues, the theses and points of view; all notes where there is none, or for `whole`.
        """
        plain = {dot.id for dot in self.map.dots if dot.kind is not Kind.TERM}
        passing = {dot.id for dot in narrowed.passing()}
        group = narrowed.chosen["links"]
        argues = set() if whole else {dot.id for dot in self.map.dots if dot.kind in {Kind.THESIS, Kind.POV}}
        inside = passing if narrowed.filters else argues or passing & plain or passing
        links = [one for one in self.links if not inside.isdisjoint(one[:2]) and group in {"", one[2]}]
        kept = inside | plain & {end for link in links for end in link[:2]}
        dots = [dot for dot in self.map.dots if dot.id in kept]
        return DrawnPart(inside, dots, [link for link in links if kept.issuperset(link[:2])])


class DrawnPart(NamedTuple):
    """A part of the map: the ids of the notes that pass the filters, these and their neighbours, and the links."""

    passing: Collection[str]
    dots: Sequence[Dot]
    links: Sequence[tuple[str, str, str]]


def page(context: PageContext, request: PageRequest) -> TemplateResponse:
    """The drawing of what passes the filters; with `find` also of what has words in its title.

    Raises:
        PageRequestError: a value of a filter that there is not.
    """
    whole, words = _complete(context), request.text("find").casefold()
    plain = replace(request, query=[(key, value) for key, value in request.query if key != "find"])
    narrowed = whole.narrowed(plain)
    part = whole.drawn(narrowed, whole=bool(request.text("whole")))
    found = {dot.id for dot in part.dots if words and words in dot.title.casefold()}
    kept = nsmallest(
        DRAWN, part.dots, key=lambda dot: (dot.id not in found, dot.id not in part.passing, -dot.degree, dot.id)
    )
    names = {dot.id for dot in kept}
    among = heaviest(link for link in part.links if names.issuperset(link[:2]))
    spots, lines = sketched(_spread(kept), among, whole.state)
    return page_of(
        "graph.html",
        spots=spots,
        lines=lines,
        matching=len(part.passing),
        drawn=len(part.dots),
        total=len(whole.map.dots),
        left=whole.map.left_out,
        links=len(part.links),
        facets=narrowed.facets(),
        listed=[spot for spot in spots if spot.dot.id in (found or part.passing)],
        data=plain.link().replace("/graph", "/graph.json", 1),
        filters=narrowed.filters,
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
    """The nodes with their places between 0 and 1 on each side, halfway to equal distances, so that no crowd forms."""
    columns = []
    for values in ([dot.x for dot in dots], [dot.y for dot in dots]):
        ranks = {value: rank for rank, value in enumerate(sorted({*values}))}
        least, most, last = min(values, default=0.0), max(values, default=0.0), len(ranks) - 1
        columns.append([((v - least) / (most - least) + ranks[v] / last) / 2 if last > 0 else 0.5 for v in values])
    return [dot.model_copy(update={"x": x, "y": y}) for dot, x, y in zip(dots, *columns, strict=True)]


def data(context: PageContext, request: PageRequest) -> RawResponse:
    """What is drawn, for the canvas: columns side by side, and links as pairs of places in them."""
    whole = _complete(context)
    part = whole.drawn(whole.narrowed(request), whole=bool(request.text("whole")))
    names = {dot.id for dot in part.dots}
    dots = _spread([dot for dot in whole.map.dots if dot.id in names])
    number = {dot.id: place for place, dot in enumerate(dots)}
    groups = {name: place for place, name in enumerate(LINK_GROUPS)}
    pairs = sorted((number[one], number[other], groups[name]) for (one, other), name in heaviest(part.links).items())
    columns = {
        "id": [dot.id for dot in dots],
        "title": [dot.title for dot in dots],
        "kind": [dot.kind.value for dot in dots],
        "health": [whole.state(dot.id).value for dot in dots],
        "degree": [dot.degree for dot in dots],
        "passes": [dot.id in part.passing for dot in dots],
        "x": [round(SIDE * dot.x, 1) for dot in dots],
        "y": [round(SIDE * dot.y, 1) for dot in dots],
        "links": [end for one, two, _ in pairs for end in (one, two)],
        "link_group": [group for _, _, group in pairs],
        "link_groups": [{"name": name, "text": text} for name, text in LINK_GROUPS.items()],
        "base": path_of("nodes", ""),
    }
    return RawResponse(dumps(columns).encode(), "application/json")
