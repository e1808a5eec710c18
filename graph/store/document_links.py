"""Rows beside the documents: their files, the names in their links that no node has, and the names of nodes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from sqlalchemy import select

from graph.store.schema import node_names, nodes, origins, unresolved
from graph.store.store_part import StorePart, delete_among, insert_all

FilePlace = tuple[str, str]
"""A folder and the file in it; the folder is empty where a file was given by itself."""


class DocumentOrigins(StorePart):
    """Where the documents came from, by name."""

    def all(self) -> dict[str, FilePlace]:
        """The origins of all documents."""
        return {name: (folder, file) for name, folder, file in self._rows(select(origins))}

    def of(self, names: Iterable[str]) -> dict[str, FilePlace]:
        """The origins of some documents; those without one are left out."""
        return {row.document: (row.folder, row.file) for row in self._among(select(origins), origins.c.document, names)}

    def put(self, come: Mapping[str, FilePlace], gone: Collection[str] = ()) -> None:
        """Record the origins of documents that came, and forget those of documents that went."""
        with self._database.writing() as work:
            held = self.of([*come, *gone])
            changed = {name: place for name, place in come.items() if held.get(name) != place}
            old = [name for name in held if name in changed or name not in come]
            work.changes = bool(changed or old)
            delete_among(work.sql, origins.c.document, old)
            rows = ({"document": name, "folder": folder, "file": file} for name, (folder, file) in changed.items())
            insert_all(work.sql, origins, rows)


class UnresolvedLinks(StorePart):
    """Names in links of each document that no node has, so that a new node finds the documents that link to it."""

    def put(self, names: Mapping[str, Collection[str]]) -> None:
        """Replace the unresolved names of each of these documents; other documents keep theirs.

        The same names again change nothing.
        """
        wanted = {(document, name) for document, each in names.items() for name in each}
        with self._database.writing() as work:
            held = {(row.document, row.name) for row in self._among(select(unresolved), unresolved.c.document, names)}
            work.changes = held != wanted
            changed = sorted({document for document, _ in held ^ wanted})
            delete_among(work.sql, unresolved.c.document, changed)
            rows = ({"document": one, "name": name} for one in changed for name in sorted(names[one]))
            insert_all(work.sql, unresolved, rows)

    def waiting_for(self, names: Iterable[str]) -> tuple[str, ...]:
        """The documents with a link that uses one of these names, sorted."""
        found = self._among(select(unresolved.c.document), unresolved.c.name, names)
        return tuple(sorted({row.document for row in found}))


class NodeNames(StorePart):
    """The names by which links find each node, so that an ingest reads only the nodes that its links may mean."""

    def put(self, names: Mapping[str, Collection[str]]) -> None:
        """Replace the names of these nodes (`ingest.linking.link_targets.node_names`)."""
        if not names:
            return
        with self._database.writing() as work:
            delete_among(work.sql, node_names.c.node, names)
            insert_all(work.sql, node_names, ({"node": node, "name": name} for node in names for name in names[node]))

    def called(self, names: Iterable[str]) -> set[str]:
        """The nodes with one of these names."""
        return {row.node for row in self._among(select(node_names.c.node), node_names.c.name, names)}

    def of_documents(self, documents: Iterable[str]) -> set[str]:
        """The names of the nodes of these documents."""
        asked = select(node_names.c.name).join(nodes, nodes.c.id == node_names.c.node)
        return {row.name for row in self._among(asked, nodes.c.document, documents)}
