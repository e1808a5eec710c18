"""The graph of one version in memory, and queries over it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeAlias

import networkx as nx

from graph.links.link_answers import dot_of, named, ref_of_card, sorted_links
from graph.links.relatedness import Mark, MarkIndex, Relatedness
from graph.links.ring_layout import Place, ring
from graph.models.link_models import Dependent, Dot, Drawing, Link, LinkPath, Related
from graph.models.query_models import Card, NodeRef
from graph.store import Store, UnknownNodeError

COSTS = {"cites": 1.0, "same_as": 1.0, "mentions": 2.0}
"""Cost of a step on a path by edge kind (others 1.2); an uncertain edge costs up to 1 more."""

Graph: TypeAlias = "nx.MultiDiGraph[str]"


class NodeGraph:
    """The graph of one version, without edges to nodes that do not exist."""

    def __init__(self, store: Store) -> None:
        self.cards: dict[str, Card] = {card.id: card for card in store.index_feed.card_list()}
        self.graph: Graph = nx.MultiDiGraph()
        self.graph.add_nodes_from(self.cards)
        self._arguing = frozenset(store.edges.arguing())
        self._works = list(store.sources.by_node())
        links = (link for link in store.edges.all() if link.subject in self.cards and link.target in self.cards)
        self.graph.add_edges_from((link.subject, link.target, {"link": link}) for link in links)

    def known(self, *nodes: str) -> None:
        """Raise UnknownNodeError for the first that does not exist."""
        for node in nodes:
            if node not in self.cards:
                raise UnknownNodeError(node)

    def ref(self, node: str) -> NodeRef:
        """A node by name and title."""
        return ref_of_card(self.cards[node])

    @cached_property
    def plain(self) -> nx.Graph[str]:
        """One edge without direction for each pair of nodes: the cheapest link between them."""
        plain: nx.Graph[str] = nx.Graph()
        plain.add_nodes_from(self.cards)
        for subject, target, link in _edges(self.graph):
            cost = _cost(link)
            if subject != target and cost < plain.get_edge_data(subject, target, {"cost": 99.0})["cost"]:
                plain.add_edge(subject, target, cost=cost, link=link)
        return plain

    def trail(self, start: str, end: str) -> LinkPath | None:
        """The cheapest path."""
        try:
            nodes = nx.bidirectional_dijkstra(self.plain, start, end, weight="cost")[1]
        except nx.NetworkXNoPath:
            return None
        return LinkPath(nodes=tuple(self.ref(node) for node in nodes), links=tuple(self._walked(nodes)))

    def _walked(self, nodes: list[str]) -> Iterator[Link]:
        for start, end in pairwise(nodes):
            link: Link = self.plain.edges[start, end]["link"]
            yield link.model_copy(update={"forwards": link.subject == start})

    @cached_property
    def _support(self) -> nx.DiGraph[str]:
        """From each cited node to those that cite it and depend on it: the most certain citation of each pair."""
        support: nx.DiGraph[str] = nx.DiGraph()
        support.add_nodes_from(self.cards)
        for subject, target, link in _edges(self.graph):
            if link.kind != "cites" or (subject, target) not in self._arguing:
                continue
            known = support.get_edge_data(target, subject)
            if known is None or known["link"].confidence < link.confidence:
                support.add_edge(target, subject, link=link)
        return support

    def dependents(self, node: str) -> tuple[Dependent, ...]:
        """Breadth first: a chain of the fewest citations for each."""
        chains: dict[str, list[str]] = nx.single_source_shortest_path(self._support, node)
        found = (self._dependent(list(reversed(chain))) for other, chain in chains.items() if other != node)
        return tuple(sorted(found, key=lambda one: (one.distance, -one.confidence, one.node.id)))

    def _dependent(self, chain: list[str]) -> Dependent:
        links = tuple(self._support.edges[cited, citing]["link"] for citing, cited in pairwise(chain))
        confidence = 1.0
        for link in links:
            confidence *= link.confidence
        refs = tuple(self.ref(name) for name in chain)
        return Dependent(node=refs[0], distance=len(links), confidence=confidence, chain=refs, links=links)

    @cached_property
    def _kinship(self) -> Relatedness:
        return Relatedness(MarkIndex(self._marks()))

    def _marks(self) -> Iterator[tuple[str, Mark]]:
        for card in self.cards.values():
            yield from ((card.id, ("tags", tag)) for tag in card.tags)
        yield from ((node, ("sources", work)) for node, work in self._works)
        for subject, target, link in _edges(self.graph):
            if link.kind == "cites":
                yield subject, ("cite", target)
                yield target, ("cited by", subject)
            elif link.kind == "mentions":
                yield subject, ("terms", target)

    def related(self, node: str, limit: int) -> tuple[Related, ...]:
        """The most related nodes, with titles in place of ids."""
        return named(self._kinship.related(node, limit), self.cards)

    def around(self, node: str, depth: int, cap: int, kinds: Collection[str]) -> Drawing:
        """The neighbourhood, ring by ring."""
        near = self.plain if not kinds else _only(self.plain, kinds)
        distances: dict[str, int] = nx.single_source_shortest_path_length(near, node, cutoff=depth)
        ordered = sorted(distances, key=lambda one: (distances[one], -near.degree[one], one))
        kept = ordered[:cap]
        places = ring(nx.Graph(near.subgraph(kept)).adj, node, distances)
        dots = tuple(self._dot(one, places[one], distances[one]) for one in kept)
        links = sorted_links(link for link in self._among(kept) if not kinds or link.kind in kinds)
        return Drawing(dots=dots, links=links, left_out=len(ordered) - len(kept))

    def graphml(self) -> Iterator[str]:
        """GraphML of every node and link."""
        plain: Graph = nx.MultiDiGraph()
        for name in self.graph:
            ref = self.ref(name)
            plain.add_node(name, title=_printable(ref.title), kind=ref.kind.value, brain=name.partition("/")[0])
        for one, two, link in _edges(self.graph):
            plain.add_edge(one, two, kind=link.kind, confidence=link.confidence)
        yield '<?xml version="1.0" encoding="UTF-8"?>'
        yield from nx.generate_graphml(plain)

    def components(self) -> tuple[tuple[str, ...], ...]:
        """The connected components, the largest first."""
        order = {name: place for place, name in enumerate(self.cards)}
        groups = (tuple(sorted(group, key=order.__getitem__)) for group in nx.weakly_connected_components(self.graph))
        return tuple(sorted(groups, key=lambda group: (-len(group), order[group[0]])))

    def drawn(self, places: Mapping[str, Place]) -> Drawing:
        """All nodes and links, at these positions."""
        dots = tuple(self._dot(node, places[node], 0) for node in self.cards)
        return Drawing(dots=dots, links=tuple(self._among(list(self.cards))))

    def _among(self, nodes: list[str]) -> Iterator[Link]:
        return (link for _, _, link in _edges(self.graph.subgraph(nodes)))

    def _dot(self, node: str, place: Place, distance: int) -> Dot:
        return dot_of(self.cards[node], int(self.plain.degree[node]), place, distance)


def _edges(graph: nx.Graph[str]) -> Iterator[tuple[str, str, Link]]:
    """Every edge with its link."""
    yield from graph.edges(data="link")


def _cost(link: Link) -> float:
    return COSTS.get(link.kind, 1.2) + 1.0 - link.confidence


def _only(graph: nx.Graph[str], kinds: Collection[str]) -> nx.Graph[str]:
    kept = [(start, end) for start, end, link in _edges(graph) if link.kind in kinds]
    narrowed: nx.Graph[Any] = graph.edge_subgraph(kept).copy()
    narrowed.add_nodes_from(graph)
    return narrowed


def _printable(text: str) -> str:
    """Text without the characters that XML does not allow."""
    return "".join(sign for sign in text if sign.isprintable() or sign in "\t\n")
