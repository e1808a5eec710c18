"""Writers and nights of several homes on one PostgreSQL database: one at a time, and a killed one blocks nobody."""

import re
import signal
import subprocess
import sys

import psycopg
import pytest

from api.brain import Brain
from api.services.nightly_job import NightlyJob, last_night, run_night
from api.settings import Settings
from compute.runs.night_models import Deadline
from compute.runs.webhook_delivery import HttpReceiver
from graph.store import Store
from graph.store.database_engine import NIGHT
from graph.store.store_errors import BusyStoreError, LostLockError
from tests.compute.receivers import SECRET, Receiver
from tests.stories.night_home import CLAIM, Home, moment
from tests.stories.own_process import environment

HOLDER = """
import sys
from graph.store import Store
with Store.open(sys.argv[1]) as store, store.lock() as held:
    with store.transaction():
        print("held" if held else "taken", flush=True)
        sys.stdin.read()
"""


@pytest.mark.postgres
def test_a_second_night_says_so_and_a_killed_one_frees_its_locks(brain, monkeypatch, postgres_store):
    url = postgres_store()
    monkeypatch.setenv("BRAIN_DB", url)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    first = subprocess.Popen([sys.executable, "-c", HOLDER, url], env=environment(), **pipes)
    try:
        assert first.stdout.readline() == "held\n"
        second = brain("nightly", "--no-refresh")
        assert second.code == 3
        said = r"brain: another nightly job is running \(lock in postgresql\S+\); this one stopped\n"
        assert re.fullmatch(said, second.err)
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


END_THE_LOCK = (
    "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"
    f" AND classid::bigint = {NIGHT >> 32} AND objid::bigint = {NIGHT & 0xFFFFFFFF}"
)


@pytest.fixture
def homes(tmp_path, postgres_store, monkeypatch):
    """Two homes on one database, in which two claims break on the 2nd."""
    url = postgres_store()
    monkeypatch.setenv("BRAIN_DB", url)
    first = Home(tmp_path, {2: "2.40"})
    (first.vault / "hour.yaml").write_text(CLAIM.format(for_runs=1).replace("cheap-rent", "cheap-hour"))
    with first.open() as brain:
        assert brain.ingest([first.vault], at=moment(1)).stored
    first.night(1)
    return url, first.path, tmp_path / "second"


def the_lock_is_lost(url):
    """An administrator ends one idle connection: that of the lock."""
    with psycopg.connect(url) as other:
        assert other.execute(END_THE_LOCK).fetchall() == [(True,)]


def night(home, receiver):
    settings = Settings(home=home, webhook_url=receiver.url, webhook_secret=SECRET)
    with Brain.open(settings) as brain:
        return run_night(brain, lambda: moment(2), refresh=False)


def during(monkeypatch, owner, name, what):
    """Do something once, after the first call of a method of a class."""
    real, left = getattr(owner, name), [what]

    def called(*arguments, **named):
        answer = real(*arguments, **named)
        if left:
            left.pop()()
        return answer

    monkeypatch.setattr(owner, name, called)


@pytest.mark.postgres
def test_a_night_that_loses_its_lock_while_it_delivers_sends_nothing_more(homes, monkeypatch):
    url, home, other = homes
    with Receiver() as receiver:
        second = []

        def lose():
            the_lock_is_lost(url)
            second.append(night(other, receiver))

        during(monkeypatch, HttpReceiver, "send", lose)
        with pytest.raises(LostLockError, match=r"lost its lock in postgresql.* brain nightly continues"):
            night(home, receiver)
    sent = [headers["webhook-id"] for headers, _ in receiver.got]
    assert (second[0].delivery.delivered, second[0].resumed_at) == (2, moment(2))
    assert len(set(sent)) == 2
    assert sent == [sent[0], *dict.fromkeys(sent)], "only the message that was under way arrives twice, under its id"
    with Brain.open(Settings(home=home)) as brain:
        assert [one.delivered_at for one in brain.notices.deliveries()] == [moment(2)] * 2
        assert last_night(brain).outcome == "done", "the record is that of the second night"


@pytest.mark.postgres
@pytest.mark.parametrize("loss", [(NightlyJob, "waiting_catalogs"), (Deadline, "over")])
def test_a_night_that_loses_its_lock_appends_no_run_and_the_next_start_does_the_rest(homes, monkeypatch, loss):
    url, home, other = homes
    with Receiver() as receiver:
        during(monkeypatch, *loss, lambda: the_lock_is_lost(url))
        with pytest.raises(LostLockError):
            night(home, receiver)
        with Brain.open(Settings(home=home)) as brain:
            assert [run.as_of for run in brain.ledger.runs(10)] == [moment(1).date()]
        assert receiver.got == []
        found = night(other, receiver)
    assert (found.delivery.delivered, found.resumed_at) == (2, moment(2))


@pytest.mark.postgres
def test_a_lost_lock_ends_the_command_with_exit_code_3(brain, homes, monkeypatch):
    during(monkeypatch, NightlyJob, "waiting_catalogs", lambda: the_lock_is_lost(homes[0]))
    done = brain("nightly", "--no-refresh", "--yes")
    assert done.code == 3
    assert re.search(r"^brain: the nightly job lost its lock in postgresql", done.err, re.MULTILINE)
    assert "Traceback" not in done.err
