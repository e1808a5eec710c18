"""Which input of a claim matters most within its ranges.

The total-order Sobol index of an input is the part of the variance of the value in which it takes part, alone or
together with others (Homma and Saltelli 1996). It is estimated with Jansen's formula (Jansen 1999), which compares each
point of a sample A with the point at which only that input is taken from a second sample B:

    total = mean((value(A) - value(A with the input from B))²) / (2 · variance)

Points where one of the two values is undefined are left out. An estimate above 1, as noise or a value with an endless
variance gives, counts as 1.
"""

from __future__ import annotations

from decimal import Decimal, localcontext

import numpy as np

from compute.claims.claim_evaluation import computed
from compute.ranges.range_sample import Ranged
from compute.ranges.ranged_inputs import RangedInput
from compute.ranges.sobol_points import sobol_points
from compute.ranges.spread import Array
from compute.units.number_format import in_unit, trimmed
from compute.units.units import EXACT, Unit
from graph.models.verdict_models import Sensitivity, Swing, Verdict

_DIGITS = Decimal("0.0001")


def sensitivities(ranged: Ranged) -> tuple[Sensitivity, ...]:
    """The total-order Sobol index of each ranged input, the largest first; none if the value does not vary."""
    inputs = ranged.inputs
    points = sobol_points(2 * len(inputs))
    first, second = points[:, : len(inputs)], points[:, len(inputs) :]
    values, others = ranged.at(first).values, ranged.at(second).values
    if not _known(values, others):
        return ()
    scale = float(np.nanmax(np.abs(np.concatenate([values, others]))))
    if not 0 < scale < np.inf:
        return ()
    variance = float(np.nanvar(np.concatenate([values, others]) / scale))
    if not variance > _NOISE:
        return ()
    found = [
        Sensitivity(input=one.label, total=_total(ranged, place, (first, second), values, (scale, variance)))
        for place, one in enumerate(inputs)
    ]
    return tuple(sorted(found, key=lambda one: -one.total))


def _known(*samples: Array) -> bool:
    return all((~np.isnan(sample)).any() for sample in samples)


_NOISE = 1e-24
"""The variance that rounding alone may give, of values of size 1."""


def _total(
    ranged: Ranged, place: int, samples: tuple[Array, Array], values: Array, size: tuple[float, float]
) -> Decimal:
    """One index; `size` is the scale of the values, so that no square overflows, and their variance in that scale."""
    scale, variance = size
    mixed = samples[0].copy()
    mixed[:, place] = samples[1][:, place]
    steps = (values / scale - ranged.at(mixed).values / scale) ** 2
    known = steps[np.isfinite(steps)]
    total = float(known.mean()) / (2 * variance) if len(known) else 0.0
    return trimmed(Decimal(repr(min(total, 1.0))).quantize(_DIGITS))


def main_input(verdict: Verdict) -> Sensitivity | None:
    """The input that matters most within its range, for a report; None if nothing has a range that matters."""
    return next((one for one in verdict.sensitivity if one.total), None)


def swings(ranged: Ranged, unit: Unit) -> tuple[Swing, ...]:
    """The value at both ends of the range of each input, all others unchanged; the widest first."""
    found = [_swing(ranged, one, unit) for one in ranged.own.inputs]
    return tuple(sorted(found, key=lambda one: -_width(one)))


def _swing(ranged: Ranged, one: RangedInput, unit: Unit) -> Swing:
    ends = [{slot: getattr(spread, end) for slot, spread in one.spreads} for end in ("low", "high")]
    at_low, at_high = (_at(ranged, end, unit) for end in ends)
    _, spread = one.spreads[0]
    low, high = in_unit(spread.low, one.unit), in_unit(spread.high, one.unit)
    return Swing(input=one.label, unit=one.unit.text, low=low, high=high, at_low=at_low, at_high=at_high)


def _at(ranged: Ranged, ends: dict[int, Decimal], unit: Unit) -> Decimal | None:
    values = ranged.own.values
    for slot, value in ends.items():
        values[slot] = value
    with localcontext(EXACT):
        found = computed(ranged.own.program, values, ranged.other).value
    return None if found is None else in_unit(found, unit)


def _width(swing: Swing) -> Decimal:
    return Decimal(-1) if swing.at_low is None or swing.at_high is None else abs(swing.at_high - swing.at_low)
