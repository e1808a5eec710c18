"""Limits on concurrent requests, and streamed answers.

    first piece ─▶ headers ─▶ piece ─▶ piece … ─▶ iterator closed

The iterator of the pieces has database connections open. It is closed in every case: at the end, on an error, on a
client that hung up or stopped reading. HEAD never makes it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from api.http.responses.problem_details import ProblemError
from graph.log_lines import log

PIECE = 64 * 1024  # the fewest bytes sent at a time, except at the end
STALLED = 60.0  # seconds before a client that reads nothing is dropped


class Limit:
    """Lets `most` requests of one event loop run at once; the others wait up to `seconds`, then get 503 with `busy`."""

    def __init__(self, most: int, seconds: float, busy: str) -> None:
        self._turns = asyncio.Semaphore(most)
        self._seconds, self._busy = seconds, busy

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """A turn until the end of the block."""
        await (self._wait() if self._turns.locked() else self._turns.acquire())
        try:
            yield
        finally:
            self._turns.release()

    async def _wait(self) -> None:
        try:
            async with asyncio.timeout(self._seconds):
                await self._turns.acquire()
        except TimeoutError:
            raise ProblemError("unavailable", f"{self._busy}; try again.", {"Retry-After": "5"}) from None


class QuickAnswers(Limit):
    """A limit that starts one request at a time: the next when that is done, or after `quick` seconds.

    Threads that compete for the interpreter take up to twice the time that they take one after another.
    """

    def __init__(self, most: int, seconds: float, busy: str, quick: float) -> None:
        super().__init__(most, seconds, busy)
        self._quick, self._start = quick, asyncio.Semaphore(1)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """As `Limit.turn`, but also waits until the request before is done or `quick` seconds old."""
        async with super().turn():
            await self._start.acquire()
            waiting = [self._start.release]

            def start() -> None:
                if waiting:
                    waiting.pop()()

            timer = asyncio.get_running_loop().call_later(self._quick, start)
            try:
                yield
            finally:
                timer.cancel()
                start()


async def disconnected(receive: Receive) -> None:
    """Wait until the client has hung up."""
    while (await receive())["type"] != "http.disconnect":
        pass


class Stream(Response):
    """An answer sent while it is made; `pieces` makes its iterator, in a thread."""

    def __init__(self, pieces: Callable[[], Iterator[bytes]], *, headers: Mapping[str, str], media_type: str) -> None:
        super().__init__(headers=headers, media_type=media_type)
        del self.headers["content-length"]
        self._pieces = pieces

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send every piece, until the client is gone; to HEAD only the headers."""
        begin = {"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers}
        if scope.get("state", {}).get("head"):  # the method is GET behind the cache
            await send(begin)
            await send({"type": "http.response.body", "body": b""})
            return
        gone = asyncio.ensure_future(disconnected(receive))  # servers let `send` return at once then
        pieces: Iterator[bytes] = iter(())
        try:
            pieces = await run_in_threadpool(self._pieces)
            piece = await run_in_threadpool(_next, pieces)  # before the headers: what fails here is still a problem
            await send(begin)
            while piece and not gone.done():
                async with asyncio.timeout(STALLED):
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
                piece = await run_in_threadpool(_next, pieces)
            await send({"type": "http.response.body", "body": b""})
        except TimeoutError:
            log("warning", "client stopped reading", path=scope["path"], seconds=STALLED)
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
