"""The steps of the nightly job; `compute.runs.nightly_job` runs them in order, under a lock and a time limit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from api.brain import Brain
from api.services.notice_receivers import receivers
from api.settings import Settings
from compute.prices.snapshots import PriceChange
from compute.runs.acknowledgements import sentence
from compute.runs.nightly_job import Clock, Deadline, FolderRead, Night, is_locked, night
from compute.runs.notice_delivery import Delivery, Receiver, total
from graph.models.alert_models import Notice
from graph.models.verdict_models import Run
from graph.values import Value, dumps, loads

LOCK = "nightly.lock"
"""Locked in the data directory while a nightly job runs."""


LAST_NIGHT = "night.last"
"""The key of the night that began last."""


class NightRecord(Value):
    """When a night began and finished, its outcome, and its run; a night that was killed has no `finished_at`."""

    started_at: datetime
    finished_at: datetime | None = None
    outcome: str
    run: int | None = None


class Steps:
    """What a night does with a brain."""

    def __init__(self, brain: Brain, receivers: Sequence[Receiver], clock: Clock) -> None:
        self._brain, self._receivers, self._clock = brain, receivers, clock

    def read(self, at: datetime) -> Iterable[FolderRead]:
        """Record that the night began, and read the folders of the library again."""
        _record(self._brain, NightRecord(started_at=at, outcome="begun"))
        return self._brain.library.read(at)

    def refresh(self, at: datetime) -> Sequence[PriceChange]:
        """Take the newest prices."""
        return self._brain.price_refresher.refresh(at).changes

    def held(self) -> Sequence[str]:
        """The catalogues that wait for a decision, in a sentence each."""
        return [held.sentence() for held in self._brain.price_refresher.held()]

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
        """Send each receiver what is due to it."""
        return total([one.deliver(self._brain.notices, clock) for one in self._receivers])


def run_night(brain: Brain, clock: Clock, *, refresh: bool = True) -> Night:
    """One night of a brain.

    Raises:
        NightRunningError: another one is running on this home.
        TimeLimitError: it took longer than the settings allow; what was not complete left nothing.
        ReceiverError, SecretError, MailAddressError, MailServerError: a receiver is set up wrong.
    """
    settings = brain.settings
    limit = timedelta(seconds=settings.nightly_seconds)
    steps = Steps(brain, receivers(brain), clock)
    found = night(steps, clock=clock, lock=settings.home / LOCK, limit=limit, refresh=refresh)
    seen = brain.acknowledgements.active(found.run.as_of)
    found = found.model_copy(update={"acknowledged": tuple(map(sentence, seen.values()))})
    record = NightRecord(
        started_at=found.started_at, finished_at=found.finished_at, outcome=found.outcome(()), run=found.run.id
    )
    _record(brain, record)
    return found


def last_night(brain: Brain) -> NightRecord | None:
    """The night that began last; None if none is recorded."""
    text = brain.store.metadata.get(LAST_NIGHT)
    return NightRecord.model_validate(loads(text)) if text else None


def night_is_running(settings: Settings) -> bool:
    """Whether a process holds the lock of the nightly job."""
    return is_locked(settings.home / LOCK)


def _record(brain: Brain, record: NightRecord) -> None:
    brain.store.metadata.put(LAST_NIGHT, dumps(record))
