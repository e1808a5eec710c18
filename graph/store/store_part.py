"""The base class of the store's parts, and the statements that they share."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import (
    ARRAY,
    Column,
    ColumnElement,
    Connection,
    Delete,
    Executable,
    Select,
    Table,
    Text,
    Update,
    any_,
    bindparam,
    delete,
    func,
    literal_column,
    select,
)

from graph.store.database import STREAMED, Database
from graph.store.schema import Query, Record

Model = TypeVar("Model")
Scalar = TypeVar("Scalar")
Item = TypeVar("Item")

CHUNK = 1000  # rows of one statement


class StorePart:
    """Queries and writes of one kind of data."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def _rows(self, query: Executable) -> Sequence[Any]:
        with self._database.reading(statements=False) as sql:
            return sql.execute(query).all()

    def _first(self, query: Executable, values: dict[str, Any] | None = None) -> Any:  # noqa: ANN401  # a row of any columns, or None
        with self._database.reading(statements=False) as sql:
            return sql.execute(query, values).first()

    def _value(self, query: Select[Scalar]) -> Scalar | None:
        """The first column of the first row, or None."""
        with self._database.reading(statements=False) as sql:
            return sql.execute(query).scalar()

    def _values(self, query: Select[Scalar]) -> Sequence[Scalar]:
        """The first column of every row."""
        with self._database.reading(statements=False) as sql:
            return sql.execute(query).scalars().all()

    def _stream(self, query: Executable, made: Callable[[Any], Item]) -> Iterator[Item]:
        """What is made of each row, read in batches; made here, so that a bad row closes the connection at once."""
        with self._database.reading() as sql:
            yield from map(made, sql.execute(query, execution_options=STREAMED))

    def _models(self, model: type[Model], query: Executable) -> tuple[Model, ...]:
        """The rows as values of a model with these names."""
        return tuple(as_model(model, row) for row in self._rows(query))

    def _among(self, query: Query | Select[Any], column: ColumnElement[str], names: Iterable[str]) -> Sequence[Any]:
        with self._database.reading(statements=False) as sql:
            return rows_among(sql, query, column, names)

    def _change(self, *statements: Update | Delete) -> bool:
        """Execute statements in one write; False, without a new version, if they change no row."""
        with self._database.writing() as work:
            work.changes = sum(work.sql.execute(statement).rowcount for statement in statements) > 0
        return work.changes

    def _put_rows(
        self, column: Column[str], keys: Collection[str], rows: Iterable[tuple[str, ...]], *, keep: bool = False
    ) -> None:
        """Replace the rows where a column has one of `keys`, or `keep` them and add; equal rows change nothing."""
        wanted, place = set(rows), column.table.c.keys().index(column.key)
        with self._database.writing() as work:
            held = {tuple(row) for row in self._among(select(column.table), column, keys)}
            wanted |= held if keep else set()
            changed = {row[place] for row in held ^ wanted}
            work.changes = bool(changed)
            delete_among(work.sql, column, changed)
            insert_tuples(work.sql, column.table, sorted(row for row in wanted if row[place] in changed))


def as_model(model: type[Model], row: Record) -> Model:
    """A row as a value of a model with these names."""
    return model(**row._mapping)  # noqa: SLF001 - public in SQLAlchemy


def insert_all(sql: Connection, table: Table, rows: Iterable[dict[str, Any]]) -> None:
    """Insert rows with the same keys and values for the driver (days as text), faster than SQLAlchemy."""
    mark = "%({})s" if sql.dialect.name == "postgresql" else ":{}"
    for some in batches(rows):
        marks = ", ".join(map(mark.format, some[0]))
        sql.exec_driver_sql(f"INSERT INTO {table.name} ({', '.join(some[0])}) VALUES ({marks})", some)  # noqa: S608 - names of the schema


def insert_tuples(sql: Connection, table: Table, rows: Iterable[tuple[Any, ...]]) -> None:
    """Insert rows in the order of the columns, as `insert_all`."""
    insert_all(sql, table, (dict(zip(table.c.keys(), row, strict=True)) for row in rows))


def rows_among(
    sql: Connection, query: Query | Select[Any], column: ColumnElement[str], names: Iterable[str]
) -> Sequence[Any]:
    """The rows of a query where a column has one of any number of values."""
    return sql.execute(query.where(among(sql, column, values))).all() if (values := list(names)) else []


def delete_among(sql: Connection, column: Column[str], names: Iterable[str]) -> None:
    """Delete the rows where a column has one of these values."""
    sql.execute(delete(column.table).where(among(sql, column, names)))


def among(sql: Connection, column: ColumnElement[str], names: Iterable[str]) -> ColumnElement[bool]:
    """The condition that a column has one of any number of values, in one parameter."""
    values = list(dict.fromkeys(names))
    if sql.dialect.name == "sqlite":
        listed = func.json_each(json.dumps(values, ensure_ascii=False))
        return column.in_(select(literal_column("value")).select_from(listed))
    return column == any_(bindparam(None, values, type_=ARRAY(Text)))


def batches(values: Iterable[Scalar]) -> Iterator[list[Scalar]]:
    """Values in lists of `CHUNK`."""
    stream = iter(values)
    while some := list(islice(stream, CHUNK)):
        yield some
