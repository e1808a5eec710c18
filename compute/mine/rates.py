"""Rates, totals and time: what comes of a price per hour over a month, of gigabytes at a price, of watts at a rate.

$12.33 per hour, over a full month $9,000.90        rate * 1 month_730h
10 TB at $0.09/GB adds $900                         quantity * rate
700 W at $0.06/kWh, $1.1K a year                    power * 1 year * rate
$900k over three years, $300k per year              cost / years
99.9% uptime, 8 hours 45 minutes a year             (1 - share) * 1 year
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from compute.mine.readings import Named, Span, given, known, reading
from compute.mine.values import Figure, MinedInput, Reading
from compute.mine.window import Window
from compute.mine.words import NUMBERS, PERIODS

_SPOKEN = {"h": "hour"}
_ORDER = ("h", "day", "week", "month", "year")
_IS = r"(?:=|≈|→|i\.e\.|that is|which is|or|is|comes to|works out to|amounts to|adds up to|totals?|equals?)"
_COSTS = (
    r"(?:=|≈|costs?|costing|adds?|adding|comes to|amounts to|totals?|totalling|equals?|runs? to"
    r"|works out (?:to|at)|is|or)"
)
_OVER = re.compile(r"over (?:a|one) (?:full |whole )?(day|week|month|year)", re.I)


def rates(window: Window) -> Iterator[Reading]:
    """Readings of rates and totals in a sentence."""
    yield from _periods(window)
    yield from _idle(window)
    yield from _totals(window)
    yield from _energy(window)
    yield from _spread_out(window)
    yield from _uptime(window)
    yield from _nines(window)
    yield from _times(window)
    yield from _gpu_hours(window)


def _periods(window: Window) -> Iterator[Reading]:
    """A price for one period and what it makes in a longer one."""
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
            if _longer(a, b, last):
                loose = bool(re.search(r"\bor\b|\(|\bif\b", match[0])) and a.per == "month"
                yield _multiplied(window, a, b, last, loose=loose)


def _longer(a: Figure, b: Figure, last: str) -> bool:
    first = a.per.rpartition("/")[2]
    return (
        first in _ORDER and last in _ORDER and _ORDER.index(first) < _ORDER.index(last)
        and a.unit == b.unit and not a.ranged and not b.ranged and a.label == b.label
    )  # fmt: skip


def _counted(window: Window) -> bool:
    """Whether the sentence counts things or hours, by which a rate might have to be multiplied."""
    return any(figure.sort in {"unit", "count", "%", "x"} for figure in window.figures)


def _multiplied(window: Window, a: Figure, b: Figure, last: str, *, loose: bool) -> Reading:
    """The reading; a loose one may be of two plans, of which the longer has a discount."""
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
    """So much an hour, so many hours a day, and what that is in a month or a year."""
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
    """A quantity at a price for each, and what they make."""
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
        yield reading(window, "total", inputs, "quantity * rate", b, unit=f"{a.unit}{timed}", confidence="0.9")
    elif (a.sort == "money" and each and a.unit == b.unit) or {a.unit, b.unit} <= _POWERS:
        inputs = given(Named("quantity", q, plain=True, unit=""), Named("each", a, unit=a.unit))
        yield reading(window, "total", inputs, "quantity * each", b, unit=b.unit, confidence="0.8")


def _each(window: Window) -> Iterator[Reading]:
    """A price for each of what the sentences before have counted, and the total."""
    before = window.passage.mask[window.passage.mask.rfind("\n\n", 0, window.start) + 1 : window.start]
    for match in window.matches(r"{a:M}~3(?:per|each) (?P<noun>[a-z]{3,})~6\({b:M} (?:in )?total"):
        a, b = window.figure(match, "a"), window.figure(match, "b")
        counts = re.findall(rf"(?<![\d.,$])(\d{{1,9}}) (?:[\w-]+ ){{0,2}}{re.escape(match['noun'])}s\b", before)
        if len(set(counts)) == 1:
            inputs = given(Named("each", a, unit=a.unit))
            note = f"{counts[0]} {match['noun']}s, earlier in the paragraph"
            yield reading(window, "total", inputs, f"each * {counts[0]}", b, unit=a.unit, confidence="0.7", note=note)


def _energy(window: Window) -> Iterator[Reading]:
    yield from energy(window, window.figures, window.tagged)


def energy(span: Span, found: tuple[Figure, ...], tagged: str = "") -> Iterator[Reading]:
    """Power over a year at a rate; without a rate, what the rate would have to be. `span` is where it is stated."""
    powers = [figure for figure in found if figure.unit in {"W", "kW", "MW", "GW"} and not figure.ranged]
    tariffs = [figure for figure in found if figure.per == "kWh" and not figure.ranged]
    yearly = [figure for figure in found if figure.sort == "money" and figure.per == "year"]
    hours = [figure for figure in found if figure.sort == "unit" and figure.unit in {"h", "day"}]
    if len(yearly) != 1 or hours or yearly[0].ranged:
        return
    if len(powers) == 1 and len(tariffs) == 1:
        others = [figure for figure in found if figure.sort in {"count", "%"}]
        yield _powered(
            span, (powers[0], tariffs[0], yearly[0]), others, re.search(r"PUE[^⟨⟩]{0,14}⟨C(\d+)⟩", tagged), found
        )
    elif not tariffs and tagged and isinstance(span, Window):
        yield from _tariff(span, powers, yearly[0])


def _powered(
    span: Span,
    parts: tuple[Figure, Figure, Figure],
    others: list[Figure],
    pue: re.Match[str] | None,
    found: tuple[Figure, ...],
) -> Reading:
    power, tariff, yearly = parts
    named, factor = [Named("power", power), Named("rate", tariff)], ""
    if pue is not None:
        named.append(Named("pue_stated", found[int(pue[1])]))
        factor = " * pue_stated"
        others = [figure for figure in others if figure is not found[int(pue[1])]]
    simple = f"power * 1 year * rate{factor}"
    ways = [simple] if factor else [simple, f"{simple} * 1.3", f"{simple} * 1.5"]
    note = "all year round" + ("" if factor else ", with an overhead for cooling (PUE) of at most 1.5")
    confidence = "0.85" if not others else "0.6"
    return reading(
        span,
        "energy",
        given(*named),
        ways,
        yearly,
        unit=yearly.unit,
        confidence=confidence,
        note=note,
        cautious=bool(others),
    )


def _tariff(window: Window, powers: list[Figure], yearly: Figure) -> Iterator[Reading]:
    """Power, or a change of PUE on a load, said to be worth so much a year: the rate of electricity is missing."""
    said = re.search(r"sav|worth|cost", window.tagged, re.I)
    if not said or not powers:
        return
    change = next(window.matches(r"PUE~40\(?{a:C}~12(?:→|->|to)~6{b:C}"), None)
    if change is not None and len(powers) == 1:
        a, b = window.figure(change, "a"), window.figure(change, "b")
        inputs = given(Named("load", powers[0]), Named("before", a), Named("after", b))
        power = "load * (before - after)"
    else:
        close = next(window.matches(r"{p:U}~30(?:worth|costs?|saves?|saving)~16{m:M}"), None)
        if close is None or window.figure(close, "p") not in powers or window.figure(close, "m") != yearly:
            return
        inputs, power = given(Named("load", window.figure(close, "p"))), "load"
    yield _priced_power(window, inputs, power, yearly)


def _priced_power(window: Window, inputs: tuple[MinedInput, ...], power: str, yearly: Figure) -> Reading:
    cost = given(Named("cost", yearly, unit=yearly.unit))
    return reading(
        window, "tariff", (*inputs, *cost), f"cost / ({power} * 1 year)", yearly, unit=yearly.unit, confidence="0.7",
        missing="the price of electricity is not stated",
    )  # fmt: skip


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


def _uptime(window: Window) -> Iterator[Reading]:
    """An availability and the downtime that it allows."""
    around = window.passage.mask[max(0, window.start - 300) : window.end]
    if not re.search(r"uptime|downtime|availab|\bSLA|nines", around, re.I):
        return
    for match in window.matches(r"{p:P}~50{d:U}(?: (?:and )?{e:U})?~40\b(?P<span>year|annual|month|week|day)"):
        p, d = window.figure(match, "p"), window.figure(match, "d")
        if p.ranged or p.low < 90 or d.unit not in {"h", "minute", "second", "day"} or p.low == 100:
            continue
        spans = PERIODS[{"annual": "year"}.get(match["span"].lower(), match["span"].lower())]
        down = given(Named("share", p))
        down = (down[0].model_copy(update={"half": 0}),)
        if match["e"] and window.figure(match, "e").unit in {"minute", "second"}:
            d = _compound(d, window.figure(match, "e"))
        yield reading(
            window, "uptime", down, [f"(1 - share) * {span}" for span in spans], d, unit=d.unit, confidence="0.9"
        )


def _nines(window: Window) -> Iterator[Reading]:
    """How many times less downtime one availability allows than another."""
    for match in window.matches(r"{r:X}~40\b(?:reliab|downtime|availab)~30between {a:P} and {b:P}"):
        a, b, r = (window.figure(match, key) for key in "abr")
        if max(a.low, b.low) < 100 and not (a.ranged or b.ranged or r.ranged) and a.low != b.low:
            low, high = sorted((a, b), key=lambda figure: figure.low)
            shares = (
                one.model_copy(update={"half": Decimal(0)}) for one in given(Named("low", low), Named("high", high))
            )
            yield reading(window, "nines", tuple(shares), "(1 - low) / (1 - high)", r, confidence="0.8")


def _times(window: Window) -> Iterator[Reading]:
    """One time told in two units: `8,760 hours, or a year of 365 days`."""
    for match in window.matches(r"{a:U}~30[—–(=] ?(?:or |about |roughly |approximately |i\.e\. ?|~ ?|= ?){0,2}{b:U}"):
        a, b = window.figure(match, "a"), window.figure(match, "b")
        if {a.unit, b.unit} <= set(_LASTING) and a.unit != b.unit and not (a.per or b.per or a.ranged or b.ranged):
            first, then = (_LASTING[one.unit] for one in (a, b))
            ways = [f"time * {one} / ({two})" for one in first for two in then]
            inputs = given(Named("time", a, unit=""))
            yield reading(window, "time", inputs, ways, b, unit="x", confidence="0.85", cautious=not b.hedge)


def _gpu_hours(window: Window) -> Iterator[Reading]:
    """`2,048 GPUs for 21 days, about 1 million GPU-hours`."""
    for match in window.matches(r"{q:U}~30\bfor ~12{d:U}~30{b:UC}[ -](?:GPU[ -])?hours\b"):
        q, d, b = (window.figure(match, key) for key in "qdb")
        lasting = {"h": "h", "day": "day", "week": "week", "year": "year"}.get(d.unit)
        if q.unit == "GPU" and lasting and b.unit in {"GPU", ""} and not (q.ranged or d.ranged or b.ranged):
            inputs = given(Named("gpus", replace(q, half=Decimal(0)), unit="GPU"), Named("time", d, unit=lasting))
            yield reading(window, "GPU-hours", inputs, "gpus * time", b, unit="GPUh", confidence="0.85")


_LASTING = {**PERIODS, "minute": ("1 minute",), "second": ("1 second",)}


def _compound(d: Figure, e: Figure) -> Figure:
    """`8 hours 45 minutes` as one figure in the smaller unit."""
    times = {("h", "minute"): 60, ("minute", "second"): 60, ("day", "h"): 24}.get((d.unit, e.unit), 3600)
    low = d.low * times + e.low
    return Figure(d.start, e.end, f"{d.text} {e.text}", low, low, e.half, "unit", e.unit, "", "", d.hedge)
