"""The short way for the most frequent requests: what the layers behind it do for them, in one function.

    GET ─▶ headers that change nothing? ─▶ state, host ─▶ cached answer, or `at_once` ─▶ bytes
                └─ token, condition, body, other origin, other day ─▶ the layers, which answer everything

Each layer costs a call, a wrapped `send` and a look at the headers: together as much as to read a node and to write it
as JSON. Here is nothing that is not decided by the layers' own functions; whatever is unusual is left to them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Awaitable, Callable, MutableMapping
from functools import lru_cache
from typing import Any

from api.http.middleware.allowed_hosts import AllowedHosts
from api.http.middleware.http_cache import HttpCacheMiddleware
from api.http.middleware.request_checks import MOST_HEADERS, NOSNIFF

Scope = MutableMapping[str, Any]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Given = dict[bytes, bytes]

UNUSUAL = frozenset({
    b"authorization", b"origin", b"x-request-id", b"if-none-match", b"content-length", b"transfer-encoding",
    b"accept-datetime",
})  # fmt: skip
"""Headers that the layers look at; `Host`, `Accept` and `Accept-Encoding` are looked at here."""

PLACES = ("/v1/nodes",)
"""How addresses begin that have plain requests."""


def plain_headers(scope: Scope) -> Given | None:
    """The headers of a request that may go the short way, by name."""
    if scope["type"] != "http" or scope["method"] != "GET" or not scope["path"].startswith(PLACES):
        return None
    listed = scope["headers"]
    given = dict(listed)
    if len(given) != len(listed) or not UNUSUAL.isdisjoint(given) or b"host" not in given:
        return None
    return given if sum(map(len, given)) + sum(map(len, given.values())) <= MOST_HEADERS else None


class PlainPath:
    """Answers plain requests to one service."""

    def __init__(self, gate: HttpCacheMiddleware, hosts: AllowedHosts) -> None:
        self._gate = gate
        self._allowed = lru_cache(maxsize=64)(lambda host: hosts.allow(host.decode("latin-1")))

    async def answered(self, scope: Scope, given: Given, state: bytes, send: Send) -> bool:
        """Whether the request was answered, in this state of the store; if not, nothing was sent."""
        began = time.perf_counter()
        if not self._allowed(given[b"host"]):
            return False
        found = await self._gate.plain(scope, given, state)
        if found is None:
            return False
        told = [*found.headers, (b"x-request-id", os.urandom(16).hex().encode()), *self._gate.extra, NOSNIFF]
        self._gate.meter.count("GET", 200, time.perf_counter() - began)
        await send({"type": "http.response.start", "status": 200, "headers": told})
        await send({"type": "http.response.body", "body": found.body})
        return True
