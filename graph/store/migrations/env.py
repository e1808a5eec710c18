"""Alembic's entry point: runs the migrations over the connection of `graph.store.schema_upgrade`."""

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
