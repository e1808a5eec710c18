"""Writers and nights of several homes on one PostgreSQL database: one at a time, and a killed one blocks nobody."""

import re
import signal
import subprocess
import sys

import psycopg
import pytest

from graph.store import BusyStoreError, Store
from tests.graph.conftest import postgres_database, postgres_store  # noqa: F401  # fixtures
from tests.stories.own_process import environment

HOLDER = """
import sys
from graph.store import Store
with Store.open(sys.argv[1]) as store, store.night_lock() as held:
    with store.transaction():
        print("held" if held else "taken", flush=True)
        sys.stdin.read()
"""


@pytest.mark.postgres
def test_a_second_night_says_so_and_a_killed_one_frees_its_locks(brain, monkeypatch, postgres_store):  # noqa: F811  # the fixture
    url = postgres_store()
    monkeypatch.setenv("BRAIN_DB", url)
    first = subprocess.Popen(
        [sys.executable, "-c", HOLDER, url],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(),
        text=True,
    )
    try:
        assert first.stdout.readline() == "held\n"
        second = brain("nightly", "--no-refresh")
        assert second.code == 3
        assert re.fullmatch(
            r"brain: another nightly job is running \(lock in postgresql\S+\); .* nothing\n", second.err
        )
        monkeypatch.setattr("graph.store.database_engine.BUSY_SECONDS", 1)
        with Store.open(url) as store:
            assert store.night_is_locked()
            with pytest.raises(BusyStoreError):
                store.metadata.put("colour", "red")
    finally:
        first.send_signal(signal.SIGKILL)
        first.communicate()
    with Store.open(url) as store:
        monkeypatch.setattr("graph.store.database_engine.BUSY_SECONDS", 30)
        store.metadata.put("colour", "red")  # waits until the server has noticed
        assert not store.night_is_locked()
    assert brain("nightly", "--no-refresh").code == 0
    with psycopg.connect(url) as opened:
        assert opened.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'").fetchone() == (0,)
