"""Whether two figures of one thing may both be right: within their rounding, their hedges and their bounds."""

from __future__ import annotations

from decimal import Decimal

from compute.mining.contradiction_measures import DATE, Measure


def agree(one: Measure, two: Measure) -> bool:
    """Whether both figures may be right: within their rounding, within 10% if one is hedged, within a bound."""
    slack = max(abs(one.high), abs(two.high)) / 10 if "about" in {one.figure.hedge, two.figure.hedge} else Decimal(0)
    if one.dimension == f"{DATE}/":
        return one.low == two.low
    slack = max(slack, one.slack + two.slack, min(_tolerance_base(one), _tolerance_base(two)) * Decimal("0.02"))
    if one.side != two.side and (one.side or two.side):
        bound, other = (one, two) if one.side else (two, one)
        if bound.side and other.side:
            return True
        return other.low <= bound.high + slack if bound.side == "low" else other.high + slack >= bound.low
    if one.figure.ranged and two.figure.ranged:
        shared = min(one.high, two.high) - max(one.low, two.low)
        if shared == min(one.high - one.low, two.high - two.low) and (
            _middle(one, two) or bool(one.named) != bool(two.named)
        ):
            return True
        return shared > (max(one.high, two.high) - min(one.low, two.low)) / 2
    return one.low - slack <= two.high and two.low - slack <= one.high


def _middle(one: Measure, two: Measure) -> bool:
    """Whether the middle of each of two ranges is in the other."""
    return two.low <= (one.low + one.high) / 2 <= two.high and one.low <= (two.low + two.high) / 2 <= one.high


def _tolerance_base(measure: Measure) -> Decimal:
    """What a tolerance is a share of: the value, or for a share near 100% what is missing."""
    value = max(abs(measure.low), abs(measure.high))
    return abs(1 - value) if measure.dimension.startswith("share") and value > Decimal("0.5") else value
