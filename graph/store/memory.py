"""A small memory of answers that hold for one version of the graph."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import TypeVar, cast

Answer = TypeVar("Answer")


class Memory:
    """The answers used last; they are forgotten when the version moves on. Safe to share between threads."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._version = -1
        self._known: OrderedDict[Hashable, object] = OrderedDict()
        self._lock = threading.Lock()

    def recall(self, version: int, key: Hashable, make: Callable[[], Answer]) -> Answer:
        """The answer for `key` at `version`, made when it is not known."""
        with self._lock:
            if version == self._version and key in self._known:
                self._known.move_to_end(key)
                return cast("Answer", self._known[key])
        answer = make()
        with self._lock:
            self._keep(version, key, answer)
        return answer

    def _keep(self, version: int, key: Hashable, answer: object) -> None:
        if version < self._version:
            return  # another thread has seen a newer state meanwhile
        if version > self._version:
            self._known.clear()
            self._version = version
        self._known[key] = answer
        if len(self._known) > self._size:
            self._known.popitem(last=False)
