"""Brains and tokens as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import RenderableType
from rich.text import Text

from api.models.brain_models import BrainEntry, TokenEntry
from api.terminal.fitted_table import Column, FittedTable

NUMBERS = ("documents", "nodes", "claims", "bytes")


def brains(found: Iterable[BrainEntry]) -> RenderableType:
    """The brains, each number with its quota."""
    counted = tuple(Column(title, "right", said=True) for title in NUMBERS)
    table = FittedTable((Column("brain"), *counted, Column("")))
    for one in found:
        held = [_of(getattr(one, what), getattr(one, f"max_{what}", None)) for what in NUMBERS]
        table.add_row(one.name, *held, "private" if one.private else "")
    return table if table.row_count else Text("there are no brains; brain ingest PATH reads documents")


def _of(held: int, most: int | None) -> str:
    return f"{held:,}" if most is None else f"{held:,} of {most:,}"


def tokens(found: Iterable[TokenEntry]) -> RenderableType:
    """The tokens, the oldest first."""
    whose, days = (
        (Column("brain", said=True), Column("state")),
        (Column("created", said=True), Column("until", said=True)),
    )
    table = FittedTable((Column("id"), Column("scope"), *whose, *days, Column("comment", prose=True)))
    for one in found:
        until = one.until.isoformat() if one.until else ""
        created = one.created_at.date().isoformat()
        table.add_row(one.id, one.scope, one.brain or "all", one.state, created, until, one.comment)
    return table if table.row_count else Text("there are no tokens; brain tokens create makes one")
