"""A night is killed before and after each of its commits, and at each request; the next start finishes the same night."""

import json
import os
import shutil
import signal
from collections import Counter

import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine

from api.brain import Brain
from api.services.nightly_job import last_night, run_night
from api.settings import Settings
from compute.runs.webhook_delivery import Webhooks
from tests.compute.receivers import SECRET, Receiver
from tests.stories.night_home import Home, moment
from tests.stories.test_refreshed_catalogs import genai, list_server, litellm, requests_to  # noqa: F401  # the fixture `server`

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


def night(folder, url):
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
            night(folder, url)
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
            found = night(folder, receiver.url)
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
