"""Whoosh's index follows its store; wherever it cannot, the database answers, and nobody waits."""

import gc
import json
import shutil
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from filelock import FileLock
from whoosh import index as whoosh_index
from whoosh.searching import Searcher

from graph.models.query_models import NodeQuery
from graph.search import search as searching
from graph.search.search import Search, SearchInWriteError
from graph.search.search_models import Answer
from graph.store import Store

WAIT = 20
"""Seconds after which a thread that should have come is given up."""


@pytest.fixture
def told(monkeypatch):
    """Which engine answered each question."""
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


def test_a_snippet_shows_the_title_that_the_target_of_a_link_has_now(lite, home, make):
    with closing(Search(lite, home / "index")) as search:
        for title in ("", "White oats", "Black oats", ""):
            oats = [make.node("oats", title, line=5)] if title else []
            make.put(lite, make.node("rye", body="Rye follows [[oats]]."), *oats, sha=title)
            assert search.search("rye").hits[0].snippet == f"<mark>Rye</mark> follows {title or 'oats'}."


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
