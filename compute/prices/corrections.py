"""Corrections: a source states another amount under the same first day: the price was corrected, it did not change."""

from __future__ import annotations

from compute.prices.catalog_model import IMPORTED
from compute.prices.price_models import Price


def explicit(price: Price) -> bool:
    """Whether the source states the first day of the price itself."""
    return price.dated == "price" and price.valid_from is not None


def corrects(current: Price, past: Price) -> bool:
    """Whether a source states a price otherwise for the same first day: it was corrected, it did not change.

    The day of a record counts too on a card, whose author wrote it; a published list keeps that day for a new price.
    """
    own = current.catalog not in IMPORTED and current.dated == past.dated
    dated = own or (explicit(current) and explicit(past))
    return dated and current.valid_from is not None and current.valid_from == past.valid_from
