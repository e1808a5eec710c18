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

from compute.mining.contradiction_derived import Value, derived, inverse
from compute.mining.contradiction_measures import SECONDS
from compute.mining.contradiction_units import based
from compute.mining.quantities import Quantity

_FAHRENHEIT = re.compile(r"\s?(?:°\s?F\b|degrees? F\w*)")
_TOKENS = re.compile(r"\b(?:thousand|million)(?: [\w-]+)? tokens\b", re.I)
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
    if one.kind == "count" and _FAHRENHEIT.match(text, figure.end - at):
        low, high = ((value - 32) * 5 / 9 for value in (figure.low, figure.high))
        yield Value("°C^1", low, high, figure.half * 5 / 9, lambda celsius: celsius * 9 / 5 + 32)
        return
    if one.kind in {"share", "points", "ratio"}:
        part = one.kind != "ratio" or figure.low < 1
        yield _scaled(one, "share" if part else "ratio", one.base / figure.low if part else Decimal(1))
        return
    factor, powers = based(one, text[figure.end - at : figure.end - at + 24])
    if powers["s"] > 0 and (powers["token"] or one.pers) and len(+powers) + len(-powers) < 3:
        yield inverse(one, 1 / factor)
    if one.kind != "money":
        powers["token"] = 0
    elif "thousand" in one.pers or "million" in one.pers:
        powers["token"] -= bool(_TOKENS.search(text))
    amount = powers["s"] == powers["W"]  # energy is power in some time
    period = _period(text, figure.start - at, figure.end - at) if amount else ""
    if period:
        powers["s"], factor = powers["s"] - 1, factor / SECONDS[period]
    yield _scaled(one, _named(powers), factor)
    if amount and not period and _IN_A_YEAR.search(text):
        powers["s"] -= 1
        yield _scaled(one, _named(powers), factor / SECONDS["year"])


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
