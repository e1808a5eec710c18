"""A cache for threads that keeps the values used last."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Made = TypeVar("Made")


class RecentValues(Generic[Key, Made]):
    """The `size` values used last; `make` makes one, `end` closes one that is dropped. Threads may share it."""

    def __init__(
        self, make: Callable[[Key], Made], size: int, end: Callable[[Made], object] = lambda _value: None
    ) -> None:
        self._make, self._size, self._end = make, size, end
        self._lock, self._making = threading.Lock(), threading.Lock()
        self._values: OrderedDict[Key, Made] = OrderedDict()

    def get(self, key: Key) -> Made:
        """The value of a key; a cached one at once, while another is made."""
        if (found := self._known(key)) is not None:
            return found
        with self._making:
            if (found := self._known(key)) is not None:
                return found
            made = self._make(key)
            with self._lock:
                self._values[key] = made
                oldest = self._values.popitem(last=False)[1] if len(self._values) > self._size else None
        if oldest is not None:
            self._end(oldest)  # it may take time, and no thread waits for it
        return made

    def _known(self, key: Key) -> Made | None:
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def clear(self) -> None:
        """Drop all values."""
        with self._lock:
            while self._values:
                self._end(self._values.popitem()[1])
