"""Which figure is accused, and by which relation: one that is likely claimed, is plain, and has no fair reading.

likely, not given ─▶ no doubt in the sentence ─▶ units and words fit ─▶ no other reading ─▶ measures
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from compute.mining.accusation_measures import Measures, measures
from compute.mining.accusations import FAIR, Opinion, far, figures_of
from compute.mining.claim_cues import CONDITIONAL, has, phrase
from compute.mining.claim_judging import Result
from compute.mining.claim_scopes import Candidate, Scope
from compute.mining.claim_traits import GROUPS
from compute.mining.excused_figures import excused
from compute.mining.fair_readings import (
    LIKELIEST,
    fair_reading,
    made_of_each_other,
    other_readings,
    with_both_ends,
)
from compute.mining.given_figures import named_rules
from compute.mining.mining_models import Passage
from compute.mining.misreadings import misread
from compute.mining.modified_workings import modified
from compute.mining.noun_reader import TIMES
from compute.mining.other_subjects import PRICED
from compute.mining.outright_claims import is_outright
from compute.mining.quantities import Quantity

CLAIMED = 0.1
"""The probability of a claim from which a figure that fits no relation may be wrong."""


class Accusation(NamedTuple):
    """The relation that a figure likely claims and does not give, the measures of that, and what makes it less sure."""

    best: Result
    measures: Measures
    other_readings: tuple[str, ...]


def accused(passage: Passage, view: Opinion, around: Sequence[Opinion]) -> Accusation | None:
    """The accusation of a figure; None if it gives what is claimed, or a fair reading saves it."""
    within = view.within
    fair = view.holds or view.near * FAIR >= view.rival
    unclear = unsure(within, view.target) or with_both_ends(view) or _has_formula(passage, within)
    if fair or view.claimed < CLAIMED or unclear:
        return None
    likeliest = [judged for judged, chance in view.wrong[:LIKELIEST] if chance * FAR_BEHIND >= view.rival]
    plain = [judged for judged in likeliest if _plain(within, judged)]
    if not plain or made_of_each_other(within, plain[0].candidate):
        return None
    best = _nearest(_usual(_named_change(view, plain) or plain), plain, view)
    if fair_reading(view, best) or any(_saves(other, view, best) or _explains(view, other, best) for other in around):
        return None
    if excused(passage, view, best):
        return None
    found = other_readings(view, best)
    return Accusation(
        best, measures(passage, view, best, around, supposed=supposed(within), other_readings=found), found
    )


def _saves(other: Opinion, view: Opinion, best: Result) -> bool:
    """Whether a fair reading saves another figure of a relation that more likely claims it: *up $5, or 13%, to $44*."""
    key = figures_of(best.candidate)
    if other.claimed <= view.claimed or other.target.figure.start not in key:
        return False
    same = next((one for one, _ in other.wrong if figures_of(one.candidate) == key), None)
    return same is not None and (not _plain(other.within, same) or fair_reading(other, same))


def _explains(view: Opinion, other: Opinion, best: Result) -> bool:
    """Whether a figure is there to explain an input in another sentence: *five of them were struck*, not 5 of 500."""
    start, sentence = view.target.figure.start, view.within.sentence
    inputs = {part.figure.start for part in best.candidate.used}
    apart = other.target.figure.start in inputs and other.within.sentence.start != sentence.start
    likely = other.wrong[:LIKELIEST] if apart and other.claimed > view.claimed else ()
    return any(modified(other, one, by=start) for one, _ in likely)


def _has_formula(passage: Passage, within: Scope) -> bool:
    """Whether a sentence has mathematics, which may say what its figures follow by: *the share is $(p-1)/(m+p-1)$*."""
    sentence = within.sentence
    return _FORMULA.search(passage.text, sentence.start, sentence.end) is not None


_FORMULA = re.compile(r"\$[^\s\d$][^$\n]*\$(?!\d)")
FAR_BEHIND = 20
"""How many times less likely than the likeliest relation that a figure does not fit one of them may be."""


def _usual(found: Sequence[Result]) -> Result:
    """The likeliest of some results; of those that differ only in a conversion, the usual one: a year of 365 days."""
    best = found[0].candidate
    same = (one for one in found if (one.candidate.rule, one.candidate.used) == (best.rule, best.used))
    return min(same, key=lambda one: one.candidate.fit)


def _nearest(best: Result, found: Sequence[Result], view: Opinion) -> Result:
    """Of what is about as likely of the same figures what is nearest to the stated one: a margin of 25%, and no 75%."""
    chances = {id(one): chance for one, chance in view.wrong}
    key, stated = figures_of(best.candidate), best.candidate.target.figure.low
    alike = [
        one for one in found if figures_of(one.candidate) == key and one.candidate.target.kind in {"share", "ratio"}
    ]
    likely = [one for one in alike if chances[id(one)] * ABOUT_AS_LIKELY >= chances[id(best)]]
    return min(likely, key=lambda one: abs(one.computed - stated), default=best)


ABOUT_AS_LIKELY = 3
"""How many times likelier a relation may be than another of the same figures that is nearer to the stated one."""


def _named_change(view: Opinion, found: Sequence[Result]) -> list[Result]:
    """Those of some results that are the change which the words next to a figure name: an increase of 52%."""
    rules = named_rules(view.within, view.target)
    return [one for one in found if one.candidate.rule in rules] if len(rules) == 1 else []


def _plain(within: Scope, best: Result) -> bool:
    """Whether the likeliest relation is plain enough to refute a figure: its units fit, and no word is completed."""
    one = best.candidate
    if not one.used:
        names = one.rule == "items" and ("(" in within.sentence.text or within.sentence.text.count(" and ") > 1)
        return not one.fit and not names
    if _than_several(within, one) or _of_people(within, one) or _of_a_price(within, one):
        return False
    if misread(within, one, best.computed) and not is_outright(within, one):
        return False
    outside = [not within.first <= part.index < within.last for part in one.used]
    if all(outside) and _than_others(within, one.target):
        return False
    apart = one.rule == "convert" and far(best, FAR)  # the cost of a day is none of another bill of the year
    return not apart and _units_fit(one) and not _rate_and_amount(within, one) and not _other_period(within, one)


def _than_others(within: Scope, target: Quantity) -> bool:
    """Whether a figure is compared with what its own sentence names: prices that are 90% lower than those of rivals.

    What was before is named by the figures of other sentences: 26% more than last time.
    """
    after = within.after(target)
    if "than" not in after:
        return False
    named = after[after.index("than") + 1 :][:_NAMED]
    return not has(named, _BEFORE)


_NAMED = 6
"""How many words after *than* name what a figure is compared with."""
_BEFORE = frozenset(
    {"before", "last", "previous", "previously", "earlier", "ago", "today", "now", "then", "yesterday", "present"}
    | {"currently", "originally", "first"}
)


def _of_a_price(within: Scope, one: Candidate) -> bool:
    """Whether a figure only says for how many a price is: 15 cents a million output tokens; $0.25 per 1K."""
    target = one.target
    if within.left(target)[-1:] == ("per",):
        return True
    said = target.unit in {"token", "tok"} or has(within.right(target)[:3], {"tokens", "token"})
    before = within.quantities[target.index - 1 : target.index]
    return said and target.figure.low in PRICED and any(part.kind == "money" for part in before)


FAR = 8
"""How many times off an amount is that is hardly of the same for another period."""


def _units_fit(one: Candidate) -> bool:
    """Whether units allow a relation: FLOP per parameter follow from no tokens, nothing from 750 MB less 100 Mbit/s."""
    others = [part.unit for part in one.used if part.unit not in one.target.pers]
    if one.rule in {"quotient", "flop"} and len(others) < len(one.used) and one.target.unit not in {"", *others}:
        return False
    measured = {part.unit for part in one.used if part.kind == "unit"}
    return len(measured) <= 1 or GROUPS[one.rule] not in {"plus", "minus"}


def _of_people(within: Scope, one: Candidate) -> bool:
    """Whether a number of some of those named is read as an amount: 46 of them at £158."""
    completed = (part for part in one.used if part is not within.quantities[part.index])
    return any(within.right(part)[:2] in _OF_PEOPLE for part in completed)


_OF_PEOPLE = frozenset({("of", "them"), ("of", "us"), ("of", "these"), ("of", "those")})


def _other_period(within: Scope, one: Candidate) -> bool:
    """Whether an amount is set against one of a period: $96 and $12 a month; not from $96 to $72 a month."""
    if one.rule not in _COMPARING or len(one.used) != 2 or not all(part.kind == "money" for part in one.used):
        return False
    first, last = sorted(one.used, key=lambda part: part.index)
    periods = [bool({*TIMES} & {*part.pers}) for part in (first, last)]
    small, large = sorted(part.base for part in one.used)
    apart = has(within.between(first, last), {"against", "versus", "vs"}) or large > small * _OF_A_PERIOD
    return periods[0] != periods[1] and apart


_OF_A_PERIOD = 5
"""How many times another amount one hardly is with which it is compared: a cost of $1,500 and fees of $150 a month."""
_COMPARING = frozenset({"fall", "rise", "part", "times", "difference"})


def _rate_and_amount(within: Scope, one: Candidate) -> bool:
    """Whether a rate is added to an amount although a time is stated: 0.4 litres an hour, from 3, after 3 hours."""
    if GROUPS[one.rule] not in {"plus", "minus"} or is_outright(within, one):
        return False
    rates = [part for part in one.used if not set(TIMES).isdisjoint(part.pers)]
    taken = {one.target.index, *(part.index for part in one.used)}
    times = (other for other in within.targets if other.kind == "time" and other.index not in taken)
    return 0 < len(rates) < len(one.used) and any(times)


def _than_several(within: Scope, one: Candidate) -> bool:
    """Whether a figure compares with a number of things that are no input: cheaper than the two it replaces."""
    after = within.quantities[one.target.index + 1 : within.last][:1]
    others = [part for part in after if part.kind == "count" and part.index not in {used.index for used in one.used}]
    return bool(others) and has(within.after(one.target), {"than"})


# ---- doubt in a sentence


def unsure(within: Scope, target: Quantity) -> bool:
    """Whether a sentence asks, disputes, supposes, compares with another year or states a mixture or tiers."""
    tokens = within.sentence.words
    left = within.left(target)
    other = has(left, {"against", "compared", "versus", "relative", "since"}) and any(
        len(token) == 4 and token.isdigit() for token in left
    )
    marked = has(tokens, {'"', "“", "”"}) or tokens.count("'") + tokens.count("‘") + tokens.count("’") > 1
    quoted = marked and has(
        tokens,
        {"but", "only", "actually", "really", "says", "claims", "claimed", "promises", "promised", "said", "told"},
    )
    mixed = phrase(left[-4:], {"in a ratio of", "at a ratio of", "in the ratio of", "in the ratio"})
    opening = target.index == within.first and target.kind == "share" and left[:1] == ("at",) and len(left) <= 5
    right = within.right(target)
    own = (
        (has(right[:3], {"if", "when", "unless"}) and not has(right[:2], {"than"}))
        or (has(right[:1], _THAN) and has(right[1:5], {"own"}))
        or phrase(left[-4:], {"both are", "both were"})
    )
    unstated = target.kind in {"ratio", "share"} and has(left, _COMPARED)
    text = within.sentence.lead + within.sentence.text
    said = within.sentence.lead + within.sentence.text[: max(0, target.figure.start - within.sentence.start)]
    tiered = _TIERED.search(text) is not None or _SPLIT.search(said) is not None
    return "?" in tokens or other or quoted or mixed or opening or own or unstated or tiered


_THAN = frozenset({"over", "above", "below", "under", "than"})
"""Words between a figure and what it is compared with: 10% over its own asking price."""
_TIERED = re.compile(
    r"\bfirst\b[^.]*\d[^.]*\b(?:beyond|above|thereafter|then on"
    r"|(?:over|after)(?= ?[^\w\s]| (?:that|this|those|these|it|them|is|are|costs?)\b))"
    r"|\bfrom (?:the )?(?P<unit>(?!the\b)[a-z]{3,}) \w+\b[^.]*\d[^.]*\bfrom (?:the )?(?P=unit) \w+\b",
    re.I | re.S,
)
"""Rates that change at a limit: £30 for the first 40 hours, £45 beyond that; €110 from day one, €80 from day eleven."""


_SPLIT = re.compile(r"\b(?:ratio|split|shared|divided|proportions?)\b[^.]*?\d ?: ?\d+ ?: ?\d", re.I)
"""Parts by a ratio of three numbers: shared in the ratio 5:2:1."""
_COMPARED = frozenset(
    {
        "successor",
        "successors",
        "predecessor",
        "predecessors",
        "rival",
        "rivals",
        "competitor",
        "competitors",
        "sibling",
        "target",
        "goal",
    }
)
"""Words for something that a figure is compared with, or that is to be: the clause does not state its own figure."""


def supposed(within: Scope) -> bool:
    """Whether a sentence has words of a condition or a plan, so that its figures need not be right."""
    return any(has(gap, CONDITIONAL) for gap in within.sentence.gaps)
