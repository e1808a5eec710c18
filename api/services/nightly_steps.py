"""The steps of the nightly job; `compute.runs.nightly_job` runs them in order, under a lock and a time limit.

Each step stores what it has done in the record of the night. If the process is killed, the next start on the same day
reads the record and goes on after the last completed step: a folder that was read, a catalogue that was refreshed and a
run that was appended are not read, refreshed or made again. On a later day a new night begins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta

from api.brain import Brain
from api.services.acknowledgement_service import sentence
from api.services.notice_receivers import receivers
from compute.prices.snapshots import PriceChange, SnapshotError
from compute.runs.nightly_job import (
    FAR_AHEAD,
    Clock,
    Deadline,
    FolderRead,
    Night,
    NightFarAheadError,
    NightRunningError,
    is_locked,
    night,
)
from compute.runs.notice_delivery import Check, Delivery, Receiver, total
from graph.models.alert_models import Notice
from graph.models.verdict_models import Run, RunNote
from graph.store.store_errors import NotFoundError
from graph.values import Value, dumps, loads

LOCK = "nightly.lock"
"""Locked in the data directory while a nightly job runs."""


LAST_NIGHT = "night.last"
"""The key of the night that began last."""


class NightRecord(Value):
    """When a night began and finished, its outcome, and its run; a night that was killed has no `finished_at`.

    `folders` are those that were read, `refreshed` the catalogues whose newest prices were taken, `changes` the number
    of prices that changed, once all of them were. `notices` counts the notices written. `resumed_at` is the last time
    at which the night went on after it was killed. `before` is the run of the night before.
    """

    started_at: datetime
    finished_at: datetime | None = None
    outcome: str
    run: int | None = None
    folders: tuple[FolderRead, ...] = ()
    refreshed: tuple[str, ...] = ()
    changes: int | None = None
    notices: int = 0
    resumed_at: datetime | None = None
    before: int | None = None


class Steps:
    """What a night does with a brain. Each step begins with `check`, which raises if the lock of the night is lost."""

    def __init__(self, brain: Brain, receivers: Sequence[Receiver], clock: Clock, check: Check) -> None:
        self._brain, self._receivers, self._clock, self._check = brain, receivers, clock, check
        self.record = NightRecord(started_at=datetime.min.replace(tzinfo=UTC), outcome="begun")
        self.list_notes: Sequence[str] = ()

    def read(self, at: datetime) -> Iterator[FolderRead]:
        """Record that the night began, or goes on, and read the folders of the library that it has not read."""
        killed = unfinished(self._brain, at)
        last = last_night(self._brain)
        begun = NightRecord(started_at=at, outcome="begun", before=(last.run or last.before) if last else None)
        self._note(killed.model_copy(update={"resumed_at": at}) if killed else begun)
        yield from self.record.folders
        for folder in self._brain.library.read(at, skip={folder.path for folder in self.record.folders}):
            self._note(folders=(*self.record.folders, folder))
            yield folder

    def refresh(self, at: datetime) -> Sequence[PriceChange]:
        """Take the newest prices of the catalogues that this night has not refreshed."""
        self._check()
        if self.record.changes is not None:
            return ()
        found = self._brain.price_refresher.refresh(at, skip=self.record.refreshed, taken=self._taken)
        self.list_notes = found.list_notes
        found.check(defaults=False)
        self._note(changes=len(found.changes))
        return found.changes

    def _taken(self, catalog: str) -> None:
        self._note(refreshed=(*self.record.refreshed, catalog))

    def _note(self, record: NightRecord | None = None, **done: object) -> None:
        """Store what the night has done; inside a transaction nothing of it is committed without the lock."""
        self._check()
        self.record = record or self.record.model_copy(update=done)
        self._brain.store.metadata.put(LAST_NIGHT, dumps(self.record))

    def waiting_catalogs(self) -> Sequence[str]:
        """The catalogues that wait for a decision, in a sentence each; default lists are only noted."""
        held, noted = self._brain.price_refresher.on_hold(), self._brain.price_refresher.noted
        self.list_notes = [*self.list_notes, *(one.sentence() for one in held if one.catalog in noted)]
        return [one.sentence() for one in held if one.catalog not in noted]

    def verify(self, at: datetime, deadline: Deadline, notes: tuple[str | RunNote, ...]) -> Run:
        """Evaluate all claims for the day and append the run, row by row under the deadline."""
        self._check()
        if self.record.run is not None:
            return self._brain.ledger.run(self.record.run)
        return self._brain.evaluator.append(
            at.date(),
            at=at,
            clock=self._clock,
            through=lambda rows: deadline.over(rows, "verify"),
            notes=notes,
            after=lambda run: self._note(run=run.id),
        )

    def flag(self, run: Run, at: datetime) -> Sequence[Notice]:  # noqa: ARG002  # reads all runs that are not processed yet
        """Bring the flags forward."""
        self._check()
        found = self._brain.alert_processor.catch_up(at)
        self._note(notices=self.record.notices + len(found))
        return found

    def deliver(self, clock: Clock) -> Delivery:
        """Send each receiver what is due to it."""
        return total([one.deliver(self._brain.notices, clock, self._check) for one in self._receivers])

    def finish(self, outcome: str, at: datetime) -> None:
        """Record the end of the night."""
        self._note(finished_at=at, outcome=outcome)


def run_night(brain: Brain, clock: Clock, *, refresh: bool = True, sure: bool = False) -> Night:
    """One night of a brain, or the rest of one that was killed today; `sure` says that the clock is right.

    Raises:
        NightFarAheadError: it is `FAR_AHEAD` after the last run or later, and nobody is `sure`.
        NightRunningError: another one is running on this home, or on this PostgreSQL database.
        LostLockError: the connection that held the lock in PostgreSQL ended; the steps before it are stored.
        TimeLimitError: it took longer than the settings allow; what was not complete left nothing.
        ReceiverError, SecretError, MailAddressError, MailServerError: a receiver is set up wrong.
    """
    settings = brain.settings
    limit = timedelta(seconds=settings.nightly_seconds)
    brain.use_clock(clock)
    if not sure:
        _check_day(brain, clock().date())
    receiving = receivers(brain)
    with brain.store.lock() as check:
        if check is None:
            raise NightRunningError(brain.store.where)
        steps = Steps(brain, receiving, clock, check)
        found = night(steps, clock=clock, lock=settings.home / LOCK, limit=limit, refresh=refresh)
        steps.finish(found.outcome(()), found.finished_at)
    seen = brain.acknowledgements.active(found.run.as_of)
    done = steps.record
    return found.model_copy(
        update={
            "acknowledged": tuple(map(sentence, seen.values())),
            "started_at": done.started_at,
            "resumed_at": done.resumed_at,
            "changes": _changed_prices(brain, done, found),
            "notices": done.notices,
            "receivers": len(receiving),
        }
    )


def _check_day(brain: Brain, on: date) -> None:
    """Raises `NightFarAheadError` if the day is too long after the last run."""
    last = brain.ledger.latest_run()
    if last is not None and on - last.as_of >= FAR_AHEAD:
        raise NightFarAheadError(on, last.as_of)


def _changed_prices(brain: Brain, done: NightRecord, found: Night) -> int:
    """How many prices changed since the night before, or else the run before: by a refresh, an import, a price card.

    Where what that run was made from is gone or damaged, only what the refresh of this night changed is known.
    """
    try:
        before = brain.ledger.run(done.before) if done.before else brain.ledger.latest_run(before=found.run)
        if before is not None:
            return len(brain.prices.changes_between(before, found.run))
    except (NotFoundError, SnapshotError):
        pass
    return found.changes if done.changes is None else done.changes


def unfinished(brain: Brain, at: datetime) -> NightRecord | None:
    """The night that began last, if it was killed and began on this day: the next start goes on with it."""
    last = last_night(brain)
    killed = last is not None and last.finished_at is None and last.started_at.date() == at.date()
    return last if killed and last and last.started_at <= at else None


def last_night(brain: Brain) -> NightRecord | None:
    """The night that began last; None if none is recorded."""
    text = brain.store.metadata.get(LAST_NIGHT)
    return NightRecord.model_validate(loads(text)) if text else None


def night_is_running(brain: Brain) -> bool:
    """Whether a process holds the lock of the nightly job."""
    return brain.store.night_is_locked() or is_locked(brain.settings.home / LOCK)
