"""Request bodies: read up to a limit, and only of the media types that a route takes."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import Request

from api.http.responses.problem_details import ProblemError


def media_of(request: Request, accepted: Sequence[str]) -> str:
    """The media type of a body, without its parameters; the first accepted one where none is given.

    Raises:
        ProblemError: it is not accepted, or the body is compressed.
    """
    given = request.headers.get("content-type", accepted[0]).partition(";")[0].strip().lower()
    coding = request.headers.get("content-encoding", "identity").strip().lower()
    if given not in accepted or coding != "identity":
        said = given if coding == "identity" else f"{given} in {coding}"
        raise ProblemError(
            "unsupported-media-type", f"A body of {said[:80]} is not read here.", accepted=list(accepted)
        )
    return given


async def body_of(request: Request, most: int, hint: str = "") -> bytes:
    """The body, at most `most` bytes of it; `hint` is what to do with a larger one.

    Raises:
        ProblemError: it is longer, whatever its length was said to be.
    """
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            told = f"The body is larger than {most} bytes. {hint}".rstrip()
            raise ProblemError("content-too-large", told, {"Connection": "close"})
        parts.append(part)
    return b"".join(parts)
