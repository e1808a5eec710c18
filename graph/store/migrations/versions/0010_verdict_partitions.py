"""The verdicts partitioned by ranges of runs in PostgreSQL; `graph.store.ledger_partitions` begins a new one each year.

The table of before becomes the first partition, without copying a row.
"""

from __future__ import annotations

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_REFUSE = (
    "CREATE TRIGGER {0}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {0} "
    "FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses()"
)


def upgrade() -> None:
    """Make `verdicts` a partitioned table."""
    if op.get_bind().dialect.name != "postgresql":
        return
    for statement in (
        "DROP TRIGGER verdicts_append_only ON verdicts",
        "ALTER TABLE verdicts RENAME TO verdicts_start",
        "ALTER TABLE verdicts_start RENAME CONSTRAINT pk_verdicts TO pk_verdicts_start",
        "CREATE TABLE verdicts (LIKE verdicts_start INCLUDING DEFAULTS) PARTITION BY RANGE (run)",
        "ALTER TABLE verdicts ADD CONSTRAINT pk_verdicts PRIMARY KEY (run, claim)",
        "ALTER TABLE verdicts ATTACH PARTITION verdicts_start FOR VALUES FROM (MINVALUE) TO (MAXVALUE)",
        _REFUSE.format("verdicts"),
        _REFUSE.format("verdicts_start"),
    ):
        op.execute(statement)


def downgrade() -> None:
    """Make `verdicts` one table again."""
    if op.get_bind().dialect.name != "postgresql":
        return
    for statement in (
        "ALTER TABLE verdicts RENAME TO verdicts_parts",
        "ALTER TABLE verdicts_parts RENAME CONSTRAINT pk_verdicts TO pk_verdicts_parts",
        "CREATE TABLE verdicts (LIKE verdicts_parts INCLUDING DEFAULTS)",
        "INSERT INTO verdicts SELECT * FROM verdicts_parts",
        "DROP TABLE verdicts_parts",
        "ALTER TABLE verdicts ADD CONSTRAINT pk_verdicts PRIMARY KEY (run, claim)",
        _REFUSE.format("verdicts"),
    ):
        op.execute(statement)
