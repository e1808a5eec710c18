"""Queries over the links of a store: built from one version of the graph, rebuilt when it has changed.

What concerns one node and its neighbours is read from the store until something needs the complete graph.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from graph.links.stored_neighbourhood import StoredNeighbourhood
from graph.models.link_models import Dependent, Drawing, LinkPath, Related
from graph.models.query_models import Backlink
from graph.store import Store

if TYPE_CHECKING:
    from graph.links.brain_map import BrainMap
    from graph.links.node_graph import NodeGraph

FIRST_USES, NODES_A_USE = 8, 500
"""So many answers, and one for each 500 nodes, are read from the store before the complete graph is built for them: to
read one takes as long as to put 500 nodes into the graph."""

MOST_NODES = 50_000
"""The graph of more nodes is never built for one node: it takes 10 kB of memory a node, and seconds."""


class Links:
    """The links of a store, built at first use and rebuilt when the graph has changed. Threads may share it.

    `folder` is where the positions of the drawing are stored; without it each process computes them again.
    """

    def __init__(self, store: Store, folder: Path | None = None) -> None:
        self._store = store
        self._folder = folder
        self._placing = threading.Lock()
        self._cache = store.cache(3, "graph")

    @cached_property
    def _map(self) -> BrainMap:
        from graph.links.brain_map import BrainMap  # noqa: PLC0415  # loads networkx, as `_fresh`

        return BrainMap(self._folder, self._store.metadata.identity())

    def discard_damaged_drawing(self) -> bool:
        """Remove stored positions that are damaged or of another store; whether there were any."""
        return self._map.discard_damaged()

    def path(self, start: str, end: str) -> LinkPath | None:
        """The cheapest path between two nodes, along edges of any kind and direction; None if there is none.

        Raises:
            UnknownNodeError: one of the nodes does not exist.
        """
        web = self._fresh()
        self._check(web, start, end)
        return web.trail(start, end)

    def around(self, node: str, depth: int = 1, cap: int = 60, kinds: Collection[str] = ()) -> Drawing:
        """The nodes within `depth` steps, the nearest and best connected `cap` of them, with positions for a drawing.

        Raises:
            UnknownNodeError: the node does not exist.
        """
        if depth == 1 and not kinds and (near := self._near()) is not None:
            return near.around(node, cap)
        web = self._fresh()
        self._check(web, node)
        return web.around(node, depth, cap, kinds)

    def _check(self, web: NodeGraph, *nodes: str) -> None:
        """Raise UnknownNodeError for the first that does not exist, with what the store knows of it."""
        for node in nodes:
            if node not in web.cards:
                self._store.nodes.get(node)
        web.known(*nodes)

    def drawing(self) -> Drawing:
        """All nodes and links with positions for a drawing; computed once for a version, and stored on disk.

        If little has changed, the nodes keep their positions.
        """
        return self._cache.get("drawing", self._drawn)

    def _drawn(self) -> Drawing:
        web = self._fresh()
        with self._placing:  # one version at a time: the second starts from the positions of the first
            places = self._map.places(web.plain)
        return web.drawn(places)

    def related(self, node: str, limit: int = 10) -> tuple[Related, ...]:
        """The nodes most related to a node, with the reasons.

        Raises:
            UnknownNodeError: the node does not exist.
        """
        if (near := self._near()) is not None:
            return near.related(node, limit)
        web = self._fresh()
        self._check(web, node)
        return web.related(node, limit)

    def graphml(self) -> Iterator[bytes]:
        """The complete graph as GraphML, a line at a time."""
        return (f"{line}\n".encode("utf-8", "replace") for line in self._fresh().graphml())

    def backlinks(self, node: str, kinds: Collection[str] = ()) -> tuple[Backlink, ...]:
        """What points to a node, with the words around each link."""
        return self._store.edges.backlinks(node, kinds)

    def dependents(self, node: str) -> tuple[Dependent, ...]:
        """Every node that depends on this one by citations, nearest first; a node in a cycle is listed once.

        Raises:
            UnknownNodeError: the node does not exist.
        """
        web = self._fresh()
        self._check(web, node)
        return web.dependents(node)

    def components(self) -> tuple[tuple[str, ...], ...]:
        """The ids of the nodes of each connected component over edges of any kind, the largest first."""
        return self._fresh().components()

    def _near(self) -> StoredNeighbourhood | None:
        """What answers without the complete graph; None where that is in memory, or was worth its time by now."""
        if self._cache.cached(lambda _version: "web") is not None:
            return None
        near = self._cache.get("near", lambda: StoredNeighbourhood(self._store))
        near.uses += 1
        return near if near.uses <= FIRST_USES + near.size // NODES_A_USE or near.size > MOST_NODES else None

    def _fresh(self) -> NodeGraph:
        from graph.links.node_graph import NodeGraph  # noqa: PLC0415  # loads networkx: a fifth of a second

        return self._cache.get("web", lambda: NodeGraph(self._store))
