"""What rests on a node: those that cite it for support, those that cite these, and so on, the nearest first."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from api.pages.board import Desk
from graph.query import NodeRef

FARTHEST = 2_000
"""So many nodes are walked to; where there are more, the page says so."""


@dataclass(frozen=True, slots=True)
class Way:
    """One node that rests on another, by the shortest way: from the node down to the one that cites the other."""

    steps: tuple[NodeRef, ...]

    @property
    def node(self) -> NodeRef:
        """The node that rests."""
        return self.steps[0]


@dataclass(frozen=True, slots=True)
class Resting:
    """The nearest nodes, and how many there are more; not `whole` where even these are not all."""

    ways: tuple[Way, ...] = ()
    left: int = 0
    whole: bool = True


def resting(desk: Desk, node: str, most: int) -> Resting:
    """At most `most` nodes that rest on a node by citations; a circle ends where it began."""
    reached = desk.recall(("resting", node), lambda: _reached(desk.brain.standing.rests().above, node))
    ways = [_way(reached, one, node) for one in list(reached)[1 : most + 1]]
    titles = desk.store.refs(step for way in ways for step in way)
    shown = tuple(Way(tuple(titles[step] for step in way if step in titles)) for way in ways)
    left = max(0, len(reached) - 1 - most)
    return Resting(tuple(way for way in shown if way.steps), left, whole=len(reached) <= FARTHEST)


def _reached(above: Mapping[str, Sequence[str]], node: str) -> dict[str, str]:
    """The nodes reached, in the order of their distance, each with the one by which it was."""
    reached = {node: node}
    waiting = deque([node])
    while waiting and len(reached) <= FARTHEST:
        below = waiting.popleft()
        for one in above.get(below, ()):
            if one not in reached:
                reached[one] = below
                waiting.append(one)
    return reached


def _way(reached: Mapping[str, str], node: str, end: str) -> list[str]:
    way = []
    while node != end:
        way.append(node)
        node = reached[node]
    return way
