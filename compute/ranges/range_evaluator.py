"""What a verdict says about the ranges of its inputs, for the day that it is about."""

from __future__ import annotations

from dataclasses import dataclass

from compute.claims.claim_case import Case
from compute.ranges.range_sample import readable
from compute.ranges.range_sensitivity import sensitivities, swings
from graph.models.verdict_models import Robust, Sensitivity, Swing


@dataclass(frozen=True, slots=True)
class RangeReport:
    """What an explanation says about ranges."""

    robust: Robust | None = None
    sensitivity: tuple[Sensitivity, ...] = ()
    swings: tuple[Swing, ...] = ()


def robust(case: Case) -> Robust | None:
    """How the claim of a case fares within its ranges; None if no input has one, or a figure is missing."""
    found = case.on_judged_day.over_ranges
    return found.robust(case.unit, holds=case.judged.reading.holds is True) if found else None


def range_report(case: Case) -> RangeReport:
    """All about the ranges of a case."""
    figures = readable(case.judged.figures)
    if figures is None or case.judged.reading.failure in {"missing", "units"}:
        return RangeReport()
    ranged = case.judged_day.ranged(figures)
    return RangeReport(robust(case), sensitivities(ranged), swings(ranged, case.unit)) if ranged else RangeReport()
