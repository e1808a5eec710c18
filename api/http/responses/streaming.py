"""Answers that are sent piece by piece while they are made, and stopped when the client is gone.

    turn ─▶ first piece ─▶ headers ─▶ piece ─▶ piece … ─▶ iterator closed ─▶ turn given back

The iterator holds database connections. It is closed in every case: at the end, on an error, on a client that hung up
or stopped reading. HEAD never makes it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping

from fastapi import Response
from fastapi.concurrency import run_in_threadpool
from starlette.types import Receive, Scope, Send

from api.http.middleware.concurrency_limits import Limit, disconnected
from graph.log_lines import log

PIECE = 64 * 1024
"""At least this many bytes are sent at a time, except at the end."""
STALLED = 60.0
"""Seconds after which a client that reads nothing is given up."""


class Stream(Response):
    """An answer made by an iterator. `pieces` makes the iterator and is called in a thread, after a turn of `limit`."""

    def __init__(
        self,
        pieces: Callable[[], Iterator[bytes]],
        limit: Limit,
        *,
        headers: Mapping[str, str],
        media_type: str,
        stalled: float = STALLED,
    ) -> None:
        super().__init__(headers=headers, media_type=media_type)
        del self.headers["content-length"]
        self._pieces, self._limit, self._stalled = pieces, limit, stalled

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send every piece, or stop when the client is gone; to HEAD the headers alone."""
        begin = {"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers}
        if asks_for_headers(scope):
            await send(begin)
            await send({"type": "http.response.body", "body": b""})
            return
        async with self._limit.turn():
            gone = asyncio.ensure_future(disconnected(receive))  # servers let `send` return at once then
            pieces: Iterator[bytes] = iter(())
            try:
                pieces = await run_in_threadpool(self._pieces)
                piece = await run_in_threadpool(_next, pieces)  # before the headers: what fails here is still a problem
                await send(begin)
                while piece and not gone.done():
                    async with asyncio.timeout(self._stalled):
                        await send({"type": "http.response.body", "body": piece, "more_body": True})
                    piece = await run_in_threadpool(_next, pieces)
                await send({"type": "http.response.body", "body": b""})
            except TimeoutError:
                log("warning", "client stopped reading", path=scope["path"], seconds=self._stalled)
            finally:
                gone.cancel()
                await asyncio.shield(run_in_threadpool(getattr(pieces, "close", list)))


def _next(pieces: Iterator[bytes]) -> bytes:
    """The next `PIECE` bytes or more, empty at the end."""
    found = bytearray()
    for part in pieces:
        found += part
        if len(found) >= PIECE:
            break
    return bytes(found)


def asks_for_headers(scope: Scope) -> bool:
    """Is the request HEAD? Its `method` reads GET behind the cache layer, which notes HEAD in the state."""
    return bool(scope.get("state", {}).get("head")) or scope["method"] == "HEAD"
