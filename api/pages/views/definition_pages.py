"""Documents with their text, assumptions, and items without a price, in one layout."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from api.pages.render.figure_format import figure, short_day
from api.pages.request.listing import part_of
from api.pages.request.page_request import PageRequest, TemplateResponse, page_of, path_of
from api.pages.views import claim_page
from api.pages.views.claim_table import ClaimRow, PageContext
from api.pages.views.prices import item_page
from api.pages.views.prices.price_table import similar
from api.services import linked_data
from api.services.name_lookup import UnknownPriceError, impact
from compute.impact.price_impact import ASSUMED, AffectedClaim
from graph.models.query_models import DocumentRecord

FORMS = (("Turtle", "turtle"), ("JSON-LD", "jsonld"), ("N-Triples", "ntriples"))
MOST = 100
"""How many links to other pages one page has."""

LINES = 600
"""How many lines of a document one page shows."""

Facts = list[tuple[str, list[tuple[str, str | None]]]]
"""Names with their values, each a text with its link."""


def line_path(document: str, line: int | None) -> str:
    """The address of a line of a document, on the page that shows it."""
    page = (line - 1) // LINES + 1 if line else 1
    query = f"?page={page}" if page > 1 else ""
    return path_of("documents", document) + query + (f"#L{line}" if line else "")


def document(context: PageContext, request: PageRequest) -> TemplateResponse:
    """A version of a document with its text.

    Raises:
        UnknownDocumentError: there is no such document or version.
    """
    found = linked_data.document(context.brain, request.parts["document"])
    part = part_of(request, (found.text or "").splitlines(), LINES)
    notes = context.brain.nodes.of_documents([found.name]) if found.current else []
    return _response(
        path_of("documents", f"{found.name}/{found.sha256}"),
        "Document",
        title=found.name,
        lead=f"{found.format}, in the brain {found.brain}, read on {short_day(found.ingested_at)}.",
        facts=_document_facts(found),
        text=part,
        first_line=(part.number - 1) * LINES + 1,
        problems={one.line: one.message for one in found.problems},
        see=[(one.title, path_of("nodes", one.id)) for one in notes[:MOST]],
    )


def _document_facts(found: DocumentRecord) -> Facts:
    def at(line: int) -> str:
        return line_path(found.name, line)

    left = ((f"lines {one.first_line} to {one.last_line}: {one.reason}", at(one.first_line)) for one in found.skipped)
    facts: Facts = [
        ("brain", [(found.brain, path_of("brains", found.brain))]),
        ("notes", [(f"{found.nodes:,}", None)]),
        ("lines", [(f"{found.lines.kept:,} of {found.lines.total:,} included", None)]),
        ("problems", [(f"line {one.line}: {one.message}", at(one.line or 1)) for one in found.problems]),
        ("left out", list(left)),
        ("version", [(found.sha256, None)]),
    ]
    return [(name, values[:20]) for name, values in facts if values]


def assumption(context: PageContext, request: PageRequest) -> TemplateResponse:
    """An assumption with its figures, its source, and the claims that use it."""
    name = request.parts["name"]
    try:
        readers = impact(context.brain, ASSUMED + name, request.today).claims
    except UnknownPriceError:
        readers = ()
    facts: Facts = []
    for one in linked_data.assumption(context.brain, name):
        span = f"from {short_day(one.valid_from)}" if one.valid_from else "value"
        facts.append((span, [(figure(one.value, one.unit), None)]))
        if one.low is not None and one.high is not None:
            facts.append(("range", [(f"{figure(one.low)} to {figure(one.high, one.unit)}, {one.shape.value}", None)]))
        if one.source:
            facts.append(("source", [(one.source, one.source if one.source.startswith("http") else None)]))
        facts += [("checked", [(short_day(one.checked), None)])] if one.checked else []
        facts += [("note", [(one.note, None)])] if one.note else []
    return _response(
        path_of("assumptions", name),
        "Assumption",
        title=name,
        lead="A figure without a quoted price. Claims that use it are evaluated at its value and over its range.",
        facts=facts,
        claims=_claims(context, readers),
    )


def _claims(context: PageContext, readers: Iterable[AffectedClaim]) -> list[ClaimRow]:
    """The claims that read an item, each once, as far as a page lists them."""
    lines = context.claim_table().lines
    return [lines[one] for one in dict.fromkeys(one.claim for one in readers) if one in lines][:MOST]


def price(context: PageContext, request: PageRequest) -> TemplateResponse:
    """A priced item; one that has no price, and that only claims name, has a page that says just that."""
    try:
        return item_page.page(context, request)
    except UnknownPriceError:
        item = request.parts["item"]
        return _response(
            path_of("prices", item),
            "Item without a price",
            title=item,
            lead="Claims read this price, and no catalogue has it. A price card can state it.",
            claims=_claims(context, impact(context.brain, item, request.today).claims),
            see=[(f"Priced: {one.text}", one.href) for one in similar(context.brain, item)],
        )


def claim_on(context: PageContext, request: PageRequest) -> TemplateResponse:
    """A claim on a day, by the address of an evaluation that needs no stored run."""
    return claim_page.page(context, replace(request, query=(*request.query, ("as_of", request.parts["day"]))))


def _response(path: str, kind: str, **model: object) -> TemplateResponse:
    forms = [(name, f"{path}?format={form}") for name, form in FORMS]
    shown = {"lead": "", "facts": (), "text": None, "claims": (), "see": (), **model}
    return page_of("definition.html", kind=kind, forms=forms, **shown)
