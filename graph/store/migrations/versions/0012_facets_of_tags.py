"""In SQLite the facets of each tag, derived from the nodes that have it, so that a list of a tag reads only its page.

Triggers empty the row of a tag whenever a node with it comes or goes, whatever program writes; each write of
this program counts again. PostgreSQL has `search_counts`.
"""

from __future__ import annotations

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

STATEMENTS = (
    "CREATE TABLE search_facets (tag TEXT NOT NULL PRIMARY KEY, total INTEGER, facets TEXT) WITHOUT ROWID",
    "CREATE INDEX ix_search_facets_uncounted ON search_facets (tag) WHERE facets IS NULL",
    """CREATE TRIGGER node_tags_came AFTER INSERT ON node_tags BEGIN
        INSERT INTO search_facets (tag) VALUES (NEW.tag)
        ON CONFLICT (tag) DO UPDATE SET facets = NULL WHERE facets IS NOT NULL; END""",
    """CREATE TRIGGER node_tags_went AFTER DELETE ON node_tags BEGIN
        UPDATE search_facets SET facets = NULL WHERE tag = OLD.tag AND facets IS NOT NULL; END""",
    "INSERT INTO search_facets (tag) SELECT DISTINCT tag FROM node_tags",
)


def upgrade() -> None:
    """Create the table, which `upgrade` fills when the schema is the newest, and the triggers."""
    if op.get_bind().dialect.name == "sqlite":
        for statement in STATEMENTS:
            op.execute(statement)


def downgrade() -> None:
    """Drop them."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TRIGGER IF EXISTS node_tags_went")
        op.execute("DROP TRIGGER IF EXISTS node_tags_came")
        op.execute("DROP TABLE IF EXISTS search_facets")
