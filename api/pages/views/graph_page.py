"""The map of notes and links, as SVG and as data for the canvas."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from api.pages.page_request import Narrowing, PageRequest, RawResponse, Side, TemplateResponse, page_of, path_of
from api.pages.render.verdict_signs import HEALTH, KINDS, VerdictSign
from api.pages.views.claim_table import PageContext
from compute.impact.note_health import HealthState
from graph.links.drawing_layout import SPRINGS, column_rows, evened, few_laid_out, in_columns
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
    "terms": "mentions, or relates terms",
}
"""Links that are drawn alike, with what the subject does to the target: a pair is drawn as the first that it has."""


def group_of_kind(kind: str, cito: str | None) -> str:
    """The group of a link, by its kind or CiTO type."""
    said = cito or kind
    if said in DISPUTING:
        return "disputes"
    if said in ARGUING:
        return "supports"
    return "cites" if kind == "cites" else "terms"


def heaviest(links: Iterable[tuple[str, str, str]]) -> dict[tuple[str, str], str]:
    """The heaviest link of each pair of ids: its subject and target, and its group."""
    weight = {name: number for number, name in enumerate(LINK_GROUPS)}
    lightest = sorted((link for link in links if link[0] != link[1]), key=lambda one: -weight[one[2]])
    found = {frozenset(link[:2]): link for link in lightest}
    return {(one, other): name for one, other, name in found.values()}


class DrawnNode(NamedTuple):
    """A node at integer units of a square of `SIDE`, with its radius."""

    dot: Dot
    health: HealthState
    x: int
    y: int
    size: float


def sketched(
    dots: Iterable[Dot], pairs: Mapping[tuple[str, str], str], state: Callable[[str], HealthState]
) -> tuple[list[DrawnNode], list[tuple[str, str]]]:
    """Nodes, and one SVG path for each group of links, lightest first."""
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


DRAWN = 120  # the page draws so many nodes; the canvas draws the complete map
LISTED = 40  # nodes in the list below the drawing; their numbers stand in it

FIRST = {HealthState.BROKEN: 0, HealthState.WEAKENED: 1}
"""Places of what is in doubt, in the list and in the drawing."""


class CompleteGraph(NamedTuple):
    """The map, its links as (subject, target, group), the groups of each node, and health with its sign."""

    map: Drawing
    links: Sequence[tuple[str, str, str]]
    groups: Mapping[str, Collection[str]]
    state: Callable[[str], HealthState]
    sign: Callable[[str], VerdictSign]

    def narrowed(self, request: PageRequest) -> Narrowing[Dot]:
        """The nodes that pass the filters; `links` also filters links. Terms have no health here."""
        kinds, words = {kind.value: KINDS[kind] for kind in Kind}, {one.word: one.word for one in HEALTH.values()}
        sides: tuple[Side[Dot], ...] = (
            Side("kind", "Kind", lambda dot: (dot.kind.value,), kinds, ordered=True),
            Side("links", "Has a link that", lambda dot: self.groups.get(dot.id, ()), LINK_GROUPS, ordered=True),
            Side("health", "Health", lambda dot: (self.sign(dot.id).word,) * (dot.kind != "term"), words, ordered=True),
            Side("tag", "Tag", lambda dot: dot.tags, shown=14, rest="/tags"),
        )
        return Narrowing(request, self.map.dots, sides)

    def drawn(self, narrowed: Narrowing[Dot], *, whole: bool = False) -> DrawnPart:
        """What passes, with its neighbours (terms only on request): what passes first, of it failing ones first.

        Without filters, theses and points of view; all notes, in one order, if there are none or for `whole`.
        """
        plain = {dot.id for dot in self.map.dots if dot.kind is not Kind.TERM}
        passing = {dot.id for dot in narrowed.passing()}
        group = narrowed.chosen["links"]
        argues = set() if whole else {dot.id for dot in self.map.dots if dot.kind in {Kind.THESIS, Kind.POV}}
        inside = passing if narrowed.filters else argues or passing & plain or passing
        links = [one for one in self.links if not inside.isdisjoint(one[:2]) and group in {"", one[2]}]
        kept, first = inside | plain & {end for link in links for end in link[:2]}, set() if whole else inside
        dots = [dot for dot in self.map.dots if dot.id in kept]
        dots.sort(key=lambda dot: (FIRST.get(self.state(dot.id), 2) if dot.id in first else 3, -dot.degree, dot.id))
        among = [link for link in links if kept.issuperset(link[:2])]
        return DrawnPart(inside, dots, among, column_rows(inside, len(dots) - len(inside), among))


class DrawnPart(NamedTuple):
    """Ids that pass the filters; these and their neighbours, best connected first; the links; see `column_rows`."""

    passing: Collection[str]
    dots: Sequence[Dot]
    links: Sequence[tuple[str, str, str]]
    rows: int


def page(context: PageContext, request: PageRequest) -> TemplateResponse:
    """The drawing of what passes; `find` adds titles. Raises PageRequestError for unknown filter values."""
    whole, words = _complete(context), request.text("find").casefold()
    plain = replace(request, query=[(key, value) for key, value in request.query if key != "find"])
    narrowed = whole.narrowed(plain)
    part = whole.drawn(narrowed, whole=bool(request.text("whole")))
    found = {dot.id for dot in part.dots if words and words in dot.title.casefold()}
    kept = sorted(part.dots, key=lambda dot: dot.id not in found)[:DRAWN]
    names = {dot.id for dot in kept}
    among = heaviest(link for link in part.links if names.issuperset(link[:2]))
    spots, lines = sketched(_placed(part, kept, among), among, whole.state)
    listed = [spot for spot in spots if spot.dot.id in (found or part.passing)][:LISTED]
    healths = {spot.dot.id: context.health(spot.dot.id) for spot in listed if spot.health in FIRST}
    return page_of(
        "graph.html",
        spots=spots,
        signs=Counter(map(whole.sign, part.passing)),
        healths=healths,
        mark=context.mark,
        decisive=context.claim_table().lines,
        titles=context.brain.nodes.refs(health.path[-1] for health in healths.values() if len(health.path) > 1),
        lines=lines,
        pairs=among,
        beside=Counter(end for pair in set(map(frozenset, among)) for end in pair),
        part=part,
        map=whole.map,
        facets=narrowed.facets(),
        listed=listed,
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
        return CompleteGraph(drawing, links, groups, context.brain.status.healths().state, context.signs())

    return context.recall("map", make)


def _placed(part: DrawnPart, dots: Sequence[Dot], pairs: Collection[tuple[str, str]]) -> list[Dot]:
    """Nodes at 0 to 1: in columns, or few by their own links, many as on the map."""
    known, ends = {dot.id: (dot.x, dot.y) for dot in dots}, sorted((min(pair), max(pair)) for pair in pairs)
    if part.rows:
        places = in_columns([dot.id for dot in part.dots if dot.id in part.passing], sorted(known), ends)
        dots = sorted(dots, key=lambda dot: (dot.id not in part.passing, places[dot.id][1]))  # numbered downwards
    else:
        places = evened(few_laid_out(sorted(known), ends) if len(dots) <= SPRINGS else known)
    return [dot.model_copy(update=dict(zip("xy", places[dot.id], strict=True))) for dot in dots]


def data(context: PageContext, request: PageRequest) -> RawResponse:
    """The drawing for the canvas: columns, and links as pairs of indices."""
    whole = _complete(context)
    part = whole.drawn(whole.narrowed(request), whole=bool(request.text("whole")))
    among = heaviest(part.links)
    dots = _placed(part, part.dots, among)
    number = {dot.id: place for place, dot in enumerate(dots)}
    groups = {name: place for place, name in enumerate(LINK_GROUPS)}
    pairs = sorted((number[one], number[other], groups[name]) for (one, other), name in among.items())
    columns = {
        "id": [dot.id for dot in dots],
        "title": [dot.title for dot in dots],
        "kind": [dot.kind.value for dot in dots],
        "health": [whole.sign(dot.id).word for dot in dots],
        "pale": ["pale" in context.mark(dot.id).css for dot in dots],
        "degree": [dot.degree for dot in dots],
        "passes": [dot.id in part.passing for dot in dots],
        "number": [place if dot.id in part.passing and place <= LISTED else 0 for place, dot in enumerate(dots, 1)],
        "x": [round(SIDE * dot.x, 1) for dot in dots],
        "y": [round(SIDE * dot.y, 1) for dot in dots],
        "links": [end for one, two, _ in pairs for end in (one, two)],
        "link_group": [group for _, _, group in pairs],
        "link_groups": [{"name": name, "text": text} for name, text in LINK_GROUPS.items()],
        "base": path_of("nodes", ""),
    }
    return RawResponse(dumps(columns).encode(), "application/json")
