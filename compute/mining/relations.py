"""Every small expression over the figures around a target whose dimension fits it.

share, ratio      part = small / big, fall = 1 - part, rise = big / small - 1, times, complements, stacked shares
amount            sums, differences, remainders, means, products and quotients, shares of it, compound growth

Nothing is computed here, and no words are read: `claim_traits` describes each candidate, `claim_model` weighs it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache

from compute.mining.bill_claims import bills, excesses
from compute.mining.chain_claims import chains, runs
from compute.mining.claim_scopes import Candidate, Scope
from compute.mining.conversion_claims import conversions
from compute.mining.direction_words import shared
from compute.mining.expressions import Op, numbered, total
from compute.mining.growth_claims import growths
from compute.mining.known_claims import known
from compute.mining.named_formulas import named
from compute.mining.noun_reader import SCALED, STOP, TIMES, noun_of
from compute.mining.product_claims import products
from compute.mining.quantities import Quantity, in_scale
from compute.mining.ratio_claims import ratios
from compute.mining.remainder_claims import remainders
from compute.mining.scaled_claims import savings, scaled_amounts
from compute.mining.share_claims import (
    compared,
    fraction,
    grown_share,
    of_bare_shares,
    of_share,
    of_shares,
    of_sum,
    shifted,
    times_of_sum,
    undone,
)
from compute.mining.sum_claims import addable, differences, sums

NEAREST = 8
"""How many figures around a target are combined."""
_RATIOS = frozenset({"share", "ratio", "points"})


def relations(scope: Scope, target: Quantity, wanted: frozenset[str]) -> Iterator[Candidate]:
    """The candidates of a target; those of relations that are not in `wanted` may be left out."""
    if target.figure.low <= 0 or (target.figure.ranged and target.kind not in _RATIOS):
        return
    pool = _pool(scope, target)
    yield from _related(scope, target, pool, wanted)
    if "named" in wanted:
        yield from named(scope, target)
    for other in _meanings(scope, target):
        yield from _related(scope, other, pool, wanted)


def _meanings(scope: Scope, target: Quantity) -> Iterator[Quantity]:
    """What else a target may be: a bare number with a unit of the text, points of shares, a factor."""
    seen: set[tuple[str, str]] = set()
    full = completed(scope, target)
    untimed = (
        completed(scope, target, timed=False) if full is not None and full.kind == "time" and target.pers else None
    )
    others = (full, untimed, _priced(scope, target), shared_percent(scope, target))
    for nearest in (*others, *_of_a_hundred(scope, target)):
        if nearest is not None and (nearest.kind, f"{nearest.unit} {nearest.pers}") not in seen:
            seen.add((nearest.kind, f"{nearest.unit} {nearest.pers}"))
            yield nearest
    shares = any(one.kind == "share" for one in scope.quantities)
    swung = "swing" in scope.left(target)[-3:] and not target.unit
    shares = shares or (swung and any(one.kind == "points" for one in scope.quantities))
    pointed = swung or target.unit == "point" or scope.right(target)[:2] == ("-", "point")
    if target.kind == "count" and pointed and shares:
        yield replace(target, kind="points", unit="", factor=Decimal("0.01"))
    elif target.kind == "count" and (
        scope.left(target)[-2:] == ("factor", "of")
        or (scope.left(target)[-1:] == ("by",) and any(word.startswith("multipl") for word in scope.left(target)[-6:]))
        or scope.right(target)[:1] == ("times",)
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
        "sum taken",
    }
)


def _of_a_hundred(scope: Scope, target: Quantity) -> Iterator[Quantity]:
    """A number per hundred, with the units of the two amounts before it: 54 litres over 900 km, six per hundred."""
    last = scope.quantities[target.index - 1] if target.index else None
    bare = target.kind == "money" and not target.pers and last is not None and last.unit == target.unit
    if bare and last is not None and last.pers[:1] in {("hundred",), ("thousand",)}:
        yield replace(target, pers=last.pers)  # 60p per 100 g for the one and 80p for the other
    if target.kind != "count" or target.unit or target.pers not in {("hundred",), ("thousand",)}:
        return
    near = [one for one in scope.quantities[: target.index] if one.kind == "count" and one.unit and not one.pers][-2:]
    for one, two in (near, near[::-1]) if len(near) == 2 else ():
        unit = noun_of(scope.right(two))[0]
        if unit:
            yield replace(target, unit=one.unit, factor=one.factor, pers=(*target.pers, unit))


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
            figure=replace(in_scale(one.figure, figure), sort=figure.sort, unit=figure.unit),
        )
        for one in found
    ]  # fmt: skip  # the call on three lines is more readable


def _related(scope: Scope, target: Quantity, pool: list[Quantity], wanted: frozenset[str]) -> Iterator[Candidate]:
    if target.kind in _RATIOS:
        yield from _ratios(scope, target, pool, wanted)
    else:
        yield from _amounts(scope, target, pool, wanted)
    for rules, family in _FAMILIES:
        if wanted & rules:
            yield from family(scope, target, wanted)
    if wanted & {"product", "quotient", "convert"}:
        yield from products(scope, target, pool, wanted)
    if "chain" in wanted:
        yield from chains(scope, target)
    if "run" in wanted and target.kind not in _RATIOS:
        yield from runs(scope, target)


_FAMILIES = (
    (frozenset({"exchanged", "parts", "convert"}), conversions),
    (frozenset({"doubled", "grown", "shrunk", "root"}), growths),
    (frozenset({"bill", "lost"}), remainders),
    (frozenset({"known", "science", "trade", "since"}), known),
)


def _ratios(scope: Scope, target: Quantity, pool: list[Quantity], wanted: frozenset[str]) -> Iterator[Candidate]:
    if target.kind == "points":
        yield from _mean_points(target, pool) if "mean" in wanted else ()
        pool = _as_shares(pool)
    if wanted & {"fall", "rise", "part", "times", "gap"}:
        yield from compared(target, pool, wanted)
    if wanted & {"times of times", "rate ratio"}:
        yield from ratios(scope, target, wanted)
    if wanted & _SHARES:
        yield from of_shares(target, [one for one in pool if one.kind == "share" or fraction(one)])
    if "reversed" in wanted:
        yield from undone(scope, target, pool)
    if wanted & {"compound", "annualised"}:
        yield from grown_share(target, pool)
    if target.kind == "ratio" and "times of sum" in wanted:
        yield from times_of_sum(target, pool)
    if target.kind == "share":
        if "mean" in wanted:
            yield from _mean_share(target, pool)
        yield from _shares(scope, target, pool, wanted)


def _mean_points(target: Quantity, pool: Sequence[Quantity]) -> Iterator[Candidate]:
    """The mean of two changes in points: eight up and six down, a swing of seven."""
    before = tuple(one for one in pool if one.kind == "points" and one.index < target.index)
    if len(before) == 2:
        names = numbered("points", 2)
        yield Candidate("mean", target, before, names, Op("/", total(*names), Decimal(2)))


def _as_shares(pool: list[Quantity]) -> list[Quantity]:
    """The figures, with those that may be rates in percent as shares, if no other is one."""
    if any(one.kind == "share" for one in pool):
        return pool
    return [replace(one, kind="share", unit="", factor=Decimal("0.01")) if _percent(one) else one for one in pool]


def _percent(one: Quantity) -> bool:
    """Whether a number with a fraction may be a rate in percent: from 5.25 to 4.50, 75 basis points."""
    return one.kind == "count" and "." in one.figure.text and one.figure.low < 100 and one.factor == 1


def _mean_share(target: Quantity, pool: Sequence[Quantity]) -> Iterator[Candidate]:
    """The mean of the shares before a target: 88, 64, 72 and 56 percent, an average of 70%."""
    before = tuple(one for one in pool if one.kind == "share" and one.index < target.index)
    if len(before) > 1:
        names = numbered("share", len(before))
        yield Candidate("mean", target, before, names, Op("/", total(*names), Decimal(len(before))))


def _shares(scope: Scope, target: Quantity, pool: list[Quantity], wanted: frozenset[str]) -> Iterator[Candidate]:
    if "blend" in wanted:
        yield from bills(scope, target, frozenset({"blend"}))
    if "complement" in wanted:
        yield from of_bare_shares(target, pool)
    yield from shifted(target, pool)
    if wanted & {"part of sum", "sum of whole", "rest of whole"}:
        yield from of_sum(target, pool, wanted)
    if "part of share" in wanted:
        yield from of_share(target, pool)


def _amounts(scope: Scope, target: Quantity, pool: list[Quantity], wanted: frozenset[str]) -> Iterator[Candidate]:
    fitting = {one.index: one for one in pool if addable(one, target)}
    own = [fitting[index] for index in sorted(fitting)]
    for one in _bare(scope, target, pool):
        if target.kind != "time" or one.index not in fitting:  # six hours … now four, 120 minutes less
            fitting[one.index] = one
    same = [fitting[index] for index in sorted(fitting)]
    if wanted & {"sum", "mean"}:
        yield from sums(scope, target, same, wanted)
    if wanted & {"difference", "remainder", "flow"}:
        yield from differences(target, same, wanted)
    if wanted & _SCALES:
        yield from scaled_amounts(target, pool, own or same, wanted)
    if wanted & {"bill", "blend"}:
        yield from bills(scope, target, wanted)
    if wanted & {"excess", "sum taken"}:
        yield from excesses(scope, target, wanted)
    if wanted & {"saving", "payback"}:
        yield from savings(target, pool, own, wanted)


def _pool(scope: Scope, target: Quantity) -> list[Quantity]:
    """The figures nearest to a target, those of its own sentence first, in text order."""
    home = scope.home(target)
    near = sorted(
        (one for one in scope.quantities if one is not target and _takes_part(one, target)),
        key=lambda one: (abs(scope.home(one) - home), abs(one.index - target.index)),
    )
    found = near[:NEAREST]
    for one in near[:NEAREST]:
        full = completed(scope, one)
        timed = completed(scope, one, timed=False) if full is not None and full.kind == "time" else None
        others = (full, timed, shared_percent(scope, one) or _shared_part(scope, one))
        found += [other for other in others if other is not None]
    return sorted(found, key=lambda one: one.index)


_MODEL_SIZE = re.compile(r"\d+(?:\.\d+)?B")
"""The parameters of a model in its name: Llama 3.1 70B."""


def _takes_part(one: Quantity, target: Quantity) -> bool:
    """Whether a figure may be an input: it is one number above nothing; no amount follows from that in a name."""
    named = target.kind == "money" and one.kind == "count" and not one.unit and _MODEL_SIZE.fullmatch(one.figure.text)
    return one.figure.low > 0 and not one.figure.ranged and not named


def _shared_part(scope: Scope, one: Quantity) -> Quantity | None:
    """A bare number beside a share as a share: `fell to 29% from 38`, `up eight points while ours dropped six`."""
    if one.kind == "ratio" and one.figure.low >= _MANY and one.figure.text.endswith("times"):
        return replace(one, kind="count", unit="time", figure=replace(one.figure, sort="count"))  # rang 1,140 times
    if one.kind != "count" or one.unit or one.pers or one.figure.low > 100 or _counts(scope.right(one)):
        return None
    for place in (one.index - 1, one.index + 1):
        other = scope.quantities[place] if 0 <= place < len(scope.quantities) else None
        if other is None or other.kind not in {"share", "points"} or len(scope.gaps[max(place, one.index)]) > _BESIDE:
            continue
        if other.kind == "share" and not one.figure.text[:1].isdigit():
            continue  # the average of the four was 70 percent
        figure = replace(one.figure, sort=other.figure.sort)
        return replace(one, kind=other.kind, factor=Decimal("0.01"), figure=figure)
    return None


_MANY, _BESIDE = 20, 5
_TIMES = frozenset(TIMES)


def _rated(per: str) -> bool:
    """Whether what a bare number is per is a time or a measure: nine to the gallon."""
    return per in _TIMES or (per in SCALED and len(per) > 2)


def completed(scope: Scope, one: Quantity, *, timed: bool = True) -> Quantity | None:
    """A bare number with the unit of the measured one before it: `took 18 minutes and now takes 4.5`.

    With `timed` false, times are passed over: `he weighed 80 kg, and after ten months 72`.
    """
    if one.kind != "count" or one.unit:
        return None
    if one is scope.quantities[one.index]:
        return _completed(scope, one.index, timed)
    return _complete(scope, one, timed)


@lru_cache(maxsize=256)
def _completed(scope: Scope, index: int, timed: bool) -> Quantity | None:
    """The same of the number at a place, which all targets of a scope share."""
    return _complete(scope, scope.quantities[index], timed)


def _complete(scope: Scope, one: Quantity, timed: bool) -> Quantity | None:
    if one.kind != "count" or one.unit or not all(map(_rated, one.pers)) or _counts(scope.right(one)):
        return None
    every = [
        other
        for other in scope.quantities
        if other.kind in {"money", "unit"}
        or (other.kind == "time" and timed)
        or (other.kind == "count" and (other.unit or _in_millions(one, other)))
    ]
    every = [other for other in every if not _adjective(scope, other)] or every
    near = [other for other in every if 0 < one.index - other.index < 4] or [
        other for other in every if other.index == one.index + 1
    ]
    if not near:
        return None
    other = near[-1]
    figure = one.figure
    if other.kind == "count":
        figure, _ = shared(figure, other.figure)
    if other.kind in {"money", "unit"}:
        figure = in_scale(figure, other.figure)
    figure = replace(figure, sort=other.figure.sort, unit=other.figure.unit)
    return replace(one, kind=other.kind, unit=other.unit, factor=other.factor, figure=figure)


def _adjective(scope: Scope, one: Quantity) -> bool:
    """Whether a figure says what kind of thing something is: a three-year average, a three-farm average."""
    if one.kind == "time":
        return _ADJECTIVE.search(one.figure.text) is not None
    return one.kind == "count" and scope.right(one)[:1] == ("-",) and one.unit not in _BASES


def _in_millions(one: Quantity, other: Quantity) -> bool:
    """Whether a number may be in the millions of the one before it: 1.2bn in May, 1.8 now."""
    near = 0 < one.index - other.index < 3 and one.figure.low < 1000 <= other.figure.low
    return near and _digits(one) and _MILLIONS.search(other.figure.text) is not None


_BASES = frozenset(base for base, _ in SCALED.values())
"""The units of measure."""
_MILLIONS = re.compile(r"(?:million|billion|trillion|\dbn|\dmn|\d ?[MB])$")
_ADJECTIVE = re.compile(r"[a-z]-(?:hour|day|week|month|quarter|year)$")


def shared_percent(scope: Scope, one: Quantity) -> Quantity | None:
    """A bare number as a share, if one of the three figures before it is one: `it was 25% and is 16 now`."""
    if one.kind != "count" or one.unit or one.pers or one.figure.low > 100 or _counts(scope.right(one)):
        return None
    near = [other for other in scope.quantities[max(0, one.index - 3) : one.index] if other.kind == "share"]
    if not near or _digits(near[-1]) != _digits(one):
        return None
    return replace(one, kind="share", factor=near[-1].factor, figure=replace(one.figure, sort="%"))


def _digits(one: Quantity) -> bool:
    """Whether a number is written in digits."""
    return any(sign.isdigit() for sign in one.figure.text)


def _counts(right: Sequence[str]) -> bool:
    """Whether a noun follows a number: `27 sites`, `160 more seats`; `650 fewer` and `50 burned` have none."""
    if right[:1] == ("more",) and len(right) > 1 and right[1] != "than":
        right = right[1:]
    return bool(right) and right[0].isalpha() and right[0] not in STOP and not _NO_NOUN.fullmatch(right[0])


_NO_NOUN = re.compile(
    r"fewer|greater|bigger|smaller|heavier|lighter|taller|shorter|longer|slower|faster|farther|further|dearer|cheaper"
    r"|pricier|older|younger|deeper|wider|warmer|colder|better|worse|here|there|elsewhere|since|still|yesterday|tonight"
    r"|tomorrow|last|next|lately|apiece|altogether|overall|combined|ahead|apart|behind|short|extra|spare|another|too"
    r"|instead|again|besides|across|despite|throughout|online|afterwards|earlier|later|back|in|who|[a-z]{3,}(?<!se)(?<!spe)(?<!ne)(?<!wee)(?<!br)(?<!thr)ed|gone|sold|held|left"
    r"|lost|kept|bought|done|known|driven|spoken|written|unsold|unpaid|unused"
)
"""Words after a number that it does not count."""
