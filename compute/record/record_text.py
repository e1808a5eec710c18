"""The record in words: its basis, shares, and the inputs that changed the state of a claim."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import ROUND_HALF_EVEN, Decimal

from compute.record.life_models import LifeLine, LifeMove, LifeState, LifeTurn
from compute.record.record import Basis, Record
from compute.units.number_format import said
from compute.units.units import known

VERBS = {LifeState.HELD: "holds", LifeState.FAILED: "fails", LifeState.UNKNOWN: "is not known"}


def basis_text(found: Record) -> str:
    """What the record is made from."""
    if found.basis is Basis.HINDSIGHT:
        return "claims replayed over the prices as known now"
    return f"what {found.runs} run{'' if found.runs == 1 else 's'} saw"


def percent(share: Decimal) -> str:
    """A share as a rounded percentage; 99.6% and 0.4% do not become 100% and 0%."""
    rounded = (share * 100).quantize(Decimal(1), ROUND_HALF_EVEN)
    if (rounded == 100 and share < 1) or (rounded == 0 and share > 0):
        return f"{(share * 100).quantize(Decimal('0.1'), ROUND_HALF_EVEN)}%"
    return f"{rounded}%"


def moves_text(moves: Iterable[LifeMove]) -> str:
    """The inputs that changed on one day, in words."""
    return "; ".join(_move(one) for one in moves)


def _move(one: LifeMove) -> str:
    what = " ".join(part for part in (one.item or one.name, one.component) if part)
    was = f" (before: {one.item_before})" if one.item_before else ""
    return f"{what}{was} {_amount(one.before, one.unit)} → {_amount(one.after, one.unit)}"


def _amount(value: Decimal | None, written: str) -> str:
    if value is None:
        return "no price"
    unit = known(written)
    return said(value, unit.text) if unit else f"{value} {written}".rstrip()


def turn_text(turn: LifeTurn) -> str:
    """What the claim does from a day on, and the inputs that made it."""
    moved = moves_text(turn.moves)
    return f"{VERBS[turn.after]}: {moved}" if moved else VERBS[turn.after]


def ahead_text(turn: LifeTurn) -> str:
    """How sure a turn is that lies ahead; no one announces that a price ends without a new one."""
    return "unless a newer price is recorded" if any(move.after is None for move in turn.moves) else "announced"


def life_text(life: LifeLine) -> str:
    """A life line in words, for screen readers."""
    return "; ".join(
        f"{VERBS[one.state]} from {one.start}" + (f" to {one.end}" if one.end else "") for one in life.spans
    )
