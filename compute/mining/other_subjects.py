"""Fair readings by what a clause is about: a label, another clause, another quality, other groups, what else was taken.

Figs: $6 · and saved 18% · twice as many people order coffee · the youngest is 18, the average age 25
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from compute.mining.accusations import Opinion
from compute.mining.claim_cues import ADDED, AVERAGE, LEFT, TIMES_VERB, TOTAL, has, phrase
from compute.mining.claim_judging import Result
from compute.mining.claim_scopes import PARAGRAPH, Scope
from compute.mining.claim_traits import GROUPS
from compute.mining.noun_reader import SCALED, stem
from compute.mining.number_words import word_set
from compute.mining.outright_figures import adjacent_words
from compute.mining.quantities import Quantity


def in_a_time(view: Opinion, best: Result) -> bool:
    """Whether a share is reached in a time, and the relation is of others: 2.5 hours to charge, 50% in 30 minutes."""
    within, target = view.within, view.target
    following = within.quantities[target.index + 1 :][:1]
    if target.kind == "share" and within.right(target) == ("in",) and any(part.kind == "time" for part in following):
        return all(part.kind == "time" for part in best.candidate.used)
    reached = [part for part in best.candidate.used if part.kind == "share" and part.index == target.index - 1]
    return target.kind == "time" and within.left(target) == ("in",) and bool(reached)


def of_another_label(view: Opinion, best: Result) -> bool:
    """Whether a label names what a figure is of, and the inputs are of other sentences: *Figs: $6*."""
    left = view.within.left(view.target)
    opens = max((place for place, word in enumerate(left) if word in {".", PARAGRAPH}), default=-1)
    label = left[opens + 1 : -1] if left[-1:] == (":",) else ()
    named = 0 < len(label) <= _LABEL and not has(label, TOTAL | LEFT | AVERAGE) and not phrase(label, {"in", "all in"})
    apart = all(not view.within.first <= part.index < view.within.last for part in best.candidate.used)
    return named and apart and view.target.index == view.within.first and bool(best.candidate.used)


_LABEL = 3
"""The most words of a label."""


def of_another_clause(view: Opinion, best: Result) -> bool:
    """Whether *and* begins another change, or a share is the condition of a sentence.

    *From 40 people to 30 and saved 18%*; *at a load of 80% the wait falls from 8.4 to 1.4*.
    """
    within, target, one = view.within, view.target, best.candidate
    first = within.quantities[within.first]
    opening = within.left(first)
    condition = opening[:1] == ("at",) and len(opening) > _OPENING and first.kind == "share"
    condition = condition and not (one.rule in _TAKEN and phrase(opening, {"rate of"}))
    if condition and any(part.index == first.index for part in one.used):
        return True
    if target.kind != "share" or one.rule not in {"fall", "rise"}:
        return False
    begun = within.left(target)[:1] == ("and",) and all(part.index < target.index for part in one.used)
    return begun or ("than" in within.right(target) and has(within.right(target), {"while", "whereas"}))


_MEASURES = frozenset(base for base, _ in SCALED.values())
"""Units, which are no nouns: 4.7 mg/l and 0.5 mg/l are nine times as much nitrate."""
_TAKEN = frozenset({"taken", "multiplied"})
"""Relations that take a share of an amount: at an error rate of 3%, 1,400 pages have 42 errors."""
_OPENING = 2
"""The most words before a share at the beginning that is no condition: *at 25% off*."""


def of_something_else(view: Opinion, best: Result) -> bool:
    """Whether a multiple is of what its own clause names, and the amounts are of something else.

    *Tea costs £2 and coffee £3; twice as many people order coffee*; *takings doubled as members rose from 80 to 110*.
    """
    within, one = view.within, best.candidate
    right = within.right(view.target)
    if (
        view.target.kind == "ratio"
        and right[:2] in {("as", "many"), ("as", "much")}
        and not has(right[2:3] or ("as",), _NO_NOUN)
    ):
        units = {part.unit for part in one.used if part.unit and part.unit not in _MEASURES}
        return right[2].isalpha() and bool(units) and stem(right[2]) not in units
    measured = all(part.kind != "money" and part.unit for part in one.used)
    if measured and one.rule in {"fall", "rise"} and has(right[:2], _OF_PRICES):
        return True  # the 12 kg model replaces the 15 kg one and is 35% cheaper
    verb = next((part for part in (view.target, *one.used) if TIMES_VERB.fullmatch(part.figure.text)), None)
    if verb is None:
        return False
    amounts = sorted((part for part in (view.target, *one.used) if part is not verb), key=lambda part: part.index)
    first, last = amounts[0], amounts[-1]
    after = verb.index < first.index
    gap = within.right(verb) if after else within.left(verb) if last.index < verb.index else ()
    begun = within.left(first)
    appended = gap[-1:] == (":",) or (gap[-1:] == ("from",) and "," in gap[-3:]) if after else begun[-1:] == ("from",)
    if appended and (after or len(begun) <= _OPENING):
        return False  # doubled since 2010, from €600 to €1,200; going from 32k to 128k, the window grew fourfold
    return has(gap, _OTHER_CLAUSE) or within.right(last)[:1] in {("o'clock",), ("o’clock",)}


_OF_PRICES = word_set("cheaper dearer pricier costlier")
_NO_NOUN = word_set("as again per on in at for to by with since than a this that these of if when")
"""Words after *as much* that name nothing else: a quarter as much again."""
_OTHER_CLAUSE = word_set("as while whereas when after before because since its their his her the moving")


def of_two_directions(view: Opinion, best: Result) -> bool:
    """Whether a share or multiple is of something else than prices in and out: $4 in and $16 out, 70% dearer."""
    within, target, used = view.within, view.target, best.candidate.used
    if not _TOKENS.search(within.sentence.lead + within.sentence.text):
        return False
    if target.kind == "money" and best.candidate.rule == "quotient":
        own = _way((*target.figure.text.split(), *within.right(target)[:_FAR_WAY]))
        ways = [_way(within.right(part)[:_FAR_WAY]) for part in used]
        return own >= 0 and any(way not in {-1, own} for way in ways)
    if target.kind not in {"share", "ratio", "points"} or not 1 < sum(part.kind == "money" for part in used) < 3:
        return False
    money = sorted((part for part in used if part.kind == "money"), key=lambda part: part.index)
    ways = [_way(_said_after(within, part)) for part in money]
    if ways == [-1, -1] and within.between(*money) == ("and",):
        ways = [0, 1]  # $1.36 and $4.18 per million: in and out
    said = (*within.left(target)[-_NEAR_WAY:], *within.right(target)[:_NEAR_WAY])
    return -1 not in ways and ways[0] != ways[1] and not any(has(said, way) for way in _NAMED_WAYS)


def _said_after(within: Scope, one: Quantity) -> tuple[str, ...]:
    """The words after a price, also those after the million of tokens that it is for."""
    after = within.after(one)
    following = within.quantities[one.index + 1 : one.index + 2]
    counted = (word for part in following if part.figure.low in PRICED for word in within.after(part)[:_FAR_WAY])
    return (*after[:_FAR_WAY], *counted) if len(after) <= _FOR_A else after[:_FAR_WAY]


PRICED = frozenset({1, 1000, 1_000_000})
"""How many tokens prices are for."""
_FOR_A = 2
"""The most words between a price and the million that it is for."""


def _way(words: Sequence[str]) -> int:
    """The number of the direction of tokens that some words name first; -1 if they name none."""
    return next((number for word in words for number, way in enumerate(_WAYS) if word in way), -1)


_TOKENS = re.compile(r"\btokens?\b|\bM[Tt]ok\b|\bper (?:1M|million)\b|\d in\b[^.;]{0,16}\d out\b")
_WAYS = (word_set("in input read prompt sent"), word_set("out output written generated completion"))
_NAMED_WAYS = (word_set("input read reads reading prompt"), word_set("output written write writes writing generated"))
_FAR_WAY, _NEAR_WAY = 7, 8
"""How many words after a price may say which way it is, and how many beside a multiple that it is of both ways."""


def of_other_prices(view: Opinion, best: Result) -> bool:
    """Whether a price is another offer: a dozen eggs is $4.20, a single egg 40 cents; $15 a month or $150 a year."""
    within, target, one = view.within, view.target, best.candidate
    left = within.left(target)
    if one.rule == "convert" and target.kind == "money":
        return left == ("or",)
    dearer = one.rule == "quotient" and target.kind == "money" and target.figure.low > best.computed
    return dearer and has(left[-5:], {"single", "separately", "individually", "alone", "loose"})


def of_other_nouns(view: Opinion, best: Result) -> bool:
    """Whether a changed amount counts something else than the one it would follow from: 1,200 bicycles, 3,450 jobs."""
    one = best.candidate
    units = {part.unit for part in (view.target, *one.used) if part.kind == "count" and part.unit}
    left = view.within.left(view.target)
    changed = one.rule in {"raised", "cut"} or (left[-1:] == ("to",) and not phrase(left[-4:], _RESULTS))
    return changed and len(units) > 1


_RESULTS = ADDED | {"adds to", "comes to", "come to", "came to", "amounts to", "works out to", "equates to"}
"""Words before *to* that name a sum, and no new level."""


def of_another_total(view: Opinion, best: Result) -> bool:
    """Whether a share is of what is read as the part of something elsewhere: 15% of a bill of $515, below $10,000."""
    one, target = best.candidate, view.target
    if one.rule != "part" or len(one.used) != 2 or view.within.right(target)[:1] != ("of",):
        return False
    small, large = sorted(one.used, key=lambda part: part.base)
    away = not view.within.first <= large.index < view.within.last
    return away and small.index == target.index + 1 and "," not in view.within.right(target)


def of_a_margin(view: Opinion, best: Result) -> bool:
    """Whether a figure of the relation is a margin of error: 80% ± 6 points."""
    if phrase(view.within.left(view.target)[-5:], {"margin of error"}):
        return True
    return any(view.within.left(part)[-1:] == ("±",) for part in (view.target, *best.candidate.used))


def of_hours_and_minutes(view: Opinion, _best: Result) -> bool:
    """Whether minutes follow without a unit: together 3 h 05."""
    following = view.within.quantities[view.target.index + 1 :][:1]
    bare = any(part.kind == "count" and not part.unit and part.base < 60 for part in following)
    return view.target.unit == "h" and not view.within.right(view.target) and bare


def of_half_a_list(view: Opinion, best: Result) -> bool:
    """Whether a list says that it is not all: 38 teams took part, 22 from Norway, 9 from Sweden, and others."""
    within, one = view.within, best.candidate
    if one.rule != "sum" or any(part.index < one.target.index for part in one.used):
        return False
    words = [word for gap in within.gaps[one.target.index + 1 : within.last + 1] for word in gap]
    return has(words, {"others", "other", "including", "among", "amongst", "etc"})


def of_half_a_day(view: Opinion, best: Result) -> bool:
    """Whether clock times are of two halves of a day or of two places: from 11:30 to 6:15, under seven hours."""
    if best.candidate.rule != "elapsed" or view.target.kind != "time":
        return False
    long = view.target.unit == "h" and view.target.figure.low > 0
    if long and phrase(view.within.sentence.words, _ZONES):
        return True
    figure, half = view.target.figure, 12 * {"h": 1, "minute": 60}.get(view.target.unit, 0)
    room = max(figure.half, figure.low / 10 if figure.hedge else figure.half)
    return any(abs(abs(best.computed + turn) - figure.low) <= room for turn in (-half, half) if half)


_ZONES = frozenset({"local time", "behind", "ahead", "time zone"})


def of_more_taken(view: Opinion, best: Result) -> bool:
    """Whether something else was taken too, or what is left is of another kind: the dog had some as well, leaving 6."""
    within, target = view.within, view.target
    if GROUPS[best.candidate.rule] != "minus" or best.candidate.rule == "gap":
        return False
    right = within.right(target)[:4]
    units = {part.unit for part in best.candidate.used if part.unit}
    unit = within.quantities[target.index].unit
    other = bool(unit) and bool(units) and unit not in units and has(within.left(target), {"rest"})
    bare = all(within.quantities[part.index].kind == "count" for part in best.candidate.used)
    ages = target.kind == "time" and bare and abs(best.computed - target.figure.low) < 1
    left = has(right, LEFT | {"still"}) or has(right, _SAID)
    limited = (has(right, {"that", "who", "once"}) and not left) or right[:2] == ("of", "them")
    more = _MORE_TAKEN.search(_from_inputs(view, best)) is not None
    listed = has(within.left(target)[-2:], {"other", "others"}) and right[:2] in {("on", "the"), ("in", "the")}
    return other or ages or limited or listed or more


def _from_inputs(view: Opinion, best: Result) -> str:
    """The text of a sentence and before it, from the first input of a relation on."""
    sentence = view.within.sentence
    text, begin = sentence.lead + sentence.text, sentence.start - len(sentence.lead)
    return text[max(0, min(part.figure.start for part in best.candidate.used) - begin) :]


_SAID = word_set("said say says thought think felt found told agreed answered replied believed reported wrote")
"""Verbs before *that* which limit nothing: the remaining 86 said that."""
_MORE_TAKEN = re.compile(r"\b(?:too|as well)(?= ?(?:[,.;:)–—-]|$)| and\b)", re.I)
"""Words at the end of a clause for one more that takes part, without a number: and the dog had some as well."""


def of_other_things(view: Opinion, best: Result) -> bool:
    """Whether the others are named, so that they may be of another kind: of 20 teams 12, and the other 3 squads."""
    other = view.within.left(view.target)[-2:] == ("the", "other")
    own = view.within.quantities[view.target.index]
    return other and own.kind == "count" and bool(own.unit) and GROUPS[best.candidate.rule] == "minus"


def of_other_groups(view: Opinion, best: Result) -> bool:
    """Whether a mean is of more than the figures beside it: the youngest is 18, the oldest 37, the average age 25."""
    within, target, used = view.within, view.target, best.candidate.used
    if best.candidate.rule != "mean":
        return False
    said = adjacent_words(within, target)
    words = within.sentence.words
    last = max(used, key=lambda part: part.index)
    some = last.index > target.index and has(within.after(last)[:_SOME], _OF_SOME)
    label = within.before(target)[-_LABEL:]
    labelled = label[-1:] == (":",) and has(label, AVERAGE)
    if not (labelled or has(said, AVERAGE)) or has(said, {"overall"}) or has(words, _EXTREMES) or some:
        return True
    sizes = [part.base for part in used]
    counted = has(words, {"both", "two", "each", "equal", "equally"}) or any(
        part.kind == "count" and part.base == len(used) for part in within.targets if part.index != target.index
    )
    return len(used) == 2 and min(sizes) < target.base < max(sizes) and not counted


_SOME, _LABEL = 4, 6
_OF_SOME = frozenset({"last", "final", "latest", "opening"})
"""Words just behind the figures of a list that name some of more: 22, 25 and 19 in the last three."""
_EXTREMES = word_set("""
    oldest youngest highest lowest largest smallest best worst maximum minimum max min peak fastest slowest longest
    shortest cheapest dearest most least recommended recommend career median
""")


OTHER_SUBJECTS = (
    in_a_time, of_another_clause, of_something_else, of_more_taken, of_other_things, of_half_a_list, of_half_a_day,
    of_other_groups, of_two_directions, of_other_prices, of_other_nouns, of_another_total, of_a_margin,
    of_hours_and_minutes,
)  # fmt: skip  # a list of names
"""Readings that save a figure."""
POSSIBLE_READINGS = (of_another_label,)
"""Readings that often are none: they make an accusation less sure, with all else that is measured."""
