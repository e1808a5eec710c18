"""Changes, ratios and shares: a percentage or a multiple, and the two quantities that it relates.

from $8 to $2, a 75% cut · at $2 instead of $8, 75% cheaper · three times the price     1 - after / before, before / after
18 of its 24 games, 75% · a 15% tip on a $60 bill is $9                                 part / whole
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations

from compute.mining.claim_cues import (
    BORDERS,
    DOWNWARD,
    EQUAL,
    EQUAL_PHRASES,
    NEUTRAL,
    NOUN_SHARES,
    PART_OF,
    UPWARD,
    after_border,
    before_border,
    has,
    phrase,
)
from compute.mining.claim_scopes import Candidate, Scope, alike, sized
from compute.mining.expressions import Op
from compute.mining.quantities import Quantity

ONE = Decimal(1)
_STRONG = frozenset(
    {
        "to",
        "→",
        "vs",
        "vs.",
        "versus",
        "instead",
        "rather",
        "against",
        "compared",
        "than",
        "from",
        ">",
        "becomes",
        "became",
        "previously",
        "formerly",
        "originally",
        "earlier",
        "used",
    }
)
_LINKS = frozenset(
    {
        "now",
        "today",
        "was",
        "were",
        "while",
        "where",
        "before",
        "after",
        "and",
        "of",
        "then",
        "whereas",
        "but",
        "is",
        "on",
        "/",
    }
)
_LEVEL = frozenset({"to", "at", "of", "is", "was", "are", "stands", "reached", "hit"})


_CHANGES = frozenset({"discount", "cut", "rebate", "premium", "markup", "surcharge"})


@dataclass(frozen=True, slots=True)
class Cue:
    """The direction that the words near a ratio say: `down`, `up`, `either`, `part`; `far` is how many words away."""

    way: str
    far: int


def ratios(scope: Scope) -> Iterator[Candidate]:
    """The relations that percentages, points and multiples of a sentence may claim."""
    for target in scope.targets:
        if target.kind in {"share", "points", "ratio"} and not target.figure.ranged and target.figure.low > 0:
            yield from _about(scope, target)


def _about(scope: Scope, target: Quantity) -> Iterator[Candidate]:
    cue = direction(scope, target)
    if cue is None:
        return
    for score, before, after in _pairs(scope, target):
        if cue.way == "part" and before.kind == "share":
            continue
        if cue.way == "part":
            yield from _shares(scope, target, before, after, score)
        else:
            yield from _changes(
                target, cue, before, after, score - 0.15 * cue.far, sure=_settled(scope, target, cue, before, after)
            )
    if cue.way == "down" and target.kind == "share" and has(scope.right(target)[:3], NOUN_SHARES - _CHANGES):
        for score, before, after in _pairs(scope, target):
            yield from _shares(scope, target, before, after, score - 0.4)


# ---- what the words say


def direction(scope: Scope, target: Quantity) -> Cue | None:  # noqa: PLR0911 - a list of cases, the first that fits
    """What the words near a ratio say about it; None if they claim nothing."""
    right = before_border(scope.right(target), ",()—–")[:6]
    left = after_border(scope.left(target))[-9:]
    text = target.figure.text.lower()
    if text.startswith("halv") or (
        target.kind == "ratio" and text.startswith(("doubl", "tripl", "quadrupl", "quintupl"))
    ):
        return Cue("verb", 0)
    if (
        target.figure.unit == "word"
        and right[:1]
        and right[0]
        in {"price", "board", "term", "time", "day", "hour", "year", "full", "way", "an", "a", "empty", "rate", "pay"}
        and target.figure.low < 1
    ):
        return None
    often = text in {"twice", "thrice"} or text.endswith("times")
    if often and not (
        right
        and (
            right[0] in {"as", "the", "that", "its", "their", "what", "this", "his", "her", "our", "your"}
            or _way(right[0])
        )
    ):
        return None
    if left and left[-1] in {"−", "-", "+", "–"} and target.kind != "ratio":
        return Cue("up" if left[-1] == "+" else "down", 0)
    if right[:1] == ["of"] and target.kind != "points":
        return Cue("part", 0)
    if target.kind == "share" and (has(left[-4:], {"margin"}) or right[:1] == ["margin"] or right[1:2] == ["margin"]):
        tokens = [word for gap in scope.gaps for word in gap]
        profit = has(tokens, {"profit", "profits", "earnings", "earned", "income", "surplus", "ebitda", "net"})
        return Cue("part" if profit and not any(word.startswith(("cost", "expens")) for word in tokens) else "down", 0)
    if target.kind == "share" and right and right[0] in NOUN_SHARES - _CHANGES:
        return Cue("part", 0)
    found = _nearest(target, left, right)
    if found is not None:
        return found if found.way else None
    return _unsaid(scope, target, left, right)


def _nearest(target: Quantity, left: list[str], right: list[str]) -> Cue | None:  # noqa: C901 - a list of cases, the first that fits
    after = next(((index, word) for index, word in enumerate(right[:4]) if _way(word)), None)
    if after and (has(right[: after[0]], {"the", "its", "their", "our"}) or (after[0] == 0 and after[1] == "over")):
        after = None
    while left and left[-1] in {"exactly", "nearly", "almost", "roughly", "around", "some", "about", "just", "only"}:
        left = left[:-1]
    level = bool(left) and (
        left[-1] in {"to", "at"}
        or (len(left) > 1 and left[-1] in {"about", "just", "only"} and left[-2] in {"to", "at"})
    )
    if level and target.kind == "ratio" and target.figure.low < 1 and target.figure.unit == "word":
        return Cue("part", 1)
    if (level or left[-1:] == ["from"]) and not (after and after[0] == 0 and _way(after[1]) != "either"):
        return Cue("", 0)
    if after and not has(
        right[: after[0]], {"of", "to", "in", "and", "at", "the", "a", "an", "its", "their", "our", "while"}
    ):
        return Cue(_way(after[1]), after[0])
    if not level:
        for far, word in enumerate(reversed(left)):
            if word in {"because", "which", "that"}:
                break
            if _way(word) and word not in {
                "under",
                "over",
                "below",
                "above",
                "short",
                "off",
                "as",
                "number",
                "amount",
                "volume",
                "value",
                "price",
                "cost",
                "size",
                "rate",
                "length",
                "weight",
                "speed",
            }:
                return Cue(_way(word), far)
    if after:
        return Cue(_way(after[1]), after[0] + 1)
    return None


def _way(word: str) -> str:
    if DOWNWARD.fullmatch(word):
        return "down"
    if UPWARD.fullmatch(word):
        return "up"
    return "either" if NEUTRAL.fullmatch(word) else ""


def _unsaid(scope: Scope, target: Quantity, left: list[str], right: list[str]) -> Cue | None:
    """A ratio without a direction of its own: that of the sentence, a share of a whole, or a multiple in an aside."""
    others = {_way(word) for gap in scope.gaps[scope.first :] for word in gap} & {"down", "up"}
    if (
        len(others) == 1
        and right[:1] not in (["the"], ["a"], ["an"])
        and (has(scope.left(target)[-3:], _SIGNS) or phrase(scope.left(target), EQUAL_PHRASES) or left[-1:] == ["by"])
        and not has(scope.left(target)[-6:], PART_OF | NOUN_SHARES)
    ):
        return Cue(others.pop(), 3)
    if target.kind == "share" or (target.kind == "ratio" and target.figure.low < 1):
        left = list(scope.left(target))
        named = (
            has(left[-6:], PART_OF)
            or has(right[:4], PART_OF)
            or has(left[-6:], NOUN_SHARES)
            or has(right[:3], NOUN_SHARES | {"win"})
        )
        whole = any(
            "of" in (*scope.left(one)[-3:], *scope.between(one, two)) for one, two in _twos(scope, target)
        ) or bool(scope.gaps[scope.first][:1] == ("of",))
        if named or (whole and _aside(scope, target)):
            return Cue("part", 1)
        return Cue("part", 3) if target.kind == "ratio" and right[:1] and right[0] in {"the", "that", "as"} else None
    if target.kind == "ratio" and _aside(scope, target):
        return Cue("either", 2)
    return None


_SIGNS = frozenset({",", "(", "—", "–", ":", "or", "=", ";", "→", "by"})


def _aside(scope: Scope, target: Quantity) -> bool:
    """Whether a quantity is stated as a result of what is before it: after a comma, a bracket, `or`, `=`."""
    left = scope.left(target)
    tail = left[-3:]
    return bool(
        has(tail, {",", "(", "—", "–", ":", "or", "=", "≈", ";", "→"})
        or has(left, EQUAL)
        or phrase(left, EQUAL_PHRASES)
        or has(tail, {"is", "was", "of"})
    )


# ---- which quantities


def _twos(scope: Scope, target: Quantity) -> Iterator[tuple[Quantity, Quantity]]:
    others = [one for one in scope.quantities if one is not target and one.base > 0]
    for one, two in combinations(others, 2):
        if alike(one, two) and one.kind not in {"points", "ratio"} and sized(one, two) != sized(two, one):
            yield one, two


def _pairs(scope: Scope, target: Quantity) -> Iterator[tuple[float, Quantity, Quantity]]:
    """Pairs of quantities of one kind, each with a score by words and places."""
    found = list(_twos(scope, target))
    found = [
        pair
        for pair in found
        if pair[0].kind != "share" or (has(scope.between(*pair), _STRONG) and len(scope.between(*pair)) < 6)
    ]
    found = [pair for pair in found if not _SIZE.fullmatch(pair[0].figure.text) or has(scope.between(*pair), _STRONG)]
    if target.kind == "points":
        found = [pair for pair in found if pair[0].kind == "share"]
    for one, two in found:
        yield (
            _placed(scope, target, one, two)
            + (2.2 if len(found) == 1 else 0)
            + (0.5 if two.index < scope.first and _anaphoric(scope) else 0),
            one,
            two,
        )


_SIZE = re.compile(r"\d{1,4}(?:\.\d{1,2})?B")
"""The size of a model, which is a part of its name: 70B."""


def _placed(scope: Scope, target: Quantity, one: Quantity, two: Quantity) -> float:
    between = scope.between(one, two)
    score = 2.0 if has(between, _STRONG) else 1.0 if has(between, _LINKS) else 0.0
    score += (
        1.0
        if two.index - one.index == 1 or (abs(two.index - one.index) == 2 and one.index < target.index < two.index)
        else -0.5
    )
    nearest = min(abs(target.index - one.index), abs(target.index - two.index))
    score -= 0.6 * (nearest - 1)
    low, high = min(one.index, two.index, target.index), max(one.index, two.index, target.index)
    words = [word for gap in scope.gaps[low + 1 : high + 1] for word in gap]
    score -= 0.4 * min(2, sum(word in BORDERS for word in words)) + 0.4 * sum(
        word in {"while", "whereas", "but", "and"} for word in words
    )
    if one.pers != two.pers and one.pers and two.pers:
        score -= 1
    gap = scope.between(target, one) if target.index < one.index else ()
    if has(gap, {";", "."}) and not has(gap[-6:], {"they", "it", "had", "used"}):
        score -= 2.5
    if one.kind == "time" and not has(between, _STRONG):
        score -= 1
    if one.kind in {"count", "share"}:
        score -= 0.1 if one.unit == two.unit and one.unit else 0.4
    return score


# ---- which formula


_AGAIN = frozenset({"further", "then", "another", "successive", "again", "first", "twice"})


def _settled(scope: Scope, target: Quantity, cue: Cue, one: Quantity, two: Quantity) -> bool:  # noqa: C901, PLR0911, PLR0912 - a list of reasons to doubt
    """Whether a miss would be an error: the two are for the same, and no other percentage may belong to them."""
    if set(one.pers) != set(two.pers) and target.kind == "ratio" and target.figure.low < 1:
        return False
    between = scope.between(one, two)
    linked = has(between, _STRONG)
    alone = scope.first == 0 and len(scope.quantities) == 3
    if min(one.index, two.index) < scope.first and not _anaphoric(scope):
        return False
    if any(
        part.kind == "count" and not any(sign.isdigit() for sign in part.figure.text) for part in (one, two)
    ) and not (one.unit and one.unit == two.unit):
        return False
    if one.kind == "time" and not (one.index + 1 == two.index and len(scope.quantities) - scope.first <= 3):
        return False
    if (one.kind == "time" or set(one.pers) != set(two.pers)) and not has(scope.between(one, two), _STRONG):
        return False
    if target.index < one.index and len(scope.between(target, one)) > 7 and ";" not in scope.between(target, one):
        return False
    if _elsewhere(scope, target, one, two):
        return False
    if not linked and cue.way == "verb" and not (alone and has(between, {"now", "was", "is"})):
        return False
    if alone and (
        _aside_only(scope, target, two)
        or (one.index < target.index < two.index and not has(between, {";", "."}))
        or (target.index < one.index and has(between, _CONTRAST))
    ):
        return True
    if (
        not (linked and two.index - one.index < 3)
        and sum(alike(one, other) for other in scope.quantities if other is not target) > 2
    ):
        return False
    if one.index < scope.first and (_SIZE.fullmatch(one.figure.text) or scope.right(target)[:1] == ("more",)):
        return False
    if one.index < scope.first and "than" in before_border(scope.right(target), ","):
        return False
    if one.kind == "time" or set(one.pers) != set(two.pers):
        return linked
    if two.index < scope.first and len(scope.targets) == 1 and _anaphoric(scope):
        return True
    named = one.kind != "count" or (one.unit and one.unit == two.unit)
    if not linked and not (has(between, _CONTRAST) and (named or target.index == two.index + 1)):
        return False
    if min(one.index, two.index) < scope.first and not _anaphoric(scope):
        return False
    shares = [
        other
        for other in scope.quantities
        if other.kind == target.kind and other is not target and other not in {one, two}
    ]
    return not (shares and has([token for gap in scope.gaps for token in gap], _AGAIN))


_CONTRAST = frozenset(
    {
        "now",
        "today",
        "was",
        "were",
        "while",
        "where",
        "before",
        "after",
        "then",
        "whereas",
        "but",
        "is",
        "costs",
        "cost",
        "old",
        "new",
        "second",
        "other",
        ";",
        ".",
        ":",
        "had",
        "by",
        "replaced",
        "sold",
        "only",
        "just",
        "b",
        "pays",
        "instead",
        "last",
        "this",
        "later",
        "one",
    }
)
"""Words between two quantities that set one against the other."""


_THEREFORE = frozenset(
    {
        "so",
        "thus",
        "hence",
        "therefore",
        "which",
        "that",
        "i",
        "meaning",
        "or",
        "making",
        "giving",
        "=",
        ";",
        ":",
        "cheaper",
        "saves",
        "saving",
        "now",
    }
)
_APART = frozenset({"while", "and", "but", "whereas", "meanwhile", "although", "though", "as", "when", "yet", "with"})
_OVERALL = frozenset({"overall", "altogether", "combined", "total", "cumulative", "cumulatively"})


_BASELINES = frozenset(
    {
        "since",
        "year-on-year",
        "year-over-year",
        "annualised",
        "annualized",
        "yoy",
        "ago",
        "earlier",
        "peak",
        "record",
        "average",
        "median",
        "inflation",
    }
)
"""Words after a percentage that name what it is compared with."""


def _elsewhere(scope: Scope, target: Quantity, one: Quantity, two: Quantity) -> bool:  # noqa: PLR0911 - a list of reasons to doubt
    """Whether a percentage has a clause of its own, so that the two quantities may be of something else."""
    if has((*scope.left(target), *scope.right(target)), _OVERALL) and len(scope.quantities) > 3:
        return True
    if not has(scope.between(one, two), _STRONG) and (
        has(scope.right(target)[:6], _BASELINES) or has(scope.right(target)[:6], {"real"})
    ):
        return True
    if target.index > two.index and has(scope.between(two, target), {"its", "their", "his", "her", "our", "my"}):
        return True
    if one.index < target.index < two.index and has(scope.between(target, two), {";", "."}):
        return True
    if target.index > two.index:
        gap = scope.between(two, target)
        if has(gap, _APART):
            return True
        linked = has(scope.between(one, two), _STRONG) and target.index == two.index + 1
        return linked and not (
            _aside_only(scope, target, two)
            or has(gap, _THEREFORE)
            or all(token in _ASIDE or _way(token) for token in gap)
        )
    return target.index < one.index and has(scope.between(target, one), _APART)


_ASIDE = frozenset(
    {"a", "an", "the", "of", "or", "about", "roughly", "i", "e", ".", "that", "is", "so", "=", "by", "it", "which", "this", "nearly", "almost", "around", "up", "down", "another", "full", "whole", "i.e", "total",
     "for", "making", "giving", "saving", "thus", "hence", "was", "to", "amounts", "comes", "equal", "equals", "some", "approximately", "just", "over", "under", "more", "than", "at", "fully"}
)  # fmt: skip  # as many as fit a line


def _aside_only(scope: Scope, target: Quantity, last: Quantity) -> bool:
    """Whether a ratio follows its pair in an aside without a subject of its own: `, a gap of 17%`."""
    if target.index != last.index + 1:
        return False
    left = scope.left(target)
    place = max((index for index, token in enumerate(left) if token in {",", ";", ":", "—", "–", "(", "="}), default=-1)
    tail = left[place + 1 :]
    return place >= 0 and all(token in _ASIDE or _way(token) or not token[0].isalpha() for token in tail)


def _anaphoric(scope: Scope) -> bool:
    """Whether a sentence speaks only of the two quantities before it."""
    before = scope.quantities[: scope.first]
    pair = [one for one in before if one.kind != "ratio"]
    return len(pair) == 2 and len(scope.targets) <= 2


def _changes(
    target: Quantity, cue: Cue, one: Quantity, two: Quantity, score: float, *, sure: bool
) -> Iterator[Candidate]:
    large = one if sized(one, two) > sized(two, one) else two
    names = ("before", "after")
    big, little = ("before", "after") if large is one else ("after", "before")
    fall, rise = Op("-", ONE, Op("/", little, big)), Op("-", Op("/", big, little), ONE)
    ratio, part = Op("/", big, little), Op("/", little, big)
    gap = Op("-", big, little)
    word = target.kind == "ratio" and target.figure.low < 1
    for better, expression in _meanings(target, cue, word, (fall, rise, ratio, part, gap), shares=one.kind == "share"):
        yield Candidate("change", target, (one, two), names, expression, score - better, sure=sure)


def _meanings(
    target: Quantity, cue: Cue, word: bool, forms: tuple[Op, Op, Op, Op, Op], *, shares: bool
) -> Iterator[tuple[float, Op]]:
    """The formulas that a ratio with these words may mean, each with what it loses in score."""
    fall, rise, ratio, part, gap = forms
    if target.kind == "points":
        yield 0, gap
    elif cue.way == "verb":
        yield 0, part if word else ratio
    elif target.kind == "share" or word:
        first, second = (rise, fall) if cue.way == "up" else (fall, rise)
        yield 0, first
        if cue.way == "either":
            yield 0.1, second
        if word and cue.way == "either":
            yield 0.0, part
        if shares:
            yield 0.1, gap
    else:
        yield 0, ratio
        if cue.way == "up":
            yield 0.2, rise


def _whole_said(scope: Scope, target: Quantity, pair: tuple[Quantity, Quantity], *, of: bool, follows: bool) -> bool:
    """Whether a share is of the whole that its sentence states, and not of one that it only names."""
    alone = len(scope.quantities) == 3
    if follows or alone:
        return True
    places = sorted((target.index, pair[0].index, pair[1].index))
    close = places[2] - places[0] == 2 and not has(
        [token for gap in scope.gaps[places[0] + 1 : places[2] + 1] for token in gap], {";", "."}
    )
    return of and close and scope.right(target)[:1] != ("of",)


_ARTICLES = frozenset(
    {
        "of",
        "the",
        "a",
        "an",
        "its",
        "their",
        "our",
        "his",
        "her",
        "all",
        "those",
        "these",
        "every",
        "former",
        "original",
        "total",
        "full",
        "list",
        "about",
        "roughly",
    }
)


def _of_whole(gap: tuple[str, ...]) -> bool:
    """Whether the words after a share name the next quantity as its whole: `of the 90`, `of a $480 bill`."""
    return (
        gap[:1] == ("of",)
        and len(gap) < 5
        and all(word in _ARTICLES or word.endswith(("'s", "’s")) for word in gap[:-1])
        and gap[-1:] not in ((",",), (";",), ("in",), ("at",))
    )


def _shares(scope: Scope, target: Quantity, one: Quantity, two: Quantity, score: float) -> Iterator[Candidate]:
    """A part of a whole; the whole is the quantity after `of`, else the larger one."""
    after = target.index + 1
    right = scope.right(target)
    follows = next((quantity for quantity in (one, two) if quantity.index == after and _of_whole(right)), None)
    large = one if sized(one, two) > sized(two, one) else two
    whole = follows or large
    part = two if whole is one else one
    of = follows is not None or (scope.left(whole)[-3:-2] == ("of",) or "of" in scope.left(whole)[-3:])
    named = has(scope.left(target)[-6:], PART_OF) or has(scope.right(target)[:4], PART_OF | NOUN_SHARES)
    names = tuple("whole" if quantity is whole else "part" for quantity in (one, two))
    score += 0.8 if of else 0.7 if named else -1.5
    sure = min(one.index, two.index) >= scope.first or _anaphoric(scope)
    sure = (
        sure
        and (of or not _SIZE.fullmatch(one.figure.text))
        and _whole_said(scope, target, (one, two), of=of, follows=follows is not None)
    )
    if (
        follows is not None
        and part.index == whole.index + 1
        and part.kind != "share"
        and (has(scope.left(part)[-4:], EQUAL | {"is", "are", ","}) or len(scope.left(part)) < 3)
    ):
        sure = sure and len(scope.quantities) < 5
        names = ("share", "whole")
        yield Candidate("part", part, (target, whole), names, Op("*", "share", "whole"), score + 0.5, sure=sure)
        return
    yield Candidate("share", target, (one, two), names, Op("/", "part", "whole"), score, sure=sure)
    if follows is None:
        yield Candidate("share", target, (one, two), names, Op("-", ONE, Op("/", "part", "whole")), score - 0.3)
    if has(scope.right(target)[:2], NOUN_SHARES):
        yield Candidate(
            "share",
            target,
            (one, two),
            names,
            Op("-", Op("/", "whole", "part"), ONE) if whole is large else Op("-", Op("/", "part", "whole"), ONE),
            score - 0.1,
        )
        yield Candidate("share", target, (one, two), names, Op("-", ONE, Op("/", "part", "whole")), score - 0.2)
        yield Candidate("share", target, (one, two), names, Op("-", Op("/", "whole", "part"), ONE), score - 0.2)
