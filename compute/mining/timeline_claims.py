"""How likely it is that a text claims a timeline: a logistic model over the words around its times, not their values.

Learned by `tests/bench/train_timelines.py` from true texts: those whose times fit exactly claim it, the others do not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from math import exp
from pathlib import Path

from compute.mining.calendar_points import CalendarPoint
from compute.mining.clock_points import ClockPoint
from compute.mining.number_words import word_set
from compute.mining.time_lengths import AgePoint, Length
from compute.mining.timelines import Point, Timeline

_TOKEN = re.compile(r"[a-zà-ÿ]+|\d+|[^\sa-zà-ÿ\d]")
_WORDS_OUTSIDE, _WORDS_INSIDE, _OUTSIDE = 5, 14, 70
"""How many words before and after a timeline, and between its parts, are read; and from how many characters outside."""


def probability(one: Timeline, mask: str) -> float:
    """How likely it is that a text claims that the lengths of a timeline are the time between its points."""
    weights = learned()
    return 1 / (1 + exp(-sum(weights.get(name, 0) for name in {*traits(one, mask), "bias"}) / 100))


@lru_cache(maxsize=1)
def learned() -> Mapping[str, int]:
    """The weight of each trait, in hundredths."""
    weights: dict[str, int] = json.loads(Path(__file__).with_name("timeline_weights.json").read_text("utf-8"))
    return weights


def traits(one: Timeline, mask: str) -> Iterator[str]:
    """What is said around the parts of a timeline; each name of a trait begins with where it is said."""
    parts = one.parts
    order = "".join(map(_letter, parts))
    yield from (f"order {order} {one.axis}", f"axis {one.axis}", f"order {order}")
    start, end = one.span
    before = mask[max(start, parts[0].start - _OUTSIDE) : parts[0].start]
    after = mask[parts[-1].end : min(end, parts[-1].end + _OUTSIDE)]
    yield from _said(_words(before)[-_WORDS_OUTSIDE:], f"^{order[0]}")
    yield from _said(_words(after)[:_WORDS_OUTSIDE], f"{order[-1]}$")
    for place, (left, right) in enumerate(pairwise(parts)):
        yield from _between(mask[left.end : right.start], order[place : place + 2])
    yield from (f"text {word}" for word in {*_words(mask[start:end])} & _TELLING)
    yield from (f"hedge {part.hedge}" for part in one.lengths if part.hedge)
    if any(isinstance(point, ClockPoint) and not point.firm for point in (one.first, one.second)):
        yield "loose"


_TELLING = word_set(
    "flight flew fly lands landed local zone zones clocks ahead behind every each per slot slots break lunch interval"
    " stop stops waited late delay delayed supposed scheduled usually or if not without paid queue again longer another"
    " others who while whose both about same now then until first last from to only so that which"
)
"""Words of a whole text that say whether its times belong together."""


def _words(text: str) -> list[str]:
    return _TOKEN.findall(text.lower())


def _between(gap: str, sides: str) -> Iterator[str]:
    """What is said between two parts, whose kinds are the two letters of `sides`."""
    words = _words(gap)
    yield from _said(words[:_WORDS_INSIDE], sides)
    yield f"{sides} length {min(len(words), _LONG) // 3}"
    if _SENTENCE_END.search(gap):
        yield f"{sides} sentence"
    if any(sign.isdigit() for sign in gap):
        yield "number between"


_LONG = 16
"""The words from which two parts are equally far apart."""
_SENTENCE_END = re.compile(r"[.!?]\s")


def _said(words: list[str], sides: str) -> Iterator[str]:
    for word in words:
        shown = "#" if word.isdigit() else word
        yield f"{sides} {shown}"
    for left, right in pairwise(words):
        yield f"{sides} {left}_{right}"
    if words:
        yield f"{sides} ends {words[-1]}"
        yield f"{sides} begins {words[0]}"


def _letter(part: Point | Length) -> str:
    if isinstance(part, Length):
        return "A" if part.age else "L"
    return "a" if isinstance(part, AgePoint) else "d" if isinstance(part, CalendarPoint) else "c"
