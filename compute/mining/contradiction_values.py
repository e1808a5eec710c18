"""What a figure comes to in base units, however it is written, so that two texts with other units can be compared.

30 requests a second, 1,800 a minute        one value, per second
21 ms for every token                       48 tokens per second
£9,500 a month, £114,000 a year             one value in pounds per second
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal

from compute.mining.contradiction_derived import DEVICE_TIME, Value, derived, inverse
from compute.mining.contradiction_measures import SECONDS
from compute.mining.number_words import COINS
from compute.mining.quantities import Quantity
from compute.mining.unit_dimensions import dimensions, magnitude

_SECONDS = {**SECONDS, "decade": 10 * SECONDS["year"]}
_MONEY = {*filter(str.isupper, COINS.values()), "CHF", "SEK", "NOK", "DKK", "INR", "CNY", "AUD", "CAD", "SGD"}
_KEPT = frozenset({"m", "g", "W", "byte", "FLOPS", "amp", "n", "°C", "K", *_MONEY})
"""Units that are compared; others are nouns, which two texts may say in other words."""
_OTHERS = {"nmi": ("m", Decimal(1852))}
_BEHIND = re.compile(
    r"\s?(?:(?P<mass>[kMG]t)|(?P<celsius>°\s?C|degrees? C\w*)|(?P<fahrenheit>°\s?F|degrees? F\w*)|(?P<work>[- ]?hours?))\b"
)
"""What is written behind a figure and no unit elsewhere: 0.9 Mt, 212 °F, 51 kilowatt-hours."""
_MASSES = {"k": Decimal(10) ** 9, "M": Decimal(10) ** 12, "G": Decimal(10) ** 15}
_GPU_HOURS = re.compile(r"(?:(?:\s[A-Z]+\d+\w*)?\s?(?:GPU|card|accelerator)s?)?[- ]hours?\b")
_TOKENS = re.compile(r"\s(?:for|per) (?:\w+ )?(?:thousand|million)(?: \w+)? tokens\b")
_BITS = re.compile(r"\d\s?(?:[KMGT]b(?:/s|ps)?|[kmgt]bit\S*|(?:kilo|mega|giga|tera)bits?)(?![A-Za-z])")
_PERIOD = r"(second|minute|hour|day|week|month|quarter(?! of)|year)"
_ADVERBS = {
    "daily": "day", "weekly": "week", "monthly": "month", "quarterly": "quarter", "annual": "year", "annually": "year",
    "yearly": "year",
}  # fmt: skip  # pairs
_ADVERB = rf"({'|'.join(_ADVERBS)})"
_LATER = re.compile(
    rf"\s?(?:[\w’'-]+\s){{0,5}}?(?:an?|per|each|every|in an?|in one)\s{_PERIOD}\b(?!-)"
    rf"|\s?(?:[\w’'-]+\s){{0,3}}?{_ADVERB}\b"
)
_EARLIER = re.compile(rf"(?<!of )(?<!half )\b(?:(?:every|each|an?|per)\s{_PERIOD}|{_ADVERB})\b[^.;:\d]{{0,60}}$")
_YEARS = re.compile(r"\b(?:19|20)\d\d\b")
_IN_A_YEAR = re.compile(
    r"\b(?:19|20)\d\d\b|\b(?:over|in|during|throughout|for) (?:the|that|a) (?:\w+ )?(?:(?:twelve|12) months|year)\b"
)


def values(one: Quantity, text: str, at: int, sentence: Sequence[Quantity] = ()) -> Iterator[Value]:
    """What a quantity may come to; `text` is its sentence, which begins at the offset `at` of the passage.

    What a sentence says of a year is read as an amount and as one per year; with another quantity of the `sentence` it
    may come to something else.
    """
    figure = one.figure
    if figure.low <= 0 or (one.kind == "count" and not one.unit and _YEARS.fullmatch(figure.text.strip())):
        return
    yield from derived(one, sentence, text, at)
    written = _written(one, text[figure.end - at : figure.end - at + 24])
    if written is not None:
        yield written
        return
    if one.kind in {"share", "points", "ratio"}:
        part = one.kind != "ratio" or figure.low < 1
        yield _scaled(one, "share" if part else "ratio", one.base / figure.low if part else Decimal(1))
        return
    factor, powers = _based(one)
    if powers["s"] > 0 and (powers["token"] or one.pers) and len(powers) < 3:
        yield inverse(one, 1 / factor)
    if one.kind == "money" and _TOKENS.match(text, figure.end - at):
        powers["token"] = -1
    elif one.kind != "money":
        powers["token"] = 0
    amount = powers["s"] == powers["W"]  # energy is power in some time
    period = _period(text, figure.start - at, figure.end - at) if amount else ""
    if period:
        powers["s"], factor = powers["s"] - 1, factor / SECONDS[period]
    yield _scaled(one, _named(powers), factor)
    if amount and not period and _IN_A_YEAR.search(text):
        powers["s"] -= 1
        yield _scaled(one, _named(powers), factor / SECONDS["year"])


def _written(one: Quantity, behind: str) -> Value | None:
    """The value of a figure with a unit that only the text behind it shows."""
    figure, found = one.figure, _BEHIND.match(behind)
    hours = SECONDS["h"] * one.base / figure.low
    if one.unit.startswith("GPU") or (one.kind == "count" and not one.unit):
        if _GPU_HOURS.match(behind):
            return _scaled(one, DEVICE_TIME, hours)
    elif found and found["work"] and one.unit == "W" and not one.pers:
        return _scaled(one, "W^1 s^1", hours)
    if found is None or one.kind != "count":
        return None
    if found["mass"]:
        return _scaled(one, "g^1", _MASSES[found["mass"][0]] * one.base / figure.low)
    if found["celsius"]:
        return _scaled(one, "°C^1", one.base / figure.low)
    low, high = ((value - 32) * 5 / 9 for value in (figure.low, figure.high))
    return Value("°C^1", low, high, figure.half * 5 / 9, lambda celsius: celsius * 9 / 5 + 32)


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
