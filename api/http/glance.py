"""The state of what is served: the store's version and the day, looked at again after a few milliseconds."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime

PATIENCE = 0.002
"""Seconds for which a version that was seen is taken to be the present one.

So a write of another process is seen after two milliseconds; one of this process at once, by `forget`.
"""


class Glance:
    """Names the state as bytes: `VERSION-YYYYMMDD`."""

    def __init__(self, version: Callable[[], int], clock: Callable[[], datetime], patience: float = PATIENCE) -> None:
        self._version, self._clock, self._patience = version, clock, patience
        self._seen, self._state = float("-inf"), b""

    def __call__(self) -> bytes:
        """The state now."""
        now = time.monotonic()
        if now - self._seen > self._patience:
            self._state = b"%d-%s" % (self._version(), self._clock().strftime("%Y%m%d").encode())
            self._seen = time.monotonic()
        return self._state

    def forget(self) -> None:
        """Look again at the next question."""
        self._seen = float("-inf")
