"""The cache of answers under concurrency, and what entity tags distinguish. Nothing here waits for a time to pass."""

import asyncio
import shutil
import threading
from contextlib import asynccontextmanager

import pytest

from api.brain import Brain
from api.http.middleware.http_cache import ANSWERS, HttpCacheMiddleware, StoreState, Turns
from api.http.middleware.request_checks import AllowedHosts, CorsPolicy, RequestChecks
from api.metrics import Metrics
from api.settings import Settings
from graph.store.database import Revision
from graph.store.store_errors import UnavailableError
from tests.command import written
from tests.conftest import NOW
from tests.http.conftest import served

pytestmark = pytest.mark.usefixtures("exports_here")


class World:
    """A store that is a number, and an application whose answers wait until they are let go; both behind the middleware."""

    def __init__(self):
        self.version, self.made, self.gates, self.begun = 1, [], {}, asyncio.Queue()
        self.gate = HttpCacheMiddleware(self._app, StoreState(self.revision, lambda: NOW, waits=False))
        nobody = CorsPolicy("")
        asked = {"max_body": 1000, "readers": nobody, "senders": nobody}
        self.checked = RequestChecks(self.gate, AllowedHosts("*"), Metrics(), **asked)

    def revision(self):
        return Revision(self.version, 0, 0, "a store", f"commit {self.version}")

    def hold(self, path):
        """Answers at this address wait from now on until the event that is given back is set."""
        self.gates[path] = asyncio.Event()
        return self.gates[path]

    async def _app(self, scope, receive, send):
        if scope["method"] == "POST":
            self.version += 1
        path, version = scope["path"], self.version
        self.made.append(path)
        await self.begun.put(path)
        if path in self.gates:
            await self.gates[path].wait()
        status = 404 if path == "/missing" else 200
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": f"{path} at {version}".encode()})

    async def get(self, path, method="GET", headers=()):
        sent = []

        async def receive():
            await asyncio.Event().wait()

        async def send(message):
            sent.append(message)

        told = [*({b"host": b"localhost"} | dict(headers)).items()]
        scope = {"type": "http", "method": method, "path": path, "query_string": b"", "headers": told}
        await self.checked(scope, receive, send)
        tag = dict(sent[0]["headers"]).get(b"etag", b"").decode()
        return sent[0]["status"], tag, b"".join(one.get("body", b"") for one in sent[1:]).decode()


def played(scene):
    def test():
        asyncio.run(asyncio.wait_for(scene(World()), 30))

    test.__name__ = scene.__name__
    return test


@played
async def test_an_answer_made_across_a_write_is_not_cached_and_has_a_tag_of_its_own(world):
    go_on = world.hold("/a")
    across = asyncio.create_task(world.get("/a"))
    await world.begun.get()
    world.version = 2
    await world.get("/b")
    go_on.set()
    status, tag, body = await across
    assert (status, body) == (200, "/a at 1")
    world.made.clear()
    after, again = await world.get("/a"), await world.get("/b")
    assert (after[2], again[2], world.made) == ("/a at 2", "/b at 2", ["/a"])
    assert tag not in {after[1], again[1]}
    world.version = 1  # the state in which it began has another tag
    assert (await world.get("/a"))[1] != tag


@pytest.mark.parametrize("header", [b"host", b"accept", b"accept-datetime"])
def test_an_answer_is_cached_for_the_requested_host_format_and_time(header):
    async def scene():
        world = World()
        tags = [(await world.get("/a", headers=[(header, value)]))[1] for value in (b"one", b"two", b"one")]
        assert len(world.made) == 2
        assert tags[0] == tags[2] != tags[1]

    asyncio.run(scene())


@played
async def test_what_many_want_at_once_is_made_once(world):
    go_on = world.hold("/a")
    first = asyncio.create_task(world.get("/a"))
    await world.begun.get()
    others = [asyncio.create_task(world.get("/a")) for _ in range(50)]
    (limit,) = world.gate._wanted.values()
    while len(limit._waiting) < len(others):
        await asyncio.sleep(0)
    go_on.set()
    answers = await asyncio.gather(first, *others)
    assert len(set(answers)) == 1
    assert world.made == ["/a"]
    del limit
    assert not world.gate._wanted, "the limit of an answer goes with the last who wants it"


@played
async def test_who_asks_after_a_write_is_not_given_what_was_begun_before_it(world):
    go_on = world.hold("/a")
    before = asyncio.create_task(world.get("/a"))
    await world.begun.get()
    world.version = 2
    after = asyncio.create_task(world.get("/a"))
    go_on.set()
    assert [(await one)[2] for one in (before, after)] == ["/a at 1", "/a at 2"]


@asynccontextmanager
async def slow_answers(world, count=ANSWERS):
    """So many responses are being computed meanwhile; each comes at the end."""
    holds = [world.hold(f"/slow/{number}") for number in range(count)]
    waiting = [asyncio.create_task(world.get(path)) for path in world.gates]
    for _ in holds:
        await world.begun.get()
    yield
    for one in holds:
        one.set()
    assert {(await one)[0] for one in waiting} == {200}


@played
async def test_slow_answers_do_not_hold_up_the_others(world):
    async with slow_answers(world, ANSWERS - 1):
        assert (await world.get("/quick"))[0] == 200


@played
async def test_while_every_slot_is_taken_health_answers_and_who_waits_too_long_gets_a_retry_hint(world):
    async with slow_answers(world):
        world.gate._answers._seconds = 0
        assert [(await world.get(path))[0] for path in ("/healthz", "/readyz")] == [200, 200]
        status, _, body = await world.get("/late")
        assert (status, "/problems/unavailable" in body) == (503, True)
    assert (await world.get("/late"))[0] == 200


def test_a_turn_that_comes_when_the_request_is_cancelled_is_not_lost():
    async def scene():
        limit = Turns(1, 30, "one is running")

        async def waiting_request():
            async with limit.turn():
                return "had its turn"

        async with limit.turn():
            waiting = asyncio.create_task(waiting_request())
            while not limit._waiting:
                await asyncio.sleep(0)
        waiting.cancel()
        (result,) = await asyncio.gather(waiting, return_exceptions=True)
        assert isinstance(result, asyncio.CancelledError)
        async with limit.turn():
            pass

    asyncio.run(asyncio.wait_for(scene(), 30))


def test_quick_answers_run_one_at_a_time_and_start_beside_slow_ones():
    """Sixteen clients asked for tags: four threads that fought for the interpreter took twice the time of one."""

    async def scene(quick):
        limit, running, most = Turns(2, 30, "two are running", quick), 0, 0

        async def request():
            nonlocal running, most
            async with limit.turn():
                running += 1
                most = max(most, running)
                try:
                    await asyncio.sleep(0.01)
                finally:
                    running -= 1

        await asyncio.gather(*(request() for _ in range(6)))
        cancelled = [asyncio.create_task(request()) for _ in range(3)]
        await asyncio.sleep(0)
        for one in cancelled:
            one.cancel()
        await asyncio.gather(*cancelled, return_exceptions=True)
        await request()
        return most

    assert [asyncio.run(scene(quick)) for quick in (60.0, 0.0)] == [1, 2]


@played
async def test_failures_are_not_cached(world):
    assert [await world.get("/missing") for _ in range(2)] == [(404, "", "/missing at 1")] * 2
    assert world.made == ["/missing"] * 2


@played
async def test_a_store_that_cannot_be_reached_is_a_503(world):
    def fails():
        raise UnavailableError("there", "the server was switched off")

    world.gate._state._revision = fails
    status, _, body = await world.get("/a")
    assert status == 503
    assert "The store cannot be reached." in body
    assert "switched off" not in body, "what the driver says, with the address, is for the log"


def test_the_store_is_read_outside_the_event_loop_and_the_loop_runs_on_meanwhile():
    reading, go_on, threads = threading.Event(), threading.Event(), []

    def revision():
        threads.append(threading.get_ident())
        reading.set()
        assert go_on.wait(30)
        return Revision(7, 0, 0, "s", "c")

    async def scene():
        state = StoreState(revision, lambda: NOW, waits=True)
        asked = [asyncio.create_task(state()) for _ in range(20)]
        while not reading.is_set():
            await asyncio.sleep(0)
        assert not any(one.done() for one in asked)
        go_on.set()
        return await asyncio.gather(*asked)

    states = asyncio.run(scene())
    assert states[0].startswith(b"7-20261121-")
    assert len(set(states)) == 1
    assert threading.get_ident() not in threads


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_what_breaks_is_logged_once(tmp_path, monkeypatch, capsys, method):
    with served(tmp_path, token="t") as client:
        monkeypatch.setattr(client.brain.tags, "all", lambda _prefix: 1 / 0)
        monkeypatch.setattr(client.brain, "verify", lambda *_given, **_named: 1 / 0)
        path = "/v1/tags" if method == "GET" else "/v1/runs"
        answer = client.request(method, path, headers={"Authorization": "Bearer t", "X-Request-Id": "find-me"})
        plain = client.get("/v1/tags") if method == "GET" else answer
    told = capsys.readouterr()
    asked = 2 if method == "GET" else 1
    assert (answer.status_code, plain.status_code) == (500, 500)
    assert answer.json()["type"] == "/problems/internal-error"
    assert "division" not in answer.text
    assert (told.out + told.err).count("request failed") == asked
    assert (told.out + told.err).count("find-me") == 1
    assert "event=store" not in told.out + told.err, "a defect was also logged as a failure of the store"


PATHS = ("/v1/nodes", "/v1/tags", "/v1/export?format=ntriples", "/ns", "/")


def test_a_tag_holds_over_a_restart_and_in_an_exact_copy(tmp_path, note):
    home = _home(tmp_path / "one", note("Apples"))
    before = _tags(home)
    assert _tags(home) == before
    shutil.copytree(home, tmp_path / "two")
    assert _tags(tmp_path / "two") == before


def test_a_restored_backup_that_was_written_to_has_other_tags_at_the_same_version(tmp_path, note):
    home = _home(tmp_path / "home", note("Apples"))
    shutil.copytree(home, tmp_path / "backup")
    _home(home, note("Pears"), "b.md")
    after = _tags(home)
    shutil.rmtree(home)
    shutil.copytree(tmp_path / "backup", home)
    _home(home, note("Plums"), "b.md")
    restored = _tags(home)
    with Brain.open(Settings(home=home)) as brain:
        assert {tag.partition("-")[0] for tag in after.values()} == {f'"{brain.version()}'}
    assert not set(restored.values()) & set(after.values())


def test_another_program_or_public_address_has_other_tags(tmp_path, note, monkeypatch):
    home = _home(tmp_path / "home", note("Apples"))
    tags = [_tags(home), _tags(home, url="https://brain.example")]
    monkeypatch.setattr("api.http.app.VERSION", "99.0")
    tags.append(_tags(home))
    assert len({tag for each in tags for tag in each.values()}) == sum(map(len, tags))


def test_a_write_is_refused_where_the_tag_is_another_stores_at_the_same_version(tmp_path, note):
    one, two = (_tags(_home(tmp_path / name, note(name)), token="t") for name in ("one", "two"))
    assert not set(one.values()) & set(two.values())
    with served(tmp_path / "two", token="t") as client:
        asked = [{"Authorization": "Bearer t", "If-Match": tags["/v1/nodes"]} for tags in (one, two)]
        assert [client.post("/v1/runs", headers=headers).status_code for headers in asked] == [412, 201]


def _home(home, text, name="a.md"):
    with Brain.open(Settings(home=home)) as brain:
        assert brain.ingest([written(home, {name: text}) / name], at=NOW).stored
    return home


def _tags(home, **settings):
    with served(home, **settings) as client:
        return {path: tag for path in PATHS if (tag := client.get(path).headers.get("etag"))}
