"""What this is, how much there is of it, and where it comes from."""

from __future__ import annotations

from api.pages.request.page_request import PageRequest, TemplateResponse, page_of
from api.pages.views.claim_table import PageContext

LISTED, SNAPSHOTS = 60, 20


def page(context: PageContext, request: PageRequest) -> TemplateResponse:  # noqa: ARG001  # the shape of every page
    """The page about the brain."""
    return context.recall("about", lambda: _about(context))


def _about(context: PageContext) -> TemplateResponse:
    brain, records = context.brain, context.brain.documents.all()
    holding = sorted((record for record in records if record.nodes), key=lambda record: (-record.nodes, record.name))
    snapshots = sorted(brain.snapshots.all(), key=lambda record: record.created_at, reverse=True)
    return page_of(
        "about.html",
        kinds=tuple(brain.nodes.count().items()),
        tags=len(brain.names.tag_uses()),
        works=brain.sources.count(),
        terms=len(brain.names.concepts()),
        citations=brain.edges.citation_counts(),
        claims=brain.claims.count(),
        documents=holding[:LISTED],
        documents_left=max(0, len(holding) - LISTED),
        rules=[record for record in records if not record.nodes],
        snapshots=snapshots[:SNAPSHOTS],
        snapshots_left=max(0, len(snapshots) - SNAPSHOTS),
    )
