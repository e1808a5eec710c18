"""The first schema, and the triggers that keep the ledger append-only."""

from __future__ import annotations

from functools import partial
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

LEDGER = ("runs", "verdicts")


def _column(kind: Any, name: str, **options: Any) -> sa.Column[Any]:  # noqa: ANN401 - SQLAlchemy's own signature
    return sa.Column(name, kind, **{"nullable": False, **options})


word = partial(_column, sa.Text().with_variant(sa.Text(collation="C"), "postgresql"))
text = partial(_column, sa.Text())
integer = partial(_column, sa.Integer())
real = partial(_column, sa.Float())
flag = partial(_column, sa.Boolean(create_constraint=False))
blob = partial(_column, sa.LargeBinary())


def owned_by(table: str, column: str, owner: str) -> sa.ForeignKeyConstraint:
    """A key to the owner's id: the row goes when its owner goes."""
    return sa.ForeignKeyConstraint([column], [f"{owner}.id"], name=f"fk_{table}_{column}", ondelete="CASCADE")


def upgrade() -> None:
    """Make every table; forbid changing and deleting what the ledger has."""
    for make in TABLES:
        make()
    connection = op.get_bind()
    refuse = _refuse_in_postgresql if connection.dialect.name == "postgresql" else _refuse_in_sqlite
    refuse()


def _refuse_in_sqlite() -> None:
    for table in LEDGER:
        for action in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{action.lower()} BEFORE {action} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END"
            )


def _refuse_in_postgresql() -> None:
    op.execute(
        "CREATE FUNCTION ledger_refuses() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'the ledger is append-only'; END $$"
    )
    for table in LEDGER:
        op.execute(
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            f"FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses()"
        )


def _audit() -> None:
    op.create_table(
        "audit",
        integer("id"),
        word("at"),
        text("actor"),
        text("action"),
        text("detail"),
        sa.PrimaryKeyConstraint("id", name="pk_audit"),
    )


def _claims() -> None:
    op.create_table(
        "claims",
        word("id"),
        word("node"),
        word("severity"),
        word("document"),
        text("body"),
        sa.PrimaryKeyConstraint("id", name="pk_claims"),
    )
    op.create_index("ix_claims_document", "claims", ["document"])
    op.create_index("ix_claims_node", "claims", ["node"])


def _counters() -> None:
    op.create_table(
        "counters",
        word("name"),
        integer("number"),
        sa.PrimaryKeyConstraint("name", name="pk_counters"),
    )


def _documents() -> None:
    op.create_table(
        "documents",
        word("name"),
        word("sha256"),
        flag("current"),
        text("format"),
        word("brain"),
        text("record"),
        integer("nodes"),
        word("ingested_at"),
        blob("text"),
        text("text_sha256"),
        sa.PrimaryKeyConstraint("name", "sha256", name="pk_documents"),
    )
    op.create_index("ix_documents_current_name", "documents", ["current", "name"])


def _flags() -> None:
    op.create_table(
        "flags",
        word("claim"),
        integer("first_run"),
        flag("standing"),
        flag("over"),
        text("body"),
        sa.PrimaryKeyConstraint("claim", "first_run", name="pk_flags"),
    )


def _meta() -> None:
    op.create_table(
        "meta",
        word("key"),
        text("value"),
        sa.PrimaryKeyConstraint("key", name="pk_meta"),
    )


def _node_log() -> None:
    op.create_table(
        "node_log",
        word("id"),
        integer("serial"),
        integer("version"),
        sa.PrimaryKeyConstraint("id", name="pk_node_log"),
    )
    op.create_index("ix_node_log_version", "node_log", ["version"])


def _nodes() -> None:
    op.create_table(
        "nodes",
        word("id"),
        integer("serial"),
        word("brain"),
        word("kind"),
        text("title"),
        word("title_key"),
        word("published"),
        text("excerpt"),
        text("tags"),
        word("document"),
        integer("position"),
        text("origin"),
        text("sha256"),
        integer("first_line"),
        integer("last_line"),
        text("digest"),
        text("body"),
        sa.PrimaryKeyConstraint("id", name="pk_nodes"),
        sa.UniqueConstraint("serial"),
    )
    op.create_index("ix_nodes_brain_serial", "nodes", ["brain", "serial"])
    op.create_index("ix_nodes_document_position", "nodes", ["document", "position"])
    op.create_index("ix_nodes_kind_serial", "nodes", ["kind", "serial"])
    op.create_index("ix_nodes_published_id", "nodes", ["published", "id"])
    op.create_index("ix_nodes_title_key_id", "nodes", ["title_key", "id"])


def _outbox() -> None:
    op.create_table(
        "outbox",
        word("id"),
        word("created_at"),
        word("next_try", nullable=True),
        word("delivered_at", nullable=True),
        text("body"),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
    )
    op.create_index("ix_outbox_next_try", "outbox", ["next_try"])


def _runs() -> None:
    op.create_table(
        "runs",
        integer("id", autoincrement=False),
        word("as_of"),
        word("started_at"),
        word("finished_at"),
        text("code"),
        text("snapshot"),
        text("rules"),
        text("counts"),
        text("notes"),
        sa.PrimaryKeyConstraint("id", name="pk_runs"),
    )
    op.create_index("ix_runs_as_of_id", "runs", ["as_of", "id"])


def _silences() -> None:
    op.create_table(
        "silences",
        word("id"),
        text("body"),
        sa.PrimaryKeyConstraint("id", name="pk_silences"),
    )


def _snapshots() -> None:
    op.create_table(
        "snapshots",
        word("hash"),
        word("catalog"),
        word("created_at"),
        integer("size"),
        blob("payload"),
        sa.PrimaryKeyConstraint("hash", name="pk_snapshots"),
    )


def _tombstones() -> None:
    op.create_table(
        "tombstones",
        word("id"),
        text("kind"),
        text("title"),
        text("document"),
        text("sha256"),
        word("removed_at"),
        sa.PrimaryKeyConstraint("id", name="pk_tombstones"),
    )


def _verdicts() -> None:
    op.create_table(
        "verdicts",
        integer("run"),
        word("claim"),
        integer("verdict"),
        text("figures"),
        text("unit"),
        text("reason"),
        sa.PrimaryKeyConstraint("run", "claim", name="pk_verdicts"),
        sqlite_with_rowid=False,
    )


def _citations() -> None:
    op.create_table(
        "citations",
        word("node"),
        integer("position"),
        word("target", nullable=True),
        text("marker"),
        text("resolution"),
        real("confidence"),
        text("context"),
        text("cito"),
        sa.PrimaryKeyConstraint("node", "position", name="pk_citations"),
        owned_by("citations", "node", "nodes"),
    )
    op.create_index("ix_citations_target", "citations", ["target"])


def _claim_tags() -> None:
    op.create_table(
        "claim_tags",
        word("claim"),
        word("tag"),
        sa.PrimaryKeyConstraint("claim", "tag", name="pk_claim_tags"),
        owned_by("claim_tags", "claim", "claims"),
    )
    op.create_index("ix_claim_tags_tag", "claim_tags", ["tag"])


def _edges() -> None:
    op.create_table(
        "edges",
        integer("id"),
        word("subject"),
        word("kind"),
        word("target"),
        text("reason"),
        real("confidence"),
        flag("derived"),
        sa.PrimaryKeyConstraint("id", name="pk_edges"),
        owned_by("edges", "subject", "nodes"),
    )
    op.create_index("ix_edges_kind", "edges", ["kind"])
    op.create_index("ix_edges_subject", "edges", ["subject"])
    op.create_index("ix_edges_target", "edges", ["target"])


def _node_sources() -> None:
    op.create_table(
        "node_sources",
        word("node"),
        integer("position"),
        word("work"),
        text("url"),
        word("host"),
        text("title", nullable=True),
        text("date", nullable=True),
        sa.PrimaryKeyConstraint("node", "position", name="pk_node_sources"),
        owned_by("node_sources", "node", "nodes"),
    )
    op.create_index("ix_node_sources_host_work", "node_sources", ["host", "work"])
    op.create_index("ix_node_sources_work_node", "node_sources", ["work", "node"])


def _node_tags() -> None:
    op.create_table(
        "node_tags",
        word("node"),
        word("tag"),
        sa.PrimaryKeyConstraint("node", "tag", name="pk_node_tags"),
        owned_by("node_tags", "node", "nodes"),
    )
    op.create_index("ix_node_tags_tag_node", "node_tags", ["tag", "node"])


def _quotations() -> None:
    op.create_table(
        "quotations",
        word("node"),
        integer("position"),
        word("work", nullable=True),
        text("body"),
        sa.PrimaryKeyConstraint("node", "position", name="pk_quotations"),
        owned_by("quotations", "node", "nodes"),
    )
    op.create_index("ix_quotations_work", "quotations", ["work"])


TABLES = (
    _audit,
    _claims,
    _counters,
    _documents,
    _flags,
    _meta,
    _node_log,
    _nodes,
    _outbox,
    _runs,
    _silences,
    _snapshots,
    _tombstones,
    _verdicts,
    _citations,
    _claim_tags,
    _edges,
    _node_sources,
    _node_tags,
    _quotations,
)
"""Owners before what they own."""
