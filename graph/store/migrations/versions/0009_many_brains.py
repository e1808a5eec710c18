"""Private brains with quotas, tokens, and the brains that claims, snapshots and parts of runs belong to.

The claims and snapshots of before get their brains from the documents that they came from. A claim that no document
states any more has no row: while any brain is private, only those who may read every brain see its verdicts.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

WORD = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
FLAG = sa.Boolean(create_constraint=False)

CLAIMS = sa.table("claims", sa.column("id"), sa.column("node"), sa.column("document"))
DOCUMENTS = sa.table(
    "documents", sa.column("name"), sa.column("sha256"), sa.column("format"), sa.column("brain"), sa.column("current")
)
SNAPSHOTS = sa.table("snapshots", sa.column("hash"), sa.column("catalog"), sa.column("payload"))
RUNS = sa.table("runs", sa.column("snapshot"), sa.column("rules"))


def upgrade() -> None:
    """Create the tables and fill in what is known."""
    op.create_table(
        "brains",
        sa.Column("name", WORD, nullable=False),
        sa.Column("private", FLAG, nullable=False),
        sa.Column("max_nodes", sa.BigInteger),
        sa.Column("max_bytes", sa.BigInteger),
        sa.Column("max_claims", sa.BigInteger),
        sa.PrimaryKeyConstraint("name", name="pk_brains"),
    )
    op.create_table(
        "tokens",
        sa.Column("id", WORD, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("scope", WORD, nullable=False),
        sa.Column("brain", WORD),
        sa.Column("comment", sa.Text, nullable=False),
        sa.Column("created_at", WORD, nullable=False),
        sa.Column("until", WORD),
        sa.Column("revoked_at", WORD),
        sa.PrimaryKeyConstraint("id", name="pk_tokens"),
    )
    op.create_table(
        "run_parts",
        sa.Column("run", sa.Integer, nullable=False),
        sa.Column("brain", WORD, nullable=False),
        sa.Column("snapshot", WORD, nullable=False),
        sa.Column("rules", WORD, nullable=False),
        sa.PrimaryKeyConstraint("run", "brain", name="pk_run_parts"),
    )
    op.create_table(
        "stated_cards",
        sa.Column("catalog", WORD, nullable=False),
        sa.Column("statement", WORD, nullable=False),
        sa.Column("brain", WORD, nullable=False),
        sa.PrimaryKeyConstraint("catalog", "statement", "brain", name="pk_stated_cards"),
    )
    _filled(_claim_log(), list(_claims()))
    _filled(_snapshot_brains(), list(_snapshots()))


def _claim_log() -> sa.Table:
    return op.create_table(
        "claim_log",
        sa.Column("claim", WORD, nullable=False),
        sa.Column("node_brain", WORD, nullable=False),
        sa.Column("document_brain", WORD, nullable=False),
        sa.Column("since", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("claim", name="pk_claim_log"),
    )


def _snapshot_brains() -> sa.Table:
    return op.create_table(
        "snapshot_brains",
        sa.Column("hash", WORD, nullable=False),
        sa.Column("brain", WORD, nullable=False),
        sa.PrimaryKeyConstraint("hash", "brain", name="pk_snapshot_brains"),
    )


def _filled(table: sa.Table, rows: list[dict[str, Any]]) -> None:
    if rows:
        op.bulk_insert(table, rows)


def _claims() -> Iterator[dict[str, Any]]:
    asked = sa.select(CLAIMS.c.id, CLAIMS.c.node, DOCUMENTS.c.brain).join(
        DOCUMENTS, sa.and_(DOCUMENTS.c.name == CLAIMS.c.document, DOCUMENTS.c.current.is_(True))
    )
    for claim, node, brain in op.get_bind().execute(asked):
        yield {"claim": claim, "node_brain": node.partition("/")[0], "document_brain": brain, "since": 0}


def _snapshots() -> Iterator[dict[str, Any]]:
    """The brains of each manifest, and those of the price cards of each run's catalogues."""
    sql = op.get_bind()
    of = {
        (row.name, row.sha256): row.brain
        for row in sql.execute(sa.select(DOCUMENTS.c.name, DOCUMENTS.c.sha256, DOCUMENTS.c.brain))
    }
    manifests = {}
    for digest, payload in sql.execute(
        sa.select(SNAPSHOTS.c.hash, SNAPSHOTS.c.payload).where(SNAPSHOTS.c.catalog == "manifest")
    ):
        manifests[digest] = json.loads(zlib.decompress(payload))["documents"]
    found: dict[str, set[str]] = {}
    for row in sql.execute(sa.select(RUNS.c.snapshot, RUNS.c.rules).distinct()):
        for name, form, sha in manifests.get(row.rules, ()):
            brain = of.get((name, sha))
            if brain is not None:
                found.setdefault(row.rules, set()).add(brain)
                if form == "prices":
                    found.setdefault(row.snapshot, set()).add(brain)
    for digest, brains in found.items():
        yield from ({"hash": digest, "brain": brain} for brain in sorted(brains))


def downgrade() -> None:
    """Drop the tables."""
    for table in ("snapshot_brains", "claim_log", "stated_cards", "run_parts", "tokens", "brains"):
        op.drop_table(table)
