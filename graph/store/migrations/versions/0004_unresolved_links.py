"""A table of the names in links that no node has, so that an ingest does not read every such document again."""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

WORD = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")

CODES = frozenset({"link-ambiguous", "link-unresolved", "relation-ambiguous", "relation-unresolved"})


def upgrade() -> None:
    """Create the table; a document with an unresolved link gets a name that means: read it at the next ingest."""
    table = op.create_table(
        "unresolved",
        sa.Column("document", WORD, nullable=False),
        sa.Column("name", WORD, nullable=False),
        sa.PrimaryKeyConstraint("document", "name", name="pk_unresolved"),
    )
    op.create_index("ix_unresolved_name", "unresolved", ["name"])
    waiting = [{"document": name, "name": ""} for name in _waiting()]
    if waiting:
        op.bulk_insert(table, waiting)


def _waiting() -> list[str]:
    documents = sa.table("documents", sa.column("name"), sa.column("record"), sa.column("current"))
    rows = op.get_bind().execute(sa.select(documents.c.name, documents.c.record).where(documents.c.current.is_(True)))
    return [row.name for row in rows if _has_lost_links(row.record)]


def _has_lost_links(record: str) -> bool:
    problems = json.loads(record).get("problems", ())
    return any(problem.get("code") in CODES for problem in problems)


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("unresolved")
