"""What two figures of one sentence come to together, so that it can be compared with a figure that says so at once.

a thousand tokens took 14 seconds           71 tokens a second
2,048 cards for 30 days                     1.47 million GPU-hours
a million tokens cost 2 cents               2 cents per million tokens
of each euro, 88 cents                      88%
61 of each hundred                          61%
unreachable for nine hours in October       available 98.8% of the month
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from compute.mining.contradiction_measures import SECONDS
from compute.mining.date_text import MONTHS
from compute.mining.quantities import Quantity


class Value(NamedTuple):
    """A figure in base units: its units with their powers, the least and the greatest value, half of its last digit."""

    dimension: str
    low: Decimal
    high: Decimal
    half: Decimal
    written: Callable[[Decimal], Decimal] | None = None
    """Such a value in the unit of the figure, if it is not in proportion to it."""


DEVICE_TIME = "GPU^1 s^1"
"""The unit of GPU-hours."""
_TAKES = re.compile(r"[^.;]*\b(?:took|takes?|taking|needs?|needed|in|within|after|lasts?|lasted)\b[^.;,]{0,30}$")
_FOR = re.compile(r"[^.;]*\b(?:for|over|during|in)\b[^.;,]{0,20}$")
_DEVICES = re.compile(r"(?:\s[\w-]+){0,3}?\s?(?:GPU|card|accelerator|[A-Z]+\d+\w*)s?\b(?!-)")
_COIN = re.compile(r"\b(?:each|every|a|per|one) (?:euro|dollar|pound)\b(?! (?:of|per)\b)", re.I)
_SMALL = re.compile(r"cents?|pence|¢")
_PER_TOKENS = re.compile(r"\b(?:per|each|every|a|one) (thousand|million)(?: [\w-]+)? tokens\b", re.I)
_WHOLES = {"hundred": 100, "thousand": 1000}
_OF_HUNDRED = re.compile(r"\s(?:out of|of|in) (?:a|each|every|one) (hundred|thousand)\b", re.I)
_HUNDRED = re.compile(r"\b(?:out )?of (?:a|each|every|one) (hundred|thousand)\b[^.;\d]{0,70}$", re.I)
_DOWN = re.compile(r"\b(?:down|downtime|unreachable|unavailable|offline|outages?)\b", re.I)
_MONTH = re.compile(rf"\b(?:{'|'.join(MONTHS)}|month)\b", re.I)
_QUARTER = re.compile(rf"\bquarter\b|\bQ[1-4]\b|\b(?:{'|'.join(MONTHS)}) (?:to|through|until) \w+", re.I)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b|\byear\b")
_SHORT = frozenset({"ms", "second", "minute", "h"})


def derived(one: Quantity, sentence: Sequence[Quantity], text: str, at: int) -> Iterator[Value]:
    """What a quantity comes to with another one of its sentence, which begins at the offset `at` of the passage."""
    if one.kind == "money" and not one.pers:
        yield from _of_coin(one, text)
        yield from _of_tokens(one, sentence, text, at)
    elif one.kind == "time" and not one.pers:
        yield from _of_downtime(one, text)
        yield from _of_speed(one, sentence, text, at)
    elif one.kind == "count" and (whole := _whole(one, text, at)):
        yield _times(one, "share", one.base / one.figure.low / whole)
    elif one.unit == "GPU" or (one.kind == "count" and _DEVICES.match(text, one.figure.end - at)):
        yield from _of_devices(one, sentence, text, at)


def _of_coin(one: Quantity, text: str) -> Iterator[Value]:
    if _SMALL.search(one.figure.text) and one.base < 1 and _COIN.search(text):
        yield _times(one, "share", one.base / one.figure.low)


def _whole(one: Quantity, text: str, at: int) -> int:
    """The hundred or thousand of which a number is a part; 0 if it is of none."""
    found = _OF_HUNDRED.match(text, one.figure.end - at) or _HUNDRED.search(text[: one.figure.start - at])
    whole = _WHOLES[found[1].lower()] if found else 0
    return whole if one.figure.high < whole else 0


def _of_tokens(one: Quantity, sentence: Sequence[Quantity], text: str, at: int) -> Iterator[Value]:
    """The price of a token, if the sentence has one number of them."""
    amounts = [two for two in sentence if two.unit == "token" and not two.pers]
    named = _PER_TOKENS.findall(text)
    price = one.base / one.figure.low
    if len(amounts) == 1 and not set(_between(one, amounts[0], text, at)) & set(".;"):
        yield _times(one, f"{one.unit}^1 token^-1", price / amounts[0].base)
    elif len(named) == 1 and not amounts:
        yield _times(one, f"{one.unit}^1 token^-1", price / (1000 if named[0].lower() == "thousand" else 10**6))


def _of_speed(one: Quantity, sentence: Sequence[Quantity], text: str, at: int) -> Iterator[Value]:
    """The tokens of a second, if the sentence says in what time one number of them is made."""
    unit = one.figure.unit or one.unit
    amounts = [two for two in sentence if two.unit == "token" and not two.pers and two.figure.end <= one.figure.start]
    if len(amounts) == 1 and unit in _SHORT and _TAKES.match(_between(one, amounts[0], text, at)):
        yield inverse(one, amounts[0].base / SECONDS[unit])


def _of_devices(one: Quantity, sentence: Sequence[Quantity], text: str, at: int) -> Iterator[Value]:
    """The GPU-hours, if the sentence says for how long the GPUs ran."""
    times = [two for two in sentence if two.kind == "time" and not two.pers and two.figure.start >= one.figure.end]
    if len(times) == 1 and _FOR.match(_between(one, times[0], text, at)):
        yield _times(one, DEVICE_TIME, one.base / one.figure.low * _seconds(times[0]))


def _of_downtime(one: Quantity, text: str) -> Iterator[Value]:
    """The share of a month, a quarter or a year in which something was available."""
    if not _DOWN.search(text):
        return
    names = (("quarter", _QUARTER), ("month", _MONTH), ("year", _YEAR))
    period = next((SECONDS[name] for name, pattern in names if pattern.search(text)), None)
    if period and _seconds(one) < period / 10:
        whole = period * one.figure.low / _seconds(one)
        lost = _times(one, "share", 1 / whole)
        yield Value("share", 1 - lost.high, 1 - lost.low, lost.half, lambda share: (1 - share) * whole)


def inverse(one: Quantity, whole: Decimal) -> Value:
    """The number in a second of what takes a time, which is `whole` by the figure."""
    figure = one.figure
    high = whole / figure.low
    return Value("s^-1", whole / figure.high, high, figure.half / figure.low * high, lambda speed: whole / speed)


def _seconds(one: Quantity) -> Decimal:
    return one.figure.low * SECONDS.get(one.figure.unit or one.unit, Decimal(0))


def _between(one: Quantity, two: Quantity, text: str, at: int) -> str:
    first, last = sorted((one.figure, two.figure), key=lambda figure: figure.start)
    return text[first.end - at : last.start - at]


def _times(one: Quantity, dimension: str, factor: Decimal) -> Value:
    figure = one.figure
    return Value(dimension, figure.low * factor, figure.high * factor, figure.half * abs(factor))
