"""Why a verdict changed between two runs, from the prices that it read in each of them.

The cause of a verdict compares its own day with today. What changed it since the run before may be something else: the
price moved long ago, and tonight another catalogue answers.
"""

from __future__ import annotations

from graph.models.claim_models import Cause
from graph.models.verdict_models import Input, Verdict

_ORDER = (Cause.FAMILY_MOVED, Cause.PRICE_MOVED, Cause.SOURCE_CHANGED)


def moved(before: Verdict, after: Verdict) -> Cause | None:
    """What moved between two verdicts on a claim: a family, a price, or only the catalogue that answers, or None."""
    old = {one.name: one for one in before.inputs if one.kind == "price"}
    found = {_cause(old[one.name], one) for one in after.inputs if one.kind == "price" and one.name in old}
    return next((cause for cause in _ORDER if cause in found), None)


def _cause(old: Input, new: Input) -> Cause | None:
    if (old.value, old.unit) == (new.value, new.unit):
        return None
    if old.item != new.item:
        return Cause.FAMILY_MOVED
    return Cause.PRICE_MOVED if old.catalog == new.catalog else Cause.SOURCE_CHANGED
