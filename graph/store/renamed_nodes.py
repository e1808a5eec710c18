"""Nodes that have another id now: the old id of each, with the new one, so that an old address leads on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlalchemy import Connection, delete, select

from graph.store.database import StorePart
from graph.store.document_changes import among, chunks, insert_all
from graph.store.schema import meta, node_log, nodes

PREFIX = "renamed."
"""The keys in `meta` begin with this; the old id follows."""

LONGEST_CHAIN = 50
"""A node that was renamed more often is not found by its first id."""


class RenamedNodes(StorePart):
    """The new ids of renamed nodes, by their old ones."""

    def put(self, renamed: Mapping[str, str]) -> None:
        """Record new ids by the old ones."""
        if not renamed:
            return
        rows = [{"key": PREFIX + old, "value": new} for old, new in renamed.items()]
        with self._database.writing() as work:
            for some in chunks([row["key"] for row in rows]):
                work.sql.execute(delete(meta).where(among(work.sql, meta.c.key, some)))
            insert_all(work.sql, meta, rows)

    def all(self) -> dict[str, str]:
        """The new ids by the old ones, as recorded."""
        with self._database.reading() as sql:
            rows = sql.execute(select(meta.c.key, meta.c.value).where(meta.c.key.startswith(PREFIX, autoescape=True)))
            return {str(key).removeprefix(PREFIX): str(value) for key, value in rows}

    def former(self, ids: Iterable[str]) -> set[str]:
        """Those of these ids that a node had, and none has now."""
        found: set[str] = set()
        with self._database.reading() as sql:
            for some in chunks(list(ids)):
                asked = select(node_log.c.id).where(among(sql, node_log.c.id, some))
                found.update(sql.execute(asked.where(node_log.c.id.not_in(select(nodes.c.id)))).scalars())
        return found

    def now(self, node_id: str) -> str | None:
        """The id that a missing node has now; None if it was not renamed, or its new node is gone too."""
        with self._database.reading() as sql:
            return _now(sql, node_id)


def _now(sql: Connection, node_id: str) -> str | None:
    name: str | None = node_id
    for _ in range(LONGEST_CHAIN):
        name = sql.execute(select(meta.c.value).where(meta.c.key == f"{PREFIX}{name}")).scalar()
        if name is None or sql.execute(select(nodes.c.id).where(nodes.c.id == name)).first() is not None:
            return name
    return None
