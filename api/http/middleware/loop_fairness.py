"""Fairness of the event loop: one answer is computed in each of its rounds, and everything else runs in between.

uvloop accepts one new connection in a round. Where a round computed an answer for each of 31 busy connections, the 32nd
waited for 31 of them, and all those before it too: 0.3 s in sum, with a millisecond for an answer.
"""

from __future__ import annotations

import asyncio
from collections import deque


class RoundLimiter:
    """Lets one request a round go on, in the order in which they wait. Use it on one event loop."""

    def __init__(self) -> None:
        self._busy = False
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def next_round(self) -> None:
        """Wait until no other request went on in this round of the event loop."""
        loop = asyncio.get_running_loop()
        if not self._busy:
            self._busy = True
            loop.call_soon(self._next, loop)
            return
        waiting: asyncio.Future[None] = loop.create_future()
        self._waiting.append(waiting)
        await waiting

    def _next(self, loop: asyncio.AbstractEventLoop) -> None:
        while self._waiting:
            first = self._waiting.popleft()
            if not first.done():  # its request was cancelled
                first.set_result(None)
                loop.call_soon(self._next, loop)
                return
        self._busy = False
