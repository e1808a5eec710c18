"""The index follows its store: what is in it, who builds it, and what others see meanwhile."""

import json
import shutil
import sqlite3
import threading
from contextlib import closing
from hashlib import sha256

import pytest

from graph.models.node_models import Kind
from graph.search import whoosh_writer
from graph.search.building import Build
from graph.search.engine_table import opener
from graph.search.index_files import IndexFiles
from graph.search.lexicon import read_lexicon
from graph.search.search import Search
from graph.search.search_errors import SearchFailedError, SearchInWriteError, SearchNotReadyError
from graph.search.shared import Shared
from graph.store import Store

WAIT = 20
"""Seconds after which a thread that should have come is given up."""


@pytest.fixture(params=["whoosh", "tantivy"])
def engine(request):
    if request.param == "tantivy":
        pytest.importorskip("tantivy")
    return request.param


@pytest.fixture
def field(make):
    """A document of one note for each text."""

    def document(**texts):
        nodes = [
            make.node(slug, body=body, document="f.md", line=n + 1) for n, (slug, body) in enumerate(texts.items())
        ]
        return make.document(*nodes, name="f.md", sha=sha256(repr(texts).encode()).hexdigest())

    return document


def quiet(*_step):
    """Progress that nothing reads."""


def files_of(store, home, engine="whoosh"):
    return IndexFiles(store, home / "index", engine, opener(engine))


def built(store, home, engine="whoosh"):
    """Bring the index up, as a process of its own does."""
    files_of(store, home, engine).current(quiet).engine.close()


def indexed(home):
    """The serials and the words of the index on disk."""
    manifest = json.loads((home / "index/manifest.json").read_text())
    folder = home / "index" / manifest["folder"]
    with closing(opener(manifest["engine"])(folder)) as engine:
        return sorted(engine.serials().tolist()), read_lexicon(folder).counts


class PausedProgress:
    """A progress callback that waits, at the first node, until it is let go."""

    def __init__(self):
        self.come, self.go = threading.Event(), threading.Event()

    def __call__(self, *_step):
        self.come.set()
        assert self.go.wait(WAIT)


def begun(work):
    """A thread that runs `work`, and the list that gets its answer."""
    found = []
    thread = threading.Thread(target=lambda: found.append(work()))
    thread.start()
    return thread, found


def test_a_removed_node_leaves_the_index_with_its_words(lite, home, field, make, engine):
    lite.documents.put(field(oats="Oats and sorghum.", rye="Rye and oats."), make.noon)
    search = Search(lite, home / "index", engine)
    assert search.search("sorgum").suggestion == "sorghum"
    lite.documents.put(field(rye="Rye and oats."), make.noon)
    assert search.search("sorghum").total == 0
    assert search.search("sorgum").suggestion is None
    serials, words = indexed(home)
    assert len(serials) == 1
    assert "sorghum" not in words
    assert words["oats"] == 1
    search.close()


def test_a_word_is_counted_by_the_nodes_that_have_it_now(lite, home, field, make):
    search = Search(lite, home / "index")
    for body in ("Barley.", "Barley, barley.", "Oats.", "Barley."):
        lite.documents.put(field(a=body, b="Oats."), make.noon)
        search.refresh()
        assert len(indexed(home)[0]) == 2  # what was changed is in it once
    assert {word: indexed(home)[1][word] for word in ("barley", "oats")} == {"barley": 1, "oats": 1}
    search.close()


def test_the_index_of_another_store_is_not_used(lite, home, tmp_path, field, make, engine):
    lite.documents.put(field(oats="Oats."), make.noon)
    built(lite, home, engine)
    with Store.open(tmp_path / "other/brain.db") as other:
        other.documents.put(field(rye="Rye."), make.noon)  # as many writes as the first one had
        shutil.copytree(home / "index", tmp_path / "other/index")
        search = Search(other, tmp_path / "other/index", engine)
        assert [problem.code for problem in search.check()] == ["index-outdated"]
        assert search.search("oats").total == 0
        assert search.search("rye").total == 1
        search.close()


def test_the_index_of_a_later_state_gives_way_to_a_backup_that_was_restored(lite, home, tmp_path, field, make, engine):
    lite.documents.put(field(oats="Oats."), make.noon)
    backup = tmp_path / "backup.db"
    with closing(sqlite3.connect(home / "brain.db")) as source, closing(sqlite3.connect(backup)) as target:
        source.backup(target)
    lite.documents.put(field(oats="Oats.", rye="Rye."), make.noon)
    built(lite, home, engine)
    with Store.open(backup) as restored:
        search = Search(restored, home / "index", engine)
        assert search.check()
        assert search.search("rye").total == 0
        assert search.search("oats").total == 1
        assert search.check() == []
        assert len(indexed(home)[0]) == 1
        search.close()


def test_a_restored_backup_that_was_written_to_is_not_taken_for_the_state_of_the_same_version(
    lite, home, tmp_path, field, make, engine
):
    lite.documents.put(field(oats="Oats."), make.noon)
    backup = tmp_path / "backup.db"
    with closing(sqlite3.connect(home / "brain.db")) as source, closing(sqlite3.connect(backup)) as target:
        source.backup(target)
    lite.documents.put(field(oats="Oats.", rye="Rye."), make.noon)
    built(lite, home, engine)
    with Store.open(backup) as restored:
        restored.metadata.put("restored", "yes")
        restored.documents.put(field(oats="Oats.", corn="Corn."), make.noon)
        assert restored.graph_version() == lite.graph_version()
        search = Search(restored, home / "index", engine)
        assert [search.search(word).total for word in ("oats", "rye", "corn")] == [1, 0, 1]
        search.close()


def test_an_update_that_was_cut_off_is_made_up_for(lite, home, field, make, engine):
    """The engine committed and the lexicon did not: the two do not hold the same nodes."""
    lite.documents.put(field(oats="Oats."), make.noon)
    built(lite, home, engine)
    manifest = json.loads((home / "index/manifest.json").read_text())
    with closing(sqlite3.connect(home / "index" / manifest["folder"] / "lexicon.db")) as sql, sql:
        sql.execute("DELETE FROM node")
    lite.documents.put(field(oats="Oats.", rye="Rye and oats."), make.noon)
    search = Search(lite, home / "index", engine)
    assert search.search("oats").total == 2
    assert indexed(home)[1]["oats"] == 2
    search.close()


@pytest.mark.parametrize("slow_step", ["update", "first build"])
def test_a_seal_never_names_a_state_that_the_index_does_not_hold(lite, home, field, make, slow_step):
    """While a slow build goes on, the store is written to, and another process brings the index up to that."""
    lite.documents.put(field(oats="Oats."), make.noon)
    if slow_step == "update":
        built(lite, home)
    lite.documents.put(field(oats="Oats.", rye="Rye."), make.noon)
    held = PausedProgress()
    slow, found = begun(lambda: files_of(lite, home).current(held))
    assert held.come.wait(WAIT)
    lite.documents.put(field(oats="Oats.", rye="Rye.", corn="Corn."), make.noon)
    other, later = begun(lambda: files_of(lite, home).current(quiet))  # waits for the lock
    held.go.set()
    slow.join(WAIT)
    other.join(WAIT)
    assert found[0].manifest.version < later[0].manifest.version == lite.graph_version()
    again = files_of(lite, home).current(quiet)
    assert again.manifest == later[0].manifest
    assert again.engine.frequency("corn") == 1
    for opened in (*found, *later, again):
        opened.engine.close()


def test_an_older_process_does_not_seal_its_state_over_a_newer_one(lite, home, field, make, monkeypatch):
    """It has read the store before the write, and comes to the lock after another one has brought the index up."""
    lite.documents.put(field(oats="Oats."), make.noon)
    files, other = files_of(lite, home), files_of(lite, home)
    locked = files._locked

    def late(*arguments):
        lite.documents.put(field(oats="Oats.", rye="Rye."), make.noon)
        other.current(quiet).engine.close()
        return locked(*arguments)

    monkeypatch.setattr(files, "_locked", late)
    opened = files.current(quiet)
    assert opened.manifest.version == lite.graph_version()
    assert opened.engine.frequency("rye") == 1
    opened.engine.close()


def test_questions_during_a_rebuild_keep_their_engine_and_start_no_second_one(lite, home, field, make, engine):
    lite.documents.put(field(oats="Oats.", rye="Rye and oats."), make.noon)
    search = Search(lite, home / "index", engine)
    assert search.search("oats").total == 2
    held = PausedProgress()
    rebuild, _ = begun(lambda: search.rebuild(held))
    assert held.come.wait(WAIT)
    assert search.search("rye").total == 1  # of the index that is being replaced
    with search._present() as state:
        held.go.set()
        rebuild.join(WAIT)
        assert state.engine.frequency("oat") == 2  # although the next one is there
        assert search.search('"rye and oats"').total == 1
    assert len([path for path in (home / "index").iterdir() if path.is_dir()]) == 1
    search.close()


def test_several_threads_that_find_the_index_damaged_build_it_once(lite, home, field, make, monkeypatch):
    lite.documents.put(field(oats="Oats.", rye="Rye."), make.noon)
    search = Search(lite, home / "index")
    with search._present() as state:
        broken = state.engine
    together, builds = threading.Barrier(3), []

    def fails(*_question):
        together.wait(WAIT)  # all three are inside the old engine
        raise OSError("the disk is gone")

    monkeypatch.setattr(broken, "rank", fails)
    build = search._files._build
    monkeypatch.setattr(search._files, "_build", lambda progress: builds.append(1) or build(progress))
    asked = [begun(lambda word=word: search.search(word).total) for word in ("oats", "rye", "title:oats")]
    for thread, _ in asked:
        thread.join(WAIT)
    assert [found for _, found in asked] == [[1], [1], [1]]
    assert builds == [1]
    search.close()


class Counted:
    """A lock that counts the threads that have come to it."""

    def __init__(self):
        self.lock, self.come = threading.Lock(), threading.Semaphore(0)

    def __enter__(self):
        self.come.release()
        self.lock.acquire()

    def __exit__(self, *_exception):
        self.lock.release()


def test_threads_that_ask_while_the_index_is_brought_up_wait_for_that_and_do_not_do_it_again(
    lite, home, field, make, monkeypatch
):
    lite.documents.put(field(oats="Oats.", rye="Rye."), make.noon)
    search, opened, go = Search(lite, home / "index"), [], threading.Event()
    current, search._making = search._files.current, Counted()

    def slow(*arguments):
        opened.append(1)
        assert go.wait(WAIT)
        return current(*arguments)

    monkeypatch.setattr(search._files, "current", slow)
    asked = [begun(lambda: search.search("oats").total) for _ in range(4)]
    for _ in asked:
        assert search._making.come.acquire(timeout=WAIT)
    go.set()
    for thread, _ in asked:
        thread.join(WAIT)
    assert [found for _, found in asked] == [[1]] * 4
    assert opened == [1]
    search.close()


def test_two_processes_that_find_the_index_damaged_build_it_once(lite, home, field, make):
    lite.documents.put(field(oats="Oats."), make.noon)
    one, other = files_of(lite, home), files_of(lite, home)
    broken = one.current(quiet)
    first = one.current(quiet, broken=broken.manifest.folder)
    second = other.current(quiet, broken=broken.manifest.folder)
    late = other._locked(quiet, broken.manifest.folder)  # it saw the broken one, then waited for the lock
    assert first.manifest == second.manifest == late.manifest != broken.manifest
    for opened in (broken, first, second, late):
        opened.engine.close()


def test_a_replaced_value_is_closed_once_by_its_last_user():
    closed = []
    shared = Shared(closed.append)
    shared.replace("old")
    with shared.using(lambda _: True) as one, shared.using(lambda _: True) as other:
        assert one == other == "old"
        shared.replace("new")
        assert closed == []
    assert closed == ["old"]
    with shared.using(lambda value: value == "old") as none:
        assert none is None
    shared.replace(None)
    shared.replace(None)
    assert closed == ["old", "new"]


def test_a_search_inside_a_write_is_refused(lite, home, field, make):
    """What it would index may be rolled back, and another commit then gets the same version."""
    lite.documents.put(field(oats="Oats."), make.noon)
    search = Search(lite, home / "index")

    def rolled_back():
        with lite.transaction():
            lite.documents.put(field(oats="Oats.", rye="Rye."), make.noon)
            for ask in (search.refresh, lambda: search.search("rye")):
                with pytest.raises(SearchInWriteError):
                    ask()
            raise RuntimeError("back")

    with pytest.raises(RuntimeError, match="back"):
        rolled_back()
    lite.documents.put(field(oats="Oats.", corn="Corn."), make.noon)
    assert [search.search(word).total for word in ("oats", "rye", "corn")] == [1, 0, 1]
    search.close()


def test_while_the_index_is_built_in_the_background_searches_fail_with_a_retry_hint(lite, home, field, make, engine):
    lite.documents.put(field(oats="Oats.", rye="Rye."), make.noon)
    search, held = Search(lite, home / "index", engine, patience=0.01), PausedProgress()
    search.in_background(held)
    assert held.come.wait(WAIT)
    for ask in (lambda: search.search("oats"), lambda: search.complete("o")):
        with pytest.raises(SearchNotReadyError) as told:
            ask()
        assert told.value.seconds >= 1
    held.go.set()
    search._build._thread.join(WAIT)
    assert search.search("oats").total == 1
    lite.documents.put(field(oats="Oats.", rye="Rye and oats."), make.noon)
    search._patience = WAIT  # a small change is waited for
    assert search.search("oats").total == 2
    search.close()


def test_a_build_that_fails_in_the_background_is_tried_again(lite, home, field, make, monkeypatch):
    lite.documents.put(field(oats="Oats."), make.noon)
    search = Search(lite, home / "index", patience=WAIT)
    numbered = lite.index_feed.numbered

    def fails(*_ids):
        monkeypatch.setattr(lite.index_feed, "numbered", numbered)
        raise ValueError("an unreadable row")

    monkeypatch.setattr(lite.index_feed, "numbered", fails)
    search.in_background()
    with pytest.raises(SearchFailedError, match="an unreadable row"):
        search._build.wait(WAIT)
    assert search.search("oats").total == 1
    search.close()


def test_closing_gives_up_a_build_under_way_and_leaves_no_half_index(lite, home, field, make, engine):
    lite.documents.put(field(oats="Oats.", rye="Rye."), make.noon)
    search, held = Search(lite, home / "index", engine), PausedProgress()
    search.in_background(held)
    assert held.come.wait(WAIT)
    search._build._stopped.set()
    held.go.set()
    search.close()
    assert [path.name for path in (home / "index").iterdir()] == ["lock"]


def test_who_waits_for_a_build_in_vain_is_followed_by_others_who_do_not_wait():
    held = PausedProgress()
    build = Build(lambda progress: progress("indexing", 100, 2100), held)
    assert held.come.wait(WAIT)
    with pytest.raises(SearchNotReadyError, match="100 of 2,100 notes are read; try again in 6 s"):
        build.wait(0.001)
    with pytest.raises(SearchNotReadyError):
        build.wait(3600)  # at once
    held.go.set()
    build.stop()
    assert not build.running


def test_an_index_of_many_batches_and_merges_answers_as_one_of_a_single_batch(lite, home, make, monkeypatch):
    """Sorted runs, merged segments and deleted documents change no answer, no score and no place of a word."""
    words = ("oats", "rye", "corn", "malt")

    def text(n):
        return " ".join(words[(n * k + n) % 4] for k in range(1, 8)) + f" only{n}"

    monkeypatch.setattr(whoosh_writer, "BATCH", 50)
    grown = Search(lite, home / "grown")
    for upto in (1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 20, 60, 61, 62):
        nodes = [
            make.node(f"n{n}", f"Oats {n}", body=text(n + upto // 60), document="g.md", line=n + 1) for n in range(upto)
        ]
        lite.documents.put(make.document(*nodes, name="g.md", sha=sha256(b"%d" % upto).hexdigest()), make.noon)
        grown.refresh()
    monkeypatch.undo()
    whole = Search(lite, home / "whole")
    for typed in (*words, '"oats rye"', '"rye corn malt"', "title:oats -rye", "on*", "only40", '"malt only17"'):
        one, other = grown.search(typed), whole.search(typed)
        assert [hit.node.id for hit in one.hits] == [hit.node.id for hit in other.hits], typed
        assert [hit.score for hit in one.hits] == pytest.approx([hit.score for hit in other.hits])
        assert one.facets == other.facets
    with grown._present() as state, whole._present() as fresh:
        assert state.lexicon.counts == fresh.lexicon.counts
    assert grown.search("", None).facets.kind[0].value == Kind.READING.value
    grown.close()
    whole.close()
