"""Access control: the policy of a brain, its usage, and stored tokens."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum

from graph.values import Value


class Scope(StrEnum):
    """What a token allows: `write` includes `read`, `admin` includes both."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"

    def includes(self, other: Scope) -> bool:
        """Whether a token of this scope allows what `other` allows."""
        ranks = list(Scope)
        return ranks.index(self) >= ranks.index(other)


class BrainPolicy(Value):
    """Whether a brain is private, and its quotas; None is no limit.

    `max_bytes` counts the stored text of its documents with all their versions, compressed.
    """

    name: str
    private: bool = False
    max_nodes: int | None = None
    max_bytes: int | None = None
    max_claims: int | None = None


class BrainUsage(Value):
    """The size of a brain, in the units of its quotas; `documents` are its current ones."""

    documents: int = 0
    nodes: int = 0
    bytes: int = 0
    claims: int = 0


class StoredToken(Value):
    """A token without its secret: `digest` is the SHA-256 (hex) of the complete token.

    It is valid from `created_at` until the day `until` (exclusive; None: no end), or until `revoked_at`. `brain` is
    the only private brain that it is for; None: every brain.
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
        """Whether the token may be used on a day."""
        return self.revoked_at is None and (self.until is None or on < self.until)
