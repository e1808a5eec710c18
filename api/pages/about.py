"""What this is, how much there is of it, and where it comes from."""

from __future__ import annotations

from dataclasses import dataclass

from api.pages.asked import Asked, Sheet
from api.pages.board import Desk
from graph.nodes import Kind
from graph.query import DocumentRecord


@dataclass(frozen=True, slots=True)
class About:
    """The page. `documents` are those that hold nodes; `rules` those that hold claims, prices and the like."""

    kinds: tuple[tuple[Kind, int], ...]
    nodes: int
    tags: int
    works: int
    citations: dict[str, int]
    claims: int
    documents: tuple[DocumentRecord, ...]
    documents_left: int
    rules: tuple[DocumentRecord, ...]


LISTED = 60


def page(desk: Desk, asked: Asked) -> Sheet:  # noqa: ARG001  # every page is asked in the same way
    """The page about the brain."""
    return Sheet("about.html", desk.recall("about", lambda: _about(desk)))


def _about(desk: Desk) -> About:
    kinds = desk.store.node_count()
    records = desk.store.documents()
    holding = sorted((record for record in records if record.nodes), key=lambda record: (-record.nodes, record.name))
    return About(
        kinds=tuple(kinds.items()),
        nodes=sum(kinds.values()),
        tags=len(desk.store.tags()),
        works=desk.store.source_count(),
        citations=desk.store.citation_counts(),
        claims=desk.store.claim_count(),
        documents=tuple(holding[:LISTED]),
        documents_left=max(0, len(holding) - LISTED),
        rules=tuple(record for record in records if not record.nodes),
    )
