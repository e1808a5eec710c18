"""Version 1 of the rules for verdicts, by which runs of before are computed again.

now \\ then     holds     does not hold    cannot be known
holds          holds     holds            holds
does not       stale     refuted          stale
unknown        unverifiable in every case

conflicting: rival catalogues would give different verdicts
"""

from __future__ import annotations

from compute.claims.claim_evaluation import Measured, outcomes
from graph.models.claim_models import VerdictName

METHOD = 1
"""The number of this version in a run."""


def concluded(now: Measured, then: Measured) -> VerdictName:
    """The verdict of two days; `conflicting` if rival catalogues give different verdicts."""
    names = {_one(today, once) for today in outcomes(now) for once in outcomes(then)}
    return names.pop() if len(names) == 1 else VerdictName.CONFLICTING


def _one(now: bool | None, then: bool | None) -> VerdictName:
    if now is None:
        return VerdictName.UNVERIFIABLE
    if now:
        return VerdictName.HOLDS
    return VerdictName.REFUTED if then is False else VerdictName.STALE
