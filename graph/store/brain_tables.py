"""The brains of a store: which are private, their quotas and sizes; tokens; the audit log."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, func, insert, select, update

from graph.models.access_models import BrainPolicy, BrainUsage, StoredToken
from graph.models.query_models import AuditEntry
from graph.store.database import Database
from graph.store.schema import Query, audit, brains, claim_log, claims, documents, nodes, tokens
from graph.store.store_errors import QuotaError, UnknownTokenError
from graph.store.store_part import StorePart, as_model


class AuditLog(StorePart):
    """The log of who changed what, and when."""

    def append(self, entry: AuditEntry) -> None:
        """Append an entry."""
        with self._database.writing() as work:
            work.sql.execute(insert(audit).values(**entry.model_dump()))

    def latest(self, limit: int = 100) -> tuple[AuditEntry, ...]:
        """The latest entries, newest first."""
        query = select(audit.c.at, audit.c.actor, audit.c.action, audit.c.detail)
        return self._models(AuditEntry, query.order_by(audit.c.id.desc()).limit(limit))


class TokenTables(StorePart):
    """Credentials of the HTTP API."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._cache = database.cache(1)

    def add(self, token: StoredToken) -> None:
        """Store a token."""
        with self._database.writing() as work:
            work.sql.execute(insert(tokens).values(**token.model_dump()))

    def all(self) -> tuple[StoredToken, ...]:
        """Every token, revoked and expired ones too, oldest first."""
        query = select(tokens).order_by(tokens.c.created_at, tokens.c.id)
        return self._cache.get("all", lambda: self._models(StoredToken, query))

    def find(self, token_id: str) -> StoredToken | None:
        """One token, or None."""
        return next((one for one in self.all() if one.id == token_id), None)

    def revoke(self, token_id: str, at: datetime) -> StoredToken:
        """Revoke a token unless it is revoked already. Raises `UnknownTokenError` if there is none."""
        found = self.find(token_id)
        if found is None:
            raise UnknownTokenError(token_id)
        if found.revoked_at is not None:
            return found
        with self._database.writing() as work:
            work.sql.execute(update(tokens).where(tokens.c.id == token_id).values(revoked_at=at))
        return found.model_copy(update={"revoked_at": at})


class BrainTables(StorePart):
    """Policies, quotas and sizes of brains."""

    def policies(self) -> dict[str, BrainPolicy]:
        """Stored policies by brain; a brain without one is public and has no quota."""
        return {one.name: one for one in self._models(BrainPolicy, select(brains).order_by(brains.c.name))}

    def private(self) -> frozenset[str]:
        """Names of the private brains."""
        return frozenset(name for name, policy in self.policies().items() if policy.private)

    def put(self, policy: BrainPolicy) -> None:
        """Store the policy of a brain; an equal one changes nothing."""
        with self._database.writing() as work:
            held = work.sql.execute(select(brains).where(brains.c.name == policy.name)).first()
            work.changes = held is None or as_model(BrainPolicy, held) != policy
            if work.changes:
                work.sql.execute(delete(brains).where(brains.c.name == policy.name))
                work.sql.execute(insert(brains).values(**policy.model_dump()))

    def usage(self) -> dict[str, BrainUsage]:
        """Size of each brain, by name."""
        stated = select(claim_log.c.document_brain, func.count()).join(claims, claims.c.id == claim_log.c.claim)
        counted: dict[str, Query] = {
            "documents": select(documents.c.brain, func.count()).where(documents.c.current).group_by(documents.c.brain),
            "bytes": select(documents.c.brain, func.sum(func.length(documents.c.text))).group_by(documents.c.brain),
            "nodes": select(nodes.c.brain, func.count()).group_by(nodes.c.brain),
            "claims": stated.group_by(claim_log.c.document_brain),
        }
        found: dict[str, dict[str, int]] = {}
        with self._database.reading() as sql:
            for what, query in counted.items():
                for name, count in sql.execute(query):
                    found.setdefault(name, {})[what] = int(count)
        return {name: BrainUsage(**found[name]) for name in sorted(found)}

    def check_quotas(self) -> None:
        """Raises `QuotaError` if a brain exceeds its quota; that rolls back the open transaction."""
        each = [(one, what) for one in self.policies().values() for what in ("nodes", "bytes", "claims")]
        limits = [(one.name, what, most) for one, what in each if (most := getattr(one, f"max_{what}")) is not None]
        usage = self.usage() if limits else {}
        for name, what, most in limits:
            held = getattr(usage.get(name, BrainUsage()), what)
            if held > most:
                raise QuotaError(name, what, held, most)
