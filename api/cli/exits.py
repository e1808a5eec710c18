"""Which exit code an exception means: one table, read from top to bottom."""

from __future__ import annotations

from collections.abc import Mapping

from api.services.market import CatalogFileError
from api.services.night import MissingSecretError
from compute.catalogs.genai import RefreshError
from compute.deliver import SecretError
from compute.ledger import ManifestError
from compute.nightly import NightRunningError, TimeLimitError
from compute.overrides import OverrideError
from compute.snapshots import NothingKnownError, SnapshotError
from graph.search import SearchError
from graph.store.errors import CursorError, NotFoundError, OpeningError, StoreError

FAILED, USAGE, UNREADABLE, UNDELIVERED = 1, 2, 3, 4

OUTCOMES: Mapping[str, int] = {
    "done": 0,
    "below the bar": FAILED,
    "not refreshed": UNREADABLE,
    "not delivered": UNDELIVERED,
}
"""How a night that ran to its end ends."""

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
    (ManifestError, UNREADABLE),
    (NightRunningError, UNREADABLE),
    (TimeLimitError, UNREADABLE),
    (MissingSecretError, USAGE),
    (SecretError, USAGE),
    (OSError, UNREADABLE),
)


def code_of(error: Exception) -> int | None:
    """The exit code of an expected exception; None for a defect."""
    return next((code for kind, code in CODES if isinstance(error, kind)), None)
