"""Documents with their text, assumptions, and items without a price."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from api.pages.request.listing import part_of
from api.pages.request.page_request import PageRequest, TemplateResponse, page_of, path_of
from api.pages.views import claim_page
from api.pages.views.claim_table import ClaimRow, PageContext
from api.pages.views.prices import item_page
from api.pages.views.prices.price_table import similar
from api.services import linked_data
from api.services.claim_status import UnknownPriceError
from compute.impact.price_impact import ASSUMED, AffectedClaim

FORMS = (("Turtle", "turtle"), ("JSON-LD", "jsonld"), ("N-Triples", "ntriples"))
MOST = 100
"""How many links to other pages one page has."""

LINES = 600
"""How many lines of a document one page shows."""


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
    return page_of(
        "document.html",
        document=found,
        path=path_of("documents", f"{found.name}/{found.sha256}"),
        forms=FORMS,
        text=part,
        first_line=(part.number - 1) * LINES + 1,
        problems={one.line: one.message for one in found.problems},
        notes=notes[:MOST],
    )


def assumption(context: PageContext, request: PageRequest) -> TemplateResponse:
    """An assumption with its figures, its source, and the claims that use it."""
    name = request.parts["name"]
    found = linked_data.assumption(context.brain, name)
    try:
        readers = context.brain.status.impact(ASSUMED + name, request.today).claims
    except UnknownPriceError:
        readers = ()
    return page_of(
        "assumption.html",
        name=name,
        path=path_of("assumptions", name),
        forms=FORMS,
        figures=found,
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
        return page_of(
            "unpriced.html",
            item=item,
            path=path_of("prices", item),
            forms=FORMS,
            claims=_claims(context, context.brain.status.impact(item, request.today).claims),
            similar=similar(context.brain, item),
        )


def claim_on(context: PageContext, request: PageRequest) -> TemplateResponse:
    """A claim on a day, by the address of an evaluation that needs no stored run."""
    return claim_page.page(context, replace(request, query=(*request.query, ("as_of", request.parts["day"]))))
