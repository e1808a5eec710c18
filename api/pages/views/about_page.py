"""What this is, how much there is of it, and where it comes from."""

from __future__ import annotations

from dataclasses import dataclass

from api.pages.request.page_request import PageRequest, TemplateResponse
from api.pages.views.claim_table import PageContext
from graph.models.node_models import Kind
from graph.models.query_models import DocumentRecord, SnapshotRecord


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
    snapshots: tuple[SnapshotRecord, ...]
    snapshots_left: int


LISTED = 60
SNAPSHOTS = 20


def page(desk: PageContext, asked: PageRequest) -> TemplateResponse:  # noqa: ARG001  # all pages have the same signature
    """The page about the brain."""
    return TemplateResponse("about.html", desk.recall("about", lambda: _about(desk)))


def _about(desk: PageContext) -> About:
    kinds = desk.brain.nodes.count()
    records = desk.brain.documents.all()
    holding = sorted((record for record in records if record.nodes), key=lambda record: (-record.nodes, record.name))
    snapshots = sorted(desk.brain.snapshots.all(), key=lambda record: record.created_at, reverse=True)
    return About(
        kinds=tuple(kinds.items()),
        nodes=sum(kinds.values()),
        tags=len(desk.brain.tags.all()),
        works=desk.brain.sources.count(),
        citations=desk.brain.edges.citation_counts(),
        claims=desk.brain.claims.count(),
        documents=tuple(holding[:LISTED]),
        documents_left=max(0, len(holding) - LISTED),
        rules=tuple(record for record in records if not record.nodes),
        snapshots=tuple(snapshots[:SNAPSHOTS]),
        snapshots_left=max(0, len(snapshots) - SNAPSHOTS),
    )
