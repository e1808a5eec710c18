"""Other prices that a figure may be, before it is refuted as the price of one model.

Opus 4.5 is a third of what Opus 4.1 costs: $5/$25            the price of the other model
$12.50 for a million tokens in plus a million out             the sum of two prices
Per million tokens written, Opus is $10 dearer than Sonnet    the difference of two
75 dollars a million, or 7.5 cents per 1,000                  the price of fewer tokens
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date
from decimal import Decimal
from itertools import combinations, permutations

from compute.mining.mining_models import Figure, Statement
from compute.mining.price_facts import HEDGED, NARROW, TOKEN_UNITS, PriceFact
from compute.mining.readings import LOOSE
from compute.mining.token_volumes import volumes
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Price

_FEWER = Decimal(1000)
"""How many times cheaper a thousand tokens are than a million."""
_MOST = 40
"""How many prices of one model are combined."""
_SUM = re.compile(
    r"\b(?:altogether|together|combined|total|sum|plus|in all|all in|both|in(?:put)? and out(?:put)?)\b|\+", re.I
)
_DIFFERENCE = re.compile(
    r"\b(?:dearer|cheaper|more|less|higher|lower|extra|on top|above|below|apart|off|by|difference|gap|premium"
    r"|sav\w+)\b",
    re.I,
)
"""Words beside a sum or a difference of prices."""


def other_models(fact: PriceFact, items: Iterable[str]) -> Iterator[PriceFact]:
    """The fact for each other model that the text names."""
    for item in dict.fromkeys(items):
        if item not in fact.items:
            yield replace(fact, items=(item,), family="", predecessors=(), cautious=True, confidence=_LESS)


_LESS = Decimal("0.6")
"""The confidence of a price that is of another model than the one beside it."""


def otherwise_right(
    fact: PriceFact, items: Iterable[str], book: CatalogBook, around: tuple[str, str], day: date | None
) -> bool:
    """Whether a figure is a price of another kind, tier or number of tokens, or a sum or difference of prices.

    `items` are the models that the text names, `around` is what its paragraph says before the sentence, and the
    sentence. Prices are those of the `day`; those of earlier days as well where the sentence speaks of a change.
    """
    lead, text = around
    if fact.unit not in TOKEN_UNITS:
        return False
    own = () if fact.strict else fact.items
    named = [item for item in dict.fromkeys((*own, *items)) if item in own or item not in fact.items]
    on = None if _CHANGE.search(text) else day
    every = {value for item in named for value in _million(book.prices(item), fact.components, on)}
    sizes = {Decimal(1), _FEWER if fact.unit == "USD/ktok" else 1 / _FEWER}
    if not fact.figure.per:
        sizes |= {one.value / _MILLION for part in (lead, text) for one in volumes(part)}
    if any(_is(fact, value * size) for value in every for size in sizes):
        return True
    plain = [_plain(book.prices(item)) for item in dict.fromkeys((*fact.items, *items))]
    combined: set[Decimal] = set()
    if _SUM.search(text):
        combined |= {sum(found.values(), Decimal(0)) for found in plain if len(found) == len(_DIRECTIONS)}
    if _DIFFERENCE.search(text):
        pairs = combinations(plain, 2)
        combined |= {abs(one[kind] - two[kind]) for one, two in pairs for kind in one.keys() & two.keys()}
    return any(_is(fact, value) for value in combined)


_CHANGE = re.compile(
    r"\b(?:from|slash\w*|cut|drop\w*|rais\w+|was|were|used to|previous\w*|old|before|until|originally|earlier"
    r"|rather than"
    r"|instead of|down|up|chang\w+|since"
    r"|stood|asked|commanded|charged|for a few (?:days|weeks|hours))\b|->|→",
    re.I,
)
_MILLION = Decimal(1_000_000)
_DIRECTIONS = ("input", "output")


def is_price(value: Decimal, items: Iterable[str], book: CatalogBook) -> bool:
    """Whether an amount was ever a price of a million or of a thousand tokens of some models, in any tier."""
    prices = {price.value for item in items for price in book.prices(item) if price.unit in TOKEN_UNITS}
    return any(value in {one, one / _FEWER} for one in prices)


def price_of_list(one: Statement, items: Iterable[str], book: CatalogBook, beside: Iterable[Figure]) -> bool:
    """Whether a figure that others of its text deny follows from the list prices of the models that the text names.

    `beside` are the figures of its sentence. Money may be a list price, or one with a stated share more or less; a
    share or a multiple may be that of two list prices where all stated ones are right, or of one that is stated (an
    hour in the cache costs $6, twice the input price), else that of a stated price and a list price.
    """
    lists = [book.prices(item) for item in dict.fromkeys(items)]
    shares = [figure.low / 100 for figure in beside if figure.sort == "%"]
    standard = {price.value for prices in lists for price in prices if price.processing == "standard"}
    if one.unit == "USD":
        every = {value for prices in lists for value in _million(prices, _DIRECTIONS, None)}
        every |= {value * (1 + sign * share) for value in every for share in shares for sign in (1, -1)}
        return any(abs(value - one.stated) <= one.within for value in every)
    plain = [_plain(prices) for prices in lists]
    others = {figure.low for figure in beside if figure.sort == "money"} - standard
    pairs = [(amount, value) for found in plain for value in found.values() for amount in others]
    if not others:
        pairs = [(a[kind], b[kind]) for a, b in permutations(plain, 2) for kind in a.keys() & b.keys()]
        pairs += [(found["output"], found["input"]) for found in plain if len(found) == len(_DIRECTIONS)]
        amounts = {figure.low for figure in beside if figure.sort == "money"}
        pairs += [(amount, value) for found in plain for value in found.values() for amount in amounts - {value}]
    hedge = next((figure.hedge for figure in beside if figure.start == one.figure_start), "")
    room = max(one.within, one.stated * max(NARROW, LOOSE[hedge]))
    return any(abs(way - one.stated) <= room for a, b in pairs if a and b for way in _ratios(one, a, b))


def _ratios(one: Statement, a: Decimal, b: Decimal) -> list[Decimal]:
    """What a share or a multiple of two prices may be."""
    scale = 100 if one.unit == "%" else 1
    ways = (a / b, b / a, 1 - a / b, b / a - 1) if scale > 1 or one.stated < 1 else (a / b, b / a)
    return [way * scale for way in ways]


def _plain(prices: Iterable[Price]) -> dict[str, Decimal]:
    """The plain prices of a million tokens, by direction: the last ones of a list in order of their days."""
    return {
        price.component: price.value
        for price in prices
        if price.unit == "USD/Mtok" and price.component in _DIRECTIONS
        if price.processing == "standard" and not price.above and price.valid_to is None
    }


def _million(prices: Iterable[Price], components: tuple[str, ...], day: date | None) -> list[Decimal]:
    """The prices of a million tokens on a day, or ever: some components in any tier, others in the plain one."""
    found = dict.fromkeys(
        price.value * (_FEWER if price.unit == "USD/ktok" else 1)
        for price in prices
        if price.unit in TOKEN_UNITS
        and (day is None or price.on(day))
        and (
            len(components) > 1 or price.component in components or (price.processing == "standard" and not price.above)
        )
    )
    return [*found][:_MOST]


def _is(fact: PriceFact, value: Decimal) -> bool:
    """Whether a value per million tokens is the figure."""
    figure = fact.figure
    wanted = value / (_FEWER if fact.unit == "USD/ktok" else 1)
    room = figure.low * HEDGED if figure.hedge == "about" else min(figure.half, wanted * NARROW)
    return figure.low - room <= wanted <= figure.high + room
