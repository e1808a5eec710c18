"""The database's own search: its tables change with the write, and a view does not find what it hides."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from sqlalchemy import text

from graph.models.query_models import NodeQuery
from graph.search import database_engine
from graph.search import search as searching
from graph.search.search import Search
from graph.store import Store, search_tables
from tests.graph.test_search_answers import farm


@pytest.fixture
def search(store, home):
    return Search(store, home / "index", "database")


def rows(store, table):
    with store.reading() as sql:
        return sql.execute(text(f"SELECT count(*) FROM {table}")).scalar()


def test_a_write_and_its_index_are_one_transaction(store, make, search):
    make.texts(store, oats="Oats and sorghum.", rye="Rye.")
    assert search.search("sorgum").suggestion == "sorghum"

    def failing():
        with store.transaction():
            make.texts(store, oats="Malt.")
            raise RuntimeError("back")

    with pytest.raises(RuntimeError, match="back"):
        failing()
    assert [search.search(word).total for word in ("malt", "sorghum")] == [0, 1]
    make.texts(store, rye="Rye.")
    assert search.search("sorghum").total == 0
    assert search.search("sorgum").suggestion is None  # a word that went with its node
    assert rows(store, "search_text") == 1
    with Store.open(store.engine.url.render_as_string(hide_password=False)) as other:
        make.texts(other, rye="Rye.", corn="Corn.")
    assert search.search("corn").total == 1
    assert not search.check()


def test_damaged_tables_are_built_again(store, make, search):
    make.texts(store, oats="Oats.", rye="Rye and oats.")
    with store.writing() as work:
        work.sql.execute(text("DELETE FROM search_text"))
    assert [problem.code for problem in search.check()] == ["index-outdated"]
    search.rebuild()
    assert (search.check(), search.search("oats").total) == ([], 2)


def test_an_answer_is_of_the_version_that_it_began_with(store, make, search, monkeypatch):
    """A write of another connection comes between the match and the hits: the answer is wholly of before."""
    make.texts(store, one="Oats.", rye="Rye and oats.")
    hits, written = searching._hits, []

    def late(*arguments):
        if not written:
            written.append(1)
            with ThreadPoolExecutor(1) as writer:
                writer.submit(make.texts, store, one="Malt.", corn="Oats of corn.").result()
        return hits(*arguments)

    monkeypatch.setattr(searching, "_hits", late)
    answer = search.search("oats")
    assert written
    assert {hit.node.id: hit.plain for hit in answer.hits} == {"ada/one": "Oats.", "ada/rye": "Rye and oats."}
    assert [hit.node.id for hit in search.search("oats").hits] == ["ada/corn"]


def test_long_texts_are_found_by_every_word(store, make, search):
    """PostgreSQL keeps no places of words beyond a length: phrases are found before it."""
    long = "malt price barley price " + "barley price " * 300 + "filler " * 17_000 + "late sorghum harvest"
    make.texts(store, long=long, wide=" ".join(f"w{n:x}" for n in range(70_000)), plain="Barley.")
    for typed in ('"malt price"', "late harvest", "sorghum barley"):
        assert [hit.node.id for hit in search.search(typed).hits] == ["ada/long"], typed
    assert search.search('"price malt"').total == 0
    assert search.search("w100").total == 1


def test_a_walk_reaches_what_is_behind_the_ranked_head(store, make, search, monkeypatch):
    make.texts(store, **{f"n{n}": "Oats " * (n + 1) for n in range(11)}, oats="Rye. Oats.")
    monkeypatch.setattr(database_engine, "RANKED", 4)
    seen, cursor = [], None
    while not seen or cursor:
        page = search.search("oats", NodeQuery(limit=3, cursor=cursor))
        seen += [hit.node.id for hit in page.hits]
        cursor = page.next
        assert page.total == 12
    assert len(seen) == len(set(seen)) == 12
    assert seen[0] == "ada/oats"  # in the title


def test_emptied_search_tables_are_filled_from_the_notes(lite, home, make):
    make.put(lite, make.node("oats", body="Oats."), make.term("rye", "Rye", variants=("Secale",)))
    with lite.writing() as work:
        for table in ("search_text", "search_words", "search_names"):
            work.sql.execute(text(f"DELETE FROM {table}"))
        assert sum(search_tables.rebuild(work.sql)) == 2
    found = Search(lite, home / "index", "database")
    assert [found.search(typed).total for typed in ("oats", "secale", "oa*")] == [1, 1, 1]


TYPED = ("soil", "barley", '"soil"', "so*", "", "-rye", "title:soil", "brain:bob", "silt", "-brain:ada")


def test_a_reader_finds_counts_and_suggests_nothing_of_a_hidden_brain(where, make, tmp_path):
    with Store.open(where) as store:
        view = store.for_reader(frozenset({"bob"}))
        store.documents.put_all([farm(make)], make.noon)
        term = make.term("loam", "Loam", variants=("Silt",)).model_copy(update={"id": "bob/loam", "brain": "bob"})
        make.put(store, term, name="t.md", sha="b" * 64)
        everything, public = (Search(one, tmp_path / "index", "database") for one in (store, view))
        with closing(everything), closing(public):
            assert {one.node.brain for one in everything.search("soil").hits} >= {"bob"}
            assert everything.search("silt").synonyms
            for typed in TYPED:
                answer = public.search(typed)
                assert "bob" not in {one.node.brain for one in answer.hits}
                assert "bob" not in answer.facets.brain
                assert answer.total == sum(answer.facets.kind.values()) == len(answer.hits)
            assert not public.search("silt").synonyms
            assert public.search("nitrogn").suggestion == "nitrogen"
            assert (everything.search("loem").suggestion, public.search("loem").suggestion) == ("loam", None)
            for typed in ("soil", "on", "loa", "sil"):
                assert not [one for one in public.complete(typed, 9) if "bob" in str(one.node)]
            assert "Loam" not in dict(public.term_names())
            store.documents.put_all([farm(make)], make.noon)
            assert public.search("barley").total
