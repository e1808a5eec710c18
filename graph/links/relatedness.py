"""Relatedness: how much two nodes have in common, and what.

A node is a set of marks: its tags, the terms it mentions, the works it lists, the nodes it cites and those that cite
it. A mark weighs log(1 + N / n), squared, if n of N nodes have it; the score of two nodes is the cosine of their
mark vectors.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from typing import Literal

from graph.models.link_models import Shared

MarkKind = Literal["tags", "terms", "sources", "cited by", "cite"]
Mark = tuple[MarkKind, str]

COMMONEST = 0.5
"""A mark that more than this share of the nodes have is ignored."""

NAMED = 5
"""Maximum number of names that one reason lists."""


class Relatedness:
    """The marks of all nodes, and the nodes with each mark."""

    def __init__(self, marks: Iterable[tuple[str, Mark]]) -> None:
        self._marks: dict[str, set[Mark]] = defaultdict(set)
        self._having: dict[Mark, list[str]] = defaultdict(list)
        for node, mark in marks:
            if mark not in self._marks[node]:
                self._marks[node].add(mark)
                self._having[mark].append(node)
        self._total = max(1, len(self._marks))
        self._few = max(2.0, COMMONEST * self._total)

    def _shareable(self, mark: Mark) -> bool:
        """Whether some other nodes have the mark, and not most."""
        return 1 < len(self._having[mark]) <= self._few

    def _weight(self, mark: Mark) -> float:
        return math.log1p(self._total / len(self._having[mark])) ** 2

    def _norm(self, node: str) -> float:
        """The length of the vector of a node; it is computed for the nodes that are compared, not for all."""
        return math.sqrt(sum(map(self._weight, self._marks[node])))

    def related(self, node: str, limit: int) -> list[tuple[str, float, list[Mark]]]:
        """The most related nodes: id, score, and the shared marks, the highest weight first."""
        scores: dict[str, float] = defaultdict(float)
        shared: dict[str, list[Mark]] = defaultdict(list)
        own = [(-self._weight(mark), mark) for mark in self._marks.get(node, ()) if self._shareable(mark)]
        for negative, mark in sorted(own):
            for other in self._having[mark]:
                scores[other] -= negative
                shared[other].append(mark)
        scores.pop(node, None)
        length = self._norm(node) if scores else 1.0
        cosine = {other: score / (length * self._norm(other)) for other, score in scores.items()}
        best = sorted(cosine, key=lambda other: (-cosine[other], other))[:limit]
        return [(other, cosine[other], shared[other]) for other in best]

    def reasons(self, marks: Iterable[Mark], names: dict[str, str]) -> tuple[Shared, ...]:
        """Shared marks by kind, the kind with the highest weight first; `names` gives the titles of node ids."""
        kinds: dict[MarkKind, list[str]] = defaultdict(list)
        weights: dict[MarkKind, float] = defaultdict(float)
        for kind, name in marks:
            kinds[kind].append(names.get(name, name))
            weights[kind] += self._weight((kind, name))
        ordered = sorted(kinds, key=lambda kind: -weights[kind])
        return tuple(
            Shared(kind=kind, names=tuple(kinds[kind][:NAMED]), count=len(kinds[kind]), weight=weights[kind])
            for kind in ordered
        )
