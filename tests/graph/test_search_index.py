import gc
import json
import shutil
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from filelock import FileLock
from sqlalchemy import text
from whoosh import index as whoosh_index
from whoosh.searching import Searcher

from graph.models.query_models import NodeQuery
from graph.search import database_engine
from graph.search import search as searching
from graph.search.search import Search, SearchInWriteError
from graph.search.search_models import Answer
from graph.store import Store, search_tables
from tests.graph.test_search_answers import farm

WAIT = 20
"""Seconds after which a thread that should have come is given up."""


@pytest.fixture
def told(monkeypatch):
    names = []
    find = searching.database_engine.find
    monkeypatch.setattr(searching.database_engine, "find", lambda *asked: names.append("database") or find(*asked))
    return names


def totals(search, *typed):
    return [search.search(one).total for one in typed]


def built(store, home):
    """Bring the index up, as a process of its own does."""
    with closing(Search(store, home / "index")) as search:
        search.refresh()


class PausedProgress:
    """A progress callback that waits, at the first node, until it is let go."""

    def __init__(self):
        self.come, self.go = threading.Event(), threading.Event()

    def __call__(self, *_step):
        self.come.set()
        assert self.go.wait(WAIT)


def test_only_what_changed_is_indexed_again(lite, home, make, told):
    make.texts(lite, oats="Oats.", rye="Rye.", corn="Corn and oats.")
    with closing(Search(lite, home / "index")) as search:
        search.refresh()
        make.texts(lite, oats="Oats and sorghum.", rye="Rye.")
        steps = []
        search.refresh(lambda *step: steps.append(step))
        assert steps[-1] == ("indexing", 1, 1)
        assert totals(search, "oats", "sorghum", "corn", "rye") == [1, 1, 0, 1]
        assert told == []  # Whoosh answered all


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # Whoosh leaves a broken file open
@pytest.mark.parametrize("damage", ["no state", "no folder", "files", "other store", "older format", "not json"])
def test_a_missing_or_broken_index_is_built_again(lite, home, make, told, damage):
    make.texts(lite, oats="Oats.", rye="Rye and oats.")
    built(lite, home)
    state = home / "index/state.json"
    form, *held = json.loads(state.read_text())
    if damage == "no state":
        state.unlink()
    elif damage == "no folder":
        shutil.rmtree(home / "index/whoosh")
    elif damage == "files":
        for path in list((home / "index/whoosh").iterdir()):
            path.unlink()  # never cut a file that may be mapped: that ends the process, not the index
            path.write_bytes(b"spoilt")
    else:
        said = {"other store": [form, *held[:3], "x", held[4]], "older format": [0, *held], "not json": "{"}[damage]
        state.write_text(said if isinstance(said, str) else json.dumps(said))
    with closing(Search(lite, home / "index")) as search:
        assert totals(search, "oats", "rye") == [2, 1]
        told.clear()
        assert totals(search, "title:oats") == [1]
        assert (told, search.check()) == ([], [])
    gc.collect()  # the open file is warned of here, not in a later test


@pytest.mark.parametrize(("breaks", "built"), [("numbered", False), ("search", True)])
def test_a_build_that_fails_and_an_open_index_that_breaks_are_tried_again(
    lite, home, make, told, monkeypatch, breaks, built
):
    make.texts(lite, oats="Oats.", rye="Rye and oats.")
    with closing(Search(lite, home / "index")) as search:
        assert not built or totals(search, "oats") == [2]
        with monkeypatch.context() as patch:
            patch.setattr(Searcher if built else lite.index_feed, breaks, None)
            assert totals(search, "rye") == [1]
        assert told == ["database"]
        assert totals(search, "title:rye") == [1]
        assert told == ["database"]


@pytest.mark.parametrize("written", [False, True])
def test_the_index_of_a_later_state_gives_way_to_a_backup_that_was_restored(lite, home, tmp_path, make, told, written):
    make.texts(lite, oats="Oats.")
    backup = tmp_path / "backup.db"
    with closing(sqlite3.connect(home / "brain.db")) as source, closing(sqlite3.connect(backup)) as target:
        source.backup(target)
    make.texts(lite, oats="Oats.", rye="Rye.")
    built(lite, home)
    with Store.open(backup) as restored:
        if written:  # it has the version of the index, and is another state
            make.texts(restored, oats="Oats.", corn="Corn.")
            assert restored.graph_version() == lite.graph_version()
        with closing(Search(restored, home / "index")) as search:
            assert written or search.check()
            assert totals(search, "oats", "rye", "corn") == [1, 0, int(written)]
            assert (told, search.check()) == ([], [])


def test_many_updates_answer_as_one_build(lite, home, make):
    """Merged segments and deleted documents change no answer."""
    words = ("oats", "rye", "corn", "malt")

    def text(n):
        return " ".join(words[(n * k + n) % 4] for k in range(1, 8)) + f" only{n}"

    with closing(Search(lite, home / "grown")) as grown, closing(Search(lite, home / "whole")) as whole:
        for upto in (1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 20, 60, 61, 62):
            make.texts(lite, **{f"oats-{n}": text(n + upto // 60) for n in range(upto)})
            grown.refresh()
        for typed in (*words, '"oats rye"', '"rye corn malt"', "title:oats -rye", "on*", "only40", '"malt only17"'):
            one, other = (search.search(typed, NodeQuery(limit=1000)) for search in (grown, whole))
            assert {hit.node.id for hit in one.hits} == {hit.node.id for hit in other.hits}, typed
            assert one.facets == other.facets


def test_an_index_that_another_process_has_locked_or_a_folder_that_cannot_be_written_holds_up_no_search(
    lite, home, make, told
):
    """Forty searches waited a second each, four at a time, and a page waited ten seconds behind them."""
    make.texts(lite, oats="Oats.", rye="Rye.")
    (home / "index").mkdir()
    with closing(Search(lite, home / "index")) as search:
        with FileLock(home / "index/lock"):
            assert totals(search, "oats", "rye") == [1, 1]
            search.refresh()
        assert told == ["database"] * 2
        assert totals(search, "title:oats") == [1]
        assert told == ["database"] * 2
    (home / "file").write_text("no folder")
    with closing(Search(lite, home / "file")) as search:
        assert (totals(search, "oats"), told) == ([1], ["database"] * 3)


def test_while_the_index_is_built_in_the_background_the_database_answers(lite, home, make, told):
    make.texts(lite, oats="Oats.", rye="Rye.")
    held = PausedProgress()
    with closing(Search(lite, home / "index")) as search:
        search.in_background(held)
        assert held.come.wait(WAIT)
        assert totals(search, "oats", "rye") == [1, 1]
        assert told == ["database"] * 2
        held.go.set()
        search._thread.join(WAIT)
        assert totals(search, "title:oats") == [1]
        assert told == ["database"] * 2
        make.texts(lite, oats="Oats.", rye="Rye and oats.")
        assert totals(search, "oats") == [2]  # by whichever is the first
        search._thread.join(WAIT)
        told.clear()
        assert totals(search, "rye") == [1]
        assert told == []


def test_closing_gives_up_a_build_under_way(lite, home, make):
    make.texts(lite, oats="Oats.", rye="Rye.")
    search, held = Search(lite, home / "index"), PausedProgress()
    search.in_background(held)
    assert held.come.wait(WAIT)
    closing_ = threading.Thread(target=search.close)
    closing_.start()
    held.go.set()
    closing_.join(WAIT)
    assert search.check()
    with closing(Search(lite, home / "index")) as again:
        assert totals(again, "oats") == [1]


def test_threads_that_ask_at_once_build_the_index_once(lite, home, make, monkeypatch):
    make.texts(lite, oats="Oats.", rye="Rye.")
    builds, create = [], whoosh_index.create_in
    monkeypatch.setattr(whoosh_index, "create_in", lambda *where: builds.append(1) or create(*where))
    with closing(Search(lite, home / "index")) as search, ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda word: search.search(word).total, ("oats", "rye", "title:oats", "title:rye")))
    assert (found, builds) == ([1] * 4, [1])


def test_a_search_inside_a_write_is_refused(lite, home, make):
    """What it would index may be rolled back, and another commit then gets the same version."""
    make.texts(lite, oats="Oats.")
    with closing(Search(lite, home / "index")) as search:

        def rolled_back():
            with lite.transaction():
                make.texts(lite, oats="Oats.", rye="Rye.")
                for ask in (search.refresh, search.rebuild, lambda: search.search("rye")):
                    with pytest.raises(SearchInWriteError):
                        ask()
                raise RuntimeError("back")

        with pytest.raises(RuntimeError, match="back"):
            rolled_back()
        make.texts(lite, oats="Oats.", corn="Corn.")
        assert totals(search, "oats", "rye", "corn") == [1, 0, 1]


def test_a_home_that_grows_is_searched_by_the_database(lite, home, make, monkeypatch):
    monkeypatch.setattr(searching, "FEW_NODES", 2)
    with closing(Search(lite, home / "index")) as search:
        for texts, engine in (("ab", "whoosh"), ("abc", "database"), ("a", "whoosh")):
            make.texts(lite, **dict.fromkeys(texts, "Barley malt."))
            search.refresh()
            assert (search.engine, (home / "index").exists()) == (engine, engine == "whoosh")
            assert (totals(search, "barley"), search.check()) == ([len(texts)], [])
        assert isinstance(search.search("nothing"), Answer)


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
