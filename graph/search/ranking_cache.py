"""A cache of rankings, so that the next page continues where the last one ended.

A ranking changes with every ingest. A cursor names the version of the graph that its ranking was made at. While that
ranking is cached, paging continues through it, whatever was ingested meanwhile.
"""

from __future__ import annotations

import base64
import binascii
import json
import threading
from collections import OrderedDict
from typing import Generic, TypeVar

from graph.store.store_errors import CursorError

KEPT = 64
"""Maximum number of cached rankings."""

Kept = TypeVar("Kept")
Key = tuple[int, str]


class RankingCache(Generic[Kept]):
    """The most recently used rankings, by graph version and query. Safe to share between threads."""

    def __init__(self) -> None:
        self._known: OrderedDict[Key, Kept] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Key) -> Kept | None:
        """The ranking of a query at a version, or None if it is not cached."""
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
            return self._known.get(key)

    def keep(self, key: Key, ranking: Kept) -> Kept:
        """Cache a ranking."""
        with self._lock:
            self._known[key] = ranking
            if len(self._known) > KEPT:
                self._known.popitem(last=False)
        return ranking


def cursor_text(version: int, seal: str, offset: int) -> str:
    """A cursor as text."""
    packed = json.dumps([version, seal, offset], separators=(",", ":"))
    return base64.urlsafe_b64encode(packed.encode()).decode().rstrip("=")


def read_cursor(text: str, seal: str) -> tuple[int, int]:
    """The version and the offset of a cursor.

    Raises:
        CursorError: the cursor is not one of this list.
    """
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        version, sealed, offset = json.loads(packed)
    except (ValueError, TypeError, binascii.Error, RecursionError) as error:
        raise CursorError(text) from error
    if sealed != seal or type(version) is not int or type(offset) is not int or offset < 0:
        raise CursorError(text)
    return version, offset
