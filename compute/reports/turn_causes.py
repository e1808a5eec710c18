"""Why a verdict changed between two runs, from the prices that it read in each of them.

The cause of a verdict compares its own day with today. What changed it since the run before may be something else: the
price moved long ago, and tonight another catalogue answers. A price that is missing in one of the runs, or that was
corrected between them, did not move, and no other source answers.
"""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

from compute.claims.input_changes import source_of
from compute.explain.working_steps import RECORDED
from compute.prices.market_items import common_move
from compute.prices.price_models import Price
from graph.models.claim_models import Cause
from graph.models.verdict_models import Input, Verdict

_ORDER = (Cause.FAMILY_MOVED, Cause.PRICE_MOVED, Cause.SOURCE_CHANGED)
_CHOICES = ("cheapest(", "dearest(")


class Moved(NamedTuple):
    """What moved between two verdicts: a family, a price, or only the source that answers; else None.

    `corrected`: nothing moved, and a price was corrected.
    """

    cause: Cause | None = None
    corrected: bool = False


def moved(before: Verdict, after: Verdict) -> Moved:
    """What moved between two verdicts on a claim."""
    old = {one.name: one for one in before.inputs if one.kind != "literal"}
    choices = {step.name for step in after.steps if step.text.startswith(_CHOICES)}
    found = {
        _cause(old[one.name], one, choice=one.name in choices or one.name.startswith(_CHOICES))
        for one in after.inputs
        if one.name in old and one.kind == old[one.name].kind
    }
    cause = next((cause for cause in _ORDER if cause in found), None)
    corrected = any(_corrected(old[one.name], one) for one in after.inputs if one.name in old)
    return Moved(cause, corrected=cause is None and corrected)


def moved_inputs(before: Verdict, after: Verdict) -> str:
    """The prices and assumptions that moved between two verdicts, such as `acme/card on_demand 2 → 3 USD/GPU/h`.

    A corrected price is among them, as `acme/card on_demand corrected from 2 to 3 USD/GPU/h`.
    """
    old = {one.name: one for one in before.inputs if one.kind != "literal"}
    moves = {
        f"{one.item or one.name} {one.component or ''}".strip() + _figures(was, one)
        for one in after.inputs
        if (was := old.get(one.name)) is not None and (was.value, was.unit) != (one.value, one.unit)
    }
    return "; ".join(sorted(moves))


def _figures(was: Input, now: Input) -> str:
    if _corrected(was, now):
        return f" corrected from {was.value} to {now.value} {now.unit}"
    return f" {was.value} → {now.value} {now.unit}{common_move(was.panel, now.panel)}"


def _cause(old: Input, new: Input, *, choice: bool) -> Cause | None:
    """As in `input_changes`, from what a verdict shows of an input."""
    if not _differs(old, new) or _corrected(old, new):
        return None
    if old.kind == "assumption" or (choice and old.item != new.item):
        return Cause.PRICE_MOVED
    if old.item != new.item and f" means {new.item}" in new.note and not (old.panel and new.panel):
        return Cause.FAMILY_MOVED
    return Cause.SOURCE_CHANGED if source_of(_price(old), _price(new)) else Cause.PRICE_MOVED


def _differs(old: Input, new: Input) -> bool:
    return (old.value, old.unit) != (new.value, new.unit) and None not in {old.value, new.value}


def _corrected(old: Input, new: Input) -> bool:
    same = (old.kind, old.item, old.catalog) == ("price", new.item, new.catalog) and not (old.panel or new.panel)
    return same and _differs(old, new) and _price(new).corrects(_price(old))


def _price(one: Input) -> Price:
    """The price that an input with a value shows."""
    return Price(
        item=one.item or "",
        component=one.component or "",
        value=one.value or Decimal(0),
        unit=one.unit,
        catalog=one.catalog or "",
        source=one.source,
        valid_from=one.valid_from,
        panel=one.panel,
        dated="record" if RECORDED in one.note else "price",
    )
