"""Node positions on rings around one node, from 0 to 1."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

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


def _anchor(graph: Neighbours, node: str, distances: Mapping[str, int], angles: Mapping[str, float]) -> float:
    inner = [angles[other] for other in graph[node] if distances[other] < distances[node] and other in angles]
    return min(inner, default=0.0)


def _polar(radius: float, angle: float) -> Place:
    return within(0.5 + radius * math.cos(angle), 0.5 + radius * math.sin(angle))


def within(x: float, y: float) -> Place:
    """Clamp to the square from 0 to 1 and round."""
    return round(min(1.0, max(0.0, x)), 5), round(min(1.0, max(0.0, y)), 5)
