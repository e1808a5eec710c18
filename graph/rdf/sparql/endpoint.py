"""The SPARQL endpoint: answers queries in processes that are killed at a time limit."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as LateError
from multiprocessing import Pipe
from pathlib import Path
from queue import Empty, LifoQueue
from threading import Lock
from typing import NamedTuple

import pyoxigraph

from graph.private_files import OTHERS, private_folder
from graph.rdf.rdf_export import Export
from graph.rdf.sparql import sparql_errors as errors
from graph.rdf.sparql.sparql_answers import Question, SparqlAnswer
from graph.scratch_folder import remove_left, scratch_folder

LONGEST = 100_000  # maximum characters of a query

IDLE = 60.0  # seconds without a query after which a worker, of some 60 MB, ends

LOADER = """
import sys, pyoxigraph
store = pyoxigraph.Store(sys.argv[1])
store.bulk_load(path=sys.argv[2], format=pyoxigraph.RdfFormat.N_QUADS)
store.flush()
"""
"""Writes a dataset in a process of its own, which frees the few hundred megabytes of loading."""


class Dataset(NamedTuple):
    """A dataset on disk, and its version of the store."""

    path: Path
    version: int


class Datasets:
    """The datasets of one process, in a folder of its own in `folder` (by default the system's for temporary files).

    There are at most two: the current one, and the previous one, which running queries may still read.
    """

    def __init__(
        self, version: Callable[[], int], quads: Callable[[], Iterable[pyoxigraph.Quad]], folder: Path | None = None
    ) -> None:
        self._version, self._quads = version, quads
        self._end = contextlib.ExitStack()
        self._folder = _own_folder(folder, self._end)
        self._lock = Lock()
        self._builder = ThreadPoolExecutor(1, thread_name_prefix="sparql-dataset")
        self._built: list[Dataset] = []
        self._build: Future[Dataset] | None = None

    def current(self, patience: float, seconds: float) -> tuple[Dataset, bool]:
        """The dataset to read, and whether it is current. Raises BusyError if there is none after `seconds`.

        If the store has changed, it waits up to `patience` seconds for a new one, then returns the previous one.
        """
        version = self._version()
        with self._lock:
            latest = self._built[-1] if self._built else None
            if latest is not None and latest.version == version:
                return latest, True
            if self._build is None or self._build.done():
                self._build = self._builder.submit(self._make)
            build = self._build
        try:
            latest = build.result(timeout=max(0.0, seconds if latest is None else min(patience, seconds)))
        except LateError:
            if latest is None:
                raise errors.BusyError(seconds, "the data were still being prepared") from None
        return latest, latest.version >= version

    def close(self) -> None:
        """Wait for a running build and delete the datasets."""
        self._builder.shutdown(wait=True, cancel_futures=True)
        self._end.close()

    def _make(self, tries: int = 2) -> Dataset:
        """Write a dataset, again if the store changed. Raises QueryFailedError if the loader fails."""
        version = self._version()
        path = Path(tempfile.mkdtemp(prefix=f"v{version}-", dir=self._folder))
        text = path.with_suffix(".nq")
        try:
            pyoxigraph.serialize(self._quads(), str(text), pyoxigraph.RdfFormat.N_QUADS)
            command = [sys.executable, "-P", "-c", LOADER, str(path), str(text)]
            done = subprocess.run(  # noqa: S603 - a fixed command: this interpreter, a program of ours
                command, capture_output=True, text=True, check=False, start_new_session=True, umask=OTHERS
            )
            if done.returncode:
                raise errors.QueryFailedError(done.stderr.strip().rpartition("\n")[2] or f"code {done.returncode}")
        except BaseException:
            shutil.rmtree(path, ignore_errors=True)
            raise
        finally:
            text.unlink(missing_ok=True)
        if tries and self._version() != version:
            shutil.rmtree(path, ignore_errors=True)
            return self._make(tries - 1)
        with self._lock:
            self._built.append(Dataset(path, version))
            old, self._built = self._built[:-2], self._built[-2:]
        for dataset in old:
            shutil.rmtree(dataset.path, ignore_errors=True)
        return self._built[-1]


def _own_folder(parent: Path | None, end: contextlib.ExitStack) -> Path:
    """A new folder in `parent`, or a temporary one if that fails; removed at the `end`."""
    with contextlib.suppress(OSError):
        if parent is not None:
            private_folder(parent)
            remove_left(parent, "sparql-")
            return end.enter_context(scratch_folder(parent, "sparql-"))
    return Path(end.enter_context(tempfile.TemporaryDirectory(prefix="sparql-", ignore_cleanup_errors=True)))


class Worker:
    """A process that answers one query at a time, started by a query, ended when idle."""

    def __init__(self, megabytes: int) -> None:
        self._megabytes = megabytes
        self._process: subprocess.Popen[bytes] | None = None
        self._ended = False

    def ask(self, question: Question, seconds: float, deadline: float) -> SparqlAnswer:
        """The answer; kills the process at the deadline. Raises SparqlError."""
        process = self._running()
        try:
            self._pipe.send((seconds, question))
            if not self._pipe.poll(max(0.0, deadline - time.monotonic())):
                process.kill()
            found: SparqlAnswer | errors.SparqlError = self._pipe.recv()
        except (EOFError, OSError):
            code = process.wait()
            if not self._ended:
                self._running()  # at once, for the next query
            if time.monotonic() >= deadline:
                raise errors.TimeLimitError(seconds) from None
            if code == 0:  # it was about to end
                return self.ask(question, seconds, deadline)
            if -code in {signal.SIGABRT, signal.SIGSEGV, signal.SIGKILL}:  # what the engine does without memory
                raise errors.MemoryLimitError(self._megabytes) from None
            raise errors.QueryFailedError(f"its process ended with the code {code}") from None
        if isinstance(found, errors.SparqlError):
            raise found
        return found

    def end(self) -> None:
        """Kill the process for good; a running query fails."""
        self._ended = True
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            # memory arenas use address space even if they are empty
            environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "MALLOC_ARENA_MAX": "2"}
            self._pipe, theirs = Pipe()
            numbers = map(str, (theirs.fileno(), self._megabytes, IDLE))
            with theirs:
                self._process = subprocess.Popen(  # noqa: S603 - a fixed command: this interpreter, a module of ours
                    [sys.executable, "-m", "graph.rdf.sparql.worker", *numbers],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    env=environment,
                    pass_fds=(theirs.fileno(),),
                    start_new_session=True,  # an interrupt at the terminal must reach only the service
                )
        return self._process


class Endpoint:
    """SPARQL over an export, for threads; datasets are in `folder`.

    `workers` queries run in parallel, with `megabytes` each; one waits `patience` seconds for the newest data.
    """

    def __init__(
        self,
        export: Export,
        folder: Path | None = None,
        *,
        workers: int = 2,
        megabytes: int = 512,
        patience: float = 1.0,
    ) -> None:
        self._export, self._patience = export, patience
        self._datasets = Datasets(export.store.version, export.quads, folder)
        self._workers = [Worker(megabytes) for _ in range(workers)]
        self._free: LifoQueue[Worker] = LifoQueue()  # the last used first: the others start only when it is busy
        for worker in self._workers:
            self._free.put(worker)

    def query(
        self,
        text: str,
        *,
        seconds: float = 5.0,
        rows: int = 10_000,
        accept: str | None = None,
        default: Sequence[str] = (),
        named: Sequence[str] = (),
    ) -> SparqlAnswer:
        """The answer, after at most `seconds` with waiting, of at most `rows` rows or triples. Raises SparqlError.

        `accept` is an Accept header or the name of a format. `default` and `named` are IRIs of the graphs to query,
        instead of the complete dataset and of `FROM` and `FROM NAMED`.
        """
        if len(text) > LONGEST:
            raise errors.QueryTooLongError(len(text), LONGEST)
        deadline = time.monotonic() + seconds
        dataset, fresh = self._datasets.current(self._patience, seconds)
        written, base = text.encode("utf-8", "replace").decode(), self._export.names.base
        question = (written, dataset.path, base, accept, tuple(default), tuple(named), rows)
        try:
            worker = self._free.get(timeout=max(0.0, deadline - time.monotonic()))
        except Empty:
            raise errors.BusyError(seconds, "every worker was still busy") from None
        try:
            answer = worker.ask(question, seconds, deadline)
        finally:
            self._free.put(worker)
        return answer.model_copy(update={"version": dataset.version, "fresh": fresh})

    def close(self) -> None:
        """Stop the workers and delete the datasets."""
        for worker in self._workers:
            worker.end()
        self._datasets.close()
