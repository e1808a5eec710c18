"""Which service answers a request: that of the view which the caller may see.

    request ─▶ token ─▶ private brains that the caller may not see ─▶ service over the view without them

Each view has a service of its own: routes, pages, caches of answers, search index, SPARQL. So nothing that was computed
for one caller is given to another who may see less. If no brain is private, there is one service for everybody.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from starlette.types import ASGIApp, Receive, Scope, Send

from api.brain import Brain
from api.http.middleware.http_cache import StoreState
from api.services.access import Access, Authenticator, InvalidTokenError
from graph.store.store_errors import StoreError


@dataclass(frozen=True)
class Service:
    """A service over one view, and what ends it."""

    app: ASGIApp
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
        self._tokens = Authenticator(brain.store, brain.settings.token)
        self._services = {frozenset[str](): make(brain)}
        self._private, self._seen = brain.brains.private(), b""
        self._making = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the service for its caller."""
        hidden = frozenset[str]()
        if scope["type"] == "http":
            access = await self._access(scope)
            hidden = access.hidden(self._private) if access else self._private
        service = self._services.get(hidden) or await self._made(hidden)
        await service.app(scope, receive, send)
        if scope["type"] == "lifespan":
            self._close(lambda _hidden: True)

    async def _access(self, scope: Scope) -> Access | None:
        """What the caller may do; reads again which brains are private where the store has changed."""
        given = next((value for name, value in scope["headers"] if name == b"authorization"), None)
        found = scope.setdefault("state", {})
        try:
            state = found["store"] = await self._state()
            if state != self._seen:
                self._private = await asyncio.to_thread(self._brain.brains.private)
                self._seen = state
            if given is not None:
                access = found["access"] = await asyncio.to_thread(self._checked, given.decode("latin-1"))
                return access
        except InvalidTokenError:
            found["invalid_token"] = True
        except StoreError as error:
            found["lost"] = error
        return None

    def _checked(self, given: str) -> Access | None:
        today = self._clock().date()
        return self._tokens.access(given, today) if self._tokens.exists(today) else None

    async def _made(self, hidden: frozenset[str]) -> Service:
        async with self._making:
            if hidden not in self._services:
                self._services[hidden] = await asyncio.to_thread(lambda: self._make(self._brain.views.without(hidden)))
                self._close(lambda one: not self._brain.views.holds(one))
            return self._services[hidden]

    def _close(self, gone: Callable[[frozenset[str]], bool]) -> None:
        """End the services of views that are gone; the one for everybody ends with its own lifespan."""
        for hidden in [one for one in self._services if one and gone(one)]:
            self._services.pop(hidden).close()
