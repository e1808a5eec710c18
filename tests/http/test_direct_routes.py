"""Requests that are answered without FastAPI's work for each: the same answers, and threads that hold up nobody."""

import asyncio
import threading
from collections import Counter

import pytest

from api.http.app import build
from api.http.direct_routes import DirectRoutes
from api.http.handler_threads import HandlerThreads
from tests.http.conftest import NOW

PATHS = (
    "/v1/nodes/analyst/caching-and-batch-stack",
    "/v1/nodes/analyst/caching-and-batch-stack?format=markdown",
    "/v1/nodes/analyst/caching-and-batch-stack?format=pdf",
    "/v1/nodes/analyst/caching-and-batch-stak",
    "/v1/nodes/analyst/caching-and-batch-stack/backlinks",
    "/v1/nodes?limit=3",
    "/v1/nodes?tag=latency&tag=caching&kind=reading&sort=title&limit=2",
    "/v1/nodes?q=batch+discount&limit=5",
    "/v1/nodes?q=batch*&limit=5",
    "/v1/nodes?limit=+3",
    "/v1/nodes?limit=0",
    "/v1/nodes?tags=latency",
    "/v1/nodes?cursor=nonsense",
    "/v1/nodes?tag=latency&format=csv",
    "/v1/nodes?as_of=2020-01-01",
    "/v1/claims/sonnet-cached-batch-discount?as_of=2025-03-01",
    "/v1/claims?verdict=stale&limit=2",
    "/v1/tags",
    "/v1/sources?limit=2",
    "/v1/prices?as_of=1",
    "/v1/runs",
    "/v1/nothing",
    "/nodes.csv",
)


@pytest.fixture
def recorded(monkeypatch):
    """Which paths were answered directly."""
    direct, answered = DirectRoutes._answer, []

    async def told(self, call, arguments, request, send):
        answered.append(request.url.path)
        await direct(self, call, arguments, request, send)

    monkeypatch.setattr(DirectRoutes, "_answer", told)
    return answered


def _answers(client, headers):
    found = []
    for path in PATHS:
        answer = client.get(path, headers=headers)
        kept = {name: value for name, value in answer.headers.items() if name != "x-request-id"}
        found.append((path, answer.status_code, kept, answer.content))
    return found


@pytest.mark.parametrize(
    "headers", [{}, {"Accept": "application/json", "Accept-Datetime": "Sat, 01 Feb 2025 00:00:00 GMT"}]
)
def test_every_answer_is_that_of_fastapi(shipped, monkeypatch, recorded, headers):
    from starlette.testclient import TestClient

    def client():
        return TestClient(build(shipped.brain, clock=lambda: NOW), base_url="http://localhost")

    on_loop, at_once = [], DirectRoutes.at_once

    def tried(self, scope):
        response = at_once(self, scope)
        on_loop.extend([scope["path"]] if response is not None else [])
        return response

    monkeypatch.setattr(DirectRoutes, "at_once", tried)
    first = _answers(client(), headers)
    assert len(recorded) + len(on_loop) >= 14
    own = client()
    shipped.brain.status.healths()  # as the warm-up does
    own.get("/v1/claims")  # a thread leaves its connection
    recorded.clear()
    assert first == _answers(own, headers)
    in_threads = Counter(recorded)
    assert on_loop.count("/v1/nodes") >= 3, "a text too"
    monkeypatch.setattr(DirectRoutes, "at_once", lambda _self, _scope: None)
    recorded.clear()
    assert first == _answers(client(), headers)
    on_the_loop = Counter(recorded) - in_threads
    assert on_the_loop["/v1/nodes/analyst/caching-and-batch-stack"] == 1, "as JSON, not as Markdown"
    assert on_the_loop["/v1/nodes"]
    recorded.clear()
    monkeypatch.setattr(DirectRoutes, "_found", lambda _self, _path: None)
    assert first == _answers(client(), headers)
    assert not recorded


def test_handlers_run_in_one_thread_and_a_slow_one_holds_up_nobody():
    threads, held, seen = HandlerThreads(), threading.Event(), []

    def quick(number):
        seen.append(threading.get_ident())
        return number

    def slow():
        assert held.wait(20)
        return "slow"

    def wrong():
        raise KeyError("wrong")

    async def asked():
        assert await asyncio.gather(*(threads.run(lambda one=one: quick(one)) for one in range(50))) == list(range(50))
        assert len(set(seen)) == 1
        waiting = asyncio.ensure_future(threads.run(slow))
        assert await asyncio.gather(*(threads.run(lambda one=one: quick(one)) for one in range(50))) == list(range(50))
        assert not waiting.done()
        gone = asyncio.ensure_future(threads.run(slow))
        await asyncio.sleep(0)
        gone.cancel()
        held.set()
        assert await waiting == "slow"
        with pytest.raises(KeyError):
            await threads.run(wrong)
        assert await threads.run(lambda: "after") == "after"

    asyncio.run(asyncio.wait_for(asked(), 30))


def test_a_thread_that_ended_for_want_of_work_is_replaced(monkeypatch):
    monkeypatch.setattr("api.http.handler_threads.IDLE_SECONDS", 0.001)
    threads, ended = HandlerThreads(), []

    async def asked():
        for number in range(20):
            thread = await threads.run(threading.current_thread)
            ended.append(thread)
            if number % 5 == 0:
                await asyncio.to_thread(thread.join, 10)
                assert not thread.is_alive()

    asyncio.run(asyncio.wait_for(asked(), 30))
    assert len(ended) == 20
