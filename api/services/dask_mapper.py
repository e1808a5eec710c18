"""Computes in several processes with Dask: a cluster of this machine, or one that runs already.

    function ─pickled once─▶ scheduler ─▶ each worker, which keeps it
    items ─▶ chunks, few at a time ─▶ a free worker ─▶ results, taken in the order of the chunks

A chunk takes about `SECONDS`: its size follows the measured time of those before. Dask computes the chunks of a lost
worker again on another one. The calling process has all state, so nothing is lost with a scheduler either.
"""

from __future__ import annotations

import logging
import pickle
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from functools import lru_cache
from hashlib import sha256
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from api.release import VERSION
from api.services.task_mapper import HERE, Chunked, Item, Mapper, Result

if TYPE_CHECKING:
    from distributed import Client, Future  # an extra: loaded where a cluster is used

SECONDS = 0.5
"""How long a chunk should take: much longer than the few milliseconds that Dask spends on it."""

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


class DaskMapper:
    """Computes with the workers of a Dask client."""

    remote = True

    def __init__(self, client: Client, address: str) -> None:
        self._client, self._address = client, address

    def map(self, function: Chunked[Item, Result], items: Iterable[Item]) -> Iterator[Result]:
        """The result of each item, in their order.

        Raises:
            LostSchedulerError: the scheduler cannot be reached any more.
            LostWorkersError: several workers were lost on the same chunk.
            OtherProgramError: a worker has another version of this program.
        """
        client, stream, size = self._client, iter(items), FIRST
        shared = self._submit(_same, pickle.dumps(function))
        waiting: deque[tuple[Future[Any], int]] = deque()
        try:
            most = WAITING * max(1, sum(client.nthreads().values()))
            while True:
                while len(waiting) < most and (chunk := tuple(islice(stream, size))):
                    task = self._submit(compute_chunk, shared, pickle.dumps(chunk), program_digest())
                    waiting.append((task, len(chunk)))
                if not waiting:
                    return
                task, count = waiting.popleft()
                seconds, data = self._result(task)
                size = _size(count, seconds, size)
                yield from pickle.loads(data)  # noqa: S301  # made by our own workers
        finally:
            if client.status == "running":
                with suppress(Exception):
                    client.cancel([shared, *(one for one, _ in waiting)])

    def _submit(self, function: Any, *given: Any) -> Future[Any]:  # noqa: ANN401  # what Dask takes
        return self._client.submit(function, *given, key=f"brain-{uuid4().hex}", pure=False)

    def _result(self, task: Future[Any]) -> tuple[float, bytes]:
        """The result of a task; a connection that is lost meanwhile is noticed."""
        from distributed.scheduler import KilledWorker  # noqa: PLC0415  # an extra

        while True:
            try:
                found: tuple[float, bytes] = task.result(timeout=1)
            except TimeoutError as error:
                if self._client.status != "running":
                    raise LostSchedulerError(self._address) from error
            except KilledWorker as error:
                raise LostWorkersError(str(error)) from error
            except (CancelledError, OSError) as error:
                raise LostSchedulerError(self._address) from error
            else:
                return found


def _size(count: int, seconds: float, before: int) -> int:
    """The size of the next chunks, at most twice that of the ones before."""
    return max(1, min(MOST, 2 * before, round(count * SECONDS / max(seconds, 1e-6))))


@contextmanager
def mapper(workers: int | None = None, scheduler: str | None = None) -> Iterator[Mapper]:
    """What computes: new processes of this machine, the workers of a scheduler, or, with neither, this process.

    The processes that it starts end with it.

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
    connected = _existing(scheduler) if scheduler else _local(workers or 1)
    with dask.config.set(_SETTINGS), connected as client:
        yield DaskMapper(client, scheduler or "this machine")


_SETTINGS = {
    "distributed.admin.large-graph-warning-threshold": "1GB",
    "distributed.comm.timeouts.connect": f"{CONNECTING:g}s",
    "distributed.comm.retry.count": 0,
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
}


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


def compute_chunk(shared: bytes, chunk: bytes, digest: str) -> tuple[float, bytes]:
    """In a worker: the seconds that a chunk took, and its pickled results.

    One chunk at a time in each process: units and caches belong to the process.

    Raises:
        OtherProgramError: the program of the worker is another one than that of the caller.
    """
    if digest != program_digest():
        raise OtherProgramError(_worker(), digest, program_digest())
    with _ONE_AT_A_TIME:
        begin = time.perf_counter()
        results = _function(shared)(pickle.loads(chunk))  # noqa: S301  # made by the caller, who may run code anyway
        return time.perf_counter() - begin, pickle.dumps(results)


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
