"""What a verdict says about the ranges of its inputs, for the day that it is about.

Total-order Sobol indices say which input decides: the part of the variance of the value in which an input takes part,
alone or with others (Homma and Saltelli 1996). Jansen's formula (1999) estimates them by comparing each point of a
sample A with the point at which only that input is taken from a second sample B:

    total = mean((value(A) - value(A with the input from B))²) / (2 · variance)

Points where one of the two values is undefined are left out. An estimate above 1, from noise, counts as 1.
"""

from __future__ import annotations

from decimal import Decimal

import numpy as np

from compute.claims.claim_case import Case
from compute.formula.array_numbers import Array
from compute.ranges.range_sample import Ranged, latin_hypercube
from compute.ranges.ranged_inputs import RangedInput
from compute.units.number_format import in_unit, trimmed
from compute.units.units import Unit
from graph.models.verdict_models import Sensitivity, Swing

_DIGITS = Decimal("0.0001")
_NOISE = 1e-24
"""The variance that rounding alone may give, of values of size 1."""


def range_report(case: Case) -> tuple[tuple[Sensitivity, ...], tuple[Swing, ...]]:
    """How much each ranged input matters in a case, and how far it moves the value."""
    day = case.judged
    if day.known is None or day.reading.failure in {"missing", "units"}:
        return (), ()
    ranged = day.ranged(day.known)
    return (sensitivities(ranged), swings(ranged, case.unit)) if ranged else ((), ())


def sensitivities(ranged: Ranged) -> tuple[Sensitivity, ...]:
    """The total-order Sobol index of each ranged input, the largest first; none for a constant value."""
    inputs = ranged.inputs
    first, second = ([latin_hypercube(start + place) for place in range(len(inputs))] for start in (0, len(inputs)))
    values, others = ranged.at(first)[0], ranged.at(second)[0]
    every = np.concatenate([values, others])
    if np.isnan(values).all() or np.isnan(others).all():
        return ()
    scale = float(np.nanmax(np.abs(every)))
    variance = float(np.nanvar(every / scale)) if scale else 0.0
    if not variance > _NOISE:
        return ()
    found = []
    for place, one in enumerate(inputs):
        mixed = ranged.at([*first[:place], second[place], *first[place + 1 :]])[0]
        found.append(Sensitivity(input=one.label, total=_total(values / scale, mixed / scale, variance)))
    return tuple(sorted(found, key=lambda one: -one.total))


def _total(values: Array, mixed: Array, variance: float) -> Decimal:
    steps = (values - mixed) ** 2
    known = steps[np.isfinite(steps)]
    total = float(known.mean()) / (2 * variance) if len(known) else 0.0
    return trimmed(Decimal(repr(min(total, 1.0))).quantize(_DIGITS))


def swings(ranged: Ranged, unit: Unit) -> tuple[Swing, ...]:
    """The value at both ends of each range, other inputs unchanged; the widest first."""
    found = (_swing(ranged, one, unit) for one in ranged.own)
    return tuple(sorted(found, key=lambda one: -_width(one)))


def _swing(ranged: Ranged, one: RangedInput, unit: Unit) -> Swing:
    lows = {slot: spread.low for spread in one.spreads for slot in spread.slots}
    highs = {slot: spread.high for spread in one.spreads for slot in spread.slots}
    values = (ranged.trial.at(changes).value for changes in (lows, highs))
    at_low, at_high = (None if value is None else in_unit(value, unit) for value in values)
    first = one.spreads[0]
    low, high = in_unit(first.low, one.unit), in_unit(first.high, one.unit)
    return Swing(input=one.label, unit=one.unit.text, low=low, high=high, at_low=at_low, at_high=at_high)


def _width(swing: Swing) -> Decimal:
    return Decimal(-1) if swing.at_low is None or swing.at_high is None else abs(swing.at_high - swing.at_low)
