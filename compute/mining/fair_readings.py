"""Fair readings that save a figure from being refuted: another relation, other figures, a change, both ends."""

from __future__ import annotations

import re
from decimal import Decimal

from compute.mining.accusations import Opinion
from compute.mining.claim_cues import NEGATED, has
from compute.mining.claim_judging import Result, rough
from compute.mining.claim_scopes import Candidate, Scope
from compute.mining.claim_traits import GROUPS
from compute.mining.misreadings import CHANGES, REACHED, has_change
from compute.mining.noun_reader import TIMES
from compute.mining.other_inputs import another_input_fits, other_list
from compute.mining.quantities import Quantity
from compute.mining.small_expressions import CHANCE, earlier_expressions, small_expressions

STACKED = frozenset({"stacked", "compound"})
"""Relations of shares whose sum is the usual mistake, so that a sum saves no figure."""
PARTS = frozenset({"part", "times", "complement"})
"""Relations of two amounts that are no change: a fall from 25 to 10 is none of 40%."""


CERTAIN = 0.98
"""The probability of a claim from which only figures of its sentence save it, and only if they hardly do by chance."""
HARDLY_CHANCE = 0.05
"""How many expressions may give a random figure where one that gives the figure saves a claim as probable as that."""
OWN = 0.9
"""The probability of a claim from which a relation of figures of one sentence is saved by figures of that only."""
LIKELIEST = 3
"""How many of the relations that a figure does not fit are tried until one is plain enough to refute it."""


def fair_reading(view: Opinion, best: Result) -> bool:
    """Whether another reading of a figure is as fair as the relation `best`, which does not give it."""
    if rough(best) or _of_change(view) or _stated_elsewhere(view.within, best) or _negated(view.within, best):
        return True
    if _of_same_inputs(view, best) or _of_use(view, best) or _again_and_again(view, best):
        return True
    if _of_bounds(view, best) or _not_the_rest(view, best) or _of_each_period(view, best) or _of_bare_ends(view, best):
        return True
    if other_list(view.within, best.candidate, view.earlier):
        return True
    return another_input_fits(best.candidate, view.earlier)


def _of_same_inputs(view: Opinion, best: Result) -> bool:
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
    if large > small and (_TAXED.search(text) or gained):
        values.append(small / (large - small))
    if _AREA.search(text):
        values += [(large / small) ** 2, (large / small) ** 3]
    return any(abs(one - target.base) <= target.figure.half * target.factor for one in values)


def _again_and_again(view: Opinion, best: Result) -> bool:
    """Whether a figure is of each period, or what several halvings leave: double every year, 500 to 4,000 in three."""
    within, target = view.within, view.target
    if target.kind not in {"ratio", "share"} or best.candidate.rule not in {"times", "rise", "fall", "part"}:
        return False
    right = within.right(target)[:2]
    each = right[:1] in {("every",), ("each",), ("per",)} or (right[:1] == ("a",) and has(right[1:], _PERIODS))
    timed = each and any(other.kind == "time" and other.figure.low != 1 for other in within.targets)
    power = target.base and (1 / target.base if target.base < 1 else target.base)
    halving = _HALVING.search(within.sentence.lead + within.sentence.text) is not None
    return timed or (halving and power in _POWERS_OF_TWO and any(part.kind == "time" for part in best.candidate.used))


_PERIODS = frozenset({"second", "minute", "hour", "day", "week", "month", "quarter", "year", "decade", "generation"})
_HALVING = re.compile(r"\bhalf[- ](?:life|lives)\b|\b(?:halv|doubl)(?:es|ing) (?:time|every)\b", re.I)
_POWERS_OF_TWO = frozenset(Decimal(2**power) for power in range(1, 21))


def _of_bounds(view: Opinion, best: Result) -> bool:
    """Whether an input is a bound beyond which the figure follows: 20 or more at $3 make $75."""
    more = view.target.figure.low > abs(best.computed)
    hedges = {part.figure.hedge for part in best.candidate.used}
    return GROUPS[best.candidate.rule] in {"product", "plus"} and ("at least" if more else "at most") in hedges


def _of_each_period(view: Opinion, best: Result) -> bool:
    """Whether a share is of each period, so that it is no change over all of them: 10% a year, from $100 to $121."""
    rate = view.target.kind in {"share", "ratio"} and bool({*TIMES} & {*view.target.pers})
    return rate and best.candidate.rule in {"rise", "fall"}


def _of_bare_ends(view: Opinion, best: Result) -> bool:
    """Whether a change has another unit than its bare ends, is a step, or one of clock times.

    *Down 2 cents, from 1.10 to 1.08*; *bids go up by 50, from 500 to 1,000*; *3 hours late, at 2 instead of 11*.
    """
    one, within = best.candidate, view.within
    off, figure = abs(best.computed), view.target.figure
    if one.rule == "root" and len(ends := [part.base for part in one.used]) == 2:
        whole = max(ends) / min(ends) - 1  # the same amount each year
        return any(
            abs(whole / part.figure.low * 100 - figure.low) <= figure.half
            for part in within.targets
            if part.kind == "time"
        )
    if one.rule != "difference" or not off:
        return False
    bare = all(part.kind == "count" and not part.unit for part in (within.quantities[used.index] for used in one.used))
    if not any(not within.quantities[part.index].unit for part in one.used):
        return False
    ends = [part.figure.low for part in one.used]
    clock = bare and view.target.unit == "h" and max(ends) <= 24
    lows = [off * scale for scale in _SMALLER] + [turn - off for turn in (12, 24) if clock]
    if any(abs(low - figure.low) <= figure.half for low in lows):
        return True
    steps = [word for word in within.left(view.target)[-3:] if _STEPS.fullmatch(word)]
    return bool(steps) and off > figure.low and off % figure.low == 0


_SMALLER = (60, 100, 1000)
"""How many of a smaller unit a larger one has: minutes, cents, millimetres."""
_STEPS = re.compile(r"go|goes|rises?|falls?|climbs?|drops?|increases?|steps?|moves?|jumps?|each|every")
"""Words before the width of a step, in the present tense."""


def _not_the_rest(view: Opinion, best: Result) -> bool:
    """Whether a sentence names the rest after a figure, so that this is only a part of what is left.

    *We opened 64 requests and merged 51; eight are drafts and the rest were closed*.
    """
    at = view.target.figure.end - view.within.sentence.start
    return best.candidate.rule in {"difference", "remainder"} and bool(_REST.search(view.within.sentence.text[at:]))


_REST = re.compile(
    r"(?<!leaves )(?<!leaving )(?<!left )\b(?:the|all) (?:rest|others|remaining|remainder)\b(?! of\b)", re.I
)


def _of_use(view: Opinion, best: Result) -> bool:
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
_GAINED = frozenset({"up", "gained", "gaining", "added", "adding", "rising", "climbing", "growing"})
_TAXED = re.compile(r"\b(?:VAT|tax|mark-?up)\b", re.I)
_AREA = re.compile(r"\b(?:areas?|cross-sections?|surfaces?|volumes?)\b", re.I)


def _of_change(view: Opinion) -> bool:
    """Whether a figure is the part that what changed is of another amount: lost 30 of 120, a drop of 25%."""
    parts = (one.candidate for one, _ in view.fits if one.exact and one.candidate.rule in PARTS)
    return any(has_change(view.within, one) for one in parts)


def made_of_each_other(within: Scope, one: Candidate) -> bool:
    """Whether a sum or difference is of an amount and its own multiple: two cards of 80 GB hold 160 GB.

    Or of amounts each way, whose sum and difference are twice as much; 35 minutes saved there and back are 70.
    """
    if GROUPS[one.rule] not in {"plus", "minus"} or len(one.used) != 2:
        return False
    if _EACH_WAY.search(within.sentence.text):
        return True
    small, large = sorted(part.base for part in one.used)
    counts = (other for other in within.quantities[within.first : within.last] if other.kind == "count")
    return any(other.base > 1 and small * other.base == large for other in counts)


_EACH_WAY = re.compile(r"\b(?:each way|both ways|either way|there and back|in (?:each|both) directions?)\b", re.I)


def with_both_ends(view: Opinion) -> bool:
    """Whether a figure is one more or less than a likely quotient or difference: 23 posts, one every 3 m along 66 m."""
    ends = (one for one, _ in view.wrong[:LIKELIEST] if one.candidate.rule in {"quotient", "difference"})
    off_by_one = any(abs(one.computed - view.target.figure.low) == 1 for one in ends)
    return view.target.kind == "count" and off_by_one and any(has(gap, _ENDS) for gap in view.within.sentence.gaps)


_ENDS = frozenset({"every", "apart", "end", "ends", "including", "inclusive", "both"})


def saved_by_others(view: Opinion, best: Result) -> bool:
    """Whether figures stated earlier, three nearby, or two and a factor that the words name give it, hardly by chance.

    Of a change that the text names, the two amounts say one thing only: a cut from 90 to 60 is none of 50%. A sentence
    that likely states a relation of its own figures is not about those of others.
    """
    inside = all(view.within.first <= part.index < view.within.last for part in best.candidate.used)
    given = small_expressions(view.within, view.target, own=(alone := inside and view.claimed >= OWN), named=True)
    most = HARDLY_CHANCE if view.claimed >= CERTAIN else CHANCE
    if alone:
        return any(given[name].given and given[name].expected < most for name in ("three", "constant"))
    if view.claimed >= CERTAIN:
        return False
    earlier = view.earlier
    if best.candidate.rule in named_rules(view.within, view.target):
        own = {part.figure.start for part in best.candidate.used}
        earlier = tuple(one for one in earlier if one.figure.start not in own)
    found = (given["three"], given["constant"], earlier_expressions(view.target, earlier))
    return any(fits.given and fits.expected < CHANCE for fits in found)


def _negated(within: Scope, best: Result) -> bool:
    """Whether an input is denied, or the limit of a range: not a 3x gain, from 10 to 20; prices range from $1 to $4."""
    return any(
        has(within.left(part)[-5:], NEGATED) or has(within.left(part)[-3:], _RANGES) for part in best.candidate.used
    )


_RANGES = frozenset({"range", "ranges", "ranged", "ranging", "vary", "varies", "varied", "varying"})


def _stated_elsewhere(within: Scope, best: Result) -> bool:
    """Whether another figure of the sentence is what was computed, so that the target is likely of something else."""
    one = best.candidate
    taken = {one.target.index, *(part.index for part in one.used)}
    others = (other for other in within.targets if other.index not in taken and other.kind != "ratio")
    return any(
        abs(other.figure.low - best.computed) <= max(other.figure.half, best.computed / 1000) for other in others
    )


def named_rules(within: Scope, target: Quantity) -> set[str]:
    """The changes that the words next to a figure name; a drop to 40%, or a cut at 40%, is none of 40%."""
    if has(within.left(target)[-1:], REACHED):
        return set()
    said = (*within.left(target)[-4:], *within.right(target)[:2])
    return {rule for rule, words in CHANGES.items() if has(said, words)}
