"""The tokens of the HTTP API, by the hash of their secrets."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import insert, select, update

from graph.models.access_models import StoredToken
from graph.store.database import Database, StorePart
from graph.store.schema import tokens
from graph.store.store_errors import UnknownTokenError


class TokenTables(StorePart):
    """The part of the store for tokens."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._cache = database.cache(1)

    def add(self, token: StoredToken) -> None:
        """Store a token."""
        with self._database.writing() as work:
            work.sql.execute(insert(tokens).values(**token.model_dump()))

    def all(self) -> tuple[StoredToken, ...]:
        """Every token, also revoked and expired ones, the oldest first."""
        return self._cache.get("all", self._all)

    def _all(self) -> tuple[StoredToken, ...]:
        with self._database.reading() as sql:
            rows = sql.execute(select(tokens).order_by(tokens.c.created_at, tokens.c.id))
            return tuple(StoredToken(**row._mapping) for row in rows)  # noqa: SLF001 - public in SQLAlchemy

    def find(self, token_id: str) -> StoredToken | None:
        """The token with an id."""
        return next((one for one in self.all() if one.id == token_id), None)

    def revoke(self, token_id: str, at: datetime) -> StoredToken:
        """Revoke a token from a time on; one that is revoked already stays as it is.

        Raises:
            UnknownTokenError: no token has the id.
        """
        found = self.find(token_id)
        if found is None:
            raise UnknownTokenError(token_id)
        if found.revoked_at is not None:
            return found
        with self._database.writing() as work:
            work.sql.execute(update(tokens).where(tokens.c.id == token_id).values(revoked_at=at))
        return found.model_copy(update={"revoked_at": at})
