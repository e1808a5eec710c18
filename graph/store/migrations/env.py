"""How Alembic runs: in the transaction of the connection that `graph.store.store` gives it."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
