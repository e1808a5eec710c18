"""Evaluates cases over their ranges; claims with equal formulas and ranges share the result."""

from __future__ import annotations

from dataclasses import dataclass

from compute.claims.claim_cases import Cases
from compute.claims.claim_program import Program, program
from compute.claims.expectations import FieldError
from compute.claims.verdict_rules import Case
from compute.ranges.range_sample import Part, Ranged, readable
from compute.ranges.range_sensitivity import sensitivities, swings
from compute.ranges.ranged_inputs import ranged_inputs, ranges_of
from compute.ranges.robustness import RangeResult, range_result
from graph.models.claim_models import Claim, VerdictName
from graph.models.verdict_models import Robust, Sensitivity, Swing
from graph.models.written_figures import GivenRange

MOST_RESULTS = 10_000

_Key = tuple[Program, tuple[GivenRange, ...]]


@dataclass(frozen=True, slots=True)
class RangeReport:
    """What an explanation says about ranges."""

    robust: Robust | None = None
    sensitivity: tuple[Sensitivity, ...] = ()
    swings: tuple[Swing, ...] = ()


class RangeEvaluator:
    """Evaluates cases of one day over the ranges of their inputs."""

    def __init__(self, cases: Cases) -> None:
        self._cases = cases
        self._results: dict[_Key, RangeResult | None] = {}

    def robust(self, case: Case) -> Robust | None:
        """How the claim of a case fares within its ranges; None if no input has one, or a figure is missing."""
        if not self._cases.ranges:
            return None
        ranges = ranges_of(case.claim, self._cases.overrides.givens)
        key = case.program, ranges
        if key not in self._results:
            if len(self._results) >= MOST_RESULTS:
                self._results.clear()
            ranged = self._ranged(case, ranges)
            self._results[key] = range_result(ranged) if ranged else None
        return self._shown(case, self._results[key])

    @staticmethod
    def _shown(case: Case, found: RangeResult | None) -> Robust | None:
        return found.robust(case.unit, holds=case.verdict is VerdictName.HOLDS) if found else None

    def report(self, case: Case) -> RangeReport:
        """All about the ranges of a case."""
        ranged = self._ranged(case, ranges_of(case.claim, self._cases.overrides.givens))
        if ranged is None:
            return RangeReport()
        return RangeReport(self.robust(case), sensitivities(ranged), swings(ranged, case.unit))

    def _ranged(self, case: Case, ranges: tuple[GivenRange, ...]) -> Ranged | None:
        figures = readable(case.now.figures)
        if figures is None or case.now.reading.failure in {"missing", "units"}:
            return None
        own = Part(case.program, figures, ranged_inputs(case.program, figures, ranges))
        other = case.compared.value if case.compared else None
        ranged = Ranged(own, self._compared(case), other)
        return ranged if ranged.inputs else None

    def _compared(self, case: Case) -> Part | None:
        """The claim that the value is compared with, if it has ranges."""
        target = case.program.bar.target
        claim = self._cases.find(target) if target else None
        found = claim and not claim.broken and self._part(claim)
        return found or None

    def _part(self, claim: Claim) -> Part | None:
        try:
            other = program(claim)
        except FieldError:
            return None
        figures = readable([self._cases.today.figure(leaf) for leaf in other.leaves])
        inputs = ranged_inputs(other, figures, claim.ranges, f"{claim.id}: ") if figures is not None else ()
        return Part(other, figures, inputs) if figures is not None and inputs else None
