"""The `Store`: one database, and its parts by what they hold."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Engine

from graph.problems import Problem
from graph.store.alert_tables import AlertTables
from graph.store.brain_tables import AuditLog, BrainTables, TokenTables
from graph.store.claim_tables import ClaimTables
from graph.store.database import Database
from graph.store.database_engine import address, build, build_read_only, is_read_only
from graph.store.derived_table import DerivedTable
from graph.store.document_tables import DocumentTables
from graph.store.driver_errors import translate_errors
from graph.store.edge_tables import EdgeTables
from graph.store.history_tables import HistoryTables
from graph.store.index_feed import IndexFeed
from graph.store.integrity_checks import DAMAGED, integrity_problems
from graph.store.ledger_tables import LedgerTables
from graph.store.metadata import Metadata
from graph.store.neighbour_queries import NeighbourQueries
from graph.store.node_names import NodeNames
from graph.store.node_queries import NodeQueries
from graph.store.notice_tables import NoticeTables
from graph.store.observed_price_tables import ObservedPriceTables
from graph.store.renamed_nodes import RenamedNodes
from graph.store.run_journal import RunJournal, journal_problems
from graph.store.schema_upgrade import upgrade
from graph.store.snapshot_tables import SnapshotTables
from graph.store.source_queries import SourceQueries
from graph.store.store_errors import FullDiskError, UnwritableError
from graph.store.tag_queries import TagQueries
from graph.store.unresolved_links import UnresolvedLinks


class Store(Database):
    """All stored data. Safe to share between threads and processes; close it with `close` or `with`.

    Each part has the queries and writes of one kind of data: `store.nodes.get(id)`, `store.ledger.latest_run()`.
    Writes of several parts inside `with store.transaction()` are committed together or not at all.
    """

    def __init__(self, engine: Engine, where: str, journal: RunJournal | None = None) -> None:
        super().__init__(engine, where, journal)
        self.documents = DocumentTables(self)
        self.nodes = NodeQueries(self)
        self.renamed_nodes = RenamedNodes(self)
        self.tags = TagQueries(self)
        self.sources = SourceQueries(self)
        self.edges = EdgeTables(self)
        self.neighbours = NeighbourQueries(self)
        self.unresolved = UnresolvedLinks(self)
        self.node_names = NodeNames(self)
        self.claims = ClaimTables(self)
        self.ledger = LedgerTables(self)
        self.snapshots = SnapshotTables(self)
        self.observed_prices = ObservedPriceTables(self)
        self.alerts = AlertTables(self)
        self.notices = NoticeTables(self)
        self.audit = AuditLog(self)
        self.metadata = Metadata(self)
        self.brains = BrainTables(self)
        self.tokens = TokenTables(self)
        self.index_feed = IndexFeed(self)
        self.derived = DerivedTable(self)
        self.history = HistoryTables(self, self.ledger)

    def check(self) -> list[Problem]:
        """The problems of the store; empty if there are none."""
        found = integrity_problems(self)
        damaged = any(problem.code == DAMAGED for problem in found)  # the ledger may not be readable then
        return found if damaged else [*found, *self._lost_runs()]

    def vacuum(self) -> None:
        """Give the space of removed rows back to the disk; it needs room for a copy of the database.

        Raises:
            BusyStoreError: another process uses the database.
        """
        driver = self.engine.dialect.loaded_dbapi.Error
        try:
            with self._connected(self.engine).execution_options(isolation_level="AUTOCOMMIT") as connection:
                cursor = connection.connection.cursor()
                cursor.execute("VACUUM")
                if self.engine.dialect.name == "sqlite":
                    cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                cursor.close()
        except driver as error:
            raise self._unreachable(error) from error

    def _lost_runs(self) -> list[Problem]:
        """The acknowledged runs that the ledger lacks."""
        if self.journal is None:
            return []
        return list(
            journal_problems(self.journal, self.metadata.identity(), self.ledger.runs, self.ledger.removed_runs)
        )

    @classmethod
    def open(cls, where: str | Path, journal: Path | None = None) -> Store:
        """The store at an SQLite file path, or at an `sqlite:` or `postgresql:` URL, upgraded to the current schema.

        A file on a disk that is full or cannot be written is opened for reading only: a write raises `UnwritableError`.

        `journal` is the file that lists acknowledged runs (`graph.store.run_journal`); without it there is no journal.

        Raises:
            OpeningError: the database cannot be used; the subclass says why.
            BusyStoreError: another process had the write lock for too long.
        """
        url = address(where)
        shown = url.database or "memory" if url.get_backend_name() == "sqlite" else url.render_as_string()
        kept = RunJournal(journal) if journal else None
        try:
            return cls._opened(build(url), shown, kept)
        except (FullDiskError, UnwritableError):
            if url.get_backend_name() != "sqlite" or is_read_only(url) or not Path(shown).is_file():
                raise
            return cls._opened(build_read_only(url), shown, kept)

    @classmethod
    def _opened(cls, engine: Engine, shown: str, journal: RunJournal | None) -> Store:
        try:
            upgrade(engine, shown)
            translate_errors(engine, shown)
            return cls(engine, shown, journal)
        except BaseException:
            engine.dispose()
            raise
