"""How old prices and assumptions are: those of the library, and those that verdicts read."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from api.services.price_service import PriceService
from compute.prices.data_freshness import AgedInput, Freshness, aged, freshness
from graph.models.verdict_models import VerdictRow


def ages(prices: PriceService, on: date) -> tuple[Freshness, ...]:
    """How old every catalogue and assumption is on a day."""
    library = prices.library()
    return freshness(prices.book().catalogs, library.assumptions, on, library.limits)


def aged_inputs(prices: PriceService, rows: Iterable[VerdictRow]) -> tuple[AgedInput, ...]:
    """The oldest inputs of verdicts that were checked longer ago than their limits."""
    dated = [row for row in rows if row.oldest_input is not None]
    if not dated:
        return ()
    library = prices.library()
    names = {one.name for one in library.assumptions}
    return aged(dated, prices.book().catalogs, names, library.limits)
