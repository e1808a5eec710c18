"""What a number counts and what it is per, by the words after it; units of measure in terms of common ones.

24 seats                         seat
$15 per seat per month           per seat, per month
7 tonnes to the acre             g, per acre
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import takewhile

from compute.mining.figure_reader import unit_of
from compute.mining.number_words import COINS, word_set

TIMES = ("ms", "second", "minute", "h", "day", "week", "month", "quarter", "year")
"""The units of time, shortest first."""
PER_PERIOD = re.compile(r"\b(?:an?|per|each|every) (?:hour|day|week|month|quarter|year)\b", re.I)
"""The words that make an amount one of each period."""
SCALED: dict[str, tuple[str, Decimal]] = {
    **{f"{prefix}{unit}": (unit, Decimal(10) ** power) for unit in ("W", "Wh")
       for prefix, power in (("", 0), ("k", 3), ("M", 6), ("G", 9), ("T", 12))},
    **{f"{prefix}B": ("byte", Decimal(10) ** power) for prefix, power in
       (("k", 3), ("M", 6), ("G", 9), ("T", 12), ("P", 15), ("E", 18))},
    **{f"{prefix}iB": ("byte", Decimal(2) ** power) for prefix, power in (("K", 10), ("M", 20), ("G", 30), ("T", 40))},
    **{f"{prefix}FLOPS": ("FLOPS", Decimal(10) ** power) for prefix, power in
       (("", 0), ("M", 6), ("G", 9), ("T", 12), ("P", 15), ("E", 18))},
    "km": ("m", Decimal(1000)), "metre": ("m", Decimal(1)), "meter": ("m", Decimal(1)), "cm": ("m", Decimal("0.01")),
    "kilometre": ("m", Decimal(1000)), "kilometer": ("m", Decimal(1000)), "mm": ("m", Decimal("0.001")),
    "kg": ("g", Decimal(1000)), "gram": ("g", Decimal(1)), "kilogram": ("g", Decimal(1000)),
    "kilo": ("g", Decimal(1000)),
    "tonne": ("g", Decimal(10) ** 6), "mg": ("g", Decimal("0.001")), "ml": ("m³", Decimal("0.000001")),
    "cl": ("m³", Decimal("0.00001")), "liter": ("m³", Decimal("0.001")), "l": ("m³", Decimal("0.001")),
    "pound": ("g", Decimal("453.59237")), "lb": ("g", Decimal("453.59237")), "ounce": ("g", Decimal("28.349523")),
    "oz": ("g", Decimal("28.349523")),
    "mile": ("m", Decimal("1609.344")), "foot": ("m", Decimal("0.3048")), "ft": ("m", Decimal("0.3048")),
    "inch": ("m", Decimal("0.0254")), "yard": ("m", Decimal("0.9144")),
    "gallon": ("m³", Decimal("0.003785411784")), "mph": ("m/h", Decimal("1609.344")),
    "centimetre": ("m", Decimal("0.01")), "millimetre": ("m", Decimal("0.001")),
    **{f"{prefix}{unit}": ("byte", Decimal(10) ** power / 8) for unit in ("bit", "bps")
       for prefix, power in (("", 0), ("k", 3), ("M", 6), ("G", 9), ("T", 12))},
    "hectare": ("m²", Decimal(10000)), "ha": ("m²", Decimal(10000)), "acre": ("m²", Decimal("4046.8564")),
    "nautical mile": ("m", Decimal(1852)), "litre": ("m³", Decimal("0.001")), "m": ("m", Decimal(1)),
    "g": ("g", Decimal(1)), "hl": ("m³", Decimal("0.1")),
    **{f"{prefix}j": ("J", Decimal(10) ** power) for prefix, power in (("k", 3), ("m", 6), ("g", 9), ("t", 12))},
    "j": ("J", Decimal(1)), "joule": ("J", Decimal(1)),
    "fps": ("frame/second", Decimal(1)), "wpm": ("word/minute", Decimal(1)), "rpm": ("revolution/minute", Decimal(1)),
    "bpm": ("beat/minute", Decimal(1)), "kph": ("m/h", Decimal(1000)), "kmh": ("m/h", Decimal(1000)),
    "flop": ("flop", Decimal(1)), "µl": ("m³", Decimal("0.000000001")), "knot": ("m/h", Decimal(1852)),
    "pint": ("m³", Decimal("0.000568261")), "t": ("g", Decimal(10) ** 6), "dl": ("m³", Decimal("0.0001")),
    "kcal": ("kcal", Decimal(1)), "calorie": ("kcal", Decimal(1)), "cal": ("kcal", Decimal(1)),
    "ma": ("amp", Decimal("0.001")), "mah": ("amp-h", Decimal("0.001")), "ah": ("amp-h", Decimal(1)),
    "volt": ("v", Decimal(1)), "kv": ("v", Decimal(1000)), "v": ("v", Decimal(1)), "ohm": ("ω", Decimal(1)),
    "amp": ("amp", Decimal(1)), "ampere": ("amp", Decimal(1)), "ω": ("ω", Decimal(1)), "hz": ("hz", Decimal(1)),
    "khz": ("hz", Decimal(1000)), "mhz": ("hz", Decimal(10) ** 6), "ghz": ("hz", Decimal(10) ** 9),
    "fathom": ("m", Decimal("1.8288")), "furlong": ("m", Decimal("201.168")), "carat": ("g", Decimal("0.2")),
    "teaspoon": ("m³", Decimal("0.000005")), "tablespoon": ("m³", Decimal("0.000015")),
    "megapixel": ("pixel", Decimal(10) ** 6),
    "stone": ("g", Decimal("6350.29318")),
    "microgram": ("g", Decimal("0.000001")), "milligram": ("g", Decimal("0.001")), "µg": ("g", Decimal("0.000001")),
    "millilitre": ("m³", Decimal("0.000001")), "milliliter": ("m³", Decimal("0.000001")),
}  # fmt: skip  # one line per group is more readable
"""Units in terms of a common one; a change from one to the other needs no words."""
STOP = word_set("""
    a about after against all already also although among an and any apiece are around as at away be because
    been before being below between both but by came can cost costs could did do does drop drops dropped during
    each either every fell few for from gave get gets given gives go goes got grew had has have he her his how
    however hourly i if in including into is it its just last leaves leaving left less like made makes many may
    more most much must near needs nor not now of off on once only onto or other our out over own paid pay pays
    per plus remain remained remains respectively rose saves she so some spent such take takes than that the
    their them then there these they this those though through times to today together took total totally toward
    under until up upon us use uses used versus via voted vs was way we went were what when where which while
    who whose will with within without won would yet you your ago old high higher lower long wide tall deep
""")  # words that end what a number counts
_PLURALS = {"people": "person", "men": "man", "women": "woman", "children": "child", "staff": "staff", "feet": "foot"}
_PEOPLE = word_set("""
    head person capita employee user customer piece unit item seat share
""")


def scaled(unit: str) -> tuple[str, Decimal]:
    """The common unit for a unit, and how much of it one is: km² is a million m²."""
    power = {"²": 2, "³": 3}.get(unit[-1:], 1)
    base, scale = SCALED.get(unit if power == 1 else unit[:-1], (unit.rstrip("²³"), Decimal(1)))
    return base + (unit[-1] if power > 1 else ""), scale**power


def noun_of(gap: tuple[str, ...]) -> tuple[str, int]:
    """What a number counts, by the words after it, and how many words that takes."""
    if gap[:1] == ("-",) and len(gap) > 1 and gap[1] in SCALED:
        return gap[1], 2
    if gap[:1] == ("-",) and len(gap) > 1 and _HYPHENED.fullmatch(gap[1]) and gap[1] not in STOP | _NO_NOUNS:
        return stem(gap[1]), 2
    if gap[:1] and gap[0] in _POWERED and len(gap) > 1 and stem(gap[1]) in SCALED:
        return stem(gap[1]) + _POWERED[gap[0]], 2
    if gap[:1] == ("nautical",) and gap[1:2] and stem(gap[1]) == "mile":
        return "nautical mile", 2
    if gap[:1] == ("x",):
        return "", 0  # 60 x 40 cm
    run = [*takewhile(lambda token: token[0].isalpha() and token not in STOP, gap[:4])]
    name = len(run) == 1 and len(run[0]) == 1 and gap[1:2] and gap[1].isdigit()  # H100
    adverb = run and run[0] in _ADVERBS and (len(run) == 1 or run[0] != "daily")
    return ("", 0) if not run or name or adverb else _counted(run)


_HYPHENED = re.compile(r"[a-z]{3,}")
_NO_NOUNS = word_set("strong odd plus ish fold based day night square cubic even all only star year")
"""Words after a number with a hyphen that it does not count: a 12-strong team."""


def _counted(run: Sequence[str]) -> tuple[str, int]:
    """The noun or unit that some words begin with, and how many words it takes."""
    first = run[0]
    if len(first) < 4 and first in SCALED:
        return first, 1
    for index, word in enumerate(run[:3]):
        if word in _PLURALS or (word.endswith("s") and not word.endswith(("ss", "us", "is"))):
            return stem(word), index + 1
    measured = first in SCALED or bool(unit_of(first)) or len(first) < 4
    return (stem(first), 1) if measured else ("", 0)


_POWERED = {"square": "²", "sq": "²", "cubic": "³", "cu": "³"}


def stem(word: str) -> str:
    """A noun in the singular."""
    word = word.lower()
    if word in _PLURALS:
        return _PLURALS[word]
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 2 else word


def distributed(gaps: Sequence[tuple[str, ...]], nouns: list[str]) -> list[str]:
    """What each quantity is per, by the words before it: `36 instalments of $500`, `each box holds 12`."""
    found = []
    for index, gap in enumerate(gaps[:-1]):
        per = ""
        if gap[-1:] == ("each",) or (gap[-2:-1] == ("each",) and gap[-1].endswith(("s", "ing"))):
            per = "each"
        if gap[-4:-2] == ("each", "of") or gap[-5:-3] == ("each", "of"):  # each of them cost
            per = "each"
        if index and nouns[index - 1] and gap[-1:] == ("of",) and stem(gap[-2:][0]) == nouns[index - 1]:
            per = nouns[index - 1]
        for place in range(len(gap) - 1, max(-1, len(gap) - 7), -1):
            if (
                gap[place] in {"each", "every"}
                and gap[place + 1 : place + 2]
                and gap[place + 1][0].isalpha()
                and gap[place + 1] not in STOP
                and not gap[place + 1].endswith(("s", "ing", "ed"))
                and not "".join(gap[place + 2 : place + 3])[:1].isdigit()  # each T40 is none per tonne
            ):
                per = "each" if place and _EACH.match(gap[place - 1]) else stem(gap[place + 1])
                if index and place and gap[place - 1] in {"for", "from"} and not {",", "and"} & set(gap[:place]):
                    per = ""  # of the figure before: 350 g for each kWh and 1,200 kWh
        if not index and gap[:1] in {("each",), ("every",)} and gap[1:2] and PERIODS.get(gap[1], gap[1]) in TIMES:
            per = per or PERIODS.get(gap[1], gap[1])
        found.append("" if per in _VAGUE else per)
    return found


_CASED = {
    one: one for prefix in ("k", "M", "G", "T") for one in (f"{prefix}Wh", f"{prefix}B", f"{prefix}W") if one != "MB"
} | {
    "teraflop": "TFLOPS", "petaflop": "PFLOPS", "gigaflop": "GFLOPS",
    "kilowatt-hour": "kWh", "megawatt-hour": "MWh",
    "kilowatt": "kW", "megawatt": "MW", "gigawatt": "GW", "gigabyte": "GB", "terabyte": "TB",
}  # fmt: skip  # one line per group is more readable
"""Units that the words of a text, which are in lower case, may be per."""
_EACH = re.compile(r"(?:that|who|which|they|we)$|[a-z]+[^s]s$")
"""What precedes an `each` that is no adjective: cards `that each` sustain 40, users `each` cost 2."""
_VAGUE = frozenset({"one", "year", "years", "other", "time"})

PERIODS = {
    "evening": "day",
    "morning": "day",
    **{word.lower(): unit for word, unit in _CASED.items()},
    "hour": "h",
    "hr": "h",
    "h": "h",
    "yr": "year",
    "annum": "year",
    "mo": "month",
    "sec": "second",
    "s": "second",
    "min": "minute",
}
_WAYS = frozenset({"way", "direction", "end", "side"})
_ADVERBS = {"hourly": "h", "daily": "day", "weekly": "week", "monthly": "month", "annually": "year", "yearly": "year"}


_THING = re.compile(r"(?!end\b|left\b|right\b|same\b|top\b)[a-z]+(?<!s)$")


def _for_each(words: tuple[str, ...], measured: bool) -> bool:
    """Whether what follows `to the` is what a quantity is per: 7 tonnes to the acre, 150 to the dollar."""
    if not words or not _THING.match(words[0]):
        return False
    return (
        _measure(words[0])
        or words[0] in COINS
        or words[0] in {"hundred", "thousand"}
        or words[0] == "pound"
        or (measured and bool(unit_of(words[0])))
    )


def _measure(word: str) -> bool:
    """Whether a word is a unit of measure: a litre, a kilometre, the kWh."""
    return (word.rstrip("²³") in SCALED and len(word) > 1 and word not in _BARE_ONLY) or unit_of(word) in {
        "kWh",
        "MWh",
        "GB",
        "TB",
        "MB",
    }


_BARE_ONLY = frozenset({"ma", "ah", "hz", "kv", "cal"})
"""Abbreviations that nothing is per: `a ma`."""
_EVERY = re.compile(r"(?:of [a-zà-ÿ]+ ?\d? )?(?:for|(?:[a-z]+ed )?from) (?:each|every) (?!of |one |other )[a-zà-ÿ]+")


def _for_every(gap: tuple[str, ...]) -> int:
    """The place of the `each` of what an amount is for: 350 g `of CO2 for each kWh`; 0 if there is none."""
    word = next((word for word in gap[:4] if word in {"for", "from"}), "")
    if not word or not {"each", "every"} & set(gap[1:5]):
        return 0
    return gap.index(word) + 1 if _EVERY.match(" ".join(gap[:6])) else 0


def _past(words: tuple[str, ...]) -> bool:
    """Whether three words say when something was, and not for how long an amount is: $48 million a year earlier."""
    return words[0] in {"a", "an"} and PERIODS.get(stem(words[1]), stem(words[1])) in TIMES and words[2] in _PAST


_PAST = frozenset({"earlier", "before", "ago", "later", "previously"})


def pers_of(gap: tuple[str, ...], nouns: set[str], measured: bool = True) -> list[str]:
    """What a quantity is for each of: `per seat per month`, `a day each`, `/h`, `apiece`."""
    found: list[str] = []
    at = 2 if gap[:1] == ("of",) and len(gap) > 2 and gap[1].isalpha() and gap[2] in {"a", "an", "per", "each"} else 0
    at = _for_every(gap) or at
    gap = gap[: next((place for place in range(at, len(gap) - 2) if _past(gap[place : place + 3])), len(gap))]
    while at < min(len(gap), 8):
        word, after = gap[at], stem(gap[at + 1]) if at + 1 < len(gap) else ""
        after = PERIODS.get(after, after)
        if after in _POWERED and at + 2 < len(gap):
            after = stem(gap[at + 2]) + _POWERED[after]
            at += 1
        if (
            (word in {"per", "/", "every"} and after[:1].isalpha() and (after != "night" or after in nouns))
            or (at and word == "each" and gap[at - 1] in {"for", "from"} and after[:1].isalpha())
            or (word in {"a", "an"} and after.endswith(("-hour", "-day")))
            or (word == "and" and after in TIMES and bool(found))
            or (
                word in {"a", "an"} and (after in TIMES or after in _PEOPLE or after in nouns - {""} or _measure(after))
            )
            or (word == "the" and _measure(after))
            or (word == "each" and after in {"second", "minute"})
        ):
            found.append(after)
            at += 2
        elif word in {"a", "per"} and after == "night":
            found.append("day")
            at += 2
        elif word == "to" and gap[at + 1 : at + 2] == ("the",) and _for_each(gap[at + 2 : at + 3], measured):
            found.append(PERIODS.get(stem(gap[at + 2]), stem(gap[at + 2])))
            at += 3
        elif word == "to" and gap[at + 1 : at + 2] == ("the",) and len(gap) > at + 3 and gap[at + 2] in _POWERED:
            found.append(stem(gap[at + 3]) + _POWERED[gap[at + 2]])
            at += 4
        elif word == "each" and gap[at + 1 : at + 2] and gap[at + 1] in _WAYS:
            break
        elif word in {"each", "apiece"}:
            found.append("each")
            at += 1
        elif word in _ADVERBS:
            found.append(_ADVERBS[word])
            at += 1
        else:
            break
    return found


_CLAUSE = frozenset({",", ";", ":", ".", "(", ")", "–", "—"})


def regular(before: tuple[str, ...], gap: tuple[str, ...]) -> list[str]:
    """The period of an adverb that a clause begins or ends with: `weekly 59 kWh`, 6 h `of maintenance weekly`."""
    if before[-1:] and before[-1] in _ADVERBS and (len(before) == 1 or before[-2] in _CLAUSE):
        return [_ADVERBS[before[-1]]]
    clause = [*takewhile(lambda word: word not in _CLAUSE, gap[:6])]
    ended = len(clause) == len(gap) or len(clause) < len(gap[:6])
    return [_ADVERBS[clause[-1]]] if clause and ended and clause[-1] in _ADVERBS and clause[0] in {"of", "in"} else []
