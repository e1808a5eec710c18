"""Fair readings that save a figure from being refuted: another relation, other figures, a change, both ends."""

from __future__ import annotations

import re
from decimal import Decimal

from compute.mining.accusations import Opinion
from compute.mining.claim_cues import (
    NEGATED,
    TIMES_VERB,
    has,
)
from compute.mining.claim_judging import Result, rooms_off
from compute.mining.claim_scopes import HOURS, Candidate, Scope
from compute.mining.claim_traits import GROUPS
from compute.mining.deciding_words import is_decided
from compute.mining.explained_readings import EXPLAINED
from compute.mining.given_figures import RARE, given_by_a_named_factor, given_by_others, timed
from compute.mining.limit_readings import LIMITS
from compute.mining.misreadings import has_change
from compute.mining.modified_workings import modified
from compute.mining.noun_reader import TIMES
from compute.mining.number_words import SCALED, WORKED
from compute.mining.other_inputs import another_input_fits, other_list
from compute.mining.other_subjects import OTHER_SUBJECTS, POSSIBLE_READINGS
from compute.mining.outright_claims import is_outright
from compute.mining.share_readings import PARTS, SHARE_READINGS
from compute.mining.small_expressions import CHANCE
from compute.mining.unread_items import of_unequal_groups, unread_items_fit

LIKELIEST = 3
"""How many of the relations that a figure does not fit are tried until one is plain enough to refute it."""


ROUNDED = 0.8
"""The part of all rounding of the inputs within which they may mean a figure: more of it they hardly all need."""


def fair_reading(view: Opinion, best: Result) -> bool:
    """Whether another reading of a figure is as fair as the relation `best`, which does not give it."""
    mistaken = view.mistaken(best.candidate)
    return (
        rooms_off(best) <= ROUNDED
        or _of_change(view)
        or _referred_to(view)
        or _of_the_rest(view)
        or _stated_elsewhere(view.within, best)
        or _negated(view.within, best)
        or any(test(view, best) for test in _OTHER_READINGS)
        or (not (mistaken or is_decided(view.within, best.candidate)) and modified(view, best))
        or (not (mistaken or is_outright(view.within, best.candidate)) and _given_otherwise(view, best))
    )


def _given_otherwise(view: Opinion, best: Result) -> bool:
    """Whether other figures give a figure; what a sentence claims outright it claims of its own, and of all of them."""
    return (
        other_list(view.within, best.candidate, view.earlier)
        or another_input_fits(best.candidate, view.earlier)
        or given_by_a_named_factor(view, best)
        or given_by_others(view, best, RARE)
    )


def _of_a_round_trip(view: Opinion, best: Result) -> bool:
    """Whether a mean of two speeds is that of equal distances: there at 60 mph and back at 40, 48 on average."""
    used = best.candidate.used
    if best.candidate.rule != "mean" or len(used) != 2 or not all(one.base for one in used):
        return False
    one, two = (1 / part.base for part in used)
    return view.gives(*(1 / pace for pace in ((one + two) / 2, 2 * one - two, 2 * two - one) if pace))


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


def _referred_to(view: Opinion) -> bool:
    """Whether a share that stands elsewhere is referred to, not stated: it misses the 35% written into the plan."""
    left, right = view.within.left(view.target), view.within.right(view.target)
    return view.target.kind == "share" and left[-1:] == ("the",) and has(right[:1], _REFERRED)


_REFERRED = frozenset(
    {"in", "on", "written", "planned", "promised", "budgeted", "quoted", "forecast", "agreed", "assumed", "expected"}
    | {"hoped", "needed", "required", "demanded"}
)


def _of_the_rest(view: Opinion) -> bool:
    """Whether a figure is only a part of what is left, or of a difference: of the rest, 640 are owned."""
    return _OF_THE_REST.search(" ".join(view.within.left(view.target)[-7:])) is not None


_OF_THE_REST = re.compile(
    r"\bof the (?:rest|others?|remainder|remaining(?: \w+)?|difference|gap|balance|(?:in|de)crease|savings?|shortfall)"
    r" ,(?: (?:about|some|only|just|nearly|almost|roughly|over|under))?$"
)


def _of_an_offer(view: Opinion, best: Result) -> bool:
    """Whether more of something costs less for each: 3 for $10, or $4 each; £2.60 a day or £12 a week."""
    one, within, stated = best.candidate, view.within, view.target.figure.low
    if within.left(view.target)[-1:] != ("or",):
        return False
    if one.rule == "convert" and (view.target.kind == "money" or _PAID.search(within.sentence.text)):
        first, last = _periods(view, best)
        cheaper = stated < best.computed if last > first else stated > best.computed
        return bool(first and last) and cheaper and _OFFERED <= stated / best.computed <= 1 / _OFFERED
    if one.rule != "quotient" or len(one.used) != 2 or not best.computed < stated < _SINGLE * best.computed:
        return False
    first_part, last_part = sorted(one.used, key=lambda part: part.index)
    return has(within.between(first_part, last_part), {"for"})


_OFFERED = Decimal("0.7")
"""The part of twelve monthly payments from which one for the year is an offer."""
_SINGLE = 2
"""How many times as much one of several may cost alone."""


_PAID = re.compile(r"\b(?:cost|price|fee|subscription|membership|fare|ticket|rent|pay|paid|charge)(?:s|d)?\b", re.I)
"""Words of a price, beside which bare numbers may be one: membership costs 9 a month, or 90 a year."""


def _periods(view: Opinion, best: Result) -> tuple[Decimal, Decimal]:
    """The hours of the periods of the first input of a relation and of the figure; 0 for none."""
    first, last = (
        next((HOURS[name] for name in (*part.pers, *view.within.right(part)[:3]) if name in HOURS), Decimal(0))
        for part in (best.candidate.used[0], view.target)
    )
    return first, last


def _of_working_time(view: Opinion, best: Result) -> bool:
    """Whether a rate is for working time: 400 chairs a day and 2,000 a week, of five days."""
    one = best.candidate
    if one.rule != "convert":
        return False
    periods = {(first, last) for first in one.used[0].pers for last in view.target.pers}
    return view.gives(*(one.used[0].base * many for pair in periods for many in WORKED.get(pair, ())))


def _in_whole_things(view: Opinion, best: Result) -> bool:
    """Whether a quotient is of things of which there are only whole ones: 190 matches, 25 a page, eight pages."""
    target, computed = view.target, abs(best.computed)
    counted = best.candidate.rule == "quotient" and target.kind == "count" and target.figure.is_integer
    return counted and computed != computed.to_integral_value() and abs(target.figure.low - computed) < 1


def _of_capacity(view: Opinion, best: Result) -> bool:
    """Whether a rate is of what can be, and the figure is less: it can fold 900 an hour, and folded 6,150 in eight."""
    within, used = view.within, best.candidate.used
    if GROUPS[best.candidate.rule] != "product" or view.target.figure.low >= abs(best.computed):
        return False
    possible = any(part.pers and has(within.left(part)[-5:], _POSSIBLE) for part in used)
    return possible and not has(within.left(view.target), _POSSIBLE)


_POSSIBLE = frozenset({"can", "could", "able", "capable", "rated", "maximum", "max", "capacity"})


def _of_progress(view: Opinion, best: Result) -> bool:
    """Whether a share is of what is done, and the inputs are of something else: 70% of the work done, 1.1m of 2.0m."""
    parts = (view.target, *best.candidate.used)
    kinds = {part.kind for part in parts} | ({"money"} if "budget" in view.within.sentence.text else set())
    own = next((words for kind, words in _OWN_KIND.items() if kind in kinds), None)
    said = (view.within.right(part)[:6] for part in parts if part.kind == "share")
    return own is not None and any(words[:1] == ("of",) and has(words, _DONE) and not has(words, own) for words in said)


_OWN_KIND = {
    "money": frozenset(["money", "budget", "pay", "salary", "income", "funds", "funding", "cash", "grant", "loan"]),
    "time": frozenset(["time", "year", "term", "period", "season", "day", "week", "month", "journey", "match", "game"]),
}
"""What a share of money or of time is of."""
_DONE = frozenset({"done", "complete", "completed", "finished", "over", "gone", "elapsed", "behind", "ready"})


def _of_full_names(view: Opinion, best: Result) -> bool:
    """Whether a unit with a full name is meant where the short one is said: 24 nautical miles, 150 litres a mile."""
    text = view.within.sentence.lead + view.within.sentence.text
    figure, computed = view.target.figure, abs(best.computed)
    sizes = (size for name, some in _FULL_NAMES.items() if re.search(rf"\b{name}\b", text) for size in some)
    return any(abs(value - figure.low) <= figure.half for size in sizes for value in (computed * size, computed / size))


_FULL_NAMES = {
    "nautical": (Decimal("1.150779"),),
    "(?:[Ii]mperial|US|U[.]S[.]|UK)": (Decimal("1.200950"), Decimal("1.040843")),  # gallons and pints, fluid ounces
    "dozen": (Decimal(12),),
    "troy": (Decimal("1.097143"),),
    "(?:long|short|metric) tons?": (Decimal("1.016047"), Decimal("1.102311"), Decimal("1.12")),
}
"""How many units of the short name one of the full name is, or the other way round."""


def _of_bounds(view: Opinion, best: Result) -> bool:
    """Whether an input is a bound beyond which the figure follows: 20 or more at $3 make $75."""
    more = view.target.figure.low > abs(best.computed)
    hedges = {part.figure.hedge for part in best.candidate.used}
    return GROUPS[best.candidate.rule] in {"product", "plus"} and ("at least" if more else "at most") in hedges


def _of_each_period(view: Opinion, best: Result) -> bool:
    """Whether a share is of each period, so that it is no change over all of them: 10% a year, from $100 to $121."""
    within, target, used = view.within, view.target, best.candidate.used
    if best.candidate.rule in {"raised", "cut"}:
        yearly = any(part.kind == "share" and timed(within, part) for part in used)
        return yearly and not {*TIMES} & {*target.pers}
    rate = target.kind in {"share", "ratio", "points"} and timed(within, target)
    return rate and best.candidate.rule in {"rise", "fall", "gap"} and not any({*TIMES} & {*part.pers} for part in used)


def _of_halvings(view: Opinion, _best: Result) -> bool:
    """Whether a verb of a multiple gives what is left: halved twice, from $80 to $20."""
    verb = TIMES_VERB.fullmatch(view.target.figure.text)
    return verb is not None and any(one.exact and one.candidate.rule in PARTS for one, _ in view.fits)


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
    if _EACH_WAY.search(within.sentence.lead + within.sentence.text):
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


def _of_another_moment(view: Opinion, best: Result) -> bool:
    """Whether a change is of another moment than its end: down 200 on the first night, 1,000 to 600 on the last."""
    if best.candidate.rule not in {"difference", "fall", "rise", "gap"}:
        return False
    end = max(best.candidate.used, key=lambda part: part.index)
    own, theirs = ({*view.within.after(part)[:_MOMENT]} for part in (view.target, end))
    return any(own & words and theirs & words and not own & theirs & words for words in _MOMENTS)


_MOMENT = 5
"""How many words after a figure say of which moment it is."""
_MOMENTS = (
    frozenset(["first", "second", "third", "fourth", "last", "final", "opening", "closing"]),
    frozenset(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]),
    frozenset(["morning", "noon", "afternoon", "evening", "night"]),
)
"""Words of moments that exclude each other."""


def _per_million(view: Opinion, best: Result) -> bool:
    """Whether a price is for a million or a thousand of what is counted in those: 310M input × $3 = $930."""
    used, figure = best.candidate.used, view.target.figure
    if view.target.kind != "money" or not any(part.kind == "money" for part in used):
        return False
    scaled = any(part.kind != "money" and SCALED.search(part.figure.text) for part in used)
    return scaled and any(abs(abs(best.computed) / scale - figure.low) <= figure.half for scale in _SCALES)


_SCALES = (Decimal(1000), Decimal(1_000_000))


_OTHER_READINGS = (
    _of_a_round_trip, _again_and_again, _of_bounds, _not_the_rest, _of_each_period, _of_halvings, _of_bare_ends,
    _of_an_offer, _of_working_time, _in_whole_things, _of_capacity, _of_progress,
    _of_full_names, _per_million, _of_another_moment, unread_items_fit,
    of_unequal_groups, *SHARE_READINGS, *OTHER_SUBJECTS, *LIMITS, *EXPLAINED,
)  # fmt: skip  # a list of names


def _negated(within: Scope, best: Result) -> bool:
    """Whether an input is denied, or the limit of a range: not a 3x gain, from 10 to 20; prices range from $1 to $4."""
    return any(
        has(_of_clause(within.left(part)[-5:]), NEGATED) or has(within.left(part)[-3:], _RANGES)
        for part in best.candidate.used
    )


def _of_clause(words: tuple[str, ...]) -> tuple[str, ...]:
    """Those of some words that are in the clause of the last one: of *never by age: at*, only *at*."""
    ends = [place for place, word in enumerate(words) if word in {",", ":", ";", "–", "—", "and", "but", "so"}]
    return words[ends[-1] + 1 :] if ends else words


_RANGES = frozenset({"range", "ranges", "ranged", "ranging", "vary", "varies", "varied", "varying"})


def _stated_elsewhere(within: Scope, best: Result) -> bool:
    """Whether another figure of the sentence is what was computed, so that the target is likely of something else."""
    one = best.candidate
    taken = {one.target.index, *(part.index for part in one.used)}
    others = (
        other
        for other in within.targets
        if other.index not in taken and other.kind != "ratio" and (other.kind == one.target.kind or not other.unit)
    )
    return any(
        abs(other.figure.low - best.computed) <= max(other.figure.half, best.computed / 1000) for other in others
    )


def other_readings(view: Opinion, best: Result) -> tuple[str, ...]:
    """The names of readings that may save a figure: what else its clause is of, and other figures that give it."""
    named = [test.__name__.replace("_", " ") for test in POSSIBLE_READINGS if test(view, best)]
    others = not view.mistaken(best.candidate) and given_by_others(view, best, CHANCE)
    return (*named, *(["given by others"] if others else []))
