"""The state of what is served: the store's revision and the day, read again after a few milliseconds.

The revision is read on the event loop where that needs no waiting, as from SQLite, and else in a thread of its own:
busy request threads never delay cached answers.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime
from hashlib import blake2b

from graph.store import Revision

PATIENCE = 0.005
"""Seconds for which a revision that was read is taken to be the present one.

So a write of another process is visible after five milliseconds; one of this process at once, by `forget`.
"""

REVISION = "revision"
"""Where a handler leaves the revision that it read after all its data, in the state of the request."""


class StoreVersion:
    """Names the state as bytes: `VERSION-YYYYMMDD-REVISION` (`revision_mark`). Use it on one event loop."""

    def __init__(
        self,
        revision: Callable[[], Revision],
        clock: Callable[[], datetime],
        patience: float = PATIENCE,
        heard: Callable[[], Revision] | None = None,
        at_once: Callable[[], Revision | None] = lambda: None,
    ) -> None:
        """`heard` is a cheaper `revision` that may be some milliseconds behind; `now` never uses it.

        `at_once` gives the revision without waiting, or None where that is not possible.
        """
        self._revision, self._clock, self._patience = revision, clock, patience
        self._heard, self._revision_at_once = heard or revision, at_once
        self._seen, self._sure, self._state, self._writes = float("-inf"), float("-inf"), b"", 0
        self._named: tuple[tuple[Revision, date] | None, bytes] = (None, b"")
        self._reading, self._thread = asyncio.Lock(), ThreadPoolExecutor(1, "store-revision")

    async def __call__(self) -> bytes:
        """The state as it was at most `patience` ago.

        Raises:
            StoreError: the store cannot be reached.
        """
        earliest = time.monotonic() - self._patience
        if self._seen < earliest and not self._read_at_once():
            async with self._reading:
                if self._seen < earliest:
                    began, writes, state = await self._read(self._heard)
                    self._seen = began if writes == self._writes else self._seen
                    return state
        return self._state

    def at_once(self) -> bytes | None:
        """As a call, or None where that would wait."""
        return self._state if self._seen >= time.monotonic() - self._patience or self._read_at_once() else None

    async def now(self) -> bytes:
        """The state as it is now, or later: what one request reads, all that came before it share.

        Raises:
            StoreError: the store cannot be reached.
        """
        earliest = time.monotonic()
        if self._read_at_once():
            return self._state
        async with self._reading:
            if self._sure < earliest:
                began, writes, state = await self._read(self._revision)
                if writes == self._writes:
                    self._seen = self._sure = began
                return state
        return self._state

    def named(self, revision: Revision) -> bytes:
        """The state of a revision that was read now."""
        named = (revision, self._clock().date())
        if self._named[0] != named:
            text = f"{revision.version}-{named[1]:%Y%m%d}-{revision_mark(revision)}"
            self._named = (named, text.encode())
        return self._named[1]

    def forget(self) -> None:
        """Read again at the next question, also where a read is under way: it may have begun before a write."""
        self._seen = self._sure = float("-inf")
        self._writes += 1

    def _read_at_once(self) -> bool:
        """Whether the state was read without waiting."""
        began, found = time.monotonic(), self._revision_at_once()
        if found is None:
            return False
        self._state = self.named(found)
        self._seen = self._sure = began
        return True

    async def _read(self, read: Callable[[], Revision]) -> tuple[float, int, bytes]:
        """When the read began, how many writes there were then, and the state."""
        began, writes = time.monotonic(), self._writes
        found = await asyncio.get_running_loop().run_in_executor(self._thread, read)
        self._state = self.named(found)
        return began, writes, self._state


def revision_mark(revision: Revision) -> str:
    """A revision in 16 hexadecimal digits: no other state of this or another store has the same."""
    return blake2b(f"{revision.store} {revision.commit}".encode(), digest_size=8).hexdigest()
