"""Revisions of the tables: homes of version 0.1.0 and later are upgraded when they are opened.

A change of `graph.store.schema` needs an Alembic script in `migrations/versions` and the new `HEAD` here; a test
compares the tables that both give.
"""

from __future__ import annotations

from collections import deque
from pathlib import Path

from sqlalchemy import Connection, delete, inspect, select, text

from graph.store.schema import meta
from graph.store.store_errors import ForeignStoreError, NewerStoreError, OlderStoreError

HEAD = "0001"
"""The revision of `graph.store.schema`."""

FOLDER = Path(__file__).with_name("migrations")

_REVISION = text("SELECT version_num FROM alembic_version")
_BEFORE_BASELINE = "1"
"""The number in `meta` of databases with the first revision from before Alembic."""


def revision(connection: Connection, where: str) -> str | None:
    """The revision of the tables: None without tables, empty for the first one from before Alembic.

    Raises:
        ForeignStoreError: the tables are of another program.
        OlderStoreError: they are older than the first revision.
    """
    tables = inspect(connection).get_table_names()
    if "alembic_version" in tables and "node_log" in tables:
        return str(connection.execute(_REVISION).scalar_one())
    if not tables:
        return None
    if "node_log" not in tables or "meta" not in tables:
        raise ForeignStoreError(where, tables)
    if connection.execute(select(meta.c.value).where(meta.c.key == "schema")).scalar() != _BEFORE_BASELINE:
        raise OlderStoreError(where)
    return ""


def upgrade(connection: Connection, where: str, found: str | None) -> None:
    """Upgrade tables from the revision `found` to `HEAD`. Raises `NewerStoreError` if `found` is unknown."""
    from alembic import command  # noqa: PLC0415  # takes 0.1 s, and homes of the present version do without
    from alembic.config import Config  # noqa: PLC0415  # as above
    from alembic.script import ScriptDirectory  # noqa: PLC0415  # as above

    from graph.store.search_tables import rebuild  # noqa: PLC0415  # a reader needs no stemmer

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    known = [one.revision for one in ScriptDirectory.from_config(config).walk_revisions()]
    if found and found not in known:
        raise NewerStoreError(where, found, HEAD)
    if found == "":
        command.stamp(config, known[-1])
        connection.execute(delete(meta).where(meta.c.key == "schema"))
        connection.execute(text("DROP TABLE IF EXISTS derived"))  # its old content is dropped
        deque(rebuild(connection), maxlen=0)  # older versions stored words in another form
    command.upgrade(config, "head")
