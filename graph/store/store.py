"""The `Store`: one database with its parts by kind of data."""

from __future__ import annotations

import uuid
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

from sqlalchemy import Connection, Engine, delete, inspect, select, text
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
from graph.store.node_queries import IndexFeed, NodeQueries
from graph.store.notice_tables import AlertTables, NoticeTables
from graph.store.price_tables import ObservedPriceTables, SnapshotTables
from graph.store.run_journal import RunJournal
from graph.store.schema import counters, meta
from graph.store.source_queries import SourceQueries, TagQueries
from graph.store.store_errors import ForeignStoreError, FullDiskError, NewerStoreError, OlderStoreError, UnwritableError
from graph.store.table_copies import HistoryTables

READERS = 16  # how many stores of readers stay open; the least recently used is closed

HEAD = "0002"
"""The revision of `graph.store.schema`: a change there needs a script for Alembic in `MIGRATIONS`; a test compares."""

MIGRATIONS = Path(__file__).with_name("migrations")


def _prepare(engine: Engine, where: str) -> None:
    """Create the tables of an empty database or upgrade earlier ones. Raises as `Store.open`."""
    try:
        with engine.connect() as connection:
            if _revision(connection, where) == HEAD:
                return
        with engine.execution_options(**{opening.WRITES: True}).begin() as connection:
            opening.begin(connection)
            found = _revision(connection, where)
            if found != HEAD:
                _upgrade(connection, where, found)
            if found is None:
                names = ("version", "graph", "claims", "serial", "run")
                connection.execute(counters.insert(), [{"name": name, "number": 0} for name in names])
                random = [{"key": key, "value": uuid.uuid4().hex} for key in ("identity", "commit")]
                connection.execute(meta.insert(), random)
    except DBAPIError as error:
        raise opening_error(error.orig or error, where) from error


def _revision(connection: Connection, where: str) -> str | None:
    """The revision of the tables: None without tables, empty for the first one from before Alembic.

    Raises:
        ForeignStoreError: the tables are of another program.
        OlderStoreError: they are older than the first revision.
    """
    tables = inspect(connection).get_table_names()
    if "alembic_version" in tables and "node_log" in tables:
        return str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one())
    if not tables:
        return None
    if "node_log" not in tables or "meta" not in tables:
        raise ForeignStoreError(where, tables)
    if connection.execute(select(meta.c.value).where(meta.c.key == "schema")).scalar() != "1":
        raise OlderStoreError(where)
    return ""


def _upgrade(connection: Connection, where: str, found: str | None) -> None:
    """Upgrade tables from the revision `found` to `HEAD`. Raises `NewerStoreError` if `found` is unknown."""
    from alembic import command  # noqa: PLC0415  # takes 0.1 s, and homes of the present version do without
    from alembic.config import Config  # noqa: PLC0415  # as above
    from alembic.script import ScriptDirectory  # noqa: PLC0415  # as above

    from graph.store.search_tables import rebuild  # noqa: PLC0415  # a reader needs no stemmer

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    known = [one.revision for one in ScriptDirectory.from_config(config).walk_revisions()]
    if found and found not in known:
        raise NewerStoreError(where, found, HEAD)
    if found == "":
        command.stamp(config, known[-1])
        connection.execute(delete(meta).where(meta.c.key == "schema"))
        connection.execute(text("DROP TABLE IF EXISTS derived"))  # its old content is dropped
        deque(rebuild(connection), maxlen=0)  # older versions stored words in another form
    command.upgrade(config, "head")


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
            _prepare(engine, shown)
            translate_errors(engine, shown)
            return cls(engine, shown, journal)
        except BaseException:
            engine.dispose()
            raise
