"""How many requests of one kind run at the same time; the others wait, and in the end get 503 with Retry-After."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from api.http.trouble import TroubleError


class Limit:
    """Lets `most` requests run at the same time. Use it on one event loop.

    `seconds` is how long a request waits for its turn, 0 for not at all; `busy` tells a refused client what goes on.
    """

    def __init__(self, most: int, seconds: float, busy: str) -> None:
        self._turns = asyncio.Semaphore(most)
        self._seconds, self._busy = seconds, busy

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """A turn, given back at the end of the block.

        Raises:
            TroubleError: 503, there was none in time.
        """
        if self._turns.locked():
            await self._wait()
        else:
            await self._turns.acquire()  # does not wait: a turn is free
        try:
            yield
        finally:
            self._turns.release()

    async def _wait(self) -> None:
        try:
            if self._seconds <= 0:
                raise TimeoutError
            async with asyncio.timeout(self._seconds):
                await self._turns.acquire()
        except TimeoutError:
            raise TroubleError("unavailable", f"{self._busy}; try again.", {"Retry-After": "5"}) from None
