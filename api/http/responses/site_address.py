"""The address of the service as links and IRIs in an answer name it."""

from __future__ import annotations

import re

from starlette.requests import Request

from api.brain import Brain

_HOST = re.compile(r"(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?")


def site_of(brain: Brain, request: Request) -> str:
    """The public address where one is set, else the one that the request was sent to; without a slash at its end."""
    if brain.settings.url or not _HOST.fullmatch(request.headers.get("host", "")):
        return brain.site
    return str(request.base_url).rstrip("/")
