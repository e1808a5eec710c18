"""The first schema, and the triggers that keep the ledger append-only."""

from __future__ import annotations

from alembic import op

from graph.store.schema import metadata

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

LEDGER = ("runs", "verdicts")


def upgrade() -> None:
    """Make every table; forbid changing and deleting what the ledger has."""
    connection = op.get_bind()
    metadata.create_all(connection)
    refuse = _refuse_in_postgresql if connection.dialect.name == "postgresql" else _refuse_in_sqlite
    refuse()


def _refuse_in_sqlite() -> None:
    for table in LEDGER:
        for action in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{action.lower()} BEFORE {action} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END"
            )


def _refuse_in_postgresql() -> None:
    op.execute(
        "CREATE FUNCTION ledger_refuses() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'the ledger is append-only'; END $$"
    )
    for table in LEDGER:
        op.execute(
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            f"FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses()"
        )
