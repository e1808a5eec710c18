"""Selects the price that answers a query on a day, or says why there is none, and whether it is dated for the day.

its source states the first day, and an end or a later check      dated
a snapshot had it on the day, or before and after it              dated
anything else                                                     undated: the price of that day is not known
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, NamedTuple

from compute.prices.amounts import same
from compute.prices.price_models import IMPORTED, OBSERVED, RATE_LIFE, Missing, Price, Question, Quote, is_rate
from compute.units.number_format import said
from graph.text.similar_names import did_you_mean


@dataclass(frozen=True, slots=True)
class ConflictingPrices:
    """Why one catalogue contradicts itself; `regional`: its regions differ, and the query names none."""

    reason: str
    regional: bool = False


def pick(prices: Sequence[Price], question: Question, on: date) -> Price | ConflictingPrices | None:
    """The answer of one catalogue; `prices` are of one item and component."""
    active = [price for price in prices if price.processing == question.processing and price.on(on)]
    if question.region is not None:
        active = [price for price in active if price.region == question.region]
    else:
        active = [price for price in active if price.region is None] or active  # a list may name a region in each
    active = _tier(active, question.context)
    if not active:
        return None
    if len(active) > 1 and len({(price.value, price.unit) for price in active}) > 1:
        return ConflictingPrices(_disagreement(active), len({one.region for one in active}) > 1)
    newest = max(active, key=lambda price: (price.valid_from or date.min, price.checked or date.min))
    if newest.value < 0:
        return ConflictingPrices(f"{newest.catalog} states a negative price, {newest.value} {newest.unit}")
    return newest


def _tier(prices: list[Price], context: int) -> list[Price]:
    """Prices of the highest tier that `context` tokens exceed."""
    top = max((price.above for price in prices if context > price.above), default=0)
    return [price for price in prices if price.above == top]


def of_tier(offers: Sequence[Price], with_tiers: Collection[str]) -> list[Price]:
    """The offers by precedence that say what the tier of a request costs; `with_tiers` are catalogues that have tiers.

    Cards without tiers say nothing of a tier that another one has, nor does a list of one that an earlier catalogue or
    a card has. A tier that only a later list has may be out of date, so the earlier list is its rival.
    """
    stated = [one for one in offers if one.above]
    sure = any(one is offers[0] or one.catalog not in IMPORTED for one in stated)
    mute = {one.catalog for one in offers if one.catalog not in with_tiers and (sure or one.catalog not in IMPORTED)}
    return [one for one in offers if one.catalog not in mute] if stated else list(offers)


def tier_text(price: Price) -> str:
    """The tier of a price by tokens, in words."""
    return f"above {price.above:,} tokens" if price.above else "without a tier"


def _disagreement(prices: Sequence[Price]) -> str:
    regions = sorted({price.region for price in prices if price.region})
    figures = ", ".join(sorted({f"{price.value} {price.unit}" for price in prices}))
    if len(regions) > 1:
        return f"{prices[0].catalog} has a price for each of the regions {', '.join(regions)} ({figures}); name one"
    return f"{prices[0].catalog} states several prices for the same day ({figures}): its intervals overlap"


def dated_first(offers: list[Price], on: date) -> list[Price]:
    """Offers whose first day is stated and that are settled on a day before undated ones.

    It is settled if it has an end or was checked on that day or later. After the check both may be right: they are
    rivals.
    """
    firm = [offer for offer in offers if _firm(offer, on)]
    if not firm:
        return offers
    return firm + [offer for offer in offers if offer not in firm and offer.valid_from is not None]


def observed(offers: list[Price], on: date) -> tuple[list[Price], list[Price]]:
    """Offers by precedence after what lists had on the day, and observations that are only rivals of these.

    An observation replaces an undated price of the same list and tier, and dates an undated price of another catalogue
    if both agree. One that may go on after its list's last day counts only without other prices.
    """
    seen = [offer for offer in offers if offer.catalog in OBSERVED]
    seen = [offer for offer in seen if _firm(offer, on)] or ([] if len(seen) < len(offers) else seen)
    if not seen:
        return [offer for offer in offers if offer.catalog not in OBSERVED], []
    own = {(offer.catalog.removeprefix("observed-"), offer.above): offer for offer in seen}
    others = [
        offer if offer.explicit else own.get((offer.catalog, offer.above)) or _dated_by(offer, seen)
        for offer in offers
        if offer.catalog not in OBSERVED
    ]
    return (others, [offer for offer in seen if offer not in others]) if others else (seen, [])


def _dated_by(offer: Price, observations: Sequence[Price]) -> Price:
    """An undated price with the days of an observation of the same amount, if any."""
    seen = next((one for one in observations if same(one, offer) and one.above == offer.above), None)
    if seen is None:
        return offer
    note = f"{offer.note}; dated by {seen.catalog}: {seen.note}".removeprefix("; ")
    days = {"valid_from": seen.valid_from, "valid_to": seen.valid_to, "checked": seen.checked}
    return offer.model_copy(update={**days, "dated": "price", "note": note})


def _firm(price: Price, on: date) -> bool:
    closed = price.valid_to is not None or (price.checked is not None and on <= price.checked)
    return price.explicit and closed


# ---- why there is no price

_SHOWN = 6


def description(question: Question, on: date) -> str:
    """The query as a noun phrase: `the batch price of cache_read of anthropic/claude-3-5-sonnet on 2025-02-01`."""
    parts = [f"the {_kind(question)} of {question.component} of {question.item}"]
    if question.context:
        parts.append(f"for {question.context:,} tokens of context")
    if question.region:
        parts.append(f"in {question.region}")
    if question.catalog:
        parts.append(f"in {question.catalog}")
    return " ".join([*parts, f"on {on.isoformat()}"])


def _kind(question: Question) -> str:
    return "price" if question.processing == "standard" else f"{question.processing} price"


def missing(question: Question, on: date, reason: str) -> Missing:
    """A missing price, with the reason."""
    return Missing(what=description(question, on), reason=reason)


def unpriced(question: Question, on: date, item: str, prices: Sequence[Price]) -> str:
    """Why an item with these prices has none for the query."""
    if not prices:
        return f"the catalogues know {item} but have no price for it"
    same = [price for price in prices if price.component == question.component]
    if not same:
        has = sorted({price.component for price in prices})
        close = did_you_mean(question.component, has)
        hint = f"; {close}" if close else ""
        return f"no catalogue has a price for {question.component} of {item}; it has {', '.join(has[:_SHOWN])}{hint}"
    kind = [price for price in same if price.processing == question.processing]
    if not kind:
        has = sorted({price.processing for price in same})
        what = f"{question.processing} price for {question.component} of {item}"
        return f"no catalogue has a {what}; known: {', '.join(has)}"
    return _elsewhen(question, on, item, kind)


def _elsewhen(question: Question, on: date, item: str, prices: Sequence[Price]) -> str:
    """Prices of the right kind exist, but for other days, regions or contexts."""
    today = [price for price in prices if price.on(on)]
    if today:
        regions = sorted({price.region or "no named region" for price in today})
        hint = "; leave out the region" if regions == ["no named region"] else ""
        return f"{question.component} of {item} is priced for {', '.join(regions)} only{hint}"
    nearest = min(prices, key=lambda price: _distance(price, on))
    begin, end = nearest.valid_from, nearest.valid_to
    span = " ".join(
        part for part in (f"from {begin}" if begin else "", f"until {end} (exclusive)" if end else "") if part
    )
    recorded = ", the day on which it began to record it" if nearest.dated == "record" and begin else ""
    old = f"; an exchange rate counts for at most {RATE_LIFE.days} days" if is_rate(item) and end and end <= on else ""
    return (
        f"no catalogue has a {_kind(question)} for {question.component} of {item} on that day; the nearest is "
        f"{said(nearest.value, nearest.unit)} {span} ({nearest.catalog}{recorded}){old}"
    )


def _distance(price: Price, on: date) -> int:
    days = [abs((day - on).days) for day in (price.valid_from, price.valid_to) if day is not None]
    return min(days, default=0)


# ---- whether a price is dated for a day

Why = Literal["no date", "recorded", "checked before", "borrowed", "earlier day"]


class Undated(NamedTuple):
    """A price that is not dated for a day; `day` is the last day for which it is known."""

    price: Price
    why: Why
    day: date | None = None


@dataclass(frozen=True, slots=True)
class SnapshotDays:
    """The first snapshot of each catalogue, and the last day that counts; prices in both were stated between."""

    until: date = date.max
    first: Mapping[str, date] = field(default_factory=dict)


def undated(quote: Quote, on: date, seen: SnapshotDays) -> Undated | None:
    """Why the price of a quote is not dated for a day, or None."""
    price = quote.price
    if quote.borrowed:
        return Undated(price, "borrowed")
    if _in_snapshot(price, on, seen):
        return None
    if price.dated == "record":
        return Undated(price, "recorded", price.valid_from)
    if price.valid_from is None or price.valid_from > on:
        return Undated(price, "no date")
    known = price.checked or quote.taken
    if price.valid_to is None and known is not None and known < on:
        return Undated(price, "checked before", known)
    return None


def _in_snapshot(price: Price, on: date, seen: SnapshotDays) -> bool:
    """Whether snapshots had the price on the day, or before and after it."""
    if price.last_seen is not None:
        return price.first_seen is not None and price.first_seen <= on <= price.last_seen
    if price.first_seen is not None:
        return price.first_seen <= on <= seen.until
    first = seen.first.get(price.catalog)
    return first is not None and first < on <= seen.until  # not on the first day: the first run does not know it yet
