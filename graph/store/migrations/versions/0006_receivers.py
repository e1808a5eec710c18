"""Notices as a log without delivery state, receivers with cursors, and what each receiver got.

The outbox had one unnamed receiver. What it was sent, and what it was still to be sent, moves to the receiver "", whose
place the first registered receiver takes. Without any delivery there was no receiver, and none is made.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

WORD = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
FLAG = sa.Boolean(create_constraint=False)

STATE = ("attempts", "next_try", "delivered_at", "last_error")
FLAGS = sa.table("flags", sa.column("claim"), sa.column("first_run"), sa.column("standing"), sa.column("body"))
OUTBOX = sa.table("outbox", sa.column("id"), sa.column("created_at"), sa.column("body"))


def upgrade() -> None:
    """Create the tables and move the outbox into them."""
    op.add_column("flags", sa.Column("owing", FLAG, nullable=False, server_default=sa.false()))
    notices, receivers, deliveries = _notices(), _receivers(), _deliveries()
    rows = op.get_bind().execute(sa.select(OUTBOX.c.body).order_by(OUTBOX.c.created_at, OUTBOX.c.id)).scalars().all()
    old = [{**json.loads(body), "serial": serial} for serial, body in enumerate(rows, 1)]
    for one in old:
        one["data"] = json.loads(one["body"])["data"]
        one["claims"] = list(_claims(one["data"]))
    if old:
        op.bulk_insert(notices, [{"id": one["id"], "body": _body(one)} for one in old])
    current = _mark_flags(old)
    if any(one["attempts"] or one["next_try"] for one in old):
        op.bulk_insert(receivers, [{"id": "", "cursor": len(old)}])
        sent = [one for one in old if one["attempts"] or one["next_try"] or one["id"] in current]
        op.bulk_insert(deliveries, [_delivery(one) for one in sent])
    op.drop_table("outbox")


def _notices() -> sa.Table:
    return op.create_table(
        "notices",
        sa.Column("serial", sa.Integer, nullable=False),
        sa.Column("id", WORD, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("serial", name="pk_notices"),
        sa.UniqueConstraint("id"),
    )


def _receivers() -> sa.Table:
    return op.create_table(
        "receivers",
        sa.Column("id", WORD, nullable=False),
        sa.Column("cursor", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_receivers"),
    )


def _deliveries() -> sa.Table:
    made = op.create_table(
        "deliveries",
        sa.Column("receiver", WORD, nullable=False),
        sa.Column("serial", sa.Integer, nullable=False),
        sa.Column("pending", FLAG, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("receiver", "serial", name="pk_deliveries"),
    )
    op.create_index("ix_deliveries_receiver_pending", "deliveries", ["receiver", "pending"])
    return made


def _claims(data: dict[str, Any]) -> Iterator[str]:
    if "claim" in data:
        yield data["claim"]
    yield from (each["claim"] for each in data.get("claims", ()))


def _body(one: dict[str, Any]) -> str:
    return json.dumps({key: one[key] for key in ("id", "kind", "subject", "body", "created_at", "claims")})


def _delivery(one: dict[str, Any]) -> dict[str, Any]:
    """The row of a notice; one that was written without a receiver (no attempt, none planned) becomes due."""
    state = {key: one[key] for key in STATE}
    if not one["attempts"] and one["next_try"] is None:
        state["next_try"] = one["created_at"]
    row = {"receiver": "", "serial": one["serial"], "pending": state["next_try"] is not None}
    return {**row, "body": json.dumps({"receiver": "", **state})}


def _mark_flags(old: list[dict[str, Any]]) -> set[str]:
    """Each raised flag gets the notice that reported it; one without is reported by the next run.

    Returns the ids of these notices.
    """
    bind, current = op.get_bind(), set()
    for row in bind.execute(sa.select(FLAGS).where(FLAGS.c.standing)).all():
        flag = json.loads(row.body)
        kind = "unchecked" if flag["verdict"] == "unverifiable" else "raised"
        for one in old:
            if one["kind"].endswith(kind) and one["data"]["run"] == flag["raised_run"] and _lists(one, row.claim):
                flag |= {"notice": one["id"], "told_on": flag["raised_at"]}
                current.add(one["id"])
        same = (FLAGS.c.claim == row.claim) & (FLAGS.c.first_run == row.first_run)
        bind.execute(FLAGS.update().where(same).values(body=json.dumps(flag)))
    return current


def _lists(one: dict[str, Any], claim: str) -> bool:
    """Whether a notice reports a claim; a long one lists the first claims and counts the rest."""
    return claim in one["claims"] or one["data"].get("count", 0) > len(one["claims"])


def downgrade() -> None:
    """Restore an empty outbox: its one receiver cannot be chosen among several."""
    op.create_table(
        "outbox",
        sa.Column("id", WORD, nullable=False),
        sa.Column("created_at", WORD, nullable=False),
        sa.Column("next_try", WORD),
        sa.Column("delivered_at", WORD),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
    )
    op.create_index("ix_outbox_next_try", "outbox", ["next_try"])
    for name in ("deliveries", "receivers", "notices"):
        op.drop_table(name)
    with op.batch_alter_table("flags") as batch:
        batch.drop_column("owing")
