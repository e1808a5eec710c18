"""Which way the value of a claim moved, what that means for its thesis, and the oldest of its inputs."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from decimal import Decimal

from compute.claims.claim_evaluation import Reading
from compute.claims.input_lookups import Figure
from graph.models.claim_models import Claim, Direction, Stance
from graph.models.verdict_models import OldestInput


def helps_thesis(claim: Claim, before: Decimal | None, now: Reading) -> bool | None:
    """Whether the change of the value strengthens the thesis; None if it did not change, or no way is the good one.

    The value moved from what it was before; where that is not known, it moved to the side of its expectation on which
    it is now.
    """
    if now.value is None or now.value == before:
        return None
    if before is not None:
        return strengthens(claim, up=now.value > before)
    return None if now.position not in {"under", "over"} else strengthens(claim, up=now.position == "over")


def strengthens(claim: Claim, *, up: bool) -> bool | None:
    """Whether a value that rises (`up`) or falls strengthens the thesis; None if no way is the good one.

    A node that disputes a figure does not rest on it, so its bound has no good side.
    """
    sides = {"at_least": Direction.HIGHER, "at_most": Direction.LOWER}
    good = claim.helps or (None if claim.stance is Stance.DISPUTES else sides.get(claim.expect.form))
    return None if good is None else up == (good is Direction.HIGHER)


def oldest_input(figures: Iterable[object], on: date) -> OldestInput | None:
    """The price or assumption that was checked the longest ago; None if no input has the day of a check."""
    known = [figure for figure in figures if isinstance(figure, Figure)]
    days = [(one.price.checked, one.price.item) for one in known if one.price and one.price.checked]
    days += [
        (one.assumption.checked, one.assumption.name) for one in known if one.assumption and one.assumption.checked
    ]
    if not days:
        return None
    checked, item = min(days)
    return OldestInput(item=item, checked=checked, days=(on - checked).days)
