"""The days of a stated price, and whether a price of the catalogues is known to have applied on them.

A price with days of its own denies figures of those days. One without them was true when its catalogue was taken; what
was true before is not known, unless an earlier price is known that it replaced.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache

from compute.mining.date_text import Period, periods
from compute.mining.text_windows import paragraph
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Price, Question, Quote

RECENT = timedelta(days=92)
"""How long after its check a recorded price may still refute."""
ASSUMED = Decimal("0.55")
"""The factor of confidence of a refutation on a day that is assumed: of the text, or of a price without a change."""
EARLIER = "the day is that of an earlier sentence"
"""Why a figure is not refuted on a day that its own sentence does not state."""
_WORD = re.compile(r"\w")
_LINE = re.compile(r"(?P<indent>[ \t]*)(?P<item>(?:[-*+•]|\d{1,3}[.)])[ \t])?[^\n]*\n?")


@dataclass(frozen=True, slots=True)
class Days:
    """The days of a fact: `first` to `last`; `stated` if the sentence has them, `known` if they are known at all."""

    first: date
    last: date
    stated: bool
    known: bool


def in_force(prices: Iterable[Price], days: Days) -> list[Price]:
    """The prices valid on some day of the period."""
    return [
        price
        for price in prices
        if (price.valid_from is None or price.valid_from <= days.last)
        and (price.valid_to is None or days.first < price.valid_to)
    ]


def settled(prices: list[Price], days: Days) -> list[Price]:
    """Without the undated prices, where a price with its own days covers the full period."""
    firm = [
        price
        for price in prices
        if price.dated == "price" and price.valid_from is not None and price.on(days.first) and price.on(days.last)
        and (price.valid_to is not None or (price.checked is not None and days.last <= price.checked))
    ]  # fmt: skip
    return [price for price in prices if price.valid_from is not None] if firm else prices


def is_firm(price: Price, exact: Iterable[Price], days: Days, book: CatalogBook, today: date) -> bool:
    """Whether a price is known to have applied in the full period; a recorded one only near its check.

    `exact` are the prices of the same thing and tier.
    """
    if price.dated == "record" and price.valid_from is not None and price.checked is not None:
        return price.valid_from <= days.first and days.last <= price.checked + RECENT
    begun = price.valid_from is not None and price.valid_from <= days.first
    replaced = price.valid_from is None and any(
        other.valid_to is not None and other.valid_to <= days.first for other in exact
    )
    return begun or replaced or days.first >= _taken(price, book, today)


def _taken(price: Price, book: CatalogBook, today: date) -> date:
    """The day on which the catalogue of a price was taken, today if unknown."""
    taken = next((one.taken for one in book.catalogs if one.name == price.catalog), None)
    return min(taken or today, today)


def not_firm(price: Price, days: Days) -> str:
    """Why a price that is not firm denies nothing."""
    if price.dated == "record" and price.checked is not None and price.checked + RECENT < days.last:
        return f"the known price was checked on {price.checked} and may have changed"
    return "the catalogue does not know since when"


def unsure_price(questions: Iterable[Question], days: Days, book: CatalogBook, today: date) -> tuple[str, bool]:
    """Why one of several prices is not known to have applied on the last of some days; empty if all are.

    The second says whether all such prices are list prices of which no change is known.
    """
    found, unchanged = "", True
    for question in questions:
        quote = book.price(question, days.last)
        if not isinstance(quote, Quote):
            continue
        own = quote.price
        exact = [
            one
            for one in book.prices(own.item)
            if (one.component, one.processing, one.above) == (own.component, own.processing, own.above)
        ]
        if not is_firm(own, exact, days, book, today):
            found = found or f"{own.item} {own.component.replace('_', ' ')}: {not_firm(own, days)}"
            dated = any(one.valid_from or one.valid_to for one in exact)
            unchanged = unchanged and own.component in LISTED and not dated
    return found, unchanged


LISTED = frozenset({"input", "output"})
"""The kinds of price whose changes the catalogues date."""


# ---- the day of an earlier sentence


def paragraph_day(mask: str, start: int) -> Period | None:
    """The last period stated in the same paragraph, before a sentence; not that of another item of its list."""
    begin, end = paragraph(mask, start)
    spans = _spans(mask, begin, start)
    every = (
        one
        for one in reversed(_periods(mask, begin, end))
        if any(first <= begin + one.start and begin + one.end <= last for first, last in spans)
    )
    found = next(every, None)
    return replace(found, start=0, end=0) if found and found.first and found.last else None


def _spans(mask: str, begin: int, start: int) -> tuple[tuple[int, int], ...]:
    """The parts of a paragraph before a sentence that speak of it: its own item, those around it, the lines above."""
    word = _WORD.search(mask, start)
    lines = [*_LINE.finditer(mask, begin, word.end() if word else start)]
    found, last, indent = list[tuple[int, int]](), start, None
    for line in reversed(lines):
        if line["item"] is not None:
            here = len(line["indent"])
            if indent is None or here < indent:
                found.append((line.start(), last))
                indent = here
            last = line.start()
    return (*found, (begin, last))


@lru_cache(maxsize=4)
def _periods(mask: str, begin: int, end: int) -> tuple[Period, ...]:
    """The periods stated in a paragraph; read once for all of its sentences."""
    return periods(mask[begin:end])
