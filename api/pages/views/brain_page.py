"""The page of one brain, which is mostly one contributor's: what it holds, its claims, what is new, its readers."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlencode

from api.pages.render.verdict_signs import KINDS
from api.pages.request.listing import Facet, Option
from api.pages.request.page_request import PageRequest, TemplateResponse, page_of, path_of
from api.pages.views.claim_table import PageContext, counted
from api.pages.views.definition_pages import FORMS
from api.pages.views.ledger_pages import changes_of_run
from api.services.brain_overview import BrainView, overview
from graph.models.node_models import Kind
from graph.models.query_models import FacetCount, NodeQuery

MOST_DOCUMENTS, MOST_NEW, MOST_CHANGES, MOST_THESES, SHOWN_TAGS = 50, 6, 8, 12, 12
"""How many documents, newest notes, changes of the last run, theses, and tags before their fold are listed."""


def page(context: PageContext, request: PageRequest) -> TemplateResponse:
    """One brain.

    Raises:
        UnknownBrainError: there is no such brain.
    """
    name = request.parts["brain"]
    return context.recall(("brain", name, request.today), lambda: _page(context, request, name))


def _page(context: PageContext, request: PageRequest, name: str) -> TemplateResponse:
    found, table = overview(context.brain, name), context.claim_table()
    rows = [row for row in table.lines.values() if row.brain == name]
    changed = changes_of_run(context, table.run, table.before, request.today) if table.run else None
    every = (*changed.failing, *changed.better) if changed else ()
    changes = [one for one in every if one.row and one.row.brain == name]
    heads = (head for head in context.brain.documents.heads() if head.brain == name)
    documents = sorted(heads, key=lambda head: (-head.nodes, head.name))
    return page_of(
        "brain.html",
        of=found,
        counts=counted(row.state for row in rows),
        unevaluated=sum(row.verdict is None for row in rows),
        changes=changes[:MOST_CHANGES],
        changes_total=len(changes),
        new=context.brain.nodes.page(NodeQuery(brain=name, sort="newest", limit=MOST_NEW)).items,
        documents=documents[:MOST_DOCUMENTS],
        documents_left=max(0, len(documents) - MOST_DOCUMENTS),
        facets=tuple(_facets(found)),
        forms=[(text, f"{path_of('brains', name)}?format={form}") for text, form in FORMS],
        theses=found.theses[:MOST_THESES],
        theses_total=len(found.theses) + found.theses_left,
    )


def _facets(found: BrainView) -> Iterable[Facet]:
    """The facets next to the page; those without an option are not shown."""
    kinds = (
        Option(KINDS[Kind(one.value)], f"/search?{urlencode({'brain': found.id, 'kind': one.value})}", one.count)
        for one in found.kinds
    )
    yield Facet("Notes by kind", tuple(kinds))
    yield _counted("Tags used only here", "tags", found.tags)
    yield _counted("Tags shared with others", "tags", found.shared_tags)
    yield _counted("Cited by", "brains", found.cited_by)
    yield _counted("Cites", "brains", found.cites)


def _counted(title: str, place: str, counts: Iterable[FacetCount]) -> Facet:
    options = tuple(Option(one.value, path_of(place, one.value), one.count) for one in counts)
    return Facet(title, options[:SHOWN_TAGS], more=options[SHOWN_TAGS:])
