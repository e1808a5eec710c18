"""How far a long operation is: the callback that receives it, and one that ends it after some time.

Of a text that is read in parts each part is reported to a watcher. It belongs to the context of the caller, so results
that are kept for a text do not depend on it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

ProgressStep = Callable[[str, int, int], None]
"""Progress callback: the name of the step, how much is done, and the total."""


def no_progress(_doing: str, _done: int, _total: int) -> None:
    """Ignores progress."""


class WorkLimitError(Exception):
    """Some work is more than may be done at once; the message says what there is and the bound."""


def work_limit(seconds: float) -> ProgressStep:
    """Progress callback for the thread that calls this: it ends the work after so many seconds of its processor time.

    The callback raises WorkLimitError.
    """
    end = time.thread_time() + seconds

    def check(_doing: str, _done: int, _total: int) -> None:
        if time.thread_time() > end:
            raise WorkLimitError(f"it needs more than {seconds:g} seconds of processor time")

    return check


Watcher = Callable[[int, int], None]
"""Receives how much of a text is read, and how much there is; what it raises ends the reading."""
Item = TypeVar("Item")
Result = TypeVar("Result")
_watcher: ContextVar[Watcher | None] = ContextVar("_watcher", default=None)


def report(done: int, total: int) -> None:
    """Report that `done` of `total` are read."""
    watcher = _watcher.get()
    if watcher is not None:
        watcher(done, total)


@contextmanager
def watched(watcher: Watcher | None) -> Iterator[None]:
    """Report to this watcher what is read inside the block, in this thread and process."""
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)


def in_parts(
    read: Callable[[Item], Result], parts: Iterable[Item], sizes: Sequence[int], watcher: Watcher | None = None
) -> Iterator[Result]:
    """The result of each part; what is read of it is reported as a share of its size in the sum of the sizes.

    It is reported to `watcher`, or to the one of the caller.
    """
    outer, whole, before = watcher or _watcher.get(), sum(sizes), 0
    for part, size in zip(parts, sizes, strict=True):
        with watched(_scaled(outer, before, size, whole)):
            report(0, 1)
            result = read(part)
            report(1, 1)
        before += size
        yield result


def _scaled(outer: Watcher | None, before: int, size: int, whole: int) -> Watcher | None:
    return outer and (lambda done, total: outer(before + size * done // max(total, 1), whole))
