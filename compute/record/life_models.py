"""The life line of a claim: when it holds, when it fails, and the price changes that caused each change."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Literal

from graph.models.claim_models import Cause
from graph.values import Value


class LifeState(StrEnum):
    """What a claim is on one day.

    `held`: its verdict is `holds`. `failed`: by every catalogue it misses its expectation, and no stated range saves
    it. `unknown`: everything else, so `unverifiable`, `conflicting`, `depends` and `error`.
    """

    HELD = "held"
    FAILED = "failed"
    UNKNOWN = "unknown"


class LifeSpan(Value):
    """The days from `start` on and before `end` (None: open), on which a claim is in one state.

    `dated` is whether every price that it reads is dated for the first of these days; `value` is that of that day, in
    the unit of the life line.
    """

    state: LifeState
    start: date
    end: date | None
    dated: bool
    value: Decimal | None = None


MoveKind = Literal["price", "family", "source", "assumption", "missing"]


class LifeMove(Value):
    """One input that changed on the day of a turn, in `unit`; a figure is None if it was or became missing.

    `item` is the price that answers after the change, or the name of the assumption; `item_before` another one that
    answered before.
    """

    name: str
    item: str
    component: str = ""
    item_before: str | None = None
    before: Decimal | None
    after: Decimal | None
    unit: str
    kind: MoveKind


class LifeTurn(Value):
    """A day on which the state changes, with the inputs that changed on it; `cause` is set where the claim fails."""

    day: date
    before: LifeState
    after: LifeState
    cause: Cause | None = None
    value_before: Decimal | None = None
    value_after: Decimal | None = None
    moves: tuple[LifeMove, ...] = ()


class LifeLine(Value):
    """The life of a claim from its own day (`as_of`), by prices as known now; what is after `today` is announced.

    The spans follow each other without a gap, the last one is open. `fixed`: the claim reads figures of texts only, so
    no price can change its state. `dated` is whether every price that it reads is dated for its own day. `excused`:
    it fails on its own day by prices as known now, and held by those that earlier snapshots stated.
    """

    claim: str
    as_of: date
    today: date
    unit: str = ""
    spans: tuple[LifeSpan, ...]
    turns: tuple[LifeTurn, ...] = ()
    fixed: bool = False
    dated: bool = False
    excused: bool = False

    def state(self, day: date) -> LifeState | None:
        """The state on a day; None before the claim was made."""
        found = (one for one in self.spans if one.start <= day and (one.end is None or day < one.end))
        return next((one.state for one in found), None)
