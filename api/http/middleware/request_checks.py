"""Checks of every request and headers of every answer, and what the sender may see.

request ─▶ id ─▶ size of the head ─▶ host ─▶ method ─▶ site ─▶ address, length ─▶ access, cache, application
answer  ◀─ id, CORS, nosniff, redirects without a host; what was raised as a problem ◀──────────────────┘

A page on another site can make a browser send requests here under its own host name (DNS rebinding) and would then read
a private brain; so requests whose Host header has an unknown name are refused.

The set of brains that are hidden from the sender is a value of the request: its context reads the store with it, and
cached answers have it in their key. So no reader gets what was computed for one who may see more.
"""

from __future__ import annotations

import asyncio
import re
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit
from uuid import uuid4

from starlette.requests import ClientDisconnect, cookie_parser
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.brain import Brain
from api.http.middleware.http_cache import UNLIMITED, Headers, StoreState
from api.http.responses.problem_details import KNOWN, ProblemError, answer, problem_of
from api.http.responses.request_context import AppContext
from api.metrics import METHODS, Metrics
from api.services.access import COOKIE, Access, Authenticator, InvalidTokenError
from graph.log_lines import log
from graph.store.store_errors import StoreError

MOST_HEADERS = 64 * 1024  # the most bytes of a request's headers
TOO_LARGE = "headers-too-large", f"The headers are larger than {MOST_HEADERS} bytes."
LONGEST = 16 * 1024  # the most bytes of an address with its query
SMALLER_BODIES = ("/proof", "/v1/proof")  # paths that refuse a large body themselves, and say what to do
KNOWN_METHODS = METHODS | {"CONNECT", "TRACE", "QUERY", "PROPFIND"}
"""Methods that get 405 where an address does not take them; any other gets 501."""
UNSAFE = frozenset({"POST", "PUT", "PATCH", "DELETE"})
"""Methods that a browser may send for a page of another site, with the user's cookies."""
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
EVERY_ADDRESS = frozenset({"0.0.0.0", "::"})  # noqa: S104  # compared with, not bound
NOSNIFF = (b"x-content-type-options", b"nosniff")
EXPOSED = b"ETag, Link, Memento-Datetime, X-Request-Id, X-Total, X-Rows, X-Remark, Retry-After"
READING = {
    "access-control-allow-methods": "GET, HEAD, POST",
    "access-control-allow-headers": "Accept-Datetime, Content-Type, If-None-Match, X-Request-Id",
    "access-control-max-age": "86400",
}
REFUSED = "The token is unknown, revoked or expired."
CHALLENGE = {"WWW-Authenticate": 'Bearer realm="brain", error="invalid_token"'}
_ID = re.compile(rb"[A-Za-z0-9._:-]{1,64}")
_HOST = re.compile(r"(\[.*\]|[^:]*)(?::[0-9]*)?")


class AllowedHosts:
    """Accepted hosts: loopback, that of the public `url`, the `bound` address, and those of a setting.

    `setting` has names separated by commas: `brain.example.org`, `*.example.org` for all below it, `*` for any.
    A server bound to 0.0.0.0 or :: accepts any IP address: rebinding needs a name.
    """

    def __init__(self, setting: str = "", *, url: str = "", bound: str | None = None) -> None:
        own = f"[{bound}]" if bound and ":" in bound else bound or ""
        names = [*LOOPBACK, urlsplit(url).netloc.rpartition("@")[2], own, *setting.split(",")]
        self._names = {found for name in names if (found := _name(name))}
        self._below = tuple(name.removeprefix("*") for name in self._names if name.startswith("*."))
        self._addresses = bound in EVERY_ADDRESS

    def allow(self, host: str) -> bool:
        """Whether a request may name this host; a port is ignored."""
        name = _name(host)
        known = bool({"*", name} & self._names) or name.endswith(self._below)
        return bool(name) and (known or (self._addresses and _is_address(name)))


def _name(host: str) -> str:
    """A host without its port, in lower case; empty where it is malformed."""
    found = _HOST.fullmatch(host.strip().lower())
    return found[1].removesuffix(".") if found else ""


def _is_address(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


class CorsPolicy:
    """Allowed origins: a setting separated by commas, `*` for all (https://fetch.spec.whatwg.org/#http-cors-protocol)."""

    def __init__(self, setting: str) -> None:
        self._allowed = {part.strip().rstrip("/").encode() for part in setting.split(",") if part.strip()}

    def allows(self, origin: bytes | None) -> bool:
        """Whether the origin is allowed."""
        return b"*" in self._allowed or origin in self._allowed

    def headers(self, origin: bytes | None) -> Headers:
        """The CORS headers of an answer to a page of this origin."""
        every = b"*" in self._allowed
        varies = [(b"vary", b"Origin")] if self._allowed and not every else []
        if not self.allows(origin):
            return varies
        named = b"*" if every else origin or b""
        return [*varies, (b"access-control-allow-origin", named), (b"access-control-expose-headers", EXPOSED)]


@dataclass(frozen=True)
class RequestChecks:
    """ASGI middleware: pages of the origins `readers` may read, pages of `senders` may send forms."""

    app: ASGIApp
    hosts: AllowedHosts
    meter: Metrics
    max_body: int
    readers: CorsPolicy
    senders: CorsPolicy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse or pass on; every exception becomes a problem document, unknown ones are logged once."""
        headers = dict(scope["headers"])
        given = headers.get(b"x-request-id", b"")
        request = given if given and _ID.fullmatch(given) else uuid4().hex.encode()
        scope.setdefault("state", {})["request_id"] = request
        origin = headers.get(b"origin")
        extra = [(b"x-request-id", request), *self.readers.headers(origin), NOSNIFF]
        own = scope.get("scheme", "http").encode() + b"://" + headers.get(b"host", b"")
        sender = _Sender(send, scope, own, extra, self.meter)
        try:
            self._check(scope, headers)
            if scope["method"] == "OPTIONS" and b"access-control-request-method" in headers:
                allowed = READING if self.readers.allows(origin) else {}
                await Response(status_code=204, headers=allowed)(scope, receive, sender)
            else:
                await self.app(scope, receive, sender)
        except ClientDisconnect:
            return
        except Exception as error:  # noqa: BLE001  # every failure is logged here, once, and answered
            if not isinstance(error, (ProblemError, *KNOWN)):
                trace = "".join(traceback.format_exception(error))  # without values of variables: one may be a token
                told = {"path": scope["path"], "request_id": request.decode(), "failed": str(error)}
                log("error", "request failed", **told, traceback=trace)
            if not sender.begun:
                path = scope["path"][:200].replace("\0", "")  # it may be unchecked
                await answer(path, problem_of(error))(scope, receive, sender)

    def _check(self, scope: Scope, headers: Mapping[bytes, bytes]) -> None:
        """Raise the problem with a request, if any."""
        method, path, length = scope["method"], scope["path"], headers.get(b"content-length", b"0")
        if sum(len(name) + len(value) for name, value in scope["headers"]) > MOST_HEADERS:
            raise ProblemError(*TOO_LARGE)
        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        if len(hosts) != 1:
            detail = f"The request has {len(hosts) or 'no'} Host headers; send one."
            raise ProblemError("malformed-request", detail)
        if not self.hosts.allow(hosts[0]):
            detail = f"The host {hosts[0][:100]!r} is not allowed; add it to the setting BRAIN_ALLOWED_HOSTS."
            raise ProblemError("host-not-allowed", detail)
        if method not in KNOWN_METHODS:
            raise ProblemError("method-unknown", f"There is no method {method[:40]}.")
        if method in UNSAFE and (site := self._other_site(headers)):
            detail = f"A page of {site} sent this {method} request; only pages of this service may."
            raise ProblemError("cross-site", detail)
        if len(scope["query_string"]) + len(path) > LONGEST:
            raise ProblemError("uri-too-long", f"The address is longer than {LONGEST} bytes.")
        if "\0" in path or b"%00" in scope["query_string"]:
            raise ProblemError("malformed-request", "The address holds a control character.")
        if int(length) > self.max_body and path not in SMALLER_BODIES:
            raise ProblemError("content-too-large", f"The body is larger than {self.max_body} bytes.")

    def _other_site(self, headers: Mapping[bytes, bytes]) -> str:
        """The other site whose page sent a request; empty for this site and for programs.

        Browsers send Sec-Fetch-Site, older ones only Origin; no page of another site can send a bearer token.
        """
        fetched, origin = headers.get(b"sec-fetch-site"), headers.get(b"origin")
        if fetched in {b"same-origin", b"none"} or headers.get(b"authorization", b"")[:7].lower() == b"bearer ":
            return ""
        if fetched is None and (origin is None or origin.partition(b"://")[2] == headers[b"host"]):
            return ""
        if self.senders.allows(origin):
            return ""
        return "another site" if origin is None or origin == b"null" else repr(origin[:100].decode("latin-1"))


class _Sender:
    """Sends answers: adds and removes headers, and counts."""

    def __init__(self, send: Send, scope: Scope, own: bytes, extra: Headers, meter: Metrics) -> None:
        self._send, self._own, self._extra, self._meter = send, own, extra, meter
        self._method, self._state = scope["method"], scope["state"]
        self._start, self.begun = time.perf_counter(), False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            message["headers"] = [*self._headers(message["headers"]), *self._extra]
            self._meter.count(self._method, message["status"], time.perf_counter() - self._start)
        await self._send(message)

    def _headers(self, given: Headers) -> Headers:
        """Remove the host of redirects; forbid shared caches to store answers to a token."""
        kept = [(name, value.removeprefix(self._own) if name == b"location" else value) for name, value in given]
        if self._state.get("access") and b"no-store" not in dict(kept).get(b"cache-control", b""):
            return [*(pair for pair in kept if pair[0] != b"cache-control"), (b"cache-control", b"private, no-cache")]
        return kept


class ReaderAccess:
    """ASGI middleware: puts the `hidden` brains, their `app_context` and the `access` of a token in a request's state.

    If the store cannot be read, it is unknown what is private: only the health of the service is answered.
    """

    def __init__(
        self,
        app: ASGIApp,
        brain: Brain,
        tokens: Authenticator,
        state: StoreState,
        context: Callable[[frozenset[str]], AppContext],
    ) -> None:
        self._app, self._brain, self._tokens, self._state, self._context = app, brain, tokens, state, context
        self._private, self._seen = brain.brains.private(), b""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with what its sender may see.

        Raises:
            ProblemError: the token is not valid.
            StoreError: the store cannot be reached.
        """
        access = await self._access(scope)
        hidden = access.hidden(self._private) if access else self._private
        app_context = await asyncio.to_thread(self._context, hidden) if hidden else self._context(hidden)
        scope["state"] |= {"hidden": hidden, "app_context": app_context, "access": access}
        await self._app(scope, receive, send)

    async def _access(self, scope: Scope) -> Access | None:
        """What the sender may do; rereads which brains are private if the store has changed."""
        given = {name: value.decode("latin-1") for name, value in scope["headers"]}
        try:
            state = scope["state"]["store"] = await self._state()
            if state != self._seen:
                self._private = await asyncio.to_thread(self._brain.brains.private)
                self._seen = state
            if (token := given.get(b"authorization")) is not None:
                return await asyncio.to_thread(self._tokens.access, token)
            if (session := cookie_parser(given.get(b"cookie", "")).get(COOKIE)) is not None:
                return await asyncio.to_thread(self._tokens.session_access, session)
        except InvalidTokenError:
            if scope["path"] not in UNLIMITED:
                raise ProblemError("unauthorized", REFUSED, CHALLENGE) from None
        except StoreError:
            if scope["path"] not in UNLIMITED:
                raise
        return None
