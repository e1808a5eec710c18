"""The nodes of a store that an ingest leaves as they are, read only where something names them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain

from graph.models.node_models import Node
from graph.store import Store
from ingest.linking.link_targets import ids_named


class OtherNodes(Mapping[str, str]):
    """The nodes of a store outside some documents: the document of each id."""

    def __init__(self, store: Store, without: Collection[str]) -> None:
        self._store, self._without = store, without
        self._owners: dict[str, str | None] = {}

    def load(self, ids: Iterable[str]) -> None:
        """Look these ids up together."""
        fresh = {one for one in ids if one not in self._owners}
        found = self._store.nodes.owners(fresh)
        self._owners |= {one: owner if (owner := found.get(one)) not in self._without else None for one in fresh}

    def __getitem__(self, name: str) -> str:
        self.load([name])
        if (owner := self._owners[name]) is None:
            raise KeyError(name)
        return owner

    def __iter__(self) -> Iterator[str]:
        return (node.id for node in self.nodes())

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def nodes(self) -> Iterator[Node]:
        """All of them, in the order of arrival."""
        return (node for node in self._store.nodes.all() if node.provenance.document not in self._without)

    def named(self, names: set[str]) -> dict[str, Node]:
        """The nodes that links with these names may mean, and those that have the names of their ids."""
        first = self._store.node_names.called(names)
        both = first | self._store.node_names.called(ids_named(first))
        return self.get_many(both)

    def get_many(self, ids: Iterable[str]) -> dict[str, Node]:
        """Those of these nodes that are among them."""
        found = self._store.nodes.get_many(sorted(set(ids)))
        return {node.id: node for node in found if node.provenance.document not in self._without}


class NodesAfter(Collection[str]):
    """The ids that there are after an ingest: of its nodes and of the others."""

    def __init__(self, brought: Mapping[str, Node], others: OtherNodes) -> None:
        self.brought, self.others = brought, others

    def __contains__(self, name: object) -> bool:
        return name in self.brought or name in self.others

    def __iter__(self) -> Iterator[str]:
        return chain(self.brought, self.others)

    def __len__(self) -> int:
        return len(self.brought) + len(self.others)

    def nodes(self) -> Iterator[Node]:
        """All nodes."""
        return chain(self.others.nodes(), self.brought.values())
