"""Selects the price of one catalogue for one item on a day: one, none, or several that disagree."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

from compute.prices.amounts import same
from compute.prices.catalog_model import IMPORTED, OBSERVED
from compute.prices.price_models import Price, Question


@dataclass(frozen=True, slots=True)
class ConflictingPrices:
    """A catalogue contradicts itself: several prices for one query and day, or an invalid price.

    `regional`: it has a price for each of several regions, and the query names none.
    """

    catalog: str
    reason: str
    regional: bool = False


def pick(prices: Sequence[Price], question: Question, on: date) -> Price | ConflictingPrices | None:
    """The price of one catalogue that answers the query on a day; `prices` are of one item and component."""
    active = [price for price in prices if price.processing == question.processing and price.on(on)]
    active = _regional(active, question.region)
    active = _tier(active, question.context)
    if not active:
        return None
    if len({(price.value, price.unit) for price in active}) > 1:
        return ConflictingPrices(active[0].catalog, _disagreement(active), len({one.region for one in active}) > 1)
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


def dated_first(offers: list[Price], on: date) -> list[Price]:
    """Offers with dated prices that are settled on `on` before undated ones; the rest keep their order.

    A price with a stated first day wins over an undated price on the days that it covers, if its interval is closed or
    it was checked on that day or later. After the check both may be right, so they are rivals.
    """
    firm = [offer for offer in offers if _firm(offer, on)]
    if not firm:
        return offers
    return firm + [offer for offer in offers if offer not in firm and offer.valid_from is not None]


def observed(offers: list[Price], on: date) -> tuple[list[Price], list[Price]]:
    """Offers by precedence after what lists had on the day, and observations that are only rivals of these.

    The observation of a list takes the place of an undated price of the same list and tier, and dates an undated price
    of another catalogue if both agree. One that may go on after its list's last day counts only without other prices.
    """
    seen = [offer for offer in offers if offer.catalog in OBSERVED]
    seen = [offer for offer in seen if _firm(offer, on)] or ([] if len(seen) < len(offers) else seen)
    if not seen:
        return [offer for offer in offers if offer.catalog not in OBSERVED], []
    own = {(offer.catalog.removeprefix("observed-"), offer.above): offer for offer in seen}
    others = [
        offer if _states_its_day(offer) else own.get((offer.catalog, offer.above)) or _dated_by(offer, seen)
        for offer in offers
        if offer.catalog not in OBSERVED
    ]
    return (others, [offer for offer in seen if offer not in others]) if others else (seen, [])


def _states_its_day(offer: Price) -> bool:
    return offer.dated == "price" and offer.valid_from is not None


def _dated_by(offer: Price, observations: Sequence[Price]) -> Price:
    """An undated price with the days of an observation of the same amount, if there is one."""
    seen = next((one for one in observations if same(one, offer) and one.above == offer.above), None)
    if seen is None:
        return offer
    note = f"{offer.note}; dated by {seen.catalog}: {seen.note}".removeprefix("; ")
    days = {"valid_from": seen.valid_from, "valid_to": seen.valid_to, "checked": seen.checked}
    return offer.model_copy(update={**days, "dated": "price", "note": note})


def _firm(price: Price, on: date) -> bool:
    if not _states_its_day(price):
        return False
    return price.valid_to is not None or (price.checked is not None and on <= price.checked)
