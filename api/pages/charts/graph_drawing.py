"""Drawings of the graph as plain SVG: a node with its neighbours, and the complete brain."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from api.pages.request.page_request import path_of
from api.pages.views.claim_table import PageContext
from compute.impact.note_health import HealthState
from graph.models.link_models import Dot, Drawing

SIDE = 1000
LINE = 56
NAMES = 450
"""In a drawing of neighbours: the height of a line, and the room for names on either side."""

NAME = 28
"""So many letters of a title fit into that room where letters are 12 pixels high on the page."""


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """A node in a drawing, in integer units of a square of `SIDE`; `size` is its radius."""

    id: str
    href: str
    title: str
    kind: str
    health: str
    x: int
    y: int
    size: float
    tags: tuple[str, ...] = ()
    degree: int = 0
    middle: bool = False

    @property
    def label(self) -> str:
        """The title, cut for a label."""
        return self.title if len(self.title) <= NAME else self.title[: NAME - 1].rstrip(" ,;:–—") + "…"

    @property
    def side(self) -> str:
        """To which side the label goes: away from the middle."""
        return "middle" if self.middle else "start" if self.x > SIDE / 2 else "end"

    @property
    def away(self) -> float:
        """Where the label begins: as far outside as the spot is wide."""
        return self.x + {"middle": 0, "start": 1, "end": -1}[self.side] * (self.size + 10)


@dataclass(frozen=True, slots=True)
class GraphDrawing:
    """Spots with the lines between them as one path; `left` counts the nodes that are not drawn."""

    spots: tuple[DrawnNode, ...]
    lines: str
    left: int = 0
    box: str = f"-20 -20 {SIDE + 40} {SIDE + 40}"


def draw_graph(desk: PageContext, node: str, cap: int) -> GraphDrawing:
    """A node in the middle of those that it is linked to: half of them on its left, half on its right.

    Every neighbour has a line of its own for its name, so no name covers another.
    """
    drawing = desk.brain.links.around(node, 1, cap)
    others = sorted((dot for dot in drawing.dots if dot.id != node), key=lambda dot: (dot.x > 1 / 2, dot.y, dot.id))
    half = (len(others) + 1) // 2
    tall = max(half - 1, 3) * LINE
    middle = [dot.model_copy(update={"x": 0.5, "y": tall / 2 / SIDE}) for dot in drawing.dots if dot.id == node]
    placed = [*middle, *_arc(others[:half], -1, tall), *_arc(others[half:], 1, tall)]
    shown = sketched(drawing.model_copy(update={"dots": tuple(placed)}), desk.healths().state, middle=node)
    return replace(shown, box=f"{-NAMES} {-LINE} {SIDE + 2 * NAMES} {tall + 2 * LINE}")


def _arc(dots: Sequence[Dot], side: int, tall: int) -> Iterator[Dot]:
    """Neighbours of one side from top to bottom, those half way up the farthest out."""
    for number, dot in enumerate(dots):
        up = (number + 0.5) / len(dots)
        bulge = (1 - (2 * up - 1) ** 2) ** 0.5
        yield dot.model_copy(update={"x": 0.5 + side * (0.22 + 0.16 * bulge), "y": up * tall / SIDE})


def sketched(drawing: Drawing, state: Callable[[str], HealthState], middle: str | None = None) -> GraphDrawing:
    """A drawing of the links as spots and lines."""
    spots = tuple(_spot(dot, state(dot.id), middle) for dot in drawing.dots)
    places = {spot.id: spot for spot in spots}
    return GraphDrawing(spots, path(((one.subject, one.target) for one in drawing.links), places), drawing.left_out)


def _spot(dot: Dot, state: HealthState, middle: str | None) -> DrawnNode:
    return DrawnNode(
        id=dot.id,
        href=path_of("nodes", dot.id),
        title=dot.title,
        kind=dot.kind.value,
        health=state.value,
        x=round(SIDE * dot.x),
        y=round(SIDE * dot.y),
        size=round(min(14.0, 4 + dot.degree**0.5), 1),
        tags=dot.tags,
        degree=dot.degree,
        middle=dot.id == middle,
    )


def path(pairs: Iterable[tuple[str, str]], places: Mapping[str, DrawnNode]) -> str:
    """The lines between pairs of spots as one path, each pair once."""
    drawn = dict.fromkeys(tuple(sorted(pair)) for pair in pairs if pair[0] in places and pair[1] in places)
    ends = ((places[one], places[two]) for one, two in drawn)
    return "".join(f"M{a.x} {a.y}L{b.x} {b.y}" for a, b in ends)
