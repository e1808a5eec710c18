"""Answers cached as bytes for one state of the store, bounded in size, dropped when the state changes."""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

Headers = list[tuple[bytes, bytes]]

OVERHEAD = 1500
"""What an answer takes in memory besides its body, in bytes, roughly."""


class CachedResponse(NamedTuple):
    """A complete answer; `tag` is its entity tag."""

    status: int
    headers: Headers
    body: bytes
    tag: bytes


class ResponseCache:
    """The answers used last, at most `capacity` bytes of them."""

    def __init__(self, capacity: int = 64 * 1024 * 1024) -> None:
        self._answers: OrderedDict[bytes, CachedResponse] = OrderedDict()
        self._size, self._capacity, self._state = 0, capacity, b""

    def __len__(self) -> int:
        return len(self._answers)

    def get(self, state: bytes, key: bytes) -> CachedResponse | None:
        """The cached answer for `key` in this state."""
        if state != self._state:
            return None
        found = self._answers.get(key)
        if found is not None:
            self._answers.move_to_end(key)
        return found

    def put(self, state: bytes, key: bytes, answer: CachedResponse) -> None:
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
