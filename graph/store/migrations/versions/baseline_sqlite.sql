CREATE TABLE documents (
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    current BOOLEAN NOT NULL,
    format TEXT NOT NULL,
    brain TEXT NOT NULL,
    record TEXT NOT NULL,
    nodes INTEGER NOT NULL,
    ingested_at TEXT NOT NULL,
    text BLOB NOT NULL,
    text_sha256 TEXT NOT NULL,
    CONSTRAINT pk_documents PRIMARY KEY (name, sha256)
);

CREATE INDEX ix_documents_current_name ON documents (current, name);

CREATE TABLE nodes (
    id TEXT NOT NULL,
    serial INTEGER NOT NULL,
    brain TEXT NOT NULL,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    title_key TEXT NOT NULL,
    published TEXT NOT NULL,
    excerpt TEXT NOT NULL,
    tags TEXT NOT NULL,
    document TEXT NOT NULL,
    position INTEGER NOT NULL,
    origin TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    first_line INTEGER NOT NULL,
    last_line INTEGER NOT NULL,
    digest TEXT NOT NULL,
    body TEXT NOT NULL,
    CONSTRAINT pk_nodes PRIMARY KEY (id),
    UNIQUE (serial)
);

CREATE INDEX ix_nodes_kind_serial ON nodes (kind, serial);

CREATE INDEX ix_nodes_title_key_id ON nodes (title_key, id);

CREATE INDEX ix_nodes_document_position ON nodes (document, position);

CREATE INDEX ix_nodes_brain_serial ON nodes (brain, serial);

CREATE INDEX ix_nodes_published_id ON nodes (published, id);

CREATE TABLE node_log (
    id TEXT NOT NULL,
    serial INTEGER NOT NULL,
    version INTEGER NOT NULL,
    CONSTRAINT pk_node_log PRIMARY KEY (id)
);

CREATE INDEX ix_node_log_version ON node_log (version);

CREATE TABLE unresolved (
    document TEXT NOT NULL,
    name TEXT NOT NULL,
    CONSTRAINT pk_unresolved PRIMARY KEY (document, name)
);

CREATE INDEX ix_unresolved_name ON unresolved (name);

CREATE TABLE origins (
    document TEXT NOT NULL,
    folder TEXT NOT NULL,
    file TEXT NOT NULL,
    CONSTRAINT pk_origins PRIMARY KEY (document)
);

CREATE TABLE tombstones (
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    document TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    removed_at TEXT NOT NULL,
    CONSTRAINT pk_tombstones PRIMARY KEY (id)
);

CREATE TABLE claims (
    id TEXT NOT NULL,
    node TEXT NOT NULL,
    severity TEXT NOT NULL,
    document TEXT NOT NULL,
    body TEXT NOT NULL,
    CONSTRAINT pk_claims PRIMARY KEY (id)
);

CREATE INDEX ix_claims_node ON claims (node);

CREATE INDEX ix_claims_document ON claims (document);

CREATE TABLE snapshots (
    hash TEXT NOT NULL,
    catalog TEXT NOT NULL,
    created_at TEXT NOT NULL,
    size INTEGER NOT NULL,
    payload BLOB NOT NULL,
    CONSTRAINT pk_snapshots PRIMARY KEY (hash)
);

CREATE TABLE seen_prices (
    id INTEGER NOT NULL,
    catalog TEXT NOT NULL,
    statement TEXT NOT NULL,
    first_seen TEXT NOT NULL,
    last_seen TEXT,
    replaced TEXT,
    body TEXT NOT NULL,
    CONSTRAINT pk_seen_prices PRIMARY KEY (id)
);

CREATE INDEX ix_seen_prices_catalog_statement ON seen_prices (catalog, statement);

CREATE TABLE runs (
    id INTEGER NOT NULL,
    as_of TEXT NOT NULL,
    started_at TEXT NOT NULL,
    finished_at TEXT NOT NULL,
    code TEXT NOT NULL,
    snapshot TEXT NOT NULL,
    rules TEXT NOT NULL,
    counts TEXT NOT NULL,
    notes TEXT NOT NULL,
    method INTEGER DEFAULT '1' NOT NULL,
    CONSTRAINT pk_runs PRIMARY KEY (id)
);

CREATE INDEX ix_runs_as_of_id ON runs (as_of, id);

CREATE TABLE verdicts (
    run INTEGER NOT NULL,
    claim TEXT NOT NULL,
    verdict INTEGER NOT NULL,
    figures TEXT NOT NULL,
    unit TEXT NOT NULL,
    reason TEXT NOT NULL,
    further TEXT DEFAULT '' NOT NULL,
    CONSTRAINT pk_verdicts PRIMARY KEY (run, claim)
)
 WITHOUT ROWID;

CREATE TABLE flags (
    claim TEXT NOT NULL,
    first_run INTEGER NOT NULL,
    standing BOOLEAN NOT NULL,
    over BOOLEAN NOT NULL,
    body TEXT NOT NULL,
    owing BOOLEAN NOT NULL,
    CONSTRAINT pk_flags PRIMARY KEY (claim, first_run)
);

CREATE TABLE silences (
    id TEXT NOT NULL,
    body TEXT NOT NULL,
    CONSTRAINT pk_silences PRIMARY KEY (id)
);

CREATE TABLE notices (
    serial INTEGER NOT NULL,
    id TEXT NOT NULL,
    body TEXT NOT NULL,
    CONSTRAINT pk_notices PRIMARY KEY (serial),
    UNIQUE (id)
);

CREATE TABLE receivers (
    id TEXT NOT NULL,
    cursor INTEGER NOT NULL,
    CONSTRAINT pk_receivers PRIMARY KEY (id)
);

CREATE TABLE deliveries (
    receiver TEXT NOT NULL,
    serial INTEGER NOT NULL,
    pending BOOLEAN NOT NULL,
    body TEXT NOT NULL,
    CONSTRAINT pk_deliveries PRIMARY KEY (receiver, serial)
);

CREATE INDEX ix_deliveries_receiver_pending ON deliveries (receiver, pending);

CREATE TABLE audit (
    id INTEGER NOT NULL,
    at TEXT NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    detail TEXT NOT NULL,
    CONSTRAINT pk_audit PRIMARY KEY (id)
);

CREATE TABLE counters (
    name TEXT NOT NULL,
    number INTEGER NOT NULL,
    CONSTRAINT pk_counters PRIMARY KEY (name)
);

CREATE TABLE meta (
    "key" TEXT NOT NULL,
    value TEXT NOT NULL,
    CONSTRAINT pk_meta PRIMARY KEY ("key")
);

CREATE TABLE brains (
    name TEXT NOT NULL,
    private BOOLEAN NOT NULL,
    max_nodes BIGINT,
    max_bytes BIGINT,
    max_claims BIGINT,
    CONSTRAINT pk_brains PRIMARY KEY (name)
);

CREATE TABLE tokens (
    id TEXT NOT NULL,
    digest TEXT NOT NULL,
    scope TEXT NOT NULL,
    brain TEXT,
    comment TEXT NOT NULL,
    created_at TEXT NOT NULL,
    until TEXT,
    revoked_at TEXT,
    CONSTRAINT pk_tokens PRIMARY KEY (id)
);

CREATE TABLE claim_log (
    claim TEXT NOT NULL,
    node_brain TEXT NOT NULL,
    document_brain TEXT NOT NULL,
    since INTEGER NOT NULL,
    CONSTRAINT pk_claim_log PRIMARY KEY (claim)
);

CREATE TABLE run_parts (
    run INTEGER NOT NULL,
    brain TEXT NOT NULL,
    snapshot TEXT NOT NULL,
    rules TEXT NOT NULL,
    CONSTRAINT pk_run_parts PRIMARY KEY (run, brain)
);

CREATE TABLE snapshot_brains (
    hash TEXT NOT NULL,
    brain TEXT NOT NULL,
    CONSTRAINT pk_snapshot_brains PRIMARY KEY (hash, brain)
);

CREATE TABLE stated_cards (
    catalog TEXT NOT NULL,
    statement TEXT NOT NULL,
    brain TEXT NOT NULL,
    CONSTRAINT pk_stated_cards PRIMARY KEY (catalog, statement, brain)
);

CREATE TABLE node_tags (
    node TEXT NOT NULL,
    tag TEXT NOT NULL,
    serial INTEGER DEFAULT '0' NOT NULL,
    CONSTRAINT pk_node_tags PRIMARY KEY (node, tag),
    CONSTRAINT fk_node_tags_node FOREIGN KEY(node) REFERENCES nodes (id) ON DELETE CASCADE
);

CREATE INDEX ix_node_tags_tag_serial_node ON node_tags (tag, serial, node);

CREATE TABLE node_sources (
    node TEXT NOT NULL,
    position INTEGER NOT NULL,
    work TEXT NOT NULL,
    url TEXT NOT NULL,
    host TEXT NOT NULL,
    title TEXT,
    date TEXT,
    CONSTRAINT pk_node_sources PRIMARY KEY (node, position),
    CONSTRAINT fk_node_sources_node FOREIGN KEY(node) REFERENCES nodes (id) ON DELETE CASCADE
);

CREATE INDEX ix_node_sources_host_work ON node_sources (host, work);

CREATE INDEX ix_node_sources_work_node ON node_sources (work, node);

CREATE TABLE citations (
    node TEXT NOT NULL,
    position INTEGER NOT NULL,
    target TEXT,
    marker TEXT NOT NULL,
    resolution TEXT NOT NULL,
    confidence FLOAT NOT NULL,
    context TEXT NOT NULL,
    cito TEXT NOT NULL,
    CONSTRAINT pk_citations PRIMARY KEY (node, position),
    CONSTRAINT fk_citations_node FOREIGN KEY(node) REFERENCES nodes (id) ON DELETE CASCADE
);

CREATE INDEX ix_citations_target ON citations (target);

CREATE TABLE quotations (
    node TEXT NOT NULL,
    position INTEGER NOT NULL,
    work TEXT,
    body TEXT NOT NULL,
    CONSTRAINT pk_quotations PRIMARY KEY (node, position),
    CONSTRAINT fk_quotations_node FOREIGN KEY(node) REFERENCES nodes (id) ON DELETE CASCADE
);

CREATE INDEX ix_quotations_work ON quotations (work);

CREATE TABLE edges (
    id INTEGER NOT NULL,
    subject TEXT NOT NULL,
    kind TEXT NOT NULL,
    target TEXT NOT NULL,
    reason TEXT NOT NULL,
    confidence FLOAT NOT NULL,
    derived BOOLEAN NOT NULL,
    CONSTRAINT pk_edges PRIMARY KEY (id),
    CONSTRAINT fk_edges_subject FOREIGN KEY(subject) REFERENCES nodes (id) ON DELETE CASCADE
);

CREATE INDEX ix_edges_kind ON edges (kind);

CREATE INDEX ix_edges_target ON edges (target);

CREATE INDEX ix_edges_subject ON edges (subject);

CREATE TABLE node_names (
    node TEXT NOT NULL,
    name TEXT NOT NULL,
    CONSTRAINT pk_node_names PRIMARY KEY (node, name),
    CONSTRAINT fk_node_names_node FOREIGN KEY(node) REFERENCES nodes (id) ON DELETE CASCADE
);

CREATE INDEX ix_node_names_name_node ON node_names (name, node);

CREATE TRIGGER runs_no_update BEFORE UPDATE ON runs BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TRIGGER runs_no_delete BEFORE DELETE ON runs BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TRIGGER verdicts_no_update BEFORE UPDATE ON verdicts BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TRIGGER verdicts_no_delete BEFORE DELETE ON verdicts BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE VIRTUAL TABLE search_text USING fts5 (title, names, body, tokenize = "ascii tokenchars '.,+#'");

CREATE TABLE search_words (word text PRIMARY KEY, stem text NOT NULL) WITHOUT ROWID;

CREATE TABLE search_names (serial integer NOT NULL, position integer NOT NULL, name text NOT NULL, folded text NOT NULL, label text NOT NULL, PRIMARY KEY (serial, position));

CREATE INDEX ix_search_names_name ON search_names (name);
