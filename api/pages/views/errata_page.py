"""Errata: figures of sources that do not add up, each error once, and figures on which two texts differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from api.pages.request.page_request import PageRequest, TemplateResponse
from api.pages.views.claim_table import ClaimRow, PageContext
from compute.reports.errata import Erratum
from graph.models.verdict_models import Run

LENGTH = 50


@dataclass(frozen=True, slots=True)
class ErrataPage:
    """The page. `items` are those of this part of the list; contradictions come on the first part."""

    run: Run | None
    items: tuple[Erratum, ...]
    total: int
    contradictions: tuple[Erratum, ...]
    differing: int
    lines: Mapping[str, ClaimRow]
    number: int
    pages: int
    previous: str | None
    following: str | None
    other_formats: tuple[tuple[str, str], ...] = (("JSON", "/v1/errata"), ("CSV", "/v1/errata?format=csv"))


def page(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """The errata after the last run, the most severe first.

    Raises:
        PageRequestError: the number of the page is no number.
    """
    found, table = desk.brain.errata.found(), desk.claim_table()
    pages = max(1, -(-len(found.items) // LENGTH))
    number = min(asked.number("page"), pages)
    model = ErrataPage(
        run=table.run,
        items=found.items[(number - 1) * LENGTH : number * LENGTH],
        total=len(found.items),
        contradictions=found.contradictions[:LENGTH] if number == 1 else (),
        differing=len(found.contradictions),
        lines=table.lines,
        number=number,
        pages=pages,
        previous=asked.link(page=str(number - 1)) if number > 1 else None,
        following=asked.link(page=str(number + 1)) if number < pages else None,
    )
    return TemplateResponse("errata.html", model)
