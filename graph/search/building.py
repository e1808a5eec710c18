"""Builds the index in a background thread; callers wait a moment or get an error that says when to try again."""

from __future__ import annotations

import threading
from collections.abc import Callable

from graph.search.search_errors import SearchFailedError, SearchNotReadyError, StoppedError
from graph.search.search_protocol import Progress

PATIENCE = 1.0
"""Seconds that a query waits for the index before it gets `SearchNotReadyError`."""

OPENING = 20.0
"""The same for an index that is current and only has to be opened, with the cards of all nodes: at 100,000 nodes that
takes some seconds, and the caller would be told to try again by a service that is ready."""

RATE = 500
"""Notes indexed per second, to estimate when to try again."""

WRITING = 4
"""When all notes are read the index is sorted and written, which takes as long as this part of reading them."""

LATEST = 60
"""The longest proposed wait, in seconds."""


class Build:
    """One run of `work`, which gets a progress callback; `progress` receives the same calls."""

    def __init__(self, work: Callable[[Progress], object], progress: Progress) -> None:
        self._work, self._progress = work, progress
        self._done, self._stopped = threading.Event(), threading.Event()
        self._late = False
        self._at: tuple[int, int] | None = None
        self._failure: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="search-index", daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        """False once the work has ended, in whatever way."""
        return not self._done.is_set()

    @property
    def counts(self) -> bool:
        """Whether it has reported how far it is, as building an index does and opening one does not."""
        return self._at is not None

    def wait(self, patience: float | None) -> None:
        """Wait for the end, at most `patience` seconds, or without limit if None.

        After one caller has timed out, later callers with a limit do not wait at all for what reports how far it is.
        What does not is nearly done: only a busy machine keeps them waiting.

        Raises:
            SearchNotReadyError: the work has not ended in time.
            SearchFailedError: the work failed.
        """
        hopeless = self._late and patience is not None and (self.counts or patience < OPENING)
        if not self._done.wait(0 if hopeless else patience):
            self._late = True
            done, total = self._at or (0, 0)
            left = total - done + total // WRITING
            raise SearchNotReadyError(done, total, min(LATEST, max(1, -(-left // RATE))))
        if self._failure is not None:
            raise SearchFailedError(str(self._failure)) from self._failure

    def stop(self) -> None:
        """Cancel the work at its next step, and wait until it has ended."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            self._work(self._report)
        except Exception as error:  # noqa: BLE001 - raised to the callers that wait
            self._failure = error
        finally:
            self._done.set()

    def _report(self, what: str, done: int, total: int) -> None:
        if self._stopped.is_set():
            raise StoppedError
        self._at = (done, total)
        self._progress(what, done, total)
