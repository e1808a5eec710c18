"""How far the reading of texts is: each part is reported, and the watcher may show it or end the work.

The watcher belongs to the context of the caller, so results that are kept for a text do not depend on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

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
