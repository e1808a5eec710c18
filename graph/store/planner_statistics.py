"""PostgreSQL's statistics of tables that a write has made much larger.

Autovacuum computes them at most once a minute, and not before the commit: until then the planner takes a table of a
million new rows for an empty one.
"""

from __future__ import annotations

from sqlalchemy import Connection, text

LEAST = 5_000
"""Tables with fewer changed rows are left to autovacuum."""

_GROWN = text(
    "SELECT quote_ident(relname) FROM pg_class"
    " WHERE relkind = 'r' AND relnamespace = CAST(current_schema() AS regnamespace)"
    " AND pg_stat_get_mod_since_analyze(oid)"
    " + pg_stat_get_xact_tuples_inserted(oid) + pg_stat_get_xact_tuples_deleted(oid)"
    " > greatest(:least, reltuples / 2) ORDER BY relname"
)


def analyse_grown(sql: Connection) -> list[str]:
    """Analyse the tables that have changed by half since that was last done; returns their names.

    A table that doubles with each call is analysed each time, one that grows by equal steps less and less often.
    """
    grown = list(sql.execute(_GROWN, {"least": LEAST}).scalars())
    if grown:
        sql.execute(text("ANALYZE " + ", ".join(grown)))
    return grown
