"""Results over ranges in words."""

from __future__ import annotations

from compute.units.number_format import said
from graph.models.verdict_models import Robust, Swing

FRAGILE = "fragile"
"""The word next to the verdict of a claim that holds in less than half of its ranges."""


def sentence(robust: Robust, unit: str) -> str:
    """The share in which a claim holds, with the percentiles of its value, as one sentence."""
    parts = [f"Holds in {said(robust.share * 100, '%')} of the stated ranges"]
    if robust.p05 is not None and robust.p50 is not None and robust.p95 is not None:
        low, middle, high = (said(value, unit) for value in (robust.p05, robust.p50, robust.p95))
        parts.append(f"5th percentile {low}, median {middle}, 95th percentile {high}")
    if robust.undefined:
        parts.append(f"undefined at {robust.undefined} of {robust.points} points")
    fragile = " It is fragile: it holds at the stated values and in less than half of their ranges."
    return "; ".join(parts) + "." + (fragile if robust.fragile else "")


def ends(swing: Swing) -> str:
    """The range of an input: `3 years to 6 years`."""
    return f"{said(swing.low, swing.unit)} to {said(swing.high, swing.unit)}"
