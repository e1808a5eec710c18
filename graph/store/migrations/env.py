"""Alembic's entry: runs the migrations over the connection that `graph.store.schema_upgrade` holds."""

from __future__ import annotations

from alembic import context

from graph.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
