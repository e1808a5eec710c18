"""A node with its neighbours and the nodes related to it, read from the store without the graph of all nodes.

The answers are those of `graph.links.node_graph`, which takes seconds to build for 100,000 nodes; a test compares them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from functools import cached_property

from graph.links.link_answers import dot_of, named, sorted_links
from graph.links.relatedness import Relatedness
from graph.links.ring_layout import ring
from graph.links.stored_marks import StoredMarks
from graph.models.link_models import Drawing, Related
from graph.store import Store
from graph.store.pinned_store import pinned


class StoredNeighbourhood:
    """Queries around one node, over one version of the store; `uses` is how many were made.

    Every answer is read from one state of the store, also if it is written to meanwhile.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self.uses = 0

    @cached_property
    def size(self) -> int:
        """The number of nodes in the store."""
        return sum(self._store.nodes.count().values())

    @cached_property
    def _total(self) -> int:
        return StoredMarks(self._store).total

    def related(self, node: str, limit: int) -> tuple[Related, ...]:
        """The most related nodes, with titles in place of ids.

        Raises:
            UnknownNodeError: the node does not exist.
        """
        total = self._total  # before the view below has a connection: this needs one too
        with pinned(self._store) as store:
            _known(store, node)
            found = Relatedness(StoredMarks(store, total)).related(node, limit)
            shown = {name for one in found for name in (one.id, *(name for (_, name), _ in one.shared if "/" in name))}
            return named(found, store.neighbours.cards(shown))

    def around(self, node: str, cap: int) -> Drawing:
        """The node and those that it is linked to, the best connected `cap` of them.

        Raises:
            UnknownNodeError: the node does not exist.
        """
        with pinned(self._store) as store:
            _known(store, node)
            return _drawn(store, node, cap)


def _drawn(store: Store, node: str, cap: int) -> Drawing:
    linked = _linked(store, [node])[node]
    degrees = {one: len(others) for one, others in _linked(store, [node, *linked]).items()}
    ordered = [node, *sorted(linked, key=lambda one: (-degrees[one], one))]
    kept = ordered[:cap]
    cards = store.neighbours.cards(kept)
    star = {one: [node] if one != node else [] for one in kept}
    distances = {one: int(one != node) for one in kept}
    places = ring(star, node, distances)
    dots = tuple(dot_of(cards[one], degrees[one], places[one], distances[one]) for one in kept)
    return Drawing(dots=dots, links=sorted_links(store.neighbours.between(kept)), left_out=len(ordered) - len(kept))


def _linked(store: Store, nodes: Collection[str]) -> dict[str, set[str]]:
    """The other nodes that each node is linked to, in any direction."""
    found: dict[str, set[str]] = defaultdict(set)
    for subject, _, target in store.neighbours.touching(nodes):
        if subject != target:
            found[subject].add(target)
            found[target].add(subject)
    return {node: found[node] for node in nodes}


def _known(store: Store, node: str) -> None:
    if not store.nodes.refs([node]):
        store.nodes.get(node)
