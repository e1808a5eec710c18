"""The address of the service as links and IRIs in an answer name it."""

from __future__ import annotations

import re
from functools import lru_cache

from starlette.requests import Request

from api.brain import Brain

_HOST = re.compile(r"(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?")


def site_of(brain: Brain, request: Request) -> str:
    """The public address where one is set, else the one that the request was sent to; without a slash at its end."""
    scope, host = request.scope, request.headers.get("host", "")
    if brain.settings.url or not _HOST.fullmatch(host):
        return brain.site
    root = scope.get("app_root_path", scope.get("root_path", ""))
    return _base(scope["scheme"], host, tuple(scope.get("server") or ()), root)


@lru_cache(maxsize=256)
def _base(scheme: str, host: str, server: tuple[str | int | None, ...], root: str) -> str:
    """The beginning of all addresses, as starlette finds it for a request."""
    headers = [(b"host", host.encode("latin-1"))]
    scope = {
        "type": "http",
        "scheme": scheme,
        "server": server or None,
        "root_path": root,
        "path": "/",
        "headers": headers,
    }
    return str(Request(scope).base_url).rstrip("/")
