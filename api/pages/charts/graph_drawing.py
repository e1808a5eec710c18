"""Drawings of the graph as plain SVG: a node with its neighbours, and the complete brain."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from api.pages.charts.picture import cut
from api.pages.request.page_request import path_of
from api.pages.views.claim_table import PageContext
from compute.impact.note_health import HealthState
from graph.models.link_models import ARGUING, Dot, Link

SIDE = 1000
LINE, NAMES, NAME = 56, 450, 22
"""In a drawing of neighbours: the height of a line, the room for names on either side, and the letters it holds."""

DISPUTING = frozenset({"disputes", "disagreesWith", "refutes", "critiques", "corrects", "qualifies", "contradicts"})
"""Kinds of citation and of relation that speak against their target."""


class LinkGroup(NamedTuple):
    """Links that are drawn alike; `text` says in the legend what the subject does to the target."""

    name: str
    text: str


LINK_GROUPS = (
    LinkGroup("disputes", "disputes or qualifies"),
    LinkGroup("supports", "supports, or builds on"),
    LinkGroup("cites", "cites or discusses"),
    LinkGroup("terms", "relation of terms, or a mention"),
)
"""In the order of weight: a pair with several links is drawn as the first group that it has."""


def group_of_kind(kind: str, cito: str | None) -> str:
    """The name of the group of the links of a kind with a CiTO type."""
    said = cito or kind
    if said in DISPUTING:
        return "disputes"
    if said in ARGUING:
        return "supports"
    return "cites" if kind == "cites" else "terms"


def pair_groups(links: Iterable[Link]) -> dict[tuple[str, str], str]:
    """The group of each pair of linked nodes, the names of the pair in alphabetical order."""
    return heaviest((link.subject, link.target, group_of_kind(link.kind, link.cito)) for link in links)


def heaviest(links: Iterable[tuple[str, str, str]]) -> dict[tuple[str, str], str]:
    """Of subjects, targets and groups of links, the group of most weight of each pair, in alphabetical order."""
    weight = {group.name: number for number, group in enumerate(LINK_GROUPS)}
    found: dict[tuple[str, str], str] = {}
    for one, other, name in links:
        pair = (min(one, other), max(one, other))
        if pair[0] != pair[1] and weight[name] < weight.get(found.get(pair, ""), len(weight)):
            found[pair] = name
    return found


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """A node in a drawing, in integer units of a square of `SIDE`; `size` is its radius.

    The label begins at `away`, as far outside as the spot is wide, on the side away from the middle.
    """

    id: str
    href: str
    title: str
    label: str
    kind: str
    health: str
    x: int
    y: int
    size: float
    degree: int
    side: str
    away: float
    middle: bool


@dataclass(frozen=True, slots=True)
class GraphDrawing:
    """Spots, and the lines between them: a path for each group of links. `left` counts the nodes not drawn."""

    spots: tuple[DrawnNode, ...]
    lines: tuple[tuple[LinkGroup, str], ...]
    left: int = 0
    box: str = f"-20 -20 {SIDE + 40} {SIDE + 40}"


def draw_graph(context: PageContext, node: str, cap: int) -> GraphDrawing:
    """A node in the middle of those that it is linked to: half of them on its left, half on its right.

    Every neighbour has a line of its own for its name, so no name covers another.
    """
    drawing = context.brain.links.around(node, 1, cap)
    others = sorted((dot for dot in drawing.dots if dot.id != node), key=lambda dot: (dot.x > 1 / 2, dot.y, dot.id))
    half = (len(others) + 1) // 2
    tall = max(half - 1, 3) * LINE
    middle = [dot.model_copy(update={"x": 0.5, "y": tall / 2 / SIDE}) for dot in drawing.dots if dot.id == node]
    placed = [*middle, *_arc(others[:half], -1, tall), *_arc(others[half:], 1, tall)]
    shown = sketched(placed, pair_groups(drawing.links), context.brain.status.healths().state, middle=node)
    return replace(shown, left=drawing.left_out, box=f"{-NAMES} {-LINE} {SIDE + 2 * NAMES} {tall + 2 * LINE}")


def _arc(dots: Sequence[Dot], side: int, tall: int) -> Iterator[Dot]:
    """Neighbours of one side from top to bottom, those half way up the farthest out."""
    for number, dot in enumerate(dots):
        up = (number + 0.5) / len(dots)
        bulge = (1 - (2 * up - 1) ** 2) ** 0.5
        yield dot.model_copy(update={"x": 0.5 + side * (0.22 + 0.16 * bulge), "y": up * tall / SIDE})


def sketched(
    dots: Iterable[Dot],
    pairs: Mapping[tuple[str, str], str],
    state: Callable[[str], HealthState],
    middle: str | None = None,
) -> GraphDrawing:
    """Nodes as spots, and lines for the groups of pairs of them; the lines of least weight first, below the others."""
    spots = {dot.id: _spot(dot, state(dot.id), middle) for dot in dots}
    lines = []
    for group in reversed(LINK_GROUPS):
        ends = [(spots[one], spots[two]) for (one, two), name in pairs.items() if name == group.name]
        if ends:
            lines.append((group, "".join(f"M{a.x} {a.y}L{b.x} {b.y}" for a, b in ends)))
    return GraphDrawing(tuple(spots.values()), tuple(lines))


def _spot(dot: Dot, state: HealthState, middle: str | None) -> DrawnNode:
    x, size = round(SIDE * dot.x), round(min(14.0, 4 + dot.degree**0.5), 1)
    side = "middle" if dot.id == middle else "start" if x > SIDE / 2 else "end"
    return DrawnNode(
        id=dot.id,
        href=path_of("nodes", dot.id),
        title=dot.title,
        label=cut(dot.title, NAME),
        kind=dot.kind.value,
        health=state.value,
        x=x,
        y=round(SIDE * dot.y),
        size=size,
        degree=dot.degree,
        side=side,
        away=x + {"middle": 0, "start": 1, "end": -1}[side] * (size + 10),
        middle=dot.id == middle,
    )
