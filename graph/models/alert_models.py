"""Alerts: flags on claims, silences that suppress notices, and notices to deliver."""

from __future__ import annotations

from datetime import date, datetime

from graph.models.claim_models import VerdictName
from graph.values import Value


class Flag(Value):
    """A verdict other than `holds` that a claim has had since `first_run`, one record for each such period.

    `streak` counts the consecutive runs with `verdict`, `held` the consecutive runs in which the claim held again
    before the flag is lowered. The flag is raised when `raised_at` is set (enough runs), and over when `lowered_at`
    is set; a record with neither is waiting.
    """

    claim: str
    verdict: VerdictName
    first_run: int
    first_seen: date
    streak: int = 1
    held: int = 0
    raised_at: date | None = None
    raised_run: int | None = None
    lowered_at: date | None = None
    lowered_run: int | None = None
    reason: str = ""

    @property
    def standing(self) -> bool:
        """True while the flag is raised and not lowered."""
        return self.raised_at is not None and self.lowered_at is None


class Silence(Value):
    """No notices for one claim, or for all claims with a tag, until a day (exclusive; None: until it is removed)."""

    id: str
    claim: str | None = None
    tag: str | None = None
    reason: str
    since: date
    until: date | None = None


class Notice(Value):
    """A message to deliver at least once; `body` is JSON text, `id` is the same at every attempt.

    If `next_try` and `delivered_at` are both None, delivery was abandoned.
    """

    id: str
    kind: str
    subject: str
    body: str
    created_at: datetime
    attempts: int = 0
    next_try: datetime | None = None
    delivered_at: datetime | None = None
    last_error: str | None = None
