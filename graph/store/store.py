"""The `Store`: one database with its parts by kind of data."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

import graph.store.database_engine as opening
from graph.problems import Problem
from graph.recent_values import RecentValues
from graph.store.brain_tables import AuditLog, BrainTables, TokenTables
from graph.store.brain_view import reader_engine
from graph.store.claim_tables import ClaimTables
from graph.store.database import Database
from graph.store.database_engine import address, build, build_read_only, is_read_only
from graph.store.document_tables import DocumentOrigins, DocumentTables, NodeNames, UnresolvedLinks
from graph.store.driver_errors import opening_error, translate_errors
from graph.store.edge_tables import EdgeTables, NeighbourQueries
from graph.store.integrity_checks import DAMAGED, integrity_problems
from graph.store.ledger_tables import LedgerTables
from graph.store.metadata import Metadata, RenamedNodes
from graph.store.migration import HEAD, revision, upgrade
from graph.store.node_queries import IndexFeed, NodeQueries
from graph.store.notice_tables import AlertTables, NoticeTables
from graph.store.price_tables import ObservedPriceTables, SnapshotTables
from graph.store.run_journal import RunJournal
from graph.store.schema import counters, meta
from graph.store.source_queries import SourceQueries, TagQueries
from graph.store.store_errors import FullDiskError, UnwritableError
from graph.store.table_copies import HistoryTables

READERS = 16
"""How many stores of readers stay open; the least recently used is closed."""

COUNTED = ("version", "graph", "claims", "serial", "run")
"""Names of the counters; each begins at 0."""
IDENTIFIED = ("identity", "commit")
"""Keys of `meta` with a random value in a new store."""


def prepare(engine: Engine, where: str) -> None:
    """Create the tables of an empty database or upgrade earlier ones. Raises as `Store.open`."""
    try:
        with engine.connect() as connection:
            if revision(connection, where) == HEAD:
                return
        with engine.execution_options(**{opening.WRITES: True}).begin() as connection:
            opening.begin(connection)
            found = revision(connection, where)
            if found != HEAD:
                upgrade(connection, where, found)
            if found is None:
                connection.execute(counters.insert(), [{"name": name, "number": 0} for name in COUNTED])
                connection.execute(meta.insert(), [{"key": key, "value": uuid.uuid4().hex} for key in IDENTIFIED])
    except DBAPIError as error:
        raise opening_error(error.orig or error, where) from error


class Store(Database):
    """All stored data, shared by threads and processes; close it with `close` or `with`.

    Each part has the queries and writes of one kind of data: `store.nodes.get(id)`, `store.ledger.latest_run()`.
    `with store.transaction()` commits writes of several parts together or not at all.
    """

    def __init__(
        self,
        engine: Engine,
        where: str,
        journal: RunJournal | None = None,
        *,
        base: Store | None = None,
        hidden: frozenset[str] = frozenset(),
    ) -> None:
        """`base`: the complete store, of which this is a read-only view without the `hidden` brains."""
        super().__init__(engine, where, journal)
        self.base, self.hidden, self.read_only = base or self, hidden, base is not None
        self._readers = RecentValues(self._seen_without, READERS, Store.close)
        self.documents = DocumentTables(self)
        self.nodes = NodeQueries(self)
        self.renamed_nodes = RenamedNodes(self)
        self.tags = TagQueries(self)
        self.sources = SourceQueries(self)
        self.edges = EdgeTables(self)
        self.neighbours = NeighbourQueries(self)
        self.unresolved = UnresolvedLinks(self)
        self.origins = DocumentOrigins(self)
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
        self.history = HistoryTables(self)

    @contextmanager
    def pinned(self) -> Iterator[Store]:
        """A read-only view of the present committed state, for one thread at a time; it blocks no writer."""
        with self.reading() as sql:
            view = Store(self.engine, self.where, base=self.base, hidden=self.hidden)
            view.pin = sql
            view.version()  # the first statement pins the state that the view reads
            yield view

    def for_reader(self, hidden: frozenset[str]) -> Store:
        """A read-only view without the `hidden` brains; it is closed with the store.

        `RecentValues` closes one that was not used for long; it connects again when it is used.
        """
        if self.base is not self:
            return self.base.for_reader(hidden)
        return self._readers.get(hidden) if hidden else self

    def _seen_without(self, hidden: frozenset[str]) -> Store:
        engine = reader_engine(self.engine.url, hidden)
        translate_errors(engine, self.where)
        return Store(engine, self.where, base=self, hidden=hidden)

    def present_day(self) -> date:
        """Today, by the clock of the complete store."""
        return super().present_day() if self.base is self else self.base.present_day()

    def close(self) -> None:
        """Close every connection, also those of readers."""
        self._readers.clear()
        super().close()

    def check(self) -> list[Problem]:
        """Problems of the store and its journal; none in a view with hidden brains."""
        if self.hidden:
            return []
        found = integrity_problems(self)
        if self.journal is None or any(problem.code == DAMAGED for problem in found):  # is the ledger readable?
            return found
        return [*found, *self.journal.problems(self.metadata.identity(), self.ledger.runs)]

    @classmethod
    def open(cls, where: str | Path, journal: Path | None = None) -> Store:
        """Open a file path or an `sqlite:` or `postgresql:` URL; creates the tables of an empty database.

        On a full or unwritable disk a file is opened for reading: a write raises `UnwritableError`. `journal` is the
        file of `graph.store.run_journal`.

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
            prepare(engine, shown)
            translate_errors(engine, shown)
            return cls(engine, shown, journal)
        except BaseException:
            engine.dispose()
            raise
