"""A table of the prices that catalogues state no longer, and of those they began to state: own price history."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

WORD = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Create the table; it is filled from the stored snapshots when prices are first read."""
    op.create_table(
        "seen_prices",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("catalog", WORD, nullable=False),
        sa.Column("statement", WORD, nullable=False),
        sa.Column("first_seen", WORD, nullable=False),
        sa.Column("last_seen", WORD, nullable=True),
        sa.Column("replaced", WORD, nullable=True),
        sa.Column("body", sa.Text(), nullable=False),
        if_not_exists=True,
    )
    op.create_index("ix_seen_prices_catalog_statement", "seen_prices", ["catalog", "statement"], if_not_exists=True)


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("seen_prices")
