"""Computes in several processes with Dask: a cluster of this machine, or one that runs already.

    function ─pickled once─▶ scheduler ─▶ each worker, which keeps it
    items ─▶ chunks, few at a time ─▶ a free worker ─▶ results, taken in the order of the chunks

A chunk takes about `SECONDS`: its size follows the measured time of those before. Dask computes the chunks of a lost
worker again on another one. The calling process has all state, so nothing is lost with a scheduler either.

Processes of this machine are started once `WORTH` seconds of work are done or to be expected, while the calling process
goes on: less work is done sooner without them.
"""

from __future__ import annotations

import atexit
import logging
import os
import pickle
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from concurrent.futures import Future as Future_
from contextlib import ExitStack, contextmanager, suppress
from copy import copy
from functools import lru_cache
from hashlib import sha256
from itertools import islice
from operator import length_hint
from pathlib import Path
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from api.release import VERSION
from api.services.task_mapper import HERE, Chunked, Item, Mapper, Result
from graph.garbage import uncollected

if TYPE_CHECKING:
    from distributed import Client, Future  # an extra: loaded where a cluster is used

SECONDS = 1.0
"""How long a chunk should take (CPU): much longer than the few milliseconds that Dask spends on it."""

WORTH = 5.0
"""Seconds of work (CPU) from which new processes are started: about what starting two takes (docs/scale.md)."""

EXPECTED = 3
"""How many times as much work has to be expected from the first items, before it is done: estimates are rough."""

SOON = 0.2
"""Seconds of work (CPU) after which the rest is estimated."""

LOCAL = 0.1
"""How long a chunk of the calling process should take before then."""

FIRST, MOST = 20, 5_000
"""Items of the first chunk, and of the largest."""

WAITING = 3
"""Chunks that are submitted for each thread of the cluster; the others are not made yet."""

CONNECTING = 10.0
"""Seconds to wait for a scheduler, and for its first worker."""

START = 60
"""Seconds to wait for the workers of this machine, which load the program."""

_ROOT = Path(__file__).parents[2]
_ONE_AT_A_TIME = Lock()


class ClusterError(Exception):
    """Other processes cannot compute; nothing was stored."""


class MissingDaskError(ClusterError):
    """Dask is not installed."""

    def __init__(self) -> None:
        super().__init__("several processes need Dask: pip install 'brain-claims[dask]'")


class NoProcessesError(ClusterError):
    """The processes of this machine do not start."""

    def __init__(self, workers: int, why: str) -> None:
        super().__init__(f"{workers} processes could not be started: {why}")


class NoSchedulerError(ClusterError):
    """No scheduler can be reached."""

    def __init__(self, address: str, why: str) -> None:
        super().__init__(f"no Dask scheduler at {address}: {why}")


class NoWorkersError(ClusterError):
    """A cluster has no workers."""

    def __init__(self, address: str) -> None:
        super().__init__(f"the cluster at {address} has no workers; start one with: dask worker {address}")


class LostSchedulerError(ClusterError):
    """The scheduler was lost while it was used."""

    def __init__(self, address: str) -> None:
        super().__init__(f"the connection to the Dask scheduler at {address} was lost; nothing was stored")


class LostWorkersError(ClusterError):
    """The same chunk was lost with several workers."""

    def __init__(self, why: str) -> None:
        super().__init__(f"workers were lost again and again on the same task; nothing was stored: {why}")


class OtherProgramError(ClusterError):
    """A worker has another version of this program."""

    def __init__(self, worker: str, here: str, there: str) -> None:
        super().__init__(
            f"the worker {worker} has another Brain ({there}) than this process ({here}); "
            "install the same version of Brain and of Python for all"
        )


class Traffic(NamedTuple):
    """What was exchanged with workers: bytes of pickled tasks and results, and chunks."""

    sent: int = 0
    received: int = 0
    chunks: int = 0


class DaskMapper:
    """Computes with the workers of a Dask client."""

    remote = True

    def __init__(self, client: Client, address: str) -> None:
        self._client, self._address = client, address
        self.traffic = Traffic()

    def map(self, function: Chunked[Item, Result], items: Iterable[Item]) -> Iterator[Result]:
        """The result of each item, in their order.

        Raises:
            LostSchedulerError: the scheduler cannot be reached any more.
            LostWorkersError: several workers were lost on the same chunk.
            OtherProgramError: a worker has another version of this program.
        """
        client, stream, size = self._client, iter(items), FIRST
        whole = pickle.dumps(function)
        self._count(sent=len(whole))
        shared = self._submit(_same, whole)
        waiting: deque[tuple[Future[Any], int]] = deque()
        try:
            most = WAITING * max(1, sum(client.nthreads().values()))
            while True:
                while len(waiting) < most and (chunk := tuple(islice(stream, size))):
                    packed = pickle.dumps(chunk, pickle.HIGHEST_PROTOCOL)
                    self._count(sent=len(packed), chunks=1)
                    waiting.append((self._submit(compute_chunk, shared, packed, program_digest()), len(chunk)))
                if not waiting:
                    return
                task, count = waiting.popleft()
                seconds, data = self._result(task)
                self._count(received=len(data))
                size = _size(count, seconds, size, SECONDS)
                yield from pickle.loads(data)  # noqa: S301  # made by our own workers
        finally:
            if client.status == "running":
                with suppress(Exception):
                    client.cancel([shared, *(one for one, _ in waiting)])

    def _count(self, sent: int = 0, received: int = 0, chunks: int = 0) -> None:
        before = self.traffic
        self.traffic = Traffic(before.sent + sent, before.received + received, before.chunks + chunks)

    def _submit(self, function: Any, *given: Any) -> Future[Any]:  # noqa: ANN401  # what Dask takes
        return self._client.submit(function, *given, key=f"brain-{uuid4().hex}", pure=False)

    def _result(self, task: Future[Any]) -> tuple[float, bytes]:
        """The result of a task; a connection that is lost meanwhile is noticed.

        It waits for the task by an event of its own: `Future.result(timeout=…)` cancels a result that is on its way.
        """
        from distributed.scheduler import KilledWorker  # noqa: PLC0415  # an extra

        done = Event()
        task.add_done_callback(lambda _: done.set())
        while not done.wait(1):
            if self._client.status != "running":
                raise LostSchedulerError(self._address)
        try:
            found: tuple[float, bytes] = task.result()
        except KilledWorker as error:
            raise LostWorkersError(str(error)) from error
        except (CancelledError, OSError) as error:
            raise LostSchedulerError(self._address) from error
        return found


class LateMapper:
    """Computes in this process until the work is worth new processes and these have started, then in those.

    `start` starts them; it is called once, in a thread of its own, while this process goes on.
    """

    remote = True

    def __init__(self, start: Callable[[], DaskMapper]) -> None:
        self._start, self._spent = start, 0.0
        self._starting: Future_[DaskMapper] | None = None

    def map(self, function: Chunked[Item, Result], items: Iterable[Item]) -> Iterator[Result]:
        """The result of each item, in their order.

        Raises:
            NoProcessesError: the processes do not start.
            LostSchedulerError, LostWorkersError, OtherProgramError: as `DaskMapper.map`.
        """
        left = length_hint(items)
        stream, size, unused = iter(items), 1, copy(function)  # what it keeps while it computes is not for sending
        spent = done = 0.0
        while self._starting is None or not self._starting.done():
            if not (chunk := tuple(islice(stream, size))):
                return
            begin = time.thread_time()
            results = function(chunk)
            seconds = time.thread_time() - begin
            self._spent, spent, done = self._spent + seconds, spent + seconds, done + len(chunk)
            size = _size(len(chunk), seconds, size, LOCAL)
            if self._starting is None:
                expected = spent / done * (left - done) if spent >= SOON else 0.0
                if self._spent >= WORTH or expected >= WORTH * EXPECTED:
                    self._begin()
            yield from results
        yield from self._starting.result().map(unused, stream)

    def _begin(self) -> None:
        """Starts the processes in a thread; its result is the mapper, or the error."""
        self._starting = Future_()
        Thread(target=_resolve, args=(self._starting, self._start), daemon=True).start()

    def wait(self) -> DaskMapper | None:
        """The processes once they have started; None if they were not to be started.

        Raises:
            NoProcessesError: they do not start.
        """
        return None if self._starting is None else self._starting.result()

    @property
    def note(self) -> str:
        """What to tell the user: that no processes were started, if it computed anything at all."""
        if self._starting is not None or not self._spent:
            return ""
        return f"computed in one process: {self._spent:.1f} s of work are too little for several (from {WORTH:g} s)"


def _resolve(promise: Future_[DaskMapper], start: Callable[[], DaskMapper]) -> None:
    try:
        promise.set_result(start())
    except BaseException as error:  # noqa: BLE001  # it is raised where the result is taken
        promise.set_exception(error)


def _size(count: int, seconds: float, before: int, wanted: float) -> int:
    """The size of the next chunks, which should take `wanted` seconds: at most twice that of the ones before."""
    return max(1, min(MOST, 2 * before, round(count * wanted / max(seconds, 1e-6))))


@contextmanager
def mapper(workers: int | None = None, scheduler: str | None = None) -> Iterator[Mapper]:
    """What computes: new processes of this machine, the workers of a scheduler, or, with neither, this process.

    New processes are started once there is enough work for them, and end with this.

    Raises:
        MissingDaskError: Dask is not installed.
        NoProcessesError, NoSchedulerError, NoWorkersError: the cluster cannot be used.
    """
    if workers is None and scheduler is None:
        yield HERE
        return
    try:
        import dask  # noqa: PLC0415  # an extra, and slow to load
        import distributed  # noqa: F401, PLC0415  # the same
    except ImportError as error:
        raise MissingDaskError from error
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # lost workers are reported in a sentence of our own
    with dask.config.set(_SETTINGS), ExitStack() as opened:
        if scheduler:
            yield DaskMapper(opened.enter_context(_existing(scheduler)), scheduler)
        else:
            late = LateMapper(lambda: DaskMapper(opened.enter_context(_local(workers or 1)), "this machine"))
            try:
                yield late
            finally:
                with suppress(Exception):
                    late.wait()  # what has begun to start is ended with the others


_SETTINGS = {
    "distributed.admin.large-graph-warning-threshold": "1GB",
    "distributed.comm.timeouts.connect": f"{CONNECTING:g}s",
    "distributed.comm.retry.count": 0,
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.admin.system-monitor.gil.enabled": False,
    "distributed.scheduler.active-memory-manager.start": False,
    "distributed.worker.profile.enabled": False,
}
"""No profiles and no monitors, whose ticks cost CPU time in each process. Work stealing stays on: a chunk is planned
where the function is, which is one worker at first, and the others steal it from there."""


@contextmanager
def _local(workers: int) -> Iterator[Client]:
    """New processes on this machine, of one thread each, which only this process can reach.

    Raises:
        NoProcessesError: they do not start.
    """
    from distributed import Client, LocalCluster  # noqa: PLC0415  # an extra

    with ExitStack() as opened:
        opened.enter_context(_without_main())
        try:
            cluster = opened.enter_context(
                LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    processes=True,
                    host="127.0.0.1",
                    dashboard_address="127.0.0.1:0",
                    worker_dashboard_address=None,
                    security=True,
                    silence_logs=logging.CRITICAL,
                )
            )
            client = opened.enter_context(Client(cluster, set_as_default=False))
            client.wait_for_workers(workers, timeout=START)
            client.run(leave_at_once)
        except (OSError, RuntimeError) as error:
            raise NoProcessesError(workers, str(error)) from error
        yield client


@contextmanager
def _without_main() -> Iterator[None]:
    """Keeps new processes, also those that replace a lost worker, from running the script of this process again."""
    main = sys.modules["__main__"]
    hidden: dict[str, Any] = {name: main.__dict__[name] for name in ("__file__", "__spec__") if name in main.__dict__}
    main.__dict__.pop("__file__", None)
    main.__spec__ = None
    try:
        yield
    finally:
        main.__dict__.update(hidden)


@contextmanager
def _existing(address: str) -> Iterator[Client]:
    """A cluster that runs already, and goes on afterwards."""
    from distributed import Client  # noqa: PLC0415  # an extra

    try:
        client = Client(address, set_as_default=False, timeout=CONNECTING)
    except (OSError, ValueError) as error:
        raise NoSchedulerError(address, str(error)) from error
    try:
        try:
            client.wait_for_workers(1, timeout=CONNECTING)
        except TimeoutError as error:
            raise NoWorkersError(address) from error
        yield client
    finally:
        with suppress(OSError):  # a lost scheduler does not say goodbye
            client.close(timeout=2)


# ---- in the workers


def _same(data: bytes) -> bytes:
    return data


def leave_at_once() -> None:
    """In a worker of this machine: end without freeing each object, which takes seconds after many claims."""
    atexit.register(os._exit, 0)


def compute_chunk(shared: bytes, chunk: bytes, digest: str) -> tuple[float, bytes]:
    """In a worker: the seconds (CPU) that a chunk took, and its pickled results.

    One chunk at a time in each process: units and caches belong to the process.

    Raises:
        OtherProgramError: the program of the worker is another one than that of the caller.
    """
    if digest != program_digest():
        raise OtherProgramError(_worker(), digest, program_digest())
    with _ONE_AT_A_TIME, uncollected():
        begin = time.thread_time()
        results = _function(shared)(pickle.loads(chunk))  # noqa: S301  # made by the caller, who may run code anyway
        return time.thread_time() - begin, pickle.dumps(results, pickle.HIGHEST_PROTOCOL)


def _worker() -> str:
    from distributed import get_worker  # noqa: PLC0415  # an extra

    return str(get_worker().address)


@lru_cache(maxsize=2)
def _function(shared: bytes) -> Chunked[Any, Any]:
    """The function of a run; it keeps what it makes, such as compiled formulas, for the next chunks."""
    found: Chunked[Any, Any] = pickle.loads(shared)  # noqa: S301  # made by the caller, who may run code anyway
    return found


@lru_cache(maxsize=1)
def program_digest() -> str:
    """Names this program: its version, that of Python, and a hash of its modules."""
    made = sha256()
    for folder in ("graph", "ingest", "compute", "api"):
        for path in sorted((_ROOT / folder).rglob("*.py")):
            made.update(path.relative_to(_ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return f"{VERSION} of {made.hexdigest()[:12]}, Python {sys.version_info.major}.{sys.version_info.minor}"
