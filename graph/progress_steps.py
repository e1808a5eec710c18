"""Callbacks for the progress of a long operation."""

from __future__ import annotations

import time
from collections.abc import Callable

ProgressStep = Callable[[str, int, int], None]
"""Progress callback: the step, how much of it is done, and the total."""


def no_progress(_doing: str, _done: int, _total: int) -> None:
    """Ignore progress."""


class WorkLimitError(Exception):
    """Some work exceeds a limit."""


def work_limit(seconds: float) -> ProgressStep:
    """Callback that raises WorkLimitError after so many seconds of this thread's processor time."""
    end = time.thread_time() + seconds

    def check(_doing: str, _done: int, _total: int) -> None:
        if time.thread_time() > end:
            raise WorkLimitError(f"it needs more than {seconds:g} seconds of processor time")

    return check
