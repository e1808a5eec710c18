"""Durations of several parts as one figure: 3 h 15 min, 2 h 40, two hours fifty."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from compute.mining.mining_models import Figure

_FULL = {"second": 60, "minute": 60, "h": 24, "day": 7, "week": 5}
"""How many of a unit make the next."""
_JOINED = re.compile(r"\.?,?\s?(?:and\s)?")


def durations(found: Sequence[Figure], mask: str) -> Iterator[Figure]:
    """The figures; `3 h 15 min` is one, in minutes."""
    last: Figure | None = None
    for one in found:
        bare = last is not None and one.sort == "count" and _minutes(last, one, mask)
        figure = replace(one, sort="unit", unit="minute") if bare else one
        if last is not None and _one_duration(last, figure) and _JOINED.fullmatch(mask, last.end, figure.start):
            times = {"second": 1, "minute": 60, "h": 3600, "day": 86400, "week": 604800}
            low = last.low * (times[last.unit] // times[figure.unit]) + figure.low
            text = mask[last.start : figure.end]
            last = replace(figure, start=last.start, text=text, low=low, high=low, hedge=last.hedge, coarse=figure.half)
            continue
        if last is not None and (joined := _compound(last, figure, mask)) is not None:
            last = joined
            continue
        if last is not None:
            yield last
        last = figure
    if last is not None:
        yield last


_LARGE = re.compile(
    r" ?(?P<unit>kg|kilos?|kilograms?|pounds?|lbs?|feet|foot|ft|met(?:re|er)s?|m|km|kilomet(?:re|er)s?|miles?|stones?"
    r"|lit(?:re|er)s?|gallons?)(?: and |, | )"
)
_SMALL = re.compile(
    r"[ -]?(?:grams?|g|ounces?|oz|inch(?:es)?|in|centimet(?:re|er)s?|cm|met(?:re|er)s?|m|yards?|pounds?|lbs?|pints?|ml"
    r"|cl)\b"
)
_SIZES = {
    "kilo": ("g", 1000), "pound": ("o", 16), "foot": ("i", 12), "metre": ("c", 100), "kilometre": ("m", 1000),
    "mile": ("y", 1760), "stone": ("p", 14), "gallon": ("p", 8), "litre": ("m", 1000),
}  # fmt: skip  # one line per group is more readable
"""The first letter of the smaller unit that follows a unit, and how many of those it has."""
_SPELLINGS = {"kg": "kilo", "kilogram": "kilo", "lb": "pound", "feet": "foot", "ft": "foot", "meter": "metre",
              "m": "metre", "km": "kilometre", "kilometer": "kilometre", "liter": "litre"}  # fmt: skip
_PARTS = {"a half": "0.5", "half": "0.5", "a quarter": "0.25", "three quarters": "0.75"}


def _compound(last: Figure, figure: Figure, mask: str) -> Figure | None:
    """Two figures as one amount: two kilos and 200 grams, four hours and three quarters; None if they are two."""
    if last.per or last.ranged or figure.ranged or figure.start - last.end > 16:
        return None
    if last.sort == "money" and figure.sort == "count" and _coins(last, figure, mask):
        return _merged(last, figure, last.low + figure.low / 100, mask)
    part = _PARTS.get(figure.text.lower())
    if (
        last.sort == "unit"
        and part
        and mask[last.end : figure.start] == " and "
        and not mask.startswith(" of", figure.end)
    ):
        return _merged(last, figure, last.low + Decimal(part), mask)
    large = _LARGE.fullmatch(mask, last.end, figure.start) if last.sort == figure.sort == "count" else None
    small = _SMALL.match(mask, figure.end) if large else None
    if large is None or small is None:
        return None
    word = large["unit"] if len(large["unit"]) < 3 else large["unit"].removesuffix("s")
    letter, many = _SIZES[_SPELLINGS.get(word, word)]
    if small[0].strip(" -")[0] != letter or figure.low >= many:
        return None
    return _merged(last, figure, last.low * many + figure.low, mask)


_COIN_WORD = re.compile(r"\b(?:pounds?|quid|euros?|dollars?|francs?|pound)$", re.I)


def _coins(last: Figure, figure: Figure, mask: str) -> bool:
    """Whether a bare number after an amount of money in words is its cents or pence: `three pounds sixty`."""
    small = 5 <= figure.low < 100 and figure.is_integer and last.is_integer
    return (
        small and mask[last.end : figure.start] == " " and _COIN_WORD.search(last.text) is not None
        and _NO_NOUN.match(mask, figure.end) is not None
    )  # fmt: skip  # two lines are more readable


def _merged(last: Figure, figure: Figure, value: Decimal, mask: str) -> Figure:
    text = mask[last.start : figure.end]
    return replace(
        last, end=figure.end, text=text, low=value, high=value, half=min(last.half, figure.half), coarse=figure.half
    )


def _minutes(hours: Figure, bare: Figure, mask: str) -> bool:
    """Whether a bare number after hours is minutes: `2 h 40`, `two hours fifty`."""
    return (
        hours.unit == "h" and not hours.per and not hours.ranged and bare.low < 60 and bare.is_integer
        and mask[hours.end : bare.start] == " " and _NO_NOUN.match(mask, bare.end) is not None
    )  # fmt: skip  # two lines are more readable


_NO_NOUN = re.compile(
    r"\s*(?:[,.;:)—–→⇒=≈+|]|->|$|(?:in|on|of|at|to|up|down|for|from|from|and|after|later|before|with)\b)"
)


def _one_duration(one: Figure, two: Figure) -> bool:
    order = ("second", "minute", "h", "day", "week")
    plain = one.sort == two.sort == "unit" and not (one.per or one.ranged or two.ranged)
    return (
        plain
        and one.unit in order
        and two.unit in order
        and (steps := order.index(one.unit) - order.index(two.unit)) in {1, 2}
        and (steps == 1 or one.low == 1)  # for the three days 50 minutes
        and two.low < _FULL[two.unit]
    )
