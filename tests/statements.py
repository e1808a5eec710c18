"""Counts what a store asks of its database."""

from contextlib import contextmanager

from sqlalchemy import event


@contextmanager
def sent(store):
    """The statements sent within the block, those for the version left out."""
    statements = []

    def note(_connection, _cursor, statement, *_others):
        if not statement.startswith("BEGIN"):
            statements.append(statement)

    event.listen(store.engine, "before_cursor_execute", note)
    try:
        yield statements
    finally:
        event.remove(store.engine, "before_cursor_execute", note)
