"""How many requests of one kind run at the same time.

The others wait, until their client hangs up or the time is over: then they get 503 with Retry-After.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.requests import ClientDisconnect
from starlette.types import Receive

from api.http.responses.problem_details import ProblemError


class Limit:
    """Lets `most` requests run at the same time. Use it on one event loop.

    `seconds` is how long a request waits for its turn, 0 for not at all; `busy` is the message for a refused client.
    """

    def __init__(self, most: int, seconds: float, busy: str) -> None:
        self._turns = asyncio.Semaphore(most)
        self._seconds, self._busy = seconds, busy
        self.waiting = 0
        """How many requests wait for a turn now."""

    @asynccontextmanager
    async def turn(self, receive: Receive | None = None) -> AsyncIterator[None]:
        """A turn, given back at the end of the block.

        With `receive`, a request without a body stops waiting when its client hangs up.

        Raises:
            ProblemError: 503, there was none in time.
            ClientDisconnect: the client hung up while it waited.
        """
        await (self._wait(receive) if self._turns.locked() else self._turns.acquire())
        try:
            yield
        finally:
            self._turns.release()

    async def _wait(self, receive: Receive | None) -> None:
        refusal = ProblemError("unavailable", f"{self._busy}; try again.", {"Retry-After": "5"})
        if self._seconds <= 0:
            raise refusal
        acquired = asyncio.ensure_future(self._turns.acquire())
        gone = asyncio.ensure_future(disconnected(receive)) if receive else asyncio.get_running_loop().create_future()
        self.waiting += 1
        try:
            await asyncio.wait({acquired, gone}, timeout=self._seconds, return_when=asyncio.FIRST_COMPLETED)
            if gone.done():
                raise ClientDisconnect
            if not acquired.done():
                raise refusal
        except BaseException:
            acquired.cancel()
            (came,) = await asyncio.gather(acquired, return_exceptions=True)
            if came is True:  # a turn that came all the same is given back
                self._turns.release()
            raise
        finally:
            self.waiting -= 1
            gone.cancel()


async def disconnected(receive: Receive) -> None:
    """Wait until the client has hung up."""
    while (await receive())["type"] != "http.disconnect":
        pass
