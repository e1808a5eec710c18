"""The search tables of both databases are filled with each write, from the same words."""

from __future__ import annotations

from importlib import import_module

from alembic import op

from graph.store import search_tables

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

OLD = ("search_counts", "search_gone", "search_state", "search_words", "search_names", "search_nodes")


def upgrade() -> None:
    """Create and fill the tables."""
    sql = op.get_bind()
    if sql.dialect.name == "postgresql":
        for table in OLD:
            op.execute(f"DROP TABLE IF EXISTS {table} CASCADE")
        op.execute("DROP FUNCTION IF EXISTS search_node_went() CASCADE")
    search_tables.create(sql)
    for _ in search_tables.rebuild(sql):
        pass


def downgrade() -> None:
    """Drop them; those of PostgreSQL before are created again, empty."""
    for table in ("search_text", "search_words", "search_names"):
        op.drop_table(table)
    if op.get_bind().dialect.name == "postgresql":
        versions = "graph.store.migrations.versions"
        import_module(f"{versions}.0008_search_tables").upgrade()
        for statement in import_module(f"{versions}.0011_counts_and_serials_of_tags").COUNTS:
            op.execute(statement)
