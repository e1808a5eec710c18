"""Counts of nodes, stored in PostgreSQL: the facets of a tag do not read its nodes.

The search tables and these counts change in one transaction; `search_counts` has a row for each brain and kind and

    '', ''          all nodes
    '#oats', '#oats'    the nodes with a tag
    '#oats', '#rye'     the nodes with two tags, the smaller one first
    '!', '#oats'    the nodes with a tag and more than `MOST_TAGS` tags: their pairs are not counted

`graph.search.server` is the only user of these tables.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Collection, Iterator

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

LOG = logging.getLogger(__name__)

FORMAT = 3
"""The format of the search tables. Increase it when they or the tokenizer change: they are built again."""

MOST_TAGS = 60
"""Maximum number of tags of a node whose pairs are counted: they grow with the square."""

CountKey = tuple[str, str, str, str]
"""Tag, other tag, brain, kind."""

_GONE = text("DELETE FROM search_gone RETURNING kind, brain, tags")
_KEYS = (
    "SELECT * FROM unnest(CAST(:tags AS text[]), CAST(:others AS text[]), CAST(:brains AS text[]),"
    " CAST(:kinds AS text[]), CAST(:numbers AS integer[])) AS k (tag, other, brain, kind, number)"
)
_ADD = text(
    f"INSERT INTO search_counts {_KEYS} ON CONFLICT (tag, other, brain, kind)"
    " DO UPDATE SET number = search_counts.number + excluded.number"
)
_DROP_EMPTY = text(
    f"DELETE FROM search_counts c USING ({_KEYS}) k WHERE c.number = 0"  # noqa: S608 - values are bound
    " AND (c.tag, c.other, c.brain, c.kind) = (k.tag, k.other, k.brain, k.kind)"
)


def count_keys(kind: str, brain: str, tags: Collection[str]) -> Iterator[CountKey]:
    """The rows that count a node."""
    own = sorted({f"#{tag}" for tag in tags})
    yield "", "", brain, kind
    wide = len(own) > MOST_TAGS
    for place, tag in enumerate(own):
        yield tag, tag, brain, kind
        if wide:
            yield "!", tag, brain, kind
        else:
            yield from ((tag, other, brain, kind) for other in own[place + 1 :])


def apply_counts(sql: Connection, come: Counter[CountKey]) -> None:
    """Add the counts of new nodes, and subtract those of the nodes removed since the last call."""
    for row in sql.execute(_GONE):
        come.subtract(count_keys(row.kind, row.brain, row.tags))
    _store(sql, _ADD, {key: number for key, number in sorted(come.items()) if number})
    _store(sql, _DROP_EMPTY, {key: number for key, number in come.items() if number < 0})
    come.clear()


def _store(sql: Connection, statement: object, counts: dict[CountKey, int]) -> None:
    if counts:
        tags, others, brains, kinds = (list(column) for column in zip(*counts, strict=True))
        values = {"tags": tags, "others": others, "brains": brains, "kinds": kinds, "numbers": list(counts.values())}
        sql.execute(statement, values)  # type: ignore[call-overload]  # a statement of this file


_TABLES = (
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
    f"INSERT INTO search_state (format, graph) VALUES ({FORMAT}, 0)",  # noqa: S608 - a number of ours
)


def create_search_tables(sql: Connection) -> None:
    """Create the search tables of an empty store in PostgreSQL."""
    for statement in _TABLES:
        sql.exec_driver_sql(statement)
    try:
        with sql.begin_nested():
            sql.exec_driver_sql("CREATE EXTENSION IF NOT EXISTS pg_trgm")
            sql.exec_driver_sql("CREATE INDEX ix_search_words_trigrams ON search_words USING gin (word gin_trgm_ops)")
    except DBAPIError as error:
        LOG.warning(
            "pg_trgm is not available (%s): spelling suggestions are slower; a superuser can run"
            " CREATE EXTENSION pg_trgm in this database",
            str(error.orig).strip(),
        )
