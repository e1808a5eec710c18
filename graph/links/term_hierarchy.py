"""Terms above a term (SKOS `broaderTransitive`), and groups of equal terms."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from graph.models.link_models import Link


class Hierarchy:
    """The `broader` edges among `edges`."""

    def __init__(self, edges: Iterable[Link]) -> None:
        self._parents: dict[str, set[str]] = defaultdict(set)
        self._above: dict[str, frozenset[str]] = {}
        for edge in edges:
            if edge.kind == "broader":
                self._parents[edge.subject].add(edge.target)

    def above(self, term: str) -> frozenset[str]:
        """Every term above `term`; `term` itself only in a cycle."""
        if term not in self._above:
            found: set[str] = set()
            waiting = list(self._parents.get(term, ()))
            while waiting:
                parent = waiting.pop()
                if parent not in found:
                    found.add(parent)
                    waiting += self._parents.get(parent, ())
            self._above[term] = frozenset(found)
        return self._above[term]

    def joins(self, one: str, other: str) -> bool:
        """Whether one term is above the other, so that `related` adds nothing (SKOS S27)."""
        return other in self.above(one) or one in self.above(other)


def joined_terms(edges: Iterable[Link]) -> dict[str, set[str]]:
    """The group of each term, joined by symmetry and transitivity (SKOS S44, S45)."""
    found: dict[str, set[str]] = {}
    for edge in edges:
        ends = edge.subject, edge.target
        small, large = sorted((found.get(end, {end}) for end in ends), key=len)
        large |= small
        found |= dict.fromkeys((*small, *ends), large)
    return found
