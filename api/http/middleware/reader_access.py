"""Who sends a request, and which brains do not exist for them.

    request ─▶ token or session ─▶ private brains that the reader may not see ─▶ the context of this reader ─▶ service

The set of hidden brains is a value of the request: the context reads the store with it, and cached answers have it in
their key. So nothing that was computed for one reader is given to another who may see less.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send

from api.brain import Brain
from api.http.middleware.http_cache import StoreState
from api.http.responses.request_context import AppContext
from api.services.access import COOKIE, Access, Authenticator, InvalidTokenError
from graph.store.store_errors import StoreError


class ReaderAccess:
    """ASGI middleware: `scope["state"]` gets `hidden`, the hidden brains, and `desk`, the context that `context` gives.

    A request with a valid token or session has its `access` there, one with an invalid token `invalid_token`. If the
    store could not be read, it has the error as `lost` and gets 503, because what is private is not known.
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
        """Pass a request on with what its sender may see."""
        if scope["type"] == "http":
            access = await self._access(scope)
            hidden = access.hidden(self._private) if access else self._private
            desk = await asyncio.to_thread(self._context, hidden) if hidden else self._context(hidden)
            scope["state"] |= {"hidden": hidden, "desk": desk}
        await self._app(scope, receive, send)

    async def _access(self, scope: Scope) -> Access | None:
        """What the sender may do; reads again which brains are private where the store has changed."""
        given = {name: value.decode("latin-1") for name, value in scope["headers"]}
        found = scope.setdefault("state", {})
        try:
            state = found["store"] = await self._state()
            if state != self._seen:
                self._private = await asyncio.to_thread(self._brain.brains.private)
                self._seen = state
            if (token := given.get(b"authorization")) is not None:
                access = await asyncio.to_thread(self._tokens.access, token)
            elif (session := _cookie(given.get(b"cookie", ""))) is not None:
                access = await asyncio.to_thread(self._tokens.session_access, session)
            else:
                return None
        except InvalidTokenError:
            found["invalid_token"] = True
        except StoreError as error:
            found["lost"] = error
        else:
            if access is not None:
                found["access"] = access
            return access
        return None


def _cookie(header: str) -> str | None:
    """The session in a `Cookie` header."""
    pairs = (part.strip().partition("=") for part in header.split(";"))
    return next((value for name, _, value in pairs if name == COOKIE), None)
