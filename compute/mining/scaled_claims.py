"""An amount and shares of it, growth, interest, and savings from two rates.

20% of $450 · $100 after a cut of 15% · two discounts one after the other        base * share, base * (1 - share)
300 seats from EUR 22 to EUR 17 a month                                          the difference, times a number
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import combinations, pairwise

from compute.mining.claim_scopes import A_YEAR, Candidate
from compute.mining.expressions import Op, Term, less, numbered, product, total
from compute.mining.quantities import Quantity
from compute.mining.share_claims import periodic

ONE = Decimal(1)


def scaled_amounts(
    target: Quantity, pool: Sequence[Quantity], same: list[Quantity], wanted: frozenset[str]
) -> Iterator[Candidate]:
    """An amount after a change, a share of it, and the amount before."""
    shares = [one for one in pool if one.kind in {"share", "ratio"}]
    for base in same:
        for points in (one for one in pool if one.kind == "points" and abs(one.index - base.index) < 4):
            names = ("base", "points")
            yield Candidate("taken", target, (base, points), names, product(*names))
        for share in shares:
            if 0 < abs(base.index - share.index) <= 5:
                yield from _changed(target, base, share, wanted)
        for one, two in combinations(shares, 2):
            if two.index - one.index < 4 and all(part.kind == "share" or part.figure.low < 1 for part in (one, two)):
                yield from _twice(target, base, one, two, wanted)
            elif {one.kind, two.kind} == {"share", "ratio"} and two.index - one.index < 4:
                yield from _raised_times(target, base, one, two)
        if "rest taken" in wanted:
            yield from _after_three(target, base, [one for one in shares if one.kind == "share"])
        if wanted & _GROWN:
            yield from _grown(target, base, pool)


def _changed(target: Quantity, base: Quantity, share: Quantity, wanted: frozenset[str]) -> Iterator[Candidate]:
    used, names = (base, share), ("base", "share")
    for rule, tree in _changes(share.kind, part=share.figure.low < 1):
        if rule in wanted:
            yield Candidate(rule, target, used, names, tree)


def _after_three(target: Quantity, base: Quantity, shares: Sequence[Quantity]) -> Iterator[Candidate]:
    """What is left of an amount after three shares of it: 30%, 25% and 10% of €84m."""
    names = numbered("share_", 3)
    for place in range(len(shares) - 2):
        used = (base, *shares[place : place + 3])
        tree = product("base", less(ONE, names))
        yield Candidate("rest taken", target, used, ("base", *names), tree)


_GROWN = frozenset({"grown", "shrunk", "interest"})


@lru_cache(maxsize=4)
def _changes(kind: str, *, part: bool) -> tuple[tuple[str, Term], ...]:
    """What a share or a factor, which may be a part of one, makes of an amount."""
    multiplied, divided = Op("*", "base", "share"), Op("/", "base", "share")
    names = ("multiplied", "divided") if kind == "ratio" else ("taken", "whole")
    found: list[tuple[str, Term]] = [*zip(names, (multiplied, divided), strict=True)]
    if kind == "share" or part:
        found.append(("cut", Op("*", "base", Op("-", ONE, "share"))))
        found.append(("raised", Op("*", "base", Op("+", ONE, "share"))))
        found.append(("uncut", Op("/", "base", Op("-", ONE, "share"))))
        found.append(("unraised", Op("/", "base", Op("+", ONE, "share"))))
    return tuple(found)


def _raised_times(target: Quantity, base: Quantity, one: Quantity, two: Quantity) -> Iterator[Candidate]:
    """An amount that a share raises or cuts, and a factor multiplies."""
    share, factor = (one, two) if one.kind == "share" else (two, one)
    used, names = (base, share, factor), ("base", "share", "factor")
    for rule, sign in (("raised twice", "+"), ("cut twice", "-")):
        yield Candidate(rule, target, used, names, product("base", Op(sign, ONE, "share"), "factor"))


def _twice(
    target: Quantity, base: Quantity, one: Quantity, two: Quantity, wanted: frozenset[str]
) -> Iterator[Candidate]:
    used, names = (base, one, two), ("base", "share_1", "share_2")
    for rule, tree in _taken_twice(falling=one.figure.low > two.figure.low):
        if rule in wanted:
            yield Candidate(rule, target, used, names, tree)


@lru_cache(maxsize=2)
def _taken_twice(*, falling: bool) -> tuple[tuple[str, Term], ...]:
    """What two shares may make of an amount; `falling` if the first is the larger."""
    both = ("share_1", "share_2")
    gap = Op("-", *(both if falling else both[::-1]))
    return (
        *_TWICE,
        ("sum taken", Op("*", "base", total(*both))),
        ("gap taken", Op("*", "base", gap)),
        ("rest taken", product("base", less(ONE, both))),
    )


_TWICE: tuple[tuple[str, Term], ...] = (
    *(
        (f"{rule} twice", product("base", Op(one, ONE, "share_1"), Op(two, ONE, "share_2")))
        for rule, (one, two) in (("cut", "--"), ("raised", "++"), ("raised", "+-"), ("cut", "-+"))
    ),
    ("taken twice", product("base", "share_1", "share_2")),
)
"""What two shares make of an amount, one after the other."""


def _grown(target: Quantity, base: Quantity, pool: Sequence[Quantity]) -> Iterator[Candidate]:
    """Compound and simple interest over some periods."""
    for rate in pool:
        for often in pool:
            if rate.kind == "share" and often is not base and periodic(often):
                names = ("base", "rate", "periods")
                grown = product("base", *[Op("+", ONE, "rate")] * int(often.figure.low))
                fallen = product("base", *[Op("-", ONE, "rate")] * int(often.figure.low))
                used = (base, rate, often)
                yield Candidate("grown", target, used, names, grown)
                yield Candidate("shrunk", target, used, names, fallen)
                yield Candidate("interest", target, used, names, product(*names))


# ---- savings


def savings(
    target: Quantity, pool: Sequence[Quantity], same: list[Quantity], wanted: frozenset[str]
) -> Iterator[Candidate]:
    """The difference of two rates, times a number; an amount divided by the difference of two rates."""
    rates = same if target.kind == "money" else [one for one in pool if one.kind == "money"]
    for one, two in pairwise(rates):
        rated = (one, two) if one.base >= two.base else (two, one)
        if two.index - one.index < 3 and one.pers and two.pers and target.unit == "token":
            yield from (made for fixed in rates if fixed not in rated for made in _crossing(target, (*rated, fixed)))
        if two.index - one.index < 3 and not {"Mtok", "ktok"} & {*one.pers, *two.pers}:
            for number in pool:
                if number.index not in {one.index, two.index}:
                    yield from _times_gap(target, (*rated, number))
        if target.kind == "money" and "saving" in wanted:
            gap, names = Op("-", "whole", "part"), ("whole", "part")
            quarters = (Decimal(4),) if "quarter" in {*one.pers, *two.pers} else ()
            for factor in (Decimal(3), Decimal(12), Decimal(52), Decimal(365), *quarters):
                yield Candidate("saving", target, rated, names, Op("*", gap, factor))
            for factor in (Decimal(12), Decimal(52)):
                yield Candidate("saving", target, rated, names, Op("-", Op("*", "part", factor), "whole"))
            if (length := A_YEAR.get(target.pers[0] if target.pers else "")) and not {*one.pers, *two.pers} - {"year"}:
                yield Candidate("saving", target, rated, names, Op("/", gap, length))


def _crossing(target: Quantity, used: tuple[Quantity, Quantity, Quantity]) -> Iterator[Candidate]:
    """The number of tokens at which two prices cost the same: a fixed cost divided by their difference."""
    one, two, fixed = used
    each = {"Mtok": Decimal(10) ** 6, "ktok": Decimal(1000)}
    sizes = {each[per] for rate in (one, two) for per in rate.pers if per in each}
    if target.unit == "token" and fixed.kind == "money" and len(sizes) == 1:
        tree = Op("*", Op("/", "quantity", Op("-", "whole", "part")), sizes.pop() / target.factor)
        yield Candidate("payback", target, used, ("whole", "part", "quantity"), tree, united=False, raw=True)


def _times_gap(target: Quantity, used: tuple[Quantity, Quantity, Quantity]) -> Iterator[Candidate]:
    """What two rates and a number give: their difference or sum times the number, or the number divided by it."""
    gap, names = Op("-", "whole", "part"), ("whole", "part", "quantity")
    if target.kind == "money" and used[2].kind in {"count", "time"}:
        yield Candidate("saving", target, used, names, Op("*", gap, "quantity"))
        for factor in (Decimal(12), Decimal(52)):
            yield Candidate("saving", target, used, names, product(gap, "quantity", factor))
        both = Op("*", total("whole", "part"), "quantity")
        yield Candidate("bill", target, used, names, both, united=False)
    if target.kind in {"time", "count"} and used[2].kind == "money":
        yield Candidate("payback", target, used, names, Op("/", "quantity", gap), united=False)
