"""Copies the tables of one store to an empty one, SQLite or PostgreSQL, and proves that they are equal.

    source (one committed state) ─▶ rows ─▶ target ─▶ both read: rows and checksum of each table ─▶ the caller commits

Derived tables (`search_…`, `derived`) are left out. The identity is copied: it is the same store in another place.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Any

from sqlalchemy import Connection, Table, Text, delete, select, type_coerce
from sqlalchemy.exc import DBAPIError
from sqlalchemy.types import TypeDecorator

from graph.store.database import STREAMED, WriteTransaction
from graph.store.database_engine import continue_numbering
from graph.store.schema import counters, derived, meta, metadata
from graph.store.store import Store
from graph.store.store_errors import StoreError
from graph.store.store_part import insert_tuples
from graph.values import Value

_TABLES = [table for table in metadata.sorted_tables if table is not derived]
"""The copied tables, parents before their children."""

_OWN = (counters, meta)
"""Tables that an empty store has rows in; they are replaced."""


class TableSum(Value):
    """The number of rows of a table, and a checksum of their values, whatever their order."""

    name: str
    rows: int
    checksum: str


class NotEmptyError(StoreError):
    """A store to copy into has data."""

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


def copy_tables(
    source: Store, work: WriteTransaction, where: str, step: Callable[[str, int, int], None]
) -> tuple[TableSum, ...]:
    """Copy all tables within the write `work` on an empty store, and compare; `step` is called for each table.

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
    """The stored rows, unchanged, days and instants as the text that is stored; a few at a time in memory."""
    plain = (type_coerce(one, Text) if isinstance(one.type, TypeDecorator) else one for one in table.c)
    with sql.execute(select(*plain), execution_options=STREAMED) as found:
        for row in found:
            yield tuple(row)


def _sum(sql: Connection, table: Table) -> TableSum:
    """The hashes of the rows, added up: sums of the same rows in another order are equal."""
    rows, total = 0, 0
    for rows, row in enumerate(_read(sql, table), 1):  # noqa: B007  # their number is wanted
        values = tuple(bytes(one) if isinstance(one, memoryview) else one for one in row)
        digest = hashlib.blake2b(repr(values).encode("utf-8", "surrogatepass"), digest_size=16).digest()
        total = (total + int.from_bytes(digest)) % (1 << 128)
    return TableSum(name=table.name, rows=rows, checksum=f"{total:032x}")
