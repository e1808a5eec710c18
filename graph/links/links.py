"""The links as their users see them: built from the store at a version, built again when the graph has changed."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator
from pathlib import Path

from graph.links.brain_map import BrainMap
from graph.links.node_graph import NodeGraph
from graph.models.link_models import Dependent, Drawing, LinkPath, Related
from graph.models.query_models import Backlink
from graph.store import Store


class Links:
    """The links of a store, built when first asked for and again when the graph has changed. Threads may share it.

    `folder` is where the places of the drawing are kept; without one they are worked out again by each process.
    """

    def __init__(self, store: Store, folder: Path | None = None) -> None:
        self._store = store
        self._map = BrainMap(folder, store.identity())
        self._placing = threading.Lock()
        self._cache = store.cache(2, "graph")

    def path(self, start: str, end: str) -> LinkPath | None:
        """The cheapest trail between two nodes, along edges of any kind and direction; None where there is none.

        Raises:
            UnknownNodeError: one of them is no node.
        """
        web = self._fresh()
        web.known(start, end)
        return web.trail(start, end)

    def around(self, node: str, depth: int = 1, cap: int = 60, kinds: Collection[str] = ()) -> Drawing:
        """The nodes within `depth` steps, the nearest and best connected `cap` of them, with places for a drawing.

        Raises:
            UnknownNodeError: it is no node.
        """
        web = self._fresh()
        web.known(node)
        return web.around(node, depth, cap, kinds)

    def whole(self) -> Drawing:
        """All nodes and links with places for a drawing; made once for a version, and kept on disk.

        Where little has changed the nodes keep their places.
        """
        return self._cache.get("drawing", self._drawn)

    def _drawn(self) -> Drawing:
        web = self._fresh()
        with self._placing:  # of two versions at a time: the second starts from the places of the first
            places = self._map.places(web.plain)
        return web.drawn(places)

    def related(self, node: str, limit: int = 10) -> tuple[Related, ...]:
        """The nodes that have most in common with one, with the reasons.

        Raises:
            UnknownNodeError: it is no node.
        """
        web = self._fresh()
        web.known(node)
        return web.related(node, limit)

    def graphml(self) -> Iterator[bytes]:
        """The whole graph as GraphML, a line at a time."""
        return (f"{line}\n".encode("utf-8", "replace") for line in self._fresh().graphml())

    def backlinks(self, node: str, kinds: Collection[str] = ()) -> tuple[Backlink, ...]:
        """What points to a node, with the words around each link."""
        return self._store.backlinks(node, kinds)

    def dependents(self, node: str) -> tuple[Dependent, ...]:
        """Every node that rests on this one by citations, nearest first; a node in a circle is named once.

        Raises:
            UnknownNodeError: it is no node.
        """
        web = self._fresh()
        web.known(node)
        return web.dependents(node)

    def components(self) -> tuple[tuple[str, ...], ...]:
        """The ids of the nodes that hang together by edges of any kind, the largest group first."""
        return self._fresh().components()

    def _fresh(self) -> NodeGraph:
        return self._cache.get("web", lambda: NodeGraph(self._store))
