"""A product of two figures with a third one added or taken away, and products without the share that was lost.

four bays of six beds, three of them closed: 21              4 * 6 - 3
£2.50 a week and a tenner on top, £140 in the year           2.50 * 52 + 10
1,500 vials of ten doses, a tenth wasted: 13,500             1500 * 10 * (1 - 0.1)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from compute.mining.chain_claims import scale_of
from compute.mining.claim_scopes import HOURS, Candidate, Scope
from compute.mining.expressions import Op, Term, product, times
from compute.mining.product_claims import period_factors
from compute.mining.quantities import Quantity
from compute.mining.unit_dimensions import factor_of

ONE = Decimal(1)
_PERIOD = ("x", "z")
_PAIR = ("x", "y", "z")


def remainders(scope: Scope, target: Quantity, wanted: frozenset[str]) -> Iterator[Candidate]:
    """The candidates of a product and one more amount, over the three figures next to a target."""
    near = [
        one for one in scope.quantities if one.index != target.index and abs(scope.home(one) - scope.home(target)) < 3
    ]
    near = [one for one in near if not one.figure.ranged and one.figure.low > 0 and one.kind != "points"]
    before = [one for one in near if one.index < target.index]
    after = [one for one in near if one.index > target.index]
    if "bill" in wanted:
        for pair in (before[-2:], after[:2]):
            if len(pair) == 2:
                yield from _over_a_period(scope, target, pair)
        for count in range(4):  # of the three figures, those after the target
            window = (*before[len(before) - 3 + count :], *after[:count]) if len(before) + count > 2 else ()
            if len(window) == 3:
                for place in range(3):
                    others = (*window[:place], *window[place + 1 :])
                    yield from _with_one_more(target, others, window[place])
    if "lost" in wanted and target.kind not in {"share", "ratio", "points"}:
        for group in (before[-3:], before[-4:], after[:3]):
            if len(group) > 2:
                yield from _lost(target, group)


def _over_a_period(scope: Scope, target: Quantity, pair: Sequence[Quantity]) -> Iterator[Candidate]:
    """A rate over a period that a text names, and one amount more."""
    for rate, other in (pair, pair[::-1]):
        if rate.pers and _like(rate, target) and not other.pers and (extra := _alike(other, target)) is not None:
            for factor in period_factors(scope, target, (rate,)):
                tree = Op("+", Op("*", "x", factor), _scaled("z", extra, target))
                yield Candidate("bill", target, (rate, extra), _PERIOD, tree, united=False, exact=True, raw=True)


def _with_one_more(target: Quantity, pair: Sequence[Quantity], other: Quantity) -> Iterator[Candidate]:
    """The product of two figures, with an amount added to it or taken away, or taken away from an amount."""
    if other.pers or (extra := _alike(other, target)) is None or not _gives(pair, target):
        return
    multiplied: Term = times(product("x", "y"), scale_of(pair, target) * _hours(pair, target))
    added = _scaled("z", extra, target)
    for tree in (Op("+", multiplied, added), Op("-", multiplied, added), Op("-", added, multiplied)):
        yield Candidate("bill", target, (*pair, extra), _PAIR, tree, united=False, exact=True, raw=True)


def _like(one: Quantity, target: Quantity) -> bool:
    """Whether a figure is an amount of what a target is one of."""
    if one.kind == target.kind == "time":
        return one.unit in HOURS and target.unit in HOURS
    return one.kind == target.kind and one.unit == target.unit


def _alike(one: Quantity, target: Quantity) -> Quantity | None:
    """A figure as an amount like a target; a bare one has its unit."""
    if _like(one, target) or (one.kind == target.kind == "count" and _plain(one) and _plain(target)):
        return one
    if one.kind != "count" or one.unit:
        return None
    figure = replace(one.figure, sort=target.figure.sort, unit=target.figure.unit)
    return replace(one, kind=target.kind, unit=target.unit, factor=target.factor, figure=figure)


def _plain(one: Quantity) -> bool:
    """Whether a number counts things, and is no measure."""
    return one.factor == 1


def _gives(pair: Sequence[Quantity], target: Quantity) -> bool:
    """Whether the product of two figures may be an amount like a target."""
    one, two = pair
    if target.kind == "count" and target.factor == 1:
        kinds = sorted(part.kind for part in pair)
        return one.factor == 1 and kinds == ["count", "count"] and two.factor == 1
    priced = [part for part in pair if _like(part, target)]
    return len(priced) == 1 and all(
        part.kind in {"count", "time", "unit", "share"} for part in pair if part not in priced
    )


def _hours(pair: Sequence[Quantity], target: Quantity) -> Decimal:
    """The hours of the time among two figures in those of a target that is a time."""
    if target.kind != "time":
        return ONE
    timed = next(one for one in pair if one.kind == "time")
    return HOURS[timed.unit] / HOURS[target.unit]


def _scaled(name: str, one: Quantity, target: Quantity) -> Term:
    """An amount in the unit of a target."""
    scale = factor_of(one) / factor_of(target)
    if one.kind == target.kind == "time":
        scale = HOURS[one.unit] / HOURS[target.unit]
    return times(name, scale)


def _lost(target: Quantity, group: Sequence[Quantity]) -> Iterator[Candidate]:
    """The product of two or three figures without a share of it."""
    shares = [one for one in group if one.kind == "share" or (one.kind == "ratio" and one.figure.low < 1)]
    rest = [one for one in group if one not in shares]
    if len(shares) != 1 or any(one.kind == "ratio" for one in rest):
        return
    money = [one for one in rest if one.kind == "money"]
    if len(money) != (target.kind == "money") or any(one.unit != target.unit for one in money):
        return
    if target.kind in {"unit", "time"} and not any(_like(one, target) for one in rest):
        return
    names = tuple(f"x{place}" for place in range(1, len(rest) + 1))
    tree = Op("*", product(*names), Op("-", ONE, "share"))
    scale = scale_of(rest, target)
    for factor in sorted({ONE, scale}):
        yield Candidate(
            "lost",
            target,
            (*rest, shares[0]),
            (*names, "share"),
            times(tree, factor),
            united=False,
            exact=True,
            raw=True,
        )
