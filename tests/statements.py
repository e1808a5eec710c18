"""Counts what a store asks of its database, and writes in between."""

from contextlib import contextmanager

from sqlalchemy import event

from graph.store.database_engine import WRITES


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


@contextmanager
def after_statement(store, number, write):
    """Call `write` once, after the `number`-th statement that the store sends outside its own write transactions."""
    seen = []

    def executed(connection, *_arguments):
        if connection.get_execution_options().get(WRITES):
            return  # no one else can write now
        seen.append(1)
        if len(seen) == number:
            write()

    event.listen(store.engine, "after_cursor_execute", executed)
    try:
        yield seen
    finally:
        event.remove(store.engine, "after_cursor_execute", executed)
