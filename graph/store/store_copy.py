"""Copies the tables of one store to an empty one, SQLite or PostgreSQL, and proves that they are equal.

    source (one committed state) ─▶ rows ─▶ target ─▶ read back: rows and checksum of each table ─▶ the caller commits

Derived tables (`search_…`, `derived`) are left out. The identity is copied: it is the same store in another place.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from sqlalchemy import Column, Connection, Table, Text, delete, func, select, type_coerce
from sqlalchemy.exc import DBAPIError
from sqlalchemy.types import TypeDecorator

from graph.store.database import STREAMED, WriteTransaction
from graph.store.database_engine import continue_numbering
from graph.store.schema import counters, derived, meta, metadata
from graph.store.store import Store
from graph.store.store_errors import StoreError

Report = Callable[[str, int], None]
"""Receives the name of a table, and how many more of its rows are done."""

_ROWS = 1000
_OWN = (counters, meta)
"""Tables that an empty store has rows in; they are replaced."""


class NotEmptyError(StoreError):
    """A store to copy into has data."""

    sentence = "{0} is not empty: {1} has rows; name an empty database"


class UnequalCopyError(StoreError):
    """A table of the copy differs from the original."""

    sentence = (
        "the copy of {0} differs: {2.rows} rows ({2.checksum}), expected {1.rows} rows ({1.checksum}); "
        "nothing was stored"
    )


class UncopiedRowError(StoreError):
    """The target does not accept a row."""

    sentence = "{0} cannot be copied: {1}; nothing was stored"


class TableSum(NamedTuple):
    """The number of rows of a table, and a checksum of their values, whatever their order."""

    rows: int
    checksum: str


def count_rows(source: Store) -> int:
    """The rows of all tables."""
    with source.reading() as sql:
        return sum(sql.execute(select(func.count()).select_from(table)).scalar_one() for table in _tables())


def copy_tables(source: Store, work: WriteTransaction, where: str, report: Report) -> dict[str, TableSum]:
    """Copy all tables within the write `work` on an empty store, and compare; `report` is called for reads and checks.

    Raises:
        NotEmptyError: the target has data.
        UncopiedRowError: the target does not accept a row.
        UnequalCopyError: a table of the copy differs.
    """
    for table in _tables():
        if table not in _OWN and work.sql.execute(select(table.c[0]).limit(1)).first() is not None:
            raise NotEmptyError(where, table.name)
    for table in _OWN:
        work.sql.execute(delete(table))
    sums: dict[str, TableSum] = {}
    with source.reading() as sql:
        for table in _tables():
            total = _Sum(table.name, report)
            try:
                _write(work.sql, table, total.over(_read(sql, table)))
                continue_numbering(work.sql, table)
            except DBAPIError as error:
                raise UncopiedRowError(table.name, str(error.orig).strip()) from error
            sums[table.name] = total.sum()
    for table in _tables():
        total = _Sum(table.name, report)
        deque(total.over(_read(work.sql, table)), maxlen=0)
        if total.sum() != sums[table.name]:
            raise UnequalCopyError(table.name, sums[table.name], total.sum())
    return sums


def _tables() -> list[Table]:
    """Parent tables before their children."""
    return [table for table in metadata.sorted_tables if table is not derived]


def _read(sql: Connection, table: Table) -> Iterator[tuple[Any, ...]]:
    """The stored rows, unchanged; a few at a time in memory."""
    with sql.execute(select(*map(_plain, table.c)), execution_options=STREAMED) as found:
        for row in found:
            yield tuple(row)


def _plain(column: Column[Any]) -> Any:  # noqa: ANN401  # a column of any type
    """Days and instants as the text that is stored."""
    return type_coerce(column, Text) if isinstance(column.type, TypeDecorator) else column


def _write(sql: Connection, table: Table, rows: Iterator[tuple[Any, ...]]) -> None:
    names = [column.name for column in table.c]
    mark = "%s" if sql.dialect.name == "postgresql" else "?"
    marks = ", ".join([mark] * len(names))
    statement = f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({marks})"  # noqa: S608 - names of the schema
    while some := list(islice(rows, _ROWS)):
        sql.exec_driver_sql(statement, some)


class _Sum:
    """Adds up hashes of rows, and reports them: sums of the same rows in another order are equal."""

    def __init__(self, table: str, report: Report) -> None:
        self._table, self._report = table, report
        self._rows, self._total = 0, 0

    def over(self, rows: Iterator[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
        """Pass the rows on, and add them."""
        for row in rows:
            digest = hashlib.blake2b(repr(tuple(map(_value, row))).encode("utf-8", "surrogatepass"), digest_size=16)
            self._total = (self._total + int.from_bytes(digest.digest())) % (1 << 128)
            self._rows += 1
            if self._rows % _ROWS == 0:
                self._report(self._table, _ROWS)
            yield row
        self._report(self._table, self._rows % _ROWS)

    def sum(self) -> TableSum:
        """The rows so far."""
        return TableSum(self._rows, f"{self._total:032x}")


def _value(value: object) -> object:
    return bytes(value) if isinstance(value, memoryview) else value
