"""Whether a relation has all figures of its sentence, in one unit and for one period."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from compute.mining.claim_scopes import Candidate, Scope
from compute.mining.noun_reader import TIMES
from compute.mining.quantities import Quantity


def alone(within: Scope, one: Candidate) -> bool:
    """Whether the figures of a relation are all that its sentence has."""
    own = {part.index for part in (one.target, *one.used)}
    return own == set(range(within.first, within.last))


def of_one_unit(every: Sequence[Quantity]) -> bool:
    """Whether some amounts are in one unit, times in any; bare numbers are in that of the first if none is scaled."""
    if all(part.kind == "time" and part.unit in TIMES for part in every):
        return True
    units, factors = {part.unit for part in every if part.unit}, {part.factor for part in every}
    return len(factors) == 1 and (len(units) < 2 or all(part.kind == "count" and not part.unit for part in every[1:]))


def for_one_period(said: Quantity, *others: Quantity) -> bool:
    """Whether amounts are for each of the same as one of them, or do not say for each of what they are."""
    return all(part.pers in {(), said.pers} for part in others)


def adjacent_words(within: Scope, one: Quantity) -> tuple[str, ...]:
    """The words next to a figure: four before it, and those after it up to a comma, *and* or the end."""
    after = takewhile(lambda word: word not in _BORDERS, within.right(one)[:4])
    return (*within.left(one)[-4:], *after)


_BORDERS = frozenset({",", ";", ".", ":", "and", "but"})
