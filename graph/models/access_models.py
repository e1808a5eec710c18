"""The access policy of a brain, its usage, and stored tokens."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum

from graph.values import Value


class Scope(StrEnum):
    """What a token allows, each including those before it."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"

    def includes(self, other: Scope) -> bool:
        """Whether this scope allows what `other` allows."""
        ranks = list(Scope)
        return ranks.index(self) >= ranks.index(other)


class BrainPolicy(Value):
    """Whether a brain is private, and its quotas (None: no limit); `max_bytes` of all versions, compressed."""

    name: str
    private: bool = False
    max_nodes: int | None = None
    max_bytes: int | None = None
    max_claims: int | None = None


class BrainUsage(Value):
    """The size of a brain in the units of its quotas; `documents` are current ones."""

    documents: int = 0
    nodes: int = 0
    bytes: int = 0
    claims: int = 0


class StoredToken(Value):
    """A token without its secret; `digest` is the SHA-256 (hex) of the complete token.

    `until` is the first day on which it is no longer valid; `brain` the one private brain that it is for (None: all).
    """

    id: str
    digest: str
    scope: Scope
    brain: str | None = None
    comment: str = ""
    created_at: datetime
    until: date | None = None
    revoked_at: datetime | None = None

    def valid(self, on: date) -> bool:
        """Whether it may be used on a day."""
        return self.revoked_at is None and (self.until is None or on < self.until)
