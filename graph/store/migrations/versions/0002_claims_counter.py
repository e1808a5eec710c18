"""A counter of the writes that change claims, so that data derived from claims stay valid after a nightly run."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the counter."""
    op.execute("INSERT INTO counters (name, number) VALUES ('claims', 0)")


def downgrade() -> None:
    """Delete the counter."""
    op.execute("DELETE FROM counters WHERE name = 'claims'")
