"""PostgreSQL keeps counts of nodes by tag, brain and kind: lists and tags answer with them as if all were counted."""

import random

import pytest
from sqlalchemy import text

from graph.models.node_models import Kind
from graph.models.query_models import NodeQuery
from graph.search.server.server_search import ServerSearch
from graph.store import Store, stored_counts
from graph.store.brain_view import BrainView
from graph.store.store_errors import UnknownTagError

pytestmark = pytest.mark.postgres

TAGS = ("a", "b", "c", "d d", "é'\"\\", "", "#", "!")
QUERIES = [
    NodeQuery(tags=tags, kind=kind, brain=brain, limit=1)
    for tags in [(), *((tag,) for tag in TAGS), ("none",), ("a", "b")]
    for kind, brain in [(None, None), (Kind.THESIS, None), (None, "bob"), (Kind.READING, "ada")]
]


def answers(store):
    """All that may come from the kept counts, counted again each time: caches are of another graph version or none."""

    def tag(name):
        try:
            return store.tags.get(name)
        except UnknownTagError:
            return None

    with store.reading() as sql:
        facets = [store.nodes._all_facets(sql, query) for query in QUERIES]
        assert [store.nodes.page(query).facets for query in QUERIES[:3]] == facets[:3]
    cold = store.cache(0, "graph")
    store._memory = store._pages = cold
    return (
        facets,
        [tag(name) for name in (*TAGS, "none")],
        [store.tags.all(), store.tags.all("a"), store.tags.all("", "bob")],
    )


def the_same_as_counted(store):
    store.has_stored_counts = True
    kept = answers(store)
    store.has_stored_counts = False
    assert kept == answers(store)
    store.has_stored_counts = True


def change(store, make, chance, number):
    """A document with some nodes, of one of two brains."""
    brain = chance.choice(("ada", "bob"))
    nodes = [
        make.node(
            f"{number}-{n}", brain=brain, document=f"{number}.md", line=n + 1,
            kind=chance.choice((Kind.READING, Kind.THESIS)), tags=tuple(chance.sample(TAGS, chance.randint(0, 4))),
        )
        for n in range(chance.randint(1, 6))
    ]  # fmt: skip
    found = make.document(*nodes, name=f"{number}.md", sha=f"{chance.getrandbits(256):064x}")
    store.documents.put(found.model_copy(update={"brain": brain}), make.noon)


def test_kept_counts_are_those_that_counting_gives(postgres_store, make, monkeypatch):
    chance = random.Random(19)
    monkeypatch.setattr(stored_counts, "MOST_TAGS", 4)
    with Store.open(postgres_store()) as store, BrainView(store, frozenset({"bob"})) as view:
        ServerSearch(store)
        for number in range(12):
            change(store, make, chance, number % 5)
            if number % 4 == 3:
                store.documents.remove(f"{number % 5}.md", make.noon)
        with store.reading() as sql:
            assert stored_counts.are_current(sql)
            assert stored_counts.stored_facets(sql, NodeQuery(), 9).tag == store.nodes._all_facets(sql, NodeQuery()).tag
        the_same_as_counted(store)
        the_same_as_counted(view)
        with view.reading() as sql:
            assert [one.value for one in stored_counts.stored_facets(sql, NodeQuery(), 9).brain] == ["ada"]
            assert sql.execute(text("SELECT DISTINCT brain FROM search_counts")).scalars().all() == ["ada"]
            assert not sql.execute(text("SELECT 1 FROM search_gone")).first()

        with store.transaction():  # not committed, so not indexed: the open transaction counts its own nodes
            change(store, make, chance, 1)
            with store.reading() as sql:
                assert not stored_counts.are_current(sql)
            the_same_as_counted(store)
        the_same_as_counted(store)

        wide = make.node("wide", document="wide.md", tags=("a", "b", "c", "d d", "#"))  # its pairs are not kept
        store.documents.put(make.document(wide, name="wide.md", sha="f" * 64), make.noon)
        the_same_as_counted(store)
        with store.reading() as sql:
            assert stored_counts.stored_facets(sql, NodeQuery(tags=("a",)), 9) is None
            assert stored_counts.stored_facets(sql, NodeQuery(), 9) is not None

        for name in {record.name for record in store.documents.all()}:
            store.documents.remove(name, make.noon)
        with store.reading() as sql:
            left = sql.execute(text("SELECT count(*) FROM search_counts")).scalar()
            gone = sql.execute(text("SELECT count(*) FROM search_gone")).scalar()
        assert (left, gone) == (0, 0)
