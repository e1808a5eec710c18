"""Selects the price of one catalogue for one item on a day: one, none, or several that disagree."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

from compute.prices.catalog_model import IMPORTED
from compute.prices.price_models import Price, Question


@dataclass(frozen=True, slots=True)
class ConflictingPrices:
    """A catalogue contradicts itself: several prices for one query and day, or an invalid price."""

    catalog: str
    reason: str


def pick(prices: Sequence[Price], question: Question, on: date) -> Price | ConflictingPrices | None:
    """The price of one catalogue that answers the query on a day; `prices` are of one item and component."""
    active = [price for price in prices if price.processing == question.processing and price.on(on)]
    active = _regional(active, question.region)
    active = _tier(active, question.context)
    if not active:
        return None
    if len({(price.value, price.unit) for price in active}) > 1:
        return ConflictingPrices(active[0].catalog, _disagreement(active))
    newest = max(active, key=lambda price: (price.valid_from or date.min, price.checked or date.min))
    if newest.value < 0:
        return ConflictingPrices(
            newest.catalog, f"{newest.catalog} states a negative price, {newest.value} {newest.unit}"
        )
    return newest


def _regional(prices: list[Price], region: str | None) -> list[Price]:
    """Prices of the queried region; without one, prices that name no region, or all if every price names one."""
    if region is not None:
        return [price for price in prices if price.region == region]
    return [price for price in prices if price.region is None] or prices


def _tier(prices: list[Price], context: int) -> list[Price]:
    """Prices of the highest tier that a request of `context` tokens exceeds; the base tier is above 0 tokens."""
    reached = [price for price in prices if price.above == 0 or context > price.above]
    top = max((price.above for price in reached), default=0)
    return [price for price in reached if price.above == top]


def of_the_tier(offers: Sequence[Price], with_tiers: Collection[str]) -> list[Price]:
    """The offers of catalogues, by precedence, that say what the tier of a request costs.

    `with_tiers` are the catalogues that have tiers. Cards without tiers say nothing of a tier that another one has, nor
    does a list without tiers of one that an earlier catalogue or a card has. A tier that only a later list has may be
    out of date, so that the earlier list is its rival.
    """
    stated = [one for one in offers if one.above]
    sure = any(one is offers[0] or one.catalog not in IMPORTED for one in stated)
    mute = {one.catalog for one in offers if one.catalog not in with_tiers and (sure or one.catalog not in IMPORTED)}
    return [one for one in offers if one.catalog not in mute] if stated else list(offers)


def tier_text(price: Price) -> str:
    """The tier of a price by tokens, in words."""
    return f"above {price.above:,} tokens" if price.above else "without a tier"


def _disagreement(prices: Sequence[Price]) -> str:
    """The message for prices of one catalogue that contradict each other."""
    regions = sorted({price.region for price in prices if price.region})
    figures = ", ".join(sorted({f"{price.value} {price.unit}" for price in prices}))
    if len(regions) > 1:
        return f"{prices[0].catalog} has a price for each of the regions {', '.join(regions)} ({figures}); name one"
    return f"{prices[0].catalog} states several prices for the same day ({figures}): its intervals overlap"
