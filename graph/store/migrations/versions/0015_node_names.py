"""The names by which links find nodes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

WORD = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "node_names",
        sa.Column("node", WORD, sa.ForeignKey("nodes.id", ondelete="CASCADE"), nullable=False),
        sa.Column("name", WORD, nullable=False),
        sa.PrimaryKeyConstraint("node", "name", name="pk_node_names"),
    )
    op.create_index("ix_node_names_name_node", "node_names", ["name", "node"])


def downgrade() -> None:
    """Drop it."""
    op.drop_table("node_names")
