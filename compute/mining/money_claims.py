"""Rules of business that the words of a sentence name, over two to four figures.

$40 monthly or $384 yearly, a saving of 20%                    1 - 384 / (12 * 40)
£30,000 at 4% simple for three months, £300                    30000 * 4% * 3 / 12
5% of what exceeds £50k, and she sold for 70: £1,000           (70k - 50k) * 5%
bought for £900k, worth 100 in eight years: £100k a year       (900k - 100k) / 8
we have 12k, want 30k and save 6k a year: three years          (30k - 12k) / 6k
closed at $21, up $1, or 5%                                    1 / (21 - 1)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from itertools import combinations, permutations

from compute.mining.claim_scopes import A_YEAR, HOURS, Scope
from compute.mining.expressions import Op, Term, product, total
from compute.mining.quantities import Quantity
from compute.mining.worded_rules import ONE, Found, Near, Rule, amounts, bare, integral, timed, worded

_TWELVE = Decimal(12)
_MOST = 5


def _money(near: Near) -> list[Quantity]:
    """The amounts of money near a target, and the bare numbers as such if all are in one currency."""
    units = {one.unit for one in near if one.kind == "money"}
    like = next((one for one in near if one.kind == "money"), None)
    return amounts(near, like) if like is not None and len(units) == 1 else []


def _shares(near: Near) -> list[Quantity]:
    return [one for one in near if one.kind == "share"][:3]


def _lesser(one: Quantity, two: Quantity) -> Term:
    """The difference of two amounts that are named x and y."""
    return Op("-", "x", "y") if one.base > two.base else Op("-", "y", "x")


def _part_of_a_year(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:
    """Simple interest for a part of a year; a word says the first month."""
    first = any(
        phrase in scope.sentence.text.lower() for phrase in ("first month", "one month", "a month's", "month one")
    )
    for base in amounts(near, target) if target.kind == "money" else ():
        for rate in _shares(near):
            for time in near:
                if time.kind == "time" and time.unit in A_YEAR and time.figure.low < A_YEAR[time.unit]:
                    yield (base, rate, time), Op("/", product("x", "y", "z"), A_YEAR[time.unit])
            if first:
                yield (base, rate), Op("/", product("x", "y"), _TWELVE)


def _yearly_price(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - one signature for all rules
    """What a price for a year saves against twelve of a month, as a share."""
    found = _money(near)
    if target.kind == "share":
        for one, two in combinations(found, 2):
            small, large = (one, two) if one.base < two.base else (two, one)
            if large.base < 12 * small.base:
                yield (small, large), Op("-", ONE, Op("/", "y", Op("*", _TWELVE, "x")))


def _rent_yield(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """A year's rent as a share of what a house costs."""
    for one, two in combinations(_money(near) if target.kind == "share" else [], 2):
        rent, price = (one, two) if one.base < two.base else (two, one)
        if price.base > 24 * rent.base:
            yield (rent, price), Op("/", Op("*", _TWELVE, "x"), "y")


def _excess_share(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """A share of what an amount is more than another."""
    found = amounts(near, next((one for one in near if one.kind == "money"), target)) if target.kind == "money" else []
    for one, two in combinations(found, 2):
        for share in _shares(near):
            yield (one, two, share), Op("*", _lesser(one, two), "z")


def _rest_at_rate(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """How long what is missing takes at a rate, or the rate that it needs."""
    if target.kind not in {"time", "count"} or target.pers:
        return
    numbers = _money(near) or [one for one in near if one.kind in {"count", "unit"}][:_MOST]
    for one, two in combinations(numbers, 2):
        for rate in numbers:
            if rate is not one and rate is not two and rate.index > min(one.index, two.index) and rate.base < one.base:
                yield (one, two, rate), Op("/", _lesser(one, two), "z")


def _rate_needed(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """What is missing for each of the rest: 90 runs, 40 made, 10 overs left, five an over."""
    numbers = [one for one in near if one.kind == "count" and one.factor == 1][:_MOST]
    numbers = numbers if target.kind == "count" and target.factor == 1 else []
    for one, two in combinations(numbers, 2):
        for left in numbers:
            if left is not one and left is not two and left.unit and left.unit != one.unit:
                yield (one, two, left), Op("/", _lesser(one, two), "z")


def _written_off(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """What a thing loses of its price in each of some years."""
    times = [one for one in near if timed(one)]
    for one, two in combinations(amounts(near, target) if target.kind == "money" else [], 2):
        for time in times[:2]:
            yield (one, two, time), Op("/", _lesser(one, two), "z")


def _refund(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """What some months of a year's price are, and what the others are."""
    prices = [one for one in near if one.kind == "money" and one.unit == target.unit] if target.kind == "money" else []
    months = [one for one in near if (one.kind == "time" and one.unit == "month") or (integral(one) and not one.unit)]
    for price in prices[:2]:
        for used in (one for one in months if one.figure.low < 12):
            yield (price, used), Op("/", Op("*", "x", Op("-", _TWELVE, "y")), _TWELVE)
            yield (price, used), Op("/", Op("*", "x", "y"), _TWELVE)
        for used, every in permutations(months[:3], 2):
            if used.figure.low < every.figure.low != 12:
                yield (price, used, every), Op("/", Op("*", "x", Op("-", "z", "y")), "z")
                yield (price, used, every), Op("/", Op("*", "x", "y"), "z")


def _with_fee(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """An amount at a rate, less a fee in either currency; what two rates for an amount differ by."""
    if target.kind != "money":
        return
    money = [one for one in near if one.kind == "money"][:_MOST]
    rates = [one for one in near if one.kind in {"money", "count"} and "." in one.figure.text and one.figure.low < 1000]
    for amount in (one for one in money if one.unit != target.unit):
        for rate in (one for one in rates if bare(one) or one.unit in {amount.unit, target.unit}):
            for fee in (one for one in money if one not in {amount, rate}):
                first: tuple[Term, ...] = (Op("*", "x", "y"), Op("/", "x", "y"))
                if fee.unit == amount.unit:
                    less = Op("-", "x", "z")
                    yield from (((amount, rate, fee), Op(sign, less, "y")) for sign in "*/")
                elif fee.unit == target.unit and fee not in rates:
                    yield from (((amount, rate, fee), Op("-", tree, "z")) for tree in first)
        for one, two in combinations([one for one in rates if one.unit in {target.unit, ""}], 2):
            yield (amount, one, two), Op("*", "x", Op("-", *(("y", "z") if one.base > two.base else ("z", "y"))))


def _customer(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """How long a customer takes to pay what winning him cost; what one is worth over the time that he stays."""
    money, shares = _money(near), _shares(near)
    if target.kind in {"time", "count"}:
        for cost, revenue in permutations(money, 2):
            if cost.base > revenue.base:
                yield (cost, revenue), Op("/", "x", "y")
                yield from (((cost, revenue, one), Op("/", "x", Op("*", "y", "z"))) for one in shares)
    for revenue in money if target.kind == "money" else ():
        for margin, churn in permutations(shares, 2):
            if churn.figure.low < margin.figure.low:
                yield (revenue, margin, churn), Op("/", Op("*", "x", "y"), "z")


def _annualised_ratio(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """The annualised revenue of a month or a quarter against another amount."""
    for one, two in permutations(_money(near) if target.kind in {"ratio", "count"} else [], 2):
        yield from (((one, two), Op("/", Op("*", "x", number), "y")) for number in (Decimal(4), _TWELVE))


def _overtime(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """The pay for some hours and for others at a higher rate."""
    hours = [one for one in near if (one.kind == "time" and one.unit == "h") or (one.kind == "count" and not one.unit)]
    factors = [one for one in near if one.kind == "ratio" and ONE < one.figure.low <= 3]
    for pay in (one for one in near if one.kind == target.kind == "money" and one.unit == target.unit):
        for usual, more in permutations([one for one in hours if one is not target][:4], 2):
            if usual.figure.low > more.figure.low:
                for factor in factors[:2]:
                    yield (pay, usual, more, factor), Op("*", "x", total("y", Op("*", "z", "w")))


def _rest_shared(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """What each of some has of the rest of an amount."""
    parts = [one for one in near if one.kind == "share" or (one.kind == "ratio" and one.figure.low < 1)]
    for base in [one for one in near if one.kind == target.kind and one.base > target.base][:3]:
        for part in parts[:2]:
            for number in near:
                if integral(number) and 2 <= number.figure.low <= 100 and number is not base:
                    rest = Op("*", "x", Op("-", ONE, "y"))
                    yield (base, part, number), Op("/", rest, "z")


def _hit_rate(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """A price of which a share costs a part: most of the input is read from a cache at a tenth."""
    parts = [one for one in near if one.kind == "share" or (one.kind == "ratio" and one.figure.low < 1)]
    for price in [one for one in near if one.kind == target.kind == "money" and one.unit == target.unit][:2]:
        for share, rate in permutations(parts[:3], 2):
            paid = total(Op("*", "y", "z"), Op("-", ONE, "y"))
            yield (price, share, rate), Op("*", "x", paid)


def _per_success(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """What one success costs, if only a share of the attempts succeeds."""
    for one in near:
        for share in _shares(near):
            if one.kind == target.kind == "money" and one.unit == target.unit:
                yield (one, share), Op("/", "x", "y")


def _worked_hours(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """A year's pay for each hour, of some hours in some weeks or days."""
    if target.kind != "money" or not {"h", "day"} & set(target.pers):
        return
    times = [one for one in near if one.kind == "time" or one.unit in HOURS]
    for pay in amounts([one for one in near if one not in times], target):
        for one, two in permutations(times[:3], 2):
            if one.unit == "h" and two.unit in {"week", "day"} and pay.base > 100 * target.base:
                yield (pay, one, two), Op("/", "x", Op("*", "y", "z"))


def _since_then(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:
    """A change as a share of what there was before it: at $21, up $1, or 5%."""
    if target.kind != "share":
        return
    for change in near:
        way = _way(scope.left(change))
        for level in near if way and change.index < target.index else ():
            alike = change.kind == level.kind and change.kind in {"money", "count", "unit"}
            alike = alike or (change.kind == "points" and level.kind == "count")
            near_by = abs(level.index - change.index) < 3 and level.figure.low > 2 * change.figure.low
            before = scope.left(level)[-1:] == ("from",)
            if level is not change and alike and near_by and not before and level.unit in {change.unit, ""}:
                used = _counted(change) if change.kind == "points" else change
                yield (used, level), Op("/", "x", Op("-" if way in _UP else "+", "y", "x"))


def _way(left: tuple[str, ...]) -> str:
    """The word next to a change that says its direction: up, fell by; not the one of made up."""
    words = left[:-1] if left[-1:] in _HEDGES else left
    found = words[-1] if words[-1:] and words[-2:-1] != ("made",) else ""
    return found if found in _UP or found in _DOWN else ""


_HEDGES = {("by",), ("about",), ("some",), ("nearly",), ("almost",), ("another",), ("a",), ("just",)}


def _counted(one: Quantity) -> Quantity:
    """Points of an index, which are no parts of a hundred."""
    return replace(one, kind="count", unit="", factor=ONE, figure=replace(one.figure, sort="count"))


_UP = frozenset(
    {"up", "rose", "gained", "added", "climbed", "jumped", "surged", "advanced", "higher", "rising", "adding"}
)
_DOWN = frozenset({"down", "fell", "lost", "shed", "dropped", "slipped", "slid", "sank", "tumbled", "lower", "losing"})
_CHANGED = (
    r"\b(?:up|down|rose|fell|gained|added|climbed|jumped|surged|advanced|lost|shed|dropped|slipped|slid|sank|tumbled)\b"
)


def _for_some_years(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """A price a month over some years, with a share taken off."""
    prices = [one for one in near if one.kind == target.kind == "money" and one.unit == target.unit]
    for price in (one for one in prices if one.pers == ("month",)):
        for years in (one for one in near if one.kind == "time" and one.unit == "year" and one.figure.low <= 10):
            for share in _shares(near):
                yield (price, years, share), product("x", "y", _TWELVE, Op("-", ONE, "z"))


def _fixed_cost(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """What a piece costs with its part of a fixed cost."""
    prices = [one for one in near if one.kind == target.kind == "money" and one.unit == target.unit]
    for fixed, each in permutations(prices[:4], 2):
        for number in near:
            if integral(number) and number.figure.low > 1 and fixed.base > 10 * each.base:
                yield (fixed, number, each), total(Op("/", "x", "y"), "z")


def _per_mille(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """What impressions cost at a price for a thousand."""
    for price in near:
        for number in near:
            if price.kind == target.kind == "money" and number.kind == "count" and number.figure.low >= 1000:
                yield (price, number), Op("/", product("x", "y"), Decimal(1000))


def _with_the_rest(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """The mean of two shares, weighted by a third one and the rest of it."""
    shares = [one for one in near if one.kind == "share" and one.index < target.index][:4]
    for one in combinations(shares, 3) if target.kind == "share" else ():
        yield one, total(Op("*", "x", "y"), Op("*", Op("-", ONE, "x"), "z"))


RULES: tuple[Rule, ...] = (
    worded(
        r"\b(?:simple|interest|per annum|a year|annual\w*|APR|mortgage|loan|lent|borrow\w*|deposit\w*)\b|p\.\s?a\.",
        _part_of_a_year,
    ),
    worded(r"\bmonth(?:ly|s)?\b.*\b(?:year\w*|annual\w*)\b|\b(?:year\w*|annual\w*)\b.*\bmonth(?:ly)?\b", _yearly_price),
    worded(r"\byields?\b|\brent(?:s|al)?\b|\blets? (?:for|at)\b|\blet at\b", _rent_yield),
    worded(r"\b(?:exceed\w*|above|over|beyond|excess|quota|threshold|allowance|first)\b", _excess_share),
    worded(
        r"\b(?:aside|target|goal|wants?|still (?:to|needs?)|to go|remaining|grants?|subsid\w+|rebate|themselves|itself"
        r"|needs?|pa(?:y|id|ys)[ -]?(?:back|off)|break(?:s|ing)?[ -]even|saves?|saved)\b",
        _rest_at_rate,
    ),
    worded(r"\b(?:chas\w+|needs?|needed|to go|left|remain\w*|requir\w+)\b", _rate_needed),
    worded(r"\b(?:residual|salvage|straight[- ]line|depreciat\w+|resale|scrap|fetch\w*|writ\w+ (?:off|down)|worth)\b",
           _written_off),
    worded(r"\b(?:refund\w*|return\w*|pro[- ]?rata|cancel\w*|unused|prorat\w+|back|of which"
           r"|prepaid|expensed|accru\w+)\b",
           _refund),
    worded(r"\b(?:fees?|charges?|charged|commission|keeps?|kept|deduct\w*|minus|less|rates?|fetch\w*|was given|got)\b",
           _with_fee),
    worded(r"\b(?:CAC|payback|pays? back|acquisition|acquire|lifetime|LTV|churn|win a|to win|money back|gross margin"
        r"|per (?:customer|account))\b",
           _customer),
    worded(r"\bannuali[sz]ed\b|\bmagic number\b", _annualised_ratio),
    worded(r"\btime and a (?:half|quarter)\b|\bdouble time\b|\bovertime\b", _overtime),
    worded(r"\b(?:rest|remain\w*|balance|others?|left)\b", _rest_shared),
    worded(r"\b(?:the|its|their|our) (?:rest|others?|remainder|balance|remaining)\b", _with_the_rest),
    worded(r"\boff\b|\bdiscount|\bcommit", _for_some_years),
    worded(r"\b(?:tooling|fixed|set-?up|spread|one-off|overheads?)\b", _fixed_cost),
    worded(r"\bCPM\b|\bper mille\b", _per_mille),
    worded(r"\bcach\w+\b|\bhit rate\b", _hit_rate),
    worded(r"\b(?:solv\w+|succe\w+|correct|resol\w+|convert\w*|pass\w*|right)\b", _per_success),
    worded(r"\bhour\w*\b.*\b(?:weeks?|days?)\b", _worked_hours),
)  # fmt: skip  # one rule an entry
"""Each rule with the words that name it."""
SINCE: Rule = worded(_CHANGED, _since_then)
"""The rule of a change and the level after it."""
