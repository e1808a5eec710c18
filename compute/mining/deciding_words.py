"""Words that decide between two usual readings of the same figures, of which one is a usual mistake.

£240 with VAT at 20%: £40 of it is tax, £200 are net              240 * 20% / (1 + 20%); 240 / (1 + 20%)
a post every 3 m along 60 m, one at each end: 21 posts            60 / 3 + 1
ten trees 5 m apart, from the first to the last 45 m              (10 - 1) * 5
3.5 km there and back on five days: 35 km                         2 * 3.5 * 5
out at 60 km/h, home on the same road at 40: 48 km/h on average   2 * 60 * 40 / (60 + 40)
precision 0.9 and recall 0.5, an F1 score of 0.64                 2 * 0.9 * 0.5 / (0.9 + 0.5)
$1,200, halved twice: $300                                        1,200 / 2 ^ 2

The reading that such words rule out neither holds nor accuses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

from compute.mining.claim_cues import DOWNWARD, UPWARD
from compute.mining.claim_scopes import Candidate, Scope
from compute.mining.expressions import Op, product, total
from compute.mining.noun_reader import TIMES
from compute.mining.quantities import Quantity
from compute.mining.spelled_numbers import numeral_value
from compute.mining.worded_rules import NAMES, ONE, Found, integral

_TWO = Decimal(2)


def decided(scope: Scope, target: Quantity) -> Iterator[Candidate]:
    """The candidates of a target that the words of its sentence, or of the one before, decide for."""
    rules = _said(scope)
    near = [one for one in scope.quantities if _near(scope, one, target)] if rules else []
    for rule in rules:
        for one, two in permutations(near, 2):
            for used, tree in rule.gives(scope, target, one, two):
                names = NAMES[: len(used)]
                yield Candidate("known", target, used, names, tree, united=False, exact=True, raw=True)


def is_decided(scope: Scope, one: Candidate) -> bool:
    """Whether the words of a sentence decide for a candidate."""
    if one.rule != "known":
        return False
    return any(found.used == one.used and found.expression == one.expression for found in decided(scope, one.target))


def without_mistakes(scope: Scope, ranked: Sequence[tuple[Candidate, float]]) -> list[tuple[Candidate, float]]:
    """Candidates with their probabilities, without those that the words of the sentence rule out."""
    rules = _said(scope)
    return [pair for pair in ranked if not _ruled_out(scope, pair[0], rules)] if rules else [*ranked]


def _ruled_out(scope: Scope, one: Candidate, rules: Sequence[_Rule]) -> bool:
    """Whether a candidate is the usual mistake: of the figures of a decided one, by a relation that words exclude."""
    if not 2 <= len(one.used) <= 3:
        return False
    pairs = permutations(one.used, 2)
    return any(any(rule.gives(scope, one.target, *pair)) for pair in pairs for rule in rules if one.rule in rule.no)


_BEFORE, _LONGEST = 160, 2000


def _near(scope: Scope, one: Quantity, target: Quantity) -> bool:
    near = 0 <= scope.home(target) - scope.home(one) < 2 and one.index != target.index
    return near and not one.figure.ranged and one.figure.low > 0


class _Rule(NamedTuple):
    """What decides: words, what they give of two figures, and the relations of the same figures that they exclude."""

    words: re.Pattern[str]
    gives: Callable[[Scope, Quantity, Quantity, Quantity], Iterator[Found]]
    no: frozenset[str]


def _inside_tax(scope: Scope, target: Quantity, price: Quantity, rate: Quantity) -> Iterator[Found]:
    """The tax in a price that includes it, and the price without it."""
    taxed = rate.kind == "share" and _TAX.search(" ".join((*scope.left(rate)[-3:], *scope.right(rate)[:3])))
    if not taxed or target.kind != "money" or price.kind not in {"money", "count"} or price.base <= target.base:
        return
    said = " ".join((*scope.before(target)[-_WORDS:], "#", *scope.after(target)[:_WORDS]))
    if _NET.search(said):
        yield (price, rate), Op("*", Op("/", "x", total(ONE, "y")), price.factor / target.factor)
    elif _OF_WHICH.search(said):
        tree = Op("/", product("x", "y"), total(ONE, "y"))
        yield (price, rate), Op("*", tree, price.factor / target.factor)


_WORDS = 10
"""The most words beside a figure that say whether it is the tax."""
_TAX = re.compile(r"\b(?:VAT|tax|GST)\b", re.I)
_NET = re.compile(r"\bnet\b|\bbefore (?:tax|vat)\b|\bwithout (?:the )?(?:tax|vat)\b|# ex\b", re.I)
_OF_WHICH = re.compile(
    r"\b(?:goes|go|went) to (?:the )?(?:\w+ )?(?:tax\w*|state|treasury|revenue|government|exchequer|hmrc)\b"
    r"|# (?:of it )?(?:is|was|of) (?:vat|tax)\b|# of the\b|contains #|\b(?:vat|tax)(?: is| of)? #",
    re.I,
)


def _with_both_ends(_scope: Scope, target: Quantity, length: Quantity, step: Quantity) -> Iterator[Found]:
    """How many posts there are along a length, with one at each end."""
    along = length.unit == step.unit == "m" and not (length.pers or step.pers) and length.base > step.base
    if along and target.kind == "count" and target.unit != "m":
        yield (length, step), total(Op("*", Op("/", "x", "y"), length.factor / step.factor), ONE)


def _gaps(_scope: Scope, target: Quantity, number: Quantity, step: Quantity) -> Iterator[Found]:
    """How far the first of some is from the last, a step apart."""
    counted = integral(number) and number.unit != "m" and max(number.index, step.index) < target.index
    if counted and number.figure.low > 2 and step.unit == target.unit == "m":
        yield (number, step), product(Op("-", "x", ONE), "y", step.factor / target.factor)


def _both_ways(_scope: Scope, target: Quantity, way: Quantity, times: Quantity) -> Iterator[Found]:
    """How far it is there and back, so many times."""
    counted = times.figure.low == int(times.figure.low) > 1 and times.unit in {"", "day", "time", "visit", "trip"}
    far = way.unit == target.unit == "m" and not way.pers and way.base < target.base
    if counted and far:
        yield (way, times), product("x", "y", _TWO * way.factor / target.factor)


def _mean_speed(_scope: Scope, target: Quantity, out: Quantity, home: Quantity) -> Iterator[Found]:
    """The mean speed over two equal distances."""
    if home.kind == "count" and not (home.unit or home.pers):
        home = replace(home, unit=out.unit, pers=out.pers, factor=out.factor)  # out at 60 mph, and back at 30
    speeds = (target, out, home)
    if (
        all(one.unit == "m" and not set(TIMES).isdisjoint(one.pers) for one in speeds)
        and out.index < home.index < target.index
    ):
        tree = Op("/", product(_TWO, "x", "y"), total("x", "y"))
        yield (out, home), Op("*", tree, out.factor / target.factor)


def _between(scope: Scope, target: Quantity, number: Quantity, step: Quantity) -> Iterator[Found]:
    """How long the breaks between so many things take: six lessons, five minutes between them."""
    counted = integral(number) and number.figure.low > 2 and number.kind == "count"
    if (
        counted
        and (step.kind == "time" or step.unit == "m")
        and step.kind == target.kind
        and step.unit == target.unit
        and "between" in scope.after(step)[:4]
    ):
        yield (number, step), product(Op("-", "x", ONE), "y", step.factor / target.factor)


def _harmonic_mean(_scope: Scope, target: Quantity, precision: Quantity, recall: Quantity) -> Iterator[Found]:
    """The F1 score of a classifier: the harmonic mean of precision and recall."""
    figures = (target, precision, recall)
    if precision.index < recall.index and all(0 < one.base <= 1 and one.kind == target.kind for one in figures):
        tree = Op("/", product(_TWO, "x", "y"), total("x", "y"))
        yield (precision, recall), Op("*", tree, precision.factor / target.factor)


def _again_and_again(scope: Scope, target: Quantity, base: Quantity, verb: Quantity) -> Iterator[Found]:
    """What several halvings or doublings make of an amount; a verb said twice counts twice."""
    said = _around(scope)
    once = _VERB.fullmatch(verb.figure.text.strip()) is not None and verb.figure.low in _STEPS  # 0.25 is halved twice
    often = _often(said) if once else 0
    alike = base.kind == target.kind and base.index < target.index and len({base.unit, target.unit} - {""}) < 2
    if often and alike and target.kind not in {"ratio", "share"}:
        scale = [] if base.factor == target.factor else [base.factor / target.factor]
        yield (base, verb), product("x", *["y"] * often, *scale)


def _in_a_row(scope: Scope, target: Quantity, base: Quantity, share: Quantity) -> Iterator[Found]:
    """What an equal change several times in a row makes of an amount: 10% off twice in a row, $500 to $405."""
    row = _ROW.search(_around(scope))
    often = _times(row["times"] or row["many"]) if row else 0
    said = (*scope.left(share)[-3:], *scope.right(share)[:3])
    down, up = (any(map(words.fullmatch, said)) for words in (DOWNWARD, UPWARD))
    if share.kind == "share" and often and base.kind == target.kind and base.unit == target.unit and down != up:
        step = Op("-" if down else "+", ONE, "y")
        yield (base, share), product("x", *[step] * often)


_ROW = re.compile(
    r"\b(?P<times>twice|(?:two|three|four|five) times) (?:in a row|running|in succession|one after the other)\b"
    r"|\b(?P<many>two|three|four|five) (?:successive|consecutive|straight)\b",
    re.I,
)


def _often(said: str) -> int:
    """How many times a text says that something is halved or doubled; 0 if it does not say that it is several times."""
    named = _SEVERAL.search(said)
    if named is not None:
        return _times(named["before"] or named["after"])
    verbs = len(_HALVED.findall(said))
    return verbs + (verbs < 2 and _ONCE_MORE.search(said) is not None)


def _times(words: str) -> int:
    """How many times *twice*, *three times* or *three* are."""
    number = words.split(maxsplit=1)[0]
    return 2 if number.lower() == "twice" else numeral_value(number)


_HALVED = re.compile(r"\b(?:halv|doubl|tripl)(?:ed|es|ing)\b|\bin half\b", re.I)
_MANY = r"(?:twice|(?:two|three|four|five|six|2|3|4|5|6) times)"
_SEVERAL = re.compile(
    rf"\b(?:(?P<before>{_MANY}) (?:halv|doubl|tripl)(?:ed|es|ing)"
    rf"|(?:(?:halv|doubl|tripl)(?:ed|es|ing)|in half)(?: \w+[’']?\w*){{0,4}}?,? (?P<after>{_MANY}))\b",
    re.I,
)
_ONCE_MORE = re.compile(
    r"\b(?:halv|doubl|tripl)(?:ed|es|ing)\b[^.;]*\b(?:and again|(?:then|once more|again) (?:halv|doubl|tripl)\w+)\b",
    re.I,
)
_STEPS = frozenset({Decimal("0.5"), _TWO, Decimal(3)})
_VERB = re.compile(r"half|(?:halv|doubl|tripl)(?:ed|es|ing)", re.I)
_ONE_STEP = frozenset(
    {"cut", "uncut", "raised", "unraised", "multiplied", "divided", "taken", "whole", "part", "times", "convert"}
    | {"doubled"}
)
"""What one halving or doubling makes of an amount."""


_RULES = (
    _Rule(_ROW, _in_a_row, _ONE_STEP | {"cut twice", "raised twice", "product"}),
    _Rule(re.compile(r"\bF1\b|\bF[- ]?(?:measure|score)\b", re.I), _harmonic_mean, frozenset(
        {"mean", "quotient", "product", "part", "times", "difference", "sum", "fall", "rise"})),
    _Rule(
        re.compile(
            rf"{_SEVERAL.pattern}|{_ONCE_MORE.pattern}"
            r"|\b(?P<verb>halv|doubl|tripl)ed\b[^.;]{0,60}(?:,|\band|\bthen)\s(?:then |and )*(?P=verb)ed\b",
            re.I,
        ),
        _again_and_again, _ONE_STEP,
    ),
    _Rule(
        re.compile(
            r"\b(?:includ\w+|incl\.?|inclusive of|gross|with|contains?)\b[^.;]{0,40}\b(?:VAT|tax|GST)\b"
            r"|\b(?:VAT|GST|tax)\b[^.;]{0,25}\b(?:included|inclusive)\b|\b(?:on the )?price tag\b",
            re.I,
        ),
        _inside_tax, frozenset({"taken", "cut", "raised", "complement", "product"}),
    ),
    _Rule(
        re.compile(
            r"\b(?:one|posts?|poles?) (?:\w+ )?at (?:each|either|both) ends?\b|\bboth ends (?:included|counted)\b"
            r"|\b(?:posts?|one) at the start and\b",
            re.I,
        ),
        _with_both_ends, frozenset({"quotient", "exchanged", "convert"}),
    ),
    _Rule(
        re.compile(r"\b(?:the )?first (?:\w+ )?(?:and|to) the last\b|\bfirst and last\b", re.I),
        _gaps, frozenset({"product", "exchanged", "run"}),
    ),
    _Rule(re.compile(r"\bbetween (?:them|each|two)\b", re.I), _between, frozenset({"product", "exchanged", "run"})),
    _Rule(
        re.compile(
            r"\bthere and (?:again )?back\b|\b(?:each|both) ways?\b|\bthe same [\d.]+ (?:km|miles) (?:home|back)\b",
            re.I,
        ),
        _both_ways, frozenset({"product", "exchanged", "run", "quotient", "convert"}),
    ),
    _Rule(
        re.compile(
            r"\bround[- ]trip\b|\b(?:back|home|returned?|came)\b[^.]*\b(?:same (?:way|road|route)|empty|downhill)\b"
            r"|\bthe same [\d.]+ (?:km|miles)\b|\bwhole (?:outing|ride|trip|journey)\b", re.I),
        _mean_speed, frozenset({"mean"}),
    ),
)  # fmt: skip  # one rule an entry


def _said(scope: Scope) -> tuple[_Rule, ...]:
    """The rules whose words stand in a sentence or just before it."""
    return _rules(_around(scope))


def _around(scope: Scope) -> str:
    """A sentence, the beginning of a long one, with the words just before it."""
    return scope.sentence.lead[-_BEFORE:] + scope.sentence.text[:_LONGEST]


@lru_cache(maxsize=64)
def _rules(text: str) -> tuple[_Rule, ...]:
    """The rules whose words a text has, searched once for all of its figures."""
    return tuple(rule for rule in _RULES if rule.words.search(text))
