"""The cache of answers, each of one state of the store; conditional answers, compression, and limits.

    request ─▶ cached answer of this state? ──────────────────────────────▶ 304 or bytes
                 └─▶ turn ─▶ application ─▶ gzip, tag, cache ─────────────▶ 304 or bytes

An answer to GET depends only on the store, the day, the program with its settings (`edition`) and what the caller
accepts: its entity tag is made of those, and it is cached until the store changes. What depends on more (`LIVE`) has a
tag made from its bytes and is not cached; what may be large (`STREAMED`) is sent in chunks.

All limits together stay below the 40 threads that handlers run in, so that `/healthz` and `/readyz` always find one.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple
from weakref import WeakValueDictionary

from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.http.responses.problem_details import ProblemError
from graph.store.database import Revision

Headers = list[tuple[bytes, bytes]]
OVERHEAD = 1500  # roughly the bytes of memory that an answer takes besides its body
VARY = b"Accept, Accept-Encoding, Accept-Datetime, Authorization, Cookie"
LIVE = ("/metrics", "/healthz", "/readyz", "/sparql", "/v1/audit", "/sign-in")
"""Addresses whose answers depend on more than the store and the day."""
STREAMED = "/v1/export"  # the address whose answers are too large for memory
UNLIMITED = ("/healthz", "/readyz")  # addresses that no limit applies to
ANSWERS = 4  # the most answers computed at once, each in a thread: with 40 threads an answer takes twice the time
QUICK = 0.05  # seconds after which the next answer is started too
EXPORTS = 2  # the most exports sent at once: each slows all readers and takes database connections
QUERIES = 8  # the most SPARQL queries at once; a few processes answer them
WRITES = 8  # the most writes that run or wait for the write lock
WAITING = 30.0  # the most seconds that a request waits for its turn

_NOT_ZIPPED = re.compile(rb"gzip\s*;\s*q=0(?:\.0*)?\s*(?:,|$)")
_DESCRIBING = frozenset({b"content-length", b"content-type", b"content-encoding"})


class Turns:
    """At most `most` requests of one event loop run at once; the others wait up to `seconds`, then get 503 with `busy`.

    With `quick`, a request starts when the one before it is done or `quick` seconds old: threads that compete for the
    interpreter take up to twice the time that they take one after another.
    """

    def __init__(self, most: int, seconds: float, busy: str, quick: float = 0.0) -> None:
        self._free, self._seconds, self._busy, self._quick = most, seconds, busy, quick
        self._waiting = deque[asyncio.Future[asyncio.TimerHandle | None]]()
        self._last: asyncio.TimerHandle | None = None  # ends when the request that started last is no longer quick

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """A turn, in the order of arrival. Raises ProblemError if there is none in time."""
        mine = self._start() if self._may_start() and not self._waiting else await self._wait()
        try:
            yield
        finally:
            self._end(mine)

    def _may_start(self) -> bool:
        return self._free > 0 and self._last is None

    def _start(self) -> asyncio.TimerHandle | None:
        self._free -= 1
        if self._quick:
            self._last = asyncio.get_running_loop().call_later(self._quick, self._grown_old)
        return self._last

    def _end(self, started: asyncio.TimerHandle | None) -> None:
        self._free += 1
        if started is not None and started is self._last:
            started.cancel()
            self._last = None
        self._start_waiting()

    def _grown_old(self) -> None:
        self._last = None
        self._start_waiting()

    def _start_waiting(self) -> None:
        while self._waiting and self._may_start():
            if not (first := self._waiting.popleft()).done():
                first.set_result(self._start())

    async def _wait(self) -> asyncio.TimerHandle | None:
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[asyncio.TimerHandle | None] = loop.create_future()
        self._waiting.append(turn)
        late = loop.call_later(self._seconds, self._refuse, turn)
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._end(turn.result())
            raise
        finally:
            late.cancel()

    def _refuse(self, turn: asyncio.Future[asyncio.TimerHandle | None]) -> None:
        if not turn.done():
            turn.set_exception(ProblemError("unavailable", f"{self._busy}; try again.", {"Retry-After": "5"}))


class CachedAnswer(NamedTuple):
    """A complete answer with its entity tag."""

    status: int
    headers: Headers
    body: bytes
    tag: bytes


class AnswerCache:
    """The answers of one state used last, at most `capacity` bytes of them."""

    def __init__(self, capacity: int = 16 * 1024 * 1024) -> None:
        self._answers: OrderedDict[bytes, CachedAnswer] = OrderedDict()
        self._size, self._capacity, self._state = 0, capacity, b""

    def get(self, state: bytes, key: bytes) -> CachedAnswer | None:
        """The cached answer for a key in a state."""
        found = self._answers.get(key) if state == self._state else None
        if found is not None:
            self._answers.move_to_end(key)
        return found

    def put(self, state: bytes, key: bytes, answer: CachedAnswer) -> None:
        """Cache an answer; drop those of another state, and those least recently used if there are too many."""
        if state != self._state:
            self._answers.clear()
            self._size, self._state = 0, state
        if key in self._answers or len(answer.body) > self._capacity // 8:
            return
        self._answers[key] = answer
        self._size += len(answer.body) + OVERHEAD
        while self._size > self._capacity:
            self._size -= len(self._answers.popitem(last=False)[1].body) + OVERHEAD


class StoreState:
    """What answers depend on, the store's revision and the day, as `VERSION-YYYYMMDD-MARK`.

    A revision of SQLite is read on the event loop, in 20 µs; a server's in a thread (`waits`).
    """

    def __init__(self, revision: Callable[[], Revision], clock: Callable[[], datetime], *, waits: bool) -> None:
        self._revision, self._clock, self._waits = revision, clock, waits
        self._threads = ThreadPoolExecutor(2)

    async def __call__(self) -> bytes:
        """The current state. Raises StoreError if the store cannot be reached."""
        loop, read = asyncio.get_running_loop(), self._revision
        found = await loop.run_in_executor(self._threads, read) if self._waits else read()
        return f"{found.version}-{self._clock():%Y%m%d}-{revision_mark(found)}".encode()


@lru_cache(maxsize=8)
def revision_mark(revision: Revision) -> str:
    """A revision as 16 hexadecimal digits, unique over all stores and their states."""
    return hashlib.blake2b(f"{revision.store} {revision.commit}".encode(), digest_size=8).hexdigest()


class _Request(NamedTuple):
    """What an answer depends on besides the state."""

    key: bytes
    zipped: bool
    known: bytes | None


class HttpCacheMiddleware:
    """ASGI middleware; `edition` names the program and the settings that answers depend on."""

    def __init__(self, app: ASGIApp, state: StoreState, *, edition: str = "") -> None:
        self._app, self._state, self._edition, self._kept = app, state, edition.encode(), AnswerCache()
        self._packed = GZipMiddleware(app, minimum_size=600, compresslevel=5, thread_minimum_size=64 * 1024)
        self._answers = Turns(ANSWERS, WAITING, f"{ANSWERS} responses are being computed", QUICK)
        self._exports = Turns(EXPORTS, 0, f"{EXPORTS} exports are running")
        self._queries = Turns(QUERIES, WAITING, f"{QUERIES} SPARQL queries are running")
        self._writes = Turns(WRITES, WAITING, f"{WRITES} writes are running")
        self._wanted: WeakValueDictionary[bytes, Turns] = WeakValueDictionary()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer from the cache, or pass on. Raises ProblemError if the request had no turn in time."""
        path, asked = scope["path"], _request(scope)
        if scope["method"] not in {"GET", "HEAD"}:
            async with self._turn(path, self._writes):
                await self._app(scope, receive, send)
            return
        if path.startswith(STREAMED):
            await self._stream(scope, receive, send, asked)
            return
        if path.startswith(LIVE):
            async with self._turn(path, self._answers):
                found = _tagged(await self._fresh(scope, receive, zipped=asked.zipped))
        else:
            state = scope["state"].get("store") or await self._state()
            found = self._kept.get(state, asked.key) or await self._made(scope, receive, asked, state)
        await _send(send, found, asked.known)

    def _turn(self, path: str, turns: Turns) -> AbstractAsyncContextManager[None]:
        return nullcontext() if path in UNLIMITED else (self._queries if path == "/sparql" else turns).turn()

    async def _made(self, scope: Scope, receive: Receive, asked: _Request, state: bytes) -> CachedAnswer:
        """Concurrent requests share one answer, unless it was computed during a write.

        That may be of the state before, after or between: it is not cached, and its tag is made from its bytes.
        """
        shared = asked.key in self._wanted
        wanted = self._wanted.setdefault(asked.key, Turns(1, WAITING, "others are waiting for the same answer"))
        async with wanted.turn():
            if shared:  # the answer may be there by now, and the state another
                state = await self._state()
                if (found := self._kept.get(state, asked.key)) is not None:
                    return found
            async with self._answers.turn():
                found = await self._fresh(scope, receive, zipped=asked.zipped)
            if found.status != 200 or await self._state() != state:
                return _tagged(found)
            found = _tagged(found, self._tag(state, asked.key))
            self._kept.put(state, asked.key, found)
        return found

    def _tag(self, state: bytes, key: bytes) -> bytes:
        return b'"%b-%b"' % (state, hashlib.blake2b(self._edition + b"\n" + key, digest_size=6).hexdigest().encode())

    async def _fresh(self, scope: Scope, receive: Receive, *, zipped: bool) -> CachedAnswer:
        messages: list[Message] = []

        async def keep(message: Message) -> None:
            messages.append(message)

        await (self._packed if zipped else self._app)({**scope, "method": "GET"}, receive, keep)
        status, body = messages[0]["status"], b"".join(message.get("body", b"") for message in messages[1:])
        headers = [pair for pair in messages[0]["headers"] if pair[0] not in {b"content-length", b"vary"}]
        if status == 200 and b"cache-control" not in dict(headers):
            headers.append((b"cache-control", b"no-cache"))
        headers += [(b"content-length", str(len(body)).encode()), (b"vary", VARY)]
        return CachedAnswer(status, headers, body, b"")

    async def _stream(self, scope: Scope, receive: Receive, send: Send, asked: _Request) -> None:
        tag = self._tag(await self._state(), asked.key)
        told = [(b"etag", tag), (b"vary", VARY), (b"cache-control", b"no-cache")]

        async def tagged(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 200:
                message["headers"] = [*(pair for pair in message["headers"] if pair[0] != b"vary"), *told]
            await send(message)

        if matches(asked.known, tag):
            await _send(send, CachedAnswer(304, told, b"", tag), None)
            return
        scope["state"]["head"] = scope["method"] == "HEAD"
        async with nullcontext() if scope["state"]["head"] else self._exports.turn():
            await (self._packed if asked.zipped else self._app)({**scope, "method": "GET"}, receive, tagged)


def _request(scope: Scope) -> _Request:
    headers = dict(scope["headers"])
    coding = headers.get(b"accept-encoding", b"").lower()
    zipped = b"gzip" in coding and _NOT_ZIPPED.search(coding) is None
    site = scope.get("scheme", "").encode() + b"://" + headers.get(b"host", b"")
    path, accept = scope["path"].encode("utf-8", "replace"), headers.get(b"accept", b"*/*")
    hidden = "\n".join(sorted(scope["state"].get("hidden", ()))).encode()
    parts = [site, path, scope["query_string"], accept, headers.get(b"accept-datetime", b""), b"gz" if zipped else b""]
    parts += [hidden] if hidden else []
    return _Request(b"\n".join(parts), zipped, headers.get(b"if-none-match"))


def matches(given: bytes | None, tag: bytes) -> bool:
    """Whether `If-None-Match` names this entity tag (weak comparison, RFC 9110 section 13.1.2)."""
    if given is None:
        return False
    return given.strip() == b"*" or tag in {part.strip().removeprefix(b"W/") for part in given.split(b",")}


def _tagged(found: CachedAnswer, tag: bytes | None = None) -> CachedAnswer:
    """The answer with an entity tag, by default made from its bytes."""
    if found.status != 200:
        return found
    tag = tag or b'"%b"' % hashlib.blake2b(found.body, digest_size=12).hexdigest().encode()
    return found._replace(headers=[*found.headers, (b"etag", tag)], tag=tag)


async def _send(send: Send, found: CachedAnswer, asked: bytes | None) -> None:
    status, headers, body, tag = found
    if asked is not None and status == 200 and matches(asked, tag):
        status, body = 304, b""
        headers = [pair for pair in headers if pair[0] not in _DESCRIBING]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
