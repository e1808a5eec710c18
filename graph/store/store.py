"""The `Store` class, composed of the parts in this package."""

from __future__ import annotations

from pathlib import Path

from graph.store.claim_tables import ClaimTables
from graph.store.database_engine import address, build
from graph.store.document_tables import DocumentTables
from graph.store.index_feed import IndexFeed
from graph.store.integrity_checks import IntegrityChecks
from graph.store.ledger_tables import LedgerTables
from graph.store.link_queries import LinkQueries
from graph.store.node_queries import NodeQueries
from graph.store.notice_tables import NoticeTables
from graph.store.schema_upgrade import upgrade
from graph.store.unresolved_links import UnresolvedLinks


class Store(
    DocumentTables,
    NodeQueries,
    LinkQueries,
    IndexFeed,
    ClaimTables,
    LedgerTables,
    NoticeTables,
    UnresolvedLinks,
    IntegrityChecks,
):
    """All stored data. Safe to share between threads and processes; close it with `close` or `with`."""

    @classmethod
    def open(cls, where: str | Path) -> Store:
        """The store at an SQLite file path, or at an `sqlite:` or `postgresql:` URL, upgraded to the current schema.

        Raises:
            OpeningError: the database cannot be used; the subclass says why.
            BusyStoreError: another process had the write lock for too long.
        """
        url = address(where)
        shown = url.database or "memory" if url.get_backend_name() == "sqlite" else url.render_as_string()
        engine = build(url)
        try:
            upgrade(engine, shown)
            return cls(engine, shown)
        except BaseException:
            engine.dispose()
            raise
