"""Which nodes depend on which by citations, and the walk from some nodes to all that depend on them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

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


Walk = Mapping[str, str | None]
"""Each reached node, the nearest first, with the one before it; None: a start."""


def walk(neighbours: Neighbours, start: Iterable[str], may: Callable[[str], bool] = lambda _: True) -> Walk:
    """All nodes reached from those in `start` by nodes that `may` allows."""
    found: dict[str, str | None] = dict.fromkeys(start)
    queue = list(found)
    for one in queue:  # grows during the loop
        for node in neighbours.get(one, ()):
            if node not in found and may(node):
                found[node] = one
                queue.append(node)
    return found


def way(found: Walk, node: str) -> tuple[str, ...]:
    """The path from a reached node to its start."""
    path, at = [node], found[node]
    while at is not None:
        path.append(at)
        at = found[at]
    return tuple(path)
