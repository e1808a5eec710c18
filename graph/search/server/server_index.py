"""The search tables in PostgreSQL: each write updates them in its own transaction; if they are behind, they are built.

meta `search.index`   FORMAT:GRAPH, the format of the tables and the graph version that they are of;
                      FORMAT:-1 while they are being built
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import NamedTuple

from sqlalchemy import Connection, select, text

from graph.search.search_protocol import Progress
from graph.search.server.server_rows import NAME_COLUMNS, NODE_COLUMNS, WordForms, indexed, searched
from graph.search.tokenizer import fold, forget, stem
from graph.store import Store
from graph.store.bulk_copy import copy_rows
from graph.store.column_types import Record
from graph.store.database import STREAMED, WriteTransaction
from graph.store.schema import counters
from graph.store.stored_counts import FORMAT, CountKey, apply_counts

ROWS = 5000
"""Nodes copied at a time; so many are in memory."""

BATCH = 20_000
"""Nodes in one transaction of a build: other writers wait for one batch at most, and a build that ended goes on."""

MOST_COUNTED = 200_000
"""Counts in memory beyond which they are stored."""

_MISSING = """
    FROM nodes JOIN node_log l ON l.id = nodes.id LEFT JOIN search_nodes s ON s.serial = nodes.serial
    WHERE l.version > :since AND nodes.serial > :after AND s.serial IS NULL"""
_STATE = text(
    "SELECT (SELECT graph FROM search_state WHERE format = :format), number FROM counters WHERE name = 'graph'"
)
_ADD_WORDS = """
    INSERT INTO search_words (word, stem)
    SELECT * FROM unnest(CAST(:words AS text[]), CAST(:stems AS text[])) ON CONFLICT DO NOTHING"""


class IndexState(NamedTuple):
    """What the search tables contain; `graph` is -1 while they are being built."""

    format: int
    graph: int


def read_state(sql: Connection) -> IndexState | None:
    """The state of the tables; None if they were never built."""
    found = sql.execute(text("SELECT format, graph FROM search_state")).first()
    return None if found is None else IndexState(found.format, found.graph)


class ServerIndex:
    """The search tables of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._forms = WordForms()

    def current(self, sql: Connection) -> bool:
        """Whether the tables are of the graph that `sql` sees."""
        held, graph = sql.execute(_STATE, {"format": FORMAT}).one()
        return bool(held == graph)

    def behind(self) -> bool:
        """Whether the tables must be built or brought up to date."""
        with self._store.reading() as sql:
            return not self.current(sql)

    def reset(self) -> None:
        """Empty the tables, so that `bring_up` builds them."""
        with self._store.writing() as work:
            _empty(work.sql)

    def bring_up(self, progress: Progress) -> None:
        """Bring the tables up to the graph, in several transactions if there is much to do."""
        total = sum(self._store.nodes.count().values())
        done, after = 0, -1
        try:
            while True:
                with self._store.writing() as work:
                    last, count = self._batch(work, after, partial(_report, progress, total, done))
                done, after = done + count, last
                if count < BATCH:
                    return
        finally:
            self._forms.clear()
            forget()

    def _batch(self, work: WriteTransaction, after: int, report: Callable[[int], None]) -> tuple[int, int]:
        """One transaction of a build: the serial of its last node, and the number of its nodes."""
        state, graph = read_state(work.sql), _graph(work.sql)
        if state is None or state.format != FORMAT:
            state = _empty(work.sql)
        if state.graph == graph:
            work.changes = False
            return after, 0
        last, count = _fill(work.sql, self._forms, _Scope(state.graph, after, BATCH), report)
        if count == BATCH:
            _put_state(work.sql, IndexState(FORMAT, -1))  # writes do not index the rest of it meanwhile
        else:
            if after >= 0:  # nodes that were changed since an earlier batch read them
                _fill(work.sql, self._forms, _Scope(state.graph), report)
            _put_state(work.sql, IndexState(FORMAT, graph))
        return last, count

    def follow(self, work: WriteTransaction) -> None:
        """Within a write: index its nodes. Tables that were never built are left to `bring_up`."""
        state, graph = read_state(work.sql), _graph(work.sql)
        if state is None or state.format != FORMAT or state.graph in {-1, graph}:
            return
        _fill(work.sql, self._forms, _Scope(state.graph), lambda _count: None)
        _put_state(work.sql, IndexState(FORMAT, graph))


def _graph(sql: Connection) -> int:
    return int(sql.execute(select(counters.c.number).where(counters.c.name == "graph")).scalar_one())


def _put_state(sql: Connection, state: IndexState) -> None:
    sql.execute(text("DELETE FROM search_state"))
    sql.execute(text("INSERT INTO search_state (format, graph) VALUES (:format, :graph)"), state._asdict())


def _empty(sql: Connection) -> IndexState:
    sql.execute(text("TRUNCATE search_nodes, search_names, search_words, search_counts, search_gone"))
    state = IndexState(FORMAT, -1)
    _put_state(sql, state)
    return state


def _report(progress: Progress, total: int, before: int, count: int) -> None:
    progress("indexing", before + count, total)


class _Scope(NamedTuple):
    """Nodes that changed after the graph version `since`, with a serial above `after`, at most `limit`."""

    since: int
    after: int = -1
    limit: int | None = None


def _fill(sql: Connection, forms: WordForms, scope: _Scope, report: Callable[[int], None]) -> tuple[int, int]:
    """Index the nodes of a scope that have no row: the last serial, and how many they are."""
    known: set[str] = set()
    come: Counter[CountKey] = Counter()
    last, count = scope.after, 0
    with closing(_missing(sql, scope)) as pieces:
        for some in pieces:
            _add(sql, some, forms, known, come)
            last, count = some[-1].serial, count + len(some)
            if len(come) > MOST_COUNTED:
                apply_counts(sql, come)
            report(count)
    apply_counts(sql, come)
    return last, count


def _missing(sql: Connection, scope: _Scope) -> Generator[Sequence[Record], None, None]:
    bounded = "" if scope.limit is None else f" LIMIT {scope.limit:d}"
    query = text(f"SELECT nodes.serial, nodes.origin, nodes.body {_MISSING} ORDER BY nodes.serial{bounded}")
    asked = {"since": scope.since, "after": scope.after}
    with sql.execute(query, asked, execution_options=STREAMED) as found:
        yield from found.partitions(ROWS)


def _add(sql: Connection, some: Sequence[Record], forms: WordForms, known: set[str], come: Counter[CountKey]) -> None:
    """Copy the rows of nodes and names, insert words that are new to this fill, and count the nodes in `come`.

    PostgreSQL indexes a row while the next one is made.
    """
    names: list[tuple[object, ...]] = []
    written: set[str] = set()

    def rows() -> Iterator[tuple[object, ...]]:
        for row in some:
            found = indexed(searched(row), forms)
            names.extend(found.names)
            come.update(found.counted)
            written.update(found.words)
            yield found.row

    copy_rows(sql, "search_nodes", NODE_COLUMNS, rows())
    if names:
        copy_rows(sql, "search_names", NAME_COLUMNS, names)
    if fresh := {fold(word): stem(word) for word in written - known}:
        sql.execute(text(_ADD_WORDS), {"words": list(fresh), "stems": list(fresh.values())})
    known |= written
