"""The same thing at two addresses: the IRI of a thing, which is its page, and its data under `/v1`.

An IRI such as `/nodes/analyst/kv-cache` answers with the page, or with what `/v1/nodes/analyst/kv-cache` answers:
as the Accept header weighs HTML against the forms of the data (RFC 9110, section 12.5.1), or as `?format=` says. Where
a caller likes both alike, the page is given; where the service has no pages, always the data.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any
from urllib.parse import parse_qs

from api.http.api_route import ApiRoute
from api.http.responses.content_negotiation import MEDIA
from graph.rdf.accept_header import quality

Scope = MutableMapping[str, Any]
App = Callable[[Scope, Callable[[], Awaitable[Any]], Callable[[Any], Awaitable[None]]], Awaitable[None]]

THINGS = re.compile(r"/(?:nodes|brains|claims|tags|sources|terms|documents|runs|snapshots|prices|assumptions)/.|/tags$")
"""Addresses that name one thing, and that of the scheme of tags."""

PUBLISHER = ("/", "/v1/publisher")
"""The IRI of the publisher is a fragment of the first page."""


class LinkedDataMiddleware:
    """ASGI middleware; `routes` are those of the API, in the order in which they are tried."""

    def __init__(self, app: App, routes: Iterable[ApiRoute], *, pages: bool) -> None:
        self._app, self._pages = app, pages
        listed = [route for route in routes if route.method == "GET" and route.path.startswith("/v1/")]
        self._forms = [(route.path_regex, route.forms) for route in listed]

    async def __call__(
        self, scope: Scope, receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]
    ) -> None:
        """Ask for the data where the page will not do."""
        data = self._data(scope["path"]) if scope["type"] == "http" and scope["method"] in {"GET", "HEAD"} else None
        if data is not None and self._requested(scope, self._offered(data)):
            raw = scope.get("raw_path", b"")
            scope = {**scope, "path": data, "raw_path": data.encode() if data == PUBLISHER[1] else b"/v1" + raw}
        await self._app(scope, receive, send)

    def _data(self, path: str) -> str | None:
        """The address of the data of an IRI."""
        if path == PUBLISHER[0]:
            return PUBLISHER[1]
        return f"/v1{path}" if THINGS.match(path) else None

    def _offered(self, path: str) -> tuple[str, ...]:
        return next((forms for pattern, forms in self._forms if pattern.match(path)), ())

    def _requested(self, scope: Scope, forms: tuple[str, ...]) -> bool:
        """Whether the request prefers data to the page."""
        asked = parse_qs(scope["query_string"].decode("latin-1")).get("format")
        if asked is not None or not self._pages:
            return asked != ["html"] or not self._pages
        accept = dict(scope["headers"]).get(b"accept", b"*/*").decode("latin-1")
        page = quality(MEDIA["html"], accept)
        return page == 0 or any(quality(MEDIA[form], accept) > page for form in forms if form != "html")
