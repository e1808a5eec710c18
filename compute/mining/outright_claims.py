"""Claims that the grammar of a sentence makes outright, however seldom texts of that wording were learned from.

    by 15 minutes, from 45 to 30 · $20 more than the $50 · up 2 from 8 · 75% of the class, 21 of 28 · the other 12

Each is of a sentence whose figures are those of the relation and no others: nothing else could be said of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from compute.mining.claim_cues import DOWNWARD, NEGATED, UPWARD, has
from compute.mining.claim_scopes import Candidate, Scope
from compute.mining.fair_readings import STACKED, named_rules
from compute.mining.quantities import Quantity

Ranked = Sequence[tuple[Candidate, float]]
"""The relations of a figure with their probabilities, best first."""

OUTRIGHT = 0.6
"""The least probability of a claim that is made outright."""


def raised(within: Scope, ranked: Ranked) -> list[tuple[Candidate, float]]:
    """The relations of a figure; one that is claimed outright has a probability of at least `OUTRIGHT`."""
    named = next((place for place, (one, _) in enumerate(ranked) if is_outright(within, one)), None)
    if named is None or ranked[named][1] >= OUTRIGHT:
        return [*ranked]
    one, chance = ranked[named]
    others = [(other, part * (1 - OUTRIGHT) / (1 - chance)) for other, part in ranked if other is not one]
    return sorted([(one, OUTRIGHT), *others], key=lambda pair: pair[1], reverse=True)


def is_outright(within: Scope, one: Candidate) -> bool:
    """Whether a sentence claims a relation outright."""
    if has(within.left(one.target)[-5:], NEGATED):
        return False
    return any(test(within, one) for test in _TESTS.get(one.rule, ()))


def is_clear(within: Scope, one: Candidate) -> bool:
    """Whether a claim is clear: it is made outright, a change and both of its ends are named, or it is a usual mistake.

    *Down 75% to $2 from $8*; *from $8 to $2, a cut of 75%*; two discounts of 40% and 50% that are said to give 90%.
    """
    if one.rule in STACKED and one.target.figure.low == sum(part.figure.low for part in one.used):
        return True
    return is_outright(within, one) or _changed(within, one)


def _changed(within: Scope, one: Candidate) -> bool:
    ways = {"fall": DOWNWARD, "rise": UPWARD}
    left = within.left(one.target)[-1:]
    if one.rule not in ways or {word for part in one.used for word in within.left(part)[-1:]} != {"from", "to"}:
        return False
    if _apart(within, one) or one.target.kind != within.quantities[one.target.index].kind:
        return False  # of a bare number it is not clear: cut 4 times this year, from 4% to 2.5%
    return bool(left and ways[one.rule].fullmatch(left[0])) or _only_change(within, one)


def _apart(within: Scope, one: Candidate) -> bool:
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


def _turned(word: Sequence[str]) -> bool:
    """Whether a word is of a change, up or down."""
    return bool(word) and (DOWNWARD.fullmatch(word[0]) or UPWARD.fullmatch(word[0])) is not None


def _alone(within: Scope, one: Candidate) -> bool:
    """Whether the figures of a relation are all that its sentence has."""
    own = {part.index for part in (one.target, *one.used)}
    return own == set(range(within.first, within.last))


def _like(target: Quantity, parts: Sequence[Quantity]) -> bool:
    """Whether amounts may be of one thing: no unit differs, and none is of a period that the next has not."""
    units = {part.unit for part in (target, *parts) if part.unit}
    bare = all(part.kind == "count" and not part.unit for part in parts)
    last = max((target, *parts), key=lambda part: part.index)  # from $20 to $30 an ounce
    return (len(units) < 2 or bare) and len({part.pers for part in (target, *parts) if part is not last}) == 1


def _from_to(within: Scope, one: Candidate) -> bool:
    """*Cut by 15 minutes, from 45 to 30*; *lost 14,000 inhabitants, dropping from 210,000 to 196,000*."""
    first, second = sorted(one.used, key=lambda part: part.index)
    if not (one.target.index + 1 == first.index and first.index + 1 == second.index):
        return False
    left, gap = within.left(one.target), within.right(one.target)
    moved = left[-1:] == ("by",) or _turned(left[-1:])
    return (
        moved
        and gap[-1:] == ("from",)
        and within.right(first)[-1:] == ("to",)
        and len(within.right(first)) <= _SHORT
        and not has(gap, _BEGINNING)
        and len(gap) <= _APART
        and _alone(within, one)
        and _like(one.target, one.used)
    )


def _compared(within: Scope, one: Candidate) -> bool:
    """*The phone weighs 180 g, 20 g less than the 200 g of the old one*; *$22, up $2 from $20*."""
    first, second = sorted(one.used, key=lambda part: part.index)
    if not (first.index + 1 == one.target.index and one.target.index + 1 == second.index):
        return False
    left, right = within.left(one.target), within.right(one.target)
    if not _alone(within, one) or not _like(one.target, one.used):
        return False
    if right[-1:] == ("from",) or right[:1] == ("from",):
        return bool(left) and len(left) > 1 and left[-2] in _COMMAS and _turned(left[-1:]) and len(right) <= _SHORT
    place = next((place for place, word in enumerate(right[:_SHORT]) if word in _THAN), None)
    if place is None or (right[place] != "than" and place > 1):
        return False
    return left[-1:] != () and (left[-1] in _COMMAS or left[-2:] == ("that", "is"))


def _shared(within: Scope, one: Candidate) -> bool:
    """*75% of the class passed, 21 of 28*; *the share is a fifth: 1,400 of 7,000*."""
    if one.target.kind != "share" or len(one.used) != 2 or not _alone(within, one):
        return False
    part, whole = sorted(one.used, key=lambda part: part.index)
    if not (one.target.index + 1 == part.index and part.index + 1 == whole.index):
        return False
    left, gap, end = within.left(one.target), within.right(one.target), within.right(whole)
    if any(map(_turned, zip(left[-4:], strict=False))) or has((*left[-4:], *gap), _LIMITS):
        return False  # rose 5%; above 20%; 10% off: no share of anything
    of = within.right(part)
    said = "of" in of and len(of) <= _SHORT
    whose = gap[:1] == ("of",) or one.target.figure.text.lower().startswith("one in") or left[-1:] == ("is",)
    ends = not end or end[0] in _ENDS  # 60% of the county, 3 of 4 towns: of something else
    return said and whose and gap[-1:] != () and gap[-1] in {*_COMMAS, ":", "(", "or"} and ends


def _rest(within: Scope, one: Candidate) -> bool:
    """*Of 48 nests, 30 held eggs and the other 18 stood empty*."""
    whole = min(one.used, key=lambda part: part.index)
    left = within.left(one.target)
    other = left[-2:] in {("the", "other"), ("the", "remaining")}
    of = within.left(whole)
    opens = "of" in of[-2:] and whole.index == within.first
    return other and opens and one.target.index == within.last - 1 and _alone(within, one) and len(of) <= _SHORT


_TESTS: Mapping[str, Sequence[Callable[[Scope, Candidate], bool]]] = {
    "difference": (_from_to, _compared, _rest),
    "remainder": (_rest,),
    "part": (_shared,),
}
_SHORT = 3
"""The most words between figures that are set against each other."""
_APART = 5
"""The most words between a change and its ends: *over the week, from*."""
_LIMITS = frozenset(
    {"above", "over", "under", "below", "least", "most", "than", "about", "discount", "chance", "target"}
)
_THAN = frozenset({"than", "above", "below", "under", "over"})
_COMMAS = frozenset({",", "–", "—", ";"})
_ENDS = frozenset({".", ",", ";", ")", ":", "!", "?"})
