"""The result of a nightly job, its folders and its deadline, and the errors that stop it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Literal, TypeVar

from compute.runs.notice_delivery import Delivery
from graph.models.claim_models import VerdictName
from graph.models.verdict_models import Run, RunNote
from graph.text.counts import few
from graph.values import Value

Clock = Callable[[], datetime]
T = TypeVar("T")
Outcome = Literal["done", "below the bar", "not read", "not refreshed", "held", "not delivered"]
FAR_AHEAD = timedelta(days=180)
"""A night so long after the last run needs confirmation: a wrong clock is mostly wrong by a year or more."""

_CHECKED_EVERY = 500
_NAMED = 5


class NightRunningError(Exception):
    """Another nightly job is still running."""

    def __init__(self, lock: Path | str) -> None:
        where = f"lock file {lock}" if isinstance(lock, Path) else f"lock in {lock}"
        super().__init__(f"another nightly job is running ({where}); this one stopped")


class NightFarAheadError(Exception):
    """A night is so long after the last run that the clock may be wrong; nothing was done."""

    def __init__(self, on: date, last: date) -> None:
        self.on, self.last = on, last
        super().__init__(
            f"this night would be for {on}, {(on - last).days} days after the last run, which is for {last}; is the"
            " clock of this machine right? Nothing was done; if it is right: brain nightly --yes"
        )


class TimeLimitError(Exception):
    """The nightly job exceeded its time limit; an incomplete run is not saved."""

    def __init__(self, step: str, limit: timedelta) -> None:
        self.step = step
        super().__init__(f"the nightly job stopped in step {step!r}: it exceeded its time limit of {limit}")


class Deadline:
    """The time after which a step stops."""

    def __init__(self, clock: Clock, limit: timedelta) -> None:
        self._clock, self._limit = clock, limit
        self._end = clock() + limit

    def check(self, step: str) -> None:
        """Raises `TimeLimitError` after the deadline."""
        if self._clock() > self._end:
            raise TimeLimitError(step, self._limit)

    def over(self, things: Iterable[T], step: str) -> Iterator[T]:
        """Yield the things one by one until the deadline. Raises `TimeLimitError` after it."""
        for number, thing in enumerate(things):
            if number % _CHECKED_EVERY == 0:
                self.check(step)
            yield thing


class FolderRead(Value):
    """A folder of the library after it was read: how many documents it has, and what became of them.

    `brain` is that of all its documents; None: each has its own. `left_out` are files with errors, `kept` documents
    with claims, prices or silences whose files are gone; `failed` says why the folder could not be read.
    """

    path: str
    brain: str | None = None
    documents: int = 0
    new: int = 0
    changed: int = 0
    moved: int = 0
    removed: int = 0
    left_out: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    failed: str | None = None

    def notes(self) -> Iterator[RunNote]:
        """What the ledger should say about this folder, in a sentence each."""
        told = []
        if self.failed:
            told.append(f"{self.path} was not read: {self.failed}")
        if self.left_out:
            told.append(f"{self.path}: left out because of errors: {few(self.left_out, _NAMED)}")
        if self.kept:
            told.append(f"{self.path}: kept, files missing: {few(self.kept, _NAMED)}; brain ingest --yes removes them")
        return (RunNote(text=one, brain=self.brain) for one in told)


class Night(Value):
    """The result of a nightly job.

    `resumed_at` is when a killed night continued. `changes` counts the prices that changed since the night before.
    `unrefreshed` is the error of a failed refresh. `list_notes` are default price lists not reached or on hold, which
    change no outcome. `held` are fetched catalogues that wait for a decision, `acknowledged` who looks after which
    failing claims, which still count as failing. `receivers` are those that get notices.
    """

    started_at: datetime
    finished_at: datetime
    resumed_at: datetime | None = None
    folders: tuple[FolderRead, ...] = ()
    changes: int = 0
    unrefreshed: str | None = None
    list_notes: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    acknowledged: tuple[str, ...] = ()
    run: Run
    notices: int = 0
    receivers: int = 0
    delivery: Delivery

    def below(self, failing: Iterable[VerdictName]) -> int:
        """The number of claims with a verdict in `failing`."""
        return sum(self.run.counts.get(name.value, 0) for name in failing)

    def outcome(self, failing: Iterable[VerdictName]) -> Outcome:
        """The most important outcome: undelivered notices, stale documents or prices, held prices, failing claims."""
        if not self.delivery.complete:
            return "not delivered"
        if any(folder.failed for folder in self.folders):
            return "not read"
        if self.unrefreshed:
            return "not refreshed"
        if self.held:
            return "held"
        return "below the bar" if self.below(failing) else "done"
