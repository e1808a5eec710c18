"""The places of nodes in drawings, from 0 to 1: on rings around one node, and on the map of the complete brain.

The map has the place of every node, and every link, in columns side by side.
A value for each of 20,000 nodes and 40,000 links would take 100 MB; the columns take 10. Placing the nodes takes ten
seconds there, so the map of a large brain is kept in the table `derived`, and a process of its own makes it again.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping

from graph.models.link_models import Dot, Link
from graph.models.node_models import Kind
from graph.values import Value

Place = tuple[float, float]

Neighbours = Mapping[str, Collection[str]]
"""The nodes that each node is linked to."""
MAP = "map"
"""The name of the map in the table `derived`."""


class BrainMap(Value):
    """Every node by its number, with its place from 0 to 1, in the order of arrival.

    `links` has three numbers for each link: its subject, its target, and its kind with its CiTO type in `sorts`.
    `version` is the version of the graph that it shows.
    """

    version: int
    ids: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] = ()
    brains: tuple[str, ...] = ()
    tags: tuple[tuple[str, ...], ...] = ()
    degrees: tuple[int, ...] = ()
    xs: tuple[float, ...] = ()
    ys: tuple[float, ...] = ()
    sorts: tuple[tuple[str, str | None], ...] = ()
    links: tuple[int, ...] = ()

    def dot(self, number: int) -> Dot:
        """One node with its place."""
        names = ("id", "kind", "title", "brain", "degree", "x", "y")
        return Dot(tags=self.tags[number], **{name: getattr(self, f"{name}s")[number] for name in names})

    @property
    def places(self) -> dict[str, Place]:
        """The place of each node."""
        return dict(zip(self.ids, zip(self.xs, self.ys, strict=True), strict=True))


def by_subject(links: Iterable[Link], nodes: Collection[str]) -> Iterator[Link]:
    """The links among some nodes: by subject in the order of these, and of each subject by what it links to first."""
    found: dict[str, dict[str, list[Link]]] = {node: {} for node in nodes}
    for link in links:
        if link.subject in found and link.target in found:
            found[link.subject].setdefault(link.target, []).append(link)
    return (link for targets in found.values() for group in targets.values() for link in group)


def ring(graph: Neighbours, middle: str, distances: Mapping[str, int]) -> dict[str, Place]:
    """`middle` in the middle, each other node on the ring of its distance, near the node that it is reached from."""
    rings = max((distances[node] for node in graph), default=0) or 1
    angles = {middle: 0.0}
    for distance in range(1, rings + 1):
        outer = [node for node in graph if distances[node] == distance]
        outer.sort(key=lambda node: (_anchor(graph, node, distances, angles), node))
        for place, node in enumerate(outer):
            angles[node] = 2 * math.pi * place / len(outer)
    return {node: _polar(0.48 * distances[node] / rings, angles[node]) for node in graph}


def _anchor(graph: Neighbours, node: str, distances: Mapping[str, int], angles: Mapping[str, float]) -> float:
    """The angle of the inner neighbour."""
    inner = [angles[other] for other in graph[node] if distances[other] < distances[node] and other in angles]
    return min(inner, default=0.0)


def _polar(radius: float, angle: float) -> Place:
    return within(0.5 + radius * math.cos(angle), 0.5 + radius * math.sin(angle))


def within(x: float, y: float) -> Place:
    """Clamp to the square and round to the digits that a drawing needs."""
    return round(min(1.0, max(0.0, x)), 5), round(min(1.0, max(0.0, y)), 5)
