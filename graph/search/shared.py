"""A value that many threads use and one replaces: the old value is closed when its last user ends."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Held = TypeVar("Held")


class _Counted(Generic[Held]):
    """A value with the number of its users."""

    def __init__(self, value: Held) -> None:
        self.value = value
        self.users = 0
        self.replaced = False


class _Use(Generic[Held]):
    """The block of `Shared.using`: a class, as a generator takes five times as long to enter and leave."""

    __slots__ = ("_held", "_leave")

    def __init__(self, held: _Counted[Held] | None, leave: Callable[[_Counted[Held]], None]) -> None:
        self._held, self._leave = held, leave

    def __enter__(self) -> Held | None:
        return None if self._held is None else self._held.value

    def __exit__(self, *_exception: object) -> None:
        if self._held is not None:
            self._leave(self._held)


class Shared(Generic[Held]):
    """The current value, or None; `close` is called once for each replaced value, when it has no users."""

    def __init__(self, close: Callable[[Held], None]) -> None:
        self._close = close
        self._lock = threading.Lock()
        self._present: _Counted[Held] | None = None

    def using(self, fits: Callable[[Held], bool]) -> _Use[Held]:
        """For `with`: the current value if it fits, else None; it is not closed within the block."""
        with self._lock:
            found = self._present
            if found is None or not fits(found.value):
                found = None
            else:
                found.users += 1
        return _Use(found, self._leave)

    def replace(self, value: Held | None) -> None:
        """Replace the value by another one, or by none."""
        fresh = None if value is None else _Counted(value)
        with self._lock:
            old, self._present = self._present, fresh
            unused = old is not None and not old.users
            if old is not None:
                old.replaced = True
        if old is not None and unused:
            self._close(old.value)

    def _leave(self, held: _Counted[Held]) -> None:
        with self._lock:
            held.users -= 1
            last = held.replaced and not held.users
        if last:
            self._close(held.value)
