"""What is derived from the store is made again as soon as it was written to, so that no reader waits for it."""

from __future__ import annotations

import threading
from collections.abc import Callable

import structlog

EVERY = 0.25
"""Seconds between two looks at the version of the store."""
LONGEST = 60.0
"""The most seconds between two tries while they fail."""


class CacheWarmer:
    """Calls `job` at once and after every write, in a thread of its own; use it with `with`.

    `version` gives a number that rises with every write, in this process or another. What fails is tried again, after
    twice the time with each failure, up to `longest` seconds: readers meanwhile make for themselves what the job would
    have made. The log gets one line when it begins to fail, or fails in another way, and one when it works again.
    """

    def __init__(
        self,
        version: Callable[[], int],
        job: Callable[[], object],
        every: float = EVERY,
        longest: float = LONGEST,
        wait: Callable[[float], object] | None = None,
    ) -> None:
        """`wait` waits that many seconds, or until the warmer stops, which is the default."""
        self._version, self._job, self._every, self._longest = version, job, every, longest
        self._ended = threading.Event()
        self._wait = wait or self._ended.wait
        self._done, self._failures, self._failed = -1, 0, ""
        self._thread = threading.Thread(target=self._keep, name="keeper", daemon=True)

    def __enter__(self) -> CacheWarmer:
        self._thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._ended.set()
        self._thread.join()

    def _keep(self) -> None:
        while not self._ended.is_set():
            try:
                self._try()
            except Exception as error:  # noqa: BLE001  # whatever fails, the service goes on without warm caches
                self._fail(error)
            else:
                self._recover()
            self._wait(min(self._every * 2**self._failures, self._longest))

    def _try(self) -> None:
        version = self._version()
        if version != self._done:
            self._job()
            self._done = version

    def _fail(self, error: Exception) -> None:
        self._failures = min(self._failures + 1, 30)
        kind = type(error).__name__
        if kind != self._failed:
            structlog.get_logger("keeper").warning("cache warm-up failed", failed=str(error), kind=kind)
        self._failed = kind

    def _recover(self) -> None:
        if self._failures:
            structlog.get_logger("keeper").info("cache warm-up works again", failures=self._failures)
        self._failures, self._failed = 0, ""
