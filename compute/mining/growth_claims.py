"""Growth by a factor or a share in each of some periods, where the number of periods follows from the text.

doubles every six months, 8 times in eighteen months        2 ** (18 / 6)
tripled each year from $1M in 2016 to $81M in 2020          1 * 3 ** (2020 - 2016)
$10k grows 8% a month; in a year it will be $25.2k          10000 * 1.08 ** 12
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from compute.mining.claim_scopes import HOURS, Candidate, Scope
from compute.mining.date_text import MONTHS
from compute.mining.expressions import Op, Term, product
from compute.mining.noun_reader import TIMES
from compute.mining.quantities import Quantity

ONE = Decimal(1)
_MOST = 40
_YEAR = re.compile(r"(?<![\w.,$€£/-])(1[6-9]\d\d|20\d\d)(?![\w/]|[.,]\d|-\d)")
_NUMBERED = re.compile(r"\b(?:day|week|month|year|round|hour|generation) (\d{1,2})\b", re.I)
_PERIOD = re.compile(r"\b(?:each|every|per|a|an|one|full|this|next) (minute|hour|day|week|month|quarter|year)\b", re.I)
_SAID = re.compile(
    r"\b(?:an?|one|after a|within a|the first|this time next|by next|next) (?:full )?"
    r"(hour|day|week|month|quarter|year)\b(?! ?[-])",
    re.I,
)
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_EACH = re.compile(r"\b(?:each|every)\b(?! other)", re.I)
_IN_EACH = re.compile(r"\b(?:each|every one) of (?:the|those|these|its|our|their|his|her)(?: \w+)?$")
"""What comes before a time of which each part is a period: by half in each of the next two years."""
_IN_A_ROW = re.compile(r"in a|in succession|running\b|on end|on the|straight\b|in row|consecutive")
"""What comes after such a time: three years running."""
_UNITS = {"hour": "h"}
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_AGAIN = re.compile(r"\b(?:doubl|tripl|trebl|quintupl|quadrupl|halv|half|twice|times|fold)", re.I)


def growths(scope: Scope, target: Quantity, wanted: frozenset[str]) -> Iterator[Candidate]:
    """What an amount becomes, or the factor itself, after some periods of growth."""
    near = [one for one in scope.quantities if abs(scope.home(one) - scope.home(target)) < 3]
    rates = [one for one in near if one.kind in {"ratio", "share"} and _rate(one) and one.index != target.index]
    if "root" in wanted and target.kind in {"share", "ratio"} and _STEADY.search(scope.sentence.text):
        yield from _rooted(scope, target, near)
    if not rates:
        return
    bases = [one for one in near if one.index != target.index and _base(one, target)]
    if "doubled" in wanted:
        yield from _repeated(target, rates, bases)
    for rate in rates[:3]:
        for number in _periods(scope, target, near, rate):
            yield from _grown(target, rate, number, bases[:3], wanted)


_STEADY = re.compile(
    r"\b(?:CAGR|compound\w*|annuali[sz]\w*|annual\w*|a year|per year|yearly|each|every|average)\b", re.I
)


def _rooted(scope: Scope, target: Quantity, near: Sequence[Quantity]) -> Iterator[Candidate]:
    """The growth in each period that gives a factor, or one amount from another, after some periods."""
    others = [one for one in near if one.index != target.index and not one.figure.ranged and one.figure.low > 0]
    counts = {one.figure.low for one in others if one.kind in {"time", "count"}}
    counts |= set(_spans(_periods_read(scope.sentence.lead + scope.sentence.text), {HOURS["year"]}))
    for number in sorted(one for one in counts if 2 <= one <= _MOST and one % 1 == 0)[:4]:
        for used, factor in _factors(others):
            tree: Term = Op("^", factor, Op("/", ONE, number))
            tree = Op("-", tree, ONE) if target.kind == "share" else tree
            names = ("before", "after")[: len(used)]
            yield Candidate("root", target, used, names, tree, exact=target.kind == "share")


def _factors(others: Sequence[Quantity]) -> Iterator[tuple[tuple[Quantity, ...], Term]]:
    """The factors by which something may have grown: stated, or of two amounts one after the other."""
    for one in others:
        if one.kind == "ratio" and one.figure.low > 1:
            yield (one,), "before"
    amounts = [one for one in others if one.kind in {"money", "unit", "count"}][:5]
    for place, one in enumerate(amounts):
        for two in amounts[place + 1 : place + 3]:
            if one.kind == two.kind and one.unit == two.unit and one.base < two.base:
                yield (one, two), Op("/", "after", "before")


def _rate(one: Quantity) -> bool:
    return (
        not one.figure.ranged
        and one.figure.low > 0
        and (one.kind == "share" or bool(_AGAIN.search(one.figure.text)) or _yearly(one))
    )


def _yearly(one: Quantity) -> bool:
    """Whether a fraction is a rate of growth: a tenth a year."""
    return one.kind == "ratio" and one.figure.low < Decimal("0.5") and any(per in HOURS for per in one.pers)


def _base(one: Quantity, target: Quantity) -> bool:
    """Whether an amount may grow to a target."""
    if one.figure.ranged or target.kind in {"share", "ratio", "points"} or one.kind != target.kind:
        return False
    return one.unit == target.unit or (one.kind == "count" and not (one.unit and target.unit))


def _repeated(target: Quantity, rates: Sequence[Quantity], bases: Sequence[Quantity]) -> Iterator[Candidate]:
    """An amount that several factors multiply: doubled in one year, and doubled again in the next."""
    factors = [one for one in rates if one.kind == "ratio"][:4]
    if len(factors) < 2:
        return
    names = tuple(f"factor_{place}" for place in range(1, len(factors) + 1))
    if target.kind == "ratio":
        yield Candidate("doubled", target, tuple(factors), names, product(*names), exact=True)
    for base in bases[:2]:
        yield Candidate("doubled", target, (base, *factors), ("base", *names), product("base", *names), exact=True)


def _grown(
    target: Quantity, rate: Quantity, number: int, bases: Sequence[Quantity], wanted: frozenset[str]
) -> Iterator[Candidate]:
    if rate.kind == "ratio":
        forms: list[tuple[str, Term]] = [("doubled", "rate")]
        forms += [("grown", Op("+", ONE, "rate"))] if rate.figure.low < 1 else []
    else:
        forms = [("grown", Op("+", ONE, "rate")), ("shrunk", Op("-", ONE, "rate"))]
    for rule, factor in forms:
        tree = product(*[factor] * number)
        if rule not in wanted:
            continue
        if target.kind == "share" and rule == "shrunk" and rate.figure.low >= 50:
            kept = product(*["rate"] * number)  # each stage passes 90%
            yield Candidate("both" if "both" in wanted else rule, target, (rate,), ("rate",), kept, exact=True)
        if target.kind in {"ratio", "share"} and (target.kind == "ratio" or rule == "shrunk"):
            yield Candidate(rule, target, (rate,), ("rate",), tree, exact=target.kind == "share")
        elif target.kind == "share" and rule == "grown":
            yield Candidate(rule, target, (rate,), ("rate",), Op("-", tree, ONE), exact=True)
        for base in bases:
            yield Candidate(rule, target, (base, rate), ("base", "rate"), Op("*", "base", tree), exact=True)


def _periods(scope: Scope, target: Quantity, near: Sequence[Quantity], rate: Quantity) -> list[int]:
    """How many periods a growth may last, by the times and dates near it; without the plain numbers of the text."""
    text = scope.sentence.lead + scope.sentence.text
    every = _every(text, near, rate)
    found: set[Decimal] = set()
    for one in near:
        if one is target or one is rate:
            continue
        if one.kind == "time" and one.unit in HOURS:
            found |= {one.figure.low * HOURS[one.unit] / length for length in every if length}
            running = " ".join(scope.right(one)[:2])
            if _IN_EACH.search(" ".join(scope.left(one))) or _IN_A_ROW.match(running):
                found.add(one.figure.low)
        elif (one.kind == "count" or one.figure.text.endswith("times")) and one.figure.low < 13:
            found |= {one.figure.low} if rate.kind == "ratio" or _periods_read(text).each else set()
    read = _periods_read(text)
    if len(read.ordinals) == 2 and rate.pers:
        found.add(Decimal(read.ordinals[1] - read.ordinals[0]))
    found |= {said / length for said in read.said for length in every if length}
    found |= set(_spans(read, every))
    whole = {round(one) for one in found if abs(one - round(one)) <= one / 50}
    return sorted(one for one in whole if 2 <= one <= (12 if rate.kind == "ratio" else _MOST))[:5]


def _every(text: str, near: Sequence[Quantity], rate: Quantity) -> set[Decimal]:
    """How long a period may be, in hours: said with the rate, or the time nearest to it."""
    read = _periods_read(text)
    found = {HOURS[per] for per in rate.pers if per in HOURS} | read.repeated
    if rate.kind == "share":
        found |= read.periods
    times = [one for one in near if one.kind == "time" and one.unit in TIMES and one.index == rate.index + 1]
    return found | {one.figure.low * HOURS[one.unit] for one in times[:1] if one.unit in HOURS}


def _spans(read: _PeriodsRead, every: set[Decimal]) -> Iterator[Decimal]:
    """The years, months or weekdays between those of a text, and between numbered days, in periods."""
    years, numbers = read.years, read.numbers
    if len(set(years)) > 1 and HOURS["year"] in every:
        yield Decimal(max(years) - min(years))
    if len(numbers) > 1:
        hours = HOURS["day"] if read.daily else Decimal(0)
        yield from (Decimal(max(numbers) - min(numbers)) * hours / one for one in every if one and hours)
        yield Decimal(max(numbers) - min(numbers))
    for places, unit in ((read.months, "month"), (read.weekdays, "day")):
        if len(places) == 2 and places[0] < places[1] and HOURS[unit] in every:
            yield Decimal(places[1] - places[0])


class _PeriodsRead(NamedTuple):
    """What a text says of periods, in hours: `each` of them, `repeated` ones, one that is `said`; and its dates."""

    each: bool
    ordinals: list[int]
    said: list[Decimal]
    repeated: set[Decimal]
    periods: set[Decimal]
    years: list[int]
    numbers: list[int]
    daily: bool
    months: list[int]
    weekdays: list[int]


@lru_cache(maxsize=64)
def _periods_read(text: str) -> _PeriodsRead:
    """What a text says of periods, read once for all of its figures."""
    periods = [(match[0].split()[0].lower(), _hours(match[1])) for match in _PERIOD.finditer(text)]
    repeated = {hours for word, hours in periods if word in {"each", "every", "per"}}
    if re.search(r"\b(?:daily|overnight)\b", text):
        repeated.add(HOURS["day"])
    return _PeriodsRead(
        each=bool(_EACH.search(text)),
        ordinals=[place for place, word in enumerate(_ORDINALS) if re.search(rf"\b{word}\b", text)],
        said=[_hours(match[1]) for match in _SAID.finditer(text)],
        repeated=repeated,
        periods={hours for _, hours in periods},
        years=[int(one) for one in _YEAR.findall(text)],
        numbers=[int(one) for one in _NUMBERED.findall(text)],
        daily="day" in text.lower(),
        months=_places(text, MONTHS),
        weekdays=_places(text, _WEEKDAYS),
    )


def _hours(word: str) -> Decimal:
    return HOURS[_UNITS.get(word.lower(), word.lower())]


def _places(text: str, names: tuple[str, ...]) -> list[int]:
    """The places of the names of a text in a list, in text order."""
    lower = text.lower()
    found = sorted(
        (match.start(), place)
        for place, name in enumerate(names)
        if name.lower() in lower and (match := re.search(rf"\b{name.lower()}\b", lower))
    )
    return [place for _, place in found]
