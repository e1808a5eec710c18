"""Durations of several parts as one figure: 3 h 15 min, 2 h 40, two hours fifty."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from compute.mining.mining_models import Figure

_FULL = {"second": 60, "minute": 60, "h": 24, "day": 7, "week": 5}
"""How many of a unit make the next."""
_JOINED = re.compile(r"\s?(?:and\s|,\s)?")


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
        if last is not None:
            yield last
        last = figure
    if last is not None:
        yield last


def _minutes(hours: Figure, bare: Figure, mask: str) -> bool:
    """Whether a bare number after hours is minutes: `2 h 40`, `two hours fifty`."""
    return (
        hours.unit == "h" and not hours.per and not hours.ranged and bare.low < 60 and bare.low % 1 == 0
        and mask[hours.end : bare.start] == " " and _NO_NOUN.match(mask, bare.end) is not None
    )  # fmt: skip  # two lines are more readable


_NO_NOUN = re.compile(r"\s*(?:[,.;:)—–]|$|(?:in|on|of|at|to|up|down|for|from|from|and|after|later|before|with)\b)")


def _one_duration(one: Figure, two: Figure) -> bool:
    order = ("second", "minute", "h", "day", "week")
    plain = one.sort == two.sort == "unit" and not (one.per or one.ranged or two.ranged)
    return (
        plain
        and one.unit in order
        and two.unit in order
        and order.index(one.unit) - order.index(two.unit) in {1, 2}
        and two.low < _FULL[two.unit]
    )
