"""What holds for every request and every answer, before anything else looks at them.

request ─▶ size of the head ─▶ host ─▶ method ─▶ site ─▶ cache middleware, application
answer  ◀─ nosniff, redirects without a host, no entity tag where nothing may be stored ◀─┘
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, MutableMapping
from typing import Any
from uuid import uuid4

from api.http.middleware.allowed_hosts import AllowedHosts
from api.http.middleware.cors import CorsPolicy
from api.http.middleware.metrics import METHODS, Metrics
from api.http.responses.problem_details import MEDIA, problem
from api.http.responses.problem_types import KINDS
from graph.values import dumps

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

MOST_HEADERS = 64 * 1024
"""The most bytes of a request's headers."""

KNOWN_METHODS = METHODS | {"CONNECT", "TRACE", "QUERY", "PROPFIND"}
"""Methods that exist elsewhere: 405 where an address does not take them. Any other is 501."""

UNSAFE = frozenset({"POST", "PUT", "PATCH", "DELETE"})
"""Methods that a browser may send for a page of another site, with what it knows of its user."""

NOSNIFF = (b"x-content-type-options", b"nosniff")


class RequestChecks:
    """ASGI middleware, the outermost; `unstored` are paths whose answers must never be cached or answered with 304.

    `senders` are the origins of other pages than those of this service from which browsers may send.
    """

    def __init__(
        self, app: App, hosts: AllowedHosts, senders: CorsPolicy, meter: Metrics, unstored: Collection[str]
    ) -> None:
        self._app, self._hosts, self._senders, self._meter = app, hosts, senders, meter
        self._unstored = frozenset(unstored)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        unstored = scope["path"] in self._unstored
        if unstored:
            scope["headers"] = [pair for pair in scope["headers"] if pair[0] != b"if-none-match"]
        sender = _Sender(send, scope, unstored=unstored)
        refused = self._refusal(scope)
        if refused is None:
            await self._app(scope, receive, sender)
            return
        method = scope["method"] if scope["method"] in METHODS else "other"
        self._meter.count(method, KINDS[refused[0]].status, 0.0)
        for message in refusal(*refused, instance=scope["path"]):
            await sender(message)

    def _refusal(self, scope: Scope) -> tuple[str, str] | None:
        """The kind of problem with a request and a sentence about it; None where there is none."""
        headers = scope["headers"]
        if sum(len(name) + len(value) for name, value in headers) > MOST_HEADERS:
            return "headers-too-large", too_large()
        hosts = [value.decode("latin-1") for name, value in headers if name == b"host"]
        if len(hosts) != 1:
            return "malformed-request", f"The request has {len(hosts) or 'no'} Host headers; send one."
        if not self._hosts.allow(hosts[0]):
            name = hosts[0][:100]
            return "host-not-allowed", f"The host {name!r} is not allowed; add it to the setting BRAIN_ALLOWED_HOSTS."
        if scope["method"] not in KNOWN_METHODS:
            return "method-unknown", unknown_method(scope["method"])
        if scope["method"] in UNSAFE and (site := self._other_site(dict(headers))):
            return (
                "cross-site",
                f"A page of {site} sent this {scope['method']} request; only pages of this service may.",
            )
        return None

    def _other_site(self, headers: Mapping[bytes, bytes]) -> str:
        """The site whose page had a browser send a request; empty for this one, and for programs.

        Browsers say it in Sec-Fetch-Site, older ones only in Origin; no page of another site can send a bearer token.
        """
        fetched, origin = headers.get(b"sec-fetch-site"), headers.get(b"origin")
        if fetched in {b"same-origin", b"none"} or headers.get(b"authorization", b"")[:7].lower() == b"bearer ":
            return ""
        if fetched is None and (origin is None or origin.partition(b"://")[2] == headers[b"host"]):
            return ""
        if self._senders.allows(origin):
            return ""
        return "another site" if origin is None or origin == b"null" else repr(origin[:100].decode("latin-1"))


def too_large() -> str:
    """What is said of a request whose head is too long."""
    return f"The headers are larger than {MOST_HEADERS} bytes."


def unknown_method(method: str = "") -> str:
    """The problem for an unknown request method."""
    return f"There is no method {method[:40]}." if method else "The method of the request is unknown."


def refusal(kind: str, detail: str, *, instance: str) -> tuple[Message, Message]:
    """A problem document as an answer of ASGI; it ends the connection's use where its body was not read."""
    told = problem(kind, detail, instance[:200].replace("\0", ""))
    body = dumps(told).encode("utf-8", "replace")
    headers: Headers = [
        (b"content-type", MEDIA.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        NOSNIFF,
        (b"x-request-id", uuid4().hex.encode()),
    ]
    start = {"type": "http.response.start", "status": KINDS[kind].status, "headers": headers}
    return start, {"type": "http.response.body", "body": body}


class _Sender:
    """The way out: what every answer says, and what some must not say."""

    def __init__(self, send: Send, scope: Scope, *, unstored: bool) -> None:
        self._send, self._unstored, self._head = send, unstored, scope["method"] == "HEAD"
        self._host = next((value for name, value in scope["headers"] if name == b"host"), b"")

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = self._headers(list(message["headers"]))
        elif self._head:
            message["body"] = b""
        await self._send(message)

    def _headers(self, given: Headers) -> Headers:
        dropped = {NOSNIFF[0], *((b"etag",) if self._unstored else ())}
        kept = [(name, self._redirect(value) if name == b"location" else value) for name, value in given]
        return [*(pair for pair in kept if pair[0] not in dropped), NOSNIFF]

    def _redirect(self, location: bytes) -> bytes:
        """An address of this service without scheme and host: the Host header is not used."""
        _, found, rest = location.partition(b"://" + self._host)
        return rest if found and rest.startswith(b"/") else location
