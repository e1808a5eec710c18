"""Runs a program on the figures of one day: the value, the bounds, and whether the value is within them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, localcontext
from functools import lru_cache
from itertools import islice, product
from math import prod
from typing import Literal

from compute.claims.claim_program import Program, Shape
from compute.claims.expectations import FieldError, FieldFault, Interval
from compute.claims.input_lookups import Figure, Lookups
from compute.formula.undefined_values import NoRoot, TooLarge, Undefined
from compute.formula.unit_types import UnitType
from compute.prices.price_dating import Undated
from compute.prices.price_models import Missing
from compute.units.number_format import KEPT
from compute.units.units import EXACT, Dimension, shown

MOST_CHOICES = 64
"""Up to this many combinations of rival catalogues are all tried; beyond it, only the main ones."""

Failure = Literal["missing", "units", "undefined", "never"]


@dataclass(frozen=True, slots=True)
class Reading:
    """The result of a program: value and bounds in base units, rounded; `holds` is None if unknown.

    Failure `never`: an equation has no solution, so the figure that the claim is about does not exist.
    """

    value: Decimal | None
    interval: Interval = (None, None)
    holds: bool | None = None
    failure: Failure | None = None
    reason: str = ""

    @property
    def margin(self) -> Decimal | None:
        """The distance from the nearest bound; negative if the value is out of bounds."""
        low, high = self.interval
        if self.value is None or (low is None and high is None):
            return None
        over = None if low is None else EXACT.subtract(self.value, low)
        under = None if high is None else EXACT.subtract(high, self.value)
        return min(distance for distance in (over, under) if distance is not None)


@dataclass(frozen=True, slots=True)
class Measured:
    """A claim on one day: its figures, their result, and the results if rival catalogues were right.

    `compared` are the figures of the claim that it is compared with, `other` is its value.
    """

    on: date
    figures: tuple[Figure | Missing, ...]
    reading: Reading
    choices: tuple[tuple[tuple[Figure, ...], Reading], ...] = ()
    compared: tuple[Figure | Missing, ...] = ()
    other: Decimal | None = None

    @property
    def undated(self) -> tuple[Undated, ...]:
        """The prices that are not dated for the day."""
        known = (figure for figure in (*self.figures, *self.compared) if isinstance(figure, Figure))
        return tuple(dict.fromkeys(figure.undated for figure in known if figure.undated))

    @property
    def dated(self) -> bool:
        """Whether every figure is there, and every price is dated for the day.

        Figures of texts always are, and assumptions that are known for the day.
        """
        if self.reading.failure == "missing":
            return False
        for figure in (*self.figures, *self.compared):
            if not isinstance(figure, Figure) or figure.undated is not None:
                return False
        return True


def measured(program: Program, day: Lookups, other: Decimal | None = None) -> Measured:
    """Evaluate a program on one day; `other` is the value of the claim that it is compared with."""
    figures = tuple([day.figure(leaf) for leaf in program.leaves])
    known = [figure for figure in figures if isinstance(figure, Figure)]
    if len(known) < len(figures):
        missing = [figure for figure in figures if isinstance(figure, Missing)]
        return Measured(day.on, figures, Reading(None, failure="missing", reason=_all_missing(missing)))
    first = reading(program, known, other)
    rivals = any(figure.rivals for figure in known)
    choices = tuple(_choices(program, known, other)) if rivals else ()
    return Measured(day.on, figures, first, choices)


def passes(found: Measured) -> bool:
    """Whether at least one of the catalogues makes a claim hold on a day."""
    return found.reading.holds is True or any(reading.holds for _, reading in found.choices)


def earlier(program: Program, day: Lookups, other: Decimal | None = None) -> Measured | None:
    """The claim on a day by prices of earlier snapshots, if it holds by them; None if it does not."""
    known = [(day.figure(leaf), day.earlier(leaf)) for leaf in program.leaves]
    if not any(past for _, past in known):
        return None
    ways = [[*past, *([now] if isinstance(now, Figure) else [])] for now, past in known]
    for figures in islice(product(*ways), MOST_CHOICES):
        found = reading(program, figures, other)
        if found.holds:
            return Measured(day.on, figures, found)
    return None


def _all_missing(missing: Sequence[Missing]) -> str:
    told = list(dict.fromkeys(one.message for one in missing))
    more = f"; and {len(told) - 2} more" if len(told) > 2 else ""
    return "; ".join(told[:2]) + more


def _choices(
    program: Program, figures: Sequence[Figure], other: Decimal | None
) -> Iterator[tuple[tuple[Figure, ...], Reading]]:
    ways = prod(1 + len(figure.rivals) for figure in figures)
    every = product(*((figure, *figure.rivals) for figure in figures))
    for choice in every if ways <= MOST_CHOICES else _main_choices(figures):
        yield choice, reading(program, choice, other)


def _main_choices(figures: Sequence[Figure]) -> Iterator[tuple[Figure, ...]]:
    """The main combinations: no rival, each rival alone, and each catalogue right about everything."""
    yield tuple(figures)
    for place, figure in enumerate(figures):
        for rival in figure.rivals:
            yield (*figures[:place], rival, *figures[place + 1 :])
    for catalog in dict.fromkeys(rival.catalog for figure in figures for rival in figure.rivals):
        yield tuple(next((one for one in figure.rivals if one.catalog == catalog), figure) for figure in figures)


def reading(program: Program, figures: Sequence[Figure], other: Decimal | None = None) -> Reading:
    """The value of a program on figures, and whether it meets the expectation. Never raises."""
    misfit = unfit(program.shape, tuple([figure.unit.dimension for figure in figures]))
    if misfit:
        return Reading(None, failure="units", reason=misfit)
    return computed(program, [figure.value for figure in figures], other)


def computed(program: Program, values: list[Decimal], other: Decimal | None = None) -> Reading:
    """The reading of numbers in base units, after their units were checked. Never raises."""
    with localcontext(EXACT):
        try:
            frame = program.frame(values)
            value = KEPT.plus(program.value(frame))
            low, high = program.bar.interval(frame, other)
            if not value.is_finite():
                raise TooLarge
        except NoRoot as error:
            return Reading(None, holds=False, failure="never", reason=error.reason)
        except Undefined as error:
            return Reading(None, failure="undefined", reason=error.reason)
        except ArithmeticError:
            return Reading(None, failure="undefined", reason="the figure is too large to compute")
    low = None if low is None else KEPT.plus(low)
    high = None if high is None else KEPT.plus(high)
    return Reading(value, (low, high), (low is None or low <= value) and (high is None or value <= high))


@lru_cache(maxsize=10_000)
def unfit(shape: Shape, dimensions: tuple[Dimension, ...]) -> str:
    """Why figures of these dimensions cannot be combined in programs of this shape; empty if they can."""
    found = _bound(shape, dimensions)
    return (
        f"units cannot meet in {found.field}: {found.error().error.sentence()}" if isinstance(found, FieldFault) else ""
    )


def bound_sorts(program: Program, dimensions: tuple[Dimension, ...]) -> tuple[UnitType, ...]:
    """The unit types of the frame when the leaves have these dimensions.

    Raises:
        FieldError: they do not fit together.
    """
    found = _bound(program.shape, dimensions)
    if isinstance(found, FieldFault):
        raise found.error()
    return found


@lru_cache(maxsize=10_000)
def _bound(shape: Shape, dimensions: tuple[Dimension, ...]) -> tuple[UnitType, ...] | FieldFault:
    try:
        return tuple(shape.bound(dimensions, tuple(shown(dimension) for dimension in dimensions)))
    except FieldError as error:
        return FieldFault.of(error)
