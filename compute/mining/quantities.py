"""The figures of a sentence as typed quantities, with the words between them.

24 seats at $15 per seat per month        24 {seat} · 15 {USD, per seat, per month}
words                                     () · (seats, at) · ()
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise, takewhile
from typing import Literal

from compute.mining.direction_words import shared
from compute.mining.figure_reader import figures, unit_of
from compute.mining.mining_models import Figure, Passage
from compute.mining.number_words import COINS, word_set
from compute.mining.spelled_numbers import phrases, scientific, spelled
from compute.mining.table_figures import table_figures
from compute.mining.text_windows import uncited

QuantityKind = Literal["money", "unit", "time", "count", "share", "points", "ratio"]

TIMES = ("ms", "second", "minute", "h", "day", "week", "month", "quarter", "year")
"""The units of time, shortest first."""
_SORTS: dict[str, QuantityKind] = {"money": "money", "%": "share", "pp": "points", "x": "ratio", "count": "count"}
_SCALED: dict[str, tuple[str, Decimal]] = {
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
    "tonne": ("g", Decimal(10) ** 6), "mg": ("g", Decimal("0.001")), "ml": ("litre", Decimal("0.001")),
    "cl": ("litre", Decimal("0.01")), "liter": ("litre", Decimal(1)), "l": ("litre", Decimal(1)),
    "pound": ("g", Decimal("453.59237")), "lb": ("g", Decimal("453.59237")), "ounce": ("g", Decimal("28.349523")),
    "oz": ("g", Decimal("28.349523")),
    "mile": ("m", Decimal("1609.344")), "foot": ("m", Decimal("0.3048")), "ft": ("m", Decimal("0.3048")),
    "inch": ("m", Decimal("0.0254")), "yard": ("m", Decimal("0.9144")),
    "gallon": ("litre", Decimal("3.785411784")), "mph": ("m/h", Decimal("1609.344")),
    "centimetre": ("m", Decimal("0.01")), "millimetre": ("m", Decimal("0.001")),
    **{f"{prefix}{unit}": ("byte", Decimal(10) ** power / 8) for unit in ("bit", "bps")
       for prefix, power in (("", 0), ("k", 3), ("M", 6), ("G", 9), ("T", 12))},
    "hectare": ("m²", Decimal(10000)), "ha": ("m²", Decimal(10000)), "acre": ("m²", Decimal("4046.8564")),
    "nautical mile": ("m", Decimal(1852)), "litre": ("litre", Decimal(1)), "m": ("m", Decimal(1)), "g": ("g", Decimal(1)), "hl": ("litre", Decimal(100)),
    "µl": ("litre", Decimal("0.000001")), "knot": ("m/h", Decimal(1852)), "pint": ("litre", Decimal("0.568261")),
    "stone": ("g", Decimal("6350.29318")),
    "microgram": ("g", Decimal("0.000001")), "milligram": ("g", Decimal("0.001")), "µg": ("g", Decimal("0.000001")),
    "millilitre": ("litre", Decimal("0.001")), "milliliter": ("litre", Decimal("0.001")),
}  # fmt: skip  # one line per group is more readable
"""Units in terms of a common one; a change from one to the other needs no words."""
_TOKEN = re.compile(r"[A-Za-zÀ-ÿµ]+[²³]?(?:['’-][A-Za-zÀ-ÿ]+)*|\d+|[^\sA-Za-zÀ-ÿ\d]")
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
MOST = 24
"""The figures above which a sentence is a list of data."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A figure with what it counts: `unit` is a currency, a unit or a noun; `pers` is what it is for each of."""

    figure: Figure
    index: int
    kind: QuantityKind
    unit: str
    pers: tuple[str, ...] = ()
    factor: Decimal = Decimal(1)

    @property
    def base(self) -> Decimal:
        """The value in the base unit: bytes, watts; a share of 1."""
        return self.figure.low * self.factor

    @property
    def named(self) -> bool:
        """Whether it says what it measures."""
        return bool(self.unit)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, with its quantities and the words before, between and after them, in lower case."""

    start: int
    end: int
    quantities: tuple[Quantity, ...]
    gaps: tuple[tuple[str, ...], ...]
    text: str
    opens: bool = False
    """Whether a paragraph begins with it."""
    lead: str = ""
    """The words before it in its paragraph."""
    table: bool = False
    """Whether it is a table, whose figures only the sentence after it may use."""


def sentences(passage: Passage) -> Iterator[Sentence]:
    """The sentences of a passage that have a figure, in order."""
    mask = uncited(passage.mask)
    every = [*_durations(_apart([*figures(mask), *spelled(mask), *scientific(mask), *phrases(mask)]), mask)]
    starts = [figure.start for figure in every]
    opens = True
    for start, end in zip(passage.borders, passage.borders[1:], strict=False):
        opens = opens or "\n\n" in passage.text[max(0, start - 2) : start + 2]
        near = every[bisect_left(starts, start) : bisect_left(starts, end)]
        inside = [
            figure
            for figure in near
            if figure.end <= end
            and not _PREPRINT.fullmatch(figure.text)
            and not (
                figure.text.lower() in {"twice", "thrice"}
                and _VERBS.search(mask, max(0, figure.start - 12), figure.start)
            )
        ]
        if 0 < len(inside) <= MOST and "|" not in mask[start:end]:
            lead = mask[max(0, start - 200) : start].rpartition("\n\n")[2]
            yield replace(_sentence(mask, start, end, inside, opens), lead=lead)
            opens = False
        elif "|" in mask[start:end] and (cells := table_figures(mask, start, end, inside)):
            plain = mask[:start] + re.sub(r"[|\n]|:?-{2,}:?", _spaces, mask[start:end])
            yield replace(_sentence(plain, start, end, cells, opens), table=True)


def _spaces(match: re.Match[str]) -> str:
    return ";" if match[0] == "\n" else " " * len(match[0])


_VERBS = re.compile(r"(?:halv|doubl|tripl)\w+ $", re.I)


_FULL = {"second": 60, "minute": 60, "h": 24, "day": 7, "week": 5}
"""How many of a unit make the next."""
_JOINED = re.compile(r"\s?(?:and\s|,\s)?")


_PREPRINT = re.compile(r"\d{4}\.\d{4,5}")


def _ranges(found: list[Figure], gaps: Sequence[tuple[str, ...]]) -> list[Figure]:
    """The figures; `two to four thousand` is a range, and so neither end is a figure to compute with."""
    made = list(found)
    for index, (one, two) in enumerate(pairwise(found)):
        plain = gaps[index + 1] in {("to",), ("or",), ("-", "to"), ("-", "or")} and one.sort in {
            "count",
            "unit",
            two.sort,
        }
        if (
            plain
            and one.low < two.low
            and gaps[index][-1:] != ("from",)
            and not any(sign.isdigit() for sign in one.text)
        ):
            made[index], made[index + 1] = replace(one, high=two.high), replace(two, low=one.low)
    return made


def _durations(found: Sequence[Figure], mask: str) -> Iterator[Figure]:
    """The figures; `3 h 15 min` is one, in minutes."""
    last: Figure | None = None
    for figure in found:
        if last is not None and figure.sort == "count" and _minutes(last, figure, mask):
            figure = replace(figure, sort="unit", unit="minute")
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


def _apart(found: Sequence[Figure]) -> list[Figure]:
    kept: list[Figure] = []
    for figure in sorted(found, key=lambda one: (one.start, -one.end)):
        if not kept or figure.start >= kept[-1].end:
            kept.append(figure)
        elif figure.start == kept[-1].start and (
            figure.end > kept[-1].end or (figure.sort == "x" and figure.end == kept[-1].end)
        ):
            kept[-1] = figure
    return kept


def words(text: str) -> tuple[str, ...]:
    """The words and signs of a text, in lower case."""
    return tuple(one.lower() for one in _TOKEN.findall(text) if one not in "*_\x00")


def _sentence(mask: str, start: int, end: int, found: Sequence[Figure], opens: bool) -> Sentence:
    edges = [start, *(figure.end for figure in found)]
    begins = [*(figure.start for figure in found), end]
    gaps = [words(mask[first:last]) for first, last in zip(edges, begins, strict=True)]
    found = _ranges(list(found), gaps)
    nouns = {_noun(gap)[0] for gap in gaps[1:]}
    pers = _distributed(gaps, [_noun(gap)[0] for gap in gaps[1:]])
    made = [
        _quantity(_powered(figure, gaps[index + 1]), index, gaps[index + 1], nouns, gaps[index], pers[index])
        for index, figure in enumerate(found)
    ]
    if not re.search(r"%|percent|share|rate|poll|basis", mask[start:end]):
        made = [
            replace(one, kind="count", unit="point", factor=Decimal(1)) if one.kind == "points" else one for one in made
        ]
    return Sentence(start, end, tuple(_scaled(made, gaps)), tuple(gaps), mask[start:end], opens)


def _powered(figure: Figure, gap: tuple[str, ...]) -> Figure:
    """A verb such as `halved` with how often: `halved twice` is a quarter."""
    again = {("twice",): 2, ("two", "times"): 2, ("three", "times"): 3, ("thrice",): 3}
    power = next((number for phrase, number in again.items() if gap[: len(phrase)] == phrase), 1)
    value = figure.low**power
    return replace(figure, low=value, high=value, half=value / 20) if power > 1 and figure.sort == "x" else figure


_LISTING = word_set("""
    to and or , vs versus → than against / by through of down up in out then – -
""")


def _scaled(found: list[Quantity], gaps: Sequence[tuple[str, ...]]) -> Iterator[Quantity]:
    """The quantities; one without a unit takes that of the next in a list: `from 3 to 5 million`, `4 and 6 GB`."""
    after: Quantity | None = None
    made: list[Quantity] = []
    for index in range(len(found) - 1, -1, -1):
        one = found[index]
        gap = gaps[index + 1]
        listed = 0 < len(gap) < 4 and set(gap) <= _LISTING and not _worded_after(one, gap, after)
        if after is not None and listed:
            one = _like(one, after, close=gap in _CLOSE)
        made.append(one)
        after = one
    yield from reversed(made)


def _worded_after(one: Quantity, gap: tuple[str, ...], after: Quantity | None) -> bool:
    """Whether a number in words follows one in digits after a comma: `from 100M, three years` is no list."""
    digits = [any(sign.isdigit() for sign in each.figure.text) for each in (one, after) if each is not None]
    return gap == (",",) and digits == [True, False]


_CLOSE = frozenset({("to",), ("and",), ("or",), ("→",)})


def _like(one: Quantity, after: Quantity, *, close: bool) -> Quantity:
    if one.kind == after.kind == "money":
        left, _ = shared(one.figure, after.figure)
        return replace(one, figure=left)
    if one.kind == "count" and not one.unit and after.kind in {"money", "share"} and not one.pers:
        if not close or (after.kind == "share" and one.figure.low > 100):
            return one
        left, _ = shared(one.figure, after.figure)
        per = after.figure.per
        left = replace(left, sort=after.figure.sort, unit=after.figure.unit, per=per)
        if "cent" in after.figure.text or after.figure.text.endswith("p"):
            left = replace(left, low=left.low / 100, high=left.high / 100, half=left.half / 100)
        return replace(one, kind=after.kind, unit=after.unit, factor=after.factor, figure=left, pers=after.pers)
    if one.kind == "count" and not (one.unit or one.pers) and after.kind in {"count", "unit", "time"}:
        left, _ = shared(one.figure, replace(after.figure, sort="count"))
        return replace(
            one,
            kind=after.kind,
            unit=after.unit,
            factor=after.factor,
            figure=replace(left, unit=after.figure.unit),
            pers=one.pers or after.pers,
        )
    return one


def _quantity(  # noqa: PLR0917 - private, called once
    figure: Figure, index: int, gap: tuple[str, ...], nouns: set[str], before: tuple[str, ...], more: str
) -> Quantity:
    kind, unit, factor = _measured(figure)
    if kind == "time" and figure.hedge == "at least" and "over" in before[-2:]:
        figure = replace(figure, hedge="")
    pers = [part for part in figure.per.split("/") if part] if figure.per else []
    at = 0
    if kind in {"count", "unit"} and not unit:
        unit, at = _noun(gap)
    if kind == "count" and unit == "s":
        kind, unit = "time", "second"
    base, scale = scaled(unit)
    unit, factor = base, factor * scale
    if figure.per and gap[:1] == ("-",) and gap[1:2] and gap[1] in TIMES:
        pers.append(gap[1])
    pers += _pers(gap[at:], nouns, bool(unit)) + ([more] if more else [])
    if kind == "ratio" and pers and pers[0] in TIMES and "time" in figure.text:
        kind = "count"
    head, *rest = unit.split("/") if "/" in unit else (unit,)
    every = (_PERIODS.get(one, one) for one in (*rest, *pers))
    return Quantity(figure, index, kind, head, tuple(dict.fromkeys(every)), factor)


def scaled(unit: str) -> tuple[str, Decimal]:
    """The common unit for a unit, and how much of it one is: km² is a million m²."""
    power = {"²": 2, "³": 3}.get(unit[-1:], 1)
    base, scale = _SCALED.get(unit if power == 1 else unit[:-1], (unit.rstrip("²³"), Decimal(1)))
    return base + (unit[-1] if power > 1 else ""), scale**power


def _measured(figure: Figure) -> tuple[QuantityKind, str, Decimal]:
    if figure.sort == "unit":
        head, _, rest = figure.unit.partition("/")
        if head in TIMES:
            return ("time" if not figure.per else "unit"), figure.unit, Decimal(1)
        base, scale = _SCALED.get(head, (head, Decimal(1)))
        return "unit", f"{base}/{rest}" if rest else base, scale
    kind = _SORTS[figure.sort]
    return kind, figure.unit if kind == "money" else "", Decimal("0.01") if kind in {"share", "points"} else Decimal(1)


def _noun(gap: tuple[str, ...]) -> tuple[str, int]:
    """What a number counts, by the words after it, and how many words that takes."""
    if gap[:1] == ("-",) and len(gap) > 1 and gap[1] in _SCALED:
        return gap[1], 2
    if gap[:1] and gap[0] in _POWERED and len(gap) > 1 and stem(gap[1]) in _SCALED:
        return stem(gap[1]) + _POWERED[gap[0]], 2
    if gap[:1] == ("nautical",) and gap[1:2] and stem(gap[1]) == "mile":
        return "nautical mile", 2
    run = [*takewhile(lambda token: token[0].isalpha() and token not in STOP, gap[:4])]
    name = len(run) == 1 and len(run[0]) == 1 and gap[1:2] and gap[1].isdigit()  # H100
    adverb = run and run[0] in _ADVERBS and (len(run) == 1 or run[0] != "daily")
    return ("", 0) if not run or name or adverb else _counted(run)


def _counted(run: Sequence[str]) -> tuple[str, int]:
    """The noun or unit that some words begin with, and how many words it takes."""
    first = run[0]
    if len(first) < 4 and first in _SCALED:
        return first, 1
    for index, word in enumerate(run[:3]):
        if word in _PLURALS or (word.endswith("s") and not word.endswith(("ss", "us", "is"))):
            return stem(word), index + 1
    measured = first in _SCALED or bool(unit_of(first)) or len(first) < 4
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


def _distributed(gaps: Sequence[tuple[str, ...]], nouns: list[str]) -> list[str]:
    """What each quantity is per, by the words before it: `36 instalments of $500`, `each box holds 12`."""
    found = []
    for index, gap in enumerate(gaps[:-1]):
        per = ""
        if gap[-1:] == ("each",) or (gap[-2:-1] == ("each",) and gap[-1].endswith(("s", "ing"))):
            per = "each"
        if index and nouns[index - 1] and gap[-1:] == ("of",) and stem(gap[-2:][0]) == nouns[index - 1]:
            per = nouns[index - 1]
        for place in range(len(gap) - 1, max(-1, len(gap) - 5), -1):
            if (
                gap[place] in {"each", "every"}
                and gap[place + 1 : place + 2]
                and gap[place + 1][0].isalpha()
                and gap[place + 1] not in STOP
                and not gap[place + 1].endswith(("s", "ing", "ed"))
            ):
                per = stem(gap[place + 1])
        found.append("" if per in _VAGUE else per)
    return found


_VAGUE = frozenset({"one", "year", "years", "other", "time"})

_PERIODS = {
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
_ADVERBS = {"hourly": "h", "daily": "day", "weekly": "week", "monthly": "month", "annually": "year", "yearly": "year"}


_THING = re.compile(r"(?!end\b|left\b|right\b|same\b|top\b)[a-z]+(?<!s)$")


def _for_each(words: tuple[str, ...], measured: bool) -> bool:
    """Whether what follows `to the` is what a quantity is per: 7 tonnes to the acre, 150 to the dollar."""
    if not words or not _THING.match(words[0]):
        return False
    return _measure(words[0]) or words[0] in COINS or words[0] == "pound" or (measured and bool(unit_of(words[0])))


def _measure(word: str) -> bool:
    """Whether a word is a unit of measure: a litre, a kilometre, the kWh."""
    return (word.rstrip("²³") in _SCALED and len(word) > 1) or unit_of(word) in {"kWh", "MWh", "GB", "TB", "MB"}


def _pers(gap: tuple[str, ...], nouns: set[str], measured: bool = True) -> list[str]:
    """What a quantity is for each of: `per seat per month`, `a day each`, `/h`, `apiece`."""
    found: list[str] = []
    at = 2 if gap[:1] == ("of",) and len(gap) > 2 and gap[1].isalpha() and gap[2] in {"a", "an", "per", "each"} else 0
    while at < min(len(gap), 8):
        token, after = gap[at], stem(gap[at + 1]) if at + 1 < len(gap) else ""
        after = _PERIODS.get(after, after)
        if after in _POWERED and at + 2 < len(gap):
            after = stem(gap[at + 2]) + _POWERED[after]
            at += 1
        if (token in {"per", "/", "every"} and after[:1].isalpha()) or (
            token in {"a", "an"} and (after in TIMES or after in _PEOPLE or after in nouns - {""} or _measure(after))
        ):
            found.append(after)
            at += 2
        elif token == "the" and _measure(after):
            found.append(after)
            at += 2
        elif token == "to" and gap[at + 1 : at + 2] == ("the",) and _for_each(gap[at + 2 : at + 3], measured):
            found.append(_PERIODS.get(stem(gap[at + 2]), stem(gap[at + 2])))
            at += 3
        elif token in {"each", "apiece"}:
            found.append("each")
            at += 1
        elif token in _ADVERBS:
            found.append(_ADVERBS[token])
            at += 1
        else:
            break
    return found
