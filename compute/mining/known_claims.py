"""Rules that everyday sentences use without saying them; the words of a sentence say which one.

fourteen clubs, each against every other twice: 26 games a club      2 * (14 - 1)
seven wins and four draws, 9 points                                  7 + 4 / 2
61 of 113 seats, nine more than everyone else                        2 * 61 - 113
£20 at 7-2 gives back £90                                            20 * (7 / 2 + 1)
750 ml at 12%, nine units                                            750 * 12% / 10
£12,400, matched pound for pound: £24,800                            2 * 12400
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from itertools import islice, pairwise

from compute.mining.claim_scopes import Candidate, Scope
from compute.mining.expressions import Op, product, total
from compute.mining.money_claims import RULES as TRADE
from compute.mining.money_claims import SINCE
from compute.mining.quantities import Quantity
from compute.mining.science_claims import RULES as SCIENCE
from compute.mining.worded_rules import NAMES, ONE, Found, Near, Worked, integral, worded

TWO = Decimal(2)


def known(scope: Scope, target: Quantity, wanted: frozenset[str]) -> Iterator[Candidate]:
    """The candidates of rules that the words of a sentence name."""
    found = [rule for rule in _named(scope.sentence.lead[-160:] + scope.sentence.text[:_LONGEST]) if rule[0] in wanted]
    near = [one for one in scope.quantities if one.index != target.index and _near(scope, one, target)] if found else []
    for name, rule in found:
        for used, tree in islice(rule(scope, target, near), _MOST):
            names, exact = NAMES[: len(used)], target.kind != "ratio"
            yield Candidate(name, target, used, names, tree, united=False, exact=exact, raw=True)


_LONGEST, _MOST = 2000, 16
"""The most characters that are searched for words, and the most candidates of one rule."""


@lru_cache(maxsize=64)
def _named(text: str) -> tuple[tuple[str, Worked], ...]:
    """The rules that the words of a text name, searched once for all of its figures."""
    return tuple((name, rule) for name, words, rule in _RULES if words.search(text))


def _near(scope: Scope, one: Quantity, target: Quantity) -> bool:
    return abs(scope.home(one) - scope.home(target)) < 4 and not one.figure.ranged and one.figure.low > 0


def _pairs(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - one signature for all rules
    """How many meetings there are of some, each with each other: all, or those of one."""
    for one in near:
        if integral(one) and integral(target) and 2 < one.figure.low < 10_000:
            others = Op("-", "x", ONE)
            yield (one,), others
            yield (one,), Op("*", TWO, others)
            yield (one,), Op("*", "x", others)
            yield (one,), Op("/", Op("*", "x", others), TWO)


def _majorities(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """How many more than all the others some of a whole are."""
    numbers = [one for one in near if integral(one)] if integral(target) else []
    for one, two in pairwise(numbers):
        part, whole = (one, two) if one.figure.low < two.figure.low else (two, one)
        yield (part, whole), Op("-", Op("*", TWO, "x"), "y")


_WON = re.compile(r"wins?|won|victor\w+")
_DREW = re.compile(r"draws?|drew|drawn|tied?|ties")


def _standings(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:
    """The points of some wins and draws, as at chess: two for a win and one for a draw, or one and half of one."""
    if not (target.kind == "count" and target.factor == 1):
        return
    for won in near:
        for drew in near:
            if won is not drew and _says(scope, won, _WON) and _says(scope, drew, _DREW):
                yield (won, drew), total(Op("*", TWO, "x"), "y")
                yield (won, drew), total("x", Op("/", "y", TWO))


def _says(scope: Scope, one: Quantity, words: re.Pattern[str]) -> bool:
    """Whether the word before a number, or the one after it, is one of some words."""
    before, after = scope.left(one)[-1:], scope.right(one)[:1]
    return integral(one) and any(words.fullmatch(word) for word in (*before, *after))


_ODDS = re.compile(r"(?<![\d.:])(\d{1,3})(?:[-–/]| to )(\d{1,2}|one)(?![\d.%])")


def _bets(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:
    """What a stake wins at odds, and what comes back."""
    for match in _ODDS.finditer(scope.sentence.lead + scope.sentence.text):
        odds = Decimal(match[1]) / (ONE if match[2] == "one" else Decimal(match[2]) or ONE)
        for one in near:
            if one.kind == target.kind == "money" and one.unit == target.unit:
                yield (one,), Op("*", "x", odds)
                yield (one,), Op("*", "x", odds + ONE)


def _drinks(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """The units of alcohol of a drink: each is 10 ml."""
    for one in near:
        for two in near:
            if target.kind == "count" and one.unit == "m³" and two.kind == "share":
                yield (one, two), product("x", "y", one.factor * 100_000)


def _areas(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """How many times the area or the volume of one shape that of another is, by their lengths."""
    for one, two in pairwise(near):
        if target.kind == "ratio" and one.unit == two.unit == "m" and one.figure.low != two.figure.low:
            big, small = NAMES[:2] if one.base > two.base else NAMES[:2][::-1]
            times = Op("*", Op("/", big, small), max(one.factor, two.factor) / min(one.factor, two.factor))
            times = Op("/", big, small) if one.factor == two.factor else times
            yield (one, two), product(times, times)
            yield (one, two), product(times, times, times)


def _matched(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """An amount that another one doubles."""
    for one in near:
        if (one.kind, one.unit, one.factor) == (target.kind, target.unit, target.factor):
            yield (one,), Op("*", "x", TWO)
            yield (one,), Op("/", "x", TWO)


_MEETING = (
    r"\b(?:each other|one another|every(?:one|body) (?:else|against|with)|every other|every pair|round[- ]robin"
    r"|handshakes?|shak\w+ hands|shook hands|knock-?out|home and away|(?:all|of) the others)\b"
)
_OTHERS = r"\b(?:outvote\w*|every(?:one|body) else|the (?:rest|others) (?:combined|together))\b"
_RESULTS = r"\b(?:w[io]ns?|victor\w+)\b.*\b(?:draws?|drew|drawn|tied?|ties)\b|\bdrew\b.*\bwon\b"
_BETTING = r"\b(?:bets?|odds|stakes?|staked|wager\w*|each[- ]way|bookm\w+|bookies?|punters?)\b"
_TWICE = (
    r"\b(pound|dollar|euro|penny) for \1\b|\bmatch(?:ed|es) (?:it|them|that|this|the (?:sum|amount|gifts?))\b"
    r"|\b(?:there and (?:again )?back|there-and-back|both ways|round trip|out and back|return trip)\b"
)
_EVERYDAY = (
    worded(_MEETING, _pairs),
    worded(_OTHERS, _majorities),
    worded(_RESULTS, _standings),
    worded(_BETTING, _bets),
    worded(r"\bunits? of alcohol\b|\balcohol units?\b", _drinks),
    worded(r"\b(?:area|surface|volume)\b", _areas),
    worded(_TWICE, _matched),
)
_RULES: tuple[tuple[str, re.Pattern[str], Worked], ...] = (
    *(("known", *one) for one in _EVERYDAY),
    *(("science", *one) for one in SCIENCE),
    *(("trade", *one) for one in TRADE),
    ("since", *SINCE),
)
"""The relation of each rule, the words that name it, and what it gives."""
