"""A small memory of answers that hold for one version of the graph."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import TypeVar, cast

Answer = TypeVar("Answer")


_NOTHING = object()


class Memory:
    """The answers used last; they are forgotten when the version moves on.

    Safe to share between threads: what several want at once is made once.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._version = -1
        self._known: OrderedDict[Hashable, object] = OrderedDict()
        self._making: dict[tuple[int, Hashable], threading.Lock] = {}
        self._lock = threading.Lock()

    def recall(self, version: int, key: Hashable, make: Callable[[], Answer]) -> Answer:
        """The answer for `key` at `version`, made when it is not known."""
        found = self._found(version, key)
        if found is not _NOTHING:
            return cast("Answer", found)
        with self._turn(version, key):
            found = self._found(version, key)
            return cast("Answer", self._made(version, key, make) if found is _NOTHING else found)

    def _found(self, version: int, key: Hashable) -> object:
        with self._lock:
            if version != self._version or key not in self._known:
                return _NOTHING
            self._known.move_to_end(key)
            return self._known[key]

    def _turn(self, version: int, key: Hashable) -> threading.Lock:
        """The lock of those who want the same: one makes it, the others wait for that."""
        with self._lock:
            return self._making.setdefault((version, key), threading.Lock())

    def _made(self, version: int, key: Hashable, make: Callable[[], object]) -> object:
        try:
            answer = make()
            with self._lock:
                self._keep(version, key, answer)
            return answer
        finally:
            with self._lock:
                self._making.pop((version, key), None)

    def _keep(self, version: int, key: Hashable, answer: object) -> None:
        if version < self._version:
            return  # another thread has seen a newer state meanwhile
        if version > self._version:
            self._known.clear()
            self._version = version
        self._known[key] = answer
        if len(self._known) > self._size:
            self._known.popitem(last=False)
