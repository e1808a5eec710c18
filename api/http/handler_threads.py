"""Threads that run the handlers of requests: one at a time, while each is done soon.

    request ─▶ queue ─▶ the thread at work takes one after the other ─▶ finished ones back to the event loop, together

One thread runs Python at a time. With a thread for each request, the threads compete for the interpreter after every
statement to the database, which costs more than a short read itself. So one thread works through the queue, and another
one joins only where a handler takes longer than `PATIENCE`: a slow handler delays other requests only briefly.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

Result = TypeVar("Result")

PATIENCE = 0.005
"""Seconds after which a handler that is not done gets company, if others wait."""
MOST = 40
"""The most threads; the limits of `HttpCacheMiddleware` let fewer requests than that wait for one."""
IDLE_SECONDS = 10.0
"""Seconds without work after which a thread ends."""


class _Job(NamedTuple):
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    work: Callable[[], Any]


class _Outcome(NamedTuple):
    future: asyncio.Future[Any]
    value: Any
    error: BaseException | None

    def deliver(self) -> None:
        """Hand it to the request, unless that was cancelled."""
        if self.future.done():
            return
        if self.error is None:
            self.future.set_result(self.value)
        else:
            self.future.set_exception(self.error)


class HandlerThreads:
    """Runs functions in threads; `run` is called on one event loop at a time."""

    def __init__(self, most: int = MOST, patience: float = PATIENCE) -> None:
        self._most, self._patience = most, patience
        self._lock = threading.Lock()
        self._jobs: deque[_Job] = deque()
        self._outcomes: deque[_Outcome] = deque()
        self._free = threading.Semaphore(0)
        self._idle = self._working = self._finished = 0
        self._watched = False
        self._reported = False

    async def run(self, work: Callable[[], Result]) -> Result:
        """The result of `work`, or its exception."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        with self._lock:
            self._jobs.append(_Job(loop, future, work))
            alone = not self._working
        if alone:
            self._join()
        elif not self._watched:
            self._watch(loop)
        return cast("Result", await future)

    def _watch(self, loop: asyncio.AbstractEventLoop) -> None:
        self._watched = True
        loop.call_later(self._patience, self._look, loop, self._finished)

    def _look(self, loop: asyncio.AbstractEventLoop, finished: int) -> None:
        """Let another thread join where none has finished anything since the last look."""
        self._watched = False
        with self._lock:
            waiting, stuck = bool(self._jobs), self._finished == finished and self._working < self._most
        if waiting and stuck:
            self._join()
        if waiting:
            self._watch(loop)

    def _join(self) -> None:
        """Wake an idle thread, or start one."""
        with self._lock:
            self._working += 1
            starting = not self._idle
            self._idle -= 0 if starting else 1
        if starting:
            threading.Thread(target=self._live, name="handler", daemon=True).start()
        else:
            self._free.release()

    def _live(self) -> None:
        while True:
            self._work()
            if not self._free.acquire(timeout=IDLE_SECONDS) and not self._called():
                return

    def _called(self) -> bool:
        """After a wait in vain: whether this thread was called at the last moment; else it is no longer counted."""
        with self._lock:
            if self._free.acquire(blocking=False):
                return True
            if self._idle:
                self._idle -= 1
                return False
        return self._free.acquire()  # it is counted as called, and the call is on its way

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._jobs:
                    self._working -= 1
                    self._idle += 1
                    return
                job = self._jobs.popleft()
            self._report(job.loop, _outcome(job))

    def _report(self, loop: asyncio.AbstractEventLoop, outcome: _Outcome) -> None:
        """Hand an outcome to the event loop, together with those that it has not taken yet."""
        self._finished += 1
        self._outcomes.append(outcome)
        with self._lock:
            waking, self._reported = not self._reported, True
        if waking:
            try:
                loop.call_soon_threadsafe(self._deliver)
            except RuntimeError:  # the event loop has ended
                self._reported = False

    def _deliver(self) -> None:
        with self._lock:
            self._reported = False
            outcomes = list(self._outcomes)
            self._outcomes.clear()
        for outcome in outcomes:
            outcome.deliver()


def _outcome(job: _Job) -> _Outcome:
    try:
        return _Outcome(job.future, job.work(), None)
    except BaseException as error:  # noqa: BLE001  # it belongs to the request
        return _Outcome(job.future, None, error)
