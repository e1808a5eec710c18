"""The tables of full-text search in PostgreSQL; SQLite keeps its search index in files.

`search_nodes` has one narrow row for each node; its vectors are stored out of line, so that counting matches reads none
of them. A row goes with its node. `search_words` and its trigram index are for suggestions.
"""

from __future__ import annotations

import logging

import sqlalchemy as sa
from alembic import op
from sqlalchemy.exc import DBAPIError

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

LOG = logging.getLogger(__name__)

TABLES = (
    """CREATE TABLE search_nodes (
        serial integer PRIMARY KEY REFERENCES nodes (serial) ON DELETE CASCADE,
        kind text COLLATE "C" NOT NULL,
        brain text COLLATE "C" NOT NULL,
        document text COLLATE "C" NOT NULL,
        slug text COLLATE "C" NOT NULL,
        named text COLLATE "C" NOT NULL,
        tags text[] NOT NULL,
        folded text[] NOT NULL,
        names tsvector NOT NULL,
        title tsvector NOT NULL,
        vector tsvector NOT NULL,
        stems text NOT NULL
    ) WITH (toast_tuple_target = 128)""",
    "ALTER TABLE search_nodes ALTER COLUMN vector SET STORAGE EXTERNAL",
    "CREATE INDEX ix_search_nodes_vector ON search_nodes USING gin (vector)",
    "CREATE INDEX ix_search_nodes_title ON search_nodes USING gin (title)",
    "CREATE INDEX ix_search_nodes_names ON search_nodes USING gin (names)",
    "CREATE INDEX ix_search_nodes_folded ON search_nodes USING gin (folded)",
    "CREATE INDEX ix_search_nodes_named ON search_nodes (left(named, 200))",
    "CREATE INDEX ix_search_nodes_slug ON search_nodes (slug)",
    "CREATE INDEX ix_search_nodes_brain ON search_nodes (brain)",
    "CREATE INDEX ix_search_nodes_document ON search_nodes (document)",
    """CREATE TABLE search_names (
        serial integer NOT NULL REFERENCES search_nodes (serial) ON DELETE CASCADE,
        stems text COLLATE "C" NOT NULL,
        label text NOT NULL,
        position integer NOT NULL,
        PRIMARY KEY (serial, position)
    )""",
    "CREATE INDEX ix_search_names_stems ON search_names (stems)",
    'CREATE TABLE search_words (word text COLLATE "C" PRIMARY KEY, stem text COLLATE "C" NOT NULL)',
    "CREATE TABLE search_state (format integer PRIMARY KEY, graph integer NOT NULL)",
)
"""`left` keeps index entries below PostgreSQL's limit: a title may have any length."""


def upgrade() -> None:
    """Create the tables; those of an empty store need no build."""
    bind = op.get_bind()
    if bind.dialect.name != "postgresql":
        return
    for statement in TABLES:
        op.execute(statement)
    op.execute("INSERT INTO search_state (format, graph) SELECT 1, 0 WHERE NOT EXISTS (SELECT 1 FROM node_log)")
    _trigrams(bind)


def _trigrams(bind: sa.Connection) -> None:
    """The trigram index; without the right to create the extension, suggestions compare all words instead."""
    try:
        with bind.begin_nested():
            bind.exec_driver_sql("CREATE EXTENSION IF NOT EXISTS pg_trgm")
            bind.exec_driver_sql("CREATE INDEX ix_search_words_trigrams ON search_words USING gin (word gin_trgm_ops)")
    except DBAPIError as error:
        LOG.warning(
            "pg_trgm is not available (%s): spelling suggestions are slower; a superuser can run"
            " CREATE EXTENSION pg_trgm in this database",
            str(error.orig).strip(),
        )


def downgrade() -> None:
    """Drop the tables."""
    if op.get_bind().dialect.name == "postgresql":
        for table in ("search_state", "search_words", "search_names", "search_nodes"):
            op.drop_table(table)
