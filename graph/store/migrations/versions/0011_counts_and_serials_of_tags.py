"""The serials of nodes in `node_tags`, and in PostgreSQL counts of nodes by tag, brain and kind.

With the serial one index gives the nodes of a tag in the order of arrival. `search_counts` has the facets of a tag, so
that no list counts its nodes; the rows of nodes that went wait in `search_gone` for the end of the write.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from graph.store.stored_counts import FORMAT

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

COUNTS = (
    """CREATE TABLE search_counts (
        tag text COLLATE "C" NOT NULL,
        other text COLLATE "C" NOT NULL,
        brain text COLLATE "C" NOT NULL,
        kind text COLLATE "C" NOT NULL,
        number integer NOT NULL,
        PRIMARY KEY (tag, other, brain, kind)
    ) WITH (fillfactor = 80)""",
    "CREATE INDEX ix_search_counts_other ON search_counts (other)",
    "CREATE INDEX ix_search_counts_own ON search_counts (tag) WHERE tag = other",
    "CREATE TABLE search_gone (kind text NOT NULL, brain text NOT NULL, tags text[] NOT NULL)",
    """CREATE FUNCTION search_node_went() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO search_gone VALUES (OLD.kind, OLD.brain, OLD.tags); RETURN NULL; END $$""",
    """CREATE TRIGGER search_nodes_went AFTER DELETE ON search_nodes
        FOR EACH ROW EXECUTE FUNCTION search_node_went()""",
    f"UPDATE search_state SET format = {FORMAT} WHERE NOT EXISTS (SELECT 1 FROM node_log)",  # noqa: S608  # a number of ours
)


def upgrade() -> None:
    """Add the serials; create the tables of counts, which are filled when the search tables are built again."""
    op.add_column("node_tags", sa.Column("serial", sa.Integer, nullable=False, server_default="0"))
    op.execute("UPDATE node_tags SET serial = (SELECT nodes.serial FROM nodes WHERE nodes.id = node_tags.node)")
    op.create_index("ix_node_tags_tag_serial_node", "node_tags", ["tag", "serial", "node"])
    op.drop_index("ix_node_tags_tag_node", "node_tags")
    if op.get_bind().dialect.name == "postgresql":
        for statement in COUNTS:
            op.execute(statement)


def downgrade() -> None:
    """Drop them."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP TRIGGER search_nodes_went ON search_nodes")
        op.execute("DROP FUNCTION search_node_went()")
        op.drop_table("search_gone")
        op.drop_table("search_counts")
    op.create_index("ix_node_tags_tag_node", "node_tags", ["tag", "node"])
    op.drop_index("ix_node_tags_tag_serial_node", "node_tags")
    op.drop_column("node_tags", "serial")
