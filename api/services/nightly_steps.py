"""The steps of the nightly job; `compute.runs.nightly_job` runs them in order, under a lock and a time limit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from api.brain import Brain
from compute.prices.snapshots import PriceChange
from compute.runs.nightly_job import Clock, Deadline, FolderRead, Night, night
from compute.runs.webhook_delivery import Delivery, Webhooks
from graph.models.alert_models import Notice
from graph.models.claim_models import Run

LOCK = "nightly.lock"
"""Locked in the data directory while a nightly job runs."""


class MissingSecretError(Exception):
    """A receiver is set, and nothing to sign with."""

    def __init__(self) -> None:
        super().__init__(
            "BRAIN_WEBHOOK_URL is set without BRAIN_WEBHOOK_SECRET: set it to whsec_ and 24 bytes in base64"
        )


class Steps:
    """What a night does with a brain."""

    def __init__(self, brain: Brain, webhooks: Webhooks | None, clock: Clock) -> None:
        self._brain, self._webhooks, self._clock = brain, webhooks, clock

    def read(self, at: datetime) -> Iterable[FolderRead]:
        """Read the folders of the library again."""
        return self._brain.library.read(at)

    def refresh(self, at: datetime) -> Sequence[PriceChange]:
        """Take the newest prices."""
        return self._brain.prices.refresh(at)

    def verify(self, at: datetime, deadline: Deadline, notes: tuple[str, ...]) -> Run:
        """Evaluate all claims for the day and append the run, row by row under the deadline."""
        return self._brain.evaluator.append(
            at.date(),
            at=at,
            clock=self._clock,
            through=lambda rows: deadline.over(rows, "verify"),
            notes=notes,
        )

    def flag(self, run: Run, at: datetime) -> Sequence[Notice]:  # noqa: ARG002  # reads all runs that are not processed yet
        """Bring the flags forward."""
        return self._brain.alert_processor.catch_up(at)

    def deliver(self, clock: Clock) -> Delivery:
        """Send what is due, where there is a receiver."""
        return self._webhooks.deliver(self._brain.alerts, clock) if self._webhooks else Delivery()


def run_night(brain: Brain, clock: Clock, *, refresh: bool = True) -> Night:
    """One night of a brain.

    Raises:
        NightRunningError: another one is running on this home.
        TimeLimitError: it took longer than the settings allow; what was not complete left nothing.
        MissingSecretError, SecretError: the receiver is set up wrong.
    """
    settings = brain.settings
    limit = timedelta(seconds=settings.nightly_seconds)
    steps = Steps(brain, receiver(brain), clock)
    return night(steps, clock=clock, lock=settings.home / LOCK, limit=limit, refresh=refresh)


def receiver(brain: Brain) -> Webhooks | None:
    """The receiver of notices that the settings name, or None.

    Raises:
        MissingSecretError: it has no secret.
        SecretError: its secret cannot sign.
    """
    url, secret = brain.settings.webhook_url, brain.settings.webhook_secret
    if url is None:
        return None
    if secret is None:
        raise MissingSecretError
    return Webhooks(url, secret.get_secret_value())
