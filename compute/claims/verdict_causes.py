"""Why a claim does not hold, which way its value moved, and the oldest of its inputs.

The first that applies is the cause:

    conflicting, or two texts compared that did not agree then    sources_differ
    a price of a day that is after the claim's own, or to come    forecast_missed
    figures of the same text only                                 miscalculated
    failed on its own day, by dated prices                        contradicted
    holds with the old figure of a source that changed            source_changed
    holds with the old model of a family                          family_moved
    another price or assumption                                   price_moved
    holds with a price as it was before it was corrected          none: no price moved
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from compute.claims.claim_evaluation import Measured, reading
from compute.claims.claim_program import Program
from compute.claims.input_changes import InputChange, Kind
from compute.claims.input_lookups import Figure
from compute.formula.formula_terms import CellLeaf, ChoiceLeaf, LiteralLeaf, PriceLeaf
from graph.models.claim_models import Cause, Claim, Direction, Speaker, Stance
from graph.models.verdict_models import OldestInput

_CAUSES: dict[Kind, Cause | None] = {
    "source": Cause.SOURCE_CHANGED,
    "family": Cause.FAMILY_MOVED,
    "price": Cause.PRICE_MOVED,
    "correction": None,
}


def named_days(program: Program) -> frozenset[date]:
    """The days that the price lookups of a program name."""
    return frozenset(leaf.on for leaf in program.leaves if isinstance(leaf, PriceLeaf | ChoiceLeaf) and leaf.on)


def last_day(program: Program) -> date:
    """The latest day that a price lookup of a program names; `date.min` if none does."""
    return max(named_days(program), default=date.min)


def text_only(program: Program) -> bool:
    """Whether a program reads figures of texts only: what the claim gives, and cells of tables."""
    return program.bar.target is None and all(isinstance(leaf, LiteralLeaf | CellLeaf) for leaf in program.leaves)


def several_texts(claim: Claim, program: Program) -> bool:
    """Whether a claim compares texts: with another claim, or by a table of a node that is not its own."""
    others = {leaf.node for leaf in program.leaves if isinstance(leaf, CellLeaf)} - {claim.node}
    return program.bar.target is not None or bool(others)


def cause(
    claim: Claim, program: Program, days: tuple[Measured, Measured], changes: Sequence[InputChange],
    other: Decimal | None,
) -> Cause | None:  # fmt: skip
    """The cause of a claim that does not hold now; `days` are then and now. None if a price was only corrected."""
    then, now = days
    if several_texts(claim, program) and not then.reading.holds:
        return Cause.SOURCES_DIFFER
    ahead = claim.as_of > now.on and not then.reading.holds
    if claim.as_of < last_day(program) or ahead:
        return Cause.FORECAST_MISSED
    if text_only(program) and not then.reading.holds:
        return Cause.SOURCES_DIFFER if claim.asserted_by is Speaker.NOBODY else Cause.MISCALCULATED
    if then.reading.holds is False and then.dated:
        return Cause.CONTRADICTED
    return _CAUSES[_moved(program, changes, now, other)]


def _moved(program: Program, changes: Sequence[InputChange], now: Measured, other: Decimal | None) -> Kind:
    """The kind of change that accounts for the verdict; without any known change, a price is presumed to have moved.

    A kind accounts for it if the claim holds once the figures of that kind are as they were then. Where several kinds
    were needed, a changed source comes first; where each would have been enough, a price.
    """
    order: tuple[Kind, ...] = ("source", "family", "price", "correction")
    found = [kind for kind in order if any(change.kind == kind for change in changes)]
    if len(found) == 1:
        return found[0]
    accounts = (kind for kind in found if _holds_without(program, changes, kind, now, other))
    return next(accounts, found[-1] if found else "price")


def _holds_without(
    program: Program, changes: Sequence[InputChange], kind: Kind, now: Measured, other: Decimal | None
) -> bool:
    """Whether a claim holds with the figures of now, except for one kind of change."""
    figures = [figure for figure in now.figures if isinstance(figure, Figure)]
    if len(figures) < len(now.figures):
        return False
    for change in changes:
        if change.kind == kind:
            figures[change.slot] = change.then
    return reading(program, figures, other).holds is True


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
