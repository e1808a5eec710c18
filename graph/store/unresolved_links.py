"""Names in links of each document that no node has, so that a new node finds the documents that link to it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from sqlalchemy import Connection, delete, or_, select

from graph.store.database import StorePart
from graph.store.document_changes import among, chunks, insert_all
from graph.store.schema import unresolved

ANY = ""
"""Marks a document whose names are not known yet: it matches every new node (written by a migration)."""


class UnresolvedLinks(StorePart):
    """The part of the store for names without a node."""

    def put(self, names: Mapping[str, Collection[str]]) -> None:
        """Replace the unresolved names of each of these documents; other documents keep theirs.

        The same names again change nothing.
        """
        wanted = {(document, name) for document, each in names.items() for name in each}
        with self._database.writing() as work:
            changed = _stored(work.sql, list(names)) ^ wanted
            work.changes = bool(changed)
            documents = sorted({document for document, _ in changed})
            for some in chunks(documents):
                work.sql.execute(delete(unresolved).where(among(work.sql, unresolved.c.document, some)))
            rows = ({"document": one, "name": name} for one in documents for name in sorted(names[one]))
            insert_all(work.sql, unresolved, rows)

    def waiting_for(self, names: Iterable[str]) -> tuple[str, ...]:
        """The documents with a link that uses one of these names, sorted."""
        found: set[str] = set()
        with self._database.reading() as sql:
            for some in chunks(sorted(set(names))):
                asked = or_(among(sql, unresolved.c.name, some), unresolved.c.name == ANY)
                found.update(sql.execute(select(unresolved.c.document).where(asked).distinct()).scalars())
        return tuple(sorted(found))


def _stored(sql: Connection, documents: list[str]) -> set[tuple[str, str]]:
    asked = select(unresolved.c.document, unresolved.c.name)
    return {
        (row.document, row.name)
        for some in chunks(documents)
        for row in sql.execute(asked.where(among(sql, unresolved.c.document, some)))
    }
