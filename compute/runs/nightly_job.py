"""The night: refresh, verify, append, flag, notify, under a lock and a time limit, one log line a step.

    lock ─▶ refresh ─▶ verify + append ─▶ flags ─▶ deliver ─▶ Night
              │ fails: told, the prices at hand stay in use
              each step has a deadline; what ran before it stays done

Who refreshes, verifies and delivers is told by the caller (`Steps`), and so is the time (`clock`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal, Protocol, TypeVar

import structlog
from filelock import FileLock, Timeout

from compute.catalogs.genai_prices_catalog import RefreshError
from compute.prices.snapshots import PriceChange
from compute.runs.webhook_delivery import Delivery
from graph.models.alert_models import Notice
from graph.models.claim_models import Run, VerdictName
from graph.values import Value

Clock = Callable[[], datetime]
T = TypeVar("T")
_CHECKED_EVERY = 500


class NightRunningError(Exception):
    """Another night is still running."""

    def __init__(self, lock: Path) -> None:
        super().__init__(f"another nightly run holds {lock}; this one did nothing")


class TimeLimitError(Exception):
    """The night took too long; a run that was not complete left nothing behind."""

    def __init__(self, step: str, limit: timedelta) -> None:
        self.step = step
        super().__init__(f"the night stopped in the step {step!r}: it took longer than {limit}")


class Steps(Protocol):
    """What a night does."""

    def refresh(self, at: datetime) -> Sequence[PriceChange]:
        """Take the newest prices. Raises `RefreshError`."""

    def verify(self, at: datetime, deadline: Deadline, notes: tuple[str, ...]) -> Run:
        """Verify all claims for the day of `at` and append the run; rows go through `deadline.over`."""

    def flag(self, run: Run, at: datetime) -> Sequence[Notice]:
        """Bring the flags forward and put the notices into the outbox."""

    def deliver(self, clock: Clock) -> Delivery:
        """Send what is due."""


class Deadline:
    """A moment after which a step gives up."""

    def __init__(self, clock: Clock, limit: timedelta) -> None:
        self._clock, self._limit = clock, limit
        self._end = clock() + limit

    def check(self, step: str) -> None:
        """Raises `TimeLimitError` where the time is over."""
        if self._clock() > self._end:
            raise TimeLimitError(step, self._limit)

    def over(self, things: Iterable[T], step: str) -> Iterator[T]:
        """The things one by one, for as long as there is time."""
        for number, thing in enumerate(things):
            if number % _CHECKED_EVERY == 0:
                self.check(step)
            yield thing


class Night(Value):
    """What a night did. `unrefreshed` is the sentence of a refresh that failed."""

    started_at: datetime
    finished_at: datetime
    changes: int = 0
    unrefreshed: str | None = None
    run: Run
    notices: int = 0
    delivery: Delivery

    def below(self, bar: Iterable[VerdictName]) -> int:
        """How many claims have a verdict of the bar."""
        return sum(self.run.counts.get(name.value, 0) for name in bar)

    def outcome(self, bar: Iterable[VerdictName]) -> Literal["done", "below the bar", "not refreshed", "not delivered"]:
        """What the operator should know first: undelivered notices, then stale prices, then failing claims."""
        if not self.delivery.complete:
            return "not delivered"
        if self.unrefreshed:
            return "not refreshed"
        return "below the bar" if self.below(bar) else "done"


def night(
    steps: Steps, *, clock: Clock, lock: Path, limit: timedelta = timedelta(hours=1), refresh: bool = True
) -> Night:
    """One night. `refresh` False leaves the prices as they are.

    Raises:
        NightRunningError: another one holds the lock.
        TimeLimitError: the limit was over; steps that were done stay done, a run that was not complete does not.
    """
    try:
        with FileLock(lock, timeout=0, mode=0o600):
            return _night(steps, clock, limit, refresh=refresh)
    except Timeout as error:
        raise NightRunningError(lock) from error


def _night(steps: Steps, clock: Clock, limit: timedelta, *, refresh: bool) -> Night:
    log = structlog.get_logger("nightly")
    started, deadline = clock(), Deadline(clock, limit)
    changes, unrefreshed = _refreshed(steps, clock) if refresh else (0, None)
    log.info("refresh", changes=changes, failed=unrefreshed, skipped=not refresh)
    deadline.check("refresh")
    run = steps.verify(clock(), deadline, (unrefreshed,) if unrefreshed else ())
    log.info("verify", run=run.id, as_of=run.as_of.isoformat(), **run.counts)
    deadline.check("verify")
    notices = steps.flag(run, clock())
    log.info("flag", run=run.id, notices=len(notices))
    deadline.check("flag")
    delivery = steps.deliver(clock)
    log.info("deliver", delivered=delivery.delivered, failed=delivery.failed, given_up=delivery.given_up)
    return Night(
        started_at=started,
        finished_at=clock(),
        changes=changes,
        unrefreshed=unrefreshed,
        run=run,
        notices=len(notices),
        delivery=delivery,
    )


def _refreshed(steps: Steps, clock: Clock) -> tuple[int, str | None]:
    try:
        return len(steps.refresh(clock())), None
    except RefreshError as error:
        return 0, str(error)
