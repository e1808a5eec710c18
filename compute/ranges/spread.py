"""How an input is spread over its range: quantiles and cumulative shares for each shape.

uniform                 every value from low to high is equally likely
triangular              from low to high, the stated value is the likeliest
normal, lognormal       90% of the values lie from low to high; lognormal is normal in the logarithm
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from math import inf, log
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from graph.models.written_figures import RangeShape

Array = NDArray[np.float64]

_STANDARD = NormalDist()
_OUTER = _STANDARD.inv_cdf(0.95)


@dataclass(frozen=True, slots=True)
class Spread:
    """A range in base units; `mode` is the stated value."""

    low: Decimal
    high: Decimal
    mode: Decimal
    shape: RangeShape = RangeShape.UNIFORM

    @property
    def support(self) -> tuple[float, float]:
        """The values that are possible."""
        match self.shape:
            case RangeShape.NORMAL:
                return -inf, inf
            case RangeShape.LOGNORMAL:
                return 0.0, inf
        return float(self.low), float(self.high)

    def quantiles(self, shares: Array) -> Array:
        """The values below which these shares lie; a share is above 0 and below 1."""
        low, high = float(self.low), float(self.high)
        match self.shape:
            case RangeShape.NORMAL:
                return _normal(low, high, shares)
            case RangeShape.LOGNORMAL:
                return np.exp(_normal(log(low), log(high), shares))
            case RangeShape.TRIANGULAR:
                return _triangular(low, high, float(self.mode), shares)
        return low + shares * (high - low)

    def quantile(self, share: float) -> float:
        """The value below which a share lies."""
        return float(self.quantiles(np.array([share]))[0])

    def share_below(self, value: float) -> float:
        """The share of the values up to `value`: the cumulative distribution."""
        low, high = float(self.low), float(self.high)
        match self.shape:
            case RangeShape.NORMAL:
                return _STANDARD.cdf(_standardised(low, high, value))
            case RangeShape.LOGNORMAL:
                return _STANDARD.cdf(_standardised(log(low), log(high), log(value))) if value > 0 else 0.0
        if not low < value < high:
            return 0.0 if value <= low else 1.0
        if self.shape is RangeShape.TRIANGULAR:
            return _triangle_below(low, high, float(self.mode), value)
        return (value - low) / (high - low)


def _normal(low: float, high: float, shares: Array) -> Array:
    standard = np.fromiter(map(_STANDARD.inv_cdf, shares.tolist()), float, len(shares))
    return (low + high) / 2 + (high - low) / (2 * _OUTER) * standard


def _standardised(low: float, high: float, value: float) -> float:
    return (value - (low + high) / 2) * 2 * _OUTER / (high - low)


def _triangular(low: float, high: float, mode: float, shares: Array) -> Array:
    width, rising = high - low, mode - low
    below = low + np.sqrt(shares * width * rising)
    above = high - np.sqrt((1 - shares) * width * (high - mode))
    return np.where(shares * width < rising, below, above)


def _triangle_below(low: float, high: float, mode: float, value: float) -> float:
    width = high - low
    if value <= mode:
        return (value - low) ** 2 / (width * (mode - low))
    return 1 - (high - value) ** 2 / (width * (high - mode))
