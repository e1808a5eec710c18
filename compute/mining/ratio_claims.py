"""Ratios of ratios, of rates, and of shares that come from counts.

3 times the throughput at 1.5 times the price, 2x per dollar      3 / 1.5
600 tok/s at $12 against 400 at $20, 2.5 times per dollar         (600 / 12) / (400 / 20)
12 of 40 in spring, 27 of 60 in autumn, 15 points more            27 / 60 - 12 / 40
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations

from compute.mining.claim_scopes import Candidate, Scope
from compute.mining.expressions import Op, Term, product
from compute.mining.quantities import Quantity

ONE = Decimal(1)
_NAMES = ("x1", "x2", "x3", "x4")


def ratios(scope: Scope, target: Quantity, wanted: frozenset[str]) -> Iterator[Candidate]:
    """The candidates of a ratio, a share or points from two ratios, or from two pairs of amounts."""
    near = [
        one for one in scope.quantities if one.index != target.index and abs(scope.home(one) - scope.home(target)) < 3
    ]
    near = [one for one in near if not one.figure.ranged and one.figure.low > 0]
    if target.kind == "ratio" and "times of times" in wanted:
        yield from _of_times(target, [one for one in near if one.kind == "ratio"])
        yield from _times_changed(target, near)
        yield from _changed_both(target, near)
    if "rate ratio" in wanted:
        yield from _of_rates(target, [one for one in near if one.kind in {"money", "unit", "count", "time"}])


def _of_times(target: Quantity, factors: Sequence[Quantity]) -> Iterator[Candidate]:
    for one, two in combinations(factors, 2):
        names = ("times_1", "times_2")
        for tree in (Op("/", *names), Op("/", *names[::-1]), product(*names)):
            yield Candidate("times of times", target, (one, two), names, tree)


def _times_changed(target: Quantity, near: Sequence[Quantity]) -> Iterator[Candidate]:
    """A factor with a change by a share: prices down 60% and volume up five-fold double the bill."""
    for share in near:
        for factor in near:
            if share.kind == "share" and factor.kind == "ratio" and abs(share.index - factor.index) < 3:
                for sign in "-+":
                    tree = Op("*", "times", Op(sign, ONE, "share"))
                    yield Candidate("times of times", target, (share, factor), ("share", "times"), tree)


def _changed_both(target: Quantity, near: Sequence[Quantity]) -> Iterator[Candidate]:
    """Two changes as a factor: 80% more work for 20% more money is 1.5 times the work for the money."""
    shares = [one for one in near if one.kind == "share"]
    for one, two in combinations(shares, 2):
        if two.index - one.index == 1:
            names = ("share_1", "share_2")
            for first, second in ("++", "+-", "-+", "--"):
                sides = Op(first, ONE, names[0]), Op(second, ONE, names[1])
                for tree in (Op("/", *sides), Op("/", *sides[::-1])):
                    yield Candidate("times of times", target, (one, two), names, tree)


def _of_rates(target: Quantity, amounts: Sequence[Quantity]) -> Iterator[Candidate]:
    """Two pairs of figures that are alike one by one."""
    seen: set[tuple[int, ...]] = set()
    for place in range(len(amounts)):
        window = amounts[place : place + 5]
        for four in combinations(window, 4):
            key = tuple(one.index for one in four)
            if key not in seen and _alike(four[0], four[2]) and _alike(four[1], four[3]) and not _same(*four[:2]):
                seen.add(key)
                yield from _rated(target, four)


def _alike(one: Quantity, two: Quantity) -> bool:
    """Whether two figures count the same; the later one may leave its noun unsaid."""
    if one.kind != two.kind:
        return two.kind == "count" and not two.unit and not two.pers
    return one.unit == two.unit or (two.kind == "count" and not two.unit)


def _same(one: Quantity, two: Quantity) -> bool:
    return one.kind == two.kind and one.unit == two.unit and bool(one.unit)


def _rated(target: Quantity, four: tuple[Quantity, ...]) -> Iterator[Candidate]:
    first, second = Op("/", "x1", "x2"), Op("/", "x3", "x4")
    trees: list[Term]
    if target.kind == "ratio":
        trees = [Op("/", first, second), Op("/", second, first)]
    elif target.kind == "points":
        trees = [Op("-", first, second), Op("-", second, first)]
    else:
        trees = [Op("-", Op("/", *pair), ONE) for pair in ((first, second), (second, first))]
    for tree in trees:
        yield Candidate("rate ratio", target, four, _NAMES, tree, united=False, exact=target.kind != "ratio", raw=True)
