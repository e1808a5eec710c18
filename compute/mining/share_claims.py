"""Ratios and shares: two amounts compared, shares computed from shares, parts of sums and of shares.

from $8 to $2, a 75% cut                            1 - after / before
22%, 61% and the other 17%                          1 - (22% + 61%)
90% off and another 50% off, 95% in total           1 - (1 - 90%) * (1 - 50%)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import combinations

from compute.mining.claim_scopes import Candidate, Scope, sized
from compute.mining.expressions import Op, Term, less, numbered, product, total
from compute.mining.quantities import Quantity

ONE = Decimal(1)
_RATIOS = frozenset({"share", "ratio", "points"})


def compared(target: Quantity, pool: Sequence[Quantity], wanted: frozenset[str]) -> Iterator[Candidate]:
    """Ratios of two quantities of one kind."""
    for one, two in combinations([one for one in pool if one.kind not in {"points", "ratio"}], 2):
        if not 0 < two.index - one.index < 6 or not comparable_amounts(one, two) or sized(one, two) == sized(two, one):
            continue
        both = (one, two)
        big, small = ("before", "after") if sized(one, two) > sized(two, one) else ("after", "before")
        for rule, tree in _comparisons(big, small):
            gap = one.kind == "share" and target.kind in {"points", "share"}
            if rule in wanted and (gap if rule == "gap" else target.kind != "points"):
                yield Candidate(rule, target, both, ("before", "after"), tree)


@lru_cache(maxsize=4)
def _comparisons(big: str, small: str) -> tuple[tuple[str, Term], ...]:
    """What two amounts may be compared by, with the expression of each."""
    part, times = Op("/", small, big), Op("/", big, small)
    fall, rise, gap = Op("-", ONE, part), Op("-", times, ONE), Op("-", big, small)
    return ("fall", fall), ("rise", rise), ("part", part), ("times", times), ("gap", gap)


def comparable_amounts(one: Quantity, two: Quantity) -> bool:
    """Whether one amount may be a share or a multiple of the other."""
    if {one.kind, two.kind} == {"unit", "count"}:  # 512 GPUs, 384 busy
        return {one.unit, two.unit} in _THINGS
    if one.kind != two.kind or (one.figure.label and two.figure.label and one.figure.label != two.figure.label):
        return False
    return True if one.kind in {"count", "share", "time"} else one.unit == two.unit


_THINGS = [{"GPU", ""}, {"token", ""}]
"""Units of things that are counted, beside a bare number."""


def of_bare_shares(target: Quantity, pool: Sequence[Quantity]) -> Iterator[Candidate]:
    """What is left of 100 after some bare numbers: Apex 38, Borro 27, and the other 35%."""
    if any(one.kind == "share" for one in pool):
        return
    bare = [one for one in pool if one.kind == "count" and not one.unit and not one.pers and one.figure.low < 100]
    before = [one for one in bare if one.index < target.index]
    for size in range(2, min(5, len(before)) + 1):
        names = numbered("x", size)
        tree = Op("-", ONE, Op("/", total(*names), Decimal(100)))
        yield Candidate("complement", target, tuple(before[-size:]), names, tree, united=False, raw=True)


def fraction(one: Quantity) -> bool:
    """Whether a factor is a share in words: a third, half."""
    return one.kind == "ratio" and one.figure.low < 1


def of_shares(target: Quantity, shares: Sequence[Quantity]) -> Iterator[Candidate]:
    """Shares computed from shares: stacked, compounded, added, and what is left."""
    if target.kind == "ratio" and not fraction(target):
        return
    before = [one for one in shares if one.index < target.index]
    runs = (shares[at : at + size] for at in range(len(shares)) for size in (2, 3, 4) if at + size <= len(shares))
    groups = {tuple(map(id, run)): tuple(run) for run in (*runs, before, shares)}
    for group in sorted(groups.values(), key=lambda one: tuple(part.index for part in one)):
        if not 2 <= len(group) <= 6:
            continue
        names = numbered("share", len(group))
        yield Candidate("sum", target, group, names, total(*names), exact=True)
        yield Candidate("complement", target, group, names, less(ONE, names))
        if len(group) < 4:
            yield Candidate(
                "stacked", target, group, names, Op("-", ONE, product(*(Op("-", ONE, one) for one in names)))
            )
            grown = product(*(Op("+", ONE, one) for one in names))
            yield Candidate("compound", target, group, names, Op("-", grown, ONE))
            yield Candidate("both", target, group, names, product(*names))
        if len(group) == 2 and target.kind == "share":
            yield Candidate("cut twice", target, group, names, product(*(Op("-", ONE, one) for one in names)))
    for one in shares:
        yield Candidate("complement", target, (one,), ("share",), Op("-", ONE, "share"))


_UNDONE = re.compile(
    r"\b(?:back|recover\w*|regain\w*|break even|offset\w*|undo\w*|revers\w+|make up|compensat\w+|same|again|simply"
    r"|faster|slower|quicker|less time|more time|to stand still|restor\w+|return\w*|began|started)\b",
    re.I,
)


def undone(scope: Scope, target: Quantity, pool: Sequence[Quantity]) -> Iterator[Candidate]:
    """The change that undoes another: after a fall by a fifth, a rise of 25%; 25% faster takes 20% less time."""
    if not _UNDONE.search(scope.sentence.text) or (target.kind == "ratio" and not fraction(target)):
        return
    for one in pool:
        if (one.kind == "share" and one.figure.low < 100) or fraction(one):
            for sign in "-+":
                tree = Op("/", "share", Op(sign, ONE, "share"))
                yield Candidate("reversed", target, (one,), ("share",), tree)


def times_of_sum(target: Quantity, pool: Sequence[Quantity]) -> Iterator[Candidate]:
    """How many times a part the sum of two parts is."""
    amounts = [one for one in pool if one.kind not in _RATIOS]
    for one, two in combinations(amounts, 2):
        if 0 < two.index - one.index < 3 and comparable_amounts(one, two):
            used, names = (one, two), ("x1", "x2")
            for part in names:
                yield Candidate("times of sum", target, used, names, Op("/", total(*names), part))


def shifted(target: Quantity, pool: Sequence[Quantity]) -> Iterator[Candidate]:
    """A share that moved by some points."""
    for share in pool:
        for points in pool:
            if share.kind == "share" and points.kind == "points" and abs(share.index - points.index) < 4:
                used, names = (share, points), ("share", "points")
                yield Candidate("raised", target, used, names, Op("+", *names))
                yield Candidate("cut", target, used, names, Op("-", *names))


def of_share(target: Quantity, pool: Sequence[Quantity]) -> Iterator[Candidate]:
    """A part of a share of a total: half of the 3,200 voted, and of those 1,040 said yes."""
    amounts = [one for one in pool if one.kind not in _RATIOS]
    for share in pool:
        for one, two in combinations(amounts, 2):
            if (
                share.kind in {"share", "ratio"}
                and one.index != two.index
                and comparable_amounts(one, two)
                and two.index - one.index < 5
            ):
                big, small = (one, two) if sized(one, two) > sized(two, one) else (two, one)
                names = ("part", "whole", "share")
                tree = Op("/", "part", Op("*", "whole", "share"))
                yield Candidate("part of share", target, (small, big, share), names, tree)


def grown_share(target: Quantity, pool: Sequence[Quantity]) -> Iterator[Candidate]:
    """A rate that compounds over some periods: two years at 10% are 21%."""
    for rate in pool:
        for often in pool:
            if rate.kind == "share" and target.kind == "share" and periodic(often):
                grown = product(*[Op("+", ONE, "rate")] * int(often.figure.low))
                yield Candidate("compound", target, (rate, often), ("rate", "periods"), Op("-", grown, ONE))
        for times in (4, 12) if rate.kind == target.kind == "share" else ():
            grown = product(*[Op("+", ONE, "rate")] * times)
            yield Candidate("annualised", target, (rate,), ("rate",), Op("-", grown, ONE))


def periodic(one: Quantity) -> bool:
    """Whether an amount may be a number of periods, 2 to 12."""
    return one.kind in {"time", "count"} and one.figure.low == int(one.figure.low) and 2 <= one.figure.low <= 12


def of_sum(target: Quantity, pool: Sequence[Quantity], wanted: frozenset[str]) -> Iterator[Candidate]:
    """A part of the sum of some parts, or some parts of a total."""
    amounts = [one for one in pool if one.kind not in _RATIOS]
    for size in (2, 3, 4):
        for at in range(len(amounts) - size + 1):
            group = amounts[at : at + size]
            if not all(comparable_amounts(group[0], one) for one in group[1:]):
                continue
            names, used = numbered("x", size), tuple(group)
            for rule, tree in _sums_of(names):
                if rule in wanted:
                    yield Candidate(rule, target, used, names, tree)


@lru_cache(maxsize=4)
def _sums_of(names: tuple[str, ...]) -> tuple[tuple[str, Term], ...]:
    """The share of one of some amounts in their sum, or of the others in it."""
    found: list[tuple[str, Term]] = [("part of sum", Op("/", part, total(*names))) for part in names]
    for whole in names if len(names) > 2 else ():
        share = Op("/", total(*(name for name in names if name != whole)), whole)
        found += [("sum of whole", share), ("rest of whole", Op("-", ONE, share))]
    return tuple(found)
