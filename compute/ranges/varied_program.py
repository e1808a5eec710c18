"""A program with other figures: where its value lies, and where along one figure that changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from compute.claims.claim_evaluation import computed
from compute.claims.claim_program import Program
from compute.formula.root_finding import turning
from compute.ranges.critical_points import critical_points

Position = Literal["inside", "under", "over", "nowhere", "unknown"]
"""The position of a value relative to its bounds; `nowhere`: the claimed figure does not exist."""


@dataclass(frozen=True, slots=True)
class VariedProgram:
    """A program at its figures in base units; `other` is the value that it is compared with."""

    program: Program
    values: list[Decimal]
    other: Decimal | None

    def position(self, changes: Mapping[int, Decimal]) -> Position:
        """Where the value lies with other figures in some slots."""
        values = list(self.values)
        for slot, value in changes.items():
            values[slot] = value
        found = computed(self.program, values, self.other)
        if found.holds or found.holds is None:
            return "inside" if found.holds else "unknown"
        low = found.interval[0]
        if found.value is None:
            return "nowhere"
        return "under" if low is not None and found.value < low else "over"

    def critical(self, slot: int) -> list[Decimal] | None:
        """The only values of one figure at which the position can change, where they are known."""
        return critical_points(self.program, self.values, slot, self.other)


def first_change(position: Callable[[Decimal], Position], stops: Iterable[Decimal]) -> Decimal | None:
    """The first value at which a claim starts or stops holding, on the way from the first stop to the others."""
    way = iter(stops)
    last = next(way)
    before = position(last)
    now = before == "inside"
    for stop in way:
        there = position(stop)
        if there != "unknown" and (there == "inside") != now:
            return turning(lambda value: (position(value) == "inside") == now, last, stop)
        if {before, there} == {"under", "over"}:  # the step skipped the interval
            return _entry(position, before, last, stop)
        last, before = stop, there
    return None


def _entry(position: Callable[[Decimal], Position], side: Position, last: Decimal, stop: Decimal) -> Decimal:
    """The start of an interval between two points."""
    return turning(lambda value: position(value) == side, last, stop)
