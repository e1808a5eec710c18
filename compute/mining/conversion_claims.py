"""Conversions that a text states, parts of a mixture, and rates for another period.

€0.92 to the dollar · a nautical mile is 1.852 km        the amount times the rate, or divided by it
three parts water to one of concentrate, 400 ml          the total times one part, divided by all parts
June revenue of $310k annualises to $3.72M               the amount times 12
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache

from compute.mining.chain_claims import scale_of
from compute.mining.claim_scopes import A_YEAR, HOURS, Candidate, Scope
from compute.mining.date_text import MONTHS
from compute.mining.expressions import Op, Term, times
from compute.mining.number_words import ADVERBS
from compute.mining.product_claims import SAID, factors_between
from compute.mining.quantities import Quantity
from compute.mining.unit_dimensions import factor_of

ONE = Decimal(1)
_RATE = re.compile(
    r"\b(?:to (?:the|one|a|each|every)|for (?:one|a|each|every)|per|rates?|apiece|each|equals?|being|reckon\w*"
    r"|convert\w*|exchange\w*|buys|bought|fetch\w*|multipl\w+ by|divid\w+ by"
    r"|(?:an?|one|1|the) [\w-]+(?: mile)? (?:is|was|at|of|worth|weighs|holds|has|=|being|equals))"
    r"|=|['’]s at\b|(?:\bat|@) (?:a rate of |about )?\d+\.\d+\b",
    re.I,
)


def conversions(scope: Scope, target: Quantity, wanted: frozenset[str]) -> Iterator[Candidate]:
    """Conversions by a stated rate, parts of a mixture, rates for another period, and one in so many."""
    near = [
        one for one in scope.quantities if one.index != target.index and abs(scope.home(one) - scope.home(target)) < 4
    ]
    near = [one for one in near if not one.figure.ranged and one.figure.low > 0]
    if target.kind in {"money", "unit", "count", "time"}:
        if "exchanged" in wanted and _has(_RATE, scope.sentence.lead + scope.sentence.text):
            yield from _exchanged(target, near)
        if "parts" in wanted:
            yield from _parts(scope, target, near)
            yield from _on_a_map(scope, target, near)
        if "convert" in wanted:
            yield from _over_a_year(scope, target, near)
            yield from _on_average(scope, target, near)
            yield from _between_years(scope, target, near)
            yield from _time_of_period(scope, target, near)
            yield from _other_period(target, near)
    if target.kind == "count" and "convert" in wanted:
        yield from _of_frequency(scope, target, near)
    if target.kind in {"count", "share"} and "convert" in wanted:
        yield from _one_in(scope, target, near)
    if target.kind in {"share", "ratio"} and "parts" in wanted:
        yield from _part_shares(scope, target)


_AVERAGE = re.compile(
    r"\b(?:average|typical|normal|single|mean) (month|week|day|quarter)\b|\b(monthly|weekly|daily)\b", re.I
)


def _on_average(scope: Scope, target: Quantity, near: Sequence[Quantity]) -> Iterator[Candidate]:
    """An amount of a year for an average month, week or day of it: 102 million in 2018, 8.5 million a month."""
    found = _AVERAGE.search(scope.sentence.text)
    period = (found[1] or found[2]).lower() if found else ""
    parts = A_YEAR[ADVERBS.get(period, period)] if found else ONE
    for one in near if found else ():
        if one.kind == target.kind and one.unit == target.unit and not set(one.pers) - {"year"}:
            tree = times(Op("/", "x", parts), one.factor / target.factor)
            yield Candidate("convert", target, (one,), ("x",), tree, united=False, raw=True)


@lru_cache(maxsize=256)
def _has(pattern: re.Pattern[str], text: str) -> bool:
    """Whether a text has a pattern; searched once for all of its figures."""
    return pattern.search(text) is not None


def _one_in(scope: Scope, target: Quantity, near: Sequence[Quantity]) -> Iterator[Candidate]:
    """One in so many as a share, and a share as one in so many; or the share of the others."""
    yield from _so_many_in(scope, target, near)
    for one in near:
        if one.kind == target.kind == "share" and abs(one.index - target.index) < 3 and _some_of(one, target):
            for tree in ("x", Op("-", ONE, "x")):
                yield Candidate("convert", target, (one,), ("x",), tree, united=False, raw=True)
        share, count = (one, target) if target.kind == "count" else (target, one)
        if (share.kind, count.kind) != ("share", "count") or abs(one.index - target.index) > 2:
            continue
        if not count.pers and scope.left(count)[-1:] == ("in",):
            for tree in (Op("/", ONE, "x"), Op("/", ONE, Op("-", ONE, "x"))) if one is share else (
                Op("/", ONE, "x"), Op("-", ONE, Op("/", ONE, "x")),
            ):  # fmt: skip  # the trees on two lines are more readable
                yield Candidate("convert", target, (one,), ("x",), tree, united=False, raw=True)


_HUNDREDS = {"hundred": Decimal(100), "thousand": Decimal(1000), "ten": Decimal(10)}


def _so_many_in(scope: Scope, target: Quantity, near: Sequence[Quantity]) -> Iterator[Candidate]:
    """Two amounts as one in so many, or as so many in a hundred: nine in every hundred, one seat in ten."""
    left, right = scope.left(target), scope.right(target)
    often = next((_HUNDREDS[word] for word in right[1:3] if word in _HUNDREDS and right[0] in {"in", "per"}), None)
    one_in = left[-1:] == ("in",) or left[-2:] in {("in", "every"), ("out", "of")}
    if target.kind != "count" or not (often or (one_in and "one" in left[-5:])):
        return
    amounts = [one for one in near if one.kind in {"count", "money", "unit"} and one.index < target.index][-4:]
    for place, one in enumerate(amounts):
        for two in amounts[place + 1 : place + 3]:
            if one.kind != two.kind or one.base == two.base or (one.unit and two.unit and one.unit != two.unit):
                continue
            big, small = (one, two) if one.base > two.base else (two, one)
            trees: tuple[Term, ...] = (Op("/", "whole", "part"), Op("/", "whole", Op("-", "whole", "part")))
            if often:
                trees = (Op("*", Op("/", "part", "whole"), often),)
            for tree in trees:
                yield Candidate("convert", target, (big, small), ("whole", "part"), tree, raw=True)


def _some_of(one: Quantity, two: Quantity) -> bool:
    """Whether one of two shares is said as some of so many: one in four, nine out of ten."""
    return (_IN.search(one.figure.text) is None) != (_IN.search(two.figure.text) is None)


_IN = re.compile(r" (?:in|out of) ")
_EVERY = re.compile(r"\b(?:every|(?P<once>once) (?:an?|per|every|each)) (?P<unit>second|minute|hour|day)\b")


def _of_frequency(scope: Scope, target: Quantity, near: Sequence[Quantity]) -> Iterator[Candidate]:
    """How often something happens in a period: a reading every ten minutes, 144 a day."""
    text = scope.sentence.lead + scope.sentence.text
    if "every" not in text and "once " not in text:
        return
    period = next((per for per in target.pers if per in HOURS), "") or next(
        (
            unit
            for word, unit in SAID.items()
            if re.search(rf"\b(?:an?|per|each|one) {word}\b", scope.sentence.text, re.I)
        ),
        "",
    )
    if not period:
        return
    for one in near:
        if one.kind == "time" and one.unit in HOURS and scope.left(one)[-1:] == ("every",):
            tree = Op("/", HOURS[period] / HOURS[one.unit], "time")
            yield Candidate("convert", target, (one,), ("time",), tree, united=False, raw=True)
    if found := _EVERY.search(text):
        often = HOURS[period] / HOURS[{"hour": "h"}.get(found["unit"], found["unit"])]
        if found["once"] and often > 1:
            yield Candidate("convert", target, (), (), often, united=False, raw=True)
        for one in near:
            if one.kind == "count" and one.index < target.index and often > 1:
                yield Candidate(
                    "convert", target, (one,), ("number",), Op("*", "number", often), united=False, raw=True
                )


def _exchanged(target: Quantity, near: Sequence[Quantity]) -> Iterator[Candidate]:
    """An amount in another unit, times a rate or divided by it."""
    for amount in near:
        if amount.kind not in {"money", "unit", "count"} or _same_unit(amount, target) or not amount.unit:
            continue
        for rate in near:
            if rate is not amount and abs(rate.index - amount.index) < 3 and _is_rate(rate, amount, target):
                used, names = (amount, rate), ("amount", "rate")
                yield Candidate("exchanged", target, used, names, Op("*", *names), united=False, raw=True)
                yield Candidate("exchanged", target, used, names, Op("/", *names), united=False, raw=True)


def _same_unit(one: Quantity, two: Quantity) -> bool:
    return one.unit == two.unit and one.factor == two.factor


def _is_rate(rate: Quantity, amount: Quantity, target: Quantity) -> bool:
    """Whether a figure may be what one unit of an amount is in that of a target."""
    if rate.kind not in {"money", "unit", "count"}:
        return False
    money = {one.unit for one in (amount, target) if one.kind == "money"}
    if rate.kind == "money":
        return (rate.unit in money and len(money) == 2) or rate.unit == amount.unit == ""
    return _same_unit(rate, target) or _same_unit(rate, amount) or not rate.unit


# ---- parts of a mixture

_RATIO = re.compile(r"(?<![\d:.])(\d{1,3}):(\d{1,3})(?::(\d{1,3}))?(?!\d|:\d)")
_NUMBERS = {word: number for number, word in enumerate(re.findall(r"\w+", """
    one two three four five six seven eight nine ten
"""), 1)}  # fmt: skip  # the words on one line are more readable
_COUNT = rf"\d{{1,2}}|{'|'.join(_NUMBERS)}"
_TO = re.compile(rf"\b({_COUNT}) (?:parts? [\w ]{{1,20}})?to ({_COUNT})\b")
_MIXED = re.compile(
    r"\b(?:ratio|parts?|mix\w*|split|shared?|divid\w+|dilut\w+|in favour|go|goes|is|take|proportions?|outnumber\w*)\b"
    r"|\d:\d",
    re.I,
)


_MAP = re.compile(r"(?<![\d:.])1:(\d{1,3}(?:,\d{3})+|\d{3,7})(?!\d|:\d)")


def _on_a_map(scope: Scope, target: Quantity, near: Sequence[Quantity]) -> Iterator[Candidate]:
    """A length on a map or a model, and the true one: 1:50,000, 6 cm are 3 km."""
    found = _MAP.search(scope.sentence.lead + scope.sentence.text) if target.unit == "m" else None
    for one in near if found else ():
        if found and one.unit == "m" and not one.pers:
            factor = Decimal(found[1].replace(",", ""))
            scale = one.factor / target.factor * (factor if one.base < target.base else 1 / factor)
            tree = Op("*", "length", scale) if scale >= 1 else Op("/", "length", 1 / scale)
            yield Candidate("parts", target, (one,), ("length",), tree, united=False, raw=True)


def _parts(scope: Scope, target: Quantity, near: Sequence[Quantity]) -> Iterator[Candidate]:
    """An amount divided by a ratio of parts: one part of the total, or what belongs to another part."""
    text = scope.sentence.lead + scope.sentence.text
    if not _has(_MIXED, text):
        return
    ratios = {tuple(int(one) for one in match.groups() if one) for match in _RATIO.finditer(text)}
    ratios |= {(_number(match[1]), _number(match[2])) for match in _TO.finditer(text)}
    wholes = [one for one in near if one.kind == target.kind and (one.unit == target.unit or not target.unit)]
    wholes += [one for one in near if one.kind == target.kind == "count" and one.unit and one not in wholes]
    for parts in sorted(ratios)[:2]:
        if not 1 < sum(parts) <= 200 or 0 in parts or len(set(parts)) == 1:
            continue
        for whole in [one for one in wholes if one.index != target.index][:2]:
            for tree in _shares([Decimal(one) for one in parts]):
                yield Candidate("parts", target, (whole,), ("amount",), tree, exact=True)


def _number(word: str) -> int:
    return _NUMBERS.get(word.lower()) or int(word)


def _shares(parts: Sequence[Decimal]) -> Iterator[Term]:
    whole = sum(parts, Decimal(0))
    for place, one in enumerate(parts):
        yield Op("/", Op("*", "amount", one), whole)
        yield Op("/", Op("*", "amount", whole), one)
        for other in (*parts[:place], *parts[place + 1 :]):
            yield Op("/", Op("*", "amount", one), other)


_FOR_EVERY = re.compile(
    rf"\b({'|'.join(_NUMBERS)}|\d{{1,2}}) [\w ]{{1,20}}(?:for|to) (?:every|each) (?!(?:one|\d))[a-z]+"
)


def _part_shares(scope: Scope, target: Quantity) -> Iterator[Candidate]:
    """The share of a part: 1 to 4, so 20%; two girls for every boy, so two thirds."""
    text = scope.sentence.lead + scope.sentence.text
    ratios = {tuple(int(one) for one in match.groups() if one) for match in _RATIO.finditer(text)}
    if re.search(r"\b(?:mix|ratio|parts?)\b", text):
        ratios |= {(_number(match[1]), _number(match[2])) for match in _TO.finditer(text)}
    ratios |= {(_number(match[1]), 1) for match in _FOR_EVERY.finditer(text)}
    for parts in sorted(ratios)[:2]:
        if 1 < sum(parts) <= 200 and 0 not in parts:
            for one in sorted(set(parts)):
                tree = Op("/", Decimal(one), Decimal(sum(parts)))
                yield Candidate("parts", target, (), (), tree, united=False, exact=True)


# ---- other periods

_YEARLY = re.compile(
    r"\b(?:annuali[sz]\w*|ARR|run[- ]rate|annual (?:rate|basis)|(?:a|per|the|whole|full) year|p\.\s?a\.?|annum|yearly"
    r"|annually|every month)",
    re.I,
)
_NAMES = "|".join(name.capitalize() for name in MONTHS)
_MONTHLY = re.compile(rf"\b(?:MRR|[Mm]onthly|month|(?:{_NAMES})(?:['’]s)?)\b")
_QUARTER = re.compile(r"\b(?:Q[1-4]|[Qq]uarter(?:ly)?)\b")


def _over_a_year(scope: Scope, target: Quantity, near: Sequence[Quantity]) -> Iterator[Candidate]:
    """An amount of a month or a quarter, for a year; a salary for a month."""
    text = scope.sentence.lead + scope.sentence.text
    lengths = [(_MONTHLY, Decimal(12)), (_QUARTER, Decimal(4))]
    for one in near:
        if not _same_unit(one, target) or one.kind != target.kind or abs(one.index - target.index) > 2:
            continue
        if not one.pers and _has(_YEARLY, text):
            for words, factor in lengths:
                if _has(words, text):
                    yield _converted(target, one, factor)
        if one.pers == ("day",) and not target.pers and _has(_YEARLY, text):
            yield _converted(target, one, Decimal(365))
        if one.pers == ("month",) and not target.pers and _has(_YEARLY, text):
            yield _converted(target, one, Decimal(12))
        if "month" in target.pers and not one.pers:
            yield _converted(target, one, 1 / Decimal(12))


_YEAR = re.compile(r"(?<![\w.,$€£/-])(1[6-9]\d\d|20\d\d)(?![\w/]|[.,]\d|-\d)")


def _between_years(scope: Scope, target: Quantity, near: Sequence[Quantity]) -> Iterator[Candidate]:
    """An amount of some years for one: 1.8 km since 1995; by 2025 that was 60 m a year."""
    if target.pers[:1] != ("year",):
        return
    years = sorted({int(year) for year in _YEAR.findall(scope.sentence.lead + scope.sentence.text)})
    for one in near if len(years) == 2 else ():
        if one.kind == target.kind and one.unit == target.unit and not one.pers:
            tree = times(Op("/", "amount", Decimal(years[1] - years[0])), one.factor / target.factor)
            yield Candidate("convert", target, (one,), ("amount",), tree, united=False, raw=True)


def _time_of_period(scope: Scope, target: Quantity, near: Sequence[Quantity]) -> Iterator[Candidate]:
    """A time of a longer period for a shorter one: 2,100 seconds a week are five minutes a day."""
    if target.kind != "unit" or target.unit not in HOURS or len(target.pers) != 1 or target.pers[0] not in HOURS:
        return
    text = scope.sentence.lead + scope.sentence.text
    said = {SAID[word] for word in re.findall(r"\b(?:an?|per|each|every|the) (\w+)", text.lower()) if word in SAID}
    for one in near:
        if one.unit not in HOURS or one.kind not in {"time", "unit"} or abs(one.index - target.index) > 3:
            continue
        for period in sorted({*one.pers, *said}):
            if period in HOURS and HOURS[period] != HOURS[target.pers[0]]:
                for factor in factors_between(period, target.pers[0]):
                    scale = HOURS[one.unit] / HOURS[target.unit] / factor
                    tree = Op("*", "time", scale) if scale > 1 else Op("/", "time", 1 / scale)
                    yield Candidate("convert", target, (one,), ("time",), tree, united=False, raw=True)


def _converted(target: Quantity, one: Quantity, factor: Decimal) -> Candidate:
    tree: Term = Op("*", "amount", factor) if factor > 1 else Op("/", "amount", 1 / factor)
    scale = factor_of(one) / factor_of(target)
    return Candidate("convert", target, (one,), ("amount",), times(tree, scale), united=False, exact=True, raw=True)


def _other_period(target: Quantity, near: Sequence[Quantity]) -> Iterator[Candidate]:
    """A rate of counted things for another period, where the target does not say again what it counts."""
    if target.kind != "count" or target.unit or len(target.pers) != 1 or target.pers[0] not in HOURS:
        return
    for one in near:
        period = next((per for per in one.pers if per in HOURS), "")
        if period and period != target.pers[0] and one.kind in {"unit", "count"} and abs(one.index - target.index) < 4:
            factor = HOURS[target.pers[0]] / HOURS[period]
            for scale in {ONE, scale_of((one,), target)}:
                tree = times(Op("*", "rate", factor) if factor > 1 else Op("/", "rate", 1 / factor), scale)
                yield Candidate("convert", target, (one,), ("rate",), tree, united=False, raw=True)
