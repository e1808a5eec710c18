"""What is derived from the whole graph is kept in the store until it is made again."""

from graph.models.access_models import BrainPolicy
from graph.store.database_engine import DERIVED


def test_a_value_stands_in_place_of_the_one_before(store):
    assert store.derived.get("map") is None
    assert store.derived.version("map") is None
    store.derived.put("map", 3, "[1]")
    store.derived.put("map", 4, "[2]")
    assert store.derived.get("map") == (4, "[2]")
    assert store.derived.version("map") == 4
    store.derived.remove("map")
    assert store.derived.get("map") is None


def test_a_new_value_is_a_new_version_of_the_store_and_of_the_same_notes(store, make):
    """Pages show it, and the search index stays as new as it is."""
    store.documents.put(make.document(make.node("oats")), make.noon)
    before, graph, written = store.revision(), store.graph_version(), []
    store.after_commit.append(lambda: written.append(store.version()))
    store.derived.put("map", graph, "[]")
    assert store.graph_version() == graph
    assert store.revision().commit == before.commit
    assert store.revision() != before
    assert written == [before.version + 1]


def test_a_reader_who_does_not_see_a_brain_has_values_of_their_own(store):
    store.brains.put(BrainPolicy(name="eve", private=True))
    store.derived.put("map", 1, "everything")
    view = store.for_reader(frozenset({"eve"}))
    assert view.derived.get("map") is None
    view.derived.put("map", 1, "without eve")
    assert view.derived.get("map").json == "without eve"
    assert store.derived.get("map").json == "everything"


def test_one_process_at_a_time_makes_them(store):
    with store.lock(DERIVED) as ours, store.lock(DERIVED) as second:
        assert ours
        assert bool(second) is not store.on_server
    with store.lock(DERIVED) as again:
        assert again
