"""What people are told: flags that stand on claims, silences that hold them back, notices on their way out."""

from __future__ import annotations

from datetime import date, datetime

from graph.models.claim_models import VerdictName
from graph.values import Value


class Flag(Value):
    """A verdict other than `holds` that one claim shows since `first_run`, one record for each such stretch.

    `streak` counts the runs in a row that gave `verdict`, `held` those in a row in which the claim held again without
    the flag being lowered. The flag is raised when `raised_at` is set (enough runs), and
    over when `lowered_at` is set; a record with neither is waiting.
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
    """No notices for one claim, or for all claims with a tag, until a day (exclusive; None: until it is lifted)."""

    id: str
    claim: str | None = None
    tag: str | None = None
    reason: str
    since: date
    until: date | None = None


class Notice(Value):
    """A message to deliver at least once; `body` is JSON text, `id` is the same at every attempt.

    `next_try` None and `delivered_at` None together mean that delivery was given up.
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
