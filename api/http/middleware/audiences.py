"""Which service answers a request: that of the view which the caller may see.

    request ─▶ token ─▶ private brains that the caller may not see ─▶ service over the view without them

Each view has a service of its own: routes, pages, caches of answers, search index, SPARQL. So nothing that was computed
for one caller is given to another who may see less. If no brain is private, there is one service for everybody.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from api.brain import Brain
from api.http.middleware.answer_cache import StoreState
from api.services.access import Access, Authenticator, InvalidTokenError
from graph.store.store_errors import StoreError

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


@dataclass(frozen=True)
class Service:
    """A service over one view, and what ends it."""

    app: App
    close: Callable[[], None]


class Audiences:
    """ASGI application over a brain and its views; `make` builds the service over one of them.

    A request with a valid token has its `Access` in `scope["state"]`, one with an invalid token `invalid_token`. If the
    store could not be read, it has the error as `lost` and gets 503, because what is private is not known.
    """

    def __init__(
        self, brain: Brain, make: Callable[[Brain], Service], state: StoreState, clock: Callable[[], datetime]
    ) -> None:
        self._brain, self._make, self._state, self._clock = brain, make, state, clock
        self._tokens = Authenticator(brain.store, _fixed(brain))
        self._all = make(brain)
        self._services: dict[frozenset[str], Service] = {frozenset(): self._all}
        self._private, self._seen = brain.brains.private(), b""
        self._making = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the service for its caller."""
        if scope["type"] != "http":
            await self._all.app(scope, receive, send)
            await self._ended(scope)
            return
        access = await self._access(scope)
        hidden = access.hidden(self._private) if access else self._private
        service = self._services.get(hidden) or await self._made(hidden)
        await service.app(scope, receive, _private_answers(send) if access else send)

    async def _access(self, scope: Scope) -> Access | None:
        """What the caller may do; reads again which brains are private where the store has changed."""
        given = next((value for name, value in scope["headers"] if name == b"authorization"), None)
        try:
            state = scope.setdefault("state", {})["store"] = await self._state()
            if state != self._seen:
                self._private = await asyncio.to_thread(self._brain.brains.private)
                self._seen = state
            if given is None:
                return None
            access = await asyncio.to_thread(self._checked, given.decode("latin-1"))
        except InvalidTokenError:
            scope.setdefault("state", {})["invalid_token"] = True
            return None
        except StoreError as error:
            scope.setdefault("state", {})["lost"] = error
            return None
        scope.setdefault("state", {})["access"] = access
        return access

    def _checked(self, given: str) -> Access | None:
        today = self._clock().date()
        return self._tokens.access(given, today) if self._tokens.exists(today) else None

    async def _made(self, hidden: frozenset[str]) -> Service:
        async with self._making:
            if hidden not in self._services:
                self._services[hidden] = await asyncio.to_thread(lambda: self._make(self._brain.views.without(hidden)))
                for old in [one for one in self._services if one and not self._brain.views.holds(one)]:
                    self._services.pop(old).close()
            return self._services[hidden]

    async def _ended(self, scope: Scope) -> None:
        if scope["type"] == "lifespan":
            for hidden in [one for one in self._services if one]:
                self._services.pop(hidden).close()


def _fixed(brain: Brain) -> str | None:
    """The token of the settings."""
    token = brain.settings.token
    return token.get_secret_value() if token else None


def _private_answers(send: Send) -> Send:
    """Lets no shared cache keep an answer to a request with a token."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [
                (name, b"private, no-cache") if name == b"cache-control" and b"no-store" not in value else (name, value)
                for name, value in message["headers"]
            ]
            if not any(name == b"cache-control" for name, _ in message["headers"]):
                message["headers"].append((b"cache-control", b"private, no-cache"))
        await send(message)

    return sent
