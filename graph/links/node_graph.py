"""The graph of all nodes, for what cannot be asked of the store step by step: trails, wide neighbourhoods, the map.

It has no texts and lives as long as one answer: at 20,000 nodes with 42,000 links it is built in half a second.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property

import networkx as nx

from graph.links.brain_map import BrainMap, by_subject
from graph.links.drawing_layout import grown, laid_out
from graph.models.link_models import Link
from graph.models.query_models import Card
from graph.store import Store

COSTS = {"cites": 1.0, "same_as": 1.0, "mentions": 2.0}
"""Cost of a step on a path by edge kind (others 1.2); an uncertain edge costs up to 1 more."""

SAME = 0.85
"""If at least this share of the nodes has a place in the map before, the others are placed near them."""


class NodeGraph:
    """The graph of one version, without links to nodes that do not exist."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.order = {node: place for place, node in enumerate(store.nodes.ids())}

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """Every link, in the order of `by_subject`."""
        return tuple(by_subject(self._store.edges.all(), self.order))

    @cached_property
    def plain(self) -> nx.Graph[str]:
        """One edge without direction for each pair of nodes: the cheapest link between them."""
        plain: nx.Graph[str] = nx.Graph()
        plain.add_nodes_from(self.order)
        for link in self.links:
            cost = cost_of(link.kind, link.confidence)
            pair = (link.subject, link.target)
            if link.subject != link.target and cost < plain.get_edge_data(*pair, {"cost": 99.0})["cost"]:
                plain.add_edge(*pair, cost=cost, kind=link.kind)
        return plain

    def only(self, kinds: Collection[str]) -> nx.Graph[str]:
        """The plain graph, of some kinds of links if any are named."""
        if not kinds:
            return self.plain
        narrowed: nx.Graph[str] = nx.Graph()
        narrowed.add_nodes_from(self.order)
        narrowed.add_edges_from(
            (start, end) for start, end, data in self.plain.edges(data=True) if data["kind"] in kinds
        )
        return narrowed

    def trail(self, start: str, end: str) -> list[str] | None:
        """The nodes of the cheapest path; None if there is none."""
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

    def map(self, before: BrainMap | None) -> BrainMap:
        """The map; if little has changed, the nodes keep the places that they have in the map `before`."""
        known = before.places if before else {}
        have = sum(node in known for node in self.order)
        few_new = have and have >= SAME * len(self.order)
        places = grown(self.plain, known) if few_new else laid_out(self.plain)
        cards: list[Card] = list(self._store.index_feed.cards())
        sorts: dict[tuple[str, str | None], int] = {}
        links: list[int] = []
        for link in self.links:
            sort = sorts.setdefault((link.kind, link.cito), len(sorts))
            links += (self.order[link.subject], self.order[link.target], sort)
        return BrainMap(
            version=self._store.graph_version(),
            ids=tuple(card.id for card in cards),
            titles=tuple(card.title for card in cards),
            kinds=tuple(card.kind for card in cards),
            brains=tuple(card.brain for card in cards),
            tags=tuple(tuple(card.tags) for card in cards),
            degrees=tuple(int(self.plain.degree[card.id]) for card in cards),
            xs=tuple(places[card.id][0] for card in cards),
            ys=tuple(places[card.id][1] for card in cards),
            sorts=tuple(sorts),
            links=tuple(links),
        )


def cost_of(kind: str, confidence: float) -> float:
    """What a step along a link costs."""
    return COSTS.get(kind, 1.2) + 1.0 - confidence


def _printable(text: str) -> str:
    """Text without the characters that XML does not allow."""
    return "".join(sign for sign in text if sign.isprintable() or sign in "\t\n")
