CREATE TABLE documents (
    name TEXT COLLATE "C" NOT NULL,
    sha256 TEXT COLLATE "C" NOT NULL,
    current BOOLEAN NOT NULL,
    format TEXT NOT NULL,
    brain TEXT COLLATE "C" NOT NULL,
    record TEXT NOT NULL,
    nodes INTEGER NOT NULL,
    ingested_at TEXT COLLATE "C" NOT NULL,
    text BYTEA NOT NULL,
    text_sha256 TEXT NOT NULL,
    CONSTRAINT pk_documents PRIMARY KEY (name, sha256)
);

CREATE INDEX ix_documents_current_name ON documents (current, name);

CREATE TABLE nodes (
    id TEXT COLLATE "C" NOT NULL,
    serial INTEGER NOT NULL,
    brain TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    title TEXT NOT NULL,
    title_key TEXT COLLATE "C" NOT NULL,
    published TEXT COLLATE "C" NOT NULL,
    excerpt TEXT NOT NULL,
    tags TEXT NOT NULL,
    document TEXT COLLATE "C" NOT NULL,
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
    id TEXT COLLATE "C" NOT NULL,
    serial INTEGER NOT NULL,
    version INTEGER NOT NULL,
    CONSTRAINT pk_node_log PRIMARY KEY (id)
);

CREATE INDEX ix_node_log_version ON node_log (version);

CREATE TABLE unresolved (
    document TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    CONSTRAINT pk_unresolved PRIMARY KEY (document, name)
);

CREATE INDEX ix_unresolved_name ON unresolved (name);

CREATE TABLE origins (
    document TEXT COLLATE "C" NOT NULL,
    folder TEXT NOT NULL,
    file TEXT NOT NULL,
    CONSTRAINT pk_origins PRIMARY KEY (document)
);

CREATE TABLE tombstones (
    id TEXT COLLATE "C" NOT NULL,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    document TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    removed_at TEXT COLLATE "C" NOT NULL,
    CONSTRAINT pk_tombstones PRIMARY KEY (id)
);

CREATE TABLE claims (
    id TEXT COLLATE "C" NOT NULL,
    node TEXT COLLATE "C" NOT NULL,
    severity TEXT COLLATE "C" NOT NULL,
    document TEXT COLLATE "C" NOT NULL,
    body TEXT NOT NULL,
    CONSTRAINT pk_claims PRIMARY KEY (id)
);

CREATE INDEX ix_claims_node ON claims (node);

CREATE INDEX ix_claims_document ON claims (document);

CREATE TABLE snapshots (
    hash TEXT COLLATE "C" NOT NULL,
    catalog TEXT COLLATE "C" NOT NULL,
    created_at TEXT COLLATE "C" NOT NULL,
    size INTEGER NOT NULL,
    payload BYTEA NOT NULL,
    CONSTRAINT pk_snapshots PRIMARY KEY (hash)
);

CREATE TABLE seen_prices (
    id SERIAL NOT NULL,
    catalog TEXT COLLATE "C" NOT NULL,
    statement TEXT COLLATE "C" NOT NULL,
    first_seen TEXT COLLATE "C" NOT NULL,
    last_seen TEXT COLLATE "C",
    replaced TEXT COLLATE "C",
    body TEXT NOT NULL,
    CONSTRAINT pk_seen_prices PRIMARY KEY (id)
);

CREATE INDEX ix_seen_prices_catalog_statement ON seen_prices (catalog, statement);

CREATE TABLE runs (
    id INTEGER NOT NULL,
    as_of TEXT COLLATE "C" NOT NULL,
    started_at TEXT COLLATE "C" NOT NULL,
    finished_at TEXT COLLATE "C" NOT NULL,
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
    claim TEXT COLLATE "C" NOT NULL,
    verdict INTEGER NOT NULL,
    figures TEXT NOT NULL,
    unit TEXT NOT NULL,
    reason TEXT NOT NULL,
    further TEXT DEFAULT '' NOT NULL,
    CONSTRAINT pk_verdicts PRIMARY KEY (run, claim)
);

CREATE TABLE flags (
    claim TEXT COLLATE "C" NOT NULL,
    first_run INTEGER NOT NULL,
    standing BOOLEAN NOT NULL,
    "over" BOOLEAN NOT NULL,
    body TEXT NOT NULL,
    owing BOOLEAN NOT NULL,
    CONSTRAINT pk_flags PRIMARY KEY (claim, first_run)
);

CREATE TABLE silences (
    id TEXT COLLATE "C" NOT NULL,
    body TEXT NOT NULL,
    CONSTRAINT pk_silences PRIMARY KEY (id)
);

CREATE TABLE notices (
    serial SERIAL NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    body TEXT NOT NULL,
    CONSTRAINT pk_notices PRIMARY KEY (serial),
    UNIQUE (id)
);

CREATE TABLE receivers (
    id TEXT COLLATE "C" NOT NULL,
    cursor INTEGER NOT NULL,
    CONSTRAINT pk_receivers PRIMARY KEY (id)
);

CREATE TABLE deliveries (
    receiver TEXT COLLATE "C" NOT NULL,
    serial INTEGER NOT NULL,
    pending BOOLEAN NOT NULL,
    body TEXT NOT NULL,
    CONSTRAINT pk_deliveries PRIMARY KEY (receiver, serial)
);

CREATE INDEX ix_deliveries_receiver_pending ON deliveries (receiver, pending);

CREATE TABLE audit (
    id SERIAL NOT NULL,
    at TEXT COLLATE "C" NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    detail TEXT NOT NULL,
    CONSTRAINT pk_audit PRIMARY KEY (id)
);

CREATE TABLE counters (
    name TEXT COLLATE "C" NOT NULL,
    number INTEGER NOT NULL,
    CONSTRAINT pk_counters PRIMARY KEY (name)
);

CREATE TABLE meta (
    key TEXT COLLATE "C" NOT NULL,
    value TEXT NOT NULL,
    CONSTRAINT pk_meta PRIMARY KEY (key)
);

CREATE TABLE brains (
    name TEXT COLLATE "C" NOT NULL,
    private BOOLEAN NOT NULL,
    max_nodes BIGINT,
    max_bytes BIGINT,
    max_claims BIGINT,
    CONSTRAINT pk_brains PRIMARY KEY (name)
);

CREATE TABLE tokens (
    id TEXT COLLATE "C" NOT NULL,
    digest TEXT NOT NULL,
    scope TEXT COLLATE "C" NOT NULL,
    brain TEXT COLLATE "C",
    comment TEXT NOT NULL,
    created_at TEXT COLLATE "C" NOT NULL,
    until TEXT COLLATE "C",
    revoked_at TEXT COLLATE "C",
    CONSTRAINT pk_tokens PRIMARY KEY (id)
);

CREATE TABLE claim_log (
    claim TEXT COLLATE "C" NOT NULL,
    node_brain TEXT COLLATE "C" NOT NULL,
    document_brain TEXT COLLATE "C" NOT NULL,
    since INTEGER NOT NULL,
    CONSTRAINT pk_claim_log PRIMARY KEY (claim)
);

CREATE TABLE run_parts (
    run INTEGER NOT NULL,
    brain TEXT COLLATE "C" NOT NULL,
    snapshot TEXT COLLATE "C" NOT NULL,
    rules TEXT COLLATE "C" NOT NULL,
    CONSTRAINT pk_run_parts PRIMARY KEY (run, brain)
);

CREATE TABLE snapshot_brains (
    hash TEXT COLLATE "C" NOT NULL,
    brain TEXT COLLATE "C" NOT NULL,
    CONSTRAINT pk_snapshot_brains PRIMARY KEY (hash, brain)
);

CREATE TABLE stated_cards (
    catalog TEXT COLLATE "C" NOT NULL,
    statement TEXT COLLATE "C" NOT NULL,
    brain TEXT COLLATE "C" NOT NULL,
    CONSTRAINT pk_stated_cards PRIMARY KEY (catalog, statement, brain)
);

CREATE TABLE node_tags (
    node TEXT COLLATE "C" NOT NULL,
    tag TEXT COLLATE "C" NOT NULL,
    serial INTEGER DEFAULT '0' NOT NULL,
    CONSTRAINT pk_node_tags PRIMARY KEY (node, tag),
    CONSTRAINT fk_node_tags_node FOREIGN KEY(node) REFERENCES nodes (id) ON DELETE CASCADE
);

CREATE INDEX ix_node_tags_tag_serial_node ON node_tags (tag, serial, node);

CREATE TABLE node_sources (
    node TEXT COLLATE "C" NOT NULL,
    position INTEGER NOT NULL,
    work TEXT COLLATE "C" NOT NULL,
    url TEXT NOT NULL,
    host TEXT COLLATE "C" NOT NULL,
    title TEXT,
    date TEXT,
    CONSTRAINT pk_node_sources PRIMARY KEY (node, position),
    CONSTRAINT fk_node_sources_node FOREIGN KEY(node) REFERENCES nodes (id) ON DELETE CASCADE
);

CREATE INDEX ix_node_sources_host_work ON node_sources (host, work);

CREATE INDEX ix_node_sources_work_node ON node_sources (work, node);

CREATE TABLE citations (
    node TEXT COLLATE "C" NOT NULL,
    position INTEGER NOT NULL,
    target TEXT COLLATE "C",
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
    node TEXT COLLATE "C" NOT NULL,
    position INTEGER NOT NULL,
    work TEXT COLLATE "C",
    body TEXT NOT NULL,
    CONSTRAINT pk_quotations PRIMARY KEY (node, position),
    CONSTRAINT fk_quotations_node FOREIGN KEY(node) REFERENCES nodes (id) ON DELETE CASCADE
);

CREATE INDEX ix_quotations_work ON quotations (work);

CREATE TABLE edges (
    id SERIAL NOT NULL,
    subject TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    target TEXT COLLATE "C" NOT NULL,
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
    node TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    CONSTRAINT pk_node_names PRIMARY KEY (node, name),
    CONSTRAINT fk_node_names_node FOREIGN KEY(node) REFERENCES nodes (id) ON DELETE CASCADE
);

CREATE INDEX ix_node_names_name_node ON node_names (name, node);

CREATE FUNCTION ledger_refuses() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the ledger is append-only'; END $$;

CREATE TRIGGER runs_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON runs FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses();

CREATE TRIGGER verdicts_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON verdicts FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses();

CREATE TABLE search_text (serial integer PRIMARY KEY, vector tsvector NOT NULL);

ALTER TABLE search_text ALTER COLUMN vector SET STORAGE EXTERNAL;

CREATE INDEX ix_search_text_vector ON search_text USING gin (vector);

CREATE TABLE search_words (word text COLLATE "C" PRIMARY KEY, stem text COLLATE "C" NOT NULL);

CREATE TABLE search_names (serial integer NOT NULL, position integer NOT NULL, name text COLLATE "C" NOT NULL, folded text COLLATE "C" NOT NULL, label text NOT NULL, PRIMARY KEY (serial, position));

CREATE INDEX ix_search_names_name ON search_names (name);
