"""PostgreSQL's statistics of tables that a write has made much larger.

Autovacuum computes them at most once a minute, and not before the commit: until then the planner takes a table of a
million new rows for an empty one.
"""

from __future__ import annotations

from sqlalchemy import Connection, text

LEAST = 64
"""Pages of 8 kB by which a table must have grown; smaller tables are left to autovacuum."""

_GROWN = text(
    "SELECT quote_ident(relname) FROM pg_class"
    " WHERE relkind = 'r' AND relnamespace = CAST(current_schema() AS regnamespace)"
    " AND pg_relation_size(oid) / CAST(current_setting('block_size') AS integer) > 1.5 * relpages + :least"
    " ORDER BY relname"
)


def analyse_grown(sql: Connection) -> list[str]:
    """Analyse the tables that have grown by half since that was last done; returns their names.

    A table that doubles with each call is analysed each time, one that grows by equal steps less and less often. The
    size decides, because PostgreSQL counts the rows of the open transaction as changed even after it has analysed them.
    """
    grown = list(sql.execute(_GROWN, {"least": LEAST}).scalars())
    if grown:
        sql.execute(text("ANALYZE " + ", ".join(grown)))
    return grown
