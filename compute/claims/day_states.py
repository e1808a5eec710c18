"""The state of a claim on a day: whether it holds, and in which part of the stated ranges of its inputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from compute.claims.claim_evaluation import Measured, Reading
from compute.claims.claim_program import Program
from compute.claims.input_lookups import Figure
from compute.claims.verdict_table import State
from compute.formula.formula_terms import ChoiceLeaf, PriceLeaf
from compute.ranges.opening_search import Opening, StatedRange, opening
from compute.ranges.range_sample import Part, Ranged, RangeResult, readable
from compute.ranges.ranged_inputs import RangedInput, ranged_inputs
from graph.models.written_figures import GivenRange

ENOUGH = Decimal("0.5")
"""A claim is true where it holds in at least this share of its ranges."""

MOST_RESULTS = 10_000


@dataclass(frozen=True, slots=True)
class Partner:
    """The claim that a value is compared with: its program, its ranges, and the prefix of its given figures."""

    program: Program
    ranges: tuple[GivenRange, ...]
    prefix: str


@dataclass(frozen=True, slots=True)
class DayState:
    """The state; `opening` are figures within their ranges with which a failing claim holds."""

    state: State
    opening: Opening | None = None
    over_ranges: RangeResult | None = None


class RangeResults:
    """The results of claims over their ranges; claims with equal formulas, figures and ranges share them."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], RangeResult] = {}

    def of(self, ranged: Ranged) -> RangeResult:
        """The result of a claim with at least one ranged input."""
        parts = [part for part in (ranged.own, ranged.compared) if part]
        keys = ((part.program, part.inputs, tuple(figure.value for figure in part.figures)) for part in parts)
        key = (*keys, ranged.other)
        if key not in self._known:
            if len(self._known) >= MOST_RESULTS:
                self._known.clear()
            self._known[key] = ranged.result()
        return self._known[key]


@dataclass(frozen=True, slots=True)
class ClaimDay:
    """A claim measured on one day, with the ranges of its inputs and those of the claim that it is compared with."""

    program: Program
    day: Measured
    ranges: Sequence[GivenRange]
    results: RangeResults
    partner: Partner | None = None

    def state(self, today: date) -> DayState:
        """The state; `S` if it depends on which of the rival catalogues is right, `?` if the day is to come."""
        ways = self.day.choices or ((readable(self.day.figures), self.day.reading),)
        found = [self.state_with(figures, reading) for figures, reading in ways]
        if len({one.state for one in found}) > 1:
            opened = next((one.opening for one in found if one.opening), None)
            return DayState(State.DISPUTED, opened, found[0].over_ranges)
        if found[0].state is State.FALSE and days_to_come(self.program, self.day, today):
            return DayState(State.UNKNOWN, None, found[0].over_ranges)
        return found[0]

    def state_with(self, figures: tuple[Figure, ...] | None, found: Reading) -> DayState:
        """The state with other figures, such as those of a rival catalogue, and what is found with them."""
        if figures is None or found.failure in {"missing", "units"}:
            return DayState(State.UNKNOWN)
        ranged = self.ranged(figures)
        result = self.results.of(ranged) if ranged else None
        if found.holds is None:
            return DayState(State.UNKNOWN, over_ranges=result)
        if found.holds:
            most = result is None or result.share >= ENOUGH
            return DayState(State.TRUE if most else State.OPEN, over_ranges=result)
        opened = self._opening(figures)
        somewhere = opened is not None or (result is not None and result.share > 0)
        return DayState(State.OPEN if somewhere else State.FALSE, opened, result)

    def ranged(self, figures: tuple[Figure, ...]) -> Ranged | None:
        """The claim with the ranges of its inputs; None if no input has one."""
        own = Part(self.program, figures, ranged_inputs(self.program, figures, self.ranges))
        ranged = Ranged(own, self._compared(), self.day.other)
        return ranged if ranged.inputs else None

    def _compared(self) -> Part | None:
        """The claim that the value is compared with, if it has ranges."""
        figures, partner = readable(self.day.compared), self.partner
        if partner is None or figures is None:
            return None
        inputs = ranged_inputs(partner.program, figures, partner.ranges, partner.prefix)
        return Part(partner.program, figures, inputs) if inputs else None

    def _opening(self, figures: tuple[Figure, ...]) -> Opening | None:
        """The figures within their ranges with which the claim holds."""
        there = (figure.assumption for figure in self.day.compared if isinstance(figure, Figure))
        shared = {("assumption", held.name) for held in there if held}  # they would move there too
        inputs = ranged_inputs(self.program, figures, self.ranges)
        stated = [each for one in inputs if one.key not in shared for each in _together(one, figures)]
        return opening(self.program, figures, stated, self.day.other)


def _together(one: RangedInput, figures: Sequence[Figure]) -> list[StatedRange]:
    """The slots of an input as ranges, those with one value and one range together: they cannot differ."""
    slots: dict[tuple[Decimal, Decimal, Decimal], list[int]] = {}
    for slot, spread in one.spreads:
        slots.setdefault((spread.low, spread.high, figures[slot].value), []).append(slot)
    return [StatedRange(tuple(each), low, high) for (low, high, _), each in slots.items()]


def days_to_come(program: Program, day: Measured, today: date) -> tuple[date, ...]:
    """The days after `today` for which a claim reads prices that are not dated for them."""
    read = zip(program.leaves, day.figures, strict=True)
    named = ((leaf.on, one) for leaf, one in read if isinstance(leaf, PriceLeaf | ChoiceLeaf))
    return tuple(on for on, one in named if on and on > today and isinstance(one, Figure) and one.undated)
