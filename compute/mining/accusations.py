"""What a sentence says of each of its figures, and what of that may save a figure from being accused.

The relations say what a text seems to claim (`claim_model`); an opinion holds those that give a figure and those that
do not. `accusation_measures` measures what surrounds a figure that fits no claimed relation, and `accusation_trees`
weighs it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations

from compute.mining.claim_judging import Result
from compute.mining.claim_scopes import Candidate, Scope
from compute.mining.date_text import YEAR
from compute.mining.quantities import Quantity
from compute.mining.small_expressions import width


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a sentence says of one figure: the relations that give it, those that do not, and their probabilities."""

    within: Scope
    target: Quantity
    fits: tuple[tuple[Result, float], ...]
    wrong: tuple[tuple[Result, float], ...]
    near: float
    """The probability of all relations that give the figure, also of those that are far-fetched."""
    earlier: tuple[Quantity, ...] = ()
    """The figures of the text before the sentence, those of its scope, in text order."""
    likelier: frozenset[int] = frozenset()
    """The offsets of the figures of its sentence and of earlier ones that more probably claim something."""
    cued: tuple[tuple[Candidate, float], ...] = ()
    """The relations with their probabilities by the cues alone, before the network has read the text."""
    mistakes: frozenset[frozenset[int]] = frozenset()
    """The inputs of relations that give the figure exactly and that words exclude: the usual mistakes."""

    @property
    def likely(self) -> float:
        """The probability of the relations that fit."""
        return sum(chance for _, chance in self.fits)

    @property
    def claimed(self) -> float:
        """The probability of the relations that do not give the figure."""
        return sum(chance for _, chance in self.wrong)

    @property
    def rival(self) -> float:
        """The probability of the likeliest relation that does not give the figure."""
        return max((chance for _, chance in self.wrong), default=0.0)

    def mistaken(self, one: Candidate) -> bool:
        """Whether the figure is a usual mistake with the inputs of a relation, or with some more."""
        inputs = {part.index for part in one.used}
        return any(inputs <= mistake for mistake in self.mistakes)

    @property
    def holds(self) -> bool:
        """Whether relations that fit are likely, or exact ones likelier than chance and not far behind the others."""
        if self.likely >= HOLDS:
            return True
        exact = sum(chance for one, chance in self.fits if one.exact and self._result_of(one))
        if exact < max(HOLDS_EXACT, HOLDS_BESIDE * self.claimed):
            return False
        by_chance = _by_chance(self.target)
        return exact >= by_chance or (exact >= by_chance**2 and self._twice)

    def _result_of(self, one: Result) -> bool:
        """Whether the figure is the result of a relation, and neither one of its inputs nor a repetition of one."""
        return not _repeats(one) and self.likelier.isdisjoint(part.figure.start for part in one.candidate.used)

    @property
    def _twice(self) -> bool:
        """Whether one relation gives the figure from two pairs of inputs: input and output at half the price."""
        exact = [(one.candidate.rule, figures_of(one.candidate)) for one, _ in self.fits if one.exact]
        target = {self.target.figure.start}
        return any(rule == other and key & also == target for (rule, key), (other, also) in combinations(exact, 2))

    def gives(self, *values: Decimal) -> bool:
        """Whether one of some values, in the base unit, is the figure within its rounding, *about 52,500* within 50."""
        figure = self.target.figure
        room = (max(figure.half, figure.coarse) if figure.hedge == "about" else figure.half) * self.target.factor
        return any(abs(value - self.target.base) <= room for value in values)

    @property
    def best(self) -> Result:
        """The likeliest relation that fits; an exact one before one within the rounding of its inputs."""
        return max(self.fits, key=lambda pair: pair[1] * (1 if pair[0].exact else INEXACT))[0]


def _repeats(one: Result) -> bool:
    """Whether a relation only repeats a figure: the mean of 1886 and 1886, or 404 − 404 + 1,310."""
    target = one.candidate.target
    return any(part.kind == target.kind and part.base == target.base for part in one.candidate.used)


def _by_chance(target: Quantity) -> float:
    """The probability that a random number is a figure; 1 for a number without a unit that may be a year or a code.

    What is within half and twice a bound may be on its side.
    """
    if target.figure.hedge in {"at most", "at least"}:
        return BOUNDED
    bare = target.kind == "count" and not target.unit and _CODE.fullmatch(target.figure.text) is not None
    return 1.0 if bare else width(target)


BOUNDED = 0.15
"""The same for a bound: the part that a factor of two is of the sizes that a random figure may have."""
_CODE = re.compile(r"\d{4,}")


def figures_of(one: Candidate) -> frozenset[int]:
    """The offsets of all figures of a relation."""
    return frozenset(part.figure.start for part in (one.target, *one.used))


def spanned(within: Scope, one: Candidate) -> tuple[Quantity, ...]:
    """The figures of the sentences that a relation spans, from its first figure to its last."""
    homes = [within.home(part) for part in (one.target, *one.used)]
    return tuple(part for part in within.quantities if min(homes) <= within.home(part) <= max(homes))


def far(one: Result, times: int) -> bool:
    """Whether a result is more than some times off, and not by a power of ten: it is likely of something else."""
    figure = one.candidate.target.figure
    if not figure.low or not one.computed:
        return True
    ratio = abs(figure.low / one.computed)
    shifted = abs(one.computed) * Decimal(10) ** round(ratio.log10())
    return not 1 / Decimal(times) <= ratio <= times and abs(shifted - abs(figure.low)) > figure.half


HOLDS = 0.2
"""The probability of the relations that fit from which a figure holds, also within the rounding of the inputs."""
HOLDS_EXACT, HOLDS_BESIDE = 0.0005, 0.03
"""The same of those that give it exactly, and how much of the probability of those that do not fit it must be."""
INEXACT = 0.05
"""What the probability of a relation that fits within the rounding of its inputs counts beside that of an exact one."""
FAIR = 4
"""How many times likelier than all readings that give a figure the best one is that does not, where it is accused."""


def is_year(one: Quantity) -> bool:
    """Whether a figure is written as a year of the calendar: 1890, and not 1,890 or 1890 people."""
    return one.kind == "count" and not one.unit and bool(YEAR.fullmatch(one.figure.text))
