"""Fractions in words: five in every hundred, three-quarters of an hour, half a litre, a metre and a half.

five in every hundred · nine out of ten · one in four     a share: 5%, 90%, 25%
three-quarters of an hour · an eighth of a litre          an amount: 0.75 h, 0.125 litres
a metre and a half · half a percentage point              1.5 metres, 0.5 points
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from compute.mining.figure_reader import coined, hedged, period_at, unit_of
from compute.mining.mining_models import Figure
from compute.mining.noun_reader import SCALED, stem
from compute.mining.number_words import COINS, FRACTIONS, numerals, word_set

_SMALL = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty"
)
_NUMBERS = {word: number for number, word in enumerate(re.findall(r"\w+", _SMALL), 1)} | {
    "a": 1, "an": 1, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
    "dozen": 12, "hundred": 100, "thousand": 1000,
}  # fmt: skip  # one line per group is more readable
_WORDS = "|".join(sorted(_NUMBERS, key=len, reverse=True))
_TENS = "(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"

# ---- shares

_OF_EVERY = re.compile(
    rf" (?:in|out of|of) (?:(?P<every>every|each|any) )?(?:an? |the )?"
    rf"(?P<whole>\d{{1,3}}(?:,000)?|{_TENS}-\w+|{_WORDS})\b(?![-.,]\d)",
    re.I,
)
_PART = re.compile(
    rf"(?<![\w.,$€£¥%-])(?P<part>\d{{1,5}}(?:\.\d)?|{_TENS}-\w+|{_WORDS})"
    r"(?: (?P<noun>[a-z]{2,14}))?$",
    re.I,
)
_PERIOD_NEXT = re.compile(
    r"[ -](?:more |full |straight |consecutive )?(?:ms|seconds?|minutes?|min|hours?|h|days?|weeks?|months?|quarters?"
    r"|years?|decades?|goes|rounds?|stages?|cm|mm|km|kg|points?|percent|per cent|million|billion|hundred|thousand|point"
    r"|dollars?|euros?|pounds?|pence|cents?)\b|[%/–°]|:\d|-\w| [%°]"
)
"""What follows a number that is no whole of a share: won 3 in 5 days."""


def shares(mask: str) -> Iterator[Figure]:
    """The shares of a text that are said as some of so many: five in every hundred, one child in three."""
    for match in _OF_EVERY.finditer(mask):
        part = _PART.search(mask, max(0, match.start() - 36), match.start())
        if part is None or not _is_share(mask, match, part):
            continue
        some, whole = _value(part["part"]), _value(match["whole"])
        if not 0 < some < whole:
            continue
        start, end = part.start(), match.end()
        value = 100 * some / whole
        half = min(Decimal(50) / whole, value / 20)
        yield Figure(start, end, mask[start:end], value, value, half, "%", hedge=hedged(mask, start), coarse=half)


def _is_share(mask: str, match: re.Match[str], part: re.Match[str]) -> bool:
    """Whether some of so many is a share: `in every` always is, `one in four` if no unit follows."""
    noun, plain = part["noun"], match["whole"].lower()
    if part["part"].lower() in {"a", "an"} or ((noun or "") in _NO_NOUNS and not _so_often(match, part)):
        return False
    if match["every"]:
        return match[0].startswith((" in", " out", " of every "))
    worded = not part["part"][0].isdigit() and not plain[0].isdigit()
    if match[0].startswith(" out of"):
        return worded and not noun
    if not match[0].startswith(" in ") or _PERIOD_NEXT.match(mask, match.end()) or _YEAR.fullmatch(plain):
        return False
    one = part["part"].lower() in {"one", "1"} and (worded or plain[0].isdigit())
    usual = worded and plain in _WHOLES and not (noun and _COUNTED.match(mask, match.end()))
    return one or usual or (plain in {"hundred", "thousand"} and not noun)


def _so_often(match: re.Match[str], part: re.Match[str]) -> bool:
    """Whether some of so many are times: `six times in ten`."""
    worded = not part["part"][0].isdigit() and match["whole"].lower() in _WHOLES
    return part["noun"] == "times" and worded and match[0].startswith(" in ")


_WHOLES = word_set("three four five six seven eight nine ten twelve twenty hundred thousand")
"""What shares are said of: four in five, nine in ten."""
_COUNTED = re.compile(r" (?:[a-z-]+ )?[a-z]+s\b")
"""What follows a number that counts: `two goals in ten games`, and not `seven calls in ten cost $2`."""


_NO_NOUNS = frozenset({"percent", "per", "cent", "of", "to", "and", "or", "is", "was", "are", "were", "in", "times"})
_YEAR = re.compile(r"19\d\d|20\d\d")


def _value(word: str) -> Decimal:
    if word[0].isdigit():
        return Decimal(word.replace(",", ""))
    tens, _, ones = word.lower().partition("-")
    return Decimal(_NUMBERS[tens] + _NUMBERS.get(ones, 0))


# ---- amounts

_PIECE = "|".join(FRACTIONS)
_SOME = rf"(?P<some>an?|one|two|three|four|five|six|seven|nine|eleven|fifteen)[ -](?P<piece>{_PIECE})s?"
_AMOUNT = re.compile(
    rf"\b(?:(?:(?:{_SOME}) of|(?P<half>half)) an? (?P<unit>[A-Za-z]{{2,12}}(?: points?\b| cents?\b)?)"
    r"|half[- ](?P<hour>hour|day|mile|litre|pint|kilo)(?!-)"
    rf"|(?:an?|one) (?P<one>[a-z]{{3,10}}) and (?P<more>a half|a quarter|a third|three[- ]quarters|two[- ]thirds))\b"
    r"|\b(?:an?|one) (?P<whole>hour|minute|day|week)"
    r"(?= and (?:an?|\d+|[a-z]+(?:-[a-z]+)?) (?:days|hours|minutes|seconds)\b)",
    re.I,
)
_MORE = {"a half": "0.5", "a quarter": "0.25", "three quarters": "0.75", "a third": "0.333333333333",
         "two thirds": "0.666666666667"}  # fmt: skip  # one table


def amounts(mask: str) -> Iterator[Figure]:
    """The amounts of a text that are said as parts of a unit: three-quarters of an hour, a kilo and a half."""
    for match in numerals(_AMOUNT, mask):
        named = match["unit"] or match["hour"] or match["one"] or match["whole"]
        found = _measured(mask, match, named.lower())
        if found is not None:
            scale, sort, unit = found
            number = _number(match) * scale
            per, end = period_at(mask, match.end()) if sort != "%" else ("", match.end())
            hedge = hedged(mask, match.start())
            yield Figure(
                match.start(), end, mask[match.start() : end], number, number, Decimal(0), sort, unit, per, "", hedge
            )


def _number(match: re.Match[str]) -> Decimal:
    if match["more"]:
        return 1 + Decimal(_MORE[match["more"].lower().replace("-", " ")])
    if match["whole"]:
        return Decimal(1)
    if match["some"]:
        return _NUMBERS[match["some"].lower()] * FRACTIONS[match["piece"].lower()]
    return Decimal("0.5")


def _measured(mask: str, match: re.Match[str], named: str) -> tuple[Decimal, str, str] | None:
    """What one of a unit is, its type and the unit; None if the word is no unit, as in `a third of a class`."""
    if named in {"percent", "per cent"}:
        return Decimal(1), "%", ""
    if named in {"percentage point", "percentage points"}:
        return Decimal(1), "pp", ""
    word = stem(named.partition(" ")[0])
    if word in {"cent", "penny"}:
        return Decimal("0.01"), "money", coined(mask, match.start(), "cent" if word == "cent" else "pence")
    if word in {"dollar", "euro"}:
        return Decimal(1), "money", COINS[word]
    if unit := unit_of(word):
        return Decimal(1), "unit", unit
    return (Decimal(1), "count", word) if word in SCALED and len(word) > 2 else None
