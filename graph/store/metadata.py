"""Short texts by key, and new ids of renamed nodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlalchemy import delete, insert, select

from graph.store.schema import meta, node_log, nodes
from graph.store.store_part import StorePart, delete_among, insert_all

RENAMED = "renamed."  # prefix of the keys of renamed nodes; the old id follows

LONGEST_CHAIN = 50  # a node that was renamed more often is not found by its first id


class Metadata(StorePart):
    """Short texts by key."""

    def get(self, key: str) -> str | None:
        """The text of a key, or None."""
        return self._value(select(meta.c.value).where(meta.c.key == key))

    def under(self, prefix: str) -> dict[str, str]:
        """Texts whose key begins with `prefix`, by the rest of the key."""
        query = select(meta.c.key, meta.c.value).where(meta.c.key.startswith(prefix, autoescape=True))
        return {str(row.key).removeprefix(prefix): str(row.value) for row in self._rows(query)}

    def put(self, key: str, value: str) -> None:
        """Store the text of a key."""
        with self._database.writing() as work:
            work.changes = self.get(key) != value
            work.sql.execute(delete(meta).where(meta.c.key == key))
            work.sql.execute(insert(meta).values(key=key, value=value))

    def identity(self) -> str:
        """The random identity of this store; derived data repeat it."""
        return self.get("identity") or ""


class RenamedNodes(StorePart):
    """New ids of renamed nodes, so that old addresses still work."""

    def put(self, renamed: Mapping[str, str]) -> None:
        """Store new ids by old ones."""
        with self._database.writing() as work:
            work.changes = bool(renamed)
            rows = {RENAMED + old: new for old, new in renamed.items()}
            delete_among(work.sql, meta.c.key, rows)
            insert_all(work.sql, meta, ({"key": key, "value": new} for key, new in rows.items()))

    def former(self, ids: Iterable[str]) -> set[str]:
        """Those of these ids that a node had and none has now."""
        gone = select(node_log.c.id).where(node_log.c.id.not_in(select(nodes.c.id)))
        return {row.id for row in self._among(gone, node_log.c.id, ids)}

    def now(self, node_id: str) -> str | None:
        """The present id of a missing node; None if it was not renamed or is gone since."""
        name: str | None = node_id
        for _ in range(LONGEST_CHAIN):
            name = self._value(select(meta.c.value).where(meta.c.key == f"{RENAMED}{name}"))
            if name is None or self._first(select(nodes.c.id).where(nodes.c.id == name)) is not None:
                return name
        return None
