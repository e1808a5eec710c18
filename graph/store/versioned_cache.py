"""A cache of values derived from the store, each valid for one committed version of it.

get(key) ─▶ version ─▶ cached for this version? ───────────────────────▶ value
                         └─▶ lock of the key ─▶ make ─▶ version again ─▶ cache if unchanged ─▶ value
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from typing import Generic, TypeVar, cast

Answer = TypeVar("Answer")


@dataclass(slots=True)
class _Entry(Generic[Answer]):
    version: int
    answer: Answer
    renewable: bool


@dataclass(slots=True)
class _Turn:
    """A lock and the number of threads that have it or wait for it."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    users: int = 0


class VersionedCache:
    """At most `size` values, the least recently used dropped first; all are dropped when the version changes.

    `version` returns a counter that rises with every commit that can change the values. `writing` says whether the
    calling thread has an open write transaction: such a thread sees changes that may still be rolled back, so what it
    computes is returned and not cached. A value is also not cached if the version changed while it was computed.

    Threads may share a cache. Threads that ask for one key at the same time compute it once; other keys are not
    blocked meanwhile. An exception from `make` is raised and not cached. `make` may ask the same cache for other keys.
    """

    def __init__(
        self,
        version: Callable[[], int],
        writing: Callable[[], bool],
        size: int,
        heard: Callable[[], int | None] = lambda: None,
        *,
        day: Callable[[], date] | None = None,
    ) -> None:
        """`heard` is a cheaper `version` that may be some milliseconds behind; only cached values are chosen by it.

        It is None where nothing is heard. With `day` a value is one of the day on which it was computed.
        """
        self._version, self._writing, self._size, self._day = version, writing, size, day
        self._heard = heard
        self._known: OrderedDict[Hashable, _Entry[object]] = OrderedDict()
        self._latest = -1
        self._turns: dict[tuple[int, Hashable], _Turn] = {}
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], Answer]) -> Answer:
        """The value for `key` at the current version; `make` computes it if it is not cached."""
        return self._get(key, lambda _old: make(), renewable=False)

    def cached(self, key: Callable[[int], Hashable]) -> object | None:
        """The cached value for the key that `key` makes from the current version, or None; nothing is computed."""
        heard = self._heard()
        version = self._version() if heard is None else heard
        found = self._find(version, self._of_day(key(version)))
        return None if found is None else found.answer

    def renew(self, key: Hashable, make: Callable[[Answer | None], Answer]) -> Answer:
        """As `get`; `make` receives the value of an earlier version, if there is one, and may return it again.

        For values that few of the commits change: `make` checks whether the old value is still right.
        """
        return self._get(key, make, renewable=True)

    def _get(self, key: Hashable, make: Callable[[Answer | None], Answer], *, renewable: bool) -> Answer:
        key, heard = self._of_day(key), self._heard()
        if heard is not None and (known := self._find(heard, key)) is not None:
            return cast("Answer", known.answer)
        while True:
            version = self._version()
            found = self._find(version, key)
            if found is not None:
                return cast("Answer", found.answer)
            if self._writing():
                return make(self._old(key))
            with self._turn(version, key) as waited:
                if not waited or self._version() == version:
                    return self._made(version, key, make, renewable=renewable)
            # The store changed while another thread computed the value: start again at the new version.

    def _of_day(self, key: Hashable) -> Hashable:
        return key if self._day is None else (self._day(), key)

    def _find(self, version: int, key: Hashable) -> _Entry[object] | None:
        with self._lock:
            found = self._known.get(key)
            if found is None or found.version != version:
                return None
            self._known.move_to_end(key)
            return found

    def _old(self, key: Hashable) -> Answer | None:
        """The value that `make` may renew."""
        with self._lock:
            found = self._known.get(key)
        return cast("Answer", found.answer) if found is not None and found.renewable else None

    @contextmanager
    def _turn(self, version: int, key: Hashable) -> Iterator[bool]:
        """Lock a key at a version; yields whether another thread had the lock before."""
        with self._lock:
            turn = self._turns.setdefault((version, key), _Turn())
            turn.users += 1
        try:
            waited = not turn.lock.acquire(blocking=False)
            if waited:
                turn.lock.acquire()
            try:
                yield waited
            finally:
                turn.lock.release()
        finally:
            with self._lock:
                turn.users -= 1
                if not turn.users:
                    del self._turns[version, key]

    def _made(self, version: int, key: Hashable, make: Callable[[Answer | None], Answer], *, renewable: bool) -> Answer:
        found = self._find(version, key)  # cached by the thread that had the lock before
        if found is not None:
            return cast("Answer", found.answer)
        answer = make(self._old(key))
        if self._version() == version:
            self._keep(key, _Entry(version, answer, renewable))
        return answer

    def _keep(self, key: Hashable, entry: _Entry[object]) -> None:
        with self._lock:
            if entry.version < self._latest:
                return  # another thread has cached a value of a newer version meanwhile
            if entry.version > self._latest:
                self._latest = entry.version
                self._known = OrderedDict((name, old) for name, old in self._known.items() if old.renewable)
            self._known[key] = entry
            self._known.move_to_end(key)
            while len(self._known) > self._size:
                self._known.popitem(last=False)
