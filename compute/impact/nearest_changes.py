"""Which of the claims that hold the smallest change of a price or an assumption would turn.

A claim may sit on its bound by construction: figures that it states itself and that nothing moves. Those are not near.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal

from compute.reports.report_model import NearestChange, ReportEntry
from graph.models.claim_models import Claim, Flip, Verdict

LOOKED_AT = 80
"""So many claims, those with the smallest margins against their values, are worked out whole."""

NEAREST = 8


def nearest(entries: Iterable[ReportEntry], explain: Callable[[Claim], Verdict]) -> tuple[NearestChange, ...]:
    """Of claims that hold those nearest to turning, by the relative change of one input, the smallest first."""
    narrow = sorted((entry for entry in entries if entry.row.margin is not None), key=_room)[:LOOKED_AT]
    found = [near for entry in narrow if (near := least_change(entry.verdict or explain(entry.claim))) is not None]
    return tuple(sorted(found, key=lambda near: (abs(near.change), near.claim))[:NEAREST])


def _room(entry: ReportEntry) -> tuple[Decimal, str]:
    """The margin as a share of the value; a claim whose formula looks nothing up comes behind the others."""
    row, margin = entry.row, entry.row.margin or Decimal(0)
    texts = (entry.claim.value, *(text for _, text in entry.claim.given))
    idle = not any('("' in text or "([" in text for text in texts)
    return (Decimal("Infinity") if idle else abs(margin / row.value) if row.value else abs(margin)), entry.claim.id


def least_change(verdict: Verdict) -> NearestChange | None:
    """The smallest change of something from outside that turns a claim; None where nothing does.

    A price that has ended does not change any more.
    """
    today = verdict.now.as_of
    open_ = (one for one in verdict.inputs if one.valid_to is None or one.valid_to > today)
    outside = {one.name: one.value for one in open_ if one.kind != "literal"}
    turning = [
        _of(verdict, flip, flip.at, now)
        for flip in verdict.flips
        if flip.at is not None and not flip.note and (now := outside.get(flip.input))
    ]
    return min(turning, key=lambda near: abs(near.change), default=None)


def _of(verdict: Verdict, flip: Flip, at: Decimal, now: Decimal) -> NearestChange:
    return NearestChange(
        claim=verdict.claim, says=verdict.says, input=flip.input, now=now, at=at, unit=flip.unit, side=flip.side,
        change=(at - now) / abs(now),
    )  # fmt: skip
