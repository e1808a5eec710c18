"""The first schema, and the triggers that keep the ledger append-only."""

from __future__ import annotations

from typing import Any, NamedTuple

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

LEDGER = ("runs", "verdicts")

KINDS: dict[str, Any] = {
    "word": sa.Text().with_variant(sa.Text(collation="C"), "postgresql"),
    "text": sa.Text(),
    "integer": sa.Integer(),
    "real": sa.Float(),
    "flag": sa.Boolean(create_constraint=False),
    "blob": sa.LargeBinary(),
}


class Made(NamedTuple):
    """A table: its columns as `name kind`, a question mark marks a nullable column; names are separated by spaces."""

    name: str
    columns: str
    key: str
    indexes: tuple[str, ...] = ()
    owner: tuple[str, str] | None = None
    unique: str | None = None
    rowid: bool = True


def upgrade() -> None:
    """Create every table; forbid updates and deletes in the ledger."""
    for made in TABLES:
        _make(made)
    postgres = op.get_bind().dialect.name == "postgresql"
    for statement in _refusals_of_postgresql() if postgres else _refusals_of_sqlite():
        op.execute(statement)


def _make(made: Made) -> None:
    parts: list[sa.schema.SchemaItem] = [_column(*column.split()) for column in made.columns.split(", ")]
    parts.append(sa.PrimaryKeyConstraint(*made.key.split(), name=f"pk_{made.name}"))
    if made.unique:
        parts.append(sa.UniqueConstraint(made.unique))
    if made.owner:
        column, owner = made.owner
        key = f"fk_{made.name}_{column}"
        parts.append(sa.ForeignKeyConstraint([column], [f"{owner}.id"], name=key, ondelete="CASCADE"))
    op.create_table(made.name, *parts, sqlite_with_rowid=made.rowid)
    for index in made.indexes:
        columns = index.split()
        op.create_index(f"ix_{made.name}_{'_'.join(columns)}", made.name, columns)


def _column(name: str, kind: str) -> sa.Column[Any]:
    return sa.Column(name, KINDS[kind.rstrip("?")], nullable=kind.endswith("?"))


def _refusals_of_sqlite() -> list[str]:
    return [
        f"CREATE TRIGGER {table}_no_{action.lower()} BEFORE {action} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END"
        for table in LEDGER
        for action in ("UPDATE", "DELETE")
    ]


def _refusals_of_postgresql() -> list[str]:
    refuses = (
        "CREATE FUNCTION ledger_refuses() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'the ledger is append-only'; END $$"
    )
    triggers = (
        f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
        f"FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses()"
        for table in LEDGER
    )
    return [refuses, *triggers]


TABLES = (
    Made(
        "audit",
        "id integer, at word, actor text, action text, detail text",
        key="id",
    ),
    Made(
        "claims",
        "id word, node word, severity word, document word, body text",
        key="id",
        indexes=(
            "document",
            "node",
        ),
    ),
    Made(
        "counters",
        "name word, number integer",
        key="name",
    ),
    Made(
        "documents",
        "name word, sha256 word, current flag, format text, brain word, record text, nodes integer, "
        "ingested_at word, text blob, text_sha256 text",
        key="name sha256",
        indexes=("current name",),
    ),
    Made(
        "flags",
        "claim word, first_run integer, standing flag, over flag, body text",
        key="claim first_run",
    ),
    Made(
        "meta",
        "key word, value text",
        key="key",
    ),
    Made(
        "node_log",
        "id word, serial integer, version integer",
        key="id",
        indexes=("version",),
    ),
    Made(
        "nodes",
        "id word, serial integer, brain word, kind word, title text, title_key word, published word, "
        "excerpt text, tags text, document word, position integer, origin text, sha256 text, first_line "
        "integer, last_line integer, digest text, body text",
        key="id",
        indexes=(
            "brain serial",
            "document position",
            "kind serial",
            "published id",
            "title_key id",
        ),
        unique="serial",
    ),
    Made(
        "outbox",
        "id word, created_at word, next_try word?, delivered_at word?, body text",
        key="id",
        indexes=("next_try",),
    ),
    Made(
        "runs",
        "id integer, as_of word, started_at word, finished_at word, code text, snapshot text, rules "
        "text, counts text, notes text",
        key="id",
        indexes=("as_of id",),
    ),
    Made(
        "silences",
        "id word, body text",
        key="id",
    ),
    Made(
        "snapshots",
        "hash word, catalog word, created_at word, size integer, payload blob",
        key="hash",
    ),
    Made(
        "tombstones",
        "id word, kind text, title text, document text, sha256 text, removed_at word",
        key="id",
    ),
    Made(
        "verdicts",
        "run integer, claim word, verdict integer, figures text, unit text, reason text",
        key="run claim",
        rowid=False,
    ),
    Made(
        "citations",
        "node word, position integer, target word?, marker text, resolution text, confidence real, "
        "context text, cito text",
        key="node position",
        indexes=("target",),
        owner=("node", "nodes"),
    ),
    Made(
        "claim_tags",
        "claim word, tag word",
        key="claim tag",
        indexes=("tag",),
        owner=("claim", "claims"),
    ),
    Made(
        "edges",
        "id integer, subject word, kind word, target word, reason text, confidence real, derived flag",
        key="id",
        indexes=(
            "kind",
            "subject",
            "target",
        ),
        owner=("subject", "nodes"),
    ),
    Made(
        "node_sources",
        "node word, position integer, work word, url text, host word, title text?, date text?",
        key="node position",
        indexes=(
            "host work",
            "work node",
        ),
        owner=("node", "nodes"),
    ),
    Made(
        "node_tags",
        "node word, tag word",
        key="node tag",
        indexes=("tag node",),
        owner=("node", "nodes"),
    ),
    Made(
        "quotations",
        "node word, position integer, work word?, body text",
        key="node position",
        indexes=("work",),
        owner=("node", "nodes"),
    ),
)
"""Parent tables before their children."""
