"""Times: the downtime allowed by an availability, one time in two units, and GPU-hours.

99.9% uptime, 8 hours 45 minutes a year           (1 - share) * 1 year
8,760 hours — 12 months                           the time in another unit
2,048 GPUs for 21 days, 1 million GPU-hours       gpus * time
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from compute.mining.mining_models import Figure, Reading
from compute.mining.number_words import PERIODS
from compute.mining.readings import Named, given, reading
from compute.mining.text_windows import Window

_LASTING = {**PERIODS, "minute": ("1 minute",), "second": ("1 second",)}


def times(window: Window) -> Iterator[Reading]:
    """Readings of times in a sentence."""
    yield from _uptime(window)
    yield from _nines(window)
    yield from _same_time(window)
    yield from _gpu_hours(window)


def _uptime(window: Window) -> Iterator[Reading]:
    """An availability and its allowed downtime."""
    around = window.passage.mask[max(0, window.start - 300) : window.end]
    if not re.search(r"uptime|downtime|availab|\bSLA|nines", around, re.I):
        return
    for match in window.matches(r"{p:P}~50{d:U}(?: (?:and )?{e:U})?~40\b(?P<span>year|annual|month|week|day)"):
        p, d = window.figure(match, "p"), window.figure(match, "d")
        if p.ranged or p.low < 90 or d.unit not in {"h", "minute", "second", "day"} or p.low == 100:
            continue
        spans = PERIODS[{"annual": "year"}.get(match["span"].lower(), match["span"].lower())]
        down = given(Named("share", p))
        down = (down[0].model_copy(update={"half": Decimal(0)}),)
        if match["e"] and window.figure(match, "e").unit in {"minute", "second"}:
            d = _compound(d, window.figure(match, "e"))
        yield reading(
            window, "uptime", down, [f"(1 - share) * {span}" for span in spans], d, unit=d.unit, confidence="0.9"
        )


def _nines(window: Window) -> Iterator[Reading]:
    """The factor between the downtimes of two availabilities."""
    for match in window.matches(r"{r:X}~40\b(?:reliab|downtime|availab)~30between {a:P} and {b:P}"):
        a, b, r = (window.figure(match, key) for key in "abr")
        if max(a.low, b.low) < 100 and not (a.ranged or b.ranged or r.ranged) and a.low != b.low:
            low, high = sorted((a, b), key=lambda figure: figure.low)
            shares = (
                one.model_copy(update={"half": Decimal(0)}) for one in given(Named("low", low), Named("high", high))
            )
            yield reading(window, "nines", tuple(shares), "(1 - low) / (1 - high)", r, confidence="0.8")


def _same_time(window: Window) -> Iterator[Reading]:
    """One time stated in two units: `8,760 hours, or a year of 365 days`."""
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


def _compound(d: Figure, e: Figure) -> Figure:
    """`8 hours 45 minutes` as one figure in the smaller unit."""
    times = {("h", "minute"): 60, ("minute", "second"): 60, ("day", "h"): 24}.get((d.unit, e.unit), 3600)
    low = d.low * times + e.low
    return Figure(d.start, e.end, f"{d.text} {e.text}", low, low, e.half, "unit", e.unit, "", "", d.hedge)
