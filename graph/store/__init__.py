"""The store: documents, nodes, edges, claims, the ledger and the notices, in SQLite or PostgreSQL.

The names below are loaded when they are first used: a module of this package that needs no SQLAlchemy, such as
`quick_reader`, is imported without it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graph.store.database import Revision, StatementCount
    from graph.store.store import Store
    from graph.store.store_errors import (
        BusyStoreError,
        ClaimTakenError,
        ConflictError,
        CorruptStoreError,
        CursorError,
        DuplicateClaimError,
        DuplicateNodeError,
        ForeignStoreError,
        FullDiskError,
        LostConnectionError,
        NewerStoreError,
        NodeTakenError,
        NotFoundError,
        OpeningError,
        PoolExhaustedError,
        SnapshotMismatchError,
        StoreError,
        UnavailableError,
        UnknownClaimError,
        UnknownCommitError,
        UnknownDocumentError,
        UnknownNodeError,
        UnknownNoticeError,
        UnknownRunError,
        UnknownSnapshotError,
        UnknownSourceError,
        UnknownTagError,
        UnstorableError,
        UnwritableError,
    )

__all__ = [
    "BusyStoreError",
    "ClaimTakenError",
    "ConflictError",
    "CorruptStoreError",
    "CursorError",
    "DuplicateClaimError",
    "DuplicateNodeError",
    "ForeignStoreError",
    "FullDiskError",
    "LostConnectionError",
    "NewerStoreError",
    "NodeTakenError",
    "NotFoundError",
    "OpeningError",
    "PoolExhaustedError",
    "Revision",
    "SnapshotMismatchError",
    "StatementCount",
    "Store",
    "StoreError",
    "UnavailableError",
    "UnknownClaimError",
    "UnknownCommitError",
    "UnknownDocumentError",
    "UnknownNodeError",
    "UnknownNoticeError",
    "UnknownRunError",
    "UnknownSnapshotError",
    "UnknownSourceError",
    "UnknownTagError",
    "UnstorableError",
    "UnwritableError",
]

_MODULES = {"Store": "store", "Revision": "database", "StatementCount": "database"}
"""The modules of the names that are not errors."""


def __getattr__(name: str) -> object:
    """Load a name of `__all__`."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"{__name__}.{_MODULES.get(name, 'store_errors')}"), name)
    globals()[name] = found
    return found
