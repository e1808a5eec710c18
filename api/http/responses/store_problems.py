"""What a caller is told where the store or the search fails: no address, role or folder of the operator.

The error itself, which has them, goes into the log: once in `QUIET` seconds for each class of errors, as every request
fails while a database is away.
"""

from __future__ import annotations

import threading
import time

import structlog

from api.http.responses.problem_types import KINDS
from graph.store.store_errors import (
    BusyStoreError,
    CorruptStoreError,
    FullDiskError,
    LostConnectionError,
    OpeningError,
    PoolExhaustedError,
    UnknownCommitError,
)

LOG = structlog.get_logger("store")

QUIET = 60.0
"""Seconds for which an error of the same class is not logged again."""

UNAVAILABLE = "unavailable"

SENTENCES: tuple[tuple[type[Exception], str, str], ...] = (
    (BusyStoreError, UNAVAILABLE, "The store is being written by another process; try again."),
    (PoolExhaustedError, UNAVAILABLE, "All connections to the store are in use; try again."),
    (
        UnknownCommitError,
        UNAVAILABLE,
        "The connection to the store was lost during the commit: the transaction was stored completely or not at all; "
        "check which before you repeat it.",
    ),
    (
        LostConnectionError,
        UNAVAILABLE,
        "The connection to the store was lost: nothing of this transaction was stored; try again.",
    ),
    (FullDiskError, "insufficient-storage", "The disk is full: this transaction was not written."),
    (CorruptStoreError, "internal-error", KINDS["internal-error"].example),
    (OpeningError, UNAVAILABLE, "The store cannot be reached."),
)
"""The errors that no caller can help, each with its kind of problem; the first that fits counts."""

FAILURES = tuple(kind for kind, _, _ in SENTENCES)


class _Logged:
    """When each class of errors was logged last; threads may share it."""

    def __init__(self) -> None:
        self._lock, self._at = threading.Lock(), dict[type[Exception], float]()

    def due(self, kind: type[Exception]) -> bool:
        """Whether to log one of this class now."""
        now = time.monotonic()
        with self._lock:
            due = now - self._at.get(kind, -QUIET) >= QUIET
            if due:
                self._at[kind] = now
        return due


_LOGGED = _Logged()


def describe(error: Exception) -> tuple[str, str]:
    """The kind of problem and the sentence for one of `FAILURES`, which is logged."""
    if _LOGGED.due(type(error)):
        LOG.warning("store", failed=str(error).strip(), kind=type(error).__name__)
    return next((kind, sentence) for cause, kind, sentence in SENTENCES if isinstance(error, cause))
