"""Products of several figures in a row: written with signs, or listed as the factors of a total.

50,000 clinics × 20% adoption × $30 a month × 12 = $3.6M        the product of all factors of the chain
200 lamps of 60 W, six hours a day, 190 days, €0.25 per kWh     the product of the figures before the total
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from compute.mining.claim_scopes import HOURS, Candidate, Scope
from compute.mining.expressions import Op, Term, numbered, product, times
from compute.mining.noun_reader import PER_PERIOD, TIMES
from compute.mining.product_claims import period_factors
from compute.mining.quantities import Quantity
from compute.mining.unit_dimensions import factor_of, magnitude
from compute.mining.written_equations import SIGNS, SIGNS_ALONE, written

_ENDS = frozenset({"=", "≈", ".", ";", "?", "!", "→", "⇒", "¶"})
_EQUALS = frozenset({"=", "≈", "→", "⇒"})
LONGEST = 6
"""The most factors of a product."""


def chains(scope: Scope, target: Quantity) -> Iterator[Candidate]:
    """What the chains of figures with signs between them near a target compute."""
    if (equation := written(scope, target)) is not None:
        yield equation
        return
    for first, last, signs in _chained(scope):
        if first <= target.index <= last or abs(scope.homes[first] - scope.home(target)) > 1:
            continue
        used = scope.quantities[first : last + 1]
        paired = set(signs) == {"/"} and {one.kind for one in used} == {"money"}
        if paired and _EQUALS.isdisjoint(scope.gaps[target.index]):
            continue  # $0.15 / $0.60 are the prices of input and output
        if not {"+", "-"}.isdisjoint(signs) and len({_yearly(scope, one) for one in used}) > 1:
            continue  # over three years: $90k for machines + $15k power a year = $135k
        yield from _chain(scope, target, used, signs)
        after = last + 1
        if after < min(len(scope.quantities), target.index) and _at(scope.gaps[after]) and set(signs) == {"*"}:
            yield from _chain(scope, target, (*used, scope.quantities[after]), (*signs, "*"))


def _yearly(scope: Scope, one: Quantity) -> bool:
    """Whether an amount is that of a period: $15k a year, $15k for power a year."""
    return not {*TIMES}.isdisjoint(one.pers) or PER_PERIOD.search(" ".join(scope.right(one))) is not None


def _chained(scope: Scope) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """The first and last place of each chain, with its signs."""
    first, signs = 0, [""]
    for place in range(1, len(scope.quantities) + 1):
        sign = _sign(scope, place) if place < len(scope.quantities) else ""
        if sign:
            signs.append(sign)
            continue
        if place - first > 1:
            yield first, place - 1, tuple(signs[1:])
        first, signs = place, [""]


def _sign(scope: Scope, place: int) -> str:
    """The operator between a figure and the one before it; empty if there is none."""
    gap, before = scope.gaps[place], scope.quantities[place - 1]
    if not _ENDS.isdisjoint(gap) or len(gap) > 9:
        return ""
    if before.kind == "ratio" and before.figure.text.endswith("×"):
        return "*"
    if len(gap) == 1 and gap[0] in SIGNS_ALONE:
        return SIGNS_ALONE[gap[0]]
    found = [SIGNS[word] for word in gap if word in SIGNS]
    return found[0] if len(found) == 1 else "*" if found and set(found) == {"*"} else ""


def _at(gap: tuple[str, ...]) -> bool:
    return len(gap) < 6 and not {"at", "@", "for"}.isdisjoint(gap)


def _chain(scope: Scope, target: Quantity, used: Sequence[Quantity], signs: Sequence[str]) -> Iterator[Candidate]:
    """A chain as it is written, in the units of the figures and in those of the target."""
    if any(one.figure.ranged for one in used) or len(used) > 8:
        return
    names = numbered("x", len(used))
    terms = [_powered(scope, one, name) for one, name in zip(used, names, strict=True)]
    trees = {_precedence(terms, signs)}
    if any(")" in scope.gaps[one.index + 1] for one in used[1:-1]):
        trees.add(_grouped(scope, used, terms, signs))
    opened = next((place for place, one in enumerate(used) if place and "(" in scope.gaps[one.index]), 0)
    if 0 < opened < len(used) - 1 and ")" in scope.gaps[used[-1].index + 1]:
        inner = _precedence(terms[opened:], signs[opened:])
        trees.add(Op(signs[opened - 1], _precedence(terms[:opened], signs[: opened - 1]), inner))
    scales = {Decimal(1)}
    if set(signs) <= {"*"}:
        scales |= {scale_of(used, target), unread(scope, used)}
    for tree in sorted(trees, key=str):
        for scale in sorted(scales):
            yield Candidate("chain", target, tuple(used), names, times(tree, scale), united=False, exact=True, raw=True)


_POWERS = {"²": 2, "³": 3, "⁴": 4}


def _powered(scope: Scope, one: Quantity, name: str) -> Term:
    """The term of a figure, which a sign may raise to a power: 5 × 1.2³."""
    return product(*[name] * _POWERS.get("".join(scope.right(one)[:1]), 1))


def _precedence(names: Sequence[Term], signs: Sequence[str]) -> Term:
    """The terms with their signs: products before sums."""
    parts: list[tuple[str, Term]] = [("+", names[0])]
    for sign, name in zip(signs, names[1:], strict=True):
        if sign in "*/":
            plus, before = parts[-1]
            parts[-1] = (plus, Op(sign, before, name))
        else:
            parts.append((sign, name))
    tree = parts[0][1]
    for sign, part in parts[1:]:
        tree = Op(sign, tree, part)
    return tree


def _grouped(scope: Scope, used: Sequence[Quantity], names: Sequence[Term], signs: Sequence[str]) -> Term:
    """The same with the terms up to the first closing bracket together: `($5 − $3) × 40`."""
    end = next(place for place, one in enumerate(used) if place and ")" in scope.gaps[one.index + 1]) + 1
    tree = _precedence(names[:end], signs[: end - 1])
    for sign, name in zip(signs[end - 1 :], names[end:], strict=True):
        tree = Op(sign, tree, name)
    return tree


_FACTOR = re.compile(r"[×*·]\s?(?:[A-Za-z]+ )?(\d+(?:\.\d+)?)(?:\^(\d+))?(?=[\s)])")


def unread(scope: Scope, used: Sequence[Quantity]) -> Decimal:
    """The product of factors among figures that are no figures of the sentence: `× PUE 1.3`, `× 10^15`."""
    offset, found = scope.sentence.start, Decimal(1)
    if scope.home(used[0]) != scope.homes[scope.first]:
        return found
    last = scope.sentence.end if used[-1].index >= scope.last - 1 else scope.quantities[used[-1].index + 1].figure.start
    starts = {one.figure.start - offset for one in scope.targets}
    for match in _FACTOR.finditer(scope.sentence.text, used[0].figure.end - offset, max(0, last - offset)):
        if not any(match.start() < start < match.end() or start == match.start(1) for start in starts):
            found *= Decimal(match[1]) ** int(match[2] or 1)
    return found


# ---- factors in a row


def runs(scope: Scope, target: Quantity) -> Iterator[Candidate]:
    """The product of the figures just before a target, or just after it."""
    every = scope.quantities
    for step, skipped in ((-1, 0), (1, 0), (-1, 1)):
        used: list[Quantity] = []
        place = target.index + step * (1 + skipped)
        while 0 <= place < len(every) and len(used) < LONGEST and abs(scope.homes[place] - scope.home(target)) < 4:
            one = every[place]
            place += step
            if one.figure.ranged or one.kind == "points" or not one.figure.low:
                break
            used.append(one)
            if len(used) > 1 + skipped and _fitting(used, target):
                yield from _run(scope, target, sorted(used, key=lambda part: part.index))


def _fitting(used: Sequence[Quantity], target: Quantity) -> bool:
    """Whether a product of some figures may be the amount: one of them is of its kind, and only one is money."""
    money = [one for one in used if one.kind == "money"]
    if len(money) != (target.kind == "money") or any(one.unit != target.unit for one in money):
        return False
    if len(used) == 2 and any(one.kind in {"share", "ratio"} for one in used):
        return False
    if target.kind in {"unit", "time"} or (target.kind == "count" and target.unit in {"m", "g", "m³"}):
        return any(one.unit == target.unit or (one.unit, target.unit) == ("W", "Wh") for one in used)
    return True


def _run(scope: Scope, target: Quantity, used: Sequence[Quantity]) -> Iterator[Candidate]:
    names = numbered("x", len(used))
    scales = {Decimal(1), scale_of(used, target)}
    periods = (*period_factors(scope, target, used), *_hours_said(scope, used))
    alone = () if len(used) == 2 and not _bare_price(used) else (Decimal(1),)
    for scale in sorted({one * factor for one in scales for factor in (*alone, *periods)}):
        yield Candidate(
            "run", target, tuple(used), names, times(product(*names), scale), united=False, exact=True, raw=True
        )


_SAID = re.compile(r"\b(?:an?|one|per|each|every|full|the) (hour|day|week|month|year)\b", re.I)


def _hours_said(scope: Scope, used: Sequence[Quantity]) -> tuple[Decimal, ...]:
    """The hours of a period in words, for a power and a price of energy without a time: `a year at 30p/kWh`."""
    powered = any(one.unit == "W" for one in used) and not any(one.unit in HOURS for one in used)
    if not powered or not any(one.kind == "money" for one in used):
        return ()
    said = {match[1].lower() for match in _SAID.finditer(scope.sentence.text)}
    return tuple(sorted(HOURS[{"hour": "h"}.get(word, word)] for word in said if word != "hour"))


def _bare_price(used: Sequence[Quantity]) -> bool:
    """Whether a price does not say for what it is: 45 kWh at €0.50."""
    return any(one.kind == "money" and set(one.pers) <= {"each", "unit"} for one in used)


def scale_of(used: Sequence[Quantity], target: Quantity) -> Decimal:
    """What a product of some figures must be multiplied by to be in the unit of a target."""
    found = Decimal(1)
    for one in used:
        found *= factor_of(one)
    return found / (magnitude(target) / target.figure.low)
