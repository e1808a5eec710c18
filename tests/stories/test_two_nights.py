"""Writers and nights of several homes on one PostgreSQL database: one at a time, and a killed one blocks nobody."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter

import psycopg
import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine

from api.brain import Brain
from api.services.nightly_job import NightlyJob, last_night, run_night
from api.settings import Settings
from compute.runs.night_models import Deadline
from compute.runs.webhook_delivery import HttpReceiver, Webhooks
from graph.store import Store
from graph.store.database_engine import NIGHT
from graph.store.store_errors import BusyStoreError, LostLockError
from tests.compute.receivers import SECRET, Receiver
from tests.stories.night_home import CLAIM, Home, moment
from tests.stories.own_process import environment
from tests.stories.test_refreshed_catalogs import genai, list_server, litellm, requests_to  # noqa: F401  # the fixture `server`

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


CATALOGS = {"genai-prices": "/genai.json", "litellm": "/map.json"}


@pytest.fixture
def world(tmp_path, server, monkeypatch):  # the fixture
    """A home whose library, catalogues and price all change before the night of the 2nd."""
    for name in ("ECB", "SKYPILOT"):
        monkeypatch.setenv(f"BRAIN_{name}_URL", "")
    home = Home(tmp_path, {2: "2.40"})
    server.files = {"/genai.json": genai(2), "/map.json": litellm(a=1)}
    with home.open() as brain:
        brain.library.add(home.vault)
        brain.price_refresher.refresh(moment(1))
        brain.price_refresher.accept("genai-prices", moment(1))
    home.night(1)
    (home.vault / "new.md").write_text("---\ntitle: New\nbrain: own\n---\nNew.\n")
    server.files = {"/genai.json": genai(3), "/map.json": litellm(a=2)}
    requests_to(server)
    return home


def killed_night(folder, url):
    settings = Settings(home=folder, webhook_url=url, webhook_secret=SECRET)
    with Brain.open(settings) as brain:
        return run_night(brain, lambda: moment(2))


def killed(folder, url, point):
    """Whether a night in a process of its own was killed at its point with this number; else it came to its end."""
    child = os.fork()
    if child == 0:
        left = [point]

        def step(*_anything):
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)

        posted = Webhooks.send

        def post(*arguments):
            posted(*arguments)
            step()

        event.listen(Engine, "commit", step)
        Webhooks.send = post
        try:
            killed_night(folder, url)
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def test_a_night_killed_at_any_commit_or_delivery_is_finished_by_the_next_start(world, server, tmp_path):  # the fixture
    point, resumed, steps = 1, Counter(), set()
    while True:
        folder = shutil.copytree(world.path, tmp_path / f"home{point}")
        requests_to(server)
        with Receiver() as receiver:
            ended = not killed(folder, receiver.url, point)
            with Brain.open(Settings(home=folder)) as brain:
                left = last_night(brain)
            requests_to(server)
            found = killed_night(folder, receiver.url)
        with Brain.open(Settings(home=folder)) as brain:
            runs = [run for run in brain.ledger.runs(10) if run.as_of == moment(2).date()]
            assert len(runs) == (2 if ended else 1), f"killed at {point}: as many runs as nights"
            assert [flag.claim for flag in brain.alerts.flags(standing=True)] == ["cheap-rent"], point
            assert [one.delivered_at is not None for one in brain.notices.deliveries()] == [True], point
            assert {one.title for one in brain.nodes.get_many(["own/new", "own/rents"])} == {"New", "Rents"}
            current = [one for one in brain.prices.book().prices("acme/zorn") if not one.last_seen]
            assert [str(one.value) for one in current] == ["3"], point
            assert [problem.message for problem in brain.store.check()] == [], point
        sent = [headers["webhook-id"] for headers, _ in receiver.got]
        assert len(set(sent)) == 1, f"killed at {point}: no notice is lost, and none is another"
        assert len(sent) <= 2, "a delivery that was under way is repeated under its own id"
        assert all(json.loads(body)["data"]["claim"] == "cheap-rent" for _, body in receiver.got)
        if ended:
            break
        resumed[found.resumed_at is not None] += 1
        assert found.run.id == runs[0].id
        if found.resumed_at is not None:
            assert found.started_at == moment(2)
            assert set(requests_to(server)) == {CATALOGS[name] for name in CATALOGS.keys() - set(left.refreshed)}
            assert left.run in {None, found.run.id}
        steps.add((len(left.folders), len(left.refreshed), left.run is not None, bool(left.notices)))
        point += 2
    assert resumed[False] == 1, "only a night that was killed before its first record begins again"
    assert {(0, 0, False, False), (1, 1, False, False), (1, 2, True, False), (1, 2, True, True)} <= steps


def test_a_night_that_was_killed_yesterday_is_not_finished_today_and_loses_nothing(world):
    with Receiver() as receiver:
        assert killed(world.path, receiver.url, 4)
        with world.open(receiver.url) as brain:
            found = run_night(brain, lambda: moment(3), refresh=False)
    assert (found.resumed_at, found.started_at) == (None, moment(3))
    assert len(receiver.got) == 1
