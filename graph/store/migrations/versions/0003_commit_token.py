"""A random token that every committed write replaces: two stores at the same version have different tokens."""

from __future__ import annotations

import uuid

from alembic import op
from sqlalchemy import column, table

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

META = table("meta", column("key"), column("value"))


def upgrade() -> None:
    """Give the store its first token."""
    op.execute(META.delete().where(META.c.key == "commit"))
    op.execute(META.insert().values(key="commit", value=uuid.uuid4().hex))


def downgrade() -> None:
    """Delete the token."""
    op.execute(META.delete().where(META.c.key == "commit"))
