"""What is read from a request: its body, up to a limit and of the types that a route takes, and its address."""

from __future__ import annotations

import re
from collections.abc import Sequence

from starlette.requests import Request

from api.brain import Brain
from api.http.responses.problem_details import ProblemError

_HOST = re.compile(r"(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?")


def media_of(request: Request, accepted: Sequence[str]) -> str:
    """The media type of a body, without its parameters; the first accepted one where none is given.

    Raises:
        ProblemError: it is not accepted, or the body is compressed.
    """
    given = request.headers.get("content-type", accepted[0]).partition(";")[0].strip().lower()
    coding = request.headers.get("content-encoding", "identity").strip().lower()
    if given not in accepted or coding != "identity":
        said = f"A body of {(given if coding == 'identity' else f'{given} in {coding}')[:80]} is not read here."
        raise ProblemError("unsupported-media-type", said, accepted=list(accepted))
    return given


async def body_of(request: Request, most: int, hint: str = "") -> bytes:
    """The body, at most `most` bytes of it; `hint` is what to do with a larger one.

    Raises:
        ProblemError: it is longer, whatever its length was said to be.
    """
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > most:
            said = f"The body is larger than {most} bytes. {hint}".rstrip()
            raise ProblemError("content-too-large", said, {"Connection": "close"})
    return bytes(body)


def site_of(request: Request) -> str:
    """The public address where one is set, else the one that the request was sent to; without a slash at its end."""
    brain: Brain = request.state.desk.brain
    scope, host = request.scope, request.headers.get("host", "")
    if brain.settings.url or not _HOST.fullmatch(host):
        return brain.site
    return f"{scope['scheme']}://{host}{scope.get('app_root_path', scope.get('root_path', ''))}".rstrip("/")
