"""The page of one brain, which is mostly one contributor's: what it holds, its theses, its health, its readers."""

from __future__ import annotations

from dataclasses import dataclass

from api.pages.request.page_request import PageRequest, TemplateResponse, path_of
from api.pages.views.claim_table import PageContext
from api.pages.views.thing_page import FORMS
from api.services.brain_overview import BrainOverview, overview

MOST = 100
"""How many documents are listed."""


@dataclass(frozen=True, slots=True)
class BrainPage:
    """The page; `forms` are the addresses of its other formats."""

    of: BrainOverview
    documents: tuple[str, ...]
    documents_left: int
    forms: tuple[tuple[str, str], ...]


def page(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """One brain.

    Raises:
        UnknownBrainError: there is no such brain.
    """
    name = asked.parts["brain"]
    found = desk.recall(("brain", name), lambda: overview(desk.brain, name))
    forms = tuple((text, f"{path_of('brains', name)}?format={form}") for text, form in FORMS)
    left = max(0, len(found.documents) - MOST)
    return TemplateResponse("brain.html", BrainPage(found, found.documents[:MOST], left, forms))
