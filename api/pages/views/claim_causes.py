"""What changed between the day of a claim and the day of evaluation: each input with its figures then and now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from api.pages.charts.chart_series import case_on
from api.pages.render.figure_format import figure
from api.pages.views.claim_table import PageContext
from compute.claims.input_changes import InputChange
from compute.claims.input_lookups import Figure
from compute.explain.reason_parts import short, spoken
from graph.models.claim_models import Claim

MOST = 4


@dataclass(frozen=True, slots=True)
class Cause:
    """One input that changed, with its figures then and now; `corrected`: the price itself did not change."""

    name: str
    before: str
    after: str
    corrected: bool = False


@dataclass(frozen=True, slots=True)
class Move:
    """A name that means another item now: what the formula names, the item then, the item now and its full name."""

    name_in_claim: str
    old: str
    new: str
    item: str


@dataclass(frozen=True, slots=True)
class Causes:
    """The names that moved, the first changes, and how many changes there are more."""

    moved: tuple[Move, ...] = ()
    listed: tuple[Cause, ...] = ()
    more: int = 0


def causes(desk: PageContext, claim: Claim, day: date) -> Causes:
    """The changed inputs of a claim whose value differs from that of its own day."""
    case = desk.recall(("case", claim.id, day), lambda: case_on(desk, claim, day))
    if case is None or case.then.reading.value == case.now.reading.value:
        return Causes()
    changes = case.changes
    found = tuple(dict.fromkeys(_cause(one) for one in changes))
    return Causes(tuple(dict.fromkeys(_moves(changes)))[:MOST], found[:MOST], max(0, len(found) - MOST))


def _cause(one: InputChange) -> Cause:
    name = spoken(one.label, one.now)
    return Cause(name, _figure(one.then), _figure(one.now), corrected=one.kind == "correction")


def _moves(changes: tuple[InputChange, ...]) -> Iterator[Move]:
    for one in changes:
        was, price = one.then.price, one.now.price
        if was and price and was.item != price.item:
            old, new = short(was.item), short(price.item)
            same = old == new
            yield Move(one.requested, was.item if same else old, price.item if same else new, price.item)


def _figure(found: Figure) -> str:
    return figure(found.stated, found.unit.text)
