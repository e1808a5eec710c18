"""Answers kept as bytes for one state of the store, and the name of that state."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from datetime import date, datetime
from hashlib import blake2b
from typing import NamedTuple

from anyio import CapacityLimiter, to_thread

from graph.store.database import Revision

Headers = list[tuple[bytes, bytes]]

OVERHEAD = 1500
"""What an answer takes in memory besides its body, in bytes, roughly."""


class CachedAnswer(NamedTuple):
    """A complete answer; `tag` is its entity tag."""

    status: int
    headers: Headers
    body: bytes
    tag: bytes


class AnswerCache:
    """The answers used last, at most `capacity` bytes of them; those of another state are dropped."""

    def __init__(self, capacity: int = 64 * 1024 * 1024) -> None:
        self._answers: OrderedDict[bytes, CachedAnswer] = OrderedDict()
        self._size, self._capacity, self._state = 0, capacity, b""

    def get(self, state: bytes, key: bytes) -> CachedAnswer | None:
        """The answer for `key` in this state."""
        found = self._answers.get(key) if state == self._state else None
        if found is not None:
            self._answers.move_to_end(key)
        return found

    def put(self, state: bytes, key: bytes, answer: CachedAnswer) -> None:
        """Keep an answer; those not used for longest go when there are too many."""
        if state != self._state:
            self._answers.clear()
            self._size, self._state = 0, state
        if key in self._answers or len(answer.body) > self._capacity // 8:
            return
        self._answers[key] = answer
        self._size += len(answer.body) + OVERHEAD
        while self._size > self._capacity:
            self._size -= len(self._answers.popitem(last=False)[1].body) + OVERHEAD


class StoreState:
    """Names what answers depend on, the store's revision and the day: `VERSION-YYYYMMDD-MARK`.

    A revision of SQLite is read on the event loop, in 20 µs; a server's in a thread (`waits`). `heard` is a cheaper
    revision that may be some milliseconds behind the writes of other processes.
    """

    def __init__(
        self,
        revision: Callable[[], Revision],
        clock: Callable[[], datetime],
        *,
        waits: bool,
        heard: Callable[[], Revision] | None = None,
    ) -> None:
        self._revision, self._heard, self._clock, self._waits = revision, heard or revision, clock, waits
        self._threads = CapacityLimiter(2)
        self._named: tuple[tuple[Revision, date] | None, bytes] = (None, b"")

    async def __call__(self, *, now: bool = False) -> bytes:
        """The present state; with `now` no write that came before is missed.

        Raises:
            StoreError: the store cannot be reached.
        """
        read = self._revision if now else self._heard
        found = await to_thread.run_sync(read, limiter=self._threads) if self._waits else read()
        seen = found, self._clock().date()
        if self._named[0] != seen:
            self._named = seen, f"{found.version}-{seen[1]:%Y%m%d}-{revision_mark(found)}".encode()
        return self._named[1]


def revision_mark(revision: Revision) -> str:
    """A revision in 16 hexadecimal digits: no other state of this or another store has the same."""
    return blake2b(f"{revision.store} {revision.commit}".encode(), digest_size=8).hexdigest()
