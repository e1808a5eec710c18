"""Fair readings of figures that are a limit, of several changes, and of what a sentence says is not counted.

stays under our $250 cap · enough to fill a tank of 2,500 litres · above the 95% that we asked for
prices rose 20% and a quarter of the seats went, so we pay 10% less · 300 miles in six hours, one of them a stop, 60 mph
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import product as choices
from math import prod

from compute.mining.accusations import Opinion
from compute.mining.claim_cues import DOWNWARD, NEGATED, UPWARD, has, phrase
from compute.mining.claim_judging import Result
from compute.mining.claim_scopes import HOURS, Scope
from compute.mining.clause_subjects import begins_anew
from compute.mining.date_text import YEAR
from compute.mining.noun_reader import stem
from compute.mining.number_words import word_set
from compute.mining.quantities import Quantity
from compute.mining.share_readings import hours_in_words


def of_a_limit(view: Opinion, best: Result) -> bool:
    """Whether words make a figure a limit that what was computed keeps: under our cap of $250, enough for 45 seats."""
    within, target = view.within, view.target
    stated, computed = target.figure.low, abs(best.computed)
    left, right = within.left(target)[-_NEAR:], within.right(target)[:_AFTER]
    denied = has(within.before(target)[-_ENOUGH_NEAR:], _NEVER)
    over = _comparison(left, _ABOVE) or has(within.before(target)[-_ENOUGH_NEAR:], _ENOUGH) or has(right, _FLOOR)
    under = _comparison(left, _BELOW) or has(right, _CEILING)
    if denied:
        over, under = under, over
    return (over and computed >= stated) or (under and computed <= stated)


_NEAR, _AFTER, _ENOUGH_NEAR = 4, 2, 7
"""How many words beside a figure say that it is a limit."""


def _comparison(words: tuple[str, ...], said: frozenset[str]) -> bool:
    """Whether some words end with a comparison, and perhaps with whose limit the figure is."""
    place = len(words) - (2 if has(words[-1:], _WHOSE) else 1)
    compared = place >= 0 and words[place] in said and not has(words[max(0, place - 1) : place], _NEARLY | _TURNED)
    return compared or (words[-2:] in _THAN and ("over" in said) == (words[-2] == "more"))


_THAN = {("more", "than"), ("less", "than"), ("fewer", "than")}
_NEARLY = frozenset({"just", "slightly", "little", "fractionally", "barely", "shade"})
"""Words before a comparison that make it an approximation: just under 7.2 minutes."""
_TURNED = word_set(
    "turn turns turned hand handed carry carried roll rolled pass passed take took move moved left start"
)
"""Words before *over* that make it no comparison: the stock turned over six times."""
_WHOSE = frozenset({"the", "our", "its", "their", "his", "her", "my", "your", "a", "an", "that"})
_ABOVE = frozenset({"over", "above", "beyond", "past", "exceeds", "exceeded", "exceeding"})
_BELOW = frozenset({"under", "below", "within", "beneath", "inside"})
_NEVER = NEGATED | {"n't", "nobody", "none"}
_ENOUGH = frozenset({"enough", "suffices", "suffice", "sufficient", "ample"})
_CEILING = frozenset({"cap", "limit", "ceiling", "quota", "allowance", "maximum", "max"})
_FLOOR = frozenset({"minimum", "floor", "threshold", "min"})


def of_several_changes(view: Opinion, best: Result) -> bool:
    """Whether changes up and down together give a share: up 20%, and a quarter fewer, so 10% less."""
    if view.target.kind != "share" or best.candidate.rule not in {"both", "stacked", "compound", "gap", "sum", "taken"}:
        return False
    words = view.within.sentence.words
    both_ways = any(map(UPWARD.fullmatch, words)) and any(map(DOWNWARD.fullmatch, words))
    shares = [share for part in view.within.targets if (share := _share(part)) and part.index != view.target.index]
    if not both_ways or not 2 <= len(shares) <= _MOST_CHANGES:
        return False
    return view.gives(
        *(abs(prod(one, start=Decimal(1)) - 1) for one in choices(*((1 - share, 1 + share) for share in shares)))
    )


_MOST_CHANGES = 3


def _share(one: Quantity) -> Decimal:
    """A share of one, also one in words; 0 for what is none."""
    known = one.kind == "share" or (one.kind == "ratio" and one.base < 1)
    return one.base if known and 0 < one.base < 1 else Decimal(0)


def without_a_stop(view: Opinion, best: Result) -> bool:
    """Whether a rate is of a time without what the sentence takes from it: six hours, an hour of which was a stop."""
    used = best.candidate.used
    times = [part for part in used if part.kind == "time" and part.unit in HOURS]
    if best.candidate.rule not in {"quotient", "run", "product"} or len(times) != 1:
        return False
    lasting, taken = times[0].figure.low * HOURS[times[0].unit], {part.index for part in used}
    rest = [1 - stop / lasting for stop in _stops(view.within, taken) if stop < lasting]
    stated, half = view.target.figure.low, view.target.figure.half
    return any(abs(abs(best.computed) * change - stated) <= half for part in rest for change in (part, 1 / part))


def _stops(within: Scope, taken: set[int]) -> Iterator[Decimal]:
    """The times of a sentence that a relation leaves out, in hours."""
    text = within.sentence.text
    if not _STOPS.search(text):
        return
    others = (part for part in within.targets if part.kind == "time" and part.unit in HOURS)
    yield from (part.figure.low * HOURS[part.unit] for part in others if part.index not in taken)
    yield from hours_in_words(text)


_STOPS = re.compile(r"\b(?:stop\w*|breaks?|lunch|rest\w*|paus\w+|of which|idle|closed)\b", re.I)


def without_years_between(view: Opinion, best: Result) -> bool:
    """Whether years are those of one span without another: from 1926 to 2020, but empty from 1941 to 1946, 89 years."""
    years = [Decimal(year) for year in re.findall(YEAR, view.within.sentence.text)]
    if best.candidate.rule != "span" or len(years) != _TWO_SPANS:
        return False
    spans = [abs(years[1] - years[0]), abs(years[3] - years[2])]
    return abs(abs(spans[0] - spans[1]) - view.target.figure.low) <= max(view.target.figure.half, Decimal(1))


_TWO_SPANS = 4


def of_its_own_whole(view: Opinion, best: Result) -> bool:
    """Whether a share is said to be of some people or things, and the inputs in another sentence count others.

    *Of 400 tickets 372 were right. Now 85% of the users are happy.* Of revenue, the fleet or the time may be of both.
    """
    within, target, used = view.within, view.target, best.candidate.used
    away = bool(used) and not any(within.first <= part.index < within.last for part in used)
    right = within.after(target)
    if target.kind != "share" or not away or right[:2] not in _OF_SOME or any(part.kind != "count" for part in used):
        return False
    noun = right[2] if len(right) > 2 else ""
    counted = {part.unit for part in used if part.unit}
    said = {stem(word) for part in used for word in (*within.before(part), *within.after(part))}
    return noun.endswith("s") and noun not in _OF_ALL and bool(counted) and stem(noun) not in counted | said


_OF_SOME = {("of", word) for word in ("the", "our", "its", "their", "all", "my", "your", "these", "those")}
_OF_ALL = frozenset({"sales", "costs", "takings", "earnings", "proceeds", "times", "cases", "places", "goods", "odds"})
"""Plurals that are an amount, and not some of them."""


def later_than_the_first(view: Opinion, best: Result) -> bool:
    """Whether a time runs from the first of two years only: founded in 2009, open three years later, sold in 2021."""
    within, target = view.within, view.target
    if best.candidate.rule != "span" or within.right(target)[:1] not in {("later",), ("after",)}:
        return False
    text, at = within.sentence.text, target.figure.end - within.sentence.start
    return re.search(YEAR, text[:at]) is not None and re.search(YEAR, text[at:]) is not None


def of_what_is_reached(view: Opinion, best: Result) -> bool:
    """Whether a change is that so far, and the inputs are of a plan: from $4m to $10m by 2027; so far it is 35%."""
    left = view.within.left(view.target)
    return (
        view.target.kind in {"share", "ratio"}
        and phrase(left, _SO_FAR)
        and best.candidate.rule in {"rise", "fall", "difference", "times", "gap"}
    )


def of_its_own_subject(view: Opinion, best: Result) -> bool:
    """Whether a change is of what its own clause names: dropped by 30% although the price was cut from $5 to $2.50."""
    within, target, one = view.within, view.target, best.candidate
    if one.rule not in {"rise", "fall"} or any(within.home(part) != within.home(target) for part in one.used):
        return False
    first, last = (choose(part.figure.start for part in one.used) for choose in (min, max))
    at, text = within.sentence.start, within.sentence.text
    start, end = target.figure.start, target.figure.end
    between = text[last - at : start - at] if last < start else text[end - at : first - at]
    return begins_anew(between, text[: min(first, start) - at])


_SO_FAR = frozenset({"so far", "to date", "until now", "up to now"})


LIMITS = (
    of_a_limit, later_than_the_first, of_what_is_reached, of_several_changes, without_a_stop, without_years_between,
    of_its_own_whole, of_its_own_subject,
)  # fmt: skip  # a list of names
"""Readings that save a figure."""
