"""Computes pure functions in this process, in several, or on a Dask cluster, with the same results.

    items ─▶ chunks ─▶ executor ─▶ results, in the same order

A pool that a killed process broke is made again and its chunks are repeated; a cluster repeats those of a lost worker.
Only the calling process reads and writes the store, so a lost worker loses nothing.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import pickle
import re
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import closing, contextmanager, suppress
from functools import lru_cache
from itertools import islice
from threading import Thread
from typing import Any, TypeVar

from api.release import VERSION
from compute.units.units import Vocabulary, using, vocabulary

Item = TypeVar("Item")
Result = TypeVar("Result")

WAITING, TRIES = 3, 3
"""Chunks submitted for each process at a time, and how often one is submitted whose processes are lost."""

CONNECTING = 10.0  # seconds to wait for a scheduler, and for its first worker

STORED = "what this command stored before is complete; nothing else was stored"
LOST = f"workers failed repeatedly on the same task; {STORED}: {{why}}"

PROGRAM = f"{VERSION}, Python {sys.version_info.major}.{sys.version_info.minor}"
"""A worker and its caller must have the same version."""


class ClusterError(Exception):
    """Other processes cannot compute; what was stored before is complete."""


class Mapper:
    """Computes with the executor that `start` makes, for which functions and items are pickled, or in this process."""

    def __init__(self, start: Callable[[], Executor] | None = None, width: Callable[[], int] = lambda: 1) -> None:
        self._start, self._width = start, width
        self.remote = start is not None
        self._executor: Executor | None = None

    def map(
        self, function: Callable[[Item], Result], items: Iterable[Item], size: int, units: Vocabulary | None = None
    ) -> Iterator[Result]:
        """The results of a pure function for `items`, in order, read as the results are taken. Raises `ClusterError`.

        Other processes compute `size` items at a time, with these words for `units`, by default the present ones.
        """
        if self._start is None:
            yield from map(function, items)
            return
        pickled, stream, lost = pickle.dumps((function, units or vocabulary())), iter(items), 0
        most, chunks = WAITING * self._width(), deque[tuple[Item, ...]]()
        futures: deque[Future[Any]] = deque()
        while True:
            while len(chunks) < most and (chunk := tuple(islice(stream, size))):
                chunks.append(chunk)
            if not chunks:
                return
            self._executor = self._executor or self._start()
            try:
                waiting = islice(chunks, len(futures), None)
                futures.extend(self._executor.submit(compute_chunk, pickled, one, PROGRAM) for one in waiting)
                results = futures[0].result(timeout=CONNECTING)
            except BrokenExecutor as error:
                self.close()
                futures.clear()
                lost += 1
                if lost == TRIES:
                    raise ClusterError(LOST.format(why=error)) from error
                continue
            except TimeoutError:
                if futures[0].done():
                    raise
                self._width()  # notices that a cluster was lost
                continue
            lost = 0
            futures.popleft()
            chunks.popleft()
            yield from results

    def close(self) -> None:
        """End the processes that were started."""
        if self._executor is not None:
            self._executor.shutdown(cancel_futures=True)
            self._executor = None


HERE = Mapper()


@contextmanager
def mapper(workers: int | None = None, scheduler: str | None = None) -> Iterator[Mapper]:
    """A mapper over `workers` new processes or a scheduler's, else over this process. Raises `ClusterError`."""
    if scheduler:
        with _cluster(scheduler) as found:
            yield found
    elif workers is None:
        yield HERE
    else:
        context = multiprocessing.get_context("spawn")
        with closing(Mapper(lambda: ProcessPoolExecutor(workers, context, _begin), lambda: workers)) as found:
            yield found


@contextmanager
def _cluster(address: str) -> Iterator[Mapper]:
    if not re.fullmatch(r".+:\d+", address):
        raise ClusterError(f"{address!r} is not the address of a scheduler; write tcp://HOST:8786")
    import dask  # noqa: PLC0415  # an extra, and slow to load
    from distributed import Client, KilledWorker  # noqa: PLC0415  # the same

    for name in ("distributed", "distributed.client"):  # each has a level of its own
        logging.getLogger(name).setLevel(logging.CRITICAL)  # losses are reported by our own message
    with dask.config.set({"distributed.comm.timeouts.connect": CONNECTING, "distributed.comm.retry.count": 0}):
        try:
            client = Client(address, set_as_default=False, timeout=CONNECTING)
            client.wait_for_workers(1, timeout=CONNECTING)
        except (OSError, ValueError) as error:
            raise ClusterError(f"no Dask scheduler with workers at {address}: {error}") from error
        lost = f"the connection to the scheduler at {address} was lost; {STORED}"

        def width() -> int:
            try:
                return len(client.nthreads())
            except OSError as error:
                raise ClusterError(lost) from error

        try:
            yield Mapper(lambda: client.get_executor(pure=False), width)
        except KilledWorker as error:
            raise ClusterError(LOST.format(why=error)) from error
        except CancelledError as error:
            raise ClusterError(lost) from error
        finally:
            with suppress(OSError):  # a lost scheduler cannot answer
                client.close(timeout=2)


def _begin() -> None:
    """Start a pool process: it ends with its parent, which alone handles a Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=end_with_parent, daemon=True).start()


def end_with_parent() -> None:
    """Wait until the process that started this one has ended, then end this one."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


def compute_chunk(function: bytes, chunk: tuple[Any, ...], program: str) -> list[Any]:
    """In a worker, the results of a chunk. Raises `ClusterError` if the caller has another version."""
    if program != PROGRAM:
        raise ClusterError(f"a worker has another Brain ({PROGRAM}) than this process ({program}); update both")
    work, units = _function(function)
    with using(units):
        return [work(item) for item in chunk]


@lru_cache(maxsize=2)
def _function(data: bytes) -> Any:  # noqa: ANN401  # a function of any items, and the words for units
    """A pickled function and its units; what it caches, such as formulas, serves the next chunks."""
    return pickle.loads(data)  # noqa: S301  # made by the caller, who may run code anyway
