"""Figures in prose, each with its place, unit, rounding and hedge.

    $3.00 per million input tokens      3.00 USD/Mtok
    ~$30K/yr                            30000 USD/year, about
    60–80%                              60 to 80 %
    fifteen times · 2.4x · 100-fold     15, 2.4, 100 x
    one-fifth                           0.2 x

Numbers that are part of a name are not figures: GPT-4, H100, 2024, Section 3.2, [5], 24/7, 8x H100.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache

from compute.mining.decimal_commas import english_numbers
from compute.mining.figure_names import is_name, is_no_count
from compute.mining.million_reader import is_million
from compute.mining.mining_models import Figure
from compute.mining.multiple_words import counts_events, no_multiple
from compute.mining.number_words import (
    ABOUT,
    ADVERBS,
    COIN_PATTERN,
    CURRENCIES,
    FRACTIONS,
    LEAST,
    MOST,
    NUMBERS,
    SCALES,
    UNITS,
    coin_of,
    numerals,
)

_NUMBER = r"\d{0,4}[½¼¾⅓⅔⅛]|\d{1,3}(?:,\d{3}){1,4}(?:\.\d{1,9})?|\d{1,15}(?:\.\d{1,9})?|(?<![\w.])\.\d{1,3}(?![\w.])"
_SCALE = (
    r"(?:[ -]?(?:thousand|million|billion|trillion|dozen|bn|mn|tn|trn)\b|(?-i:[kKMBT]|bn|mn)(?![A-Za-z0-9])"
    r"| (?-i:M)(?= (?:rows|records|requests|lines|events|queries|calls|documents|images|people|users|customers"
    r"|tokens)\b)"
    r"|(?(sign)(?-i:m)(?![A-Za-z0-9/²³])|(?-i:m)(?= (?:people|users|customers|subscribers|shares|households|homes"
    r"|visitors|tokens|passengers|copies|downloads|members|voters|viewers|readers|jobs|listeners)\b)))"
)
_TIMES = r"\s?×(?!\s?[\d$€£¥₹])|x(?![A-Za-z0-9])(?!\s+(?:[A-Z]+\d|\d|GPU|H\d))|[ -](?:times|fold)\b|fold\b"
_PP = r"[\s-]?(?:pp|percentage[ -]points?|points?|basis[ -]points?|bps|bp)\b"
_BASIS = re.compile(r"(?:basis[ -]points?|bps?)$", re.I)
_COINS = re.compile(
    rf"\s?(?P<coin>€|{COIN_PATTERN})(?![A-Za-z])|(?P<pence>(?-i:p))(?![A-Za-z0-9])"
    r"|(?P<c>(?-i:c(?= ?/| per| an?\b| each| apiece)| ?ct| ?kr))(?![A-Za-z0-9])",
    re.I,
)
_VIDEO = frozenset({"144", "240", "360", "480", "540", "576", "720"})
"""Numbers of lines with a p that are no pence: 720p."""
_PERCENT = r"\s?%|\s?per\s?cent\b(?!age)"
_COUNTED = (
    r"(?:[ -](?:(?:more|additional|extra|input|output|context|training|prompt)\s)?(?P<word>[A-Za-z]{1,12}(?:/s)?)"
    r"|(?P<glued>[A-Za-z]{1,6}(?:/s)?))(?![A-Za-z0-9])"
)
_TOKENS = r"(?:input|output|prompt|completion|cached|training)?(?:/output)?\s?(?:tokens?|tok)"
_PER = re.compile(
    rf"(?:\s?/\s?|\s(?:per|a|an|each|the(?=\s(?:million|thousand)\b))\s|-(?:per|an?)-)"
    rf"(?:(?P<mtok>(?:1\s?)?(?:M\b|million\b|MM\b)(?:\s?{_TOKENS}\b)?|1,000,000 {_TOKENS}|MTok\b|Mtoken\b)"
    rf"|(?P<ktok>(?:1\s?)?(?:K\b|thousand\b|1,000\b|1000\b)\s?(?:{_TOKENS}\b)|kTok\b)"
    rf"|(?P<gpuh>GPU[- /]?(?:hours?|hr|h)\b|(?:hours?|hr|h)/GPU\b|(?:hour|hr) per GPU\b)"
    r"|(?P<word>(?:kilo|mega|giga)watt[- ]hours?|[A-Za-z]{1,10})\b)(?! (?:later|ago|earlier|after|before)\b)",
    re.I,
)
_FIGURE = re.compile(
    rf"(?P<sign>US\$|[$€£¥₹]|(?-i:\bkr\.?(?=\s?\d))|(?-i:\bR(?=\d{{1,3}}(?:,\d{{3}})+(?![\w,])))|(?-i:\b(?:USD|EUR|GBP|CHF|JPY|CAD|AUD|SEK|NOK|DKK|PLN|INR|CNY))(?=\s\d))?\s?(?P<low>{_NUMBER})(?P<low_scale>{_SCALE})?"
    rf"(?:(?P<first>\s?%)?(?:[-–]|\s–\s|\sto\s|\sthrough\s)(?P<again>US\$"
    rf"|[$€£¥])?(?P<high>{_NUMBER})(?P<high_scale>{_SCALE})?)?"
    r"(?P<plus>\+)?",
    re.I,
)
_MILLION = re.compile(r"(?-i:m)(?![A-Za-z0-9/²³])")
_MILLIONS = re.compile(_FIGURE.pattern.replace("(?P<low_scale>", "(?P<low_scale>(?-i:m)(?![A-Za-z0-9/²³])|"), re.I)
_KIND = re.compile(rf"(?P<pp>{_PP})|(?P<percent>{_PERCENT})|(?P<times>{_TIMES})", re.I)
_UNIT = re.compile(_COUNTED)
_SPELLED = re.compile(
    rf"\b(?P<times>{'|'.join(NUMBERS)})(?:(?:-|\s)(?:times|fold)|fold)\b"
    rf"|\b(?P<many>one|an?|another|two|three|four|five|six|seven|eight|nine)[ -](?P<part>{'|'.join(FRACTIONS)})s?\b"
    r"(?!-li(?:fe|ves)\b)|\b(?P<half>half|halves|halved|halving)\b(?!-li(?:fe|ves)\b)"
    r"|\b(?P<two>twice|doubles?|doubled|doubling)\b|\b(?P<three>tr(?:ip|eb)les?|tr(?:ip|eb)l(?:ed|ing)|thrice)\b"
    r"|\b(?P<four>quadrupl(?:es?|ed|ing))\b|\b(?P<five>quintupl(?:es?|ed|ing))\b",
    re.I,
)
_LABEL = re.compile(
    r"(?:\s?(?:/M\b|/MTok|per (?:1M|million|1K|1,000)))?[ ,(/]{0,2}(?:for )?(?:per (?:1M|million|1K) )?"
    r"(?P<label>input|output|cached input|cache reads?|prompt|completion)\b",
    re.I,
)


@lru_cache(maxsize=16)
def figures(mask: str) -> tuple[Figure, ...]:
    """The figures of a masked text, in order; none overlap. Numbers with a decimal comma are read as well."""
    text = english_numbers(mask)
    found = sorted([*_digits(text), *_spelled(text)], key=lambda figure: (figure.start, -figure.end))
    read = tuple(_labelled(_without_overlaps(found), text))
    return read if text == mask else tuple(replace(one, text=mask[one.start : one.end]) for one in read)


def _without_overlaps(found: Iterable[Figure]) -> Iterator[Figure]:
    last = 0
    for figure in found:
        if figure.start >= last:
            yield figure
            last = figure.end


def _digits(mask: str) -> Iterator[Figure]:
    at = 0
    while digit := _DIGIT.search(mask, at):
        match = _FIGURE.search(mask, max(at, digit.start() - _BEFORE_DIGIT))
        if match is None:
            return
        figure, at = _figure(mask, match)
        if figure is not None:
            yield figure


_DIGIT = re.compile(r"[\d½¼¾⅓⅔⅛]")
_BEFORE_DIGIT = 5
"""The most characters of a figure before its first digit: a currency, a space and a point."""


def _figure(mask: str, match: re.Match[str]) -> tuple[Figure | None, int]:
    start = match.start("sign") if match["sign"] else match.start("low")
    if not match["sign"] and _MILLION.match(mask, match.end("low")) and is_million(mask, match.end("low")):
        match = _MILLIONS.match(mask, match.start()) or match
    if match["high"] and _two_figures(mask, match):
        match = _single(match)
    if is_name(mask, start, match):
        return None, match.end()
    end, sort, unit = _measure(mask, match)
    after = _PER.match(mask, end)
    per = _period(after) if sort in {"money", "unit", "count"} and after else ""
    if after and per:
        end = after.end()
    elif sort == "money" and (adverb := re.match(r"\s(\w+ly|annual)\b", mask[end : end + 12])):
        per = ADVERBS.get(adverb[1], "")
        end += adverb.end() if per else 0
    if sort == "count" and is_no_count(mask, match, end):
        return None, match.end()
    return _made(mask, match, (start, end), sort, (unit, per)), end


def _two_figures(mask: str, match: re.Match[str]) -> bool:
    """Whether a joined pair is two figures: `from 5 to 3`, `8-GPU`, a word `to` with a falling pair."""
    joined = mask[match.end("low") : match.start("high")]
    if _FROM.search(mask[max(0, match.start() - 28) : match.start() + 1]) or _after_a_year(match):
        return True
    if (match["again"] and not match["sign"]) or ("to" in joined and _changed_by(mask, match)):
        return True  # 20% to $60M; fell $2m to $24m, or by $30 to $90
    falls = _number(match["low"]) > _number(match["high"])
    if _SCORE.fullmatch(joined) and _SCORED.match(mask, match.start("low")):
        return falls  # 21-13, a score
    if _of_two_types(mask, match, joined) or ("–" in joined and " " in joined and falls):
        return True  # now 45, before 60 – 15 fewer
    return "to" in joined and (falls or _number(match["low"]) == _number(match["high"]))


def _of_two_types(mask: str, match: re.Match[str], joined: str) -> bool:
    """Whether one of two numbers is money or a share, and the other is not: rose 40% to 140 Gbit/s, $0.36 - 5.7x."""
    kind = _KIND.match(mask, match.end())
    if match["first"]:
        return kind is None
    return bool(match["sign"]) and not match["again"] and ("through" in joined or kind is not None)


_FROM = re.compile(r"\bfrom[\s~]{1,3}(?:roughly |about |around |approximately )?\S{0,2}$", re.I)
_A_YEAR = re.compile(r"(?:19|20)\d\d")


def _after_a_year(match: re.Match[str]) -> bool:
    """Whether the first of two numbers is a year, and the second is none: in 2010 to 60,000."""
    return not match["sign"] and bool(_A_YEAR.fullmatch(match["low"])) and not _A_YEAR.fullmatch(match["high"])


_CHANGE = (
    r"\b(?:fell|falls?|fallen|dropped|drops?|slipped|slid|declined|decreased|shrank|rose|rises?|risen|grew|grown|climbed"
    r"|increased|jumped|gained|lost|down|up)"
)
_CHANGED_BY = re.compile(rf"{_CHANGE} ?$")
"""Verbs right before an amount of change."""
_MOVED_BY = re.compile(rf"(?:{_CHANGE}|\b(?:cut|lowered|reduced|raised|lifted|trimmed))(?: [\w'’-]+){{0,4}} by$")
"""What is said before an amount of change that has `by`: we have lowered the subscription by."""


_WIDE = Decimal("2.5")
"""How many times the lower end the upper one of a range of changes hardly is: fell by $1,150 to $3,450 is no range."""


def _changed_by(mask: str, match: re.Match[str]) -> bool:
    """Whether the first of two numbers is a change: fell $2m to $24m, fell by $30 to $90."""
    before = mask[max(0, match.start() - 60) : match.start("sign") if match["sign"] else match.start("low")].rstrip()
    if _CHANGED_BY.search(before):
        return match["again"] is not None
    low, high = (_number(match[name]) * _scale(match[f"{name}_scale"]) for name in ("low", "high"))
    return (
        match["again"] is not None and before.endswith(" by") and bool(_MOVED_BY.search(before)) and high >= low * _WIDE
    )


_SCORE = re.compile(r"[-–]")
_SCORED = re.compile(r"\d{1,3}[-–]\d{1,3}(?![\w%-]| against| on\b| odds| favou?rite)")


def _single(match: re.Match[str]) -> re.Match[str]:
    """The same figure up to the first of two numbers."""
    shorter = _FIGURE.match(
        match.string, match.start(), match.end("low_scale") if match["low_scale"] else match.end("low")
    )
    return shorter if shorter is not None else match


def _measure(mask: str, match: re.Match[str]) -> tuple[int, str, str]:
    """The end of the unit, the type, and the unit."""
    end = match.end()
    if match["sign"]:
        return end, "money", CURRENCIES.get(match["sign"].upper()) or kroner(mask)
    kind = _KIND.match(mask, end)
    if kind and not (
        kind["times"] and (len(match["low_scale"] or "") > 2 or counts_events(mask, match.start("low"), kind.end()))
    ):  # 9 million times
        return kind.end(), ("pp" if kind["pp"] else "%" if kind["percent"] else "x"), ""
    if match["first"]:
        return match.end(), "%", ""
    after, currency = _coin(mask, match)
    if currency:
        return after, "money", currency
    end, unit = _unit(mask, end)
    return end, "unit" if unit else "count", unit


def _unit(mask: str, end: int) -> tuple[int, str]:
    """The end of a word for a unit after a number, and the unit; empty if there is none."""
    if (seconds := _SECOND_SYMBOL.match(mask, end)) is not None:
        return seconds.end(), "second"
    word = _UNIT.match(mask, end)
    unit = unit_of(word["word"] or word["glued"]) if word and not _FOR_A_DAY.match(mask, end) else ""
    return (word.end(), unit) if word and unit else (end, "")


_SECOND_SYMBOL = re.compile(r"(?<!\d{4})[ \u00a0\u202f]s(?![\w'’/-])")
"""The symbol of the second after a space, and not after a year: 3 min 30 s."""
_FOR_A_DAY = re.compile(
    r" day (?:tickets|passes|trips|trippers|visitors|guests|members|pupils|boarders|patients|cases|returns|permits)\b"
)
"""Things that are for a day, of which a number is none of days: 3,400 day tickets."""


def _coin(mask: str, match: re.Match[str]) -> tuple[int, str]:
    """The end of a word of money after a number, and its currency; empty if there is none."""
    coin = _COINS.match(mask, match.end())
    if coin and coin["c"]:
        return coin.end(), kroner(mask) if "k" in coin["c"] else "cent"
    if coin and (coin["coin"] or _pence(match)):
        return coin.end(), coin_of(coin["coin"]) if coin["coin"] else "pence"
    sterling = sterling_at(mask, match.end())
    return sterling, "GBP" if sterling else ""


def kroner(mask: str) -> str:
    """The currency that `kr` is in a text: Swedish, if it does not say another."""
    return "NOK" if _NORSE.search(mask) else "DKK" if _DANISH.search(mask) else "SEK"


_NORSE, _DANISH = re.compile(r"\b(?:kroner|Norw|NOK|Oslo)"), re.compile(r"\b(?:Danish|Denmark|DKK|Copenhagen)")


def _pence(match: re.Match[str]) -> bool:
    """Whether a number with a p may be pence: 95p, 125p; not 720p, 1080p."""
    return len(match["low"].partition(".")[0]) < 4 and not match["low_scale"] and match["low"] not in _VIDEO


_POUNDS = re.compile(r"(?: pounds|-pound)(?! of\b)(?: sterling)?\b")
_STERLING = re.compile(
    r"£|\b(?:pence|sterling|euros?|francs?)\b|€|pounds (?:ten|fifteen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty)\b"
)
_WEIGHT = re.compile(r"\b(?:weigh\w*|kilos?|k?g|lbs?|ounces?|lift\w*)\b")


def sterling_at(mask: str, end: int) -> int:
    """Where the word `pounds` ends after a number, if it is money by the words around; 0 if not."""
    pounds = _POUNDS.match(mask, end)
    near = mask[max(0, end - 200) : end + 200] if pounds else ""
    return pounds.end() if pounds and _STERLING.search(near) and not _WEIGHT.search(near) else 0


def unit_of(word: str) -> str:
    """The unit of the formula language for a word; empty if there is none."""
    base, slash, rest = word.partition("/")
    for spelling in (word.lower(), base.lower(), base.lower().removesuffix("s")):
        if spelling in UNITS:
            whole = spelling == word.lower() and "/" in spelling
            return UNITS[spelling] + ("" if whole or not slash else f"/{rest}")
    return ""


def _period(match: re.Match[str]) -> str:
    if match["mtok"]:
        return "Mtok"
    if match["ktok"]:
        return "ktok"
    if match["gpuh"]:
        return "GPU/h"
    return UNITS.get(match["word"].lower().removesuffix("s"), "") or ("h" if match["word"].lower() == "hrs" else "")


def period_at(mask: str, end: int) -> tuple[str, int]:
    """What a figure that ends at an offset is per, and where that ends."""
    after = _PER.match(mask, end)
    per = _period(after) if after else ""
    return (per, after.end()) if after and per else ("", end)


def _made(mask: str, match: re.Match[str], span: tuple[int, int], sort: str, units: tuple[str, str]) -> Figure:
    low_scale, high_scale = _scale(match["low_scale"]), _scale(match["high_scale"])
    if match["high"] and match["high_scale"] and not match["low_scale"]:
        low_scale = high_scale
    low = _number(match["low"]) * low_scale
    high = _number(match["high"]) * high_scale if match["high"] else low
    hedge = "at least" if match["plus"] else hedged(mask, span[0]) or hedged_after(mask, span[1])
    half, coarse = (
        max(
            _half(match["low"], coarse=rough) * low_scale,
            _half(match["high"], coarse=rough) * high_scale if match["high"] else Decimal(0),
        )
        for rough in (False, True)
    )
    low, high = sorted((low, high))
    text = mask[span[0] : span[1]]
    if units[0] in {"cent", "pence"} or (sort == "pp" and _BASIS.search(text)):
        low, high, half, coarse = (one / 100 for one in (low, high, half, coarse))
        units = (coined(mask, span[0], units[0]), units[1])
    return Figure(*span, text, low, high, half, sort, unit=units[0], per=units[1], hedge=hedge, coarse=coarse)


def coined(mask: str, start: int, coin: str) -> str:
    """The currency of cents and pence: cents are of the euro if only that is near."""
    if coin != "cent":
        return "GBP" if coin else ""
    near = mask[max(0, start - 300) : start + 300]
    return "EUR" if _EURO.search(near) and not _DOLLAR.search(near) else "USD"


_EURO, _DOLLAR = re.compile(r"€|\beuros?\b|\bEUR\b"), re.compile(r"\$|\bdollars?\b|\bUSD\b")


_VULGAR = {"½": "0.5", "¼": "0.25", "¾": "0.75", "⅓": "0.3333333333", "⅔": "0.6666666667", "⅛": "0.125"}


def _number(digits: str) -> Decimal:
    if digits[-1] in _VULGAR:
        return Decimal(digits[:-1] or 0) + Decimal(_VULGAR[digits[-1]])
    return Decimal(digits.replace(",", ""))


def _scale(text: str | None) -> Decimal:
    return SCALES[text.strip(" -").lower()] if text else Decimal(1)


def _half(digits: str | None, *, coarse: bool = False) -> Decimal:
    """Half a step of the last digit; with `coarse`, of the last non-zero digit, if there are at least two digits."""
    plain = (digits or "0").replace(",", "")
    if plain[-1] in _VULGAR:
        return Decimal(0)
    places = len(plain.partition(".")[2])
    zeros = len(plain) - len(plain.rstrip("0")) if coarse and not places else 0
    return Decimal(5).scaleb(min(zeros, max(0, len(plain) - 2)) - places - 1)


def _endings(words: Iterable[str]) -> tuple[str, ...]:
    """The endings of a text that are one of some words, an article after it allowed; a sign may follow anything."""
    return tuple(f" {word}{article}" if word[0].isalpha() else word for word in words for article in ("", " a", " an"))


_HEDGES = (("about", _endings(ABOUT)), ("at most", _endings(MOST)), ("at least", _endings(LEAST)))


_REACHED = re.compile(
    r"\b(?:add\w*|sum\w*|round\w*|climb\w*|work\w*|went|goes?|gone|mov\w+|ris\w+|rose|jump\w*|c[ao]m\w+"
    r"|br\w+ng\w*|push\w*"
    r"|pay \w+|took|tak\w+|grew|grow\w*|ran|runs?|it|price|bill|cost|total|up"
    r"|increase\w*|scal\w+) (?:it |this |that )?up to$"
)
"""Verbs before `up to` that make it a direction and no bound: the parts add up to $24k."""


_NO_BOUND = re.compile(
    r"[=-] ?>$"
    r"|\b(?:averag(?:e|ed|ing)|mean)(?: of)? \S+(?: \w+){0,2} over$"
    r"|\b(?:thick|deep|spread|laid|poured|applied) over$"
    r"|\b(?:turn|hand|carr|roll|spread|spaced|shar|spent|stretch|run|ran|tak|took|paid|left)"
    r"(?:s|ed|ing|es|en|y|ied|ies)? over$"
)
"""Arrows, and words before `over` that make it no bound: it turns over £5m; averaging 26 over five games."""


def hedged(mask: str, start: int) -> str:
    """The hedge in the words before an offset: `about`, `at most`, `at least`, or none."""
    before = f" {' '.join(mask[max(0, start - 36) : start].split())}".lower().rstrip(" (").replace("(", " ")
    if (before.endswith("up to") and _REACHED.search(before)) or _NO_BOUND.search(before):
        return ""
    return next((name for name, endings in _HEDGES if before.endswith(endings)), "")


def hedged_after(mask: str, end: int) -> str:
    """The hedge in the words after an offset: 20 or so, 20 people or more, 20-odd."""
    after = _AFTER.match(mask, end)
    return _HEDGED_AFTER[after[1].lower()] if after else ""


_AFTER = re.compile(r"(?: [a-z]+)?(?: or |-)(so|odd|more|less|fewer)\b(?! than)", re.I)
_HEDGED_AFTER = {"so": "about", "odd": "about", "more": "at least", "less": "at most", "fewer": "at most"}


_MULTIPLES = (
    ("half", Decimal("0.5")),
    ("two", Decimal(2)),
    ("three", Decimal(3)),
    ("four", Decimal(4)),
    ("five", Decimal(5)),
)


_A_PERIOD = re.compile(
    r"(?:(?:[$€£]|\b(?:USD|EUR|GBP) )[\d,.]*\d(?:k|m|bn|M)?|\b(?:dollars|euros|cents|pounds|pence|times))"
    r"(?: million| billion)? $"
)
"""What stands before `a quarter` that is three months."""


def _spelled(mask: str) -> Iterator[Figure]:
    for match in numerals(_SPELLED, mask):
        if no_multiple(mask, match):
            continue
        if match["times"]:
            value = NUMBERS[match["times"].lower()]
        elif match["part"]:
            if match[0].lower() == "a quarter" and _A_PERIOD.search(mask, max(0, match.start() - 24), match.start()):
                continue  # $500 a quarter
            many = NUMBERS.get(match["many"].lower(), Decimal(1))
            value = many * FRACTIONS[match["part"].lower()]
            if value >= 1:
                continue
        else:
            value = next(number for name, number in _MULTIPLES if match[name])
        half = Decimal("0.5") if match["times"] else value / 20
        hedge = hedged(mask, match.start())
        yield Figure(match.start(), match.end(), match[0], value, value, half, "x", "word", "", "", hedge)


def _labelled(found: Iterable[Figure], mask: str) -> Iterator[Figure]:
    """Money figures with what they are paid for: named after them, or by their position in a pair with a slash."""
    listed = list(found)
    for index, figure in enumerate(listed):
        label, per = _label(mask, figure), figure.per
        follower = listed[index + 1] if index + 1 < len(listed) else None
        former = listed[index - 1] if index else None
        if figure.sort == "money" and not label:
            if follower and _slashed(mask, figure, follower):
                label, per = "input", per or follower.per
            elif former and _slashed(mask, former, figure):
                label = "output"
        yield replace(figure, label=label, per=per) if figure.sort == "money" else figure


def _label(mask: str, figure: Figure) -> str:
    inside = re.search(r"\b(input|output)\b(?!/)", figure.text, re.I)
    behind = _LABEL.match(mask, figure.end)
    word = inside[1] if inside else behind["label"] if behind else ""
    word = {"prompt": "input", "completion": "output"}.get(word.lower(), word.lower())
    return "cache_read" if word.startswith("cache") else word


def _slashed(mask: str, left: Figure, right: Figure) -> bool:
    return left.sort == right.sort == "money" and mask[left.end : right.start].strip() == "/"
