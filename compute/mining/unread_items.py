"""Items of a list that are no figures elsewhere: of a sum or a mean they count all the same.

*12 mm, none, 27 mm, 9 mm, on average 12 mm* · *14 drivers, 6 mechanics, one manager: 21* · *bread 3.20, wine 9: 12.20*
"""

from __future__ import annotations

import re
from decimal import Decimal
from itertools import combinations

from compute.mining.accusations import Opinion
from compute.mining.claim_judging import Result
from compute.mining.claim_traits import GROUPS

_ITEM = re.compile(r"(?<![\w.,$€£-])(?:\d+(?:\.\d+)?(?![\w%]|[.,]\d)|(?:none|nil|zero|nothing|one)\b(?! of))", re.I)
_WORDS = {"none": Decimal(0), "nil": Decimal(0), "zero": Decimal(0), "nothing": Decimal(0), "one": Decimal(1)}
MOST = 4
"""The most such items of a sentence that are tried."""


def unread_items_fit(view: Opinion, best: Result) -> bool:
    """Whether a sum or a mean gives the figure with items of its sentence that were not read as figures."""
    one, sentence = best.candidate, view.within.sentence
    less = one.rule in {"difference", "remainder"}
    if not (less or GROUPS[one.rule] == "plus") or not one.used:
        return False
    text, offset = sentence.lead + sentence.text, sentence.start - len(sentence.lead)
    begin = max(0, min(sentence.start, *(part.figure.start for part in one.used)) - offset)
    taken = [(part.figure.start - offset, part.figure.end - offset) for part in view.within.quantities]
    found = [
        _WORDS[match[0].lower()] if match[0].isalpha() else Decimal(match[0])
        for match in _ITEM.finditer(text, text.rfind(". ", 0, begin) + 1)
        if not any(match.start() < end and start < match.end() for start, end in taken)
    ]
    known = best.computed * one.target.factor if less else sum((part.base for part in one.used), Decimal(0))
    factor = -one.target.factor if less else one.used[0].factor
    for count in range(1, min(MOST, len(found)) + 1):
        for some in combinations(found[:MOST], count):
            total = known + sum(some) * factor
            if view.gives(total / (len(one.used) + count) if one.rule == "mean" else total):
                return True
    return False


_OVERALL = re.compile(r"\b(?:overall|altogether|in all|together|on the whole|on average|average|combined)\b", re.I)


def of_unequal_groups(view: Opinion, best: Result) -> bool:
    """Whether a share is that of groups together, between those of each: half of the men, a third of the women, 42%."""
    used = best.candidate.used
    if view.target.kind != "share" or len(used) < 2 or GROUPS[best.candidate.rule] != "plus":
        return False
    shares = [part.base for part in used if part.base <= 1]
    between = len(shares) == len(used) and min(shares) <= view.target.base <= max(shares)
    return between and _OVERALL.search(view.within.sentence.text) is not None
