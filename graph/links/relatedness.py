"""Relatedness: how much two nodes have in common, and what.

A node has marks: its tags, the terms it mentions, the works it lists, the nodes it cites and those that cite it. A mark
of n of N nodes weighs log(1 + N / n), squared; the score of two nodes is the cosine of their vectors of marks.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from graph.models.link_models import Shared
from graph.store.edge_tables import Mark, MarkKind, NeighbourQueries

COMMONEST = 0.5  # marks of a larger share of the nodes are ignored

NAMED = 5  # maximum names in a reason

BATCH = 256  # nodes compared at once

ROUNDING = 1 + 1e-9  # factor on the bound of a score, as sums of weights are rounded


class RelatedNode(NamedTuple):
    """A node, its score, and the shared marks with their weights, the highest first."""

    id: str
    score: float
    shared: list[tuple[Mark, float]]


class Relatedness:
    """The nodes most related to a node, by their marks."""

    def __init__(self, marks: NeighbourQueries, total: int) -> None:
        """`total`: the number of nodes with any mark."""
        self._marks = marks
        self._total = max(1, total)
        self._few = max(2.0, COMMONEST * self._total)

    def _weights(self, marks: Collection[Mark]) -> dict[Mark, float]:
        return {mark: math.log1p(self._total / count) ** 2 for mark, count in self._marks.mark_counts(marks).items()}

    def _norms(self, nodes: Collection[str]) -> dict[str, float]:
        """Lengths of the nodes' vectors."""
        marks = self._marks.marks_of(nodes)
        weights = self._weights({mark for own in marks.values() for mark in own})
        return {node: _length(weights[mark] for mark in marks.get(node, ())) for node in nodes}

    def related(self, node: str, limit: int) -> list[RelatedNode]:
        """The most related nodes."""
        weights = self._weights(self._marks.marks_of([node]).get(node, ()))
        shared = self._sharing(node, weights)
        scores = {other: sum((weights[mark] for mark in marks), 0.0) for other, marks in shared.items()}
        best: list[tuple[float, str]] = []
        ordered = sorted(scores, key=lambda other: (-scores[other], other))
        length = _length(weights.values())
        for start in range(0, len(ordered), BATCH):
            some = ordered[start : start + BATCH]
            # A vector is at least as long as its shared part: no later node has a higher cosine than this.
            if len(best) == limit and math.sqrt(scores[some[0]]) / length * ROUNDING < -best[-1][0]:
                break
            norms = self._norms(some)
            best = sorted([*best, *((-scores[one] / (length * norms[one]), one) for one in some if norms[one])])[:limit]
        return [RelatedNode(one, -minus, [(mark, weights[mark]) for mark in shared[one]]) for minus, one in best]

    def _sharing(self, node: str, weights: Mapping[Mark, float]) -> dict[str, list[Mark]]:
        """The shared marks of other nodes, the highest weight first, without the commonest."""
        least, most = (math.log1p(self._total / count) ** 2 for count in (self._few, 1))
        shareable = sorted((-weight, mark) for mark, weight in weights.items() if least <= weight < most)
        having = self._marks.nodes_with([mark for _, mark in shareable])
        found: dict[str, list[Mark]] = defaultdict(list)
        for _, mark in shareable:
            for other in having[mark]:
                found[other].append(mark)
        found.pop(node, None)
        return found


def _length(weights: Iterable[float]) -> float:
    """The length of a vector; `fsum`, as a sum depends on the order of a set, and that on the process."""
    return math.sqrt(math.fsum(weights))


def reasons(shared: Iterable[tuple[Mark, float]], names: Mapping[str, str]) -> tuple[Shared, ...]:
    """Shared marks by kind, the highest weight first; `names` has the titles of node ids."""
    kinds: dict[MarkKind, list[str]] = defaultdict(list)
    weights: dict[MarkKind, float] = defaultdict(float)
    for (kind, name), weight in shared:
        kinds[kind].append(names.get(name, name))
        weights[kind] += weight
    ordered = sorted(kinds, key=lambda kind: -weights[kind])
    return tuple(
        Shared(kind=kind, names=tuple(kinds[kind][:NAMED]), count=len(kinds[kind]), weight=weights[kind])
        for kind in ordered
    )
