"""The marks of nodes, read from the store when they are compared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from typing import Literal

from graph.store import Store

MarkKind = Literal["tags", "terms", "sources", "cited by", "cite"]
Mark = tuple[MarkKind, str]
"""What a node has: a tag, a term that it mentions, a work that it lists, a node that it cites or that cites it."""


class StoredMarks:
    """The marks of the nodes in a store."""

    def __init__(self, store: Store, total: int | None = None) -> None:
        """`total` is the number of nodes that have a mark, where it is known: to count them reads all nodes."""
        self._near, self._total = store.neighbours, total
        self._counts: dict[MarkKind, Callable[[Collection[str]], Mapping[str, int]]] = {
            "tags": self._near.tag_counts,
            "sources": self._near.work_counts,
            "cite": self._near.citing_counts,
            "cited by": self._near.cited_counts,
            "terms": self._near.mention_counts,
        }

    @cached_property
    def total(self) -> int:
        """The number of nodes that have a mark."""
        return self._near.connected_count() if self._total is None else self._total

    def of(self, nodes: Collection[str]) -> Mapping[str, Collection[Mark]]:
        """The marks of each of the nodes."""
        found: dict[str, set[Mark]] = {node: set() for node in nodes}
        for card in self._near.cards(nodes).values():
            found[card.id].update(("tags", tag) for tag in card.tags)
        for node, work in self._near.works(nodes):
            found[node].add(("sources", work))
        for subject, kind, target in self._near.touching(nodes):
            if kind == "cites":
                found.get(subject, set()).add(("cite", target))
                found.get(target, set()).add(("cited by", subject))
            elif kind == "mentions":
                found.get(subject, set()).add(("terms", target))
        return found

    def counts(self, marks: Collection[Mark]) -> Mapping[Mark, int]:
        """How many nodes have each of the marks."""
        return {
            (kind, name): count
            for kind, names in _by_kind(marks).items()
            for name, count in self._counts[kind](names).items()
        }

    def having(self, marks: Collection[Mark]) -> Mapping[Mark, Collection[str]]:
        """The nodes with each of the marks, each once."""
        named = _by_kind(marks)
        found: dict[Mark, Collection[str]] = dict.fromkeys(marks, ())
        found.update((("tags", tag), some) for tag, some in self._near.tagged(named["tags"]).items())
        found.update((("sources", work), some) for work, some in self._near.listing(named["sources"]).items())
        linked: dict[Mark, set[str]] = defaultdict(set)
        for subject, kind, target in self._near.touching({*named["cite"], *named["cited by"], *named["terms"]}):
            if kind == "cites":
                linked["cite", target].add(subject)
                linked["cited by", subject].add(target)
            elif kind == "mentions":
                linked["terms", target].add(subject)
        found.update((mark, some) for mark, some in linked.items() if mark in found)
        return found


def _by_kind(marks: Collection[Mark]) -> dict[MarkKind, list[str]]:
    found: dict[MarkKind, list[str]] = {"tags": [], "sources": [], "cite": [], "cited by": [], "terms": []}
    for kind, name in marks:
        found[kind].append(name)
    return found
