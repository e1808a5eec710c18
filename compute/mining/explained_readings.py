"""Fair readings of figures that the text explains: by how many there are, by what is a part of what, by a goal.

over the seven days, Saturday's 1,350 among them, the mean is 1,664 · of whom temporary: 60
we want the $80k bill down by 30%, and so far we are at $71k · 93.3 times is close to a hundredfold
"""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise

from compute.mining.accusations import Opinion
from compute.mining.claim_cues import has, phrase
from compute.mining.claim_judging import Result
from compute.mining.misreadings import CHANGES
from compute.mining.noun_reader import stem
from compute.mining.number_words import word_set
from compute.mining.quantities import Quantity


def of_more_than_listed(view: Opinion, best: Result) -> bool:
    """Whether a mean is that of a number of things, which is stated, and other than how many its inputs are."""
    within, used = view.within, best.candidate.used
    if best.candidate.rule != "mean":
        return False
    taken = {view.target.index, *(part.index for part in used)}
    numbers = (one for one in within.targets if one.index not in taken and has(within.left(one)[-2:], _OVER))
    return any(one.figure.low not in {len(used), 1} and _whole(one) for one in numbers)


_OVER = frozenset({"over", "across", "of", "in", "for", "all", "between"})


def _whole(one: Quantity) -> bool:
    return one.kind in {"count", "time"} and one.figure.low == int(one.figure.low) < _MANY


_MANY = 1000


def of_a_part_of_the_list(view: Opinion, best: Result) -> bool:
    """Whether a mean is that of inputs which follow each other, and another of the inputs is their number."""
    used = sorted(best.candidate.used, key=lambda part: part.index)
    if best.candidate.rule != "mean":
        return False
    ends = ((first, last) for first in range(len(used)) for last in range(first + 2, len(used) + 1))
    for first, last in ends:
        run, others = used[first:last], (*used[:first], *used[last:])
        numbered = any(part.base == len(run) for part in others)
        if numbered and view.gives(sum((part.base for part in run), Decimal(0)) / len(run)):
            return True
    return False


def of_shared_layers(view: Opinion, best: Result) -> bool:
    """Whether a model is made of experts, which share layers: eight of 7 billion parameters have 47 billion in all."""
    counted = {part.unit for part in (view.target, *best.candidate.used)}
    return "parameter" in counted and has(view.within.sentence.words, _EXPERTS)


_EXPERTS = frozenset({"expert", "experts"})


def of_items_within_items(view: Opinion, best: Result) -> bool:
    """Whether a sum leaves out what is a part of another item: staff 220, of whom temporary 60."""
    used = best.candidate.used
    if best.candidate.rule != "sum":
        return False
    parts = [part for part in used if phrase(view.within.before(part), _OF_WHICH)]
    return 0 < len(parts) < len(used) and view.gives(sum((one.base for one in used if one not in parts), Decimal(0)))


_OF_WHICH = frozenset({"of whom", "of which", "of these", "of those", "of them", "thereof"})


def on_the_way_to_a_goal(view: Opinion, best: Result) -> bool:
    """Whether a change is wanted, and figures say what was reached so far; the target is the goal, or of these."""
    words = view.within.sentence.words
    if best.candidate.rule not in _CHANGED or not has(words, _WANTED):
        return False
    return phrase(words, _SO_FAR) or has(words, _NOW)


_WANTED = word_set("want wants wanted aim aims aiming hope hopes hoping plan plans goal target intend intends meant")
_SO_FAR = frozenset({"so far", "to date", "until now", "up to now", "right now", "at the moment"})
_NOW = frozenset({"already", "currently"})
_CHANGED = frozenset({"cut", "rise", "fall", "taken", "difference", "times", "raised", "sum"})


def near_a_round_number(view: Opinion, best: Result) -> bool:
    """Whether a hedged round number is the nearest of its kind: close to a hundredfold, for 93 times."""
    figure = view.target.figure
    if figure.hedge != "about" or not figure.low or figure.low.normalize().as_tuple().digits not in _ROUND:
        return False
    return abs(abs(best.computed) - figure.low) <= figure.low * _NEARLY


_ROUND = {(1,), (2,), (5,)}
_NEARLY = Decimal("0.08")


def without_one_each(view: Opinion, best: Result) -> bool:
    """Whether one of each is for something else: three buses of 16 seats carry 45, as one seat is the driver's."""
    used = best.candidate.used
    if best.candidate.rule != "product" or len(used) != 2:
        return False
    words = (*view.within.sentence.words, *view.within.gaps[view.within.last])
    named = {stem(after) for one, after in pairwise(words) if one in {"one", "single"}}
    each = ((used[0], used[1]), (used[1], used[0]))
    return any(one.unit in named and view.gives((one.base - 1) * other.base) for one, other in each)


def of_a_smaller_share(view: Opinion, best: Result) -> bool:
    """Whether a share became smaller by a share of itself: 40%, diluted by a quarter, is 30%."""
    used = best.candidate.used
    shares = len(used) == 2 and all(part.kind in {"share", "ratio"} and 0 < part.base < 1 for part in used)
    if not shares or view.target.kind != "share" or has(view.within.sentence.words, _DISCOUNTS):
        return False
    one, two = (part.base for part in used)
    return view.gives(one * (1 - two), two * (1 - one))


_DISCOUNTS = frozenset({"off", "discount", "discounts", "cut", "cuts"})


def of_all_that_is_saved(view: Opinion, best: Result) -> bool:
    """Whether a figure is what two cuts took off together: 20% and then 10% off £200 save £56."""
    saved = best.candidate.rule == "cut twice" and has(view.within.left(view.target), _SAVED)
    base = max(part.base for part in best.candidate.used) if saved else Decimal(0)
    return saved and view.gives(base - best.computed * view.target.factor)


_SAVED = frozenset({"saving", "savings", "saved", "save", "saves", "discount", "reduction"})


def of_labelled_items(view: Opinion, best: Result) -> bool:
    """Whether some inputs are labels, with a colon behind: *game 1: 12, game 2: 31; average: 22*."""
    within, used = view.within, best.candidate.used
    items = [part for part in used if within.right(part)[:1] != (":",)]
    if best.candidate.rule not in {"mean", "sum"} or not 1 < len(items) < len(used):
        return False
    whole = sum((part.base for part in items), Decimal(0))
    return view.gives(whole if best.candidate.rule == "sum" else whole / len(items))


def of_a_change(view: Opinion, best: Result) -> bool:
    """Whether an input of a difference in points is itself a change: two points to 58%, a decline of just over 3%."""
    if best.candidate.rule != "gap":
        return False
    named = (pairwise(view.within.left(part)[-_NEAR:]) for part in best.candidate.used)
    return any(word in _NAMED_CHANGES and after == "of" for words in named for word, after in words)


_NEAR = 6
_NAMED_CHANGES = frozenset().union(*CHANGES.values())

EXPLAINED = (
    of_more_than_listed, of_a_part_of_the_list, of_shared_layers, of_items_within_items, on_the_way_to_a_goal,
    near_a_round_number, without_one_each, of_a_smaller_share, of_all_that_is_saved, of_labelled_items,
    of_a_change,
)  # fmt: skip  # a list of names
"""Readings that save a figure."""
