"""The tables.

    documents 1─n nodes 1─n node_tags, node_sources, citations, quotations, edges (subject)
    node_log   one row for every id that ever existed: its serial (order of arrival), the version of its last change
    tombstones removed nodes that others cite
    unresolved names in links of documents that no node has
    node_names names by which links find a node
    claims 1─n claim_tags
    runs 1─n verdicts          append-only, by triggers
    notices 1─n deliveries n─1 receivers
    seen_prices  what the catalogues of the snapshots state no longer, or began to state: derived from them
    brains       which brains are private, and their quotas; a brain without a row is public and has none
    tokens       credentials of the HTTP API, by hash
    claim_log    the brains of every claim that was ever stated: of its node and of its document
    run_parts    what the verdicts on the claims of a private brain were computed from, in a run
    snapshot_brains, stated_cards   the brains whose documents are in a snapshot, or stated a price
    derived      what takes seconds to make from the whole graph
    snapshots · flags · silences · audit · counters · meta

The target of a citation or an edge is not a foreign key: it may be a tombstone, or a node that is not ingested yet.
"""

from __future__ import annotations

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
    PrimaryKeyConstraint,
    Table,
    Text,
    false,
)

from graph.store.column_types import Day, Instant, Word

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

documents = Table(
    "documents",
    metadata,
    Column("name", Word, nullable=False),
    Column("sha256", Word, nullable=False),
    Column("current", Boolean(create_constraint=False), nullable=False),
    Column("format", Text, nullable=False),
    Column("brain", Word, nullable=False),
    Column("record", Text, nullable=False),  # JSON: declared nodes, lines, skipped, problems, evidence
    Column("nodes", Integer, nullable=False),
    Column("ingested_at", Instant, nullable=False),
    Column("text", LargeBinary, nullable=False),  # zlib of UTF-8
    Column("text_sha256", Text, nullable=False),  # SHA-256 of the decoded text, for `Store.check`
    PrimaryKeyConstraint("name", "sha256"),
)
Index(None, documents.c.current, documents.c.name)


def _node_column() -> Column[str]:
    return Column("node", Word, ForeignKey("nodes.id", ondelete="CASCADE"), nullable=False)


nodes = Table(
    "nodes",
    metadata,
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

node_tags = Table(
    "node_tags",
    metadata,
    _node_column(),
    Column("tag", Word, nullable=False),
    Column("serial", Integer, nullable=False, server_default="0"),  # of the node: a list of a tag is in this order
    PrimaryKeyConstraint("node", "tag"),
)
Index(None, node_tags.c.tag, node_tags.c.serial, node_tags.c.node)

node_sources = Table(
    "node_sources",
    metadata,
    _node_column(),
    Column("position", Integer, nullable=False),
    Column("work", Word, nullable=False),
    Column("url", Text, nullable=False),
    Column("host", Word, nullable=False),
    Column("title", Text),
    Column("date", Text),
    PrimaryKeyConstraint("node", "position"),
)
Index(None, node_sources.c.work, node_sources.c.node)
Index(None, node_sources.c.host, node_sources.c.work)

citations = Table(
    "citations",
    metadata,
    _node_column(),
    Column("position", Integer, nullable=False),
    Column("target", Word),
    Column("marker", Text, nullable=False),
    Column("resolution", Text, nullable=False),
    Column("confidence", Float, nullable=False),
    Column("context", Text, nullable=False),
    Column("cito", Text, nullable=False),
    PrimaryKeyConstraint("node", "position"),
)
Index(None, citations.c.target)

quotations = Table(
    "quotations",
    metadata,
    _node_column(),
    Column("position", Integer, nullable=False),
    Column("work", Word),
    Column("body", Text, nullable=False),
    PrimaryKeyConstraint("node", "position"),
)
Index(None, quotations.c.work)

edges = Table(
    "edges",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("subject", Word, ForeignKey("nodes.id", ondelete="CASCADE"), nullable=False),
    Column("kind", Word, nullable=False),
    Column("target", Word, nullable=False),
    Column("reason", Text, nullable=False),
    Column("confidence", Float, nullable=False),
    Column("derived", Boolean(create_constraint=False), nullable=False),
)
Index(None, edges.c.subject)
Index(None, edges.c.target)
Index(None, edges.c.kind)

node_log = Table(
    "node_log",
    metadata,
    Column("id", Word, primary_key=True),
    Column("serial", Integer, nullable=False),
    Column("version", Integer, nullable=False),
)
Index(None, node_log.c.version)

unresolved = Table(
    "unresolved",
    metadata,
    Column("document", Word, nullable=False),
    Column("name", Word, nullable=False),  # as written by `ingest.linking.link_resolution.link_names`
    PrimaryKeyConstraint("document", "name"),
)
Index(None, unresolved.c.name)

node_names = Table(
    "node_names",
    metadata,
    _node_column(),
    Column("name", Word, nullable=False),  # as written by `ingest.linking.link_targets.node_names`
    PrimaryKeyConstraint("node", "name"),
)
Index(None, node_names.c.name, node_names.c.node)

tombstones = Table(
    "tombstones",
    metadata,
    Column("id", Word, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("document", Text, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("removed_at", Instant, nullable=False),
)

claims = Table(
    "claims",
    metadata,
    Column("id", Word, primary_key=True),
    Column("node", Word, nullable=False),
    Column("severity", Word, nullable=False),
    Column("document", Word, nullable=False),
    Column("body", Text, nullable=False),
)
Index(None, claims.c.node)
Index(None, claims.c.document)

claim_tags = Table(
    "claim_tags",
    metadata,
    Column("claim", Word, ForeignKey("claims.id", ondelete="CASCADE"), nullable=False),
    Column("tag", Word, nullable=False),
    PrimaryKeyConstraint("claim", "tag"),
)
Index(None, claim_tags.c.tag)

snapshots = Table(
    "snapshots",
    metadata,
    Column("hash", Word, primary_key=True),
    Column("catalog", Word, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("size", Integer, nullable=False),
    Column("payload", LargeBinary, nullable=False),  # zlib
)

seen_prices = Table(
    "seen_prices",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("catalog", Word, nullable=False),
    Column("statement", Word, nullable=False),  # what is stated, without its source: see `compute.prices.price_history`
    Column("first_seen", Day, nullable=False),
    Column("last_seen", Day),  # empty while the catalogue still states it
    Column("replaced", Day),  # the first day on which the catalogue stated it no longer
    Column("body", Text, nullable=False),  # JSON of the price
)
Index(None, seen_prices.c.catalog, seen_prices.c.statement)

runs = Table(
    "runs",
    metadata,
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
verdicts = Table(
    "verdicts",
    metadata,
    Column("run", Integer, nullable=False),
    Column("claim", Word, nullable=False),
    Column("verdict", Integer, nullable=False),  # position in `graph.models.packed_verdicts.VERDICTS`
    Column("figures", Text, nullable=False),  # value|margin|earlier value|true earlier, true now: few columns are fast
    Column("unit", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("further", Text, nullable=False, server_default=""),  # JSON of `FURTHER_ROW_FIELDS`
    PrimaryKeyConstraint("run", "claim"),
    sqlite_with_rowid=False,
)

flags = Table(
    "flags",
    metadata,
    Column("claim", Word, nullable=False),
    Column("first_run", Integer, nullable=False),
    Column("standing", Boolean(create_constraint=False), nullable=False),
    Column("over", Boolean(create_constraint=False), nullable=False),
    Column("body", Text, nullable=False),
    Column("owing", Boolean(create_constraint=False), nullable=False, server_default=false()),
    PrimaryKeyConstraint("claim", "first_run"),
)

silences = Table("silences", metadata, Column("id", Word, primary_key=True), Column("body", Text, nullable=False))

notices = Table(
    "notices",
    metadata,
    Column("serial", Integer, primary_key=True),  # rises with every notice: cursors of receivers refer to it
    Column("id", Word, nullable=False, unique=True),
    Column("body", Text, nullable=False),
)

receivers = Table(
    "receivers",
    metadata,
    Column("id", Word, primary_key=True),
    Column("cursor", Integer, nullable=False),  # the serial of the last notice that `deliveries` has for it
)

deliveries = Table(
    "deliveries",
    metadata,
    Column("receiver", Word, nullable=False),
    Column("serial", Integer, nullable=False),
    Column("pending", Boolean(create_constraint=False), nullable=False),
    Column("body", Text, nullable=False),  # JSON of the delivery without its notice
    PrimaryKeyConstraint("receiver", "serial"),
)
Index(None, deliveries.c.receiver, deliveries.c.pending)

audit = Table(
    "audit",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Instant, nullable=False),
    Column("actor", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("detail", Text, nullable=False),
)

counters = Table(
    "counters", metadata, Column("name", Word, primary_key=True), Column("number", Integer, nullable=False)
)

meta = Table("meta", metadata, Column("key", Word, primary_key=True), Column("value", Text, nullable=False))

brains = Table(
    "brains",
    metadata,
    Column("name", Word, primary_key=True),
    Column("private", Boolean(create_constraint=False), nullable=False),
    Column("max_nodes", BigInteger),  # quotas: NULL for none
    Column("max_bytes", BigInteger),
    Column("max_claims", BigInteger),
)

tokens = Table(
    "tokens",
    metadata,
    Column("id", Word, primary_key=True),
    Column("digest", Text, nullable=False),  # SHA-256 of the token
    Column("scope", Word, nullable=False),
    Column("brain", Word),  # NULL: all brains
    Column("comment", Text, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("until", Day),  # exclusive
    Column("revoked_at", Instant),
)

claim_log = Table(
    "claim_log",
    metadata,
    Column("claim", Word, primary_key=True),
    Column("node_brain", Word, nullable=False),
    Column("document_brain", Word, nullable=False),
    Column("since", Integer, nullable=False),  # the last run before it came to these brains
)

run_parts = Table(
    "run_parts",
    metadata,
    Column("run", Integer, nullable=False),
    Column("brain", Word, nullable=False),
    Column("snapshot", Word, nullable=False),
    Column("rules", Word, nullable=False),
    PrimaryKeyConstraint("run", "brain"),
)

snapshot_brains = Table(
    "snapshot_brains",
    metadata,
    Column("hash", Word, nullable=False),
    Column("brain", Word, nullable=False),
    PrimaryKeyConstraint("hash", "brain"),
)

derived = Table(
    "derived",
    metadata,
    Column("name", Word, primary_key=True),
    Column("version", Integer, nullable=False),  # of the graph that it was made from
    Column("json", Text, nullable=False),
)

stated_cards = Table(
    "stated_cards",
    metadata,
    Column("catalog", Word, nullable=False),
    Column("statement", Word, nullable=False),  # as in `seen_prices`
    Column("brain", Word, nullable=False),
    PrimaryKeyConstraint("catalog", "statement", "brain"),
)
