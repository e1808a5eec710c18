"""Amounts computed from others: sums, differences, bills of several items, savings over a period.

$1,800, $600 and $150 add up to $2,550                     x1 + x2 + x3
$500 minus $120 leaves $380                                whole - part
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from functools import reduce
from itertools import combinations, pairwise

from compute.mining.claim_cues import (
    AVERAGE,
    EQUAL,
    EQUAL_PHRASES,
    GAP,
    LEFT,
    TOTAL,
    TOTAL_PHRASES,
    after_border,
    before_border,
    has,
    phrase,
)
from compute.mining.claim_scopes import Candidate, Scope, alike, per_alike
from compute.mining.claim_strength import claimed
from compute.mining.discount_claims import downtimes, shares_of_shares
from compute.mining.expressions import Op, product, total
from compute.mining.product_claims import MEASURES, SAID, factors_between, products
from compute.mining.quantities import TIMES, Quantity


def amounts(scope: Scope) -> Iterator[Candidate]:
    """The relations that amounts of a sentence may claim."""
    for target in scope.targets:
        if target.kind in {"share", "points", "ratio"} or target.figure.ranged or target.figure.low <= 0:
            if target.kind == "share" and not target.figure.ranged and target.figure.low > 0:
                yield from _summed(scope, target)
                yield from shares_of_shares(scope, target)
            continue
        strength = claimed(scope, target)
        if target.kind in {"time", "unit"} and target.unit in TIMES:
            yield from downtimes(scope, target)
        if strength:
            yield from _summed(scope, target)
            yield from _gaps(scope, target)
            yield from billed(scope, target)
            yield from listed(scope, target)
            yield from products(scope, target, strength)


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
            set(scope.between(one, two)) <= {",", "and", "+", "plus"} for one, two in pairwise(run)
        )
        yield _sum(
            target,
            run,
            score + (0.6 if listed else 0),
            sure=(cue or listed)
            and not spare
            and not rate
            and run[0].index >= scope.first
            and (target.kind != "share" or run[-1].index < target.index),
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
        measured = one.unit in MEASURES or target.unit in MEASURES
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
            and not (
                target.kind == "count" and one.index < scope.first and not one.unit == two.unit == target.unit != ""
            )
            and one.pers == two.pers
            and set(target.pers) <= {*one.pers, "each"}
        )
        sure = (
            sure
            and not ({*scope.right(target)[:6]} & set(SAID))
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
    yield from _saved(scope, target)
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


_APART = frozenset(
    {"difference", "gap", "profit", "surplus", "deficit", "saves", "saved", "save", "saving", "savings", "shortfall", "exceed", "exceeds", "exceeded", "exceeding", "leaving", "loss",
     "more", "less", "fewer", "cheaper", "dearer", "lighter", "heavier", "shorter", "longer", "shaved", "shaves", "gained", "lost", "cushion", "apart"}
)  # fmt: skip  # as many as fit a line


def _saved(scope: Scope, target: Quantity) -> Iterator[Candidate]:
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
        (SAID[word] for word in (*scope.left(target), *scope.right(target)) if word in SAID), ""
    )
    factors = factors_between(span, period) if span and period and span != period else (Decimal(1),)
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
