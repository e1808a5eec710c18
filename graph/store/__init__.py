"""The store: documents, nodes, edges, claims, the ledger and the notices, in SQLite or PostgreSQL.

The names below are loaded when they are first used: a module of this package that needs no SQLAlchemy, such as
`quick_reader`, is imported without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graph.lazy_names import lazy_names

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

_MODULES = dict.fromkeys(__all__, "store_errors") | {
    "Store": "store",
    "Revision": "database",
    "StatementCount": "database",
}
"""The module of each name."""

__getattr__ = lazy_names(__name__, _MODULES)
