"""The same thing at two addresses: the IRI of a page, and its twin under `/v1`.

An IRI of the graph, such as `/nodes/analyst/kv-cache`, is the address of a page. Who asks for it without accepting
HTML, or with `?format=`, is given the twin `/v1/nodes/analyst/kv-cache`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from graph.rdf.accept import quality

Scope = MutableMapping[str, Any]
App = Callable[[Scope, Callable[[], Awaitable[Any]], Callable[[Any], Awaitable[None]]], Awaitable[None]]

ROOMS = ("/nodes/", "/claims/", "/tags/", "/sources/", "/terms/", "/runs/")


class Twins:
    """ASGI middleware."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(
        self, scope: Scope, receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]
    ) -> None:
        """Ask for the twin where the page will not do."""
        if scope["type"] == "http" and scope["path"].startswith(ROOMS) and _wants_data(scope):
            twin = "/v1" + scope["path"]
            scope = {**scope, "path": twin, "raw_path": b"/v1" + scope.get("raw_path", b"")}
        await self._app(scope, receive, send)


def _wants_data(scope: Scope) -> bool:
    path, query = scope["path"], scope["query_string"]
    if path.startswith("/runs/") and "/claims/" in path:
        return True  # a verdict of a run has no page of its own
    if b"format=" in query:
        return b"format=html" not in query
    accept = dict(scope["headers"]).get(b"accept", b"*/*").decode("latin-1")
    return quality("text/html", accept) == 0
