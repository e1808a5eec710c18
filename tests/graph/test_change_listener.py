"""A process hears of the commits of others, and without a connection it asks the database as before."""

import time

import pytest
from sqlalchemy import text

from graph.store import Store

pytestmark = pytest.mark.postgres

END = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE '%{}%' AND pid <> pg_backend_pid()"""


def until(true):
    """Wait for something that another process causes."""
    end = time.monotonic() + 20
    while not true():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_commits_of_another_process_are_heard_without_a_query_and_a_lost_connection_is_replaced(postgres_store, make):
    url = postgres_store()

    def put(store, body):
        store.documents.put(make.document(make.node("oats", body=body), sha=body), make.noon)

    with Store.open(url) as store, Store.open(url) as other:
        store.follow_changes()
        put(store, "one")
        listener = store._listener
        read = store.cache(4, "graph")
        body = lambda: read.get("oats", lambda: store.nodes.get("ada/oats").body)  # noqa: E731 - shorter
        assert body() == "one"  # its own commit, at once
        with store.counting() as tally:
            assert body() == "one"
            revision = store.heard_revision()
        assert tally.statements < 10
        with store.counting() as tally:
            assert body() == "one"
        assert tally.statements == 0
        put(other, "two")
        until(lambda: store.heard_revision() != revision)
        assert body() == "two"
        assert store.heard_revision() == store.revision() == other.revision()
        with other.writing() as work:
            work.changes = False
            assert work.sql.execute(text(END.format("counters WHERE name"))).all()  # the listener's, between two beats
        until(lambda: listener.known() is None)
        put(other, "three")
        assert body() == "three"  # asked, as nothing is heard
        until(lambda: listener.known() is not None)
        with store.counting() as tally:
            assert body() == "three"
        assert tally.statements == 0
        put(other, "four")
        until(lambda: body() == "four")


def test_a_cached_value_is_never_of_another_version_than_it_is_cached_for(postgres_store, make):
    """The notification is late: what is computed after the commit is not cached under the version before it."""
    url = postgres_store()
    with Store.open(url) as store, Store.open(url) as other:
        store.follow_changes()
        before = store._listener.known()
        cache = store.cache(4)
        other.metadata.put("colour", "red")
        until(lambda: store._listener.known() != before)
        store._listener.known = lambda: before  # deaf from now on
        assert cache.get("colour", lambda: store.metadata.get("colour")) == "red"
        assert cache.cached(lambda _version: "colour") is None
