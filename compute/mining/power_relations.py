"""Power over a year: what it costs at a rate, and the rate that a cost implies.

700 W at $0.06/kWh, $1.1K a year              power * 1 year * rate
a PUE of 1.5 → 1.35 on 1 MW saves $667K       cost / (load * (before - after) * 1 year), in USD/kWh
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from compute.mining.mining_models import Figure, MinedInput, Reading
from compute.mining.readings import Named, Span, given, reading
from compute.mining.text_windows import Window


def power(window: Window) -> Iterator[Reading]:
    """Readings of power in a sentence."""
    yield from energy(window, window.figures, window.tagged)
    yield from _drawn(window)


_DRAWN = re.compile(
    r"⟨[CU](?P<n>\d+)⟩[- ]?(?:GPU )?(?P<chip>[A-Z]{1,2}\d{2,3}[A-Z]?)s?\b(?: GPUs?)?[^⟨;.]{0,40}"
    r"(?:\b(?:PUE|at)[^⟨;.]{0,12}⟨C(?P<pue>\d+)⟩)?"
    r"[^⟨;.]{0,20}\b(?:draws?|uses?|needs?|consumes?|takes?|requires?)\b[^⟨;.]{0,16}⟨U(?P<power>\d+)⟩"
)
_LEAST, _MOST = "4 / 7", "10 / 7"
"""How far the power of servers is below and above the one that is assumed."""


def _drawn(window: Window) -> Iterator[Reading]:
    """What accelerators draw with their servers. As the power is assumed, what is far off is only doubted."""
    for match in _DRAWN.finditer(window.tagged):
        n, power = window.figure(match, "n"), window.figure(match, "power")
        pue = window.figure(match, "pue") if match["pue"] else None
        if (
            power.unit not in {"W", "kW", "MW", "GW"}
            or power.per
            or n.ranged
            or power.ranged
            or n.unit not in {"", "GPU"}
        ):
            continue
        if pue is not None and not 1 < pue.low < 4:
            continue
        chip = match["chip"].lower()
        inputs = given(Named("number", n, unit="GPU"), *([Named("pue_stated", pue)] if pue else []))
        drawn = f'number * assume("{chip}_it_power"){" * pue_stated" if pue else ""}'
        ways = [drawn, f"{drawn} * {_LEAST}", f"{drawn} * {_MOST}"]
        note = f"with what the servers of {match['chip']}s are assumed to draw"
        found = reading(window, "drawn", inputs, ways, power, confidence="0.45", note=note)
        yield replace(found, slack=Decimal("0.4"))


def energy(span: Span, found: tuple[Figure, ...], tagged: str = "") -> Iterator[Reading]:
    """Power over a year at a rate; without a rate, the rate that the cost implies. `span` is where it is stated."""
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
    load, tariff, yearly = parts
    named, factor = [Named("power", load), Named("rate", tariff)], ""
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
    """Power, or a change of PUE on a load, with a yearly value but no price of electricity."""
    said = re.search(r"sav|worth|cost", window.tagged, re.I)
    if not said or not powers:
        return
    change = next(window.matches(r"PUE~40\(?{a:C}~12(?:→|->|to)~6{b:C}"), None)
    if change is not None and len(powers) == 1:
        a, b = window.figure(change, "a"), window.figure(change, "b")
        inputs = given(Named("load", powers[0]), Named("before", a), Named("after", b))
        drawn = "load * (before - after)"
    else:
        close = next(window.matches(r"{p:U}~30(?:worth|costs?|saves?|saving)~16{m:M}"), None)
        if close is None or window.figure(close, "p") not in powers or window.figure(close, "m") != yearly:
            return
        inputs, drawn = given(Named("load", window.figure(close, "p"))), "load"
    yield _priced_power(window, inputs, drawn, yearly)


def _priced_power(window: Window, inputs: tuple[MinedInput, ...], drawn: str, yearly: Figure) -> Reading:
    cost = given(Named("cost", yearly, unit=yearly.unit))
    return reading(
        window, "tariff", (*inputs, *cost), f"cost / ({drawn} * 1 year)", yearly, unit=yearly.unit, confidence="0.7",
        missing="the price of electricity is not stated",
    )  # fmt: skip
