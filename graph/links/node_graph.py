"""The graph of all nodes, built for one answer: a path, the map, an export.

It has no texts: 20,000 nodes with 42,000 links take half a second.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from heapq import nlargest
from itertools import pairwise

import networkx as nx

from graph.links.drawing_layout import grown, laid_out
from graph.links.rings import Place, dots
from graph.models.link_models import Drawing, Link
from graph.store import Store

COSTS = {"cites": 1.0, "same_as": 1.0, "mentions": 2.0}
"""Cost of a step on a path by kind of link (others 1.2); an uncertain link costs up to 1 more."""

MAPPED = 1000  # nodes of the map; placing them takes a third of a second

SAME = 0.85  # from this share of nodes with a place on the last map, others are placed near them


class NodeGraph:
    """The graph of one version, without links to missing nodes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.order = {node: place for place, node in enumerate(store.nodes.ids())}

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """Every link by subject, in the order of arrival, with links of one pair together."""
        found: dict[str, dict[str, list[Link]]] = {node: {} for node in self.order}
        for link in self._store.edges.all():
            if link.subject in found and link.target in found:
                found[link.subject].setdefault(link.target, []).append(link)
        return tuple(link for targets in found.values() for group in targets.values() for link in group)

    @cached_property
    def plain(self) -> nx.Graph[str]:
        """One undirected edge for each linked pair: its cheapest link."""
        plain: nx.Graph[str] = nx.Graph()
        plain.add_nodes_from(self.order)
        for link in self.links:
            cost = _cost(link)
            pair = (link.subject, link.target)
            if link.subject != link.target and cost < plain.get_edge_data(*pair, {"cost": 99.0})["cost"]:
                plain.add_edge(*pair, cost=cost)
        return plain

    def trail(self, start: str, end: str) -> list[str] | None:
        """The nodes of the cheapest path, or None."""
        try:
            return list(nx.bidirectional_dijkstra(self.plain, start, end, weight="cost")[1])
        except nx.NetworkXNoPath:
            return None

    def steps(self, nodes: Sequence[str], links: Iterable[Link]) -> Iterator[Link]:
        """The cheapest link of each step of a path, of equal ones that of the earlier node."""
        between: dict[frozenset[str], list[Link]] = defaultdict(list)
        for link in links:
            between[frozenset((link.subject, link.target))].append(link)
        for start, end in pairwise(nodes):
            steps = between[frozenset((start, end))]
            link = min(steps, key=lambda one: (_cost(one), self.order[one.subject]))
            yield replace(link, forwards=link.subject == start)

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
        degrees = {node: self.plain.degree[node] for node in shown}
        return Drawing(
            dots=dots(self._store.neighbours.cards(shown), {node: places[node] for node in shown}, degrees),
            links=tuple(link for link in self.links if link.subject in shown and link.target in shown),
            left_out=len(self.order) - len(shown),
        )


def _cost(link: Link) -> float:
    return COSTS.get(link.kind, 1.2) + 1.0 - link.confidence


def _printable(text: str) -> str:
    """Text without characters that XML does not allow."""
    return "".join(sign for sign in text if sign.isprintable() or sign in "\t\n")
