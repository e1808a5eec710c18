"""What version 2 of the rules for verdicts adds to the verdict: cause, dates, effect on the thesis, ranges.

Runs of before keep version 1, by which they are computed again.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns."""
    op.add_column("verdicts", sa.Column("further", sa.Text, nullable=False, server_default=""))
    op.add_column("runs", sa.Column("method", sa.Integer, nullable=False, server_default="1"))


def downgrade() -> None:
    """Remove the columns."""
    with op.batch_alter_table("verdicts") as batch:
        batch.drop_column("further")
    with op.batch_alter_table("runs") as batch:
        batch.drop_column("method")
