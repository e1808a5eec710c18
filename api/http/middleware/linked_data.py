"""The same thing at two addresses: the IRI of a thing, which is its page, and its data under `/v1`.

An IRI such as `/nodes/analyst/kv-cache` answers with the page, or with what `/v1/nodes/analyst/kv-cache` answers:
as the Accept header weighs HTML against the forms of the data (RFC 9110, section 12.5.1), or as `?format=` says. Where
a caller likes both alike, the page is given; where the service has no pages, always the data.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Receive, Scope, Send

from api.http.api_route import ApiRoute
from api.http.responses.content_negotiation import MEDIA
from graph.rdf.accept_header import quality

THINGS = re.compile(r"/(?:nodes|brains|claims|tags|sources|terms|documents|runs|snapshots|prices|assumptions)/.|/tags$")
"""Addresses that name one thing, and that of the scheme of tags."""
PUBLISHER = "/v1/publisher"
"""The data of the publisher, whose IRI is a fragment of the first page."""


class LinkedDataMiddleware:
    """ASGI middleware; `routes` are those of the API, in the order in which they are tried."""

    def __init__(self, app: ASGIApp, routes: Iterable[ApiRoute], *, pages: bool) -> None:
        self._app, self._pages = app, pages
        listed = [route for route in routes if route.method == "GET" and route.path.startswith("/v1/")]
        self._forms = [(route.path_regex, route.forms) for route in listed]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Ask for the data where the page will not do."""
        if scope["type"] == "http" and scope["method"] in {"GET", "HEAD"}:
            path = scope["path"]
            data = PUBLISHER if path == "/" else f"/v1{path}" if THINGS.match(path) else None
            if data is not None and self._prefers(scope, data):
                raw = data.encode() if data == PUBLISHER else b"/v1" + scope.get("raw_path", b"")
                scope = {**scope, "path": data, "raw_path": raw}
        await self._app(scope, receive, send)

    def _prefers(self, scope: Scope, data: str) -> bool:
        """Whether the request prefers the data at an address to the page."""
        asked = parse_qs(scope["query_string"].decode("latin-1")).get("format")
        if asked is not None or not self._pages:
            return asked != ["html"] or not self._pages
        accept = dict(scope["headers"]).get(b"accept", b"*/*").decode("latin-1")
        forms = next((forms for pattern, forms in self._forms if pattern.match(data)), ())
        page = quality(MEDIA["html"], accept)
        return page == 0 or any(quality(MEDIA[form], accept) > page for form in forms if form != "html")
