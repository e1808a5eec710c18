"""The search tables are shared by all readers; a view must not find what it hides."""

from contextlib import closing

from graph.search.search import Search
from graph.store import Store
from tests.graph.test_search_answers import farm

TYPED = ("soil", "barley", '"soil"', "so*", "", "-rye", "title:soil", "brain:bob", "silt", "-brain:ada")


def test_a_reader_finds_counts_and_suggests_nothing_of_a_hidden_brain(where, make, tmp_path):
    with Store.open(where) as store:
        view = store.for_reader(frozenset({"bob"}))
        store.documents.put(farm(make), make.noon)
        term = make.term("loam", "Loam", variants=("Silt",)).model_copy(update={"id": "bob/loam", "brain": "bob"})
        make.put(store, term, name="t.md", sha="b" * 64)
        everything, public = (Search(one, tmp_path / "index", "database") for one in (store, view))
        with closing(everything), closing(public):
            assert {one.node.brain for one in everything.search("soil").hits} >= {"bob"}
            assert everything.search("silt").synonyms
            for typed in TYPED:
                answer = public.search(typed)
                assert "bob" not in {one.node.brain for one in answer.hits}
                assert "bob" not in {one.value for one in answer.facets.brain}
                assert answer.total == sum(one.count for one in answer.facets.kind) == len(answer.hits)
            assert not public.search("silt").synonyms
            assert public.search("nitrogn").suggestion == "nitrogen"
            assert (everything.search("loem").suggestion, public.search("loem").suggestion) == ("loam", None)
            for typed in ("soil", "on", "loa", "sil"):
                assert not [one for one in public.complete(typed, 9) if "bob" in str(one.node)]
            assert "Loam" not in dict(public.term_names())
            store.documents.put(farm(make), make.noon)
            assert public.search("barley").total
