"""The names by which links find each node, so that an ingest reads only the nodes that its links may mean."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Set

from sqlalchemy import delete, select

from graph.store.database import StorePart
from graph.store.document_changes import among, chunks, insert_all
from graph.store.schema import node_names, nodes


class NodeNames(StorePart):
    """The part of the store for the names of nodes (`ingest.linking.link_targets.node_names`)."""

    def put(self, names: Mapping[str, Collection[str]]) -> None:
        """Replace the names of these nodes."""
        if not names:
            return
        with self._database.writing() as work:
            for some in chunks(list(names)):
                work.sql.execute(delete(node_names).where(among(work.sql, node_names.c.node, some)))
            insert_all(work.sql, node_names, ({"node": node, "name": name} for node in names for name in names[node]))

    def called(self, names: Set[str]) -> set[str]:
        """The nodes with one of these names."""
        found: set[str] = set()
        with self._database.reading() as sql:
            for some in chunks(sorted(names)):
                found.update(
                    sql.execute(select(node_names.c.node).where(among(sql, node_names.c.name, some))).scalars()
                )
        return found

    def of_documents(self, documents: Collection[str]) -> set[str]:
        """The names of the nodes of these documents."""
        found: set[str] = set()
        asked = select(node_names.c.name).join(nodes, nodes.c.id == node_names.c.node)
        with self._database.reading() as sql:
            for some in chunks(sorted(documents)):
                found.update(sql.execute(asked.where(among(sql, nodes.c.document, some))).scalars())
        return found
