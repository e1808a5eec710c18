"""Other figures of a text that an accused figure may be of: the same relation with one input from an earlier paragraph.

*This leaves £1,226* is what the requests of this paragraph, £2,380, leave of the balance that an earlier one states.
*Cakes £412, entrance £318, tombola £286: £2,220* is the total of a list whose first items are too far away; in *boat
repairs, £5,240, including a rudder at £310* one amount is part of the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compute.mining.claim_cues import has
from compute.mining.claim_judging import result
from compute.mining.claim_scopes import Candidate, Scope, alike
from compute.mining.claim_traits import GROUPS
from compute.mining.quantities import Quantity
from compute.mining.small_expressions import CHANCE, EARLIER, width

NEAR = 160
"""The most characters between two items of a list."""


def another_input_fits(one: Candidate, earlier: Sequence[Quantity]) -> bool:
    """Whether a relation gives its target if one input is another figure of its kind that the text states earlier."""
    taken = {one.target.figure.start, *(part.figure.start for part in one.used)}
    others = [other for other in earlier if other.figure.start not in taken and other.figure.low > 0]
    tried = fitting = 0
    for used in _exchanged(one.used, others):
        tried += 1
        found = result(one._replace(used=used))
        fitting += found is not None and found.exact
    return bool(fitting) and tried * width(one.target) < CHANCE


def _exchanged(used: tuple[Quantity, ...], others: Sequence[Quantity]) -> Iterator[tuple[Quantity, ...]]:
    """The inputs with another figure in place of one; of two, the one that stays may take the other place."""
    for place, part in enumerate(used):
        for other in others:
            if _replaces(other, part):
                yield (*used[:place], other, *used[place + 1 :])
                if len(used) == 2 and _replaces(other, used[1 - place]):
                    yield (other, part) if place == 0 else (part, other)


def _replaces(other: Quantity, part: Quantity) -> bool:
    return alike(other, part) and other.pers == part.pers and other.factor == part.factor


_INCLUDING = frozenset({"including", "includes", "included", "incl", "thereof", "whereof"})


def other_list(within: Scope, one: Candidate, earlier: Sequence[Quantity]) -> bool:
    """Whether a sum may be of other items: figures before its first one give it too, or one is part of another.

    A list that begins farther back than is remembered may have any sum.
    """
    if GROUPS[one.rule] != "plus":
        return False
    *others, last = sorted(one.used, key=lambda part: part.index)
    periods = {part.pers for part in others} - {()} if last.pers else {part.pers for part in one.used}
    if not periods <= {last.pers} or any(has(within.left(part), _INCLUDING) for part in one.used):
        return True
    first = min(one.used, key=lambda part: part.figure.start).figure.start
    before = [
        other for other in earlier if other.figure.start < first and other.figure.start != one.target.figure.start
    ]
    total = sum(part.base for part in one.used)
    for place in range(len(before) - 1, -1, -1):
        last = before[place]
        if first - last.figure.end >= NEAR or not _replaces(last, one.used[0]) or _is_total(last, before[:place]):
            return False
        total += last.base
        if abs(total - one.target.base) <= one.target.figure.half * one.target.factor:
            return True
        first = last.figure.start
    return len(earlier) >= EARLIER


def _is_total(one: Quantity, before: Sequence[Quantity]) -> bool:
    """Whether the two to four figures before one add up to it: it ends a list of its own."""
    sums = (before[-size:] for size in range(2, min(4, len(before)) + 1))
    return any(sum(part.base for part in some) == one.base for some in sums)
