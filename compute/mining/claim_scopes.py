"""What the solver searches: a sentence with, if needed, those before it; and what it finds, a candidate.

A candidate is one relation that a sentence may claim. Its score comes from words, places and types alone; whether it
computes is not known when it is chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import takewhile
from typing import NamedTuple

from compute.mining.expressions import Term
from compute.mining.noun_reader import TIMES
from compute.mining.quantities import Quantity, Sentence

HOURS = {
    "ms": Decimal(1) / 3_600_000, "second": Decimal(1) / 3600, "minute": Decimal(1) / 60, "h": Decimal(1),
    "day": Decimal(24),
    "week": Decimal(168), "month": Decimal(730), "quarter": Decimal(2190), "year": Decimal(8760),
}  # fmt: skip  # one line per group is more readable
A_YEAR = {"month": Decimal(12), "week": Decimal(52), "day": Decimal(365), "quarter": Decimal(4)}
"""How many of a period a year has."""


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """Quantities of some sentences with the words between them; two scopes are equal if they are one.

    Those from `first` to `last` are in the sentence that claims.

    `homes` says for each quantity in which of the sentences it is.
    """

    sentence: Sentence
    quantities: tuple[Quantity, ...]
    gaps: tuple[tuple[str, ...], ...]
    homes: tuple[int, ...]
    first: int
    last: int

    def left(self, one: Quantity) -> tuple[str, ...]:
        """The words before a quantity, back to the previous one."""
        return self.gaps[one.index]

    def right(self, one: Quantity) -> tuple[str, ...]:
        """The words after a quantity, up to the next one."""
        return self.gaps[one.index + 1]

    def before(self, one: Quantity) -> tuple[str, ...]:
        """The words before a quantity, back to the previous one or the beginning of its sentence."""
        return tuple(takewhile(_inside, self.left(one)[::-1]))[::-1]

    def after(self, one: Quantity) -> tuple[str, ...]:
        """The words after a quantity, up to the next one or the end of its sentence."""
        return tuple(takewhile(_inside, self.right(one)))

    def between(self, one: Quantity, two: Quantity) -> tuple[str, ...]:
        """All words between two quantities, without those inside quantities."""
        return tuple(word for gap in self.gaps[one.index + 1 : two.index + 1] for word in gap)

    def home(self, one: Quantity) -> int:
        """The number of the sentence of a quantity."""
        return self.homes[one.index]

    @property
    def targets(self) -> tuple[Quantity, ...]:
        """The quantities of the sentence that claims."""
        return () if self.sentence.table else self.quantities[self.first : self.last]


def scope(every: Sequence[Sentence], place: int) -> Scope:
    """The scope of one of some sentences that follow each other."""
    found: list[Quantity] = []
    gaps: list[tuple[str, ...]] = [()]
    homes: list[int] = []
    first = 0
    for number, one in enumerate(every):
        count = len(found)
        first = count if number == place else first
        found += [quantity.moved(count) for quantity in one.quantities]
        homes += [number] * len(one.quantities)
        border = () if not count else (PARAGRAPH, ".") if one.opens else (".",)
        gaps = [*gaps[:-1], (*gaps[-1], *border, *one.gaps[0]), *one.gaps[1:]]
    last = first + len(every[place].quantities)
    return Scope(every[place], tuple(found), tuple(gaps), tuple(homes), first, last)


PARAGRAPH = "¶"
"""Represents a blank line among the words."""


def _inside(word: str) -> bool:
    """Whether a word is inside a sentence."""
    return word not in {".", PARAGRAPH}


class Candidate(NamedTuple):
    """One relation: `expression` over the `names` of the `used` quantities should give the `target`.

    `united` says that the inputs keep their units in the formula. `exact` relations (sums) allow no other rounding than
    that of the last digit. The expression of a `raw` relation has all conversions of units; its result may be rounded
    to its last digit that is not 0. `fit` says how well the units of a product fit: 0 is best. `score` is the log of
    how likely the text claims the relation, by its words alone.
    """

    rule: str
    target: Quantity
    used: tuple[Quantity, ...]
    names: tuple[str, ...]
    expression: Term
    united: bool = True
    exact: bool = False
    raw: bool = False
    fit: int = 0
    score: float = 0.0


def alike(one: Quantity, two: Quantity) -> bool:
    """Whether two quantities can be added and compared."""
    if one.kind != two.kind or one.figure.ranged or two.figure.ranged:
        return False
    if one.figure.label and two.figure.label and one.figure.label != two.figure.label:
        return False
    if one.kind in {"money", "unit", "time"} and one.unit != two.unit:
        return one.kind == "time" and one.unit in TIMES and two.unit in TIMES
    if one.kind == "count" and one.unit and two.unit and one.unit != two.unit:
        return False
    return per_alike(one, two)


def per_alike(one: Quantity, two: Quantity) -> bool:
    """Whether two quantities are for each of the same, as far as both say."""
    first, second = (set(quantity.pers) - {"each"} for quantity in (one, two))
    return first <= second or second <= first


def sized(one: Quantity, other: Quantity | None = None) -> Decimal:
    """The value of a quantity in a unit that it shares with another."""
    if one.kind == "time" and other is not None and other.unit != one.unit and one.unit in HOURS:
        return one.figure.low * HOURS[one.unit]
    return one.base
