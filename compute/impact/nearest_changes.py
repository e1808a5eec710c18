"""Finds the holding claims that the smallest change of a price or an assumption would make fail, and the fragile ones.

A claim whose own figures put it exactly at its bound is not listed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from decimal import Decimal

from compute.explain.working_steps import named_day
from compute.reports.report_model import FragileClaim, NearestChange, ReportEntry
from graph.models.claim_models import Claim
from graph.models.verdict_models import Input, Verdict

LOOKED_AT = 80  # claims with the smallest relative margins, which are fully explained
NEAREST = 8
EXPLAINED = 8  # fragile claims whose most important input is named, which takes a full explanation


def nearest(entries: Iterable[ReportEntry], explain: Callable[[Claim], Verdict]) -> tuple[NearestChange, ...]:
    """Holding claims nearest to failing, by the relative change of one input, the smallest first."""
    narrow = sorted((entry for entry in entries if entry.row.margin is not None), key=_room)[:LOOKED_AT]
    found = [near for entry in narrow if (near := least_change(entry.verdict or explain(entry.claim))) is not None]
    return tuple(sorted(found, key=lambda near: (abs(near.change), near.claim))[:NEAREST])


def fragile(entries: Iterable[ReportEntry], explain: Callable[[Claim], Verdict]) -> tuple[FragileClaim, ...]:
    """Fragile claims, the most severe first, then the smallest share."""
    shares = [(entry.order, entry.row.robust.share, entry) for entry in entries if entry.row.robust]
    found = []
    for place, (_, _, entry) in enumerate(sorted(shares, key=lambda one: one[:2])):
        verdict = entry.verdict or (explain(entry.claim) if place < EXPLAINED else None)
        most = max(verdict.sensitivity, key=lambda one: one.total, default=None) if verdict else None
        found.append(FragileClaim(entry, most.input if most else None))
    return tuple(found)


def _room(entry: ReportEntry) -> tuple[Decimal, str]:
    """The margin relative to the value; claims without lookups come last."""
    row, margin = entry.row, entry.row.margin or Decimal(0)
    texts = (entry.claim.value, *(text for _, text in entry.claim.given))
    idle = not any('("' in text or "([" in text for text in texts)
    return (Decimal("Infinity") if idle else abs(margin / row.value) if row.value else abs(margin)), entry.claim.id


def least_change(verdict: Verdict) -> NearestChange | None:
    """The smallest change of an external input that changes a verdict; None if there is none.

    A price that has ended, or is looked up for a past day, no longer changes.
    """
    outside = {one.name: one.value for one in verdict.inputs if one.kind != "literal" and _open(one, verdict.now.as_of)}
    turning = [
        NearestChange(
            claim=verdict.claim,
            says=verdict.says,
            input=flip.input,
            now=now,
            at=flip.at,
            unit=flip.unit,
            side=flip.side,
            change=(flip.at - now) / abs(now),
        )
        for flip in verdict.flips
        if flip.at is not None and not flip.note and (now := outside.get(flip.input))
    ]
    return min(turning, key=lambda near: abs(near.change), default=None)


def _open(one: Input, today: date) -> bool:
    """Whether an input may still change."""
    return (one.valid_to is None or one.valid_to > today) and (named_day(one) or today) >= today
