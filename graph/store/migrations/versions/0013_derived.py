"""What is derived from the whole graph and takes seconds to make, kept until a process has made it again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

WORD = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "derived",
        sa.Column("name", WORD, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("json", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_derived"),
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_table("derived")
