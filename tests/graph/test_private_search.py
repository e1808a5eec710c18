"""On PostgreSQL the search tables are shared by all readers; a view must not find what it hides."""

import pytest

from graph.search.search_factory import open_search
from graph.store import Store
from graph.store.brain_view import BrainView
from tests.graph.test_search_answers import farm


@pytest.mark.postgres
def test_a_view_on_postgresql_finds_and_suggests_nothing_of_a_hidden_brain(postgres_store, make, tmp_path):
    with Store.open(postgres_store()) as store, BrainView(store, frozenset({"bob"})) as view:
        store.documents.put(farm(make), make.noon)
        everything, public = (open_search(one, tmp_path / "index") for one in (store, view))
        assert {one.node.brain for one in everything.search("soil").hits} >= {"bob"}
        for typed in ("soil", "barley", '"soil"', "so*", ""):
            answer = public.search(typed)
            assert "bob" not in {one.node.brain for one in answer.hits}
            assert "bob" not in {one.value for one in answer.facets.brain}
        assert not [one for one in public.complete("soil", 9) if "bob" in str(one)]
        store.documents.put(farm(make), make.noon)
        assert public.search("barley").total
        public.close(), everything.close()
