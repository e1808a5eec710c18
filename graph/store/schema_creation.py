"""Creates the tables in an empty database, and checks that those of another are of this program."""

from __future__ import annotations

import uuid

from sqlalchemy import Connection, Engine, inspect, select
from sqlalchemy.exc import DBAPIError

import graph.store.database_engine as opening
from graph.store.advisory_locks import wait_to_write
from graph.store.driver_errors import opening_error
from graph.store.schema import SCHEMA, counters, meta, metadata
from graph.store.store_errors import ForeignStoreError, NewerStoreError, OlderStoreError
from graph.store.stored_counts import create_search_tables

COUNTED = ("version", "graph", "claims", "serial", "run")
"""The names of the counters; each begins at 0."""


def prepare(engine: Engine, where: str) -> None:
    """Create the tables if the database is empty.

    Raises:
        OpeningError: the database cannot be used; the subclass says why.
        BusyStoreError: another process had the write lock for too long.
    """
    try:
        with engine.connect() as connection:
            if _is_ready(connection, where):
                return
        with engine.execution_options(**{opening.WRITES: True}).begin() as connection:
            if connection.dialect.name == "postgresql":
                wait_to_write(connection, opening.BUSY_SECONDS)
            if not _is_ready(connection, where):
                _create(connection)
    except DBAPIError as error:
        raise opening_error(error.orig or error, where) from error


def _is_ready(connection: Connection, where: str) -> bool:
    """Whether the database has the tables of this program; False if it is empty."""
    tables = inspect(connection).get_table_names()
    if not tables:
        return False
    if "node_log" not in tables or "meta" not in tables:
        raise ForeignStoreError(where, tables)
    found = connection.execute(select(meta.c.value).where(meta.c.key == "schema")).scalar()
    if found is None or int(found) < SCHEMA:
        raise OlderStoreError(where)
    if int(found) > SCHEMA:
        raise NewerStoreError(where, found, str(SCHEMA))
    return True


def _create(connection: Connection) -> None:
    metadata.create_all(connection, checkfirst=False)
    if connection.dialect.name == "postgresql":
        create_search_tables(connection)
    connection.execute(counters.insert(), [{"name": name, "number": 0} for name in COUNTED])
    keys = {"schema": str(SCHEMA), "identity": uuid.uuid4().hex, "commit": uuid.uuid4().hex}
    connection.execute(meta.insert(), [{"key": key, "value": value} for key, value in keys.items()])
