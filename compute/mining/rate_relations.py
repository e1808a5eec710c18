"""Rates and totals: a price per hour over a month, gigabytes at a price, a sum over years.

$12.33 per hour, over a full month $9,000.90        rate * 1 month_730h
10 TB at $0.09/GB adds $900                         quantity * rate
$900k over three years, $300k per year              cost / years
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from itertools import takewhile
from operator import itemgetter

from compute.mining.mining_models import Figure, Reading
from compute.mining.number_words import NUMBERS, PERIODS, WORKED
from compute.mining.readings import Named, given, known, reading
from compute.mining.text_windows import Window, paragraph

_SPOKEN = {"h": "hour"}
_ORDER = ("h", "day", "week", "month", "year")
_IS = r"(?:=|≈|→|i\.e\.|that is|which is|or|is|comes to|works out to|amounts to|adds up to|totals?|equals?)"
_COSTS = (
    r"(?:=|≈|costs?|costing|adds?|adding|comes to|amounts to|totals?|totalling|equals?|runs? to"
    r"|works out (?:to|at)|is|or)"
)
_SUBSCRIBED = frozenset({"day", "week", "month"})
"""The periods of which several often cost less than one after the other: £2.60 a day or £12 a week."""
_OVER = re.compile(r"over (?:a|one) (?:full |whole )?(day|week|month|year)", re.I)


def rates(window: Window) -> Iterator[Reading]:
    """Readings of rates and totals in a sentence."""
    yield from _periods(window)
    yield from _idle(window)
    yield from _totals(window)
    yield from _spread_out(window)


def _periods(window: Window) -> Iterator[Reading]:
    """A price for one period and the total for a longer one."""
    for pattern in (
        rf"{{a:M}}~24[ ,(]{_IS} ?~14{{b:M}}",
        r"{a:M}~16\({b:M}~12\)",
        r"^\s*At {a:M}~40\b(?:costs?|runs? to|comes to|amounts to|adds up to|works out (?:to|at))\b ~8{b:M}",
        r"{a:M}~30(?P<over>over (?:a|one) ~6(?:day|week|month|year))~50{b:M}",
    ):
        for match in window.matches(pattern):
            a, b = window.figure(match, "a"), window.figure(match, "b")
            over = _OVER.search(match[0])
            last = {"day": "day", "week": "week", "month": "month", "year": "year"}[over[1].lower()] if over else b.per
            if _longer(a, b, last) and not _worked(a, b, last):
                loose = bool(re.search(r"\bor\b|\(|\bif\b", match[0])) and a.per in _SUBSCRIBED
                yield _multiplied(window, a, b, last, loose=loose)


def _longer(a: Figure, b: Figure, last: str) -> bool:
    first = a.per.rpartition("/")[2]
    return (
        first in _ORDER and last in _ORDER and _ORDER.index(first) < _ORDER.index(last)
        and a.unit == b.unit and not a.ranged and not b.ranged and a.label == b.label
    )  # fmt: skip


def _worked(a: Figure, b: Figure, last: str) -> bool:
    """Whether a total is that of working time, which goes without saying: $400 a day, $2,000 a week."""
    hours = WORKED.get((a.per.rpartition("/")[2], last), ())
    return any(abs(a.low * many - b.low) <= max(b.half, a.half * many) for many in hours)


def _counted(window: Window) -> bool:
    """Whether the sentence counts things or hours, by which a rate might have to be multiplied."""
    return any(figure.sort in {"unit", "count", "%", "x"} for figure in window.figures)


def _multiplied(window: Window, a: Figure, b: Figure, last: str, *, loose: bool) -> Reading:
    """The reading; a loose one may be of two plans, with a discount on the longer one."""
    first = a.per.rpartition("/")[2]
    spans = [f"rate * {span}" for span in PERIODS[last]]
    if first != "h":
        spans += ["rate * 365 day"] if last == "year" else ["rate * 30 day"] if last == "month" else []
    if first == "month" and last == "year":
        inputs, spans = given(Named("rate", a, unit=a.unit)), ["rate * 12"]
    else:
        inputs = given(Named("rate", a, unit=f"{a.unit}/{first}"))
    return reading(
        window,
        "period",
        inputs,
        spans,
        b,
        unit=a.unit,
        confidence="0.9",
        note=f"from one {_SPOKEN.get(first, first)} to a {last}",
        cautious=loose or _counted(window),
    )


def _idle(window: Window) -> Iterator[Reading]:
    """A price per hour, hours per day, and the total for a month or a year."""
    for match in window.matches(r"{a:M}~40{n:U}~30\b(?:a|per|each|every) day\b~60{b:M}"):
        a, n, b = (window.figure(match, key) for key in "anb")
        if a.per in {"h", "GPU/h"} and n.unit == "h" and b.per in {"month", "year"} and a.unit == b.unit:
            days = ("30 day", "1 month_730h") if b.per == "month" else ("1 year",)
            inputs = given(Named("rate", a, unit=f"{a.unit}/h"), Named("hours", n, unit="h"))
            yield reading(
                window,
                "hours a day",
                inputs,
                [f"rate * hours / (1 day) * {span}" for span in days],
                b,
                unit=a.unit,
                confidence="0.9",
            )


def _totals(window: Window) -> Iterator[Reading]:
    """A quantity at a unit price, and the total."""
    for match in window.matches(
        rf"{{q:UC}}~30(?:\bat|×|@|times)\W~12{{a:MU}}~40(?:\b{_COSTS}|, (?:about|roughly|or))\W~20{{b:MU}}"
    ):
        yield from _total(window, *(window.figure(match, key) for key in "qab"), each=bool(_EACH.search(match[0])))
    yield from _each(window)
    for match in window.matches(
        r"{n:C} (?:[\w-]+ ){0,2}(?P<noun>[a-z]{3,})s\b~60{a:M}~3(?:per|each|a) (?P=noun)\b~12\({b:M} (?:in )?total"
    ):
        n, a, b = (window.figure(match, key) for key in "nab")
        inputs = given(Named("each", a, unit=a.unit), Named("number", n))
        yield reading(window, "total", inputs, "each * number", b, unit=a.unit, confidence="0.85")


_CHEAPER = re.compile(r"\b(?:cache\w*|discount\w*|rebate|free|batch)\b", re.I)
"""Words for what makes some of the things cheaper."""
_EACH = re.compile(r"\beach\b|\bapiece\b", re.I)
_POWERS = frozenset({"W", "kW", "MW", "GW"})


def _total(window: Window, q: Figure, a: Figure, b: Figure, *, each: bool) -> Iterator[Reading]:
    if q.ranged or a.ranged or a.sort != b.sort:
        return
    if (
        a.sort == "money"
        and a.unit == b.unit
        and q.sort == "unit"
        and a.per
        and known(f"{a.unit}/{a.per}")
        and known(q.unit)
    ):
        inputs = given(Named("quantity", q, unit=q.unit), Named("rate", a, unit=f"{a.unit}/{a.per}"))
        timed = f"/{b.per}" if b.per in {"h", "day", "year"} and a.per.endswith(f"/{b.per}") else ""
        cautious = _CHEAPER.search(window.passage.mask[window.start : window.end]) is not None
        unit = f"{a.unit}{timed}"
        yield reading(window, "total", inputs, "quantity * rate", b, unit=unit, confidence="0.9", cautious=cautious)
    elif (a.sort == "money" and each and a.unit == b.unit) or {a.unit, b.unit} <= _POWERS:
        inputs = given(Named("quantity", q, plain=True, unit=""), Named("each", a, unit=a.unit))
        yield reading(window, "total", inputs, "quantity * each", b, unit=b.unit, confidence="0.8")


def _each(window: Window) -> Iterator[Reading]:
    """A unit price for a quantity stated in earlier sentences, and the total."""
    for match in window.matches(r"{a:M}~3(?:per|each) (?P<noun>[a-z]{3,})~6\({b:M} (?:in )?total"):
        a, b = window.figure(match, "a"), window.figure(match, "b")
        counts = _counts(window, match["noun"])
        if len(counts) == 1:
            number = counts.pop()
            inputs = given(Named("each", a, unit=a.unit))
            note = f"{number} {match['noun']}s, earlier in the paragraph"
            yield reading(window, "total", inputs, f"each * {number}", b, unit=a.unit, confidence="0.7", note=note)


def _counts(window: Window, noun: str) -> set[str]:
    """The numbers of some things in the paragraph of a sentence, before it."""
    mask = window.passage.mask
    every, begin = _counts_of(mask, noun), paragraph(mask, window.start)[0]
    near = every[bisect_left(every, begin, key=itemgetter(0)) :]
    return {number for _, end, number in takewhile(lambda one: one[1] <= window.start, near)}


@lru_cache(maxsize=16)
def _counts_of(mask: str, noun: str) -> tuple[tuple[int, int, str], ...]:
    """The numbers of some things in a text, read once for all of its sentences, with their first and last offsets."""
    pattern = rf"(?<![\d.,$])(\d{{1,9}}) (?:[\w-]+ ){{0,2}}{re.escape(noun)}s\b"
    return tuple((match.start(), match.end(), match[1]) for match in re.finditer(pattern, mask))


def _spread_out(window: Window) -> Iterator[Reading]:
    """A sum over some years, and the share of one year."""
    words = "|".join(NUMBERS)
    for match in window.matches(rf"{{a:M}}~20\bover (?:{{n:U}}|(?P<word>{words}) years)~12{{b:M}}"):
        a, b = window.figure(match, "a"), window.figure(match, "b")
        years = match["word"]
        if b.per != "year" or a.unit != b.unit or a.per or (match["n"] and window.figure(match, "n").unit != "year"):
            continue
        number = NUMBERS[years.lower()] if years else window.figure(match, "n").low
        inputs = given(Named("cost", a, unit=a.unit))
        yield reading(window, "spread", inputs, f"cost / {number:f}", b, unit=a.unit, confidence="0.9")
