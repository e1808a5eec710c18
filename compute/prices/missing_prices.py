"""Messages that explain why there is no price, with the closest known values."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from compute.prices.exchange_rates import LIFE, is_rate
from compute.prices.families import Family
from compute.prices.price_models import Missing, Price, Question
from compute.units.number_format import said
from graph.text.similar_names import near

_SHOWN = 6


def description(question: Question, on: date) -> str:
    """The query as a noun phrase: `the batch price of cache_read of anthropic/claude-3-5-sonnet on 2025-02-01`."""
    kind = "price" if question.processing == "standard" else f"{question.processing} price"
    parts = [f"the {kind} of {question.component} of {question.item}"]
    if question.context:
        parts.append(f"for {question.context:,} tokens of context")
    if question.region:
        parts.append(f"in {question.region}")
    if question.catalog:
        parts.append(f"in {question.catalog}")
    return " ".join([*parts, f"on {on.isoformat()}"])


def missing(question: Question, on: date, reason: str) -> Missing:
    """A missing price, with the reason."""
    return Missing(what=description(question, on), reason=reason)


def unknown_item(question: Question, on: date, close: Sequence[str]) -> Missing:
    """The item is unknown; `close` are the known names that resemble it."""
    if is_rate(question.item):
        name = question.item.removeprefix("fx/")
        reason = "no such exchange rate is known; import rates with brain prices import eurofxref-hist.csv, or state an"
        return missing(question, on, f"{reason} assumption {name}")
    hint = f"; near it: {', '.join(close)}" if close else ""
    return missing(question, on, f"no catalogue knows {question.item!r}{hint}")


def before_family(question: Question, on: date, family: Family) -> Missing:
    """A family that has no model yet."""
    first = family.members[0]
    return missing(question, on, f"{family.name} meant no model before {first.begins}, when {first.model} came out")


def before_release(question: Question, on: date, item: str, released: date) -> Missing:
    """A model before its release."""
    return missing(question, on, f"{item} came out on {released}, after the day in question")


def unpriced(question: Question, on: date, item: str, prices: Sequence[Price]) -> Missing:
    """The item is known, but this price is not; `prices` are all known prices of the item."""
    if not prices:
        return missing(question, on, f"the catalogues know {item} but have no price for it")
    same = [price for price in prices if price.component == question.component]
    if not same:
        has = ", ".join(sorted({price.component for price in prices})[:_SHOWN])
        close = near(question.component, sorted({price.component for price in prices}), 1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        return missing(question, on, f"no catalogue has a price for {question.component} of {item}; it has {has}{hint}")
    kind = [price for price in same if price.processing == question.processing]
    if not kind:
        has = ", ".join(sorted({price.processing for price in same}))
        reason = f"no catalogue has a {question.processing} price for {question.component} of {item}; known: {has}"
        return missing(question, on, reason)
    return missing(question, on, _elsewhen(question, on, item, kind))


def _elsewhen(question: Question, on: date, item: str, prices: Sequence[Price]) -> str:
    """Prices of the right kind exist, but not for this day, region or context."""
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
    kind = "price" if question.processing == "standard" else f"{question.processing} price"
    old = f"; an exchange rate counts for at most {LIFE.days} days" if is_rate(item) and end and end <= on else ""
    return (
        f"no catalogue has a {kind} for {question.component} of {item} on that day; the nearest is "
        f"{said(nearest.value, nearest.unit)} {span} ({nearest.catalog}{recorded}){old}"
    )


def _distance(price: Price, on: date) -> int:
    days = [abs((day - on).days) for day in (price.valid_from, price.valid_to) if day is not None]
    return min(days, default=0)
