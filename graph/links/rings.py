"""The nodes of a drawing, and their positions on rings around one node, from 0 to 1."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

from graph.models.link_models import Dot
from graph.models.query_models import Card

Place = tuple[float, float]

Neighbours = Mapping[str, Collection[str]]
"""The neighbours of each node."""


def ring(graph: Neighbours, middle: str, distances: Mapping[str, int]) -> dict[str, Place]:
    """Positions around `middle`: each node on the ring of its distance, near an inner neighbour."""
    rings = max((distances[node] for node in graph), default=0) or 1
    angles = {middle: 0.0}
    for distance in range(1, rings + 1):
        outer = [node for node in graph if distances[node] == distance]
        outer.sort(key=lambda node: (_anchor(graph, node, distances, angles), node))
        for place, node in enumerate(outer):
            angles[node] = 2 * math.pi * place / len(outer)
    return {node: _polar(0.48 * distances[node] / rings, angles[node]) for node in graph}


def dots(
    cards: Mapping[str, Card],
    places: Mapping[str, Place],
    degrees: Mapping[str, int],
    distances: Mapping[str, int] | None = None,
) -> tuple[Dot, ...]:
    """The nodes with a position, in the order of `places`."""
    names = ("id", "kind", "title", "brain", "tags")
    shown = {node: {name: getattr(cards[node], name) for name in names} for node in places}
    steps = distances or dict.fromkeys(places, 0)
    return tuple(
        Dot(**shown[node], degree=degrees[node], distance=steps[node], x=x, y=y) for node, (x, y) in places.items()
    )


def _anchor(graph: Neighbours, node: str, distances: Mapping[str, int], angles: Mapping[str, float]) -> float:
    inner = [angles[other] for other in graph[node] if distances[other] < distances[node] and other in angles]
    return min(inner, default=0.0)


def _polar(radius: float, angle: float) -> Place:
    return within(0.5 + radius * math.cos(angle), 0.5 + radius * math.sin(angle))


def within(x: float, y: float) -> Place:
    """Clamp to the square from 0 to 1 and round."""
    return round(min(1.0, max(0.0, x)), 5), round(min(1.0, max(0.0, y)), 5)
