"""Numbers in words with what they count: two million users, a dozen eggs, eight years, twenty-five percent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from compute.mining.figure_reader import coined, hedged, hedged_after, period_at, sterling_at, unit_of
from compute.mining.mining_models import Figure
from compute.mining.multiple_words import counts_events
from compute.mining.number_words import COIN_PATTERN, COINS, FRACTIONS, coin_of, numerals

ONES = re.findall(
    r"\w+",
    """
one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen
""",
)
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
"""The words of numbers, one to nineteen and the tens from twenty."""
_VALUES = {
    **{word: number for number, word in enumerate(ONES, 1)},
    **{word: number * 10 for number, word in enumerate(TENS, 2)},
}
_POWERS = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12}


def numeral_value(word: str) -> int:
    """The number of digits, of a word up to ninety-nine, or of `hundred` and the like."""
    return int(word) if word.isdigit() else sum(_VALUES.get(part) or _POWERS[part] for part in word.lower().split("-"))


_SMALL = rf"(?:(?:{'|'.join(TENS)})(?:[ -](?:{'|'.join(ONES[:9])}))?|{'|'.join(reversed(ONES))})"
_POWER = "|".join(_POWERS)
_WORDED = re.compile(
    rf"\b(?:(?P<dozen>(?:an?|one|two|three|four|half a) dozen)"
    rf"|(?P<part>half an?|quarter of an?|a quarter of an?) (?P<of>million|billion|trillion)"
    rf"|(?P<plain>(?:{_SMALL}|an?)(?:[ -](?:{_POWER}))+(?:(?: and)? {_SMALL}(?: (?:{_POWER}))*){{0,3}}|{_SMALL})"
    rf"(?P<half>[ -]and[ -](?:a[ -]half|an?[ -](?:quarter|third|eighth)|three[- ](?:quarter|eighth)s?|two[- ]thirds)"
    rf"(?! of)(?: (?:{_POWER}))?)?)"
    r"(?![A-Za-z])(?!-(?:time|fold|step|way|tier|third|quarter|fifth))",
    re.I,
)
_UNIT = re.compile(r"[ -](?P<percent>percent\b(?!age)|per cent\b)|[ -](?P<points>(?:percentage[ -])?points?\b)"
                   r"|[ -](?P<basis>basis points?\b)"
                   rf"|[ -](?P<coin>{COIN_PATTERN})\b|[ -](?P<times>times\b)"
                   r"|[ -](?P<word>(?:kilo|mega|giga)watt[- ]hours?|[A-Za-z]{1,12})\b", re.I)  # fmt: skip


def spelled(mask: str) -> Iterator[Figure]:
    """The numbers in words of a masked text; `one` alone is no number."""
    for match in numerals(_WORDED, mask):
        number = _number(match)
        if number is not None and not (number < 30 and _labels(mask, match)):
            yield _figure(mask, match, number)


_LABEL = re.compile(
    r"(?<!an )(?<!a )(?<!per )(?<!each )(?<!every )(?<!the )\b(?:leg|day|chapter|round|phase|part|stage|volume|lap|act"
    r"|scene|ward|gate|platform|lane|page|bay|number|heat|step|option|level|floor|zone|route|depot) $",
    re.I,
)
_LABELLED = re.compile(
    r"\s?(?:[,.;:)(]|$|\d|(?:and|was|is|were|had|has|took|takes|costs?|at|in|to|we|he|she|it|they|the)\b)"
)


def _labels(mask: str, match: re.Match[str]) -> bool:
    """Whether a number in words is the name of something: `leg two takes`, `on day three,`."""
    named = _LABEL.search(mask, max(0, match.start() - 16), match.start())
    return named is not None and _LABELLED.match(mask, match.end()) is not None


_POWER_OF_TEN = re.compile(
    r"(?P<base>\d(?<![\w.].)\d{0,2}(?:\.\d{1,6})?)(?:e(?P<e>\d{1,2})\b"
    r"|\s?[×x*·]\s?10(?:(?:\^\{?|\*\*)(?P<ten>\d{1,2})\}?|(?P<flat>[1-3]\d|[⁰¹²³⁴-⁹]{1,2})))"
)
_TO_ONE = re.compile(r"(?<=(?: of| by|, a) )(?P<first>\d{1,3}(?:\.\d)?)(?::1\b| to (?:1|one)\b)")
_EVERY = re.compile(r"\b(?:[Oo]f) (?:every|each) (?P<power>hundred|thousand|million)\b")
_EVERY_COIN = re.compile(r"\b(?:[Oo]f|[Ii]n|[Ff]or) (?:every|each) (?P<coin>pound|euro|dollar)\b")
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def scientific(mask: str) -> Iterator[Figure]:
    """Numbers with a power of ten, 2.0 × 10^20 or 8e9, and ratios to one, 4:1."""
    for match in _POWER_OF_TEN.finditer(mask):
        power = int((match["e"] or match["ten"] or match["flat"]).translate(_RAISED))
        places = len(match["base"].partition(".")[2])
        number, half = Decimal(match["base"]).scaleb(power), Decimal(5).scaleb(power - places - 1)
        found = _UNIT.match(mask, match.end())
        unit = unit_of(found["word"]) if found and found["word"] else ""
        sort, end = ("unit", found.end()) if unit and found else ("count", match.end())
        hedge = hedged(mask, match.start())
        yield Figure(
            match.start(), end, mask[match.start() : end], number, number, half, sort, unit, "", "", hedge, half
        )
    for match in _EVERY.finditer(mask):
        number = Decimal(_POWERS[match["power"].lower()])
        yield Figure(*match.span("power"), match["power"], number, number, Decimal(0), "count")
    for match in _EVERY_COIN.finditer(mask):
        yield Figure(
            *match.span("coin"),
            match["coin"],
            Decimal(1),
            Decimal(1),
            Decimal(0),
            "money",
            _COINS[match["coin"].lower()],
        )
    for match in _TO_ONE.finditer(mask):
        number = Decimal(match["first"])
        half = Decimal("0.05") if "." in match["first"] else Decimal("0.5")
        yield Figure(
            match.start(),
            match.end(),
            match[0],
            number,
            number,
            half,
            "x",
            "",
            "",
            "",
            hedged(mask, match.start()),
            half,
        )


_HALVES = re.compile(
    rf"\b(?:(?P<pence>(?:tup|two|three|thrup|four|five|six|seven|eight|nine|ten|eleven|twelve)pence)"
    r"|(?P<pound>an? (?:pound|euro|dollar|penny|quid)(?= (?:a|an|per|each|every|apiece)\b))"
    r"|(?:(?P<unit>an hour|a day|a week|a month|a year) and a half)|half an? (?P<coin>cent|dollar|euro)"
    rf"|(?P<some>an?|one|two|three|four) (?P<piece>{'|'.join(FRACTIONS)})s? of an? (?P<small>cent|penny|dollar|euro)"
    r"|(?P<long>(?:an?|one|two|three|four|five|half a) (?:decade|fortnight)s?)|(?P<full>a (?:full|whole)) "
    r"(?P<span>second|minute|hour)|(?:itself|themselves) (?:with)?in (?P<back>an? (?:month|quarter|year))"
    r"|(?P<amount>half an?|(?:an?|one|three) quarters? of an?) (?P<measure>kilo(?:gram|met(?:re|er))?|lit(?:re|er)|mile"
    r"|tonne|pound|pint|gallon|met(?:re|er)|acre|hectare|ounce|gram|minute|second|day|week|month|year|decade|GB|TB|kg|km)"
    r"|(?P<many>two|three|four|five|six|seven|eight|nine) (?P<nines>nines)"
    r"|(?P<hour>half an?|(?:a|one|the) quarter of an|three quarters of an) hour"
    r"|(?P<again>half as \w+ again)|(?P<overtime>time and a (?:half|quarter|third)|double time|triple time)"
    r"|(?:for |at )?an? (?P<note>fiver|tenner)"
    r"|(?P<grand>\w+) grand)\b",
    re.I,
)
_GRAND = re.compile(r"\b\w+(?= grand\b)", re.I)
_ITSELF = re.compile(r"\b(?:itself|themselves) ", re.I)


def _others(mask: str) -> list[int]:
    """Where phrases begin that do not begin with a numeral: any word may come before *grand*."""
    words = _GRAND.finditer(mask) if "grand" in mask.lower() else ()
    return [match.start() for match in (*_ITSELF.finditer(mask), *words)]


_COINS = {"pound": "GBP", "quid": "GBP", "euro": "EUR", "dollar": "USD"}
_OVERTIME = {"half": "1.5", "quarter": "1.25", "third": "1.3333", "double": "2", "triple": "3"}


def phrases(mask: str) -> Iterator[Figure]:
    """Amounts in set phrases: an hour and a half, half a cent, time and a half, a fiver, two grand."""
    for match in numerals(_HALVES, mask, _others(mask)):
        found = _phrase(match)
        if found is not None:
            number, sort, unit = found
            start, end = match.start("back") if match["back"] else match.start(), match.end()
            per, end = period_at(mask, end) if sort != "x" else ("", end)
            if sort == "count":
                end = match.start("measure") - 1  # the noun after a number says what it counts
            text, hedge = mask[start:end], hedged(mask, start) or hedged_after(mask, end)
            yield Figure(start, end, text, number, number, Decimal(0), sort, unit, per, "", hedge)


def _phrase(match: re.Match[str]) -> tuple[Decimal, str, str] | None:
    """The number of a set phrase, its type and its unit."""
    name = match.lastgroup or ""
    words = match[name].lower().split()
    if name in {"small", "long", "span", "back", "nines", "measure"}:
        return _amount(match, name, words)
    if name == "unit":
        return Decimal("1.5"), "unit", unit_of(words[1])
    if name == "hour":
        return Decimal("0.5" if words[0] == "half" else "0.75" if words[0] == "three" else "0.25"), "unit", "h"
    if name in {"again", "overtime"}:
        again = Decimal("1.5") if name == "again" else Decimal(_OVERTIME[words[-1] if len(words) > 2 else words[0]])
        return again, "x", "word"
    return _cash(name, words)


def _amount(match: re.Match[str], name: str, words: list[str]) -> tuple[Decimal, str, str]:
    """Fractions of a coin or a measure, nines, decades, fortnights, a full second, the period in which a thing pays."""
    if name == "nines":
        return 100 - 100 / Decimal(10) ** _VALUES[match["many"].lower()], "%", ""
    if name == "measure":
        size = match["amount"].lower()
        unit = unit_of(words[0])
        many = Decimal("0.5" if "half" in size else "0.75" if "three" in size else "0.25")
        return many, "unit" if unit else "count", unit
    if name == "small":
        number = Decimal(_VALUES.get(match["some"].lower(), 1)) * FRACTIONS[match["piece"].lower()]
        coin = "USD" if words[0] in {"cent", "dollar"} else "GBP" if words[0] == "penny" else "EUR"
        if words[0] in {"cent", "penny"}:
            number, coin = number / 100, coined(match.string, match.start(), "cent" if words[0] == "cent" else "pence")
        return number, "money", coin
    if name == "long":
        many = Decimal("0.5") if words[0] == "half" else Decimal(_VALUES.get(words[0], 1))
        return (many * 10, "unit", "year") if words[-1].startswith("dec") else (many * 14, "unit", "day")
    if name == "back" and words[-1] == "quarter":
        return Decimal(3), "unit", "month"
    return Decimal(1), "unit", unit_of(words[-1])


def _cash(name: str, words: list[str]) -> tuple[Decimal, str, str] | None:
    """The money of a phrase: half a cent, a fiver, two grand, sixpence, a pound a week."""
    if name == "pence":
        small = words[0].removesuffix("pence")
        return Decimal({"tup": 2, "thrup": 3}.get(small) or _VALUES[small]) / 100, "money", "GBP"
    if name == "pound":
        return (Decimal("0.01"), "money", "GBP") if words[1] == "penny" else (Decimal(1), "money", _COINS[words[1]])
    if name == "coin":
        return (Decimal("0.005"), "money", "USD") if words == ["cent"] else (Decimal("0.5"), "money", COINS[words[0]])
    if name == "note":
        return Decimal(5 if words == ["fiver"] else 10), "money", "GBP"
    number = _VALUES.get(words[0]) or (int(words[0]) if words[0].isdigit() else 0)
    return (Decimal(number * 1000), "money", "GBP") if number else None


_PARTS = {
    "half": Decimal("0.5"), "three quarter": Decimal("0.75"), "three eighth": Decimal("0.375"),
    "two third": Decimal(2) / 3, "quarter": Decimal("0.25"), "third": Decimal(1) / 3, "eighth": Decimal("0.125"),
}  # fmt: skip  # one table


def _number(match: re.Match[str]) -> Decimal | None:
    if match["dozen"]:
        first = match["dozen"].lower().split()[0]
        return Decimal(6) if first == "half" else Decimal(12 * _VALUES.get(first, 1))
    if match["part"]:
        share = Decimal("0.5") if match["part"].lower().startswith("half") else Decimal("0.25")
        return share * _POWERS[match["of"].lower()]
    number = _added(match["plain"].lower())
    if match["half"]:
        part = next(part for words, part in _PARTS.items() if words in match["half"].lower().replace("-", " "))
        power = _POWERS.get(match["plain"].split()[-1].lower(), 1)
        number += part * (power if power >= 10**6 else 1)  # a million and a half
        tail = match["half"].split()[-1].lower()
        number *= _POWERS.get(tail, 1)
    return None if number == 1 and not _ONE.match(match.string, match.start()) else number


_ONE = re.compile(
    rf"(?:(?<=\bat )|(?<=\bworth )|(?<=\())one(?= each|[,.:;)])|(?<=\band )one(?= for (?:an?|each|every)\b)"
    rf"|one (?:{COIN_PATTERN}|pence|kilos?|kg|litres?|tonnes?|hours?|kWh)\b",
    re.I,
)
"""Where `one` is a number."""


def _added(text: str) -> Decimal:
    whole, part = Decimal(0), Decimal(0)
    for word in re.findall(r"[a-z]+", text):
        if word == "hundred":
            part = (part or Decimal(1)) * 100
        elif word in _POWERS:
            whole, part = whole + (part or Decimal(1)) * _POWERS[word], Decimal(0)
        elif word in {"a", "an"}:
            part += 1
        elif word != "and":
            part += _VALUES[word]
    return whole + part


def _figure(mask: str, match: re.Match[str], number: Decimal) -> Figure:
    end, sort, unit = match.end(), "count", ""
    if found := _UNIT.match(mask, end):
        named = found.lastgroup or ""
        word = unit_of(found["word"]) if named == "word" else ""
        sort, unit = {
            "percent": ("%", ""), "points": ("pp", ""), "basis": ("pp", ""), "times": ("x", "word"),
            "coin": ("money", coin_of(found["coin"] or "")),
            "word": ("unit" if word else "count", word),
        }[named]  # fmt: skip  # one line per group is more readable
        if named == "times" and counts_events(mask, match.start(), found.end()):
            sort, unit = "count", ""
        end = found.end() if sort != "count" else end
        if named == "basis" or unit in {"cent", "pence"}:
            number, unit = number / 100, coined(mask, match.start(), unit) if unit else ""
        if sterling := sterling_at(mask, match.end()):
            sort, unit, end = "money", "GBP", sterling
    per, end = period_at(mask, end)
    half = Decimal(0) if number < 100 else number / 1000
    text = mask[match.start() : end]
    hedge = hedged(mask, match.start())
    return Figure(match.start(), end, text, number, number, half, sort, unit, per, "", hedge, half)
