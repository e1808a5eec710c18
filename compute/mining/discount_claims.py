"""Shares computed from shares: discounts and rises one after the other, what is left of a whole, availability.

90% off and another 50% off, 95% in total          1 - (1 - a) * (1 - b)
22%, 61% and the other 17%                         1 - (a + b)
99.9% availability, 8.76 hours a year              (1 - share) * period
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from compute.mining.claim_cues import GAP, LEFT, after_border, has
from compute.mining.claim_scopes import HOURS, Candidate, Scope
from compute.mining.claim_strength import claimed
from compute.mining.expressions import Op, product, total
from compute.mining.product_claims import SAID, factors_between
from compute.mining.quantities import Quantity


def shares_of_shares(scope: Scope, target: Quantity) -> Iterator[Candidate]:
    """The relations that a percentage may have to other percentages, or to two times."""
    yield from _stacked(scope, target)
    yield from _compounded(scope, target)
    yield from _complement(scope, target)
    yield from _available(scope, target)


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
    if not any(has((*scope.left(one)[-4:], *scope.right(one)[:4]), _REDUCED) for one in others):
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
        or (
            not (
                has(tokens, _AVAILABLE)
                and has(tokens, (*_DOWN, "allows", "allow", "permits", "leaves", "means", "budget"))
            )
            and not has(tokens, _DOWN)
        )
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
    said = {SAID[token] for token in (*tokens, *target.pers) if token in SAID} - {"h"}
    for period in sorted(said):
        for index, factor in enumerate(factors_between(period, target.unit)[:3]):
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
