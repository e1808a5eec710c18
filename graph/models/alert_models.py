"""Flags on claims, silences, notices and their delivery."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal

from graph.models.claim_models import VerdictName
from graph.values import Value


class Flag(Value):
    """A verdict other than `holds` that a claim has had since `first_run`, one record for each such period.

    `streak` counts the days in a row with `verdict`, `held` the days in a row on which the claim was true again before
    the flag is lowered; `counted_on` is the last day counted in either. The flag is raised when `raised_at` is set
    (enough days), and over when `lowered_at` is set; a record with neither is waiting.

    `told_on` is the date of the notice that reported the flag, `notice` its id, `reminded_on` the day of the last
    reminder. `settled` is True when a reported flag is over and its end needs no further notice.
    """

    claim: str
    verdict: VerdictName
    first_run: int
    first_seen: date
    streak: int = 1
    held: int = 0
    counted_on: date | None = None
    raised_at: date | None = None
    raised_run: int | None = None
    lowered_at: date | None = None
    lowered_run: int | None = None
    reason: str = ""
    told_on: date | None = None
    notice: str | None = None
    reminded_on: date | None = None
    settled: bool = False

    @property
    def standing(self) -> bool:
        """Whether it is raised and not lowered."""
        return self.raised_at is not None and self.lowered_at is None

    @property
    def owing(self) -> bool:
        """Whether a notice must still report its end."""
        return self.lowered_at is not None and self.told_on is not None and not self.settled


class Silence(Value):
    """No notices for a claim, or for claims with a tag, until a day (exclusive; None: until it is removed).

    With `flags`, the first runs of flags, it is an acknowledgement by `by` of only these, while they are raised.
    """

    id: str
    claim: str | None = None
    tag: str | None = None
    reason: str
    since: date
    until: date | None = None
    flags: tuple[int, ...] | None = None
    by: str = ""


class Acknowledgement(Value):
    """Someone handles a failing claim until a day (exclusive).

    `state` is `active`, `expired` (the day has come, and the claim still fails), or `ended` (its flag is lowered).
    `verdict` and `raised` are those of the flag; None if the flag is gone.
    """

    claim: str
    by: str
    comment: str
    since: date
    until: date
    state: Literal["active", "expired", "ended"]
    verdict: VerdictName | None = None
    raised: date | None = None


REMINDER = "claims.reminder"  # the kind of a notice about flags that were reported before and are still raised


class Notice(Value):
    """A message about the flags of `claims`, the same for every receiver and never changed; `body` is JSON text."""

    id: str
    kind: str
    subject: str
    body: str
    created_at: datetime
    claims: tuple[str, ...] = ()


class NoticeDelivery(Value):
    """A notice for one receiver; abandoned if `next_try` and `delivered_at` are None.

    `digest` is the mail that it is part of, once that is under way.
    """

    receiver: str
    notice: Notice
    attempts: int = 0
    next_try: datetime | None = None
    delivered_at: datetime | None = None
    last_error: str | None = None
    digest: str | None = None

    @property
    def pending(self) -> bool:
        """Whether it is neither delivered nor abandoned."""
        return self.next_try is not None
