"""Fair readings of shares: of the sum of two inputs, of the rest, of what was before, of what is used.

9,300 hits and 3,100 misses, a ratio of 75% · of 320 staff 128 are women, so men are 60% · up $240, or 10%, to $2,640
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from compute.mining.accusations import Opinion
from compute.mining.claim_cues import has
from compute.mining.claim_judging import Result
from compute.mining.claim_scopes import HOURS
from compute.mining.claim_traits import GROUPS
from compute.mining.misreadings import REACHED, has_change
from compute.mining.noun_reader import STOP, stem
from compute.mining.number_words import word_set

PARTS = frozenset({"part", "times", "complement"})
"""Relations of two amounts that are no change: a fall from 25 to 10 is none of 40%."""


def of_same_inputs(view: Opinion, best: Result) -> bool:
    """Whether two inputs give the figure as parts of their sum, without one, or as areas, where the words allow it.

    *9,300 hits and 3,100 misses, a ratio of 75%*; *of the £144 paid £24 was VAT, a rate of 20%*; *$2,640, up
    $240, which is 10%*; *twice as wide, the cross-section is four times as large*;
    *in come 1,000 and out go 100, eleven times as many as leave*.
    """
    used, target = best.candidate.used, view.target
    if target.kind not in {"share", "ratio"} or len(used) != 2 or not all(part.base > 0 for part in used):
        return False
    small, large = sorted(part.base for part in used)
    first, last = sorted(used, key=lambda part: part.index)
    text = view.within.sentence.lead + view.within.sentence.text
    values = []
    nested = has(view.within.between(first, last), {"of", "out", "to", "from"}) or _PART_OF.search(text)
    if not nested and not has(view.within.right(target)[:2], {"as"}):
        values += [small / (small + large), large / (small + large)]
    if has(view.within.between(first, last), {"and", "plus"}) and _TOGETHER.search(text):
        values += [(small + large) / small, (small + large) / large]
    gained = last.base == small and has(view.within.left(last)[-1:], _GAINED)
    reached = first.base == small and has(view.within.left(first)[-3:], _GAINED)
    gained |= reached and has(view.within.left(last)[-2:], REACHED)
    gained |= _JOINED.search(text) is not None
    if large > small and (_TAXED.search(text) or gained):
        values.append(small / (large - small))
    if _AREA.search(text) or all(part.unit in _LENGTHS for part in used):
        values += [(large / small) ** 2, (large / small) ** 3]
    return any(abs(one - target.base) <= target.figure.half * target.factor for one in values)


def of_those_left(view: Opinion, best: Result) -> bool:
    """Whether a share is that of the others, which its clause names: of 320 staff 128 are women, so men are 60%."""
    if view.target.kind != "share" or best.candidate.rule != "part" or len(best.candidate.used) != 2:
        return _changed_part(view, best)
    clause = " ".join(view.within.left(view.target)).rpartition(",")[2].split()
    named = {stem(word) for word in clause if word.isalpha() and word not in STOP and len(word) > 2}
    small, large = sorted(best.candidate.used, key=lambda part: part.base)
    rest = bool(named - {small.unit, large.unit} - _NO_OTHERS) and small.unit not in named
    return (rest and large.base > 0 and view.gives(1 - small.base / large.base)) or _changed_part(view, best)


_NO_OTHERS = word_set("""
    made make account form share rate proportion percentage fraction ratio part conversion response success completion
    pass win hit turnout attendance occupancy utilisation utilization
""")
"""Words that name no others: a share of 40% is that of those which the sentence counts."""


def _changed_part(view: Opinion, best: Result) -> bool:
    """Whether an input is what was lost or gained, and the figure is another share, or what it is of the amount before.

    *The show lost 200,000 of its listeners; its share, 16%, is a record*; *it closed at $2,640, up $240, or 10%*.
    """
    used = best.candidate.used
    if best.candidate.rule not in PARTS or len(used) != 2 or not has_change(view.within, best.candidate):
        return False
    words = " ".join(view.within.left(view.target)[-4:])
    if _OF_ITS_OWN.search(words) and not _RESTATED.search(words):
        return True
    small, large = sorted(part.base for part in used)
    before = [one for one in (large - small, large + small) if one]
    return view.gives(*(value for one in before for value in (small / one, one / large, large / one)))


_RESTATED = re.compile(
    r"(?:\b(?:or|(?:that|which|this|it) (?:is|was)|that ['’] s|thus|i \. e \.|making|makes|equals|equal to)|[(=])"
    r"(?: (?:about|roughly|some|nearly|almost|only|just|exactly))?$"
)
"""Words before a figure that says again what the words before it say."""


_OF_ITS_OWN = re.compile(r"\b(?:its|their|his|her|our|my|your|the) \w+ (?:,|is|was|are|were|stands at|stood at)$")
"""Words before a figure that name what it is of: its share, 16%."""


def with_share(view: Opinion, best: Result) -> bool:
    """Whether a share that the text states is taken from, or put on, what was computed: 43,200 units less 2% scrap."""
    if GROUPS[best.candidate.rule] not in _MADE or view.target.kind in {"share", "ratio", "points"}:
        return False
    used = {part.index for part in best.candidate.used}
    middle = abs(best.computed) * (view.target.base / view.target.figure.low if view.target.figure.low else 1)
    shares = [one for one in view.within.quantities if one.kind == "share" and 0 < one.base < 1]
    return any(
        view.gives(
            *((middle / one.base if one.index in used else middle) * part for part in (1 - one.base, 1 + one.base)),
        )
        for one in shares
    )


_MADE = frozenset({"product", "plus", "scaled", "scaled twice", "bill"})


def by_ratio(view: Opinion, best: Result) -> bool:
    """Whether a total is shared out in a ratio to one, or made up by it.

    2,750 animals, ten sheep to each goat, are 250 goats; one part and ten parts, so three litres make 33.
    """
    one, text = best.candidate, view.within.sentence.lead + view.within.sentence.text
    if one.rule not in {"quotient", "product"} or len(one.used) < 2 or not _TO_ONE.search(text):
        return False
    small, large = sorted(part.base for part in one.used)[:2]
    if one.rule == "product":
        return view.gives(large * (small + 1), small * (large + 1))
    return view.gives(large / (small + 1), large * small / (small + 1))


_TO_ONE = re.compile(r"\b(?:to|for) (?:each|every|one)\b|\b(?:one|1|a) part\b", re.I)


def of_a_shorter_span(view: Opinion, best: Result) -> bool:
    """Whether a time between two is less a pause, or longer by one: from 7:30 to 17:00, an hour for lunch, 8.5 h."""
    target = view.target
    if best.candidate.rule not in {"span", "elapsed"} or target.unit not in HOURS:
        return False
    lasting, room = best.computed * HOURS[target.unit], target.figure.half * HOURS[target.unit]
    others = (one for one in view.within.quantities if one.kind == "time" and one.unit in HOURS)
    pauses = [one.figure.low * HOURS[one.unit] for one in others if one.index != target.index]
    text = " ".join(word for gap in view.within.gaps for word in gap)
    pauses += hours_in_words(text)
    stated = target.figure.low * HOURS[target.unit]
    return any(abs(abs(lasting - stated) - pause) <= room for pause in pauses)


def hours_in_words(text: str) -> Iterator[Decimal]:
    """The hours and half hours that a text states in words."""
    for match in _AN_HOUR.finditer(text):
        yield Decimal("0.5") if match["half"] else Decimal(1)


_AN_HOUR = re.compile(r"\b(?:(?P<half>half an)|an|one)[ -]hour\b", re.I)


def overlapping(view: Opinion, best: Result) -> bool:
    """Whether shares that may be of the same are summed: 21% have a dog, 26% a cat, 39% either."""
    shared = best.candidate.rule in {"complement", "sum", "both"} and view.target.kind == "share"
    return shared and has(view.within.left(view.target), {"either", "both", "any", "neither"})


def of_use(view: Opinion, best: Result) -> bool:
    """Whether an amount divided by a share of use gives the figure: $2 at 60% utilisation is $3.33."""
    used, target = best.candidate.used, view.target
    if (
        len(used) != 2
        or {part.kind for part in used} != {"share", target.kind}
        or not all(part.base > 0 for part in used)
    ):
        return False
    share, amount = sorted(used, key=lambda part: part.kind != "share")
    text = view.within.sentence.lead + view.within.sentence.text
    room = target.figure.half * target.factor + (target.base / 10 if target.figure.hedge else 0)
    return _USED.search(text) is not None and abs(amount.base / share.base - target.base) <= room


_USED = re.compile(
    r"\b(?:utili[sz]ation|utili[sz]ed|busy|idle|occupan\w+|occupied|loaded|load|capacity factor|duty cycle|uptime"
    r"|sampl\w+|yield\w*|efficien\w+|usable|useful|productive|billable|effective\w*)\b",
    re.I,
)
"""Words beside a share of what is bought that is used."""
_PART_OF = re.compile(r"\d\S* of (?:them|these|those|which|whom)\b", re.I)
_TOGETHER = re.compile(
    r"\b(?:out|out(?:going|put|puts|bound|flow)|leav\w+|sen[dt]s?|together|in all|altogether|as busy)\b", re.I
)
"""Words of what comes in and goes out, of which the sum may be meant."""
_GAINED = frozenset({"up", "gain", "gained", "gaining", "added", "adding", "rising", "climbing", "growing"})
_JOINED = re.compile(
    r"\b(?:of (?:them|these|those|which|whom)|\d new)\b[^.;]*\b(?:gained|added|joined|signed up|new|since)\b.*"
    r"\b(?:growth|grew|grown|rise|rose|increase\w*|up)\b",
    re.I | re.S,
)
"""Some of those that there are now were gained, so the growth is of those before: 640 readers, 128 of them gained."""
_LENGTHS = frozenset({"m", "inch", "foot", "feet", "mile", "yard"})
_TAXED = re.compile(r"\b(?:VAT|tax|mark-?up)\b", re.I)
_AREA = re.compile(r"\b(?:areas?|cross-sections?|surfaces?|volumes?)\b", re.I)


SHARE_READINGS = (of_same_inputs, of_use, of_those_left, with_share, by_ratio, overlapping, of_a_shorter_span)
"""Readings that save a figure."""
