"""Queries over the links of a store.

Those about a node and its neighbours read the store; a path and the map build a graph. Every answer is of one state.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from graph.links.dependencies import DependencyGraph, walk, way
from graph.links.relatedness import Relatedness, RelatedNode, reasons
from graph.links.rings import Place, dots, ring
from graph.models.link_models import Dependent, Drawing, Link, LinkPath, Related
from graph.models.query_models import Card, NodeRef
from graph.store import Store

if TYPE_CHECKING:
    from graph.links.node_graph import NodeGraph

TOGETHER = 1000  # up to so many nodes their links are queried; for more, all links are read


class Links:
    """The links of a store; threads may share it."""

    def __init__(self, store: Store) -> None:
        self._store, self._cache = store, store.cache(2, "graph")
        self._places: dict[str, Place] = {}

    def path(self, start: str, end: str) -> LinkPath | None:
        """The cheapest path along links in any direction, or None. Raises `UnknownNodeError` if a node is missing."""
        with self._store.pinned() as store:
            _known(store, start, end)
            web = _graph(store)
            nodes = web.trail(start, end)
            if nodes is None:
                return None
            refs, links = store.nodes.refs(nodes), web.steps(nodes, _among(store, nodes))
            return LinkPath(nodes=tuple(refs[node] for node in nodes), links=tuple(links))

    def around(self, node: str, depth: int = 1, cap: int = 60, kinds: Collection[str] = ()) -> Drawing:
        """At most `cap` nodes within `depth` steps, drawn on rings. Raises `UnknownNodeError` if there is no node."""
        with self._store.pinned() as store:
            _known(store, node)
            return _neighbourhood(store, node, depth, cap, kinds)

    def related(self, node: str, limit: int = 10) -> tuple[Related, ...]:
        """The most related nodes with the reasons. Raises `UnknownNodeError` if there is no node."""
        total = self._cache.get("total", self._store.neighbours.marked_count)  # reads all nodes
        with self._store.pinned() as store:
            _known(store, node)
            found = Relatedness(store.neighbours, total).related(node, limit)
            shown = {name for one in found for name in (one.id, *(name for (_, name), _ in one.shared if "/" in name))}
            return _named(found, store.neighbours.cards(shown))

    def dependents(self, node: str) -> tuple[Dependent, ...]:
        """The nodes that depend on this one by citations, nearest first. Raises `UnknownNodeError` if it is missing."""
        with self._store.pinned() as store:
            _known(store, node)
            above = walk(DependencyGraph(store.nodes.ids(), store.edges.arguing()).above, [node])
            refs, links = store.nodes.refs(above), _most_certain(_among(store, list(above)))
            found = [_dependent(way(above, one), refs, links) for one, before in above.items() if before]
        return tuple(sorted(found, key=lambda one: (one.distance, -one.confidence, one.node.id)))

    def graphml(self) -> Iterator[bytes]:
        """The complete graph as GraphML, line by line."""
        return (f"{line}\n".encode("utf-8", "replace") for line in _graph(self._store).graphml())

    def drawing(self) -> Drawing:
        """The map: the best connected nodes with positions, and their links."""
        return self._cache.get("map", self._map)

    def _map(self) -> Drawing:
        with self._store.pinned() as store:
            made = _graph(store).map(self._places)
        self._places = {dot.id: (dot.x, dot.y) for dot in made.dots}
        return made


def _graph(store: Store) -> NodeGraph:
    from graph.links.node_graph import NodeGraph  # noqa: PLC0415  # loads networkx: a fifth of a second

    return NodeGraph(store)


def _known(store: Store, *nodes: str) -> None:
    """Raises `UnknownNodeError` for the first missing node, as `Store.nodes.get`."""
    for node in nodes:
        if not store.nodes.refs([node]):
            store.nodes.get(node)


def _among(store: Store, nodes: Sequence[str]) -> Iterable[Link]:
    """Links that begin and end at one of these nodes."""
    if len(nodes) <= TOGETHER:
        return store.neighbours.between(nodes)
    names = set(nodes)
    return [link for link in store.edges.all() if link.subject in names and link.target in names]


def _neighbourhood(store: Store, node: str, depth: int, cap: int, kinds: Collection[str]) -> Drawing:
    """The nodes within `depth` steps, of each ring the best connected first, and the links among `cap` of them."""
    distances, level, near = {node: 0}, [node], _linked(store, [node], kinds)
    for distance in range(1, depth + 1):
        level = sorted({other for one in level for other in near[one]} - distances.keys())
        distances |= dict.fromkeys(level, distance)
        near |= _linked(store, level, kinds)
    ordered = sorted(distances, key=lambda one: (distances[one], -len(near[one]), one))
    drawn = ordered[:cap]
    shown = set(drawn)
    places = ring({one: near[one] & shown for one in drawn}, node, distances)
    degrees = {one: len(others) for one, others in (_linked(store, drawn) if kinds else near).items()}
    links = [link for link in _among(store, drawn) if not kinds or link.kind in kinds]
    return Drawing(
        dots=dots(store.neighbours.cards(places), places, degrees, distances),
        links=tuple(sorted(links, key=lambda link: (link.subject, link.target))),
        left_out=len(ordered) - len(drawn),
    )


def _linked(store: Store, nodes: Collection[str], kinds: Collection[str] = ()) -> dict[str, set[str]]:
    """The neighbours of each node, by links of these kinds or all."""
    found: dict[str, set[str]] = {node: set() for node in nodes}
    for subject, kind, target in store.neighbours.touching(nodes):
        if subject != target and (not kinds or kind in kinds):
            for one, other in ((subject, target), (target, subject)):
                if one in found:
                    found[one].add(other)
    return found


def _most_certain(links: Iterable[Link]) -> dict[tuple[str, str], Link]:
    found: dict[tuple[str, str], Link] = {}
    for link in links:
        known = found.get((link.subject, link.target))
        if link.kind == "cites" and (known is None or known.confidence < link.confidence):
            found[link.subject, link.target] = link
    return found


def _dependent(chain: Sequence[str], refs: Mapping[str, NodeRef], links: Mapping[tuple[str, str], Link]) -> Dependent:
    steps = tuple(links[pair] for pair in pairwise(chain))
    confidence = 1.0
    for link in steps:
        confidence *= link.confidence
    nodes = tuple(refs[name] for name in chain)
    return Dependent(node=nodes[0], distance=len(steps), confidence=confidence, chain=nodes, links=steps)


def _named(found: Iterable[RelatedNode], cards: Mapping[str, Card]) -> tuple[Related, ...]:
    """Related nodes with titles for ids, without nodes that have no card."""
    return tuple(
        Related(
            node=NodeRef(id=one.id, kind=cards[one.id].kind, title=cards[one.id].title),
            score=one.score,
            reasons=reasons(one.shared, {name: cards[name].title for (_, name), _ in one.shared if name in cards}),
        )
        for one in found
        if one.id in cards
    )
