"""Products and quotients whose dimensions fit a stated amount, with the conversions of units that they need.

24 seats at $15 per seat per month, $4,320 a year          24 * 15 USD * 12
300 km in 2.5 hours, an average of 120 km/h                300 / 2.5
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from compute.mining.claim_scopes import HOURS, Candidate, Scope
from compute.mining.date_text import MONTHS
from compute.mining.expressions import Op, Term, product
from compute.mining.noun_reader import TIMES, noun_of
from compute.mining.quantities import Quantity
from compute.mining.unit_dimensions import base_of, dimensions, dimensions_of, factor_of

_SOFT = frozenset({"GPU", "request", "token", "parameter"})
MEASURES = frozenset({"m", "g", "m³"})
CALENDAR: dict[tuple[str, str], tuple[str, ...]] = {
    ("day", "month"): ("30", "31", "28"), ("day", "year"): ("365", "360", "366"), ("h", "month"): ("720", "744"),
    ("h", "year"): ("8784", "8640"), ("week", "month"): ("4", "4.33", "4.35", "5"), ("week", "year"): ("52",),
    ("month", "year"): ("12",), ("week", "quarter"): ("13", "12"),
}  # fmt: skip  # one line per group is more readable
"""How many of a unit another may have: months and years differ."""
WORKING: dict[tuple[str, str], tuple[str, ...]] = {
    ("h", "day"): ("8", "10", "12", "7.5"), ("day", "week"): ("5", "6"), ("day", "month"): ("20", "21", "22", "25"),
    ("day", "year"): ("250", "260", "252", "240", "220", "200"), ("h", "month"): ("160", "168", "173.33"),
    ("h", "year"): ("2080", "2000", "1920"), ("week", "year"): ("50", "48", "46"), ("h", "week"): ("40", "35", "37.5"),
}  # fmt: skip  # one line per group is more readable
"""The same where a text speaks of work."""
_WORK = re.compile(
    r"\b(?:work\w*|shifts?|office|staff|employee|employees|salar\w+|wages?|paid|earns?|engineers?|commut\w+"
    r"|school|open|weekdays?|business|season)\b",
    re.I,
)
_OPERANDS = 4


@dataclass(frozen=True, slots=True)
class _Fit:
    """How a product fits a target: what it costs, and the factors between their units of time, likeliest first."""

    cost: float
    factors: tuple[Decimal, ...] = (Decimal(1),)

    def doubled(self) -> _Fit:
        """The same where the product may also be twice or half as much."""
        first = self.factors[0]
        return _Fit(self.cost, (*self.factors, first * 2, first / 2))


_TIMELESS = _Fit(0)
_YEARLY = {"month": (12,), "week": (52,), "day": (365,), "quarter": (4,), "h": (8760, 24), "each": ()}
_WEEKLY = {"day": (7, 5), "h": (168,)}
_MONTHLY = {"day": (30,), "week": (4,), "h": (720, 730), "minute": (43200,)}


def period_factors(scope: Scope, target: Quantity, used: Sequence[Quantity]) -> tuple[Decimal, ...]:
    """How often the period of a rate is in that of a target, if a text names the longer one only."""
    around = {SAID.get(word, "") for word in (*scope.left(target), *scope.right(target)[:6])} | set(target.pers)
    lengths = {one.unit for one in used if one.kind == "time"} | {one.unit for one in used}
    found: set[int] = set()
    for one in used:
        for per in one.pers:
            if "year" in around and not {"year", per} & lengths:
                found.update(_YEARLY.get(per, ()))
            if "week" in around and not {"week", per} & lengths:
                found.update(_WEEKLY.get(per, ()))
            if "month" in around and not {"month", per} & lengths:
                found.update(_MONTHLY.get(per, ()))
    return tuple(Decimal(one) for one in sorted(found))


def products(scope: Scope, target: Quantity, pool: Sequence[Quantity], wanted: frozenset[str]) -> Iterator[Candidate]:
    """The products and quotients of nearby quantities that have the dimension of a target."""
    target = _squared(scope, target)
    own = [_for_each(scope, one) for one in pool if one.kind in _FACTORS and one is scope.quantities[one.index]]
    near = sorted(own, key=lambda one: abs(one.index - target.index))
    chosen = _nearest(near, target)
    completed = _completed(scope, pool, {one.index for one in chosen}, target.kind == "money")
    operands = sorted((*chosen, *completed, *_filled(target, chosen, pool)), key=lambda one: one.index)
    if "quotient" in wanted:
        yield from _inverses(near, target)
    target = _of_each(scope, target)
    twice = _both_ways(scope.sentence.lead + scope.sentence.text)
    fewest = {"share": 3, "points": 9, "ratio": 3}.get(target.kind, 1)
    every = (*operands, target)
    powers = [dimensions(one) for one in every]
    units = {unit for one in powers for unit in one if unit not in TIMES}
    hard = sorted(unit for unit in units if _hard(unit, every))
    codes = [sum(one.get(unit, 0) * _APART**place for place, unit in enumerate(hard)) for one in powers]
    shares = {place for place, one in enumerate(operands) if one.kind == "share"}
    indexes = [one.index for one in operands]
    for size in range(fewest, min(4, len(operands)) + 1):
        denominators = _denominators(size, wanted & _RULES)
        for picked in combinations(range(len(operands)), size):
            rest = sum([codes[place] for place in picked]) - codes[-1]
            matching = [below for below in denominators if rest == 2 * sum([codes[picked[place]] for place in below])]
            if not matching or len({indexes[place] for place in picked}) < size:
                continue
            chosen = tuple([operands[place] for place in picked])
            for below in matching:
                if not below or shares.isdisjoint([picked[place] for place in below]):
                    fit = _fit(scope, chosen, below, target)
                    if fit is not None:
                        yield from _product(target, chosen, below, fit.doubled() if twice and size > 1 else fit)


def _filled(target: Quantity, near: Sequence[Quantity], pool: Sequence[Quantity]) -> Iterator[Quantity]:
    """The bare numbers among some figures with a unit of the text: 25 m long, 12.5 wide; 22 litres a hectare … 35."""
    bare = {one.index for one in near if one.kind == "count" and not one.unit}
    if not bare:
        return
    full = [one for one in pool if one.index in bare and (one.kind in {"unit", "time"} or one.unit in _MEASURED)]
    for one in full[:3]:
        others = (target, *(other for other in near if other.index != one.index))
        if any(not dimensions(one).keys().isdisjoint(dimensions(other)) for other in others):
            yield one
    rates = [(one, per) for one in near for per in one.pers if base_of(per)[0] in {*MEASURES, "m²"}]
    for rate, per in rates[:1]:
        unit, factor = base_of(per)
        for one in near:
            if one.index in bare and not one.pers and abs(one.index - rate.index) < 3:
                yield replace(one, unit=unit, factor=factor)


_BOTH_WAYS = re.compile(
    r"\b(?:there and (?:again )?back|there-and-back|there and again|each way|both ways|either way|round[- ]trip"
    r"|out and back|(?:in|for) (?:each|both) directions?|return (?:trip|journey)s?|twice (?:a|per|every) day"
    r"|twice daily|a pair|pairs|in stereo|stereo (?:sound|audio|recording|music|file|track))\b",
    re.I,
)
"""Words that make a product twice as much: 35 minutes there and back on 220 days."""


@lru_cache(maxsize=64)
def _both_ways(text: str) -> bool:
    return _BOTH_WAYS.search(text) is not None


def _of_each(scope: Scope, target: Quantity) -> Quantity:
    """An amount for `each` of what a measure before it counts: £66 for 120 pints, 55p apiece."""
    if target.kind != "money" or target.pers != ("each",) or not target.index:
        return target
    other = scope.quantities[target.index - 1]
    if other.kind not in {"unit", "count"} or other.unit not in _MEASURED or other.pers:
        return target
    return replace(target, pers=(other.figure.unit or noun_of(scope.right(other))[0],))


def _completed(scope: Scope, pool: Sequence[Quantity], places: set[int], money: bool) -> Iterator[Quantity]:
    """The bare rates and times among some figures, with their unit: 540 km at 120 an hour."""
    for one in pool:
        timed = one.kind == "time" and money
        if one.index in places and one is not scope.quantities[one.index] and (timed or (one.pers and _rated(one))):
            yield one


def _rated(one: Quantity) -> bool:
    return one.unit in _MEASURED and one.pers[0] in TIMES


def _squared(scope: Scope, target: Quantity) -> Quantity:
    """A price of a metre as that of a square metre, if the text states an area: 145 m², €8,000 a metre."""
    if target.kind != "money" or not target.pers or not any(one.unit == "m²" for one in scope.quantities):
        return target
    return replace(
        target, pers=tuple(f"{per}²" if per in {"metre", "meter", "foot", "yard"} else per for per in target.pers)
    )


def _nearest(near: Sequence[Quantity], target: Quantity) -> Sequence[Quantity]:
    """The nearest figures; of those that are farther, one that measures what the target does."""
    units = {unit for unit in dimensions(target) if unit in _MEASURED or unit == "byte" or _money(unit)}
    found = [*near[:_OPERANDS]]
    missing = units.difference(*(dimensions(one) for one in found))
    for one in near[_OPERANDS : 2 * _OPERANDS]:
        if missing & set(dimensions(one)):
            loose = next((place for place in range(len(found) - 1, -1, -1) if _loose(found[place], units)), None)
            if loose is not None:
                found[loose] = one
                missing -= set(dimensions(one))
    return found


def _loose(one: Quantity, units: set[str]) -> bool:
    """Whether a figure counts things of which a target says nothing."""
    return one.kind == "count" and not units & set(dimensions(one)) and not one.pers


def _money(unit: str) -> bool:
    return unit.isupper() and len(unit) == 3 and unit != "GPU"


def _inverses(near: Sequence[Quantity], target: Quantity) -> Iterator[Candidate]:
    """One divided by a rate, a price or a time: 40 tokens a second are one every 25 ms; 80 cents per million."""
    wanted = dimensions(target)
    ends = [unit for unit in wanted if unit in TIMES or _money(unit)]
    if len(ends) != 1 or target.kind in {"share", "ratio", "points"}:
        return
    for one in near[:_OPERANDS]:
        given = dimensions(one)
        mine = [unit for unit in given if unit in TIMES or _money(unit)]
        if len(mine) != 1 or given[mine[0]] != -wanted[ends[0]] or (mine != ends and _money(mine[0])):
            continue
        others = {unit: given.get(unit, 0) + wanted.get(unit, 0) for unit in {*given, *wanted} - {*mine, *ends}}
        if any(power and (unit in MEASURES or unit in {"W", "byte", "FLOPS"}) for unit, power in others.items()):
            continue
        scale = factor_of(one) * factor_of(target)
        if mine[0] in HOURS and ends[0] in HOURS:
            scale *= (HOURS[mine[0]] / HOURS[ends[0]]) ** given[mine[0]]
        tree = Op("/", 1 / scale, "rate")
        yield Candidate("quotient", target, (one,), ("rate",), tree, united=False, raw=True, fit=1)


_APART = 1024
"""The factor between the powers of two units in one number; no product has so high a power."""


def _for_each(scope: Scope, one: Quantity) -> Quantity:
    """An amount that is for `each` of a measure before it, with that unit: 2,000 kWh at 250 g each."""
    if "each" not in one.pers or not one.index:
        return one
    other = scope.quantities[one.index - 1]
    if other.pers or other.kind not in {"unit", "count"} or other.unit == one.unit or other.unit not in _MEASURED:
        return one
    unit = other.figure.unit or noun_of(scope.right(other))[0]
    return replace(one, pers=tuple(unit if per == "each" else per for per in one.pers))


_MEASURED = frozenset({"W", "Wh", "m", "m²", "m³", "g"})


_RULES = frozenset({"product", "quotient", "convert"})


@lru_cache(maxsize=64)
def _denominators(size: int, wanted: frozenset[str]) -> tuple[tuple[int, ...], ...]:
    """Which of some factors may be below the line in wanted relations: none, one, or two of at least three."""
    every = (places for count in range(min(size, 3)) for places in combinations(range(size), count))
    return tuple(places for places in every if _rule(size, places) in wanted)


def _rule(size: int, below: tuple[int, ...]) -> str:
    """The relation of some factors, of which those at some places are below the line."""
    return "convert" if size == 1 else "quotient" if below else "product"


_FACTORS = frozenset({"money", "unit", "time", "count", "share"})


def _product(target: Quantity, chosen: tuple[Quantity, ...], below: tuple[int, ...], fit: _Fit) -> Iterator[Candidate]:
    names = _names(tuple(["rate" if one.pers and one.kind != "share" else one.kind for one in chosen]))
    rule, cost = _rule(len(chosen), below), bisect((0.05, 0.5, 1.3, 2.6), fit.cost)
    if (
        len(chosen) == 1
        and fit.factors == (Decimal(1),)
        and chosen[0].factor == target.factor
        and chosen[0].pers != target.pers
    ):
        return
    for index, factor in enumerate(fit.factors):
        tree = _multiplied(names, below, factor)
        yield Candidate(rule, target, chosen, names, tree, united=False, fit=cost + (5 if index else 0))


@lru_cache(maxsize=2000)
def _multiplied(names: tuple[str, ...], below: tuple[int, ...], factor: Decimal) -> Term:
    """The product of the names that are not below the line and of a factor, divided by the others."""
    above = [name for index, name in enumerate(names) if index not in below]
    parts: list[Term] = [*above, *([factor] if factor != 1 else [])]
    tree: Term = product(*parts) if parts else Decimal(1)
    return Op("/", tree, product(*(names[place] for place in below))) if below else tree


def _fit(scope: Scope, chosen: tuple[Quantity, ...], below: tuple[int, ...], target: Quantity) -> _Fit | None:
    if len(chosen) == 1 and (chosen[0].kind == "share" or not _converts(chosen[0], target)):
        return None
    measures = tuple([_UNMEASURED if one.kind in _RATIOS else (one.unit, one.pers) for one in chosen])
    wanted = _UNMEASURED if target.kind in _RATIOS else (target.unit, target.pers)
    every = frozenset([per for one in chosen for per in one.pers])
    left = _left(measures, below, wanted, every, _spoken(scope.sentence.text))
    lost = None if left is None else _time(scope, dict(left.times), target)
    if left is None or lost is None or left.cost + lost.cost > 4.6:
        return None
    return lost if not left.cost else _Fit(left.cost + lost.cost, lost.factors)


_RATIOS = frozenset({"share", "ratio", "points"})
_Measure = tuple[str, tuple[str, ...]]
"""A unit, and what it is per."""
_UNMEASURED: _Measure = ("", ())


class _Left(NamedTuple):
    """What differs between a target and a product: the cost of its nouns, and the powers of units of time."""

    cost: float
    times: tuple[tuple[str, int], ...]


@lru_cache(maxsize=20_000)
def _left(
    measures: tuple[_Measure, ...], below: tuple[int, ...], target: _Measure, pers: frozenset[str], spoken: bool
) -> _Left | None:
    """The difference between some units, those `below` the line turned, and a target's; None if it is too large."""
    found: dict[str, int] = {}
    for index, one in enumerate(measures):
        sign = -1 if index in below else 1
        for unit, power in dimensions_of(*one).items():
            found[unit] = found.get(unit, 0) + sign * power
    each = found.pop("each", 0)
    rest = dict(dimensions_of(*target))
    every = rest.pop("each", 0)
    for unit, power in found.items():
        rest[unit] = rest.get(unit, 0) - power
    times = tuple((unit, power) for unit, power in rest.items() if power and unit in TIMES)
    nouns = {unit: power for unit, power in rest.items() if power and unit not in TIMES}
    if any(abs(power) > 1 for power in nouns.values()):
        return None
    cost = 0.0
    spoken = each < 0 or spoken
    if synonyms := _synonyms(nouns, found):
        cost += 1.0
        nouns = {unit: power for unit, power in nouns.items() if unit not in synonyms}
    for unit, power in nouns.items():
        had = found.get(unit, 0)
        if power < 0 < had:
            cost += 0.2 if spoken or unit in pers or "each" in pers else 0.9
        elif power < 0:
            cost += 0.3 if every else 2.0
        elif had < 0:
            cost += 0.1 if every < 0 else 2.4
            every = 0
        else:
            cost += 0.5
    return _Left(cost + (1.5 if every < 0 and not below else 0), times)


def _synonyms(nouns: Mapping[str, int], found: Mapping[str, int]) -> set[str]:
    """Two nouns that may be words for one thing: $8,000 a caller, for each of 650 people; empty if there are none."""
    named = [unit for unit, power in nouns.items() if power < 0 and not found.get(unit) and _loose_noun(unit)]
    lost = [unit for unit, power in nouns.items() if power > 0 and found.get(unit, 0) < 0 and _loose_noun(unit)]
    return {*named, *lost} if len(named) == len(lost) == 1 else set()


def _loose_noun(unit: str) -> bool:
    """Whether a unit is a noun, for which a text may use another word."""
    return unit not in _MEASURED and unit != "byte" and not _money(unit)


@lru_cache(maxsize=64)
def _spoken(text: str) -> bool:
    return "each" in text or "every" in text


def _converts(one: Quantity, target: Quantity) -> bool:
    """Whether one amount alone may be the other in another unit or for another period."""
    if one.kind == target.kind == "time":
        return one.unit != target.unit or bool(_PARTED.search(one.figure.text)) != bool(
            _PARTED.search(target.figure.text)
        )
    if {one.unit, target.unit} == {"W", "Wh"} or target.unit in {f"{one.unit}-hour", f"{one.unit}-day"}:
        return True
    return (
        one.unit == target.unit and one.kind == target.kind and (one.factor, one.pers) != (target.factor, target.pers)
    )


_PARTED = re.compile(r"\b(?:h|hrs?|hours?|days?)\b.*\b(?:h|hours?|m|min\w*|s|sec\w*)\b|\dh \d", re.I)
"""A duration of two units: three hours and 26 minutes."""


def _hard(unit: str, among: Sequence[Quantity]) -> bool:
    """Whether a unit must match: money and measures do, things that are counted need not."""
    return (
        unit in MEASURES
        or (_money(unit) and any(one.unit == unit for one in among))
        or any(one.unit == unit and one.kind in {"money", "unit"} and unit not in _SOFT for one in among)
        or unit in {"byte", "W", "FLOPS"}
    )


def _time(scope: Scope, times: dict[str, int], target: Quantity) -> _Fit | None:
    """What differs in time between a target and a product: nothing, a conversion, or a period left unsaid."""
    if not times:
        return _TIMELESS
    if len(times) == 1:
        ((unit, power),) = times.items()
        return _above(scope, unit, target) if power == 1 else _below(scope, unit, target)
    if len(times) == 3 and sorted(times.values()) == [-1, 1, 1] and times.get("year") == 1:
        times = {unit: power for unit, power in times.items() if unit != "year"}  # 12 minutes each, 350 a year
        up, down = (next(unit for unit, power in times.items() if power == sign) for sign in (1, -1))
        return _Fit(0.6, factors_between(down, up, scope.sentence.text)[:1])
    if len(times) == 3 and sorted(times.values()) == [-1, -1, 1] and times.get("day") == -1:
        times = {unit: power for unit, power in times.items() if unit != "day"}  # 35 minutes on 220 days
        up, down = (next(unit for unit, power in times.items() if power == sign) for sign in (1, -1))
        return _Fit(0.8, factors_between(down, up)[:1])
    if len(times) == 2 and sorted(times.values()) == [-1, 1]:
        up, down = (next(unit for unit, power in times.items() if power == sign) for sign in (1, -1))
        return _Fit(0.3, tuple(factors_between(down, up, scope.sentence.text)))
    return None


def _above(scope: Scope, unit: str, target: Quantity) -> _Fit:
    """A target for a period that the words near it name: `adds up to $9,000 over the year`."""
    said = _said(scope.left(target)[-6:], scope.right(target)[:5])
    if said and said != unit:
        return _Fit(0.4, factors_between(said, unit, scope.sentence.text))
    if not said and unit == "day" and (days := _days_of_month(scope.sentence.text)):
        return _Fit(0.6, days)
    if not said and (larger := _longer(scope, target.index, unit)):
        return _Fit(1.2, (Decimal(1), *factors_between(larger, unit)[:1]))
    return _Fit(0.2 if said else 1.2)


_IN_MONTH = re.compile(rf"\b(?:in|of|for|during|over|all|whole|'s|’s) ({'|'.join(MONTHS)})\b", re.I)


@lru_cache(maxsize=64)
def _days_of_month(text: str) -> tuple[Decimal, ...]:
    """The days of the month that a sentence is about."""
    found = _IN_MONTH.search(text)
    if not found:
        return ()
    place = MONTHS.index(found[1].lower())
    days = (31, 29 if "leap" in text else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[place]
    return (Decimal(1), Decimal(days))


@lru_cache(maxsize=256)
def _said(left: tuple[str, ...], right: tuple[str, ...]) -> str:
    """The period that some words name, the longest one."""
    around = (*left, *right)
    return next((period for word, period in SAID.items() if word in around), "")


@lru_cache(maxsize=256)
def _longer(scope: Scope, index: int, unit: str) -> str:
    """A period that the words before a figure name and that is longer than another."""
    words = {token for gap in scope.gaps[: index + 1] for token in gap}
    return next((SAID[word] for word in SAID if word in words and HOURS[SAID[word]] > HOURS[unit]), "")


def _below(scope: Scope, unit: str, target: Quantity) -> _Fit:
    """A target for each of a period, from an amount for a longer one: the annual fee of $99, $8.25 a month."""
    if larger := _longer(scope, target.index, unit):
        return _Fit(1.0, tuple(1 / factor for factor in factors_between(larger, unit)))
    return _Fit(1.4)


SAID = {
    "year": "year",
    "annual": "year",
    "annually": "year",
    "annualised": "year",
    "annualized": "year",
    "yearly": "year",
    "month": "month",
    "monthly": "month",
    "week": "week",
    "weekly": "week",
    "quarter": "quarter",
    "quarterly": "quarter",
    "day": "day",
    "daily": "day",
    "hour": "h",
    "hourly": "h",
}


@lru_cache(maxsize=1000)
def factors_between(larger: str, smaller: str, text: str = "") -> tuple[Decimal, ...]:
    """How many of the second unit the first has; several where calendars differ."""
    main = HOURS[larger] / HOURS[smaller]
    tables = (CALENDAR, WORKING) if text and _WORK.search(text) else (CALENDAR,)
    others = [Decimal(one) for table in tables for one in table.get((smaller, larger), ())]
    turned = [1 / Decimal(one) for table in tables for one in table.get((larger, smaller), ())]
    return (main, *(one for one in (*others, *turned) if one != main))


@lru_cache(maxsize=2000)
def _names(kinds: tuple[str, ...]) -> tuple[str, ...]:
    """The names of factors by their kinds, with numbers where two would be the same."""
    said = [_NAMED.get(kind, "quantity") for kind in kinds]
    return tuple(
        name if said.count(name) == 1 else f"{name}_{said[:index].count(name) + 1}" for index, name in enumerate(said)
    )


_NAMED = {"rate": "rate", "money": "amount", "time": "time", "share": "share"}
