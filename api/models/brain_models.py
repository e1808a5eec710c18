"""Brains and tokens as the interfaces show them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Literal

from graph.models.access_models import BrainPolicy, BrainUsage, Scope, StoredToken
from graph.values import Value


class BrainEntry(BrainUsage, BrainPolicy):
    """A brain in a list: its usage, its quotas (None: no limit), and whether it is private."""


class TokenEntry(Value):
    """A token in a list, valid before the day `until`, for one brain or all (None)."""

    id: str
    scope: Scope
    brain: str | None
    state: Literal["valid", "expired", "revoked"]
    created_at: datetime
    until: date | None
    revoked_at: datetime | None
    comment: str


def brains(policies: Mapping[str, BrainPolicy], usage: Mapping[str, BrainUsage]) -> list[BrainEntry]:
    """The brains with content or a policy, by name."""
    return [
        BrainEntry(
            **policies.get(name, BrainPolicy(name=name)).model_dump(), **usage.get(name, BrainUsage()).model_dump()
        )
        for name in sorted({*policies, *usage})
    ]


def token(stored: StoredToken, on: date) -> TokenEntry:
    """A token without its hash, with its state on a day."""
    state: Literal["valid", "expired", "revoked"] = "revoked" if stored.revoked_at else "expired"
    return TokenEntry(**stored.model_dump(exclude={"digest"}), state="valid" if stored.valid(on) else state)
