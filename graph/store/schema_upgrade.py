"""Upgrades a database to the schema of this program: checks its state, then runs the missing migrations."""

from __future__ import annotations

import sqlite3
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine, inspect, text
from sqlalchemy.exc import DBAPIError

import graph.store.database_engine as opening
from graph.store.driver_errors import store_error
from graph.store.schema import counters, meta
from graph.store.schema_version import HEAD
from graph.store.store_errors import (
    BusyStoreError,
    CorruptStoreError,
    ForeignStoreError,
    NewerStoreError,
    StoreError,
    UnavailableError,
    UnwritableError,
)

if TYPE_CHECKING:
    from alembic.config import Config

COUNTED = ("version", "graph", "claims", "serial", "run")
"""The names of the counters; each begins at 0."""

_MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK = 0x627261696E  # "brain": the advisory lock of PostgreSQL under which one process at a time migrates


def configuration() -> Config:
    """Alembic's settings for the migrations of this package."""
    from alembic.config import Config  # noqa: PLC0415  # only an older or an empty store needs Alembic

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def upgrade(engine: Engine, where: str) -> None:
    """Upgrade the database to `HEAD`.

    Raises:
        OpeningError: the database cannot be used; the subclass says why.
        BusyStoreError: another process had the write lock for too long.
    """
    try:
        with engine.connect() as connection:
            if _revision(connection, where) == HEAD:
                return
        with engine.execution_options(**{opening.WRITES: True}).begin() as connection:
            _migrate(connection, where)
    except DBAPIError as error:
        raise _cause(error, where) from error


def _revision(connection: Connection, where: str) -> str | None:
    """The schema version found; None for an empty database."""
    tables = inspect(connection).get_table_names()
    if not tables:
        return None
    if "alembic_version" not in tables or (len(tables) > 1 and "node_log" not in tables):
        raise ForeignStoreError(where, tables)
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    if found is not None and found != HEAD and found not in _known():
        raise NewerStoreError(where, str(found), HEAD)
    return found


def _known() -> set[str]:
    from alembic.script import ScriptDirectory  # noqa: PLC0415  # see `configuration`

    return {script.revision for script in ScriptDirectory.from_config(configuration()).walk_revisions()}


def _migrate(connection: Connection, where: str) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    if _revision(connection, where) == HEAD:
        return
    from alembic import command  # noqa: PLC0415  # see `configuration`

    config = configuration()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    _seed(connection)


def _seed(connection: Connection) -> None:
    """Insert the counters, and the identity by which derived data recognize their store."""
    known = set(connection.execute(counters.select()).scalars())
    missing = [{"name": name, "number": 0} for name in COUNTED if name not in known]
    if missing:
        connection.execute(counters.insert(), missing)
    if connection.execute(meta.select().where(meta.c.key == "identity")).first() is None:
        connection.execute(meta.insert(), {"key": "identity", "value": uuid.uuid4().hex})


def _cause(error: DBAPIError, where: str) -> StoreError:
    """The store error for a driver's error at opening."""
    original = error.orig
    said = str(original).strip()
    known = None if original is None else store_error(original, where)
    if known is not None:
        return known
    if not isinstance(original, sqlite3.Error):
        return UnavailableError(where, said)
    if "locked" in said:
        return BusyStoreError(where)
    if "readonly" in said or "read-only" in said or "unable to open" in said:
        return UnwritableError(where, said)
    if isinstance(original, sqlite3.OperationalError) and "disk" in said:
        return UnwritableError(where, said)
    return CorruptStoreError(where, said)
