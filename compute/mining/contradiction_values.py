"""What a figure comes to in base units, however it is written, so that two texts with other units can be compared.

30 requests a second, 1,800 a minute        one value, per second
21 ms for every token                       48 tokens per second
£9,500 a month, £114,000 a year             one value in pounds per second
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from compute.mining.contradiction_measures import SECONDS
from compute.mining.number_words import COINS
from compute.mining.quantities import Quantity
from compute.mining.unit_dimensions import dimensions, magnitude

_SECONDS = {**SECONDS, "decade": 10 * SECONDS["year"]}
_MONEY = {*filter(str.isupper, COINS.values()), "CHF", "SEK", "NOK", "DKK", "INR", "CNY", "AUD", "CAD", "SGD"}
_KEPT = frozenset({"m", "g", "W", "byte", "FLOPS", "amp", "n", "°C", "K", *_MONEY})
"""Units that are compared; others are nouns, which two texts may say in other words."""
_OTHERS = {"nmi": ("m", Decimal(1852))}
_BITS = re.compile(r"\d\s?(?:[KMGT]b(?:/s|ps)?|[kmgt]bit\S*|(?:kilo|mega|giga|tera)bits?)(?![A-Za-z])")
_PERIOD = r"(second|minute|hour|day|week|month|quarter|year)"
_ADVERBS = {
    "daily": "day", "weekly": "week", "monthly": "month", "quarterly": "quarter", "annual": "year", "annually": "year",
    "yearly": "year",
}  # fmt: skip  # pairs
_ADVERB = rf"({'|'.join(_ADVERBS)})"
_LATER = re.compile(
    rf"\s?(?:[\w’'-]+\s){{0,5}}?(?:an?|per|each|every|in an?|in one)\s{_PERIOD}\b(?!-)"
    rf"|\s?(?:[\w’'-]+\s){{0,3}}?{_ADVERB}\b"
)
_EARLIER = re.compile(rf"\b(?:(?:every|each|an?|per)\s{_PERIOD}|{_ADVERB})\b[^.;:\d]{{0,60}}$")
_YEARS = re.compile(r"\b(?:19|20)\d\d\b")


class Value(NamedTuple):
    """A figure in base units: its units with their powers, the least and the greatest value, half of its last digit."""

    dimension: str
    low: Decimal
    high: Decimal
    half: Decimal


def values(one: Quantity, text: str, at: int) -> Iterator[Value]:
    """What a quantity may come to; `text` is its sentence, which begins at the offset `at` of the passage.

    What a sentence says of a year is read as an amount and as one per year.
    """
    figure = one.figure
    if figure.low <= 0 or (one.kind == "count" and not one.unit and _YEARS.fullmatch(figure.text.strip())):
        return
    if one.kind in {"share", "points", "ratio"}:
        part = one.kind != "ratio" or figure.low < 1
        yield _scaled(one, "share" if part else "ratio", one.base / figure.low if part else Decimal(1))
        return
    factor, powers = _based(one)
    if powers["s"] > 0 and (powers["token"] or one.pers) and len(powers) < 3:
        yield _inverse(one, factor)
    if one.kind != "money":
        powers["token"] = 0
    period = "" if powers["s"] else _period(text, figure.start - at, figure.end - at)
    if period:
        powers["s"], factor = -1, factor / SECONDS[period]
    yield _scaled(one, _named(powers), factor)
    if not powers["s"] and _YEARS.search(text):
        powers["s"] = -1
        yield _scaled(one, _named(powers), factor / SECONDS["year"])


def _based(one: Quantity) -> tuple[Decimal, Counter[str]]:
    """How much of its base units one of a quantity is, and these units with their powers; what it counts is none."""
    factor = magnitude(one) / one.figure.low
    if one.unit == "byte" and _BITS.search(one.figure.text):
        factor /= 8
    powers: Counter[str] = Counter()
    for unit, power in dimensions(one).items():
        if unit in _SECONDS:
            factor *= _SECONDS[unit] ** power
            powers["s"] += power
        elif unit in _OTHERS:
            base, scale = _OTHERS[unit]
            factor *= scale**power
            powers[base] += power
        elif unit in _KEPT or (unit == "token" and power < 0):
            powers[unit] += power
    return factor, powers


def _inverse(one: Quantity, factor: Decimal) -> Value:
    """The number in a second of what takes a time each."""
    figure = one.figure
    high = 1 / (figure.low * factor)
    return Value("s^-1", 1 / (figure.high * factor), high, figure.half / figure.low * high)


def _named(powers: Counter[str]) -> str:
    return " ".join(f"{unit}^{power}" for unit, power in sorted(powers.items()) if power) or "count"


def _scaled(one: Quantity, dimension: str, factor: Decimal) -> Value:
    figure = one.figure
    return Value(dimension, figure.low * factor, figure.high * factor, figure.half * abs(factor))


def _period(text: str, start: int, end: int) -> str:
    """The period that words after an amount name, or before it: 118 litres of tap water a day, a monthly fee of $9."""
    found = _LATER.match(_plain(text[end : end + 60])) or _EARLIER.search(_plain(text[max(0, start - 80) : start]))
    name = (found[1] or _ADVERBS[found[2]]) if found else ""
    return "h" if name == "hour" else name


def _plain(text: str) -> str:
    return text.replace("\x00", " ").replace("\n", " ").lower()
