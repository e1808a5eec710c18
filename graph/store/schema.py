"""The tables and their column types.

    documents 1─n nodes 1─n node_tags, node_sources, citations, quotations, edges (subject)
    node_log   every id that ever existed: its serial (order of arrival), the version of its last change
    tombstones removed nodes that others cite
    unresolved names in links of documents that no node has
    origins    the folder and the file of each document
    node_names names by which links find a node
    runs 1─n verdicts          append-only, by triggers
    notices 1─n deliveries n─1 receivers
    seen_prices  prices that catalogues added or removed, derived from the snapshots
    brains       private brains and quotas; a brain without a row is public and has none
    tokens       credentials of the HTTP API, by hash
    claim_log    every claim that was ever stated: the brains of its node and its document
    run_parts    inputs of the verdicts on the claims of a private brain, in a run
    snapshot_brains, stated_cards   the brains whose documents are in a snapshot, or stated a price
    snapshots · flags · silences · audit · counters · meta

The target of a citation or an edge is no foreign key: it may be a tombstone, or a node that is not ingested yet.
`graph.store.store` creates the tables.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Row,
    Select,
    Table,
    Text,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

Word = Text().with_variant(Text(collation="C"), "postgresql")
"""Text in the order of code points, whatever the server's locale."""


Record = Row[*tuple[Any, ...]]
"""A row of any columns."""

Query = Select[*tuple[Any, ...]]
"""A query for any columns."""


def instant(moment: datetime) -> str:
    """ISO 8601 in UTC with microseconds, in text order as in time order; a naive time is UTC."""
    aware = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    return aware.isoformat(timespec="microseconds")


class Day(TypeDecorator[date]):
    """A calendar day as ISO 8601."""

    impl = Word
    cache_ok = True
    of: type[date] = date

    def process_bind_param(self, value: date | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - SQLAlchemy's signature
        """To text."""
        return None if value is None else instant(value) if isinstance(value, datetime) else value.isoformat()

    def process_result_value(self, value: str | None, dialect: Dialect) -> date | None:  # noqa: ARG002 - SQLAlchemy's signature
        """From text."""
        return None if value is None else self.of.fromisoformat(value)


class Instant(Day):
    """A moment in time, stored by `instant`."""

    cache_ok = True
    of = datetime


metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)


def _table(name: str, *columns: Column[Any], **options: Any) -> Table:  # noqa: ANN401  # options of a dialect
    return Table(name, metadata, *columns, **options)


documents = _table(
    "documents",
    Column("name", Word, primary_key=True),
    Column("sha256", Word, primary_key=True),
    Column("current", Boolean, nullable=False),
    Column("format", Text, nullable=False),
    Column("brain", Word, nullable=False),
    Column("record", Text, nullable=False),  # JSON: declared nodes, lines, skipped, problems, evidence
    Column("nodes", Integer, nullable=False),
    Column("ingested_at", Instant, nullable=False),
    Column("text", LargeBinary, nullable=False),  # zlib of UTF-8
    Column("text_sha256", Text, nullable=False),  # SHA-256 of the decoded text, for `Store.check`
)
Index(None, documents.c.current, documents.c.name)
Index(None, documents.c.format, documents.c.current, documents.c.name)


def _node_column() -> Column[str]:
    return Column("node", Word, ForeignKey("nodes.id", ondelete="CASCADE"), primary_key=True)


nodes = _table(
    "nodes",
    Column("id", Word, primary_key=True),
    Column("serial", Integer, nullable=False, unique=True),
    Column("brain", Word, nullable=False),
    Column("kind", Word, nullable=False),
    Column("title", Text, nullable=False),
    Column("title_key", Word, nullable=False),  # case-folded, for sorting
    Column("published", Word, nullable=False),  # ISO date, empty where unknown, for sorting
    Column("excerpt", Text, nullable=False),
    Column("tags", Text, nullable=False),  # JSON list: a list of nodes needs no join
    Column("document", Word, nullable=False),
    Column("position", Integer, nullable=False),  # in the document
    Column("origin", Text, nullable=False),  # provenance: document, SHA-256, lines
    Column("sha256", Text, nullable=False),
    Column("first_line", Integer, nullable=False),
    Column("last_line", Integer, nullable=False),
    Column("digest", Text, nullable=False),  # of the content without its place
    Column("body", Text, nullable=False),  # JSON of the node without its provenance
)
Index(None, nodes.c.document, nodes.c.position)
Index(None, nodes.c.kind, nodes.c.serial)
Index(None, nodes.c.brain, nodes.c.serial)
Index(None, nodes.c.title_key, nodes.c.id)
Index(None, nodes.c.published, nodes.c.id)

node_tags = _table(
    "node_tags",
    _node_column(),
    Column("tag", Word, primary_key=True),
    Column("serial", Integer, nullable=False, server_default="0"),  # of the node: a list of a tag is in this order
)
Index(None, node_tags.c.tag, node_tags.c.serial, node_tags.c.node)

node_sources = _table(
    "node_sources",
    _node_column(),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("work", Word, nullable=False),
    Column("url", Text, nullable=False),
    Column("host", Word, nullable=False),
    Column("title", Text),
    Column("date", Text),
)
Index(None, node_sources.c.work, node_sources.c.node)
Index(None, node_sources.c.host, node_sources.c.work)

citations = _table(
    "citations",
    _node_column(),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("target", Word, index=True),
    Column("marker", Text, nullable=False),
    Column("resolution", Text, nullable=False),
    Column("confidence", Float, nullable=False),
    Column("context", Text, nullable=False),
    Column("cito", Text, nullable=False),
)

quotations = _table(
    "quotations",
    _node_column(),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("work", Word, index=True),
    Column("body", Text, nullable=False),
)

edges = _table(
    "edges",
    Column("id", Integer, primary_key=True),
    Column("subject", Word, ForeignKey("nodes.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("kind", Word, nullable=False, index=True),
    Column("target", Word, nullable=False, index=True),
    Column("reason", Text, nullable=False),
    Column("confidence", Float, nullable=False),
    Column("derived", Boolean, nullable=False),
)

node_log = _table(
    "node_log",
    Column("id", Word, primary_key=True),
    Column("serial", Integer, nullable=False),
    Column("version", Integer, nullable=False, index=True),
)

unresolved = _table(
    "unresolved",
    Column("document", Word, primary_key=True),
    Column("name", Word, primary_key=True, index=True),  # as written by `ingest.linking.link_resolution.link_names`
)

origins = _table(
    "origins",
    Column("document", Word, primary_key=True),
    Column("folder", Text, nullable=False),  # empty where the file was given by itself
    Column("file", Text, nullable=False),
)

node_names = _table(
    "node_names",
    _node_column(),
    Column("name", Word, primary_key=True),  # as written by `ingest.linking.link_targets.node_names`
)
Index(None, node_names.c.name, node_names.c.node)

tombstones = _table(
    "tombstones",
    Column("id", Word, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("document", Text, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("removed_at", Instant, nullable=False),
)

claims = _table(
    "claims",
    Column("id", Word, primary_key=True),
    Column("node", Word, nullable=False, index=True),
    Column("severity", Word, nullable=False),
    Column("document", Word, nullable=False, index=True),
    Column("body", Text, nullable=False),
)

snapshots = _table(
    "snapshots",
    Column("hash", Word, primary_key=True),
    Column("catalog", Word, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("size", Integer, nullable=False),
    Column("payload", LargeBinary, nullable=False),  # zlib
)

seen_prices = _table(
    "seen_prices",
    Column("id", Integer, primary_key=True),
    Column("catalog", Word, nullable=False),
    Column("statement", Word, nullable=False),  # what is stated, without its source: see `compute.prices.snapshots`
    Column("first_seen", Day, nullable=False),
    Column("last_seen", Day),  # empty while the catalogue still states it
    Column("replaced", Day),  # the first day on which the catalogue stated it no longer
    Column("body", Text, nullable=False),  # JSON of the price
)
Index(None, seen_prices.c.catalog, seen_prices.c.statement)

runs = _table(
    "runs",
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("as_of", Day, nullable=False),
    Column("started_at", Instant, nullable=False),
    Column("finished_at", Instant, nullable=False),
    Column("code", Text, nullable=False),
    Column("snapshot", Text, nullable=False),
    Column("rules", Text, nullable=False),
    Column("counts", Text, nullable=False),
    Column("notes", Text, nullable=False),
    Column("method", Integer, nullable=False, server_default="1"),  # version of the rules for verdicts
)
Index(None, runs.c.as_of, runs.c.id)

# The key serves both a run in the order of its claims and the history of one claim, so no second index is needed.
verdicts = _table(
    "verdicts",
    Column("run", Integer, primary_key=True, autoincrement=False),
    Column("claim", Word, primary_key=True),
    Column("verdict", Integer, nullable=False),  # position in `graph.models.packed_verdicts.VERDICTS`
    Column("figures", Text, nullable=False),  # value|margin|earlier value|true earlier, true now: few columns are fast
    Column("unit", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("further", Text, nullable=False, server_default=""),  # JSON of `FURTHER_ROW_FIELDS`
    sqlite_with_rowid=False,
)

flags = _table(
    "flags",
    Column("claim", Word, primary_key=True),
    Column("first_run", Integer, primary_key=True, autoincrement=False),
    Column("standing", Boolean, nullable=False),
    Column("over", Boolean, nullable=False),
    Column("body", Text, nullable=False),
    Column("owing", Boolean, nullable=False),
)

silences = _table("silences", Column("id", Word, primary_key=True), Column("body", Text, nullable=False))

notices = _table(
    "notices",
    Column("serial", Integer, primary_key=True),  # rises with every notice: cursors of receivers refer to it
    Column("id", Word, nullable=False, unique=True),
    Column("body", Text, nullable=False),
)

receivers = _table(
    "receivers",
    Column("id", Word, primary_key=True),
    Column("cursor", Integer, nullable=False),  # the serial of the last notice that `deliveries` has for it
)

deliveries = _table(
    "deliveries",
    Column("receiver", Word, primary_key=True),
    Column("serial", Integer, primary_key=True, autoincrement=False),
    Column("pending", Boolean, nullable=False),
    Column("body", Text, nullable=False),  # JSON of the delivery without its notice
)
Index(None, deliveries.c.receiver, deliveries.c.pending)

audit = _table(
    "audit",
    Column("id", Integer, primary_key=True),
    Column("at", Instant, nullable=False),
    Column("actor", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("detail", Text, nullable=False),
)

counters = _table("counters", Column("name", Word, primary_key=True), Column("number", Integer, nullable=False))

meta = _table("meta", Column("key", Word, primary_key=True), Column("value", Text, nullable=False))

brains = _table(
    "brains",
    Column("name", Word, primary_key=True),
    Column("private", Boolean, nullable=False),
    Column("max_nodes", BigInteger),  # quotas: NULL for none
    Column("max_bytes", BigInteger),
    Column("max_claims", BigInteger),
)

tokens = _table(
    "tokens",
    Column("id", Word, primary_key=True),
    Column("digest", Text, nullable=False),  # SHA-256 of the token
    Column("scope", Word, nullable=False),
    Column("brain", Word),  # NULL: all brains
    Column("comment", Text, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("until", Day),  # exclusive
    Column("revoked_at", Instant),
)

claim_log = _table(
    "claim_log",
    Column("claim", Word, primary_key=True),
    Column("node_brain", Word, nullable=False),
    Column("document_brain", Word, nullable=False),
    Column("since", Integer, nullable=False),  # the last run before it came to these brains
)

run_parts = _table(
    "run_parts",
    Column("run", Integer, primary_key=True, autoincrement=False),
    Column("brain", Word, primary_key=True),
    Column("snapshot", Word, nullable=False),
    Column("rules", Word, nullable=False),
)

snapshot_brains = _table(
    "snapshot_brains",
    Column("hash", Word, primary_key=True),
    Column("brain", Word, primary_key=True),
)

stated_cards = _table(
    "stated_cards",
    Column("catalog", Word, primary_key=True),
    Column("statement", Word, primary_key=True),  # as in `seen_prices`
    Column("brain", Word, primary_key=True),
)
