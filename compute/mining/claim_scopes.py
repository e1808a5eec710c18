"""What the solver searches: a sentence with, if needed, those before it; and what it finds, a candidate.

A candidate is one relation that a sentence may claim. Its score comes from words, places and types alone; whether it
computes is not known when it is chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from compute.mining.expressions import Op
from compute.mining.quantities import TIMES, Quantity, Sentence

HOURS = {
    "ms": Decimal(1) / 3_600_000, "second": Decimal(1) / 3600, "minute": Decimal(1) / 60, "h": Decimal(1),
    "day": Decimal(24),
    "week": Decimal(168), "month": Decimal(730), "quarter": Decimal(2190), "year": Decimal(8760),
}  # fmt: skip  # one line per group is more readable


@dataclass(frozen=True, slots=True)
class Scope:
    """Quantities with the words between them; those from `first` on are in the sentence that claims."""

    sentence: Sentence
    quantities: tuple[Quantity, ...]
    gaps: tuple[tuple[str, ...], ...]
    first: int = 0

    def left(self, one: Quantity) -> tuple[str, ...]:
        """The words before a quantity, back to the previous one."""
        return self.gaps[one.index]

    def right(self, one: Quantity) -> tuple[str, ...]:
        """The words after a quantity, up to the next one."""
        return self.gaps[one.index + 1]

    def between(self, one: Quantity, two: Quantity) -> tuple[str, ...]:
        """All words between two quantities, without those inside quantities."""
        return tuple(word for gap in self.gaps[one.index + 1 : two.index + 1] for word in gap)

    @property
    def targets(self) -> tuple[Quantity, ...]:
        """The quantities of the sentence that claims."""
        return self.quantities[self.first :]


def scope(sentence: Sentence, before: Sequence[Sentence] = ()) -> Scope:
    """The scope of a sentence with those before it."""
    found: list[Quantity] = []
    gaps: list[tuple[str, ...]] = [()]
    for one in (*before, sentence):
        first = len(found)
        found += [replace(quantity, index=first + quantity.index) for quantity in one.quantities]
        gaps = [*gaps[:-1], (*gaps[-1], *((".",) if first else ()), *one.gaps[0]), *one.gaps[1:]]
    return Scope(sentence, tuple(found), tuple(gaps), len(found) - len(sentence.quantities))


@dataclass(frozen=True, slots=True)
class Candidate:
    """One relation: `expression` over the `names` of the `used` quantities should give the `target`.

    `united` says that the inputs keep their units in the formula. `exact` relations (sums) allow no other rounding than
    that of the last digit. `sure` ones may be refuted; others are reported if they hold.
    """

    rule: str
    target: Quantity
    used: tuple[Quantity, ...]
    names: tuple[str, ...]
    expression: Op | str | Decimal
    score: float
    united: bool = True
    exact: bool = False
    sure: bool = True
    note: str = ""


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
