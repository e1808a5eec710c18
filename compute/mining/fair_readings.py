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
from compute.mining.claim_scopes import Candidate, Scope
from compute.mining.claim_traits import GROUPS
from compute.mining.given_figures import RARE, given_by_a_named_factor, given_by_others, timed
from compute.mining.misreadings import REACHED, has_change
from compute.mining.noun_reader import STOP, TIMES, stem
from compute.mining.other_inputs import another_input_fits, other_list
from compute.mining.other_subjects import OTHER_SUBJECTS, POSSIBLE_READINGS
from compute.mining.small_expressions import CHANCE

PARTS = frozenset({"part", "times", "complement"})
"""Relations of two amounts that are no change: a fall from 25 to 10 is none of 40%."""


LIKELIEST = 3
"""How many of the relations that a figure does not fit are tried until one is plain enough to refute it."""


ROUNDED = 0.8
"""The part of all rounding of the inputs within which they may mean a figure: more of it they hardly all need."""


def fair_reading(view: Opinion, best: Result) -> bool:
    """Whether another reading of a figure is as fair as the relation `best`, which does not give it."""
    return (
        rooms_off(best) <= ROUNDED
        or _of_change(view)
        or _referred_to(view)
        or _of_the_rest(view)
        or _stated_elsewhere(view.within, best)
        or _negated(view.within, best)
        or any(test(view, best) for test in _OTHER_READINGS)
        or other_list(view.within, best.candidate, view.earlier)
        or another_input_fits(best.candidate, view.earlier)
        or given_by_a_named_factor(view, best)
        or given_by_others(view, best, RARE)
    )


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
    reached = first.base == small and has(view.within.left(first)[-3:], _GAINED)
    gained |= reached and has(view.within.left(last)[-2:], REACHED)
    gained |= _JOINED.search(text) is not None
    if large > small and (_TAXED.search(text) or gained):
        values.append(small / (large - small))
    if _AREA.search(text) or all(part.unit in _LENGTHS for part in used):
        values += [(large / small) ** 2, (large / small) ** 3]
    return any(abs(one - target.base) <= target.figure.half * target.factor for one in values)


def _of_a_round_trip(view: Opinion, best: Result) -> bool:
    """Whether a mean of two speeds is that of equal distances: there at 60 mph and back at 40, 48 on average."""
    used = best.candidate.used
    if best.candidate.rule != "mean" or len(used) != 2 or not all(one.base for one in used):
        return False
    one, two = (1 / part.base for part in used)
    return _gives(view, *(1 / pace for pace in ((one + two) / 2, 2 * one - two, 2 * two - one) if pace))


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


def _gives(view: Opinion, *values: Decimal) -> bool:
    """Whether one of some values, in the base unit, is the figure within its rounding, *about 52,500* within 50."""
    figure = view.target.figure
    room = (max(figure.half, figure.coarse) if figure.hedge == "about" else figure.half) * view.target.factor
    return any(abs(value - view.target.base) <= room for value in values)


def _of_those_left(view: Opinion, best: Result) -> bool:
    """Whether a share is that of the others, which its clause names: of 320 staff 128 are women, so men are 60%."""
    if view.target.kind != "share" or best.candidate.rule != "part" or len(best.candidate.used) != 2:
        return _changed_part(view, best)
    clause = " ".join(view.within.left(view.target)).rpartition(",")[2].split()
    named = {stem(word) for word in clause if word.isalpha() and word not in STOP and len(word) > 2}
    small, large = sorted(best.candidate.used, key=lambda part: part.base)
    rest = bool(named - {small.unit, large.unit, "made", "make", "account", "form"}) and small.unit not in named
    return (rest and large.base > 0 and _gives(view, 1 - small.base / large.base)) or _changed_part(view, best)


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
    return _gives(view, *(value for one in before for value in (small / one, one / large, large / one)))


_RESTATED = re.compile(
    r"(?:\b(?:or|(?:that|which|this|it) (?:is|was)|that ['’] s|thus|i \. e \.|making|makes|equals|equal to)|[(=])"
    r"(?: (?:about|roughly|some|nearly|almost|only|just|exactly))?$"
)
"""Words before a figure that says again what the words before it say."""


_OF_ITS_OWN = re.compile(r"\b(?:its|their|his|her|our|my|your|the) \w+ (?:,|is|was|are|were|stands at|stood at)$")
"""Words before a figure that name what it is of: its share, 16%."""


def _with_share(view: Opinion, best: Result) -> bool:
    """Whether a share that the text states is taken from, or put on, what was computed: 43,200 units less 2% scrap."""
    if GROUPS[best.candidate.rule] not in _MADE or view.target.kind in {"share", "ratio", "points"}:
        return False
    used = {part.index for part in best.candidate.used}
    middle = abs(best.computed) * (view.target.base / view.target.figure.low if view.target.figure.low else 1)
    shares = [one for one in view.within.quantities if one.kind == "share" and 0 < one.base < 1]
    return any(
        _gives(
            view,
            *((middle / one.base if one.index in used else middle) * part for part in (1 - one.base, 1 + one.base)),
        )
        for one in shares
    )


_MADE = frozenset({"product", "plus", "scaled", "scaled twice", "bill"})


def _by_ratio(view: Opinion, best: Result) -> bool:
    """Whether a total is shared out in a ratio to one: 2,750 animals, ten sheep to each goat, are 250 goats."""
    one, text = best.candidate, view.within.sentence.lead + view.within.sentence.text
    if one.rule != "quotient" or len(one.used) < 2 or not _TO_ONE.search(text):
        return False
    small, large = sorted(part.base for part in one.used)[:2]
    return _gives(view, large / (small + 1), large * small / (small + 1))


_TO_ONE = re.compile(r"\b(?:to|for) (?:each|every|one)\b", re.I)


def _overlapping(view: Opinion, best: Result) -> bool:
    """Whether shares that may be of the same are summed: 21% have a dog, 26% a cat, 39% either."""
    shared = best.candidate.rule in {"complement", "sum", "both"} and view.target.kind == "share"
    return shared and has(view.within.left(view.target), {"either", "both", "any", "neither"})


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
    """Whether one of something costs more than one of several: 3 for $10, or $4 each."""
    one, within = best.candidate, view.within
    if one.rule != "quotient" or len(one.used) != 2 or within.left(view.target)[-1:] != ("or",):
        return False
    if view.target.figure.low <= best.computed:
        return False
    first, last = sorted(one.used, key=lambda part: part.index)
    return has(within.between(first, last), {"for"})


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


_OTHER_READINGS = (
    _of_same_inputs, _of_use, _of_a_round_trip, _again_and_again, _of_bounds, _not_the_rest, _of_each_period,
    _of_halvings, _of_bare_ends, _of_those_left, _with_share, _by_ratio, _overlapping, _of_an_offer, _of_full_names,
    *OTHER_SUBJECTS,
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
    others = (other for other in within.targets if other.index not in taken and other.kind != "ratio")
    return any(
        abs(other.figure.low - best.computed) <= max(other.figure.half, best.computed / 1000) for other in others
    )


def other_readings(view: Opinion, best: Result) -> tuple[str, ...]:
    """The names of readings that may save a figure: what else its clause is of, and other figures that give it."""
    named = [test.__name__.replace("_", " ") for test in POSSIBLE_READINGS if test(view, best)]
    return (*named, *(["given by others"] if given_by_others(view, best, CHANCE) else []))
