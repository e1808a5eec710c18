"""Formulas that a text calls by name, or that a word of it implies, with the constants that go without saying.

81 kg at 1.80 m, a BMI of 25                       mass / (height * height)
84 off 60 balls, a strike rate of 140              runs / balls * 100
338 of 600 seats, a majority of 76                 2 * part - whole
from 6% to 4%: treat 50 people to spare one        1 / (6% - 4%)
80 mg; after three half-lives 10 mg is left        80 * 0.5 ^ 3
500 ml of 0.9% saline holds 4.5 g of salt          the share of the water, 1 g to the ml

A formula is tried only where its cue is in the text, so it costs other texts one search.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import permutations

from compute.mining.claim_scopes import HOURS, Candidate, Scope
from compute.mining.expressions import Op, Term, product, times
from compute.mining.quantities import Quantity

ONE, TWO, HALF, HUNDRED = Decimal(1), Decimal(2), Decimal("0.5"), Decimal(100)
_MOST = 12
"""The most candidates of one formula."""
Test = Callable[[Quantity], bool]
Tree = Callable[[Quantity, tuple[Quantity, ...]], Term | None]


@dataclass(frozen=True, slots=True)
class Formula:
    """What a target and the operands must be, in any order, and the term over `x1`, `x2` … that gives the target."""

    cue: str
    target: Test
    operands: tuple[Test, ...]
    tree: Tree


def named(scope: Scope, target: Quantity) -> Iterator[Candidate]:
    """The candidates of a target by the formulas of which the text has the cue."""
    if target.figure.ranged:
        return
    for formula in _cued(scope.sentence.lead[-200:] + scope.sentence.text):
        if formula.target(target):
            near = _near(scope, target)
            for count, used in enumerate(_assigned(formula, near)):
                tree = formula.tree(target, used)
                if count < _MOST and tree is not None:
                    names = tuple(f"x{place}" for place in range(1, len(used) + 1))
                    yield Candidate("named", target, used, names, tree, united=False, exact=True, raw=True)


def _near(scope: Scope, target: Quantity) -> list[Quantity]:
    found = [one for one in scope.quantities if one.index != target.index and not one.figure.ranged]
    return [one for one in found if one.figure.low > 0 and abs(one.index - target.index) < 6]


def _assigned(formula: Formula, near: Sequence[Quantity]) -> Iterator[tuple[Quantity, ...]]:
    for used in permutations(near, len(formula.operands)):
        if all(test(one) for test, one in zip(formula.operands, used, strict=True)):
            yield used


@lru_cache(maxsize=256)
def _cued(text: str) -> tuple[Formula, ...]:
    """The formulas of which a text has the cue."""
    if not _ANY.search(text):
        return ()
    return tuple(one for one in FORMULAS if re.search(one.cue, text, re.I))


# ---- what quantities must be


def _count(one: Quantity) -> bool:
    often = one.kind == "ratio" and one.figure.low >= 20 and one.figure.text.endswith("times")  # tossed 300 times
    return (one.kind == "count" or often) and not one.pers


def _bare(one: Quantity) -> bool:
    return one.kind == "count" and not one.unit


def _match(one: Quantity) -> bool:
    """Whether a number may be one of games."""
    return _count(one) and one.unit != "point"


def _of(*units: str) -> Test:
    return lambda one: one.kind in {"count", "unit"} and one.unit in units and not one.pers


def _kind(*kinds: str) -> Test:
    return lambda one: one.kind in kinds


# ---- the terms


def _bmi(_: Quantity, used: tuple[Quantity, ...]) -> Term:
    mass, height = times("x1", used[0].factor / 1000), times("x2", used[1].factor)
    return Op("/", mass, Op("*", height, height))


def _majority(_: Quantity, used: tuple[Quantity, ...]) -> Term | None:
    part, whole = (one.figure.low for one in used)
    return Op("-", Op("*", TWO, "x1"), "x2") if whole / 2 < part < whole else None


_VOTES = 10**12
"""More seats or votes than any body has."""


def _needed(target: Quantity, used: tuple[Quantity, ...]) -> Term | None:
    """The least number that is more than half."""
    whole = used[0].figure.low
    if not used[0].figure.is_integer or not 3 <= whole < _VOTES or target.figure.low >= whole:
        return None
    return Op("/", Op("+", "x1", ONE if whole % 2 else TWO), TWO)


def _to_treat(_: Quantity, used: tuple[Quantity, ...]) -> Term | None:
    return Op("/", ONE, Op("-", "x1", "x2")) if used[0].figure.low > used[1].figure.low else None


def _net_score(_: Quantity, used: tuple[Quantity, ...]) -> Term | None:
    return product(Op("-", "x1", "x2"), HUNDRED) if used[0].figure.low > used[1].figure.low else None


def _points(_: Quantity, used: tuple[Quantity, ...]) -> Term | None:
    wins, draws = used
    named_well = "draw" in draws.unit or wins.unit in {"win", "victory"} or wins.index < draws.index
    return Op("+", Op("*", Decimal(3), "x1"), "x2") if named_well and wins.unit not in {"draw", "loss"} else None


def _times_powered(factor: Decimal) -> Tree:
    """An amount that is halved or doubled so often; without an amount, the factor."""

    def tree(target: Quantity, used: tuple[Quantity, ...]) -> Term | None:
        base, often = used if len(used) == 2 else (None, used[0])
        if not 1 <= often.figure.low <= 64 or (base is not None and not _same(base, target)):
            return None
        power = Op("^", factor, "x2" if base is not None else "x1")
        return power if base is None else Op("*", times("x1", base.factor / target.factor), power)

    return tree


def _same(one: Quantity, two: Quantity) -> bool:
    return one.kind == two.kind and (one.unit == two.unit or not (one.unit and two.unit))


def _halved_in_time(target: Quantity, used: tuple[Quantity, ...]) -> Term | None:
    """What is left after a time, of an amount with a half-life."""
    base, passed, life = used
    if not _same(base, target) or passed.unit not in HOURS or life.unit not in HOURS:
        return None
    scale = HOURS[passed.unit] / HOURS[life.unit]
    return Op("*", times("x1", base.factor / target.factor), Op("^", HALF, Op("/", times("x2", scale), "x3")))


def _left_after(_: Quantity, used: tuple[Quantity, ...]) -> Term | None:
    """The part that is left after a time."""
    passed, life = used
    if passed.unit not in HOURS or life.unit not in HOURS or passed.figure.low == life.figure.low:
        return None
    return Op("^", HALF, Op("/", times("x1", HOURS[passed.unit] / HOURS[life.unit]), "x2"))


def _levels(target: Quantity, used: tuple[Quantity, ...]) -> Term | None:
    """The values of some bits; a number in digits that is near them is neither right nor wrong: 1,000 for 1,024."""
    bits, stated = used[0].figure.low, target.figure.low
    if bits > 64:
        return None
    near = 0 < abs(stated - TWO**bits) < stated / 20
    return None if near and target.figure.text.replace(",", "").isdigit() else Op("^", TWO, "x1")


def _dissolved(target: Quantity, used: tuple[Quantity, ...]) -> Term:
    """The mass of a share of a volume of water."""
    return Op("*", "x1", times("x2", used[1].factor * 10**6 / target.factor))


def _strength(_: Quantity, used: tuple[Quantity, ...]) -> Term:
    return Op("/", times("x1", used[0].factor), times("x2", used[1].factor * 10**6))


def _retention(_: Quantity, used: tuple[Quantity, ...]) -> Term | None:
    before, more, less = used
    large = before.figure.low > max(more.figure.low, less.figure.low)
    return (
        Op("/", Op("-", Op("+", "x1", "x2"), "x3"), "x1") if large and before.unit == more.unit == less.unit else None
    )


def _odds(_: Quantity, used: tuple[Quantity, ...]) -> Term | None:
    (one, whole), (two, other) = used[:2], used[2:]
    if [part.index for part in used] != sorted(part.index for part in used):
        return None
    if not (one.figure.low < whole.figure.low and two.figure.low < other.figure.low):
        return None
    return Op("/", Op("/", "x1", Op("-", "x2", "x1")), Op("/", "x3", Op("-", "x4", "x3")))


def _divided(number: int) -> Tree:
    return lambda _, __: Op("/", "x1", Decimal(number))


def _for_every(target: Quantity, used: tuple[Quantity, ...]) -> Term | None:
    """An amount for each dollar of another."""
    return Op("/", "x1", "x2") if used[0].unit == used[1].unit == target.unit else None


def _days_of_sales(target: Quantity, used: tuple[Quantity, ...]) -> Term | None:
    """How many days of a year's sales an amount is."""
    small = used[0].unit == used[1].unit and used[0].base < used[1].base
    return Op("*", Op("/", "x1", "x2"), Decimal(365)) if small and target.unit == "day" else None


_PI = Decimal("3.14159265")


def _circle(power: Decimal) -> Tree:
    def tree(target: Quantity, used: tuple[Quantity, ...]) -> Term | None:
        if target.unit != ("m²" if len(used) == 1 else "m³"):
            return None
        wide = times("x1", used[0].factor)
        scale = _PI * power / target.factor
        parts = (wide, wide, times("x2", used[1].factor)) if len(used) == 2 else (wide, wide)
        return product(*parts, scale)

    return tree


_HALF_LIVES = ("half-live", "half-life", "halving")
_PIECES = ("doubling", "generation", "division", "round", "cycle", "fold")
FORMULAS = (
    Formula(r"\bBMI\b|\bbody[- ]mass", lambda one: _bare(one) or one.unit.startswith("g"), (_of("g"), _of("m")), _bmi),
    Formula(r"\bstrike[- ]rate", _bare, (_bare, _of("ball")),
            lambda _, __: product(Op("/", "x1", "x2"), HUNDRED)),
    Formula(r"\bmajority\b", _count, (_count, _count), _majority),
    Formula(r"\b(?:majority|quorum)\b", _count, (_count,), _needed),
    Formula(r"\btreat(?:ed|ing)?\b|\bvaccinat|\bscreen(?:ed|ing)?\b|\bNNT\b|\bneeded to\b",
            _count, (_kind("share"), _kind("share")), _to_treat),
    Formula(r"\bNPS\b|\bpromoters?\b", lambda one: _bare(one) or one.kind == "points",
            (_kind("share"), _kind("share")), _net_score),
    Formula(r"\bdr(?:aws?|ew|awn)\b|\bD \d", lambda one: one.kind == "count" and one.unit in {"", "point"},
            (_match, _match), _points),
    Formula(r"\bhalf-li(?:fe|ves)|\bhalvings?\b", _kind("count", "unit"), (_kind("count", "unit"), _of(*_HALF_LIVES)),
            _times_powered(HALF)),
    Formula(r"\bhalf-li(?:fe|ves)|\bhalvings?\b", _kind("share", "ratio"), (_of(*_HALF_LIVES),), _times_powered(HALF)),
    Formula(r"\bhalf-life", _kind("count", "unit"), (_kind("count", "unit"), _kind("time"), _kind("time")),
            _halved_in_time),
    Formula(r"\bhalf-life", _kind("share", "ratio"), (_kind("time"), _kind("time")), _left_after),
    Formula(r"\bdoubl(?:ings?|es?|ed)\b|\bdividing\b|\bdivi(?:des?|sions?)\b", _kind("count", "unit"),
            (_kind("count", "unit"), _of(*_PIECES)), _times_powered(TWO)),
    Formula(r"\bdoubl(?:ings?|es?|ed)\b|\bdivi(?:des?|sions?)\b", _kind("ratio"), (_of(*_PIECES),),
            _times_powered(TWO)),
    Formula(r"\bbits?\b", _count, (lambda one: one.figure.unit == "bit" and not one.pers,), _levels),
    Formula(r"\bdice\b|\b(?:a|one|the|each|fair) die\b", _count, (_count,), _divided(6)),
    Formula(r"\b(?:coin|toss\w*|flips?|flipped)\b", _count, (_count,), _divided(2)),
    Formula(r"\b(?:saline|brine|salt\w*|sugar|solution|syrup|dextrose|glucose|chlorine|bleach|alcohol|sea ?water)\b",
            _of("g"), (_kind("share"), _of("m³")), _dissolved),
    Formula(r"\b(?:saline|brine|salt\w*|sugar|solution|syrup|dextrose|glucose|chlorine|bleach|sea ?water)\b",
            _kind("share"), (_of("g"), _of("m³")), _strength),
    Formula(r"\bretention\b|\bN[RD]R\b", _kind("share"), (_kind("money", "count"),) * 3, _retention),
    Formula(r"\b(?:for|on|per|in|back) (?:every|each|the) (?:dollar|euro|pound|one)\b", _kind("money"),
            (_kind("money"), _kind("money")), _for_every),
    Formula(r"\breceivables?\b|\bpayables?\b|\binventor(?:y|ies)\b|\bDSO\b|\bcreditors?\b|\bdebtors?\b",
            _kind("time"), (_kind("money"), _kind("money")), _days_of_sales),
    Formula(r"\b(?:diameter|across)\b", _of("m²"), (_of("m"),), _circle(Decimal("0.25"))),
    Formula(r"\bradius\b", _of("m²"), (_of("m"),), _circle(ONE)),
    Formula(r"\b(?:diameter|across)\b", _of("m³"), (_of("m"), _of("m")), _circle(Decimal("0.25"))),
    Formula(r"\bradius\b", _of("m³"), (_of("m"), _of("m")), _circle(ONE)),
    Formula(r"\bodds ratio", lambda one: _bare(one) or one.kind == "ratio", (_count,) * 4, _odds),
)  # fmt: skip  # one formula an entry
"""The formulas; a new one needs a cue that few other texts have."""
_ANY = re.compile("|".join(f"(?:{one.cue})" for one in FORMULAS), re.I)
