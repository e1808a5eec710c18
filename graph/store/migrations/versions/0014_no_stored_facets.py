"""SQLite counts the facets of a tag when somebody asks: no table of them, no triggers."""

from __future__ import annotations

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

STATEMENTS = ("DROP TRIGGER node_tags_went", "DROP TRIGGER node_tags_came", "DROP TABLE search_facets")


def upgrade() -> None:
    """Drop them."""
    if op.get_bind().dialect.name == "sqlite":
        for statement in STATEMENTS:
            op.execute(statement)


def downgrade() -> None:
    """Nothing: who goes back further drops them anyway."""
