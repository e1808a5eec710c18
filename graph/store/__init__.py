"""The store: documents, nodes, edges, claims, the ledger and the notices, in SQLite or PostgreSQL."""

from graph.store.store import Store as Store  # the one name that most users need
