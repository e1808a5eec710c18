"""The partitions of the verdicts in PostgreSQL: ranges of runs, each of the time from its first run to the next one's.

    verdicts_start     runs 1 … 400
    verdicts_2027_01   runs 401 … 766       a new year
    verdicts_2028_01   runs 767 …           open: all later runs

Runs are numbered in time, so a range of runs is a period, and a query for a run reads one partition. A year gets one
partition; a month gets its own if the open one is large.
"""

from __future__ import annotations

import logging
import re
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, select, text
from sqlalchemy.exc import OperationalError

from graph.store.schema import runs

LOG = logging.getLogger(__name__)

LARGE = 5_000_000
"""Verdicts in the open partition above which a new month begins a partition, not only a new year."""

LOCK_WAIT = "2s"
"""How long to wait for readers of the ledger. While they read, the open partition is used further."""

_OPEN = text("""
    SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bounds, c.reltuples AS rows
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'verdicts'::regclass AND pg_get_expr(c.relpartbound, c.oid) LIKE '%TO (MAXVALUE)'""")
_FROM = re.compile(r"FROM \((?:'?(\d+)'?|MINVALUE)\)")


class OpenPartition(NamedTuple):
    """The partition of the latest runs: its name, its first possible run (None: any), and roughly its rows."""

    name: str
    first: int | None
    rows: float


def begin_partition(sql: Connection, run: int, started_at: datetime) -> None:
    """Before the verdicts of `run` are inserted: begin a new partition with it if its time asks for one."""
    held = _open(sql)
    query = select(runs.c.started_at).where(runs.c.id >= (held.first or 0)).order_by(runs.c.id).limit(1)
    begun = sql.execute(query).scalar()
    if begun is None or not _is_due(begun, started_at, held.rows):
        return
    try:
        with sql.begin_nested():
            _split(sql, held, run, f"verdicts_{started_at:%Y_%m}")
    except OperationalError as error:
        LOG.warning("the ledger is being read; its partition %s is used further: %s", held.name, error.orig)


def _open(sql: Connection) -> OpenPartition:
    row = sql.execute(_OPEN).one()
    found = _FROM.search(row.bounds)
    return OpenPartition(row.name, int(found[1]) if found and found[1] else None, float(row.rows))


def _is_due(begun: datetime, now: datetime, rows: float) -> bool:
    if now.year > begun.year:
        return True
    return rows > LARGE and (now.year, now.month) > (begun.year, begun.month)


def _split(sql: Connection, held: OpenPartition, run: int, name: str) -> None:
    """End the open partition before `run`, and open another one; the new bound is checked against its rows."""
    first = "MINVALUE" if held.first is None else str(held.first)
    for statement in (
        f"SET LOCAL lock_timeout = '{LOCK_WAIT}'",
        f"ALTER TABLE verdicts DETACH PARTITION {held.name}",
        f"ALTER TABLE verdicts ATTACH PARTITION {held.name} FOR VALUES FROM ({first}) TO ({run})",
        f"CREATE TABLE {name} PARTITION OF verdicts FOR VALUES FROM ({run}) TO (MAXVALUE)",
        f"CREATE TRIGGER {name}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {name} "
        "FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses()",
    ):
        sql.exec_driver_sql(statement)
