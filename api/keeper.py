"""What is derived from the store is made again as soon as it was written to, so that no reader waits for it."""

from __future__ import annotations

import threading
from collections.abc import Callable

import structlog

EVERY = 0.25
"""So many seconds pass between two looks at the version of the store."""


class Keeper:
    """Calls `job` at once and after every write, in a thread of its own; use it with `with`.

    `version` gives a number that rises with every write, in this process or another. A job that fails is logged and
    called again after the next write: readers then make for themselves what it would have made.
    """

    def __init__(self, version: Callable[[], int], job: Callable[[], object], every: float = EVERY) -> None:
        self._version, self._job, self._every = version, job, every
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._keep, name="keeper", daemon=True)

    def __enter__(self) -> Keeper:
        self._thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._ended.set()
        self._thread.join()

    def _keep(self) -> None:
        done = -1
        while not self._ended.is_set():
            try:
                if (version := self._version()) != done:
                    done = version
                    self._job()
            except Exception as error:  # noqa: BLE001  # whatever it is, the service lives and says so
                log = structlog.get_logger("keeper")
                log.warning("not made ready", failed=str(error), kind=type(error).__name__)
            self._ended.wait(self._every)
