"""Small texts under keys, and the identity of the store."""

from __future__ import annotations

from sqlalchemy import delete, insert, select

from graph.store.database import StorePart
from graph.store.schema import meta


class Metadata(StorePart):
    """Small texts under keys."""

    def get(self, key: str) -> str | None:
        """A small text stored under a key."""
        with self._database.reading() as sql:
            return sql.execute(select(meta.c.value).where(meta.c.key == key)).scalar()

    def under(self, prefix: str) -> dict[str, str]:
        """The texts whose key begins with `prefix`, by the rest of the key."""
        query = select(meta.c.key, meta.c.value).where(meta.c.key.startswith(prefix, autoescape=True))
        with self._database.reading() as sql:
            return {str(row.key).removeprefix(prefix): str(row.value) for row in sql.execute(query)}

    def put(self, key: str, value: str) -> None:
        """Store a small text under a key."""
        with self._database.writing() as work:
            held = work.sql.execute(select(meta.c.value).where(meta.c.key == key)).scalar()
            work.changes = held != value
            work.sql.execute(delete(meta).where(meta.c.key == key))
            work.sql.execute(insert(meta).values(key=key, value=value))

    def identity(self) -> str:
        """The identity that this store got when it was created; it shows whether derived data are of this store."""
        return self.get("identity") or ""

    def commit_token(self) -> str:
        """A text that changes with each committed write: derived data with the same token are of this state."""
        return self._database.revision().commit
