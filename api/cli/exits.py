"""Which exit code an exception means: one table, read from top to bottom."""

from __future__ import annotations

from api.services.market import CatalogFileError
from compute.catalogs.genai import RefreshError
from compute.overrides import OverrideError
from compute.snapshots import NothingKnownError, SnapshotError
from graph.search import SearchError
from graph.store.errors import CursorError, NotFoundError, OpeningError, StoreError

FAILED, USAGE, UNREADABLE, UNDELIVERED = 1, 2, 3, 4

CODES: tuple[tuple[type[Exception], int], ...] = (
    (NotFoundError, UNREADABLE),
    (CursorError, USAGE),
    (OpeningError, UNREADABLE),
    (StoreError, UNREADABLE),
    (SnapshotError, UNREADABLE),
    (NothingKnownError, UNREADABLE),
    (RefreshError, UNREADABLE),
    (CatalogFileError, UNREADABLE),
    (OverrideError, USAGE),
    (SearchError, UNREADABLE),
    (OSError, UNREADABLE),
)


def code_of(error: Exception) -> int | None:
    """The exit code of an expected exception; None for a defect."""
    return next((code for kind, code in CODES if isinstance(error, kind)), None)
