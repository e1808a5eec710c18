"""About the service, one brain, a document, an assumption, an item without a price."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from urllib.parse import urlencode

from api.pages.page_request import LINES, Facet, Option, PageRequest, TemplateResponse, page_of, part_of, path_of
from api.pages.render.verdict_signs import KINDS
from api.pages.views import claim_pages, price_pages
from api.pages.views.claim_table import ClaimRow, PageContext, counted
from api.pages.views.ledger_pages import changes_of_run
from api.pages.views.price_table import similar
from api.services import linked_data
from api.services.claim_status import UnknownPriceError
from api.services.linked_data import BrainView, overview
from compute.impact.price_impact import ASSUMED, AffectedClaim
from graph.models.node_models import Kind
from graph.models.query_models import NodeQuery

MOST_NEW, SHOWN_TAGS = 6, 12
"""How many newest notes, and tags before their fold, the page of a brain lists."""

MOST = 100  # how many links to other pages one page has


def about(context: PageContext, request: PageRequest) -> TemplateResponse:  # noqa: ARG001  # the shape of every page
    """The page about the brain."""
    brain, records = context.brain, context.brain.documents.all()
    return page_of(
        "about.html",
        kinds=tuple(brain.nodes.count().items()),
        tags=len(brain.names.tag_uses()),
        works=brain.sources.count(),
        terms=len(brain.names.concepts()),
        citations=brain.edges.citation_counts(),
        claims=brain.claims.count(),
        documents=sorted((one for one in records if one.nodes), key=lambda one: (-one.nodes, one.name)),
        rules=[record for record in records if not record.nodes],
        snapshots=sorted(brain.snapshots.all(), key=lambda record: record.created_at, reverse=True),
    )


def brain(context: PageContext, request: PageRequest) -> TemplateResponse:
    """One brain: contents, claims, news, readers. Raises UnknownBrainError."""
    name = request.parts["brain"]
    found, table = overview(context.brain, name), context.claim_table()
    rows = [row for row in table.lines.values() if row.brain == name]
    changed = changes_of_run(context, table.run, table.before, request.today) if table.run else None
    heads = (head for head in context.brain.documents.heads() if head.brain == name)
    return page_of(
        "brain.html",
        of=found,
        mark=context.mark,
        counts=counted(row.state for row in rows),
        unevaluated=sum(row.verdict is None for row in rows),
        changes=[one for one in (changed.listed if changed else ()) if one.row and one.row.brain == name],
        new=context.brain.nodes.page(NodeQuery(brain=name, sort="newest", limit=MOST_NEW)).items,
        documents=sorted(heads, key=lambda head: (-head.nodes, head.name)),
        facets=tuple(_facets(found)),
    )


def _facets(found: BrainView) -> Iterable[Facet]:
    kinds = (
        Option(KINDS[Kind(one.value)], f"/search?{urlencode({'brain': found.id, 'kind': one.value})}", one.count)
        for one in found.kinds
    )
    yield Facet("Notes by kind", tuple(kinds))
    tags = (("Tags used only here", found.tags), ("Tags shared with others", found.shared_tags))
    brains = (("Cited by", found.cited_by), ("Cites", found.cites))
    for place, groups in (("tags", tags), ("brains", brains)):
        for title, counts in groups:
            options = tuple(Option(one.value, path_of(place, one.value), one.count) for one in counts)
            yield Facet(title, options, SHOWN_TAGS)


def document(context: PageContext, request: PageRequest) -> TemplateResponse:
    """A version of a document with its text. Raises UnknownDocumentError."""
    found = linked_data.document(context.brain, request.parts["document"])
    return page_of(
        "document.html",
        document=found,
        path=path_of("documents", f"{found.name}/{found.sha256}"),
        text=part_of(request, (found.text or "").splitlines(), LINES),
        problems={one.line: one.message for one in found.problems},
        notes=context.brain.nodes.of_documents([found.name])[:MOST] if found.current else [],
    )


def assumption(context: PageContext, request: PageRequest) -> TemplateResponse:
    """An assumption with its figures, its source, and the claims that use it."""
    name = request.parts["name"]
    figures = linked_data.assumption(context.brain, name)
    try:
        readers = context.brain.status.impact(ASSUMED + name, request.today).claims
    except UnknownPriceError:
        readers = ()
    claims = _claims(context, readers)
    return page_of("assumption.html", name=name, path=path_of("assumptions", name), figures=figures, claims=claims)


def _claims(context: PageContext, readers: Iterable[AffectedClaim]) -> list[ClaimRow]:
    lines = context.claim_table().lines
    return [lines[one] for one in dict.fromkeys(one.claim for one in readers) if one in lines][:MOST]


def price(context: PageContext, request: PageRequest) -> TemplateResponse:
    """A priced item, or the page of one that only claims name."""
    try:
        return price_pages.item(context, request)
    except UnknownPriceError:
        item = request.parts["item"]
        claims = _claims(context, context.brain.status.impact(item, request.today).claims)
        near = similar(context.brain, item)
        return page_of("unpriced.html", item=item, path=path_of("prices", item), claims=claims, similar=near)


def claim_on(context: PageContext, request: PageRequest) -> TemplateResponse:
    """A claim on a day, from the address of an evaluation."""
    return claim_pages.page(context, replace(request, query=(*request.query, ("as_of", request.parts["day"]))))
