"""Sums, means, differences, and what is left after additions and subtractions.

rent $1,800, food $600, transport $150, $2,550 in all        the sum
£80 in the box, stamps £12.50, £20 put back                  the amounts added and taken away
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from itertools import combinations
from itertools import product as product_of

from compute.mining.claim_scopes import Candidate, Scope, alike, sized
from compute.mining.expressions import Op, Term, less, numbered, total
from compute.mining.quantities import Quantity


def addable(one: Quantity, target: Quantity) -> bool:
    """Whether an amount may be one of those that a target is the sum of."""
    if {one.kind, target.kind} == {"time", "unit"} and one.unit == target.unit:
        return not one.figure.ranged
    if one.kind != target.kind or one.figure.ranged:
        return False
    if one.kind == "count":
        return True
    return alike(one, target) or (one.kind in {"money", "unit"} and one.unit == target.unit)


def sums(scope: Scope, target: Quantity, same: list[Quantity], wanted: frozenset[str]) -> Iterator[Candidate]:
    """Sums and means of lists."""
    groups: dict[tuple[int, ...], tuple[Quantity, ...]] = {}
    for group in (*_runs(scope, same), *_ends(same, target), *_items(scope, target)):
        if len(group) > 1:
            groups.setdefault(tuple(one.index for one in group), tuple(group))
    for items in groups.values():
        names = numbered("x", len(items))
        if "sum" in wanted:
            yield Candidate("sum", target, items, names, total(*names), exact=True)
        if "mean" in wanted:
            mean: Term = Op("/", total(*names), Decimal(len(items)))
            yield Candidate("mean", target, items, names, mean)


def _items(scope: Scope, target: Quantity) -> Iterator[list[Quantity]]:
    """The items of a list, one a sentence."""
    first = [one for one in scope.quantities if scope.home(one) != scope.home(target) and addable(one, target)]
    homes = [scope.home(one) for one in first]
    if len(first) > 2 and len(set(homes)) == len(homes):
        yield first
    for home in sorted(set(homes), reverse=True)[:3]:
        group = [one for one in first if scope.home(one) == home]
        yield group
        if len(group) in {4, 6, 8} and scope.home(target) - home == 1:  # two columns of a table
            yield group[::2]
            yield group[1::2]


def _ends(same: list[Quantity], target: Quantity) -> Iterator[list[Quantity]]:
    """All figures before a target, all after it, all but the first."""
    before, after = ([one for one in same if (one.index < target.index) == left] for left in (True, False))
    yield before
    yield after
    yield same
    for side in (before, after):
        yield [one for one in side if (one.unit, one.pers) == (side[0].unit, side[0].pers)]
        written = [one for one in side if any(sign.isdigit() for sign in one.figure.text)]
        yield written if len(written) > 2 else []
    for size in (2, 3, 4):
        yield before[-size:]
        yield after[:size]


def _runs(scope: Scope, same: list[Quantity]) -> Iterator[list[Quantity]]:
    """Lists: figures with only a few words between them."""
    run: list[Quantity] = []
    for one in same:
        if run and (one.index != run[-1].index + 1 or len(scope.right(run[-1])) > 12):
            yield run
            run = []
        run = [*run, one]
    yield run


def differences(target: Quantity, same: list[Quantity], wanted: frozenset[str]) -> Iterator[Candidate]:
    """The difference of two amounts, and what is left of one after others."""
    if "difference" in wanted:
        yield from _pairs(target, same)
    if "remainder" in wanted:
        yield from _remainders(target, same)
    if "flow" in wanted:
        yield from _balances(target, same)
        yield from _flows(target, same)


def _pairs(target: Quantity, same: list[Quantity]) -> Iterator[Candidate]:
    names, tree, exact = ("whole", "part"), Op("-", "whole", "part"), not target.figure.hedge
    for one, two in combinations(same, 2):
        if 0 < two.index - one.index < 5:
            used = (one, two) if sized(one, two) >= sized(two, one) else (two, one)
            yield Candidate("difference", target, used, names, tree, exact=exact)


def _remainders(target: Quantity, same: list[Quantity]) -> Iterator[Candidate]:
    for size in (3, 4, 5):
        for at in range(len(same) - size + 1):
            group = same[at : at + size]
            big = max(group, key=lambda one: sized(one, group[0] if one is not group[0] else group[1]))
            parts = [one for one in group if one is not big]
            names = ("whole", *numbered("x", len(parts)))
            yield Candidate("remainder", target, (big, *parts), names, less("whole", names[1:]), exact=True)


def _flows(target: Quantity, same: list[Quantity]) -> Iterator[Candidate]:
    for at in range(len(same) - 2):
        three = tuple(same[at : at + 3])
        sizes = [sized(one, three[0]) for one in three]
        whole = sum(sizes)
        for size_of_one, tree in zip(sizes, _FLOWS, strict=True):
            if 2 * size_of_one < whole:
                yield Candidate("flow", target, three, _THREE, tree, exact=True)


_THREE = numbered("x", 3)
_FLOWS = tuple(Op("-", total(*(name for name in _THREE if name != minus)), minus) for minus in _THREE)
"""Each of three amounts taken from the sum of the others."""


def _balances(target: Quantity, same: list[Quantity]) -> Iterator[Candidate]:
    """What is left of an amount after several were added or taken away, in any order."""
    before = [one for one in same if one.index < target.index]
    for size in (4, 5):
        group = tuple(before[-size:])
        if len(group) != size:
            continue
        names = numbered("x", size)
        for tree in _signed(names):
            yield Candidate("flow", target, group, names, tree, exact=True)


@lru_cache(maxsize=4)
def _signed(names: tuple[str, ...]) -> tuple[Term, ...]:
    """The first of some terms with the others added or subtracted, at least one of them each."""
    found = []
    for signs in product_of("+-", repeat=len(names) - 1):
        if 0 < signs.count("-") < len(names) - 1:
            tree: Term = names[0]
            for sign, name in zip(signs, names[1:], strict=True):
                tree = Op(sign, tree, name)
            found.append(tree)
    return tuple(found)
