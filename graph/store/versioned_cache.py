"""A cache of values derived from the store, each valid for one committed version."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from datetime import date
from functools import partial, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

Answer = TypeVar("Answer")
Given = ParamSpec("Given")


@dataclass(slots=True, eq=False)
class _Entry:
    """A value with its version; the thread that computes it has the lock."""

    held: tuple[int, object] = (-1, None)
    lock: threading.Lock = field(default_factory=threading.Lock)


class VersionedCache:
    """At most `size` values, the least recently used dropped first; a new version drops all.

    `version` rises with every commit that can change the values. Values are not cached for a thread that is `writing`,
    as its changes may be rolled back, nor if the version changed meanwhile. With `day`, a value is valid for one day.

    Threads that ask for one key compute it once; other keys are not blocked. Exceptions of `make` are not cached.
    `make` may ask the same cache for other keys.
    """

    def __init__(
        self,
        version: Callable[[], int],
        writing: Callable[[], bool],
        size: int,
        *,
        day: Callable[[], date] | None = None,
    ) -> None:
        self._version, self._writing, self._size, self._day = version, writing, size, day
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()
        self._latest = -1
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], Answer]) -> Answer:
        """The value for `key` at the current version, computed by `make` if it is not cached."""
        key, version, writing = (self._day(), key) if self._day else key, self._version(), self._writing()
        entry = self._entries.get(key) if writing else self._entry(key, version)
        if entry is None:
            return make()
        if entry.held[0] == version:
            return cast("Answer", entry.held[1])
        if writing:
            return make()
        with entry.lock:
            version = self._version()  # another thread may have computed the value, or the store has changed
            if entry.held[0] != version:
                answer = make()
                if self._version() != version:
                    return answer
                with self._lock:
                    self._drop_before(version)
                    entry.held = version, answer
                    if version == self._latest:
                        self._entries.setdefault(key, entry)
            return cast("Answer", entry.held[1])

    def _entry(self, key: Hashable, version: int) -> _Entry:
        with self._lock:
            self._drop_before(version)
            entry = self._entries.setdefault(key, _Entry())
            self._entries.move_to_end(key)
            while len(self._entries) > self._size:
                self._entries.popitem(last=False)
            return entry

    def _drop_before(self, version: int) -> None:
        """Drop the values of earlier versions."""
        if version > self._latest:
            self._latest = version
            self._entries = OrderedDict()


def cached_in(
    attribute: str,
) -> Callable[[Callable[Concatenate[Any, Given], Answer]], Callable[Concatenate[Any, Given], Answer]]:
    """A decorator that caches a method by its arguments in the `VersionedCache` in an attribute of its object."""

    def decorated(method: Callable[Concatenate[Any, Given], Answer]) -> Callable[Concatenate[Any, Given], Answer]:
        @wraps(method)
        def answer(self: object, /, *given: Given.args, **named: Given.kwargs) -> Answer:
            cache: VersionedCache = getattr(self, attribute)
            return cache.get((method.__name__, given, *named.items()), partial(method, self, *given, **named))

        return answer

    return decorated
