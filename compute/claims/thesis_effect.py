"""Which way the value of a claim moved, what that means for its thesis, and the oldest of its inputs."""

from __future__ import annotations

from compute.claims.claim_evaluation import Measured
from compute.claims.input_lookups import Figure
from graph.models.claim_models import Claim, Direction, Stance
from graph.models.verdict_models import OldestInput


def helps_thesis(claim: Claim, then: Measured, now: Measured) -> bool | None:
    """Whether the change of the value strengthens the thesis; None if it did not change, or no way is the good one.

    The value moved from what it was then; where that is not known, it moved to the side of its expectation on which it
    is now.
    """
    up = _upwards(then, now)
    return None if up is None else strengthens(claim, up=up)


def strengthens(claim: Claim, *, up: bool) -> bool | None:
    """Whether a value that rises (`up`) or falls strengthens the thesis; None if no way is the good one."""
    good = claim.helps or _good_side(claim)
    return None if good is None else up == (good is Direction.HIGHER)


def _good_side(claim: Claim) -> Direction | None:
    """The good side by the bound; a node that disputes a figure does not rest on it."""
    if claim.stance is Stance.DISPUTES:
        return None
    return {"at_least": Direction.HIGHER, "at_most": Direction.LOWER}.get(claim.expect.form)


def _upwards(then: Measured, now: Measured) -> bool | None:
    value, before, (low, high) = now.reading.value, then.reading.value, now.reading.interval
    if value is None or value == before:
        return None
    if before is not None:
        return value > before
    if low is not None and value < low:
        return False
    return True if high is not None and value > high else None


def oldest_input(now: Measured) -> OldestInput | None:
    """The price or assumption that was checked the longest ago; None if no input has the day of a check."""
    known = [figure for figure in (*now.figures, *now.compared) if isinstance(figure, Figure)]
    days = [(one.price.checked, one.price.item) for one in known if one.price and one.price.checked]
    days += [
        (one.assumption.checked, one.assumption.name) for one in known if one.assumption and one.assumption.checked
    ]
    if not days:
        return None
    checked, item = min(days)
    return OldestInput(item=item, checked=checked, days=(now.on - checked).days)
