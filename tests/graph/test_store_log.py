"""The write-ahead log of SQLite: it stays small under readers, and what was acknowledged survives a cut in it."""

import shutil
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import text

from graph.store import Store, database_engine
from tests.conftest import WITH_PRAGMAS

LOG = 256 << 10


@pytest.fixture
def write(make):
    def put(store, number):
        node = make.node("oats", body=f"{number} " * 20_000, sha=str(number))
        make.put(store, node, sha=str(number))

    return put


def size(home):
    return (home / "brain.db-wal").stat().st_size


def test_the_log_stays_small_although_a_reader_is_open_at_every_moment(home, write, monkeypatch):
    monkeypatch.setattr(database_engine, "LOG_BYTES", LOG)
    stop, reading, most = threading.Event(), threading.Event(), 0
    with Store.open(home / "brain.db") as store:

        def read():
            held = None
            while not stop.is_set():
                following = store.engine.connect()
                database_engine.begin(following)
                following.execute(text("SELECT count(*) FROM nodes"))
                reading.set()
                if held is not None:
                    held.close()
                held = following
            held.close()

        reader = threading.Thread(target=read)
        reader.start()
        try:
            assert reading.wait(30)
            before = store.version()
            for number in range(30):
                write(store, number)
                most = max(most, size(home))
            assert store.version() == before + 30
        finally:
            stop.set()
            reader.join()
        assert most <= 6 * LOG  # 30 writes are 15 times LOG
        with store.reading() as long:
            long.execute(text("SELECT count(*) FROM nodes"))
            with ThreadPoolExecutor(1) as writer:
                list(writer.map(lambda number: write(store, number), range(100, 108)))
            assert size(home) > 2 * LOG  # it is needed: the reader sees what was there when it began
        grown = size(home)
        for number in range(200, 216):
            write(store, number)
            grown = min(grown, size(home))
        assert grown <= LOG


def test_a_log_that_a_power_failure_cut_in_the_middle_of_a_page_has_every_commit_before(
    home, tmp_path, write, make, monkeypatch
):
    monkeypatch.setattr(database_engine, "_with_pragmas", WITH_PRAGMAS)
    with Store.open(home / "brain.db") as store:
        with store.reading() as sql:
            assert sql.execute(text("PRAGMA synchronous")).scalar() == 2  # FULL: synced at each commit
        write(store, 1)
        acknowledged, version = size(home), store.version()
        make.put(store, make.node("rye", document="rye.md"), name="rye.md")
        for cut in (acknowledged, acknowledged + 2000, size(home) - 100):
            copy = tmp_path / f"{cut}"
            copy.mkdir()
            shutil.copy(home / "brain.db", copy)
            (copy / "brain.db-wal").write_bytes((home / "brain.db-wal").read_bytes()[:cut])
            with Store.open(copy / "brain.db") as found:
                assert (found.version(), found.check()) == (version, [])
                assert [head.name for head in found.documents.heads()] == ["farm.md"]
