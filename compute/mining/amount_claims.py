"""Amounts computed from others: sums, differences, and products and quotients whose dimensions fit.

$1,800, $600 and $150 add up to $2,550                     x1 + x2 + x3
24 seats at $15 per seat per month, $4,320 a year          24 * 15 USD * 12
300 km in 2.5 hours, an average of 120 km/h                300 / 2.5
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import reduce
from itertools import combinations

from compute.mining.claim_cues import (
    AVERAGE,
    EQUAL,
    EQUAL_PHRASES,
    GAP,
    LEFT,
    TOTAL,
    TOTAL_PHRASES,
    WEAK,
    after_border,
    before_border,
    has,
    phrase,
)
from compute.mining.claim_scopes import HOURS, Candidate, Scope, alike, per_alike
from compute.mining.expressions import Op, product, total
from compute.mining.quantities import TIMES, Quantity

_SOFT = frozenset({"GPU", "request", "token", "parameter"})
_HARD = frozenset({"m", "g", "litre"})
_JOINS = frozenset(
    {
        ",",
        "and",
        "+",
        "plus",
        "&",
        ";",
        "—",
        "–",
        "(",
        ")",
        "another",
        "the",
        "for",
        "a",
        "in",
        "on",
        "to",
        "of",
        "with",
        "is",
        "are",
        "was",
        "were",
        "at",
        "costs",
        "cost",
        "as",
        "well",
        "other",
        "from",
        "by",
        "an",
        "its",
        "took",
        "used",
        "brought",
        "came",
    }
)
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
    r"\b(?:work\w*|shifts?|office|staff|employee|employees|salar\w+|wages?|paid|earns?|engineers?|commut\w+|school|open|weekdays?|business|season)\b",
    re.I,
)
_OPERANDS = 5


def claimed(scope: Scope, target: Quantity) -> float:
    """How strongly the words before and after an amount call it a result: 2, 1, 0.4, or 0."""
    left, right = after_border(scope.left(target)), before_border(scope.right(target), ",")
    if has(left, TOTAL) or phrase(left, TOTAL_PHRASES) or has(right[:6], TOTAL) or phrase(right, TOTAL_PHRASES):
        return 2
    if not target.index:
        return 0.4 if has(left[-3:], WEAK) else 0
    if has(left[-2:], {"plus", "and", "another", "with"}) and not has(left, LEFT):
        return 0
    if phrase(left[-7:], EQUAL_PHRASES) or has(left[-4:], EQUAL) or (scope.left(target)[-1:] == (":",)):
        return 2
    if has(left, LEFT) or has(right[:3], LEFT) or has(left[-4:], AVERAGE) or has(right[:4], AVERAGE):
        return 1.5
    if scope.left(target)[-1:] and scope.left(target)[-1] in {",", "(", "—", "–"}:
        return 1
    last = target.index == len(scope.quantities) - 1 and bool(left)
    return 0.4 if last or has(left[-3:], WEAK) else 0


def amounts(scope: Scope) -> Iterator[Candidate]:
    """The relations that amounts of a sentence may claim."""
    for target in scope.targets:
        if target.kind in {"share", "points", "ratio"} or target.figure.ranged or target.figure.low <= 0:
            if target.kind == "share" and not target.figure.ranged and target.figure.low > 0:
                yield from _summed(scope, target)
                yield from _stacked(scope, target)
                yield from _compounded(scope, target)
                yield from _complement(scope, target)
                yield from _available(scope, target)
            continue
        strength = claimed(scope, target)
        if target.kind in {"time", "unit"} and target.unit in TIMES:
            yield from downtimes(scope, target)
        if strength:
            yield from _summed(scope, target)
            yield from _gaps(scope, target)
            yield from billed(scope, target)
            yield from listed(scope, target)
            yield from _products(scope, target, strength)


# ---- sums and differences


def _summed(scope: Scope, target: Quantity) -> Iterator[Candidate]:
    left, right = after_border(scope.left(target)), before_border(scope.right(target), ",")
    cue = has(left, TOTAL) or phrase(left, TOTAL_PHRASES) or has(right[:6], TOTAL) or phrase(right, TOTAL_PHRASES)
    if not cue and (has(left, GAP | LEFT | AVERAGE) or has(right[:4], GAP | LEFT | AVERAGE)):
        return
    equal = has(left[-4:], EQUAL) or phrase(left[-7:], EQUAL_PHRASES) or (left[-2:-1] == [","] and left[-1] == "for")
    if not cue and not equal:
        return
    others = [one for one in scope.quantities if one.index != target.index and _addable(one, target)]
    runs = [run for run in _runs(scope, others) if len(run) > 1]
    base = 3.0 if cue else 1.6
    for run in runs:
        rate = any(one.pers for one in run) != bool(target.pers)
        score = (
            base
            + 0.4 * (len(run) == len(others))
            - (1 if rate else 0)
            + (0.2 if run[-1].index == target.index - 1 else 0)
        )
        spare = [
            one
            for one in scope.quantities
            if one is not target and one not in run and one.base != len(run) and one.kind != "ratio"
        ]
        listed = len(run) > 2 and all(
            set(scope.between(one, two)) <= {",", "and", "+", "plus"} for one, two in zip(run, run[1:], strict=False)
        )
        yield _sum(
            target,
            run,
            score + (0.6 if listed else 0),
            sure=(cue or listed) and not spare and not rate and run[0].index >= scope.first,
        )
    if len(others) > 1 and not any(len(run) == len(others) for run in runs):
        yield _sum(
            target,
            others,
            base - 0.6 - (0.5 if len(others) == 2 else 0),
            sure=cue and target.kind != "count" and len(others) > 2 and len(others) == len(scope.quantities) - 1,
        )


def listed(scope: Scope, target: Quantity) -> Iterator[Candidate]:
    """The total of a list, one item a sentence: each item has one amount of the kind."""
    if len(scope.targets) > 2 or not (
        has(scope.left(target)[-6:], TOTAL)
        or phrase(scope.left(target)[-6:], TOTAL_PHRASES)
        or has(scope.right(target)[:4], TOTAL)
    ):
        return
    parts = [one for one in scope.quantities[: scope.first] if one.kind == target.kind]
    if len(parts) > 1 and len(parts) == scope.first and all(alike(one, target) for one in parts):
        yield _sum(target, parts, 3.2, sure=len(parts) > 2)


def _addable(one: Quantity, target: Quantity) -> bool:
    if one.kind != target.kind or one.figure.ranged:
        return False
    if one.kind == "count":
        measured = one.unit in _HARD or target.unit in _HARD
        return one.unit == target.unit if measured else per_alike(one, target)
    return alike(one, target)


def _runs(scope: Scope, others: list[Quantity]) -> Iterator[list[Quantity]]:
    """Lists: quantities with only a few words and `,`, `and` or `+` between them."""
    run: list[Quantity] = []
    for one in others:
        gap = scope.between(run[-1], one) if run else ()
        near = (
            run
            and one.index == run[-1].index + 1
            and len(gap) <= 9
            and has(gap, {",", "and", "+", "plus", "&", ";"})
            and "." not in gap
        )
        if run and not near:
            yield run
            run = []
        run = [*run, one]
    if run:
        yield run


def _sum(target: Quantity, parts: list[Quantity], score: float, *, sure: bool) -> Candidate:
    names = tuple(f"x{number}" for number in range(1, len(parts) + 1))
    return Candidate("sum", target, tuple(parts), names, total(*names), score, exact=True, sure=sure)


def _gaps(scope: Scope, target: Quantity) -> Iterator[Candidate]:
    """The difference of two amounts, or what is left of one after others."""
    left, right = after_border(scope.left(target)), before_border(scope.right(target), ",")
    right = before_border(right, ",()—–-")
    rest = has(left[-5:], LEFT) or has(right[:3], LEFT)
    cue = rest or has(left[-6:], GAP) or has(right[:3], GAP)
    if not cue:
        return
    strong = rest or has(left[-6:], _APART) or has(right[:1], _APART)
    others = [one for one in scope.quantities if one.index != target.index and alike(one, target)]
    others = [one for one in others if one.base != target.base or rest]
    for one, two in combinations(others, 2):
        big, little = (one, two) if one.base >= two.base else (two, one)
        near = max(abs(target.index - one.index), abs(target.index - two.index))
        score = (
            2.6
            + (0.8 if len(others) == 2 else 0)
            - 0.4 * (near - 2)
            - 0.5 * ("." in scope.between(*sorted((one, two), key=lambda quantity: quantity.index)))
        )
        sure = (
            strong
            and len(others) == 2
            and len(scope.quantities) == 3
            and one.pers == two.pers
            and set(target.pers) <= {*one.pers, "each"}
        )
        sure = (
            sure
            and not ({*scope.right(target)[:6]} & set(_SAID))
            and not has(
                [token for gap in scope.gaps for token in gap],
                {"monthly", "annual", "annually", "yearly", "weekly", "daily"},
            )
        )
        yield Candidate(
            "difference",
            target,
            (big, little),
            ("whole", "part"),
            Op("-", "whole", "part"),
            score - (0 if strong else 0.5),
            exact=not target.figure.hedge,
            sure=sure,
        )
    yield from _saved(scope, target, others)
    if rest and len(others) > 2:
        big = max(others, key=lambda one: one.base)
        parts = [one for one in others if one is not big]
        clause = not any(
            has(scope.between(*sorted((one, target), key=lambda quantity: quantity.index)), {";", "."})
            for one in others
        )
        clause = (
            clause
            and all(one.index < target.index for one in others)
            and target.index == len(scope.quantities) - 1
            and big is others[0]
        )
        names = ("whole", *(f"x{number}" for number in range(1, len(parts) + 1)))
        tree = reduce(lambda tree, name: Op("-", tree, name), names[1:], names[0])  # type: ignore[arg-type, return-value]  # the tree grows
        yield Candidate("difference", target, (big, *parts), names, tree, 3.6, exact=True, sure=clause)


_REDUCED = frozenset(
    {
        "off",
        "discount",
        "discounts",
        "cut",
        "cuts",
        "reduction",
        "reductions",
        "cheaper",
        "less",
        "down",
        "saving",
        "savings",
        "saves",
        "save",
        "marked",
        "markdown",
    }
)
_STACKED = frozenset(
    {
        "another",
        "further",
        "then",
        "stacked",
        "stack",
        "combined",
        "combine",
        "successive",
        "on",
        "plus",
        "additional",
        "again",
        "followed",
        "together",
        "combining",
        "stacking",
        "extra",
        "both",
    }
)


def _stacked(scope: Scope, target: Quantity) -> Iterator[Candidate]:
    """Two discounts, one after the other, and what they come to."""
    tokens = [token for gap in scope.gaps for token in gap]
    others = [
        one
        for one in scope.quantities
        if one.kind == "share" and one.index < target.index and not one.figure.ranged and 0 < one.figure.low < 100
    ]
    if not (2 <= len(others) <= 3 and has(tokens, _REDUCED) and has(tokens, _STACKED)) or target.figure.low < max(
        one.figure.low for one in others
    ):
        return
    if not all(has((*scope.left(one)[-4:], *scope.right(one)[:4]), _REDUCED) for one in others):
        return
    names = tuple(f"discount_{letter}" for letter in "abc"[: len(others)])
    one = Decimal(1)
    kept = product(*(Op("-", one, name) for name in names))
    strong = claimed(scope, target) >= 1 or has(
        scope.left(target)[-4:], {"delivers", "to", "of", "is", "reach", "reaches"}
    )
    yield Candidate(
        "stacked",
        target,
        tuple(others),
        names,
        Op("-", one, kept),
        4.0 if strong else 2.1,
        sure=strong and len(others) == 2,
    )


_RISEN = frozenset(
    {
        "rose",
        "rise",
        "rises",
        "risen",
        "up",
        "increase",
        "increases",
        "increased",
        "grew",
        "grow",
        "growth",
        "raise",
        "raised",
        "raises",
        "gain",
        "gained",
        "gains",
        "climbed",
        "added",
        "above",
    }
)


def _compounded(scope: Scope, target: Quantity) -> Iterator[Candidate]:
    """Two rises, one after the other, and what they come to."""
    tokens = [token for gap in scope.gaps for token in gap]
    others = [
        one for one in scope.quantities if one.kind == "share" and one.index < target.index and not one.figure.ranged
    ]
    if (
        len(others) != 2
        or not has(tokens, _RISEN)
        or not has(tokens, _STACKED | {"second", "next", "following"})
        or target.figure.low <= max(one.figure.low for one in others)
    ):
        return
    one = Decimal(1)
    tree = Op("-", product(Op("+", one, "rise_a"), Op("+", one, "rise_b")), one)
    yield Candidate(
        "compound", target, tuple(others), ("rise_a", "rise_b"), tree, 3.2, sure=claimed(scope, target) >= 1
    )


def _complement(scope: Scope, target: Quantity) -> Iterator[Candidate]:
    """What is left of a whole after other shares: `22%, 61% and the other 17%`."""
    left, right = after_border(scope.left(target))[-6:], scope.right(target)[:4]
    if not (has(left, LEFT | {"other"}) or has(right, LEFT)) or has(right[:2], GAP):
        return
    others = [
        one for one in scope.quantities if one.kind == "share" and one.index != target.index and not one.figure.ranged
    ]
    others = [one for one in others if one.index > target.index or not has(scope.between(one, target), {";", "."})]
    if not others or sum(one.figure.low for one in others) >= 100 or any(one.index > target.index for one in others):
        return
    names = tuple(f"x{number}" for number in range(1, len(others) + 1))
    yield Candidate(
        "complement",
        target,
        tuple(others),
        names,
        Op("-", Decimal(1), total(*names)),
        3.2,
        exact=True,
        sure=len(others) > 1,
    )


# ---- availability

_AVAILABLE = ("uptime", "availability", "available", "sla", "slo", "nines")
_DOWN = (
    "down",
    "downtime",
    "outage",
    "outages",
    "unreachable",
    "unavailable",
    "unavailability",
    "offline",
    "maintenance",
    "interruption",
    "interruptions",
)


def _available(scope: Scope, target: Quantity) -> Iterator[Candidate]:
    """The availability that a downtime leaves in a period."""
    tokens = [token for gap in scope.gaps for token in gap]
    times = [one for one in scope.quantities if one.kind == "time" and not one.figure.ranged]
    own = [token for gap in scope.gaps[scope.first + 1 :] for token in gap] + list(scope.left(target)[-8:])
    if target.figure.low < 50 or not has(own, _AVAILABLE) or not has(tokens, _DOWN) or len(times) != 2:
        return
    short, long = sorted(times, key=lambda one: one.figure.low * HOURS[one.unit])
    yield Candidate(
        "availability",
        target,
        (short, long),
        ("down", "period"),
        Op("-", Decimal(1), Op("/", "down", "period")),
        3.0,
        exact=True,
    )


def downtimes(scope: Scope, target: Quantity) -> Iterator[Candidate]:
    """The downtime that an availability allows in a period, stated or said with a word: `a year`, `per month`."""
    tokens = [token for gap in scope.gaps for token in gap]
    shares = [
        one for one in scope.quantities if one.kind == "share" and 80 <= one.figure.low < 100 and not one.figure.ranged
    ]
    own = [token for gap in scope.gaps[scope.first + 1 :] for token in gap] + list(scope.left(target)[-8:])
    if (
        target.unit not in HOURS
        or not shares
        or not has(own, (*_DOWN, *_AVAILABLE, "allows", "allowing", "annually"))
        or not (
            has(tokens, _AVAILABLE) and has(tokens, (*_DOWN, "allows", "allow", "permits", "leaves", "means", "budget"))
        )
        and not has(tokens, _DOWN)
    ):
        return
    share = min(shares, key=lambda one: abs(one.index - target.index))
    spans = [
        one
        for one in scope.quantities
        if one.kind == "time"
        and one.index != target.index
        and one.figure.low * HOURS[one.unit] > 20 * target.figure.low * HOURS[target.unit]
    ]
    if spans:
        tree = Op("*", Op("-", Decimal(1), "share"), "period")
        yield Candidate("downtime", target, (share, spans[0]), ("share", "period"), tree, 3.4)
        return
    said = {_SAID[token] for token in (*tokens, *target.pers) if token in _SAID} - {"h"}
    for period in sorted(said):
        for index, factor in enumerate(_factors(period, target.unit)[:3]):
            tree = Op("*", Op("-", Decimal(1), "share"), factor)
            yield Candidate(
                "downtime",
                target,
                (share,),
                ("share",),
                tree,
                3.2 - 0.1 * index,
                united=False,
                sure=len(said) == 1 and share.index >= scope.first,
            )


_APART = frozenset(
    {"difference", "gap", "profit", "surplus", "deficit", "saves", "saved", "save", "saving", "savings", "shortfall", "exceed", "exceeds", "exceeded", "exceeding", "leaving", "loss",
     "more", "less", "fewer", "cheaper", "dearer", "lighter", "heavier", "shorter", "longer", "shaved", "shaves", "gained", "lost", "cushion", "apart"}
)  # fmt: skip  # as many as fit a line


def _saved(scope: Scope, target: Quantity, others: list[Quantity]) -> Iterator[Candidate]:
    """The difference of two rates, for a number of things and a period: 300 seats from 22 to 17 euros a month."""
    rates = [
        one
        for one in scope.quantities
        if one.index != target.index and one.kind == target.kind and one.unit == target.unit
    ]
    counts = [one for one in scope.quantities if one.kind == "count" and one.unit and one.index != target.index]
    if len(rates) != 2 or len(counts) > 1 or target.kind != "money":
        return
    big, little = sorted(rates, key=lambda one: -one.base)
    pers = set(big.pers) | set(little.pers)
    period = next((unit for unit in TIMES if unit in pers), "")
    span = next((unit for unit in TIMES if unit in target.pers), "") or next(
        (_SAID[word] for word in (*scope.left(target), *scope.right(target)) if word in _SAID), ""
    )
    factors = _factors(span, period) if span and period and span != period else (Decimal(1),)
    names = ("whole", "part", *(["quantity"] if counts else []))
    for index, factor in enumerate(factors):
        tree: Op | str | Decimal = Op("-", "whole", "part")
        tree = product(tree, *(["quantity"] if counts else []), *([factor] if factor != 1 else []))
        if counts or factor != 1:
            yield Candidate(
                "saving",
                target,
                (big, little, *counts),
                names,
                tree,
                3.9 - 0.1 * index,
                sure=len(scope.quantities) == 3 + len(counts),
            )


def billed(scope: Scope, target: Quantity) -> Iterator[Candidate]:
    """A bill of several items, each a number of things at a price: a dozen eggs at 30 cents and two loaves at $2.70."""
    if target.kind != "money" or claimed(scope, target) < 1 or has(scope.left(target)[-6:], GAP | LEFT):
        return
    before = [one for one in scope.quantities if one.index < target.index]
    counts = [one for one in before if one.kind in {"count", "time"}]
    prices = [one for one in before if one.kind == "money" and one.unit == target.unit]
    parts: list[tuple[Quantity, ...]] = []
    free = list(counts)
    for price in prices:
        near = [one for one in free if one.index == price.index - 1]
        parts.append((near[0], price) if near else (price,))
        free = [one for one in free if one not in near]
    if len(parts) < 2 or free or len(before) != len(counts) + len(prices) or not any(len(part) == 2 for part in parts):
        return
    used = tuple(one for part in parts for one in part)
    names = tuple(f"x{number}" for number in range(1, len(used) + 1))
    given = iter(names)
    tree = total(*(product(*(next(given) for _ in part)) for part in parts))
    yield Candidate("bill", target, used, names, tree, 4.2, united=False, sure=all(len(part) == 2 for part in parts))
    lone = [part[0] for part in parts if len(part) == 1]
    if len(counts) == 1 and len(lone) == 1 and any(counts[0].unit in one.pers for one in lone):
        pairs = Op("*", "quantity", total(*(f"rate_{number}" for number in range(1, len(prices) + 1))))
        yield Candidate(
            "bill",
            target,
            (counts[0], *prices),
            ("quantity", *(f"rate_{number}" for number in range(1, len(prices) + 1))),
            pairs,
            4.4,
            united=False,
        )


# ---- products and quotients


@dataclass(frozen=True, slots=True)
class _Fit:
    """How a product fits a target: what it costs, and the factors between their units of time, likeliest first."""

    cost: float
    factors: tuple[Decimal, ...] = (Decimal(1),)


def dimensions(one: Quantity) -> Counter[str]:
    """The exponent of each unit of a quantity; a share has none."""
    found: Counter[str] = Counter()
    if one.kind in {"share", "ratio", "points"}:
        return found
    if one.unit == "Wh":
        found.update({"W": 1, "h": 1})
    elif one.unit.endswith(("²", "³")):
        found[one.unit[:-1]] += 2 if one.unit[-1] == "²" else 3
    elif one.unit:
        found[one.unit] += 1
    for per in one.pers:
        if per in {"kWh", "MWh", "Wh"}:
            found.subtract({"W": 1, "h": 1})
        else:
            found[_BASES.get(per, (per, Decimal(1)))[0]] -= 1
    return found


_BASES = {
    "GB": ("byte", Decimal(10) ** 9), "TB": ("byte", Decimal(10) ** 12), "MB": ("byte", Decimal(10) ** 6), "kB": ("byte", Decimal(10) ** 3), "kWh": ("Wh", Decimal(1000)),
    "MWh": ("Wh", Decimal(10) ** 6), "kW": ("W", Decimal(1000)), "MW": ("W", Decimal(10) ** 6), "Mtok": ("token", Decimal(10) ** 6), "ktok": ("token", Decimal(1000)), "km": ("m", Decimal(1000)),
    "ml": ("litre", Decimal("0.001")), "mg": ("g", Decimal("0.001")), "cl": ("litre", Decimal("0.01")), "kilometre": ("m", Decimal(1000)), "kilometer": ("m", Decimal(1000)), "cm": ("m", Decimal("0.01")),
    "kg": ("g", Decimal(1000)), "tonne": ("g", Decimal(10) ** 6), "gram": ("g", Decimal(1)), "liter": ("litre", Decimal(1)), "l": ("litre", Decimal(1)), "meter": ("m", Decimal(1)), "metre": ("m", Decimal(1)),
}  # fmt: skip  # as many as fit a line


def magnitude(one: Quantity) -> Decimal:
    """The value of a quantity with what it is per, in base units: $1.20 per GB is 1.2e-9 dollars per byte."""
    found = one.base
    for per in one.pers:
        found /= _BASES.get(per, ("", Decimal(1)))[1]
    return found


def _products(scope: Scope, target: Quantity, strength: float) -> Iterator[Candidate]:
    near = sorted(
        (one for one in scope.quantities if one.index != target.index and _factor(scope, one)),
        key=lambda one: abs(one.index - target.index),
    )
    operands = sorted(near[:_OPERANDS], key=lambda one: one.index)
    wanted = dimensions(target)
    every = len(
        [
            one
            for one in scope.quantities
            if one.index < target.index
            or (one.index > target.index and not has(scope.between(target, one), {";", "."}))
        ]
    )
    fewest = max(1, every - int((2.8 + 0.8 * strength) / 0.7))
    for size in range(fewest, min(4, len(operands)) + 1):
        for chosen in combinations(operands, size):
            for below in (None, *(range(size) if size > 1 else ())):
                fit = _fit(scope, wanted, chosen, below, target)
                if fit is not None:
                    yield from _product(scope, target, chosen, below, fit, strength, every - size)


def _factor(scope: Scope, one: Quantity) -> bool:
    if one.kind == "share" and scope.right(one)[:1] != ("of",):
        return False
    inch = scope.right(one)[:1] == ("-",)
    return (
        one.kind in {"money", "unit", "time", "count", "share"}
        and not inch
        and not one.figure.ranged
        and one.figure.low > 0
    )


def _fit(
    scope: Scope, wanted: Counter[str], chosen: tuple[Quantity, ...], below: int | None, target: Quantity
) -> _Fit | None:
    found: Counter[str] = Counter()
    for index, one in enumerate(chosen):
        (found.subtract if index == below else found.update)(dimensions(one))
    if len(chosen) == 1 and (chosen[0].kind == "share" or not _converts(chosen[0], target)):
        return None
    cost, each = 0.0, found.pop("each", 0)
    rest = Counter(wanted)
    every = rest.pop("each", 0)
    rest.subtract(found)
    times = {unit: power for unit, power in rest.items() if power and unit in TIMES}
    nouns = {unit: power for unit, power in rest.items() if power and unit not in TIMES}
    for unit, power in nouns.items():
        if _hard(unit, (*chosen, target)) or abs(power) > 1:
            return None
        if power < 0 < found[unit]:
            spoken = (
                each < 0
                or any(unit in one.pers or "each" in one.pers for one in chosen)
                or "each" in scope.sentence.text
                or "every" in scope.sentence.text
            )
            cost += 0.2 if spoken else 0.9
        elif power < 0:
            cost += 0.3 if every else 2.0
        elif found[unit] < 0:
            cost += 0.1 if every < 0 else 2.4
            every = 0
        else:
            cost += 0.5
    if every < 0 and below is None:
        cost += 1.5
    lost = _time(scope, times, target)
    return None if lost is None or cost + lost.cost > 2.6 else _Fit(cost + lost.cost, lost.factors)


def _converts(one: Quantity, target: Quantity) -> bool:
    """Whether one amount alone may be the other in another unit."""
    if one.unit == target.unit and one.factor != target.factor and one.pers == target.pers and one.kind == target.kind:
        return abs(one.index - target.index) == 1
    if (one.unit, target.unit) != ("W", "Wh") and not all(
        {part.unit, *part.pers} & set(TIMES) for part in (one, target)
    ):
        return False
    return (
        dimensions(one) != dimensions(target)
        and (one.kind == target.kind == "time" or bool({*one.pers, *target.pers} & set(TIMES)))
        and (one.unit in {target.unit, *TIMES} or (one.unit, target.unit) == ("W", "Wh"))
    )


def _hard(unit: str, among: Iterable[Quantity]) -> bool:
    """Whether a unit must match: money and measures do, things that are counted need not."""
    return (
        unit in _HARD
        or unit.isupper()
        and len(unit) == 3
        and unit != "GPU"
        or any(one.unit == unit and one.kind in {"money", "unit"} and unit not in _SOFT for one in among)
        or unit in {"byte", "W", "FLOPS"}
    )


def _time(scope: Scope, times: dict[str, int], target: Quantity) -> _Fit | None:
    """What differs in time between a target and a product: nothing, one conversion, or a period that goes without saying."""
    if not times:
        return _Fit(0)
    if len(times) == 1:
        ((unit, power),) = times.items()
        around = (*scope.left(target)[-6:], *scope.right(target)[:5])
        said = next((period for word, period in _SAID.items() if word in around), "")
        if power == 1 and said and said != unit:
            return _Fit(0.4, _factors(said, unit, scope.sentence.text))
        if power == 1 and said == unit:
            return _Fit(0.2)
        return _Fit(1.2) if power == 1 else None
    if len(times) == 2 and sorted(times.values()) == [-1, 1]:
        up, down = (next(unit for unit, power in times.items() if power == sign) for sign in (1, -1))
        return _Fit(0.3, tuple(_factors(down, up, scope.sentence.text)))
    return None


_SAID = {
    "year": "year",
    "annual": "year",
    "annually": "year",
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


def _factors(larger: str, smaller: str, text: str = "") -> tuple[Decimal, ...]:
    """How many of the second unit the first has; several where calendars differ."""
    main = HOURS[larger] / HOURS[smaller]
    tables = (CALENDAR, WORKING) if text and _WORK.search(text) else (CALENDAR,)
    others = [Decimal(one) for table in tables for one in table.get((smaller, larger), ())]
    turned = [1 / Decimal(one) for table in tables for one in table.get((larger, smaller), ())]
    return (main, *(one for one in (*others, *turned) if one != main))


def _product(
    scope: Scope,
    target: Quantity,
    chosen: tuple[Quantity, ...],
    below: int | None,
    fit: _Fit,
    strength: float,
    unused: int,
) -> Iterator[Candidate]:
    rate = any(one.pers for one in chosen) or bool(target.pers)
    score = (
        1.4
        + 0.8 * strength
        - fit.cost
        - 0.7 * unused
        + (0.8 if rate else 0)
        + 0.2 * len(chosen)
        + (0.5 if target.index == len(scope.quantities) - 1 else 0)
    )
    score -= 0.6 * sum(one.kind == "share" for one in chosen) + (0.5 if below is not None and not rate else 0)
    if below is not None and chosen[below].kind == "share":
        return
    linked = _linked(scope, target, chosen)
    units_fit = not fit.cost and any(one.unit in _MEASURED for one in chosen)
    last = target.index == len(scope.quantities) - 1
    if sum(one.unit == "m" and not one.pers for one in chosen) > 1 or target.unit.endswith(("²", "³")):
        linked = (
            len(chosen) == len(scope.quantities) - 1 and below is None and (target.unit[-1:] in {"²", "³"} or linked)
        )
        score += 2.2 if linked and target.unit[-1:] in {"²", "³"} else 0
    sure = (
        linked
        and (
            strength >= 1.5
            or (not unused and strength >= 0.4 and (last or (fit.cost <= 0.3 and len(chosen) > 2)))
            or (units_fit and strength >= 0.4)
        )
        and _settled(scope, target, chosen)
    )
    if not linked and (unused or strength < 2):
        return
    sure = sure and (strength >= 1.5 or all(one.unit for one in chosen)) and sum(one.kind == "count" for one in chosen) < 4
    if below is not None and (len(chosen) > 2 or all(one.pers for one in chosen)):
        sure = False
    if any(one.index < scope.first for one in chosen) and (len(chosen) < len(scope.quantities) - 1 or strength < 1.5):
        sure = False
    if len(chosen) == 1:
        sure = (
            sure
            and chosen[0].index >= scope.first
            and len(scope.between(*sorted((chosen[0], target), key=lambda one: one.index))) < 9
            and abs(target.index - chosen[0].index) == 1
        )
        sure = sure and (
            has(scope.left(target)[-4:], {"or", "=", "i", "is", "≈", "equals", "makes", "to", "means", "that", "per"})
            or strength >= 2
            or bool(target.pers)
        )
    if below is not None and target.kind in {"time", "count"} and sum(one.kind == "money" for one in chosen) > 1:
        sure = sure and not last
    score += (0.8 if units_fit else 0) - (0 if linked else 1.6)
    gap = scope.between(*sorted((chosen[-1], target), key=lambda one: one.index))
    score -= 0.5 * sum(word in {".", ";"} for word in gap)
    names = _names(chosen)
    above = [name for index, name in enumerate(names) if index != below]
    for index, factor in enumerate(fit.factors):
        parts: list[Op | str | Decimal] = [*above, *([factor] if factor != 1 else [])]
        tree: Op | str | Decimal = product(*parts) if parts else Decimal(1)
        if below is not None:
            tree = Op("/", tree, names[below])
        yield Candidate("product", target, chosen, names, tree, score - (0.15 if index else 0), united=False, sure=sure)


def _linked(scope: Scope, target: Quantity, chosen: tuple[Quantity, ...]) -> bool:
    """Whether each factor belongs to the others: one is a rate for the other, or they are measures that combine."""
    units = {one.unit for one in (*chosen, target) if one.unit}
    pers = {per for one in (*chosen, target) for per in one.pers}
    if len(chosen) == 1 and chosen[0].factor != target.factor and chosen[0].unit == target.unit:
        return has(scope.left(target)[-7:], {"=", "i", "≈", "equals"}) or phrase(
            scope.left(target), ("that is", "which is", "i . e .")
        )
    if len(chosen) == 1 or (units >= {"W", "Wh"} and units & set(TIMES)):
        return True
    loose = 0
    for one in chosen:
        met = set(one.pers) & (units | pers | {"each"}) or one.unit in pers or (one.kind == "count" and "each" in pers)
        met = met or (one.kind == "time" and bool(pers & set(TIMES))) or one.kind == "share" or one.unit in _MEASURED
        loose += not met
    return loose == 0 or (loose == 1 and len(chosen) == 2 and bool(pers))


_TIERED = frozenset({"rest", "remaining", "beyond", "thereafter", "free", "tier", "tiers"})


def _settled(scope: Scope, target: Quantity, used: tuple[Quantity, ...]) -> bool:
    """Whether no figure is left over that may belong to the relation, and no tier or free part is named."""
    tokens = [token for gap in scope.gaps for token in gap]
    if has(tokens, _TIERED) or any(has(gap[-2:], {"first", "above", "extra", "additional"}) for gap in scope.gaps[:-1]):
        return False
    for one in scope.quantities:
        if one.index == target.index or any(one.index == part.index for part in used):
            continue
        if one.kind != "count" or one.kind == target.kind or one.unit:
            return False
    return True


_MEASURED = frozenset({"W", "Wh", "byte", "FLOPS"})


def _names(chosen: tuple[Quantity, ...]) -> tuple[str, ...]:
    kinds = [
        "rate"
        if one.pers and one.kind != "share"
        else {"money": "amount", "time": "time", "share": "share"}.get(one.kind, "quantity")
        for one in chosen
    ]
    return tuple(
        kind if kinds.count(kind) == 1 else f"{kind}_{kinds[:index].count(kind) + 1}"
        for index, kind in enumerate(kinds)
    )
