"""Runs a program on figures: the value, the bounds, and whether the value is within them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from typing import Literal

from compute.claims.claim_program import TOO_LARGE, Program, unfit
from compute.claims.expectations import Interval
from compute.claims.input_lookups import Figure
from compute.formula.formula_errors import NoRoot, Undefined
from compute.units.number_format import KEPT
from compute.units.units import EXACT

Failure = Literal["missing", "units", "undefined", "never"]
Position = Literal["inside", "under", "over", "nowhere", "unknown"]  # nowhere: the claimed figure does not exist


@dataclass(frozen=True, slots=True)
class Reading:
    """Value and bounds in base units, rounded; `holds` is None if unknown.

    Failure `never`: an equation has no solution, so the claimed figure does not exist.
    """

    value: Decimal | None
    interval: Interval = (None, None)
    holds: bool | None = None
    failure: Failure | None = None
    reason: str = ""

    @property
    def margin(self) -> Decimal | None:
        """Distance from the nearest bound; negative if the value is out of bounds."""
        low, high = self.interval
        if self.value is None or (low is None and high is None):
            return None
        over = None if low is None else EXACT.subtract(self.value, low)
        under = None if high is None else EXACT.subtract(high, self.value)
        return min(distance for distance in (over, under) if distance is not None)

    @property
    def position(self) -> Position:
        """Where the value lies."""
        if self.holds is None:
            return "unknown"
        if self.value is None:
            return "nowhere"
        low = self.interval[0]
        return "inside" if self.holds else "under" if low is not None and self.value < low else "over"


def reading(program: Program, figures: Sequence[Figure], other: Decimal | None = None) -> Reading:
    """Value of a program on figures, and whether it meets the expectation. Never raises."""
    misfit = unfit(program, tuple([figure.unit.dimension for figure in figures]))
    if misfit:
        return Reading(None, failure="units", reason=misfit)
    return computed(program, [figure.value for figure in figures], other)


def computed(program: Program, values: list[Decimal], other: Decimal | None = None) -> Reading:
    """Reading of numbers in base units whose units were checked. Never raises."""
    with localcontext(EXACT):
        try:
            frame = program.frame(values)
            value = KEPT.plus(program.value(frame))
            low, high = program.bar.interval(frame, other)
            if not value.is_finite():
                raise Undefined(TOO_LARGE)
        except NoRoot as error:
            return Reading(None, holds=False, failure="never", reason=str(error))
        except Undefined as error:
            return Reading(None, failure="undefined", reason=str(error))
        except ArithmeticError:
            return Reading(None, failure="undefined", reason=TOO_LARGE)
    low = None if low is None else KEPT.plus(low)
    high = None if high is None else KEPT.plus(high)
    return Reading(value, (low, high), (low is None or low <= value) and (high is None or value <= high))


@dataclass(frozen=True, slots=True)
class Trial:
    """A program on figures, some of them replaced; `other` is the value that it is compared with."""

    program: Program
    figures: Sequence[Figure]
    other: Decimal | None

    def at(self, changes: Mapping[int, Decimal]) -> Reading:
        """Reading with other values, in base units, in some slots."""
        values = [figure.value for figure in self.figures]
        for slot, value in changes.items():
            values[slot] = value
        return computed(self.program, values, self.other)
