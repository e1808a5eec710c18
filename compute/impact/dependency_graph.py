"""The dependency graph of nodes, and the walk from some nodes to all that depend on them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

Neighbours = Mapping[str, Sequence[str]]


class DependencyGraph:
    """The known `nodes`; `above` and `below` have the direct dependents and dependencies of a node.

    Each pair is a node and a node that it depends on, which may be unknown.
    """

    def __init__(self, nodes: Iterable[str], pairs: Iterable[tuple[str, str]]) -> None:
        self.nodes = dict.fromkeys(nodes)
        above, below = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
        for node, on in pairs:
            if node in self.nodes:
                above[on].append(node)
                below[node].append(on)
        self.above: Neighbours = dict(above)
        self.below: Neighbours = dict(below)

    def walk(self, start: Iterable[str]) -> DependencyWalk:
        """All nodes that depend on those in `start`, the nearest first, each once."""
        walk = DependencyWalk(self.above)
        walk.go(start)
        return walk


def paths_down(rests: DependencyGraph, start: str) -> Iterator[tuple[str, ...]]:
    """The shortest path from a node to itself and each of its dependencies, the nearest first."""
    walk = DependencyWalk(rests.below)
    walk.go([start] if start in rests.nodes else [])
    return (walk.way(node)[::-1] for node in walk.by)


class DependencyWalk:
    """A walk over neighbours: `by` maps each reached node, in order, to its predecessor; None: a start."""

    def __init__(self, neighbours: Neighbours) -> None:
        self._neighbours = neighbours
        self.by: dict[str, str | None] = {}

    def go(self, start: Iterable[str], may: Callable[[str], bool] = lambda _: True) -> Sequence[str]:
        """Continue to unreached nodes that `may` allows; returns the newly reached ones."""
        by = self.by
        queue = [node for node in dict.fromkeys(start) if node not in by]
        by.update(dict.fromkeys(queue))
        for one in queue:  # grows during the loop
            for node in self._neighbours.get(one, ()):
                if node not in by and may(node):
                    by[node] = one
                    queue.append(node)
        return queue

    @property
    def above(self) -> Sequence[str]:
        """The reached nodes without the start nodes."""
        return [node for node, before in self.by.items() if before is not None]

    def way(self, node: str) -> tuple[str, ...]:
        """The path from a node down to its start node."""
        found, at = [node], self.by[node]
        while at is not None:
            found.append(at)
            at = self.by[at]
        return tuple(found)
