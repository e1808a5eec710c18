"""What stands before every request: its id, limits, conditional and cached answers, compression.

    request ─▶ id ─▶ limits ─▶ cached answer of this state? ──────────────▶ 304 or bytes
                                 └─▶ turn ─▶ application ─▶ gzip, tag, keep ─▶ 304 or bytes

An answer to GET depends on the store, the day, the program with its settings (`edition`) and what the caller accepts,
and on nothing else: its entity tag is made of those, and it is cached as bytes until the store changes. What depends on
more (`LIVE`) has a tag made from its bytes and is not cached; what may be large (`STREAMED`) is sent in chunks.

All limits together stay below the 40 threads that handlers run in, so that `/healthz` and `/readyz` always find one.
"""

from __future__ import annotations

import gzip
import hashlib
import re
import time
import zlib
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import partial
from typing import Any, NamedTuple
from uuid import uuid4
from weakref import WeakValueDictionary

from anyio import to_thread
from starlette.requests import ClientDisconnect

from api.http.middleware.answer_cache import AnswerCache, CachedAnswer, Headers, StoreState
from api.http.middleware.concurrency_limits import Limit
from api.http.middleware.cors import CorsPolicy
from api.http.middleware.metrics import Metrics
from api.http.responses.problem_details import MEDIA, ProblemError, log, problem, unavailable
from api.http.responses.problem_types import KINDS
from graph.values import dumps

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

VARY = b"Accept, Accept-Encoding, Accept-Datetime, Authorization"
SMALL = 600
"""Bodies below this many bytes are not worth compressing."""
LARGE = 256 * 1024
"""Bodies above this many bytes are compressed outside the event loop."""
LONGEST = 16 * 1024
"""The most bytes of an address with its query."""

LIVE = ("/metrics", "/healthz", "/readyz", "/sparql", "/v1/audit")
"""Addresses whose answers depend on more than the store and the day."""
STREAMED = ("/v1/export",)
"""Addresses whose answers are too large to hold."""

UNLIMITED = ("/healthz", "/readyz")
"""Addresses that answer whatever else is going on."""
SMALLER_BODIES = ("/proof", "/v1/proof")
"""Paths that refuse a large body themselves, and say what to do."""
ANSWERS = 4
"""How many answers are made at the same time, each in a thread: with 40 threads an answer costs twice the time."""
QUERIES = 8
"""How many SPARQL queries run at the same time; a few processes answer them."""
WRITES = 8
"""How many writes run or wait for the write lock."""
REFUSED = "The token is unknown, revoked or expired."
CHALLENGE = {"WWW-Authenticate": 'Bearer realm="brain", error="invalid_token"'}
WAITING = 30.0
"""Seconds that a request waits for its turn."""

_ID = re.compile(rb"[A-Za-z0-9._:-]{1,64}")
_NOT_ZIPPED = re.compile(rb"gzip\s*;\s*q=0(?:\.0*)?\s*(?:,|$)")
_PACKED = re.compile(rb"image/(?!svg)|font/|gzip|zip")
_DESCRIBING = frozenset({b"content-length", b"content-type", b"content-encoding"})


class Limits(NamedTuple):
    """How many requests of each kind run at the same time in a process."""

    answers: Limit
    queries: Limit
    writes: Limit


def process_limits() -> Limits:
    """The limits that all services of a process share."""
    return Limits(
        Limit(ANSWERS, WAITING, f"{ANSWERS} answers are being made"),
        Limit(QUERIES, WAITING, f"{QUERIES} SPARQL queries are running"),
        Limit(WRITES, WAITING, f"{WRITES} writes are running"),
    )


class HttpCacheMiddleware:
    """ASGI middleware; `edition` names the program and the settings that answers depend on."""

    def __init__(
        self,
        app: App,
        state: StoreState,
        *,
        max_body: int,
        meter: Metrics,
        origins: CorsPolicy,
        edition: str = "",
        limits: Limits | None = None,
    ) -> None:
        self._app, self._state, self._max_body, self._edition = app, state, max_body, edition.encode()
        self._meter, self._origins, self._kept = meter, origins, AnswerCache()
        self._answers, self._queries, self._writes = limits or process_limits()
        self._wanted: WeakValueDictionary[bytes, Limit] = WeakValueDictionary()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        given = headers.get(b"x-request-id", b"")
        request = given if given and _ID.fullmatch(given) else uuid4().hex.encode()
        scope.setdefault("state", {})["request_id"] = request
        extra = [(b"x-request-id", request), *self._origins.headers(headers.get(b"origin"))]
        sender = _Sender(send, extra, self._meter, scope["method"], head=scope["method"] == "HEAD")
        try:
            await self._answer(scope, receive, sender, headers)
        except ClientDisconnect:
            return  # the client has disconnected
        except Exception as error:  # noqa: BLE001  # every failure is logged here, once, and answered
            trouble = unavailable(error)
            if trouble is None:
                log(error, scope["path"], request.decode())
                trouble = ProblemError("internal-error", KINDS["internal-error"].example)
            if not sender.begun:
                await _refuse(sender, scope, trouble)

    async def _answer(self, scope: Scope, receive: Receive, send: Send, headers: dict[bytes, bytes]) -> None:
        path, reads = scope["path"], scope["method"] in {"GET", "HEAD"}
        if refused := self._refusal(scope, headers):
            await _refuse(send, scope, ProblemError(*refused))
        elif scope["state"].get("invalid_token") and path not in UNLIMITED:
            await _refuse(send, scope, ProblemError("unauthorized", REFUSED, CHALLENGE))
        elif (lost := scope["state"].get("lost")) is not None and path not in UNLIMITED:
            raise lost  # which brains are private is not known: nothing is answered from the store
        elif scope["method"] == "OPTIONS" and b"access-control-request-method" in headers:
            await _empty(send, 204, self._origins.preflight(headers.get(b"origin")))
        elif not reads:
            await self._write(scope, receive, send)
        elif path.startswith(STREAMED):
            await self._stream(scope, receive, send, headers)
        elif path.startswith(LIVE):
            await self._live(scope, receive, send, headers)
        else:
            await self._conditional(scope, receive, send, headers)

    def _refusal(self, scope: Scope, headers: dict[bytes, bytes]) -> tuple[str, str] | None:
        if len(scope["query_string"]) + len(scope["path"]) > LONGEST:
            return "uri-too-long", f"The address is longer than {LONGEST} bytes."
        if "\0" in scope["path"] or b"%00" in scope["query_string"]:
            return "malformed-request", "The address holds a control character."
        length = headers.get(b"content-length", b"0")
        if not length.isdigit():
            return "malformed-request", "Content-Length is no number."
        if int(length) > self._max_body and scope["path"] not in SMALLER_BODIES:
            return "content-too-large", f"The body is larger than {self._max_body} bytes."
        return None

    async def _conditional(self, scope: Scope, receive: Receive, send: Send, headers: dict[bytes, bytes]) -> None:
        zipped = _takes_gzip(headers)
        key = _key(scope, headers, zipped=zipped)
        found = self._kept.get(scope["state"].get("store") or await self._state(), key)
        found = found or await self._made(scope, receive, key, zipped=zipped)
        await _send(send, found, headers.get(b"if-none-match"))

    async def _made(self, scope: Scope, receive: Receive, key: bytes, *, zipped: bool) -> CachedAnswer:
        """Concurrent requests share one answer. An answer computed during a write is neither cached nor shared.

        Such an answer may be of the state before, after or between: its tag is made from its bytes.
        """
        wanted = self._wanted.setdefault(key, Limit(1, WAITING, "others are waiting for the same answer"))
        async with wanted.turn(receive):
            state = await self._state()
            if (found := self._kept.get(state, key)) is not None:
                return found
            async with self._answers.turn(receive):
                found = await self._fresh(scope, receive, zipped=zipped)
            if found.status != 200 or await self._state(now=True) != state:
                return _tagged(found)
            found = _tagged(found, self._tag(state, key))
            self._kept.put(state, key, found)
        return found

    def _tag(self, state: bytes, key: bytes) -> bytes:
        return b'"%b-%b"' % (state, hashlib.blake2b(self._edition + b"\n" + key, digest_size=6).hexdigest().encode())

    async def _live(self, scope: Scope, receive: Receive, send: Send, headers: dict[bytes, bytes]) -> None:
        async with self._turn(scope, receive):
            found = await self._fresh(scope, receive, zipped=_takes_gzip(headers))
        await _send(send, _tagged(found), headers.get(b"if-none-match"))

    async def _write(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._turn(scope):
            await self._app(scope, receive, send)

    def _turn(self, scope: Scope, receive: Receive | None = None) -> AbstractAsyncContextManager[None]:
        if scope["path"] in UNLIMITED:
            return nullcontext()
        if scope["path"] == "/sparql":
            return self._queries.turn(receive)
        return (self._answers if scope["method"] in {"GET", "HEAD"} else self._writes).turn(receive)

    async def _fresh(self, scope: Scope, receive: Receive, *, zipped: bool) -> CachedAnswer:
        """The application's complete answer, without a tag."""
        caught = _Caught()
        await self._app({**scope, "method": "GET"}, receive, caught)
        body = b"".join(caught.parts)
        if len(body) > LARGE:
            return await to_thread.run_sync(partial(_complete, caught.status, caught.headers, body, zipped=zipped))
        return _complete(caught.status, caught.headers, body, zipped=zipped)

    async def _stream(self, scope: Scope, receive: Receive, send: Send, headers: dict[bytes, bytes]) -> None:
        zipped = _takes_gzip(headers)
        tag = self._tag(await self._state(), _key(scope, headers, zipped=zipped))
        if matches(headers.get(b"if-none-match"), tag):
            await _empty(send, 304, [(b"etag", tag), (b"vary", VARY), (b"cache-control", b"no-cache")])
        else:
            scope["state"]["head"] = scope["method"] == "HEAD"
            await self._app({**scope, "method": "GET"}, receive, _Streamed(send, tag, zipped=zipped))


def matches(given: bytes | None, tag: bytes) -> bool:
    """Does `If-None-Match` name this entity tag (weak comparison, RFC 9110 section 13.1.2)?"""
    if given is None:
        return False
    return given.strip() == b"*" or tag in {part.strip().removeprefix(b"W/") for part in given.split(b",")}


def _tagged(found: CachedAnswer, tag: bytes | None = None) -> CachedAnswer:
    """A complete answer with an entity tag, by default one made from its bytes."""
    if found.status != 200:
        return found
    tag = tag or b'"%b"' % hashlib.blake2b(found.body, digest_size=12).hexdigest().encode()
    return found._replace(headers=[*found.headers, (b"etag", tag)], tag=tag)


def _key(scope: Scope, headers: dict[bytes, bytes], *, zipped: bool) -> bytes:
    accept, memento = headers.get(b"accept", b"*/*"), headers.get(b"accept-datetime", b"")
    query: bytes = scope["query_string"]
    site = scope.get("scheme", "").encode() + b"://" + headers.get(b"host", b"")
    path = scope["path"].encode("utf-8", "replace")
    return b"\n".join((site, path, query, accept, memento, b"gz" if zipped else b""))


def _takes_gzip(headers: dict[bytes, bytes]) -> bool:
    given = headers.get(b"accept-encoding", b"").lower()
    return b"gzip" in given and _NOT_ZIPPED.search(given) is None


def _compressible(headers: dict[bytes, bytes]) -> bool:
    return b"content-encoding" not in headers and _PACKED.search(headers.get(b"content-type", b"")) is None


def _complete(status: int, given: Headers, body: bytes, *, zipped: bool) -> CachedAnswer:
    """A complete answer without a tag, compressed where the caller takes that and it is worth it."""
    told = dict(given)
    headers = [pair for pair in given if pair[0] != b"content-length"]
    if zipped and len(body) > SMALL and _compressible(told):
        body = gzip.compress(body, 5, mtime=0)
        headers.append((b"content-encoding", b"gzip"))
    headers += [(b"content-length", str(len(body)).encode()), (b"vary", VARY)]
    if status == 200 and b"cache-control" not in told:
        headers.append((b"cache-control", b"no-cache"))
    return CachedAnswer(status, headers, body, b"")


async def _send(send: Send, found: CachedAnswer, asked: bytes | None) -> None:
    status, headers, body, tag = found
    if asked is not None and status == 200 and matches(asked, tag):
        status, body = 304, b""
        headers = [pair for pair in headers if pair[0] not in _DESCRIBING]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _empty(send: Send, status: int, headers: Headers) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


async def _refuse(send: Send, scope: Scope, trouble: ProblemError) -> None:
    instance = scope["path"][:200].replace("\0", "")
    body = dumps(problem(trouble.kind, trouble.detail, instance)).encode("utf-8", "replace")
    length = str(len(body)).encode()
    headers = [(b"content-type", MEDIA.encode()), (b"content-length", length), (b"cache-control", b"no-store")]
    headers += [(name.lower().encode(), value.encode()) for name, value in trouble.headers.items()]
    await send({"type": "http.response.start", "status": KINDS[trouble.kind].status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class _Caught:
    """A buffered response."""

    def __init__(self) -> None:
        self.status = 500
        self.headers: Headers = []
        self.parts: list[bytes] = []

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], list(message["headers"])
        else:
            self.parts.append(message.get("body", b""))


class _Sender:
    """The way out: the request's id and what CORS asks for on every answer, no body to HEAD, and a count."""

    def __init__(self, send: Send, extra: Headers, meter: Metrics, method: str, *, head: bool) -> None:
        self._send, self._extra, self._meter, self._method, self._head = send, extra, meter, method, head
        self._start = time.perf_counter()
        self.begun = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            message["headers"] = [*message["headers"], *self._extra]
            self._meter.count(self._method, message["status"], time.perf_counter() - self._start)
        elif self._head:
            message["body"] = b""
        await self._send(message)


class _Streamed:
    """A long answer on its way: tagged, and compressed piece by piece."""

    def __init__(self, send: Send, tag: bytes, *, zipped: bool) -> None:
        self._send, self._tag = send, tag
        self._packer = zlib.compressobj(5, zlib.DEFLATED, 31) if zipped else None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = self._headers(message["status"], list(message["headers"]))
        elif self._packer is not None:
            body = await to_thread.run_sync(self._packer.compress, message.get("body", b""))
            message["body"] = body if message.get("more_body") else body + self._packer.flush()
        await self._send(message)

    def _headers(self, status: int, headers: Headers) -> Headers:
        if status != 200:
            self._packer = None
            return headers
        told = [(b"etag", self._tag), (b"vary", VARY), (b"cache-control", b"no-cache")]
        if self._packer is None:
            return [*headers, *told]
        kept = [pair for pair in headers if pair[0] != b"content-length"]
        return [*kept, *told, (b"content-encoding", b"gzip")]
