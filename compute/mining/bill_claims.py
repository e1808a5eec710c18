"""Bills of several items, averages weighted by numbers or shares, and differences and sums times a rate.

10M tokens at $3 per million plus 2M at $15         the sum of the products
200 parcels at €5 and 50 at €10, €6 on average      the same, divided by the sum of the numbers
18 days instead of 12, at £45 a day                 the difference times the rate
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from itertools import combinations

from compute.mining.chain_claims import scale_of
from compute.mining.claim_scopes import A_YEAR, HOURS, Candidate, Scope
from compute.mining.expressions import Op, Term, less, numbered, product, times, total
from compute.mining.product_claims import period_factors
from compute.mining.quantities import Quantity, like_coins
from compute.mining.unit_dimensions import base_of, factor_of

ONE = Decimal(1)
_MOST = 8
"""The most figures of a bill."""


def bills(scope: Scope, target: Quantity, wanted: frozenset[str]) -> Iterator[Candidate]:
    """Sums of products, and their averages, over the figures before a target and after it."""
    for found in _groups(scope, target):
        group = _trimmed(_like_target(found, target), target)
        kinds = "".join("P" if _price(one, target) else "N" for one in group)
        kinds = _weights(group, kinds) if target.kind == "share" else kinds
        counted = target.kind in {"count", "unit"} and len(group) in {4, 6} and not target.pers
        counted = counted and all(one.kind in {"count", "unit"} and one.factor == 1 for one in (*group, target))
        if counted and len({one.unit for one in group[1::2]} - {""}) < 2:
            kinds = "NP" * (len(group) // 2)  # five rows of 18 chairs and four of 25
        if "P" not in kinds or "N" not in kinds:
            continue
        if target.kind == "count" and len(group) in {4, 6} and set(kinds) == {"P", "N"} and kinds != _halved(kinds):
            kinds = "NP" * (len(group) // 2)
        for parts in _parsed(kinds):
            if "bill" in wanted:
                yield from _bill(scope, target, group, parts)
            if "blend" in wanted:
                yield from _blend(target, group, parts)
        if "blend" in wanted:
            yield from _mixed(target, group, kinds)


def _like_target(group: list[Quantity], target: Quantity) -> list[Quantity]:
    """Figures; the fourth, a bare number, has the unit of a target if another such pair has it: 300 took 4."""
    if len(group) <= _FOURTH or target.kind not in {"time", "money"}:
        return group
    first, second, third, one = group[: _FOURTH + 1]
    bare = one.kind == "count" and not one.unit and not one.pers
    if not bare or not _price(second, target) or _price(third, target) or first.kind == target.kind:
        return group
    figure = replace(like_coins(one.figure, second.figure), sort=second.figure.sort, unit=second.figure.unit)
    like = replace(one, kind=target.kind, unit=second.unit, factor=second.factor, figure=figure)
    return [first, second, third, like, *group[_FOURTH + 1 :]]


_FOURTH = 3


def _halved(kinds: str) -> str:
    """All numbers before all prices."""
    half = len(kinds) // 2
    return "N" * half + "P" * half


def _weights(group: Sequence[Quantity], kinds: str) -> str:
    """Shares of which every other, or the first half, makes 100% are weights of the others."""
    if set(kinds) != {"P"} or len(group) not in {4, 6, 8}:
        return kinds
    for weights, found in ((group[::2], "NP" * (len(group) // 2)), (group[: len(group) // 2], _halved(kinds))):
        if sum(one.figure.low for one in weights) == 100:
            return found
    return kinds


def _trimmed(group: list[Quantity], target: Quantity) -> list[Quantity]:
    """The figures without a total before the numbers: 500 flats: 300 at €400 and 200 at €550."""
    kinds = [_price(one, target) for one in group[:4]]
    return group[1:] if len(group) % 2 and kinds == [False, False, True, False] else group


def _price(one: Quantity, target: Quantity) -> bool:
    """Whether a figure may be the price in a product that gives a target: it is of the same kind."""
    if target.kind == "share":
        return one.kind == "share"
    if one.kind == target.kind == "time":
        return one.unit in HOURS and target.unit in HOURS
    return one.kind == target.kind and (one.unit == target.unit or (target.kind == "count" and not one.unit))


def _timed(one: Quantity, target: Quantity) -> Decimal:
    """What one unit of a time is in that of a target; 1 for other amounts."""
    return HOURS[one.unit] / HOURS[target.unit] if one.kind == target.kind == "time" else ONE


def _groups(scope: Scope, target: Quantity) -> Iterator[list[Quantity]]:
    """The figures of the sentence before a target and after it, with and without those of other sentences."""
    home, seen = scope.home(target), set()
    every = [one for one in scope.quantities if abs(scope.homes[one.index] - home) <= _FAR and one is not target]
    every = [one for one in every if not one.figure.ranged and one.figure.low > 0 and one.kind != "points"]
    for near in (True, False):
        for left in (True, False):
            found = [one for one in every if (one.index < target.index) == left]
            found = [one for one in found if scope.homes[one.index] == home] if near else found
            for cut in (0, 1):  # a figure next to the target may be the sum of the numbers
                part = found[: len(found) - cut] if left else found[cut:]
                key = tuple(one.index for one in part)
                if 2 < len(part) <= _MOST and key not in seen:
                    seen.add(key)
                    yield part


_FAR = 3
"""How many sentences before or after a target may have the items of its bill."""
Part = tuple[int, ...]


@lru_cache(maxsize=2000)
def _parsed(kinds: str) -> tuple[tuple[Part, ...], ...]:
    """The ways to read figures as items, each a number and a price or a price alone: at least one number."""
    found = [parts for parts in _read(kinds, 0) if len(parts) > 1 and any(len(part) == 2 for part in parts)]
    half = len(kinds) // 2
    if kinds in {"N" * half + "P" * half, "P" * half + "N" * half} and half > 1:
        found.append(tuple((place, place + half) for place in range(half)))
    return tuple(found[:6])


def _read(kinds: str, place: int) -> Iterator[tuple[Part, ...]]:
    if place == len(kinds):
        yield ()
        return
    if kinds[place : place + 2] in {"NP", "PN"}:
        yield from (((place, place + 1), *rest) for rest in _read(kinds, place + 2))
    if kinds[place] == "P":
        yield from (((place,), *rest) for rest in _read(kinds, place + 1))


def _ordered(target: Quantity, group: Sequence[Quantity], part: Part) -> tuple[Quantity, Quantity]:
    """The number and the price of an item."""
    one, two = (group[place] for place in part)
    weighted = target.kind == one.kind == two.kind == "share"  # weights come first
    return (two, one) if _price(one, target) and not weighted else (one, two)


def _scale(group: Sequence[Quantity], number: Quantity, price: Quantity) -> Decimal:
    """What converts a number times a price: of several prices only one may say `per million`."""
    per = factor_of(price) / price.factor if price.kind != "share" else ONE
    if per == 1:
        others = [factor_of(one) / one.factor for one in group if one.kind == price.kind == "money" and one.pers]
        per = next((one for one in others if one != 1 and number.kind == "unit"), ONE)
    millions = number.unit == "token" and number.figure.low >= 10**5 and price.kind == "money" and not price.pers
    if per == 1 and millions:
        per = Decimal("0.000001")  # the price of tokens is that of a million, if nothing else is said
    return per * factor_of(number) if per != 1 else ONE


def _bill(scope: Scope, target: Quantity, group: Sequence[Quantity], parts: Sequence[Part]) -> Iterator[Candidate]:
    names = numbered("x", len(group))
    terms: list[Term] = []
    for part in parts:
        if len(part) == 1:
            terms.append(times(names[part[0]], _timed(group[part[0]], target)))
            continue
        number, price = _ordered(target, group, part)
        if number.kind == "count" and target.kind == "count" and number.unit == target.unit != "":
            return
        scale = _scale(group, number, price) * _timed(price, target)
        terms.append(times(product(*(names[place] for place in part)), scale))
    if len(parts) == 2:  # 26 hours at €70, and 18 at €90
        for gap in (Op("-", *terms), Op("-", *terms[::-1])):
            yield Candidate("bill", target, tuple(group), names, gap, united=False, exact=True, raw=True)
    tree = total(*terms)
    for factor in (ONE, *period_factors(scope, target, group)):
        yield Candidate("bill", target, tuple(group), names, times(tree, factor), united=False, exact=True, raw=True)


def _blend(target: Quantity, group: Sequence[Quantity], parts: Sequence[Part]) -> Iterator[Candidate]:
    """The average of some prices, weighted by the numbers."""
    if any(len(part) == 1 for part in parts):
        return
    pairs = [_ordered(target, group, part) for part in parts]
    if any(_timed(price, target) != 1 for _, price in pairs):
        return
    if len({number.kind for number, _ in pairs if number.unit}) > 1 or len({n.factor for n, _ in pairs}) > 1:
        return
    names = numbered("x", len(group))
    at = {id(one): name for one, name in zip(group, names, strict=True)}
    summed = total(*(product(at[id(number)], at[id(price)]) for number, price in pairs))
    tree = Op("/", summed, total(*(at[id(number)] for number, _ in pairs)))
    yield Candidate("blend", target, tuple(group), names, tree, united=False, exact=True, raw=True)


def _mixed(target: Quantity, group: Sequence[Quantity], kinds: str) -> Iterator[Candidate]:
    """Two prices with the share of one, or with the number of parts of one for each of the other."""
    if sorted(kinds) != ["N", "P", "P"]:
        return
    weight = group[kinds.index("N")]
    prices = [place for place, kind in enumerate(kinds) if kind == "P"]
    names = numbered("x", 3)
    name = names[kinds.index("N")]
    for first, second in (prices, prices[::-1]):
        if weight.kind in {"share", "ratio"} and weight.figure.low < (1 if weight.kind == "ratio" else 100):
            parts = Op("*", name, names[first]), Op("*", Op("-", ONE, name), names[second])
            tree: Term = total(*parts)
        elif weight.kind in {"count", "unit", "ratio"} and 1 < weight.figure.low <= 20:
            tree = Op("/", Op("+", Op("*", name, names[first]), names[second]), Op("+", name, ONE))
        else:
            return
        yield Candidate("blend", target, tuple(group), names, tree, united=False, exact=True, raw=True)


# ---- a difference or a sum, times a rate


def excesses(scope: Scope, target: Quantity, wanted: frozenset[str]) -> Iterator[Candidate]:
    """The difference of two amounts, or the sum of some, times the figures next to them."""
    near = [one for one in scope.quantities if one is not target and abs(scope.home(one) - scope.home(target)) < 4]
    near = [one for one in near if not one.figure.ranged and one.figure.low > 0 and one.kind != "points"]
    for place, one in enumerate(near if "excess" in wanted else ()):
        for last, two in enumerate(near[place + 1 : place + 3], place + 1):
            if abs(two.index - target.index) < 7 and _alike(one, two):
                if target.kind == "time" or target.pers:
                    yield from _paced(target, (one, two), near)
                for others in _neighbours(target, near, place, last) if one.figure.low != two.figure.low else ():
                    yield from _excess(scope, target, (one, two), others)
    if "sum taken" in wanted:
        yield from _sums_taken(scope, target, near)


def _alike(one: Quantity, two: Quantity) -> bool:
    """Whether two amounts may be subtracted; one in digits may lack its unit."""
    if one.kind == two.kind:
        people = one.kind == "count" and "person" in {one.unit, two.unit}  # 900 seats, and 480 people use them
        return (
            one.unit == two.unit or not (one.unit and two.unit) or people or (one.kind == "time" and one.unit in HOURS)
        )
    bare = one if one.kind == "count" else two
    digits = any(sign.isdigit() for sign in bare.figure.text)
    return bare.kind == "count" and not bare.unit and digits  # the one of `number one` is no amount


def _neighbours(target: Quantity, near: Sequence[Quantity], first: int, last: int) -> Iterator[tuple[Quantity, ...]]:
    """The figures after a pair, up to three, or before it, that with it may give the target."""
    pair, between = (near[first], near[last]), near[first + 1 : last]
    for size in (1, 2, 3):
        for found in (near[last + 1 : last + 1 + size], near[max(0, first - size) : first]):
            others = (*between, *found)
            if len(found) == size and len(others) < 4 and _gives(target, pair, others):
                yield others
    if between and _gives(target, pair, between):
        yield tuple(between)
    yield from _last_stated(target, near, pair)
    around = (near[first - 1], near[last + 1]) if first and last + 1 < len(near) else ()
    if around and _gives(target, pair, around):
        yield around


def _last_stated(
    target: Quantity, near: Sequence[Quantity], pair: tuple[Quantity, Quantity]
) -> Iterator[tuple[Quantity, ...]]:
    """The figure before a target, if it measures what two prices are for: €0.80 a kilo and now €0.90 … 500 kg, €50."""
    before = [one for one in near if one.index < target.index][-1:]
    priced = all(one.kind == "money" for one in pair) and any(one.pers for one in pair)
    if before and priced and before[0].index > pair[1].index + 1 and before[0].unit in {"g", "m³", "m", "Wh"}:
        yield (before[0],)


def _gives(target: Quantity, pair: tuple[Quantity, Quantity], others: Sequence[Quantity]) -> bool:
    """Whether a difference times some figures may be an amount like a target."""
    if any(one.kind in {"share", "ratio"} for one in others) or any(one.kind in {"share", "ratio"} for one in pair):
        return False
    money = [one for one in (pair[0], *others) if one.kind == "money"]
    if target.kind != "money":
        every = (*pair, *others)
        worked = target.unit.endswith(("-hour", "-day"))
        return not money and any((one.kind == target.kind or worked) and _one_unit(one, target) for one in every)
    return len(money) == 1 and money[0].unit == target.unit


def _one_unit(one: Quantity, two: Quantity) -> bool:
    if two.unit.endswith(("-hour", "-day")) and one.kind == "time":
        return one.unit == {"hour": "h"}.get(two.unit.rpartition("-")[2], "day")  # person-hours
    if {one.unit, two.unit} == {"W", "Wh"}:
        return True
    return one.unit == two.unit or (one.kind == "time" and one.unit in HOURS and two.unit in HOURS)


def _paced(target: Quantity, pair: tuple[Quantity, Quantity], near: Sequence[Quantity]) -> Iterator[Candidate]:
    """The difference of two amounts for each of a period, or the time that it takes at a rate."""
    one, two = pair
    if one.figure.low == two.figure.low or two.index - one.index > 2:
        return
    rated, unit = two if two.unit else one, target.unit
    big, small = ("x1", "x2") if one.figure.low > two.figure.low else ("x2", "x1")
    if "money" in {one.kind, two.kind} and one.kind != two.kind:
        return  # a bare number next to an amount of money: their difference has no unit
    gap = Op("-", big, small)
    if target.pers and target.pers[0] in HOURS and (target.kind, unit) == (rated.kind, rated.unit) and not rated.pers:
        for time in (part for part in near if part.kind == "time" and part.unit in HOURS):
            scale = rated.factor / target.factor / (HOURS[time.unit] / HOURS[target.pers[0]])
            tree = times(Op("/", gap, "time"), scale)
            yield Candidate(
                "excess", target, (*pair, time), ("x1", "x2", "time"), tree, united=False, exact=True, raw=True
            )
    if target.kind == "time" and unit in HOURS and not target.pers:
        for rate in near:
            per = next((per for per in rate.pers if per in HOURS), "")
            if per and rate not in pair and rate.kind == rated.kind and rate.unit == rated.unit and not rated.pers:
                scale = rated.factor / rate.factor * HOURS[per] / HOURS[unit]
                tree = times(Op("/", gap, "rate"), scale)
                yield Candidate(
                    "excess", target, (*pair, rate), ("x1", "x2", "rate"), tree, united=False, exact=True, raw=True
                )


def _excess(
    scope: Scope, target: Quantity, pair: tuple[Quantity, Quantity], others: tuple[Quantity, ...]
) -> Iterator[Candidate]:
    used, names = (*pair, *others), ("x1", "x2", *numbered("rate", len(others)))
    big, small = ("x1", "x2") if pair[0].figure.low >= pair[1].figure.low else ("x2", "x1")
    rated = pair[0] if pair[0].unit else pair[1]
    scales = {ONE, scale_of((rated if rated.pers or not pair[1].pers else pair[1], *others), target)}
    factors = (ONE, *period_factors(scope, target, used))
    tree = product(Op("-", big, small), *names[2:])
    timed = [part for part in (rated, *others) if part.kind == "time"]
    if target.kind == "time" and len(timed) == 1 and timed[0].unit != target.unit and target.unit in HOURS:
        scales = {scale * HOURS[timed[0].unit] / HOURS[target.unit] for scale in scales}
    for scale in sorted({scale * factor for scale in scales for factor in factors}):
        yield Candidate("excess", target, used, names, times(tree, scale), united=False, exact=True, raw=True)


_YEARLY = re.compile(r"\b(?:years?|annual\w*|yearly|twelve months|12 months|p\.a\.)(?!\w)", re.I)


def _longer(scope: Scope, target: Quantity, group: Sequence[Quantity]) -> tuple[Decimal, ...]:
    """How often the period of some fees is in that of their total, where the sentence names the longer one."""
    yearly = not target.pers and _YEARLY.search(scope.sentence.text)
    often = {A_YEAR[per] for one in group for per in one.pers if per in A_YEAR} if yearly else set()
    return tuple(sorted({*often, *period_factors(scope, target, group)}))


_DIVIDED = re.compile(
    r"\b(?:each|apiece|per (?:head|person|capita)|a head|(?:two|three|four|five|six|seven|eight|nine|ten|\d+)[ -]ways?"
    r"|shared?|split|divided?|between (?:us|them|the)|among)\b",
    re.I,
)
"""Words of a division among some people or things."""


def _sums_split(target: Quantity, near: Sequence[Quantity], *, shared: bool) -> Iterator[Candidate]:
    """The sum of two to four amounts for each of a number: $96, $540 and $164, split four ways; costs a kilometre."""
    for number in near:
        people = number.kind == "count" and number.figure.low >= 2 and number.figure.is_integer
        if not (people and (shared or "each" in target.pers)) and not _measured_by(target, number):
            continue
        before = [one for one in near if one.index < target.index and one is not number]
        before = [one for one in before if one.kind == target.kind or (people and one.kind == "count" and not one.unit)]
        before = [one for one in before if one.unit in {target.unit, ""} or target.kind == "count"]
        for size in (2, 3, 4) if target.kind in {"money", "count"} else ():
            if len(before) >= size:
                names = numbered("x", size)
                scale = (
                    1 / factor_of(target)
                    if people and not _measured_by(target, number)
                    else 1 / number.factor / factor_of(target)
                )
                tree = times(Op("/", total(*names), "number"), scale)
                used = (*before[-size:], number)
                yield Candidate("sum taken", target, used, (*names, "number"), tree, united=False, exact=True, raw=True)
                if size < 4 and people:
                    big = max(names, key=lambda name: used[names.index(name)].figure.low)
                    rest = less(big, tuple(name for name in names if name != big))
                    tree = times(Op("/", rest, "number"), scale)
                    yield Candidate(
                        "sum taken", target, used, (*names, "number"), tree, united=False, exact=True, raw=True
                    )  # £50 of the £250 is gone, and eight share the rest


def _measured_by(target: Quantity, number: Quantity) -> bool:
    """Whether a price is for one of what a number measures: a kilometre, of 900 km."""
    per = base_of(target.pers[0])[0] if target.kind == "money" and target.pers else ""
    return bool(per) and number.unit == per and not number.pers and per not in HOURS


def _sums_taken(scope: Scope, target: Quantity, near: Sequence[Quantity]) -> Iterator[Candidate]:
    """The sum of two to four amounts in a row, times the rate after or before them."""
    shared = _DIVIDED.search(scope.sentence.text) is not None
    if shared or target.pers:
        yield from _sums_split(target, near, shared=shared)
    for size in (2, 3, 4):
        for place in range(len(near) - size + 1):
            group = near[place : place + size]
            if not all(_alike(one, two) for one, two in combinations(group, 2)) or group[-1].kind == "share":
                continue
            for factor in _longer(scope, target, group):
                if group[0].kind == target.kind and group[0].unit == target.unit:
                    names = numbered("x", size)
                    tree = times(total(*names), factor)
                    yield Candidate(
                        "sum taken", target, tuple(group), names, tree, united=False, exact=True, raw=True
                    )  # three fees a month, over a year
            for rate in (*near[place + size : place + size + 1], *near[max(0, place - 1) : place]):
                if _gives(target, (group[0], group[1]), (rate,)) and rate.kind == target.kind:
                    names = numbered("x", size)
                    tree = Op("*", total(*names), "rate")
                    scale = scale_of((group[-1], rate), target)
                    for factor in sorted({ONE, scale}):
                        yield Candidate(
                            "sum taken", target, (*group, rate), (*names, "rate"), times(tree, factor),
                            united=False, exact=True, raw=True,
                        )  # fmt: skip  # the call on three lines is more readable
