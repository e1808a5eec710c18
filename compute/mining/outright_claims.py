"""Claims that the grammar of a sentence makes outright, however seldom texts of that wording were learned from.

    by 15 minutes, from 45 to 30 · $20 more than the $50 · up 2 from 8 · 75% of the class, 21 of 28 · the other 12

Each is of a sentence whose figures are those of the relation and no others, in one unit and for one period.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from compute.mining.claim_cues import DOWNWARD, NEGATED, TIMES_VERB, UPWARD, has, is_turn, phrase
from compute.mining.claim_scopes import Candidate, Scope
from compute.mining.deciding_words import decided, is_decided, without_mistakes
from compute.mining.given_figures import STACKED, named_rules
from compute.mining.noun_reader import TIMES
from compute.mining.number_words import word_set
from compute.mining.outright_figures import alone, for_one_period, of_one_unit
from compute.mining.outright_sums import SUM_TESTS, may_overlap, parts_of_all
from compute.mining.quantities import Quantity
from compute.mining.written_equations import is_written

Ranked = Sequence[tuple[Candidate, float]]
"""The relations of a figure with their probabilities, best first."""

OUTRIGHT = 0.6
"""The least probability of a claim that is made outright."""


def raised(within: Scope, target: Quantity, ranked: Ranked) -> list[tuple[Candidate, float]]:
    """The relations of a figure; one that is claimed outright has a probability of at least `OUTRIGHT`."""
    ranked = [*without_mistakes(within, ranked), *((one, 0.0) for one in decided(within, target))]
    if (parts := parts_of_all(within, target)) is not None and all(one.used != parts.used for one, _ in ranked):
        ranked = [*ranked, (parts, 0.0)]
    one, chance = next(((one, chance) for one, chance in ranked if is_outright(within, one)), (None, 1.0))
    if one is None or chance >= OUTRIGHT:
        return [*ranked]
    others = [(other, part * (1 - OUTRIGHT) / (1 - chance)) for other, part in ranked if other is not one]
    return sorted([(one, OUTRIGHT), *others], key=lambda pair: pair[1], reverse=True)


def is_outright(within: Scope, one: Candidate) -> bool:
    """Whether a sentence claims a relation outright."""
    if has(within.left(one.target)[-5:], NEGATED) or within.right(one.target)[:2] in _ROUGHLY:
        return False
    return any(test(within, one) for test in _TESTS.get(one.rule, ()))


def is_clear(within: Scope, one: Candidate) -> bool:
    """Whether a claim is clear: it is made outright, a change and both of its ends are named, or it is a usual mistake.

    *Down 75% to $2 from $8*; *from $8 to $2, a cut of 75%*; two discounts of 40% and 50% that are said to give 90%.
    """
    if one.rule in STACKED and one.target.figure.low == sum(part.figure.low for part in one.used):
        return True
    if one.rule == "known":
        own = {part.index for part in (one.target, *one.used)}
        return own.issuperset(range(within.first, within.last)) and is_decided(within, one)
    return (is_outright(within, one) and not may_overlap(within, one)) or _changed(within, one)


def _changed(within: Scope, one: Candidate) -> bool:
    ways = {"fall": DOWNWARD, "rise": UPWARD}
    left = within.left(one.target)[-1:]
    if one.rule not in ways or {word for part in one.used for word in within.left(part)[-1:]} != {"from", "to"}:
        return False
    if _begins_anew(within, one) or one.target.kind != within.quantities[one.target.index].kind:
        return False  # of a bare number it is not clear: cut 4 times this year, from 4% to 2.5%
    return bool(left and ways[one.rule].fullmatch(left[0])) or _only_change(within, one)


def _begins_anew(within: Scope, one: Candidate) -> bool:
    """Whether words between a change and its ends begin something else: from 40 to 30, and saved 18%."""
    ends = sorted(part.index for part in one.used)
    if ends[0] < one.target.index < ends[1]:
        return False
    gaps = within.gaps[one.target.index + 1 : ends[0] + 1] or within.gaps[ends[1] + 1 : one.target.index + 1]
    return any(has(gap, _BEGINNING) for gap in gaps)


_BEGINNING = frozenset({"and", "while", "whereas", "but", "though", "although", "as", ";", "."})


def _only_change(within: Scope, one: Candidate) -> bool:
    """Whether the words beside a figure name its change, and the two ends are all that its sentence could compare."""
    like = {part.index for part in within.targets if part.kind == one.used[0].kind}
    ends = within.right(one.target)[:1] in {(), *((sign,) for sign in ".,;:)—–")}
    return ends and named_rules(within, one.target) == {one.rule} and like == {part.index for part in one.used}


def _multiplied(within: Scope, one: Candidate) -> bool:
    """*Sales tripled from 1,200 to 3,600*; *costs doubled to $9,600 from $4,800*."""
    verb = TIMES_VERB.fullmatch(one.target.figure.text)
    if verb is None or not verb[0].lower().endswith("ed") or len(one.used) != 2:
        return False
    first, second = sorted(one.used, key=lambda part: part.index)
    adjacent = one.target.index + 1 == first.index and first.index + 1 == second.index
    gaps = within.right(one.target), within.right(first)
    near = (*gaps[0], *gaps[1][-1:]) in {("from", "to"), ("to", "from")} and len(gaps[1]) <= _SHORT
    return adjacent and near and alone(within, one) and _in_one_unit(one) and for_one_period(second, first)


def _restated(within: Scope, one: Candidate) -> bool:
    """*Bake at 180 °C (356 °F)*; *0.25 m², or 2,500 cm²*; *$1,450 a month, that is, $17,400 a year*."""
    if len(one.used) != 1 or one.used[0].index + 1 != one.target.index or one.fit:
        return False
    if not any(sign.isdigit() for sign in one.target.figure.text):
        return False  # two litres, half a gallon
    gap = within.right(one.used[0])
    unit = next((place for place, word in enumerate(gap) if word in _RESTATING), len(gap))
    said = gap[unit:]
    rated = one.target.kind == "money" or not set(TIMES).isdisjoint(one.target.pers)
    again = phrase(said, {"that is", "which is", "i . e"}) and unit <= (_FAR if rated else _NAME)
    or_so = has(said, {"(", "or", "=", "roughly", "approximately"}) and not rated and unit <= _NAME  # $5 a month or $50
    return (again or or_so) and _RESTATING.issuperset(said)


_FAR, _NAME = 8, 2
"""The most words between an amount and *that is*, and those of the name of a unit."""
_RESTATING = word_set("( , or = roughly approximately about that is which i . e some around equals nearly")
"""The words between an amount and the same in another unit."""


def _lasted(within: Scope, one: Candidate) -> bool:
    """*The works lasted from 1 October to 1 March, five months*; *born in 1958, she turned 66 in 2024*."""
    left = within.left(one.target)
    said = ("from" in left and "to" in left and left[-1] == ",") or ("born" in left and left[-1] == "turned")
    return not one.used and alone(within, one) and said


def _listed(within: Scope, one: Candidate) -> bool:
    """*We speak four languages: English, French, German and Polish*."""
    text = within.sentence.text[one.target.figure.end - within.sentence.start :]
    return alone(within, one) and not one.fit and _ITEMS.fullmatch(text.strip()) is not None


_ITEMS = re.compile(r"(?:[\w-]+ ){0,2}[\w-]+: (?:[A-Z]?[\w-]+, )+[A-Z]?[\w-]+,? and [A-Z]?[\w-]+[.!]?")
"""What follows a number of things in one word each."""


def _in_one_unit(one: Candidate) -> bool:
    """Whether all amounts of a relation are in one unit; a bare number is in that of the others if they are not scaled.

    27 inches, up 3 from 24: the 3 has to be read in inches too, as another candidate does.
    """
    return of_one_unit((one.target, *one.used))


def _from_to(within: Scope, one: Candidate) -> bool:
    """*Cut by 15 minutes, from 45 to 30*; *lost 14,000 inhabitants, dropping from 210,000 to 196,000*.

    The last figure may say for each of what all three are, *from $20 to $30 an ounce*; but not for how long, since $60
    may be what somebody pays over a year more if a rate goes from $20 to $25 a month.
    """
    first, second = sorted(one.used, key=lambda part: part.index)
    if not (one.target.index + 1 == first.index and first.index + 1 == second.index):
        return False
    left, gap = within.left(one.target), within.right(one.target)
    moved = left[-1:] == ("by",) or any(map(is_turn, left[-1:]))
    timed = not set(TIMES).isdisjoint(second.pers) and one.target.pers != second.pers
    return (
        moved
        and gap[-1:] == ("from",)
        and within.right(first)[-1:] == ("to",)
        and len(within.right(first)) <= _SHORT
        and not has(gap, _BEGINNING)
        and len(gap) <= _LONG
        and alone(within, one)
        and _in_one_unit(one)
        and for_one_period(second, first, one.target)
        and not timed
    )


def _compared(within: Scope, one: Candidate) -> bool:
    """*The phone weighs 180 g, 20 g less than the 200 g of the old one*; *$22, up $2 from $20*."""
    first, second = sorted(one.used, key=lambda part: part.index)
    if not (first.index + 1 == one.target.index and one.target.index + 1 == second.index):
        return False
    left, right = within.left(one.target), within.right(one.target)
    if not (alone(within, one) and _in_one_unit(one) and for_one_period(first, second, one.target)):
        return False
    if any(within.left(part)[-1:] in _SIGNS for part in one.used):
        return False
    if right[-1:] == ("from",) or right[:1] == ("from",):
        begun = len(left) > 1 and left[-2] in _COMMAS and len(right) <= _SHORT
        return begun and _in_order(left[-1:], first, second)
    place = next((place for place, word in enumerate(right[:_SHORT]) if word in _THAN), None)
    if place is None or (right[place] != "than" and place > 1):
        return False
    begun = bool(left) and (left[-1] in _COMMAS or left[-2:] in {("that", "is"), ("which", "is")})
    return begun and _in_order(right[: place + 1], first, second)


def _in_order(words: Sequence[str], first: Quantity, second: Quantity) -> bool:
    """Whether the first of two amounts is on the side of the second that a word names: *down*, *more than*."""
    if any(map(DOWNWARD.fullmatch, words)):
        return first.base < second.base
    return any(map(UPWARD.fullmatch, words)) and first.base > second.base


def _shared(within: Scope, one: Candidate) -> bool:
    """*75% of the class passed, 21 of 28*; *the share is a fifth: 1,400 of 7,000*."""
    if one.target.kind not in {"share", "ratio"} or len(one.used) != 2 or not alone(within, one):
        return False
    part, whole = sorted(one.used, key=lambda part: part.index)
    if not (one.target.index + 1 == part.index and part.index + 1 == whole.index and part.base < whole.base):
        return False
    left, gap, end = within.left(one.target), within.right(one.target), within.right(whole)
    if any(map(is_turn, left[-4:])) or has((*left[-4:], *gap), _LIMITS):
        return False  # rose 5%; above 20%; 10% off: no share of anything
    if has(gap, _OTHERS):
        return False  # 90% of the errors come from a few hosts, 3 of 40
    of = within.right(part)
    said = "of" in of and len(of) <= _SHORT
    named = one.target.figure.text.lower().startswith("one in") or left[-1:] in {("is",), ("was",)}
    ends = not end or end[0] in _ENDS  # 60% of the county, 3 of 4 towns: of something else
    return said and (gap[:1] == ("of",) or named) and gap[-1:] != () and gap[-1] in {*_COMMAS, ":", "(", "or"} and ends


def _rest(within: Scope, one: Candidate) -> bool:
    """*Of 48 nests, 30 held eggs and the other 18 stood empty*."""
    whole, *parts = sorted(one.used, key=lambda part: part.index)
    left, right = within.left(one.target), within.right(one.target)
    other = left[-2:] in _RESTS and not within.quantities[one.target.index].unit
    of = within.left(whole)
    opens = "of" in of[-2:] and whole.index == within.first and len(of) <= _SHORT
    each = "one" in within.right(whole)  # of the two classes, one has 30 pupils
    some = has(right, {"who", "that", "which"}) or (right[:1] and right[0].endswith("ed") and has(right, _BE))
    last = one.target.index == within.last - 1 == len(within.quantities) - 1  # the next sentence may name more of them
    less = max(part.base for part in parts) < whole.base
    return other and opens and last and less and not each and not some and alone(within, one)


_RESTS = frozenset({("the", "other"), ("the", "remaining"), ("the", "rest"), ("rest", ","), ("rest", "(")})


def _grown(within: Scope, one: Candidate) -> bool:
    """*Sales grew 5% a year for three years, from 200 to 232*."""
    own = within.quantities[within.first : within.last]
    times = [part for part in own if part.kind == "time"]
    if len(own) != len(one.used) + 2 or len(one.used) != 2 or len(times) != 1 or times[0].unit not in one.target.pers:
        return False
    first = min(one.used, key=lambda part: part.index)
    return within.left(first)[-1:] == ("from",) and within.right(first)[-1:] == ("to",) and of_one_unit(one.used)


def _paced(within: Scope, one: Candidate) -> bool:
    """*The calf grew from 190 to 310 kg in a hundred days, 1.2 kg a day*: not what either end is for a day."""
    ends = [part for part in one.used if within.left(part)[-1:] in {("from",), ("to",)}]
    times = [part for part in one.used if part.kind == "time" and part not in ends]
    paced = "time" in one.names and not set(TIMES).isdisjoint(one.target.pers)
    if len(one.used) != 3 or len(ends) != 2 or len(times) != 1 or not paced or not alone(within, one):
        return False
    first, last = ends
    return within.left(first)[-1:] == ("from",) and within.left(last)[-1:] == ("to",) and times[0].index > last.index


def _as_many(within: Scope, one: Candidate) -> bool:
    """*With 36 goals she has twice as many as the winger, who has 18*; *4 times as fast as the 48 minutes before*."""
    if one.target.kind != "ratio" or not _of_pair(within, one):
        return False
    first, last = sorted(one.used, key=lambda part: part.index)
    right = within.right(one.target)
    said = right[:1] == ("as",) and "as" in right[2:_AS_FAR]
    if has(within.between(max(first, one.target, key=lambda part: part.index), last), _BEGINNING):
        return False
    rates = len({part.pers for part in one.used if part.pers}) < 2 and first.kind != "money"
    periods = rates or for_one_period(last, first)
    return said and one.target.index < last.index and of_one_unit((first, last)) and periods


def _percent_than(within: Scope, one: Candidate) -> bool:
    """*The second took 12 seconds, 40% less than the first, which took 20*."""
    if one.target.kind != "share" or not _of_pair(within, one):
        return False
    first, last = sorted(one.used, key=lambda part: part.index)
    left, right = within.left(one.target), within.right(one.target)
    if not (first.index < one.target.index < last.index and of_one_unit((first, last)) and for_one_period(last, first)):
        return False
    place = next((place for place, word in enumerate(right[:_SHORT]) if word in _THAN), None)
    begun = bool(left) and (left[-1] in _COMMAS or left[-1:] in {("is",), ("was",)})
    gap = within.between(one.target, last)
    elsewhere = "," in gap and not phrase(
        gap, {", which", ", who", ", with", ", at"}
    )  # than a year ago, says a study of 6
    if has(within.after(one.target), _BEGINNING) or elsewhere:
        return False
    return begun and place is not None and _in_order(right[: place + 1], first, last)


def _of_pair(within: Scope, one: Candidate) -> bool:
    """Whether a relation is of two amounts, and of all figures of its sentence."""
    return len(one.used) == 2 and alone(within, one) and not has(within.left(one.target)[-3:], _LIMITS)


_TESTS: Mapping[str, Sequence[Callable[[Scope, Candidate], bool]]] = {
    "difference": (_from_to, _compared, _rest),
    "gap": (_from_to, _compared),
    "remainder": (_rest,),
    "part": (_shared, _multiplied, _as_many),
    "times": (_shared, _multiplied, _as_many),
    "fall": (_percent_than,),
    "rise": (_percent_than,),
    "span": (_lasted,),
    "items": (_listed,),
    "root": (_grown,),
    "excess": (_paced,),
    "convert": (_restated,),
    "celsius": (_restated,),
    "chain": (is_written,),
    "known": (is_decided,),
    **SUM_TESTS,
}
_AS_FAR = 6
"""The most words of a comparison: as many goals as."""
_SHORT = 3
"""The most words between figures that are set against each other."""
_LONG = 5
"""The most words between a change and its ends: *over the week, from*."""
_LIMITS = frozenset(
    {"above", "over", "under", "below", "least", "most", "than", "about", "discount", "chance", "target"}
    | {"quorum", "threshold", "mark", "majority", "minimum", "maximum", "limit", "goal", "required", "needed"}
)
_OTHERS = frozenset({"few", "fewer", "handful", "some", "several", "from", "goes", "go", "in"})
_THAN = frozenset({"than", "above", "below", "under", "over"})
_ROUGHLY = frozenset({("or", "so"), ("or", "more"), ("or", "less"), ("or", "fewer"), ("-", "odd"), ("-", "some")})
_SIGNS = frozenset({("-",), ("−",), ("minus",)})
_BE = frozenset({"is", "are", "was", "were", "be", "have", "has", "had"})
_COMMAS = frozenset({",", "–", "—", ";"})
_ENDS = frozenset({".", ",", ";", ")", ":", "!", "?"})
