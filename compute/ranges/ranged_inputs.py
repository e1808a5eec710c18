"""The inputs of a claim that have a range: assumptions with low and high, and given figures with a stated range.

uniform                 every value from low to high is equally likely
triangular              from low to high, the stated value is the likeliest
normal, lognormal       90% of the values lie from low to high; lognormal is normal in the logarithm
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal
from math import log
from statistics import NormalDist

import numpy as np

from compute.claims.claim_program import Program
from compute.claims.currency_conversion import stated_name
from compute.claims.input_lookups import Figure
from compute.formula.array_numbers import Array
from compute.formula.formula_errors import FormulaError
from compute.formula.formula_tree import LiteralLeaf, number_of
from compute.formula.lowering import Slots, lowered
from compute.units.units import EXACT, ONE, Unit
from graph.models.claim_models import Claim
from graph.models.written_figures import GivenRange, RangeShape

Key = tuple[str, str | int]


class RangeError(ValueError):
    """An unusable range: its field, a code, a hint, and the offset into the field's text."""

    def __init__(self, field: str, code: str, message: str, hint: str = "", offset: int = 0) -> None:
        super().__init__(message)
        self.field, self.code, self.hint, self.offset = field, code, hint, offset


_STANDARD = NormalDist()
_OUTER = _STANDARD.inv_cdf(0.95)


@dataclass(frozen=True, slots=True)
class Spread:
    """A range in base units around `mode`, the stated value; figures in its slots move together."""

    low: Decimal
    high: Decimal
    mode: Decimal
    shape: RangeShape = RangeShape.UNIFORM
    slots: tuple[int, ...] = ()

    def quantiles(self, shares: Array) -> Array:
        """The values below which these shares, above 0 and below 1, lie."""
        low, high = float(self.low), float(self.high)
        match self.shape:
            case RangeShape.NORMAL:
                return _normal(low, high, shares)
            case RangeShape.LOGNORMAL:
                return np.exp(_normal(log(low), log(high), shares))
            case RangeShape.TRIANGULAR:
                width, rising = high - low, float(self.mode) - low
                below = low + np.sqrt(shares * width * rising)
                above = high - np.sqrt((1 - shares) * width * (width - rising))
                return np.where(shares * width < rising, below, above)
        return low + shares * (high - low)


def _normal(low: float, high: float, shares: Array) -> Array:
    standard = np.fromiter(map(_STANDARD.inv_cdf, shares.tolist()), float, len(shares))
    return (low + high) / 2 + (high - low) / (2 * _OUTER) * standard


@dataclass(frozen=True, slots=True)
class RangedInput:
    """One input with a range, by a key that claims share; an assumption of two days may have two spreads."""

    key: Key
    label: str
    unit: Unit
    spreads: tuple[Spread, ...]


def ranged_inputs(
    program: Program, figures: Sequence[Figure], ranges: Iterable[GivenRange], prefix: str = ""
) -> tuple[RangedInput, ...]:
    """The ranged inputs by slot; `prefix` distinguishes the given figures of two claims."""
    stated = {one.name: one for one in ranges}
    found: dict[Key, RangedInput] = {}
    for slot, (leaf, figure) in enumerate(zip(program.leaves, figures, strict=True)):
        spread = _assumed(figure)
        key: Key = ("assumption", figure.assumption.name) if figure.assumption else ("given" + prefix, slot)
        if isinstance(leaf, LiteralLeaf) and leaf.name in stated:
            with suppress(RangeError):  # the claim is broken; loading it reported why
                spread = stated_spread(stated[leaf.name], leaf)
        if spread is None or spread.low == spread.high:
            continue
        known = found.setdefault(key, RangedInput(key, prefix + program.labels[slot], figure.unit, ()))
        spreads = {replace(one, slots=()): one.slots for one in known.spreads}
        spreads[spread] = (*spreads.get(spread, ()), slot)
        found[key] = replace(known, spreads=tuple(replace(one, slots=slots) for one, slots in spreads.items()))
    return tuple(found.values())


def ranges_of(claim: Claim, without: Mapping[str, object]) -> tuple[GivenRange, ...]:
    """The ranges of a claim, except those of replaced givens."""
    replaced = {*without, *map(stated_name, without)}
    return tuple(one for one in claim.ranges if one.name not in replaced) if without else claim.ranges


def _assumed(figure: Figure) -> Spread | None:
    assumption = figure.assumption
    if assumption is None or assumption.low is None or assumption.high is None:
        return None
    low, high = (EXACT.multiply(end, figure.unit.factor) for end in (assumption.low, assumption.high))
    return Spread(low, high, figure.value, assumption.shape)


def stated_spread(one: GivenRange, leaf: LiteralLeaf) -> Spread:
    """The range of a given figure in base units. Raises RangeError for unusable ends or shapes."""
    unit = leaf.unit or ONE
    low, high = (_end(field, text, unit) for field, text in (("low", one.low), ("high", one.high)))
    if low > high:
        raise RangeError("low", "bad-range", "the low end is above the high end", "exchange them")
    if not low <= leaf.value <= high:
        raise RangeError("low" if low > leaf.value else "high", "bad-range", "the value is outside its range")
    if one.shape is RangeShape.LOGNORMAL and low <= 0:
        hint = "write uniform, triangular or normal"
        raise RangeError("shape", "range-shape", "a lognormal range begins above 0", hint)
    return Spread(low, high, leaf.value, one.shape)


def _end(field: str, text: str, unit: Unit) -> Decimal:
    try:
        number = number_of(lowered(text, {}, Slots()))
    except FormulaError as error:
        raise RangeError(field, error.code, str(error), error.hint, error.at) from None
    if number is None:
        raise RangeError(field, "claim-range", f"{text!r} is not one figure", "write a number and its unit: 500 W")
    own = number.unit or unit
    if (own.factor, own.dimension) != (unit.factor, unit.dimension):
        message = f"{field!r} is in {own.text!r}, the value in {unit.text!r}"
        raise RangeError(field, "bad-unit", message, "write both in the same unit")
    return EXACT.multiply(number.value, unit.factor)
