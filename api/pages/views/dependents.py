"""What depends on a node: those that cite it for support, those that cite these, and so on, nearest first."""

from __future__ import annotations

from dataclasses import dataclass

from api.pages.views.claim_table import PageContext
from graph.models.query_models import NodeRef


@dataclass(frozen=True, slots=True)
class Way:
    """One node that depends on another, by the shortest path: from the node down to the one that cites the other."""

    steps: tuple[NodeRef, ...]

    @property
    def node(self) -> NodeRef:
        """The dependent node."""
        return self.steps[0]

    @property
    def chained(self) -> bool:
        """Whether other nodes are between the two."""
        return len(self.steps) > 1


@dataclass(frozen=True, slots=True)
class Resting:
    """The nearest nodes, and how many there are more."""

    ways: tuple[Way, ...] = ()
    left: int = 0


def resting(desk: PageContext, node: str, most: int) -> Resting:
    """At most `most` nodes that depend on a node by citations; a circle ends where it began."""
    walk = desk.brain.status.dependents(node)
    ways = [walk.way(one)[:-1] for one in walk.above[:most]]
    titles = desk.brain.nodes.refs(step for way in ways for step in way)
    shown = tuple(Way(tuple(titles[step] for step in way if step in titles)) for way in ways)
    return Resting(tuple(way for way in shown if way.steps), max(0, len(walk.above) - most))
