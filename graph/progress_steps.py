"""Progress of a long operation: the callback for it, and one that stops the operation after some time."""

from __future__ import annotations

import time
from collections.abc import Callable

ProgressStep = Callable[[str, int, int], None]
"""Progress callback: the name of the step, how much is done, and the total."""


def no_progress(_doing: str, _done: int, _total: int) -> None:
    """Ignores progress."""


class WorkLimitError(Exception):
    """Some work exceeds a limit; the message has both."""


def work_limit(seconds: float) -> ProgressStep:
    """Progress callback for the thread that calls this: it ends the work after so many seconds of its processor time.

    The callback raises WorkLimitError.
    """
    end = time.thread_time() + seconds

    def check(_doing: str, _done: int, _total: int) -> None:
        if time.thread_time() > end:
            raise WorkLimitError(f"it needs more than {seconds:g} seconds of processor time")

    return check
