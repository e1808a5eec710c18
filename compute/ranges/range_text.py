"""Results over ranges in words."""

from __future__ import annotations

from compute.units.number_format import said
from graph.models.verdict_models import Robust, Swing

FRAGILE = "fragile"
"""The word next to the verdict of a claim that holds in less than half of its ranges."""


def holds_in(robust: Robust) -> str:
    """The share in which a claim holds: `holds in 12.16% of the stated ranges`."""
    return f"holds in {said(robust.share * 100, '%')} of the stated ranges"


def percentiles(robust: Robust, unit: str) -> str:
    """The percentiles of the value: `5th percentile 35.34%, median 43.29%, 95th percentile 57.98%`; empty if none."""
    if robust.p05 is None or robust.p50 is None or robust.p95 is None:
        return ""
    low, middle, high = (said(value, unit) for value in (robust.p05, robust.p50, robust.p95))
    return f"5th percentile {low}, median {middle}, 95th percentile {high}"


def sentence(robust: Robust, unit: str) -> str:
    """All of it as one sentence."""
    parts = [holds_in(robust), percentiles(robust, unit)]
    if robust.undefined:
        parts.append(f"undefined at {robust.undefined} of {robust.points} points")
    text = "; ".join(part for part in parts if part)
    fragile = (
        " It is fragile: it holds at the stated values and in less than half of their ranges." if robust.fragile else ""
    )
    return f"{text[0].upper()}{text[1:]}.{fragile}"


def ends(swing: Swing) -> str:
    """The range of an input: `3 years to 6 years`."""
    return f"{said(swing.low, swing.unit)} to {said(swing.high, swing.unit)}"
