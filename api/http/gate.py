"""The gate in front of every request: conditional answers, kept answers, limits, request ids, compression.

    request ─▶ id ─▶ limits ─▶ If-None-Match? ─304─▶
                                 │ kept answer? ─────▶ bytes
                                 ▼
                                application ─▶ ETag, gzip, keep ─▶ bytes

An answer to GET depends on the store, the day and what the caller accepts, and on nothing else. The entity tag is made
of those, so 304 is answered before anything is computed, and an answer is kept as bytes until the store changes.
"""

from __future__ import annotations

import gzip
import zlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from uuid import uuid4

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

VARY = b"Accept, Accept-Encoding, Accept-Datetime"
SMALL = 600
"""Bodies below this many bytes are not worth compressing."""


class Kept:
    """The last answers as `(status, headers, body)`, bounded in bytes, forgotten whole when the state changes."""

    def __init__(self, capacity: int = 64 * 1024 * 1024) -> None:
        self._answers: OrderedDict[bytes, tuple[int, Headers, bytes]] = OrderedDict()
        self._size, self._capacity, self._state = 0, capacity, b""

    def get(self, state: bytes, key: bytes) -> tuple[int, Headers, bytes] | None:
        """The answer kept under `key` in this state."""
        return self._answers.get(key) if state == self._state else None

    def put(self, state: bytes, key: bytes, answer: tuple[int, Headers, bytes]) -> None:
        """Keep an answer; the oldest go when there are too many."""
        if state != self._state:
            self._answers.clear()
            self._size, self._state = 0, state
        self._answers[key] = answer
        self._size += len(answer[2])
        while self._size > self._capacity:
            _, (_, _, body) = self._answers.popitem(last=False)
            self._size -= len(body)


class Gate:
    """ASGI middleware; `state()` names the store's version and the day, in few microseconds."""

    def __init__(self, app: App, state: Callable[[], bytes], max_body: int, max_query: int = 8192) -> None:
        self._app, self._state, self._max_body, self._max_query = app, state, max_body, max_query
        self._kept = Kept()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        scope.setdefault("state", {})["request_id"] = request = (
            headers.get(b"x-request-id", b"")[:64] or uuid4().hex.encode()
        )
        sender = _Tagged(send, request)
        if refused := self._refusal(scope, headers):
            await _refuse(sender, scope, *refused)
        elif scope["method"] in {"GET", "HEAD"} and not scope["path"].startswith(UNKEPT):
            await self._conditional(scope, receive, sender, headers)
        else:
            await self._app(scope, _limited(receive, self._max_body), sender)

    def _refusal(self, scope: Scope, headers: dict[bytes, bytes]) -> tuple[int, bytes, bytes] | None:
        if len(scope["query_string"]) + len(scope["path"]) > self._max_query:
            return 414, b"uri-too-long", b"The address is longer than %d bytes." % self._max_query
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > self._max_body:
            return 413, b"content-too-large", b"The body is larger than %d bytes." % self._max_body
        return None

    async def _conditional(self, scope: Scope, receive: Receive, send: Send, headers: dict[bytes, bytes]) -> None:
        state = self._state()
        zipped = b"gzip" in headers.get(b"accept-encoding", b"")
        accept, memento = headers.get(b"accept", b"*/*"), headers.get(b"accept-datetime", b"")
        key = b"\n".join((scope["path"].encode(), scope["query_string"], accept, memento, b"gz" if zipped else b""))
        tag = b'"%b-%08x"' % (state, zlib.crc32(key))
        if (kept := self._kept.get(state, key)) is None:
            kept = await self._fresh(scope, receive, zipped=zipped, tag=tag)
            if kept[0] == 200:
                self._kept.put(state, key, kept)
        status, answer, body = kept
        if status == 200 and matches(headers.get(b"if-none-match"), tag):
            status, body = 304, b""
            answer = [
                pair for pair in answer if pair[0] not in {b"content-length", b"content-type", b"content-encoding"}
            ]
        await send({"type": "http.response.start", "status": status, "headers": answer})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})

    async def _fresh(self, scope: Scope, receive: Receive, *, zipped: bool, tag: bytes) -> tuple[int, Headers, bytes]:
        caught = _Caught()
        await self._app({**scope, "method": "GET"}, receive, caught)
        body, headers = b"".join(caught.parts), caught.headers
        if zipped and len(body) > SMALL and b"content-encoding" not in dict(headers):
            body = gzip.compress(body, 5, mtime=0)
            headers = [*headers, (b"content-encoding", b"gzip")]
        headers = [pair for pair in headers if pair[0] != b"content-length"]
        headers += [(b"content-length", str(len(body)).encode()), (b"vary", VARY)]
        if caught.status == 200:
            headers += [(b"etag", tag)]
            if b"cache-control" not in dict(headers):
                headers += [(b"cache-control", b"no-cache")]
        return caught.status, headers, body


UNKEPT = ("/metrics", "/healthz", "/readyz", "/sparql")
"""Addresses whose answers depend on more than the store and the day, or may be too large to hold."""


def matches(given: bytes | None, tag: bytes) -> bool:
    """Does `If-None-Match` name this entity tag (weak comparison, RFC 9110 section 13.1.2)?"""
    if given is None:
        return False
    return given.strip() == b"*" or tag in {part.strip().removeprefix(b"W/") for part in given.split(b",")}


class _Caught:
    """A response held back."""

    def __init__(self) -> None:
        self.status, self.headers, self.parts = 500, [], []  # type: int, Headers, list[bytes]

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], list(message["headers"])
        else:
            self.parts.append(message.get("body", b""))


class _Tagged:
    """A sender that puts the request's id on its answer."""

    def __init__(self, send: Send, request: bytes) -> None:
        self._send, self._request = send, request

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], (b"x-request-id", self._request)]
        await self._send(message)


def _limited(receive: Receive, limit: int) -> Receive:
    """A body that was announced shorter than it is ends at the limit."""
    seen = 0

    async def read() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        return {"type": "http.disconnect"} if seen > limit else message

    return read


async def _refuse(send: Send, scope: Scope, status: int, kind: bytes, detail: bytes) -> None:
    body = b'{"type": "/problems/%b", "title": "%b", "status": %d, "detail": "%b", "instance": "%b"}' % (
        kind,
        kind.replace(b"-", b" ").capitalize(),
        status,
        detail,
        scope["path"].encode("ascii", "replace")[:200].replace(b'"', b""),
    )
    headers = [(b"content-type", b"application/problem+json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
