"""Every small expression over the figures around a target whose dimension fits it.

share, ratio      part = small / big, fall = 1 - part, rise = big / small - 1, times, complements, stacked shares
amount            sums, differences, remainders, means, products and quotients, shares of it, compound growth

Nothing is computed here, and no words are read: `claim_traits` describes each candidate, `claim_model` weighs it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import reduce
from itertools import combinations, pairwise
from itertools import product as product_of

from compute.mining.bill_claims import bills, excesses
from compute.mining.chain_claims import chains, runs
from compute.mining.claim_scopes import Candidate, Scope, alike, sized
from compute.mining.conversion_claims import conversions
from compute.mining.direction_words import shared
from compute.mining.expressions import Op, Term, product, total
from compute.mining.growth_claims import growths
from compute.mining.product_claims import products
from compute.mining.quantities import STOP, TIMES, Quantity
from compute.mining.ratio_claims import ratios

ONE = Decimal(1)
NEAREST = 8
"""How many figures around a target are combined."""
_RATIOS = frozenset({"share", "ratio", "points"})


def relations(scope: Scope, target: Quantity, wanted: frozenset[str]) -> Iterator[Candidate]:
    """The candidates of a target; those of relations that are not wanted may be left out."""
    if target.figure.low <= 0 or (target.figure.ranged and target.kind not in _RATIOS):
        return
    pool = _pool(scope, target)
    yield from _related(scope, target, pool, wanted)
    for other in _meanings(scope, target):
        yield from _related(scope, other, pool, wanted)


def _meanings(scope: Scope, target: Quantity) -> Iterator[Quantity]:
    """What else a target may be: a bare number with a unit of the text, points of shares, a factor."""
    seen: set[tuple[str, str]] = set()
    for nearest in (completed(scope, target), _priced(scope, target)):
        if nearest is not None and (nearest.kind, nearest.unit) not in seen:
            seen.add((nearest.kind, nearest.unit))
            yield nearest
    shares = any(one.kind == "share" for one in scope.quantities)
    pointed = target.unit == "point" or scope.right(target)[:2] == ("-", "point")
    if target.kind == "count" and pointed and shares:
        yield replace(target, kind="points", unit="", factor=Decimal("0.01"))
    elif target.kind == "count" and (
        scope.left(target)[-2:] == ("factor", "of") or scope.right(target)[:1] == ("times",)
    ):
        yield replace(target, kind="ratio", unit="")


_SHARES = frozenset({"sum", "complement", "stacked", "compound", "both"})
_SCALES = frozenset(
    {
        "multiplied",
        "divided",
        "taken",
        "whole",
        "cut",
        "raised",
        "uncut",
        "unraised",
        "cut twice",
        "raised twice",
        "taken twice",
        "rest taken",
        "gap taken",
        "grown",
        "shrunk",
        "interest",
    }
)


def _priced(scope: Scope, target: Quantity) -> Quantity | None:
    """A bare number as money, if the figures before it have one currency: `the gas 50 cents a litre … makes 38`."""
    money = [one for one in scope.quantities if one.kind == "money" and 0 < target.index - one.index < 5]
    if target.kind != "count" or target.unit or len({one.unit for one in money}) != 1:
        return None
    figure = replace(target.figure, sort="money", unit=money[-1].unit)
    return replace(target, kind="money", unit=money[-1].unit, figure=figure)


def _bare(scope: Scope, target: Quantity, pool: Sequence[Quantity]) -> list[Quantity]:
    """Numbers without a unit that have the one of their total: `servers 310, cooling 95: total 405 kW`."""
    if target.kind not in {"money", "unit", "time"} and target.factor == 1:
        return []
    found = [one for one in pool if one.kind == "count" and not one.unit and one is scope.quantities[one.index]]
    figure = target.figure
    return [
        replace(
            one, kind=target.kind, unit=target.unit, factor=target.factor,
            figure=replace(one.figure, sort=figure.sort, unit=figure.unit),
        )
        for one in found
    ]  # fmt: skip  # the call on three lines is more readable


def _related(scope: Scope, target: Quantity, pool: list[Quantity], wanted: frozenset[str]) -> Iterator[Candidate]:
    if target.kind in _RATIOS:
        if wanted & {"fall", "rise", "part", "times", "gap"}:
            yield from _compared(target, pool)
        if wanted & {"times of times", "rate ratio"}:
            yield from ratios(scope, target, wanted)
        if wanted & _SHARES:
            yield from _of_shares(target, [one for one in pool if one.kind == "share" or _fraction(one)])
        if wanted & {"compound", "annualised"}:
            yield from _grown_share(target, pool)
        if target.kind == "ratio" and "times of sum" in wanted:
            yield from _times_of_sum(target, pool)
        if target.kind == "share" and "blend" in wanted:
            yield from bills(scope, target, frozenset({"blend"}))
        if target.kind == "share":
            yield from _shifted(target, pool)
            if wanted & {"part of sum", "sum of whole", "rest of whole"}:
                yield from _of_sum(target, pool)
            if "part of share" in wanted:
                yield from _of_share(target, pool)
    else:
        yield from _amounts(scope, target, pool, wanted)
    if wanted & {"product", "quotient", "convert"}:
        yield from products(scope, target, pool)
    if wanted & {"exchanged", "parts", "convert"}:
        yield from conversions(scope, target, wanted)
    if wanted & {"doubled", "grown", "shrunk"}:
        yield from growths(scope, target, wanted)
    if "chain" in wanted:
        yield from chains(scope, target)
    if "run" in wanted and target.kind not in _RATIOS:
        yield from runs(scope, target)


def _amounts(scope: Scope, target: Quantity, pool: list[Quantity], wanted: frozenset[str]) -> Iterator[Candidate]:
    fitting = {one.index: one for one in pool if _addable(one, target)}
    own = [fitting[index] for index in sorted(fitting)]
    for one in _bare(scope, target, pool):
        fitting.setdefault(one.index, one)
    same = [fitting[index] for index in sorted(fitting)]
    if wanted & {"sum", "mean"}:
        yield from _sums(scope, target, same)
    if wanted & {"difference", "remainder", "flow"}:
        yield from _differences(target, same)
    if wanted & _SCALES:
        yield from _scaled(target, pool, own)
    if wanted & {"bill", "blend"}:
        yield from bills(scope, target, wanted)
    if wanted & {"excess", "sum taken"}:
        yield from excesses(scope, target, wanted)
    if wanted & {"saving", "payback"}:
        yield from _savings(target, pool, own)


def _pool(scope: Scope, target: Quantity) -> list[Quantity]:
    """The figures nearest to a target, those of its own sentence first, in text order."""
    home = scope.home(target)
    near = sorted(
        (one for one in scope.quantities if one is not target and one.figure.low > 0 and not one.figure.ranged),
        key=lambda one: (abs(scope.home(one) - home), abs(one.index - target.index)),
    )
    found = near[:NEAREST]
    found += [full for one in found if (full := completed(scope, one)) is not None]
    return sorted(found, key=lambda one: one.index)


_TIMES = frozenset(TIMES)


def completed(scope: Scope, one: Quantity) -> Quantity | None:
    """A bare number with the unit of the measured one before it: `took 18 minutes and now takes 4.5`."""
    if one.kind != "count" or one.unit or not set(one.pers) <= _TIMES or _counts(scope.right(one)):
        return None
    every = [
        other
        for other in scope.quantities
        if other.kind in {"money", "unit", "time"} or (other.kind == "count" and other.unit)
    ]
    near = [other for other in every if 0 < one.index - other.index < 4] or [
        other for other in every if other.index == one.index + 1
    ]
    if not near:
        return None
    other = near[-1]
    figure = one.figure
    if other.kind == "count":
        figure, _ = shared(figure, other.figure)
    figure = replace(figure, sort=other.figure.sort, unit=other.figure.unit)
    return replace(one, kind=other.kind, unit=other.unit, factor=other.factor, figure=figure)


def _counts(right: Sequence[str]) -> bool:
    """Whether a noun follows a number: `27 sites`."""
    return bool(right) and right[0].isalpha() and right[0] not in STOP


# ---- ratios


def _compared(target: Quantity, pool: Sequence[Quantity]) -> Iterator[Candidate]:
    """Ratios of two quantities of one kind."""
    for one, two in combinations([one for one in pool if one.kind not in {"points", "ratio"}], 2):
        if not 0 < two.index - one.index < 6 or not _comparable(one, two) or sized(one, two) == sized(two, one):
            continue
        both = (one, two)
        big, small = ("before", "after") if sized(one, two) > sized(two, one) else ("after", "before")
        forms: list[tuple[str, Term]] = []
        if target.kind != "points":
            forms = [
                ("fall", Op("-", ONE, Op("/", small, big))),
                ("rise", Op("-", Op("/", big, small), ONE)),
                ("part", Op("/", small, big)),
                ("times", Op("/", big, small)),
            ]
        if one.kind == "share" and target.kind in {"points", "share"}:
            forms.append(("gap", Op("-", big, small)))
        for rule, tree in forms:
            yield Candidate(rule, target, both, ("before", "after"), tree)


def _comparable(one: Quantity, two: Quantity) -> bool:
    if one.kind != two.kind or (one.figure.label and two.figure.label and one.figure.label != two.figure.label):
        return False
    return True if one.kind in {"count", "share", "time"} else one.unit == two.unit


def _fraction(one: Quantity) -> bool:
    """Whether a factor is a share in words: a third, half."""
    return one.kind == "ratio" and one.figure.low < 1


def _of_shares(target: Quantity, shares: Sequence[Quantity]) -> Iterator[Candidate]:
    """Shares computed from shares: stacked, compounded, added, and what is left."""
    if target.kind == "ratio" and not _fraction(target):
        return
    before = [one for one in shares if one.index < target.index]
    groups = {
        tuple(shares[at:end]) for at in range(len(shares)) for end in (at + 2, at + 3, at + 4) if end <= len(shares)
    }
    groups |= {tuple(before), tuple(shares)}
    for group in sorted(groups, key=lambda one: tuple(part.index for part in one)):
        if not 2 <= len(group) <= 6:
            continue
        names = _names("share", len(group))
        yield Candidate("sum", target, group, names, total(*names), exact=True)
        yield Candidate("complement", target, group, names, _less(ONE, names))
        if len(group) < 4:
            yield Candidate(
                "stacked", target, group, names, Op("-", ONE, product(*(Op("-", ONE, one) for one in names)))
            )
            grown = product(*(Op("+", ONE, one) for one in names))
            yield Candidate("compound", target, group, names, Op("-", grown, ONE))
            yield Candidate("both", target, group, names, product(*names))
    for one in shares:
        yield Candidate("complement", target, (one,), ("share",), Op("-", ONE, "share"))


def _times_of_sum(target: Quantity, pool: Sequence[Quantity]) -> Iterator[Candidate]:
    """How many times a part the sum of two parts is."""
    amounts = [one for one in pool if one.kind not in _RATIOS]
    for one, two in combinations(amounts, 2):
        if 0 < two.index - one.index < 3 and _comparable(one, two):
            names = ("x1", "x2")
            for part in names:
                yield Candidate("times of sum", target, (one, two), names, Op("/", total(*names), part))


def _shifted(target: Quantity, pool: Sequence[Quantity]) -> Iterator[Candidate]:
    """A share that moved by some points."""
    for share in pool:
        for points in pool:
            if share.kind == "share" and points.kind == "points" and abs(share.index - points.index) < 4:
                used, names = (share, points), ("share", "points")
                hundredth = Op("/", "points", Decimal(100))
                yield Candidate("raised", target, used, names, Op("+", "share", hundredth))
                yield Candidate("cut", target, used, names, Op("-", "share", hundredth))


def _of_share(target: Quantity, pool: Sequence[Quantity]) -> Iterator[Candidate]:
    """A part of a share of a whole: half of the 3,200 voted, and of those 1,040 said yes."""
    amounts = [one for one in pool if one.kind not in _RATIOS]
    for share in pool:
        for one, two in combinations(amounts, 2):
            if (
                share.kind in {"share", "ratio"}
                and one.index != two.index
                and _comparable(one, two)
                and two.index - one.index < 5
            ):
                big, small = (one, two) if sized(one, two) > sized(two, one) else (two, one)
                names = ("part", "whole", "share")
                tree = Op("/", "part", Op("*", "whole", "share"))
                yield Candidate("part of share", target, (small, big, share), names, tree)


def _grown_share(target: Quantity, pool: Sequence[Quantity]) -> Iterator[Candidate]:
    """A rate that compounds over some periods: two years at 10% are 21%."""
    for rate in pool:
        for often in pool:
            if rate.kind == "share" and target.kind == "share" and _periods(often):
                grown = product(*[Op("+", ONE, "rate")] * int(often.figure.low))
                yield Candidate("compound", target, (rate, often), ("rate", "periods"), Op("-", grown, ONE))
        for times in (4, 12) if rate.kind == target.kind == "share" else ():
            grown = product(*[Op("+", ONE, "rate")] * times)
            yield Candidate("annualised", target, (rate,), ("rate",), Op("-", grown, ONE))


def _periods(one: Quantity) -> bool:
    return one.kind in {"time", "count"} and one.figure.low == int(one.figure.low) and 2 <= one.figure.low <= 12


def _of_sum(target: Quantity, pool: Sequence[Quantity]) -> Iterator[Candidate]:
    """A part of the sum of some parts, or some parts of a whole."""
    amounts = [one for one in pool if one.kind not in _RATIOS]
    for size in (2, 3, 4):
        for at in range(len(amounts) - size + 1):
            group = amounts[at : at + size]
            if not all(_comparable(group[0], one) for one in group[1:]):
                continue
            names = _names("x", size)
            for part in (0, size - 1):
                yield Candidate("part of sum", target, tuple(group), names, Op("/", names[part], total(*names)))
            for whole in (0, size - 1) if size > 2 else ():
                rest = [name for index, name in enumerate(names) if index != whole]
                yield Candidate("sum of whole", target, tuple(group), names, Op("/", total(*rest), names[whole]))
                yield Candidate(
                    "rest of whole", target, tuple(group), names, Op("-", ONE, Op("/", total(*rest), names[whole]))
                )


# ---- sums and differences


def _addable(one: Quantity, target: Quantity) -> bool:
    if {one.kind, target.kind} == {"time", "unit"} and one.unit == target.unit:
        return not one.figure.ranged
    if one.kind != target.kind or one.figure.ranged:
        return False
    if one.kind == "count":
        return True
    return alike(one, target) or (one.kind in {"money", "unit"} and one.unit == target.unit)


def _sums(scope: Scope, target: Quantity, same: list[Quantity]) -> Iterator[Candidate]:
    """Sums and means of lists."""
    groups: dict[tuple[int, ...], tuple[Quantity, ...]] = {}
    for group in (*_runs(scope, same), *_ends(same, target), *_items(scope, target)):
        if len(group) > 1:
            groups.setdefault(tuple(one.index for one in group), tuple(group))
    for items in groups.values():
        names = _names("x", len(items))
        yield Candidate("sum", target, items, names, total(*names), exact=True)
        mean: Term = Op("/", total(*names), Decimal(len(items)))
        yield Candidate("mean", target, items, names, mean)


def _items(scope: Scope, target: Quantity) -> Iterator[list[Quantity]]:
    """The items of a list, one a sentence."""
    first = [one for one in scope.quantities if scope.home(one) != scope.home(target) and _addable(one, target)]
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


def _differences(target: Quantity, same: list[Quantity]) -> Iterator[Candidate]:
    """The difference of two amounts, and what is left of one after others."""
    for one, two in combinations(same, 2):
        if one.index == two.index:
            continue
        big, small = (one, two) if sized(one, two) >= sized(two, one) else (two, one)
        if two.index - one.index < 5:
            yield Candidate(
                "difference",
                target,
                (big, small),
                ("whole", "part"),
                Op("-", "whole", "part"),
                exact=not target.figure.hedge,
            )
    for size in (3, 4, 5):
        for at in range(len(same) - size + 1):
            group = same[at : at + size]
            big = max(group, key=lambda one: sized(one, group[0] if one is not group[0] else group[1]))
            parts = [one for one in group if one is not big]
            names = ("whole", *_names("x", len(parts)))
            yield Candidate("remainder", target, (big, *parts), names, _less("whole", names[1:]), exact=True)
    yield from _balances(target, same)
    for at in range(len(same) - 2):
        group = same[at : at + 3]
        for minus in range(3):
            names = _names("x", 3)
            plus = [name for index, name in enumerate(names) if index != minus]
            if sized(group[minus], group[0]) < max(sized(one, group[0]) for one in group):
                yield Candidate("flow", target, tuple(group), names, Op("-", total(*plus), names[minus]), exact=True)


def _balances(target: Quantity, same: list[Quantity]) -> Iterator[Candidate]:
    """What is left of an amount after several were added or taken away, in any order."""
    before = [one for one in same if one.index < target.index]
    for size in (4, 5):
        group = before[-size:]
        if len(group) != size:
            continue
        names = _names("x", size)
        for signs in product_of("+-", repeat=size - 1):
            if 0 < signs.count("-") < size - 1:
                tree: Term = names[0]
                for sign, name in zip(signs, names[1:], strict=True):
                    tree = Op(sign, tree, name)
                yield Candidate("flow", target, tuple(group), names, tree, exact=True)


def _less(whole: Term, parts: Sequence[str]) -> Term:
    return reduce(lambda tree, name: Op("-", tree, name), parts, whole)


def _names(name: str, count: int) -> tuple[str, ...]:
    return tuple(f"{name}{number}" for number in range(1, count + 1))


# ---- an amount and a share of it


def _scaled(target: Quantity, pool: Sequence[Quantity], same: list[Quantity]) -> Iterator[Candidate]:
    """An amount after a change, a share of it, and the amount before."""
    shares = [one for one in pool if one.kind in {"share", "ratio"}]
    for base in same:
        for share in shares:
            if abs(base.index - share.index) > 5 or base.index == share.index:
                continue
            for rule, tree in _changes(share):
                yield Candidate(rule, target, (base, share), ("base", "share"), tree)
        for one, two in combinations(shares, 2):
            if two.index - one.index < 4 and all(part.kind == "share" or part.figure.low < 1 for part in (one, two)):
                yield from _twice(target, base, one, two)
            elif {one.kind, two.kind} == {"share", "ratio"} and two.index - one.index < 4:
                yield from _raised_times(target, base, one, two)
        yield from _grown(target, base, pool)


def _changes(share: Quantity) -> Iterator[tuple[str, Term]]:
    if share.kind == "ratio":
        yield "multiplied", Op("*", "base", "share")
        yield "divided", Op("/", "base", "share")
    if share.kind == "share":
        yield "taken", Op("*", "base", "share")
        yield "whole", Op("/", "base", "share")
    if share.kind == "share" or share.figure.low < 1:
        yield "cut", Op("*", "base", Op("-", ONE, "share"))
        yield "raised", Op("*", "base", Op("+", ONE, "share"))
        yield "uncut", Op("/", "base", Op("-", ONE, "share"))
        yield "unraised", Op("/", "base", Op("+", ONE, "share"))


def _raised_times(target: Quantity, base: Quantity, one: Quantity, two: Quantity) -> Iterator[Candidate]:
    """An amount that a share raises or cuts, and a factor multiplies."""
    share, factor = (one, two) if one.kind == "share" else (two, one)
    used, names = (base, share, factor), ("base", "share", "factor")
    for rule, sign in (("raised twice", "+"), ("cut twice", "-")):
        yield Candidate(rule, target, used, names, product("base", Op(sign, ONE, "share"), "factor"))


def _twice(target: Quantity, base: Quantity, one: Quantity, two: Quantity) -> Iterator[Candidate]:
    names = ("base", "share_1", "share_2")
    for rule, signs in (("cut", "--"), ("raised", "++"), ("raised", "+-"), ("cut", "-+")):
        parts = [Op(sign, ONE, name) for sign, name in zip(signs, names[1:], strict=True)]
        yield Candidate(f"{rule} twice", target, (base, one, two), names, product("base", *parts))
    yield Candidate("taken twice", target, (base, one, two), names, product(*names))
    gap = Op("-", *(names[1:] if one.figure.low > two.figure.low else names[:0:-1]))
    yield Candidate("gap taken", target, (base, one, two), names, Op("*", "base", gap))
    yield Candidate("rest taken", target, (base, one, two), names, product("base", _less(ONE, names[1:])))


def _grown(target: Quantity, base: Quantity, pool: Sequence[Quantity]) -> Iterator[Candidate]:
    """Compound and simple interest over some periods."""
    for rate in pool:
        for often in pool:
            if rate.kind == "share" and often is not base and _periods(often):
                names = ("base", "rate", "periods")
                grown = product("base", *[Op("+", ONE, "rate")] * int(often.figure.low))
                fallen = product("base", *[Op("-", ONE, "rate")] * int(often.figure.low))
                used = (base, rate, often)
                yield Candidate("grown", target, used, names, grown)
                yield Candidate("shrunk", target, used, names, fallen)
                yield Candidate("interest", target, used, names, product(*names))


# ---- savings


def _savings(target: Quantity, pool: Sequence[Quantity], same: list[Quantity]) -> Iterator[Candidate]:
    """The difference of two rates, times a number; an amount divided by the difference of two rates."""
    rates = same if target.kind == "money" else [one for one in pool if one.kind == "money"]
    for one, two in pairwise(rates):
        rated = (one, two) if one.base >= two.base else (two, one)
        if two.index - one.index < 3 and not {"Mtok", "ktok"} & {*one.pers, *two.pers}:
            for number in pool:
                if number.index not in {one.index, two.index}:
                    yield from _times_gap(target, (*rated, number))
        if target.kind == "money":
            gap, names = Op("-", "whole", "part"), ("whole", "part")
            for factor in (Decimal(3), Decimal(12), Decimal(52), Decimal(365)):
                yield Candidate("saving", target, rated, names, Op("*", gap, factor))
            for factor in (Decimal(12), Decimal(52)):
                yield Candidate("saving", target, rated, names, Op("-", Op("*", "part", factor), "whole"))


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
