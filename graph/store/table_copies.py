"""Copies the rows of a store: its history as JSON and back, and all tables to another database.

    {"runs": [row, …], "verdicts": [row, …], "flags": …, "silences": …, "notices": …, "snapshots": …, "documents": …}
    source (one committed state) ─▶ rows ─▶ target ─▶ both read: rows and checksum of each table ─▶ the caller commits

The history is what the current documents do not contain: all tables but `FROM_DOCUMENTS`, and of `documents` earlier
and removed versions. A row is an object by column name: times and days as ISO 8601, compressed columns as their text,
the verdict by its name.

A copy has every table but derived ones (`search_…`), and the identity: it is the same store in another place.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from functools import partial
from typing import Any

from sqlalchemy import Column, Connection, LargeBinary, Table, Text, delete, func, select, type_coerce, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.types import TypeDecorator

from graph.models.claim_models import VerdictName
from graph.models.packed_verdicts import VERDICTS
from graph.progress_steps import ProgressStep
from graph.store.database import STREAMED, Database, WriteTransaction
from graph.store.database_engine import continue_numbering
from graph.store.ledger_tables import LedgerTables
from graph.store.schema import Day, Instant, Record, counters, documents, meta, metadata, runs, snapshots, verdicts
from graph.store.store_errors import StoreError
from graph.store.store_part import StorePart, batches, insert_tuples
from graph.values import Value

FROM_DOCUMENTS = frozenset(
    {"nodes", "node_tags", "node_sources", "citations", "quotations", "edges", "node_log", "unresolved"}
    | {"origins", "node_names", "claims", "counters"}
)
"""Tables that an ingest of the same documents fills with the same content."""

INTERNAL = frozenset({"notices", "receivers", "deliveries", "audit", "silences", "brains", "tokens"})
"""Tables that a public export lacks: they have receivers, callers and internal reasons."""

_OWN_KEYS = ("identity", "commit", "library", "night.last")  # entries of `meta` that belong to one store or its machine

_TABLES = metadata.sorted_tables  # the copied tables, parents before their children

_HISTORY = [table for table in _TABLES if table.name not in FROM_DOCUMENTS]

_OWN = (counters, meta)  # tables with rows in an empty store; a copy replaces them

Row = dict[str, Any]


class HistoryRowError(StoreError):
    """A row of an imported history does not fit its table."""

    sentence = "the history of the export cannot be imported: a row of {0!r}: {1}"


class HistoryTables(StorePart):
    """The history of a store as rows."""

    def sections(self, *, internal: bool = True) -> Iterator[tuple[str, Iterator[Row]]]:
        """Each table with its rows by primary key, read on demand."""
        for table in _HISTORY:
            if internal or table.name not in INTERNAL:
                yield table.name, self._plain_rows(table)

    def empty(self) -> bool:
        """Whether the store has no run, no snapshot and no earlier version of a document."""
        tables = (select(runs.c.id), select(snapshots.c.hash), select(documents.c.name).where(~documents.c.current))
        return all(self._first(query.limit(1)) is None for query in tables)

    def put(self, history: Mapping[str, Iterable[Mapping[str, Any]]]) -> None:
        """Import an exported history into a store with an empty one; rows from the ingest (silences, say) are replaced.

        Raises:
            HistoryRowError: a row does not fit its table.
        """
        with self._database.writing() as work:
            for table in _HISTORY:
                if table.name in history:
                    _fill(work.sql, table, history[table.name])
            last = int(work.sql.execute(select(func.max(runs.c.id))).scalar() or 0)
            work.sql.execute(update(counters).where(counters.c.name == "run").values(number=last))
            work.committed.append(self._acknowledge)

    def _acknowledge(self) -> None:
        if (journal := self._database.journal) is not None:
            for run in reversed(LedgerTables(self._database).runs()):
                journal.append(self._database.revision().store, run)

    def _plain_rows(self, table: Table) -> Iterator[Row]:
        if table is runs and self._database.hidden:
            yield from self._visible_runs()
            return
        query = select(table).order_by(*table.primary_key.columns)
        if table is documents:
            query = query.where(~documents.c.current)
        if table is meta:
            query = query.where(meta.c.key.not_in(_OWN_KEYS))
        yield from self._stream(query, partial(_plain, table))

    def _visible_runs(self) -> Iterator[Row]:
        """The runs with the counts and notes that the reader may see."""
        visible = {run.id: run for run in LedgerTables(self._database).runs()}
        for record in self._rows(select(runs).order_by(runs.c.id)):
            if (run := visible.get(record.id)) is not None:
                yield {**_plain(runs, record), "counts": json.dumps(run.counts), "notes": json.dumps(run.notes)}


def _fill(sql: Connection, table: Table, rows: Iterable[Mapping[str, Any]]) -> None:
    keys = [column.name for column in table.primary_key.columns]
    known: set[tuple[Any, ...]] = set()
    if table.name in {"documents", "meta"}:
        known = {tuple(row) for row in sql.execute(select(*table.primary_key.columns))}
    elif sql.execute(select(table).limit(1)).first() is not None:
        sql.execute(table.delete())
    stored = (_stored(table, row) for row in rows)
    for some in batches(row for row in stored if tuple(row[key] for key in keys) not in known):
        sql.execute(table.insert(), some)
    continue_numbering(sql, table)


def _plain(table: Table, record: Record) -> Row:
    """A row as JSON values."""
    row: Row = {}
    for column in table.columns:
        value = getattr(record, column.name)
        if value is not None and isinstance(column.type, LargeBinary):
            value = zlib.decompress(value).decode()
        elif column is verdicts.c.verdict:
            value = VERDICTS[value].value
        elif isinstance(value, (date, datetime)):
            value = value.isoformat()
        row[column.name] = value
    return row


def _stored(table: Table, row: Mapping[str, Any]) -> Row:
    """A row from JSON values, without columns that the export lacks."""
    if not isinstance(row, Mapping):
        raise HistoryRowError(table.name, "it is not an object")
    names = [column.name for column in table.columns]
    if strange := sorted(set(row) - set(names)):
        raise HistoryRowError(table.name, f"the unknown field {strange[0]!a}")
    try:
        return {name: _value(table.columns[name], row[name]) for name in names if name in row}
    except (ValueError, TypeError) as error:
        raise HistoryRowError(table.name, str(error)) from error


def _value(column: Column[Any], value: object) -> object:
    if value is None:
        if not column.nullable:
            raise ValueError(f"{column.name} is null")
        return None
    if isinstance(column.type, LargeBinary):
        if not isinstance(value, str):
            raise TypeError("a text is expected")
        return zlib.compress(value.encode(), 6)
    if isinstance(column.type, Instant):
        return datetime.fromisoformat(str(value))
    if isinstance(column.type, Day):
        return date.fromisoformat(str(value))
    if column is verdicts.c.verdict:
        return VERDICTS.index(VerdictName(str(value)))
    expected = column.type.python_type
    if not isinstance(value, expected) or (expected is int and isinstance(value, bool)):
        raise ValueError(f"{column.name} is {type(value).__name__}, not {expected.__name__}")
    return value


class TableSum(Value):
    """The number of rows of a table, and a checksum of their values, whatever their order."""

    name: str
    rows: int
    checksum: str


class NotEmptyError(StoreError):
    """The target of a copy has data."""

    sentence = "{0} is not empty: {1} has rows; name an empty database"


class UnequalCopyError(StoreError):
    """A table of the copy differs from the original."""

    sentence = (
        "the copy of {1.name} differs: {1.rows} rows ({1.checksum}), expected {0.rows} rows ({0.checksum}); "
        "nothing was stored"
    )


class UncopiedRowError(StoreError):
    """The target does not accept a row."""

    sentence = "{0} cannot be copied: {1}; nothing was stored"


def copy_tables(source: Database, work: WriteTransaction, where: str, step: ProgressStep) -> tuple[TableSum, ...]:
    """Copy all tables into an empty store, and compare; `step` reports each table.

    Raises:
        NotEmptyError: the target has data.
        UncopiedRowError: the target does not accept a row.
        UnequalCopyError: a table of the copy differs.
    """
    for table in _TABLES:
        if table not in _OWN and work.sql.execute(select(table.c[0]).limit(1)).first() is not None:
            raise NotEmptyError(where, table.name)
    for table in _OWN:
        work.sql.execute(delete(table))
    sums, total = [], 2 * len(_TABLES)
    with source.reading() as sql:
        for number, table in enumerate(_TABLES):
            step(f"copying {table.name}", number, total)
            try:
                insert_tuples(work.sql, table, _read(sql, table))
                continue_numbering(work.sql, table)
            except DBAPIError as error:
                raise UncopiedRowError(table.name, str(error.orig).strip()) from error
        for number, table in enumerate(_TABLES, len(_TABLES)):
            step(f"comparing {table.name}", number, total)
            original, copy = _sum(sql, table), _sum(work.sql, table)
            if copy != original:
                raise UnequalCopyError(original, copy)
            sums.append(copy)
    return tuple(sums)


def _read(sql: Connection, table: Table) -> Iterator[tuple[Any, ...]]:
    """The stored rows, read in batches; days and instants as text."""
    plain = (type_coerce(one, Text) if isinstance(one.type, TypeDecorator) else one for one in table.c)
    with sql.execute(select(*plain), execution_options=STREAMED) as found:
        for row in found:
            yield tuple(row)


def _sum(sql: Connection, table: Table) -> TableSum:
    """The sum of the rows' hashes, which does not depend on their order."""
    rows, total = 0, 0
    for rows, row in enumerate(_read(sql, table), 1):  # noqa: B007  # they are only counted
        values = tuple(bytes(one) if isinstance(one, memoryview) else one for one in row)
        digest = hashlib.blake2b(repr(values).encode("utf-8", "surrogatepass"), digest_size=16).digest()
        total = (total + int.from_bytes(digest)) % (1 << 128)
    return TableSum(name=table.name, rows=rows, checksum=f"{total:032x}")
