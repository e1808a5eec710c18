"""Times between years and dates, and the memory that a model's weights need.

from 2015 to 2023, eight years · on 3 March … on 24 March, three weeks        the later minus the earlier
a 7B model at 16 bits needs 14 GB                                             parameters * bytes
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise

from compute.mining.claim_cues import has
from compute.mining.claim_scopes import HOURS, Candidate, Scope
from compute.mining.date_text import MONTH_PATTERN, month_number
from compute.mining.expressions import Op, Term, product
from compute.mining.item_counts import item_counts
from compute.mining.product_claims import SAID, factors_between
from compute.mining.quantities import Quantity

_YEAR = re.compile(r"(?<![\w.,$€£/-])(1[6-9]\d\d|20\d\d)(?![\w/]|[.,]\d|-\d)")
_DATE = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{MONTH_PATTERN})|(?P<month2>{MONTH_PATTERN}) "
    rf"(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?)\b(?:,? (?P<year>\d{{4}}))?"
    rf"|\b(?P<iso>\d{{4}}-\d\d-\d\d)\b",
    re.I,
)
_ONE_MONTH = re.compile(
    r"\b(?P<first>\d{1,2})(?:st|nd|rd|th)?(?: (?:to|until|till|through) (?:the )?|[–-])"
    rf"(?P<last>\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?P<month>{MONTH_PATTERN}))\b",
    re.I,
)
"""Two days of one month: from 4 to 9 June."""
_SPAN = re.compile(
    r"\b(?:from|between|since|until|till|founded|born|built|opened|started|began|begun|took|lasted|later|earlier"
    r"|turned|old|ended|finished|completed|after|before|left|reached|arrived|came|transit|ran|aged|died|lived"
    r"|spans?|elapsed)\b|[–—→]",
    re.I,
)
_DAYS = {"day": (Decimal(1),), "week": (Decimal(7),), "month": (Decimal("30.4375"),), "year": (Decimal("365.25"),)}


def special(scope: Scope, target: Quantity) -> Iterator[Candidate]:
    """The relations of a target to dates, times of day, lists of words, and constants that go without saying."""
    if target.figure.ranged:
        return
    if target.kind == "count" and target.unit == "night":
        yield from _spans(scope, replace(target, kind="time", unit="day"))
    if target.kind == "time":
        if not target.pers:
            yield from _spans(scope, target) if _born(scope) or not _is_age(scope, target) else ()
            yield from _clocks(scope, target)
        yield from _downtimes(scope, target)
    if target.kind == "share":
        yield from _availability(scope, target)
        yield from _load_factors(scope, target)
    if target.figure.unit == "FLOPS" and not target.pers:
        yield from _flop(scope, target)
    if target.kind == "count":
        yield from item_counts(scope, target)
        yield from _flop(scope, target)
        yield from _celsius(scope, target)
        if _aged(scope, target):
            yield from _spans(scope, target)
    if target.figure.unit in _BYTES and not target.pers:
        yield from _weights(scope, target)


def _aged(scope: Scope, target: Quantity) -> bool:
    """Whether a bare number may be an age."""
    left = scope.left(target)
    if target.unit or target.pers or not target.figure.is_integer or not 1 < target.figure.low < 120:
        return False
    return _born(scope) and left[-1:] in {("turned",), ("aged",), ("was",), ("at",), ("is",), ("of",), ("be",)}


def _born(scope: Scope) -> bool:
    """Whether a text has a year of birth."""
    return _BIRTH.search(scope.sentence.lead + scope.sentence.text) is not None


_BIRTH = re.compile(r"\b(?:born|birth|b\.)(?=[\s.,])|\((?:born |b\. )?\d{4} ?[-–—]|\bchristened\b|\bbaptised\b", re.I)
"""Words of a birth, or the years of a life in parentheses: an age does not follow from other years."""


def _is_age(scope: Scope, target: Quantity) -> bool:
    """Whether a time is how old someone is: 24 years old, her 19-year-old son, at the age of 14 years."""
    left, right = scope.left(target), scope.right(target)
    after = right[1:] if right[:1] == ("-",) else right
    return after[:1] == ("old",) or after[:2] == ("of", "age") or left[-1:] == ("aged",) or left[-2:] == ("age", "of")


FAR = 3
"""The fit of a span between dates of earlier sentences: it may hold, and refutes nothing."""


def _spans(scope: Scope, target: Quantity) -> Iterator[Candidate]:
    """The time between two dates or years of a sentence, or of the text before it in the paragraph."""
    own, lead = scope.sentence.text, scope.sentence.lead
    for said in (own, lead + own) if lead else (own,):
        fit = 0 if said is own else FAR
        text = _ONE_MONTH.sub(r"\g<first> \g<month> to \g<last>", said)
        dates = _dated([day for match in _DATE.finditer(text) if (day := _day(match))])
        years = _years_of(" ".join(_DATE.sub("", text).split()))
        if len(dates) == 2 and target.unit in {*_DAYS, ""}:
            (first, stated), (last, _) = dates
            gap = abs((last - first).days) if stated else _days_between(first, last, target)
            if target.unit and (dates[0][1] == dates[1][1] or target.unit == "day"):
                years_differ = dates[0][0].year != dates[1][0].year
                nights = scope.quantities[target.index].unit == "night"
                both = target.unit == "day" and not nights and _BOTH.search(text) is not None
                found = _between(target, gap + both, apart=years_differ, exact=both)
                yield from (one._replace(fit=fit) for one in found)
        months = _months(text)
        if len(months) == 2 and target.unit == "month":
            apart = abs(months[1] - months[0])
            both = target.figure.low == apart + 1  # the first and the last month count
            yield Candidate("span", target, (), (), apart + both, united=False, exact=True, fit=fit)
        if target.unit in {"year", ""}:
            every = [*years, *(Decimal(day.year) for day, said in dates if said)]
            for one in _between_years(target, text, every):
                if not fit or isinstance(one.expression, Op):  # a year more or less counts within a sentence only
                    yield one._replace(fit=fit)
        if len(dates) > 1 or len(years) > 1:
            return


_BEFORE = re.compile(r"\b(?P<bc>\d{1,4}) B\.?C\.?(?:E\b)?|\bAD (?P<ad>\d{1,4})\b|\b(?P<ce>\d{1,4}) (?:AD|CE)\b")


def _years_of(text: str) -> list[Decimal]:
    """The years of a text; those before Christ are negative."""
    if not re.search(r"\bB\.?C\b", text):
        return [Decimal(year) for year in _YEAR.findall(text)]
    found = [(one.start(), -Decimal(one["bc"]) if one["bc"] else Decimal(one["ad"] or one["ce"]))
             for one in _BEFORE.finditer(text)]  # fmt: skip
    taken = [one.span() for one in _BEFORE.finditer(text)]
    found += [
        (one.start(), Decimal(one[1]))
        for one in _YEAR.finditer(text)
        if not any(first <= one.start() < last for first, last in taken)
    ]
    return [year for _, year in sorted(found)]


def _dated(found: list[tuple[date, bool]]) -> list[tuple[date, bool]]:
    """Some dates; of two, one without a year has that of the other, or the next: 29 November 2021 to 9 March."""
    if len(found) != 2 or found[0][1] == found[1][1]:
        return found
    (one, stated), (two, _) = found
    try:
        if stated:
            two = two.replace(year=one.year)
            two = two if two >= one else two.replace(year=one.year + 1)
        else:
            one = one.replace(year=two.year)
            one = one if two >= one else one.replace(year=two.year - 1)
    except ValueError:
        return found  # 29 February
    return [(one, True), (two, True)]


def _between_years(target: Quantity, text: str, years: list[Decimal]) -> Iterator[Candidate]:
    """The years between two years; between the first and the last of three; of two spans together."""
    if len(years) == 2 or (len(years) == 3 and _SPAN.search(text)):
        for one, two in {(max(years), min(years)), (years[1], years[0]), (years[-1], years[-2])}:
            if one != two:
                yield _years(target, max(one, two), min(one, two))
    elif len(years) == 4 and _SPAN.search(text):
        both = years[1] - years[0] + years[3] - years[2]
        if both > 0:
            yield Candidate("span", target, (), (), both, united=False, exact=True)


_MONTH_YEAR = re.compile(rf"\b({MONTH_PATTERN}) (\d{{4}})\b", re.I)


def _months(text: str) -> list[Decimal]:
    """The months of a text that are stated with a year, as numbers."""
    found = []
    for name, year in _MONTH_YEAR.findall(text):
        found.append(Decimal(int(year) * 12 + month_number(name)))
    return found


_CLOCK = re.compile(
    r"(?<![\d:.])(?P<hour>[01]?\d|2[0-4])(?:[:.](?P<minute>[0-5]\d))?(?P<half> ?[ap]\.?m\b\.?)?(?!\d|:\d|\.\d|%)", re.I
)


_SECONDS = re.compile(r"(?<![\d:.])(\d{1,2}):([0-5]\d):([0-5]\d)(?!\d|[:.]\d)")
_SAME_ZONE = re.compile(
    r"\b(?:same time[- ]zone|(?:without|no) (?:a )?chang\w+ (?:of |in )?(?:the )?time[- ]zone)", re.I
)


def _clocks(scope: Scope, target: Quantity) -> Iterator[Candidate]:
    """The time between two times of day: 22:40 to 06:25 is 7 h 45 min."""
    text = scope.sentence.lead + scope.sentence.text
    found = [
        _minutes(match) for match in _CLOCK.finditer(text) if (match["minute"] and ":" in match[0]) or match["half"]
    ]
    if _FROM_THE_END.search(text):
        found.reverse()
    exact = [int(one[1]) * 3600 + int(one[2]) * 60 + int(one[3]) for one in _SECONDS.finditer(text)]
    if len(exact) == 2 and target.unit in HOURS:
        apart = Decimal(abs(exact[1] - exact[0])) / 3600
        yield Candidate("elapsed", target, (), (), apart / HOURS[target.unit], united=False)
    if not _SAME_ZONE.search(text) and re.search(
        r"\b(?:flight|flew|fly|lands?|landed|(?<!same )time zone|break|(?<!hours )(?<!minutes )later|longer)\b", text
    ):
        return
    if target.unit == "second" and len(found) == 2:
        yield Candidate("elapsed", target, (), (), Decimal(abs(found[1] - found[0])), united=False)
    for one, two in pairwise(found if len(found) == 2 else ()):
        apart = Decimal((two - one) % 1440) / 60
        if apart:
            yield Candidate("elapsed", target, (), (), apart / HOURS[target.unit], united=False)


_FROM_THE_END = re.compile(
    r"\b(?:end|finish|clos|stop)(?:s|es|ed)? at\b[^.;]*\b(?:beg[ai]ns?|began|start(?:s|ed)?|opens?|opened)\b", re.I
)
"""Words before two times of day of which the later one is said first."""


@lru_cache(maxsize=64)
def hours_between(text: str) -> Decimal:
    """The hours between the only two times of day of a text; 0 if it has more or fewer."""
    found = [_minutes(match) for match in _CLOCK.finditer(text) if match["minute"] or match["half"]]
    return Decimal((found[1] - found[0]) % 1440) / 60 if len(found) == 2 else Decimal(0)


def _minutes(match: re.Match[str]) -> int:
    hour = int(match["hour"])
    if match["half"]:
        hour = hour % 12 + (12 if match["half"].strip().lower().startswith("p") else 0)
    return hour * 60 + int(match["minute"] or 0)


def _downtimes(scope: Scope, target: Quantity) -> Iterator[Candidate]:
    """The downtime that an availability allows in a period that is said with a word: `a year`, `per month`."""
    for share in scope.quantities:
        if share.kind == "share" and 80 <= share.figure.low < 100 and not share.figure.ranged and target.unit in HOURS:
            for factor in _said(scope, target.unit):
                tree = Op("*", Op("-", Decimal(1), "share"), factor)
                yield Candidate("downtime", target, (share,), ("share",), tree, united=False)


def _availability(scope: Scope, target: Quantity) -> Iterator[Candidate]:
    """The availability that a downtime leaves of a period that is said with a word."""
    for down in scope.quantities:
        if down.kind == "time" and not down.figure.ranged and down.unit in HOURS and target.figure.low >= 80:
            for factor in _said(scope, down.unit):
                tree = Op("-", Decimal(1), Op("/", "down", factor))
                yield Candidate("availability", target, (down,), ("down",), tree, united=False, exact=True)


def _load_factors(scope: Scope, target: Quantity) -> Iterator[Candidate]:
    """The share of what a power could give in a period that is said with a word: `over the year`."""
    powers = [one for one in scope.quantities if one.unit == "W" and not one.figure.ranged and not one.pers]
    works = [one for one in scope.quantities if one.unit == "Wh" and not one.figure.ranged]
    for power in powers[:2]:
        for work in works[:2] if power.figure.low else ():
            for hours in _said(scope, "h"):
                tree = Op("/", "work", Op("*", "power", hours))
                tree = Op("*", tree, work.factor / power.factor) if work.factor != power.factor else tree
                used, names = (work, power), ("work", "power")
                yield Candidate("quotient", target, used, names, tree, united=False, raw=True, fit=1)


def _said(scope: Scope, smaller: str) -> Iterator[Decimal]:
    tokens = {token for gap in scope.gaps for token in gap} | {per for one in scope.quantities for per in one.pers}
    for period in sorted({SAID[token] for token in tokens if token in SAID}):
        if HOURS[period] > HOURS[smaller]:
            yield from factors_between(period, smaller)[:3]


def _flop(scope: Scope, target: Quantity) -> Iterator[Candidate]:
    """The operations of a model: 6 per parameter and token in training, 2 in use."""
    if not re.search(r"\bFLOPs?\b|\b[26]ND\b", scope.sentence.text):
        return
    near = [one for one in scope.quantities if one.index != target.index and not one.figure.ranged]
    models = [one for one in near if one.figure.unit == "parameter" or _MODEL.fullmatch(one.figure.text)]
    models += [one for one in near if scope.left(one)[-2:] == ("n", "=") and one not in models]
    tokens = [one for one in near if one.figure.low >= 100 and (one.unit == "token" or one.kind == "count")]
    for params in models:
        for used in tokens:
            if used is params:
                continue
            for factor in _factors(scope.sentence.text):
                tree = product(factor / target.factor, "parameters", "tokens")
                yield Candidate("flop", target, (params, used), ("parameters", "tokens"), tree, united=False, raw=True)
        if target.kind == "count":
            yield Candidate("flop", target, (params,), ("parameters",), product(Decimal(2), "parameters"), united=False)


def _factors(text: str) -> tuple[Decimal, ...]:
    """The operations per parameter and token that a text speaks of: 6 in training, 2 in use."""
    if re.search(r"\b6 ?[ND×*·]|\btrain\w*", text):
        return (Decimal(6),)
    return (
        (Decimal(2),)
        if re.search(r"\b2 ?[ND×*·]|\b(?:generat|infer|answer|repl)\w*", text)
        else (Decimal(6), Decimal(2))
    )


_MODEL = re.compile(r"\d{1,4}(?:\.\d{1,2})?B")


def _celsius(scope: Scope, target: Quantity) -> Iterator[Candidate]:
    """A temperature in the other scale."""
    mark = _degrees(scope, target)
    for one in scope.quantities if mark else ():
        other = _degrees(scope, one)
        if abs(one.index - target.index) == 1 and {mark, other} == {("°", "c"), ("°", "f")}:
            first = min(one, target, key=lambda part: part.index)
            if has(scope.left(first)[-1:], {"by"}) or has(scope.left(first)[-3:], _WARMER):
                tree: Term = Op("*" if mark[1] == "f" else "/", "degrees", Decimal("1.8"))
            elif mark[1] == "f":
                tree = Op("+", Op("*", "degrees", Decimal("1.8")), Decimal(32))
            else:
                tree = Op("/", Op("-", "degrees", Decimal(32)), Decimal("1.8"))
            yield Candidate("celsius", target, (one,), ("degrees",), tree, united=False)


_WARMER = frozenset({"rise", "fall", "drop", "increase", "decrease", "difference", "swing", "gap", "range", "warming"})
"""Words before a change of temperature, which has no zero to move."""


def _degrees(scope: Scope, one: Quantity) -> tuple[str, ...]:
    """The scale of a temperature after its number: `°C` or `degrees Celsius`."""
    right = scope.right(one)[:2]
    if right[:1] in {("degrees",), ("degree",)} and right[1:] in {("celsius",), ("fahrenheit",), ("c",), ("f",)}:
        return "°", right[1][0]
    return right if right[:1] == ("°",) else ()


def _day(match: re.Match[str]) -> tuple[date, bool] | None:
    """A date, and whether its year is stated."""
    try:
        if match["iso"]:
            return date.fromisoformat(match["iso"]), True
        month = month_number(match["month"] or match["month2"])
        return date(int(match["year"] or 2023), month, int(match["day"] or match["day2"])), bool(match["year"])
    except ValueError:
        return None


def _years(target: Quantity, last: Decimal, first: Decimal) -> Candidate:
    """The years between two; one more or less counts as the same, because the months are not stated."""
    near = abs(target.figure.low - (last - first)) == 1
    tree = target.figure.low if near else Op("-", last, first)
    return Candidate("span", target, (), (), tree, united=False, exact=True)


def _days_between(first: date, last: date, target: Quantity) -> int:
    """The days between two dates without a year; of 1 November and 1 March those that are nearer to the stated time."""
    days = (last - first).days
    if days >= 0 or not target.unit:
        return abs(days)
    stated = target.figure.low * _DAYS[target.unit][0]
    return min((-days, days + 365), key=lambda gap: abs(gap - stated))


_BOTH = re.compile(
    r"\binclusive\b|\bboth (?:days |dates |ends )?(?:included|inclusive)\b"
    r"|\bfirst and (?:the )?last (?:days? )?included\b|\bincluding (?:both|the first and)\b",
    re.I,
)
"""Words that say that both dates count: from 6 to 19 May inclusive, 14 days."""


def _between(target: Quantity, days: int, *, apart: bool, exact: bool) -> Iterator[Candidate]:
    """The days between two dates; unless `exact`, a day, a week or a month more or less counts as the same."""
    length = _DAYS[target.unit][0]
    gap = Decimal(days) / length
    room = Decimal(not exact) if target.unit == "day" else Decimal("0.25") if target.unit == "week" else Decimal("0.6")
    number = target.figure.low if abs(target.figure.low - gap) <= room else round(gap, 1)
    if not apart and days > 366:
        return
    yield Candidate("span", target, (), (), number, united=False, exact=True)


_WIDTH = re.compile(
    r"\b(?P<bits>32|16|8|4|two|four|eight|sixteen)[- ]bits?\b|\b(?:(?:BF|FP|INT|NF|NVFP)(?P<form>32|16|8|4)"
    r"|bfloat(?P<brain>16))\b|\b(?P<bytes>two|one|four|2|1|4|0\.5|half a|a single) bytes?\b|\bhalf[- ]precision\b",
    re.I,
)
_SIZES = {"two": 2, "four": 4, "eight": 8, "sixteen": 16, "one": 1, "half a": 0.5, "a single": 1}
_SIZE = re.compile(
    r"(?<![\w.])(?P<size>\d{1,4}(?:\.\d{1,2})?)[ -]?(?:B|billion)\b"
    r"(?=[- ]?(?:param\w*|model|checkpoint|network|weights|LLM)"
    r"|['’]s|[^.;]{0,60}\b(?:model|weights|param|checkpoint))|\b(?P<large>\d{1,4}(?:\.\d)?) billion parameters"
)
_WEIGHTS = re.compile(
    r"\b(?:weights|memory|needs?|takes?|requires?|fits?|fills?|disk|occup\w+|VRAM|GPU|shrink\w*|weighs?)\b", re.I
)
_BYTES = {"GB": Decimal(1), "TB": Decimal(1000), "GiB": Decimal("1.073741824"), "MB": Decimal("0.001")}


def _weights(scope: Scope, target: Quantity) -> Iterator[Candidate]:
    """The memory of a model's weights, from its parameters and their width."""
    text = scope.sentence.lead + scope.sentence.text
    found, sizes = list(_WIDTH.finditer(text)), {match["size"] or match["large"] for match in _SIZE.finditer(text)}
    if len(sizes) == 1 and len({_width(match) for match in found}) == 1 and _WEIGHTS.search(text):
        size, scale = Decimal(sizes.pop()), _BYTES[target.figure.unit]
        tree = Op("/", Op("*", size, _width(found[0])), scale)
        yield Candidate("weights", target, (), (), tree, united=False)


def _width(match: re.Match[str]) -> Decimal:
    if match["bytes"]:
        word = match["bytes"].lower()
        return Decimal(str(_SIZES.get(word, word)))
    word = (match["bits"] or match["form"] or match["brain"] or "16").lower()
    return Decimal(str(_SIZES.get(word, word))) / 8
