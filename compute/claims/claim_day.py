"""A claim on one day: its figures, their result, and its state within the stated ranges of its inputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property
from itertools import product
from math import prod
from typing import NamedTuple

from compute.claims.claim_program import Program, Reading, Trial, fit
from compute.claims.input_lookups import Figure
from compute.claims.verdict_table import State
from compute.formula.formula_tree import PriceLeaf, Slot
from compute.formula.unit_types import unit_type
from compute.prices.price_models import Missing
from compute.prices.price_selection import Undated
from compute.ranges.change_search import Opening, opening
from compute.ranges.ranged_claims import ENOUGH, Ranged, RangedInput, RangeResult, ranged_inputs
from compute.units.units import Unit, shown
from graph.models.claim_models import Claim
from graph.models.written_figures import GivenRange
from graph.text.counts import few

MOST_CHOICES = 64  # combinations of rival catalogues; if there are more, only the main ones are tried


class DayState(NamedTuple):
    """A state; `opening` are figures within their ranges with which a failing claim holds."""

    state: State
    opening: Opening | None = None
    over_ranges: RangeResult | None = None


@dataclass(frozen=True)
class ClaimDay:
    """A claim on the day `on`, evaluated on the day `today`, with the `ranges` of its given figures.

    `compared` is the claim that it is compared with, on the same day; `uncompared` says why that has no value.
    """

    claim: Claim
    program: Program
    on: date
    today: date
    figures: tuple[Figure | Missing, ...]
    ranges: tuple[GivenRange, ...] = ()
    compared: ClaimDay | None = None
    uncompared: str = ""

    @cached_property
    def known(self) -> tuple[Figure, ...] | None:
        """The figures; None if one is missing."""
        known = tuple(figure for figure in self.figures if isinstance(figure, Figure))
        return known if len(known) == len(self.figures) else None

    @property
    def other(self) -> Decimal | None:
        """Value of the compared claim; 0 where only the own value matters."""
        if self.compared is None:
            return Decimal(0) if self.program.bar.target else None
        return self.compared.reading.value

    @cached_property
    def reading(self) -> Reading:
        """Result of the figures."""
        if self.uncompared:
            return Reading(None, failure="missing", reason=self.uncompared)
        if self.known is None:
            missing = dict.fromkeys(one.message for one in self.figures if isinstance(one, Missing))
            return Reading(None, failure="missing", reason=few([*missing], 2, "; ", "; and"))
        found = self.trial(self.known).reading()
        if self.compared is None or found.value is None:
            return found
        own, other = self._own_unit.dimension, self.compared.unit.dimension
        if own is other:
            return found
        return Reading(None, failure="units", reason=f"units do not match: {own} and {other}")

    @cached_property
    def choices(self) -> tuple[tuple[tuple[Figure, ...], Reading], ...]:
        """The results with each choice of rival catalogues; empty without rivals."""
        known = self.known or ()
        if self.uncompared or not any(figure.rivals for figure in known):
            return ()
        if self.compared is not None and self.reading.failure == "units":
            return ()
        return tuple((choice, self.trial(choice).reading()) for choice in _choices(known))

    @property
    def passes(self) -> bool:
        """Whether the claim holds with at least one of the catalogues."""
        return self.reading.holds is True or any(found.holds for _, found in self.choices)

    @property
    def read(self) -> tuple[Figure, ...]:
        """The figures that it has, its own and those of the compared claim."""
        every = (*self.figures, *(self.compared.figures if self.compared else ()))
        return tuple(one for one in every if isinstance(one, Figure))

    @property
    def undated(self) -> tuple[Undated, ...]:
        """Prices that are not dated for the day."""
        return tuple(dict.fromkeys(one.undated for one in self.read if one.undated))

    @cached_property
    def dated(self) -> bool:
        """Whether no figure is missing and every price is dated for the day; literals and assumptions always are."""
        return self.reading.failure != "missing" and not self.undated

    @cached_property
    def unit(self) -> Unit:
        """Unit of the displayed value: of the compared claim, the expectation, or the default of its dimension."""
        if self.compared is not None and self.compared.reading.value is not None:
            return self.compared.unit
        return self._own_unit

    @property
    def _own_unit(self) -> Unit:
        stated = self.program.bar.unit or self._looked_up()
        if stated is not None:
            return stated
        if self.known is None:
            return shown(unit_type(self.program.term, self.program.sorts).dimension)
        return shown(fit(self.program, tuple(figure.dimension for figure in self.known)).dimension)

    def _looked_up(self) -> Unit | None:
        """Unit of a looked-up bound."""
        for bound in (self.program.bar.upper, self.program.bar.bound):
            if bound is not None and isinstance(bound.term, Slot) and bound.term.index < len(self.figures):
                figure = self.figures[bound.term.index]
                return figure.unit if isinstance(figure, Figure) else None
        return None

    @cached_property
    def state(self) -> DayState:
        """State: `S` if it depends on which catalogue is right, `?` if the day is to come."""
        ways = self.choices or ((self.known, self.reading),)
        found = [self.state_with(figures, result) for figures, result in ways]
        if len({one.state for one in found}) > 1:
            opened = next((one.opening for one in found if one.opening), None)
            return DayState(State.DISPUTED, opened, found[0].over_ranges)
        if found[0].state is State.FALSE and self.days_to_come:
            return DayState(State.UNKNOWN, None, found[0].over_ranges)
        return found[0]

    def state_with(self, figures: tuple[Figure, ...] | None, found: Reading) -> DayState:
        """State with other figures, such as those of a rival catalogue, and their result."""
        if figures is None or found.failure in {"missing", "units"}:
            return DayState(State.UNKNOWN)
        ranged = self.ranged(figures)
        result = ranged.result() if ranged else None
        if found.holds is None:
            return DayState(State.UNKNOWN, over_ranges=result)
        if found.holds:
            most = result is None or result.share >= ENOUGH
            return DayState(State.TRUE if most else State.OPEN, over_ranges=result)
        opened = self._opening(figures)
        somewhere = opened is not None or (result is not None and result.share > 0)
        return DayState(State.OPEN if somewhere else State.FALSE, opened, result)

    def trial(self, figures: tuple[Figure, ...]) -> Trial:
        """The claim with figures that can be replaced."""
        return Trial(self.program, figures, self.other)

    def _inputs(self, figures: Sequence[Figure], prefix: str = "") -> tuple[RangedInput, ...]:
        return ranged_inputs(self.program, figures, self.ranges, prefix)

    def ranged(self, figures: tuple[Figure, ...]) -> Ranged | None:
        """The claim with the ranges of its inputs; None without ranges."""
        compared, further = None, tuple[RangedInput, ...]()
        if self.compared is not None and self.compared.known is not None:
            compared = self.compared.trial(self.compared.known)
            further = self.compared._inputs(compared.figures, f"{self.compared.claim.id}: ")  # noqa: SLF001 same class
        own = self._inputs(figures)
        return Ranged(self.trial(figures), own, compared if further else None, further) if own or further else None

    def _opening(self, figures: tuple[Figure, ...]) -> Opening | None:
        """Figures within their ranges with which the claim holds."""
        compared = self.compared.figures if self.compared else ()
        there = (figure.assumption for figure in compared if isinstance(figure, Figure))
        shared = {("assumption", held.name) for held in there if held}  # they would move there too
        inputs = [one for one in self._inputs(figures) if one.key not in shared]
        return opening(self.trial(figures), [spread for one in inputs for spread in one.spreads])

    @property
    def days_to_come(self) -> tuple[date, ...]:
        """Future days for which the claim reads prices that are not dated for them."""
        read = zip(self.program.leaves, self.figures, strict=True)
        named = ((leaf.on, one) for leaf, one in read if isinstance(leaf, PriceLeaf))
        return tuple(on for on, one in named if on and on > self.today and isinstance(one, Figure) and one.undated)


def _choices(figures: Sequence[Figure]) -> Iterator[tuple[Figure, ...]]:
    """All combinations of figures and rivals; if too many: no rival, each rival alone, one catalogue for all."""
    if prod(1 + len(figure.rivals) for figure in figures) <= MOST_CHOICES:
        yield from product(*((figure, *figure.rivals) for figure in figures))
        return
    yield tuple(figures)
    for place, figure in enumerate(figures):
        for rival in figure.rivals:
            yield (*figures[:place], rival, *figures[place + 1 :])
    for catalog in dict.fromkeys(rival.catalog for figure in figures for rival in figure.rivals):
        yield tuple(next((one for one in figure.rivals if one.catalog == catalog), figure) for figure in figures)
