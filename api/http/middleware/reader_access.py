"""Who sends a request, and which brains do not exist for them.

    request ─▶ token or session ─▶ private brains that the reader may not see ─▶ the context of this reader ─▶ service

The set of hidden brains is a value of the request: the context reads the store with it, and cached answers have it in
their key. So nothing that was computed for one reader is given to another who may see less.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Receive, Scope, Send

from api.brain import Brain
from api.http.middleware.http_cache import UNLIMITED, StoreState
from api.http.responses.problem_details import ProblemError
from api.http.responses.request_context import AppContext
from api.services.access import COOKIE, Access, Authenticator, InvalidTokenError
from graph.store.store_errors import StoreError

REFUSED = "The token is unknown, revoked or expired."
CHALLENGE = {"WWW-Authenticate": 'Bearer realm="brain", error="invalid_token"'}


class ReaderAccess:
    """ASGI middleware: the state of a request gets `hidden`, the hidden brains, and `desk`, their context.

    A request with a valid token or session also has its `access` there. Where the store cannot be read, what is private
    is not known: nothing but the health of the service is answered.
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
        if scope["type"] == "http":
            access = await self._access(scope)
            hidden = access.hidden(self._private) if access else self._private
            desk = await asyncio.to_thread(self._context, hidden) if hidden else self._context(hidden)
            scope["state"] |= {"hidden": hidden, "desk": desk, "access": access}
        await self._app(scope, receive, send)

    async def _access(self, scope: Scope) -> Access | None:
        """What the sender may do; reads again which brains are private where the store has changed."""
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
