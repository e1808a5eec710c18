"""The graph of all nodes, built for one answer: paths, wide neighbourhoods, the map.

It has no texts: 20,000 nodes with 42,000 links take half a second.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from heapq import nlargest

import networkx as nx

from graph.links.drawing_layout import grown, laid_out
from graph.links.rings import Place
from graph.models.link_models import Dot, Drawing, Link
from graph.store import Store

COSTS = {"cites": 1.0, "same_as": 1.0, "mentions": 2.0}
"""Cost of a step on a path by kind of link (others 1.2); an uncertain link costs up to 1 more."""

MAPPED = 1000
"""Nodes of the map; placing them takes a third of a second."""

SAME = 0.85
"""From this share of nodes with a place on the last map, others are placed near them."""


class NodeGraph:
    """The graph of one version, without links to missing nodes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.order = {node: place for place, node in enumerate(store.nodes.ids())}

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """Every link by subject, in the order of arrival, with links of one pair together."""
        return tuple(_by_subject(self._store.edges.all(), self.order))

    @cached_property
    def plain(self) -> nx.Graph[str]:
        """One undirected edge for each linked pair: its cheapest link."""
        plain: nx.Graph[str] = nx.Graph()
        plain.add_nodes_from(self.order)
        for link in self.links:
            cost = cost_of(link.kind, link.confidence)
            pair = (link.subject, link.target)
            if link.subject != link.target and cost < plain.get_edge_data(*pair, {"cost": 99.0})["cost"]:
                plain.add_edge(*pair, cost=cost, kind=link.kind)
        return plain

    def only(self, kinds: Collection[str]) -> nx.Graph[str]:
        """The plain graph, of these kinds of links or all."""
        if not kinds:
            return self.plain
        narrowed: nx.Graph[str] = nx.Graph()
        narrowed.add_nodes_from(self.order)
        narrowed.add_edges_from(
            (start, end) for start, end, data in self.plain.edges(data=True) if data["kind"] in kinds
        )
        return narrowed

    def trail(self, start: str, end: str) -> list[str] | None:
        """The nodes of the cheapest path, or None."""
        try:
            return list(nx.bidirectional_dijkstra(self.plain, start, end, weight="cost")[1])
        except nx.NetworkXNoPath:
            return None

    def graphml(self) -> Iterator[str]:
        """GraphML of every node and link."""
        whole: nx.MultiDiGraph[str] = nx.MultiDiGraph()
        for card in self._store.index_feed.cards():
            whole.add_node(card.id, title=_printable(card.title), kind=card.kind.value, brain=card.brain)
        for link in self.links:
            whole.add_edge(link.subject, link.target, kind=link.kind, confidence=link.confidence)
        yield '<?xml version="1.0" encoding="UTF-8"?>'
        yield from nx.generate_graphml(whole)

    def map(self, before: Mapping[str, Place]) -> Drawing:
        """The best connected nodes in the order of arrival; if few are new, the others keep their places."""
        best = {*nlargest(MAPPED, self.order, key=lambda node: (self.plain.degree[node], -self.order[node]))}
        shown: nx.Graph[str] = nx.Graph()
        shown.add_nodes_from(node for node in self.order if node in best)
        shown.add_edges_from(pair for pair in self.plain.edges if pair[0] in shown and pair[1] in shown)
        known = sum(node in before for node in shown)
        places = grown(shown, before) if known and known >= SAME * len(shown) else laid_out(shown)
        cards = self._store.neighbours.cards(shown)
        names = ("id", "kind", "title", "brain", "tags")
        return Drawing(
            dots=tuple(
                Dot(**{name: getattr(cards[node], name) for name in names}, degree=self.plain.degree[node], x=x, y=y)
                for node, (x, y) in ((node, places[node]) for node in shown)
            ),
            links=tuple(link for link in self.links if link.subject in shown and link.target in shown),
            left_out=len(self.order) - len(shown),
        )


def cost_of(kind: str, confidence: float) -> float:
    """Cost of a step along a link."""
    return COSTS.get(kind, 1.2) + 1.0 - confidence


def _printable(text: str) -> str:
    """Text without characters that XML does not allow."""
    return "".join(sign for sign in text if sign.isprintable() or sign in "\t\n")


def _by_subject(links: Iterable[Link], nodes: Collection[str]) -> Iterator[Link]:
    found: dict[str, dict[str, list[Link]]] = {node: {} for node in nodes}
    for link in links:
        if link.subject in found and link.target in found:
            found[link.subject].setdefault(link.target, []).append(link)
    return (link for targets in found.values() for group in targets.values() for link in group)
