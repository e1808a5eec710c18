"""Drawings of the graph as plain SVG: a node with its neighbours, and the whole brain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from api.pages.asked import path_of
from api.pages.board import Desk
from compute.health import State
from graph.trails import Dot, Drawing

SIDE = 1000


@dataclass(frozen=True, slots=True)
class Spot:
    """A node in a drawing, in whole units of a square of `SIDE`; `size` is its radius."""

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
        return self.title if len(self.title) <= 34 else self.title[:33].rstrip() + "…"

    @property
    def side(self) -> str:
        """To which side the label goes, so that it does not leave the drawing."""
        return "end" if self.x > 0.62 * SIDE else "start" if self.x < 0.38 * SIDE else "middle"


@dataclass(frozen=True, slots=True)
class Sketch:
    """Spots with the lines between them as one path; `left` counts the nodes that are not drawn."""

    spots: tuple[Spot, ...]
    lines: str
    left: int = 0


def sketch(desk: Desk, node: str, cap: int) -> Sketch:
    """A node in the middle of those that it is linked to."""
    return sketched(desk.brain.links.around(node, 1, cap), desk.states(), middle=node)


def sketched(drawing: Drawing, states: Mapping[str, State], middle: str | None = None) -> Sketch:
    """A drawing of the links as spots and lines."""
    spots = tuple(_spot(dot, states[dot.id], middle) for dot in drawing.dots)
    places = {spot.id: spot for spot in spots}
    return Sketch(spots, path(((one.subject, one.target) for one in drawing.links), places), drawing.left_out)


def _spot(dot: Dot, state: State, middle: str | None) -> Spot:
    return Spot(
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


def path(pairs: Iterable[tuple[str, str]], places: Mapping[str, Spot]) -> str:
    """The lines between pairs of spots as one path, each pair once."""
    drawn = dict.fromkeys(tuple(sorted(pair)) for pair in pairs if pair[0] in places and pair[1] in places)
    ends = ((places[one], places[two]) for one, two in drawn)
    return "".join(f"M{a.x} {a.y}L{b.x} {b.y}" for a, b in ends)
