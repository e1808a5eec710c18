"""The audit log: who changed what, append-only."""

from __future__ import annotations

from sqlalchemy import insert, select

from graph.models.query_models import AuditEntry
from graph.store.database import StorePart
from graph.store.schema import audit


class AuditLog(StorePart):
    """Who changed what, and when."""

    def append(self, entry: AuditEntry) -> None:
        """Append to the audit log."""
        with self._database.writing() as work:
            work.sql.execute(insert(audit).values(**entry.model_dump()))

    def latest(self, limit: int = 100) -> tuple[AuditEntry, ...]:
        """The audit log, the latest first."""
        query = (
            select(audit.c.at, audit.c.actor, audit.c.action, audit.c.detail).order_by(audit.c.id.desc()).limit(limit)
        )
        with self._database.reading() as sql:
            return tuple(AuditEntry(**row._mapping) for row in sql.execute(query))  # noqa: SLF001 - public in SQLAlchemy
