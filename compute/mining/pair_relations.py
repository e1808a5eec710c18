"""Figures that follow from pairs of others: proportions, what a saving is enough for, ratios between labelled figures.

at 20 °C it runs 4 h, at … ; 12 people eat 3 kg, 20 eat 5 kg          amount * number_b / number_a
60 beds use 300 kW, and the 50 kW saved is enough for 10 more beds    number * saved / total
40 kg dry, 55 kg wet … 36 kg dry … 11% heavier when dry              large / small - 1
12 of 400 pumps failed in 90 days, an annualised rate of 12%          part / whole * year / period
an elasticity of 0.4, so that a 10% rise costs 4% of the demand       elasticity * share
90 million tonnes for 200 TWh, which is 450 g/kWh                     mass / energy

Except for the second and the fourth, the readings are reported only if they hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import combinations

from compute.mining.mining_models import Figure, Reading
from compute.mining.number_formats import fits, parameters, ratios
from compute.mining.readings import Named, given, known, reading
from compute.mining.text_windows import Window

_RECENT = 8
"""How many figures before a sentence are searched for pairs."""


def paired(window: Window) -> Iterator[Reading]:
    """Readings of figures that follow from pairs of others."""
    yield from _proportions(window)
    yield from _additional(window)
    yield from _labelled(window)
    yield from _sizes(window)
    yield from _annualised(window)
    yield from _elastic(window)
    yield from _intensity(window)


# ---- proportions


def _proportions(window: Window) -> Iterator[Reading]:
    """Two amounts in the proportion of two numbers: `4 people eat 3 kg, 12 people eat 9 kg`."""
    found = [one for one in (*window.before[-_RECENT:], *window.figures) if not one.ranged and one.low > 0]
    if len(found) < 3:
        return
    found = sorted((*found, *_round(window)), key=lambda one: one.start)
    for place, stated in enumerate(found):
        if stated.start < window.start or stated.sort not in {"unit", "money"}:
            continue
        for way in _ways(window, found, place):
            amount, one, two = way
            if fits(amount.low * two.low / one.low, stated) and one.low != two.low:
                unit = stated.full_unit if known(stated.full_unit) else stated.unit
                inputs = given(
                    Named("amount", amount, unit=unit), Named("number_a", one, unit=""), Named("number_b", two, unit="")
                )
                yield reading(window, "proportion", inputs, "amount * number_b / number_a", stated, unit=unit,
                              confidence="0.7", cautious=True)  # fmt: skip
                break


_ROUND = re.compile(r"\b(?:an?|one) (?P<scale>hundred|thousand|million|billion)(?= [a-z]{3,})", re.I)
_SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9}


def _round(window: Window) -> Iterator[Figure]:
    """Numbers without digits: a million documents."""
    for match in _ROUND.finditer(window.passage.mask, window.start, window.end):
        value = Decimal(10) ** _SCALES[match["scale"].lower()]
        if not any(one.start < match.end() and match.start() < one.end for one in window.figures):
            yield Figure(match.start(), match.end(), match[0], value, value, Decimal(0), "count")


def _ways(window: Window, found: Sequence[Figure], place: int) -> Iterator[tuple[Figure, Figure, Figure]]:
    """An amount like a stated one, the number that it is for, and the number that the stated one is for."""
    stated = found[place]
    second = next((one for one in found[:place][::-1] if _numeral(one) or one.sort != stated.sort), None)
    if second is None or second.sort not in {"count", "unit"} or stated.start - second.end > 60:
        return
    for other in range(place - 1, -1, -1):
        amount = found[other]
        if amount.end <= second.start and (amount.sort, amount.full_unit) == (stated.sort, stated.full_unit):
            for first in found[:other][::-1][:4]:
                if (first.sort, first.full_unit) == (second.sort, second.full_unit) and _same_word(
                    window, first, second
                ):
                    yield amount, first, second


def _numeral(one: Figure) -> bool:
    return one.sort == "count"


def _same_word(window: Window, one: Figure, two: Figure) -> bool:
    """Whether the same noun follows two figures, or the same words lead to both."""
    mask = window.passage.mask
    after = [re.match(r"[ -]([A-Za-z]{3,})", mask[figure.end : figure.end + 24]) for figure in (one, two)]
    if after[0] and after[1] and after[0][1].lower().rstrip("s") == after[1][1].lower().rstrip("s"):
        return True
    before = [re.search(r"([A-Za-z]+) $", mask[max(0, figure.start - 24) : figure.start]) for figure in (one, two)]
    return bool(
        before[0] and before[1] and before[0][1].lower() == before[1][1].lower() in _LEADING | {before[0][1].lower()}
    )


_LEADING = frozenset({"at", "for", "with"})

_MORE = re.compile(
    r"\b(?:capacity|room|enough|space|power|energy|water|money|time|sufficient)\b[^⟨;.]{0,24}"
    r"\bfor ~?⟨[UC](?P<more>\d+)⟩"
)
_SAVED = re.compile(
    r"(?:\bsav\w+|\bfree[sd]?|\bfreeing|\bspar\w+|\bleav\w+|\bleft)\b[^⟨;.]{0,20}⟨U(?P<a>\d+)⟩"
    r"|⟨U(?P<b>\d+)⟩ ?(?:saved|freed|spared|left)\b"
)
_ADDED = re.compile(r"\b(?:additional|more|extra|further|other)\b", re.I)


def _additional(window: Window) -> Iterator[Reading]:
    """How many more things a saving is enough for, from what some of them use."""
    for match in _MORE.finditer(window.tagged):
        stated = window.figures[int(match["more"])]
        around = window.passage.mask[stated.start : stated.end + 24]
        saving = next(_SAVED.finditer(window.tagged), None)
        if saving is None or not _ADDED.search(around) or stated.ranged:
            continue
        saved = window.figures[int(saving["a"] or saving["b"])]
        noun = _noun(around, stated)
        numbers = [one for one in window.figures if one.end <= saved.start and one.sort in {"count", "unit"}]
        numbers = [one for one in numbers if noun and _noun(window.passage.mask[one.start : one.end + 24], one) == noun]
        totals = [one for one in window.figures if one.full_unit == saved.full_unit and one.start < saved.start][::-1]
        if len(numbers) == 1 and 0 < len(totals) < 3 and not saved.ranged:
            yield _enough(window, stated, numbers[0], saved, totals)


def _noun(text: str, one: Figure) -> str:
    """What a figure counts, in the singular: of `580 additional GPUs` gpu."""
    words = [word.lower().rstrip("s") for word in re.findall(r"[A-Za-z]{2,}", text)]
    words = [word for word in words if not _ADDED.fullmatch(word)]
    return one.unit.lower() if one.unit else words[0] if words else ""


def _enough(window: Window, stated: Figure, number: Figure, saved: Figure, totals: list[Figure]) -> Reading:
    names = [f"total_{place}" for place in range(1, len(totals) + 1)]
    one = f" * 1 {stated.unit}" if stated.unit else ""
    named = [Named(name, total) for name, total in zip(names, totals, strict=True)]
    inputs = given(Named("number", number, unit=""), Named("saved", saved), *named)
    ways = [f"number * saved / {name}{one}" for name in names]
    return reading(window, "enough for", inputs, ways, stated, confidence="0.6")


# ---- ratios with a label


_UP = r"faster|more|higher|larger|bigger|greater|better|longer|heavier|quicker|stronger|taller|wider"
_DOWN = r"slower|less|lower|smaller|fewer|cheaper|lighter|shorter|weaker"
_RATIO_AT = re.compile(
    rf"⟨[PX](?P<r>\d+)⟩ (?P<way>{_UP}|{_DOWN})\b[^⟨;,.]{{0,16}}?\b(?:at|in|on|for|by|when) (?:the |its )?"
    r"(?P<label>[A-Za-z][\w/ -]{1,28}?)(?=[,.;:)—⟨]| and | than |$)",
    re.I,
)
_MEASURES = {"bandwidth": {"MB/s", "GB/s", "TB/s"}, "power": {"W", "kW", "MW"}, "memory": {"MB", "GB", "TB"},
             "weight": {"g", "kg"}, "length": {"m", "km", "cm"}, "volume": {"l", "litre"}}  # fmt: skip


def _labelled(window: Window) -> Iterator[Reading]:
    """How much more one figure with a label is than another with it: `240% faster at FP32`."""
    for match in _RATIO_AT.finditer(window.tagged):
        stated, label = window.figures[int(match["r"])], match["label"].strip().lower()
        before = [
            one
            for one in (*window.earlier, *window.figures)
            if one.end <= stated.start and one.sort in {"unit", "count", "money"}
        ]
        alike = [one for one in before if not one.ranged and one.low > 0 and _with_label(window, one, label)][-4:]
        down = bool(re.fullmatch(_DOWN, match["way"], re.I))
        for one, two in [*combinations(alike[::-1], 2)] if not stated.ranged else ():
            large, small = sorted((one, two), key=lambda figure: -figure.low)
            share = stated.sort == "%"
            value = large.low / small.low
            value = ((1 - 1 / value) if down else (value - 1)) * 100 if share else value
            if one.full_unit == two.full_unit and one.low != two.low and fits(value, stated):
                way = "large / small" if not share else "1 - small / large" if down else "large / small - 1"
                inputs = given(Named("large", large, unit=""), Named("small", small, unit=""))
                yield reading(window, "labelled", inputs, way, stated, confidence="0.75", cautious=True)
                break


def _with_label(window: Window, one: Figure, label: str) -> bool:
    """Whether the words after a figure are a label, or its unit measures what the label names."""
    after = re.split(r"[,;.()—⟨]", window.passage.mask[one.end : one.end + 40])[0].lower()
    units: set[str] = next((units for word, units in _MEASURES.items() if word in label), set())
    return one.full_unit in units or re.search(rf"(?<!\w){re.escape(label)}(?!\w)", after) is not None


_SIZE_RATIO = re.compile(
    r"^ ?(?:(?:lower|smaller|less|fewer|cheaper|larger|bigger|more|higher)\b"
    r"|(?:of )?the (?:[\w-]+ )?(?:compute|size|cost|memory|parameters|footprint|price))",
    re.I,
)


def _sizes(window: Window) -> Iterator[Reading]:
    """The ratio of the sizes of two models: a 70B and a 280B one, 4 times less memory."""
    found = [one for one in (*window.before[-_RECENT:], *window.figures) if parameters(one)]
    if len({one.low for one in found}) < 2:
        return
    for stated in ratios(window):
        if stated.sort != "x" or not _SIZE_RATIO.match(window.passage.mask[stated.end : stated.end + 32]):
            continue
        near = [one for one in found if one.end <= stated.start][-3:]
        for one, two in combinations(near[::-1], 2):
            large, small = sorted((one, two), key=lambda figure: -figure.low)
            value = large.low / small.low
            if large.low > small.low and fits(value if stated.low >= 1 else 1 / value, stated):
                inputs = given(Named("large", large, unit=""), Named("small", small, unit=""))
                way = "large / small" if stated.low >= 1 else "small / large"
                yield reading(window, "sizes", inputs, way, stated, unit="x", confidence="0.7", cautious=True)
                break


# ---- rates


_ANNUAL = re.compile(r"\bannuali[sz]ed\b|\b(?:annual|yearly) (?:[a-z]+ ){0,2}rate\b", re.I)
_OUT_OF = re.compile(r"\b(?:out of|of|across|among|in) (?:the |its |all |some )?⟨[CU](?P<whole>\d+)⟩", re.I)
_PERIODS = frozenset({"day", "week", "month", "quarter"})


def _annualised(window: Window) -> Iterator[Reading]:
    """A share of some things in a period, for a year: 12 of 400 pumps in 90 days."""
    if not _ANNUAL.search(window.prose):
        return
    periods = [one for one in window.of("unit") if one.unit in _PERIODS and not one.per and not one.ranged]
    for stated in (one for one in window.of("%") if not one.ranged and _ANNUAL.search(_before(window, one, 60))):
        numbers = [
            one
            for one in window.figures
            if one.end < stated.start and one not in periods and one.sort in {"count", "unit"}
        ]
        wholes = [window.figures[int(match["whole"])] for match in _OUT_OF.finditer(window.tagged)]
        wholes = [one for one in wholes if one in numbers]
        first = wholes[0] if wholes else None
        part = next((one for one in numbers[::-1] if first is not None and one.end <= first.start), None)
        if part is None or len(periods) != 1 or first is None:
            continue
        wholes = sorted((one for one in wholes if one.low > part.low), key=lambda one: -one.low)[:3]
        names = [f"whole_{place}" for place in range(1, len(wholes) + 1)]
        named = [Named(name, one, unit="") for name, one in zip(names, wholes, strict=True)]
        inputs = given(
            Named("part", replace(part, hedge=""), unit=""), Named("period", replace(periods[0], hedge="")), *named
        )
        ways = [f"part / {name} * (1 year / period)" for name in names]
        if ways:
            yield reading(window, "annualised", inputs, ways, stated, confidence="0.6", note="for a year")


def _before(window: Window, one: Figure, size: int) -> str:
    return window.passage.mask[max(window.start, one.start - size) : one.start]


_ELASTICITY = re.compile(r"(?:elasticit\w+|\bβ|\bbeta)\b[^⟨;.]{0,24}⟨C(?P<e>\d+)⟩", re.I)


def _elastic(window: Window) -> Iterator[Reading]:
    """The effect of a change at an elasticity."""
    for match in _ELASTICITY.finditer(window.tagged):
        elasticity = window.figures[int(match["e"])]
        shares = [one for one in window.of("%") if not one.ranged and one.start > elasticity.end]
        if len(shares) == 2 and elasticity.low < 10:
            inputs = given(Named("elasticity", elasticity), Named("share", shares[0]))
            yield reading(
                window, "elasticity", inputs, "elasticity * share", shares[1], confidence="0.75", cautious=True
            )


_INTENSITY = re.compile(r"^\s?(?P<mass>k?g)(?:\s?CO[₂2]e?q?)?\s?(?:/|per )\s?(?P<energy>[kM]Wh)\b")
_TONNES = re.compile(r"^ (?:million |billion )?(?:metric )?(?:tons?|tonnes?)\b", re.I)
_ENERGY = {"kWh": 1, "MWh": 10**3, "GWh": 10**6, "TWh": 10**9}


def _intensity(window: Window) -> Iterator[Reading]:
    """Tonnes emitted for some energy, as grams or kilograms for a kilowatt-hour."""
    mask = window.passage.mask
    energies = [one for one in window.of("unit") if one.unit in _ENERGY and not one.per and not one.ranged]
    masses = [one for one in window.of("count") if _TONNES.match(mask[one.end : one.end + 24])]
    masses += [one for one in window.of("unit") if one.unit in {"t", "tonne"}]
    for stated in window.figures if energies and masses else ():
        unit = _INTENSITY.match(mask[stated.end : stated.end + 20])
        for mass in masses if unit and not stated.ranged else ():
            grams = Decimal(10) ** (6 if unit and unit["mass"] == "g" else 3)
            for energy in energies:
                each = Decimal(_ENERGY[energy.unit]) / _ENERGY[unit["energy"] if unit else "kWh"]
                if fits(mass.low * grams / (energy.low * each), stated):
                    inputs = given(Named("mass", mass, unit=""), Named("energy", energy, plain=True, unit=""))
                    yield reading(window, "intensity", inputs, f"mass * {grams} / (energy * {each:f})", stated, unit="",
                                  confidence="0.8", cautious=True)  # fmt: skip
