"""The nightly job inside the service, by a scheduler, in a thread of its own."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, time

from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.cron import CronTrigger

GRACE = 3600
"""A night that was missed is still run within so many seconds."""


class NightlySchedule:
    """Runs a job once a day; use it with `with`."""

    def __init__(self, job: Callable[[], object], at: time) -> None:
        self._job = job
        self._scheduler = BackgroundScheduler(timezone=UTC)
        trigger = CronTrigger(hour=at.hour, minute=at.minute, second=at.second, timezone=UTC)
        self._scheduler.add_job(job, trigger, id="nightly", coalesce=True, max_instances=1, misfire_grace_time=GRACE)

    def __enter__(self) -> NightlySchedule:
        self._scheduler.start()
        return self

    def now(self) -> None:
        """Run the job at once too, in its own thread."""
        self._scheduler.add_job(self._job, id="now")

    def __exit__(self, *_exception: object) -> None:
        self._scheduler.shutdown(wait=True)

    @property
    def next(self) -> datetime | None:
        """When the job runs next."""
        job = self._scheduler.get_job("nightly")
        return job.next_run_time if job else None
