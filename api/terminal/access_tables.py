"""Tables of brains and tokens."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import RenderableType

from api.models.brain_models import BrainEntry, TokenEntry
from api.terminal.tables import table


def brains(found: Iterable[BrainEntry]) -> RenderableType:
    """Brains with their sizes and quotas."""
    rows = (
        (one.name, _held(one.documents, None), _held(one.nodes, one.max_nodes), _held(one.claims, one.max_claims),
         _held(one.bytes, one.max_bytes), "private" if one.private else "")
        for one in found
    )  # fmt: skip
    titles = "brain | documents>= | nodes>= | claims>= | bytes>= | "
    return table(titles, rows, "there are no brains; brain ingest PATH reads documents")


def _held(held: int, most: int | None) -> str:
    return f"{held:,}" if most is None else f"{held:,} of {most:,}"


def tokens(found: Iterable[TokenEntry]) -> RenderableType:
    """Tokens without their secrets."""
    rows = (
        (one.id, one.scope, one.brain or "all", one.state, one.created_at.date().isoformat(),
         one.until.isoformat() if one.until else "", one.comment)
        for one in found
    )  # fmt: skip
    titles = "id | scope | brain= | state | created= | until= | comment~"
    return table(titles, rows, "there are no tokens; brain tokens create makes one")
