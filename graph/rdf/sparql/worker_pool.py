"""The workers: one query each at a time, killed at the time limit and replaced at once.

One is started early, the others when all are busy; when no query has come for a while, all are ended.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Condition, Timer
from typing import Any

from graph.rdf.sparql.sparql_errors import (
    BusyError,
    MemoryLimitError,
    QueryFailedError,
    SparqlError,
    TimeLimitError,
    rebuilt,
)
from graph.rdf.sparql.worker_messages import receive, send

_HOME = str(Path(__file__).parents[3])


IDLE = 60.0
"""Seconds without a query after which the workers are ended: each holds some 60 MB."""


class _StoppedError(Exception):
    """The worker ended in the middle of a query."""


class Worker:
    """A worker process."""

    def __init__(self, megabytes: int) -> None:
        path = os.pathsep.join(filter(None, (_HOME, os.environ.get("PYTHONPATH"))))
        command = [sys.executable, "-m", "graph.rdf.sparql.worker", str(megabytes)]
        self._process = subprocess.Popen(  # noqa: S603 - a fixed command: this interpreter, a module of ours
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ
            | {"PYTHONPATH": path, "MALLOC_ARENA_MAX": "2"},  # arenas use address space even if they are empty
            start_new_session=True,  # an interrupt at the terminal must reach only the service
        )
        assert self._process.stdin is not None  # noqa: S101 - both are pipes
        assert self._process.stdout is not None  # noqa: S101 - both are pipes
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        self._started = False

    @property
    def alive(self) -> bool:
        """Whether it can take another query."""
        return self._process.poll() is None

    @property
    def ready(self) -> bool:
        """Whether it has started; a query to a starting worker waits."""
        return self._started or bool(select.select([self._stdout], [], [], 0)[0])

    def ask(self, request: dict[str, Any], seconds: float) -> tuple[dict[str, Any], bytes]:
        """The worker's answer; after `seconds` the process is killed.

        Raises:
            _StoppedError: the worker ended before it answered.
        """
        timer = Timer(max(0.0, seconds), self._process.kill)
        timer.daemon = True
        timer.start()
        try:
            if not self._started:
                receive(self._stdout)
                self._started = True
            send(self._stdin, request)
            return receive(self._stdout)
        except (EOFError, OSError) as error:
            raise _StoppedError from error
        finally:
            timer.cancel()
            timer.join()  # wait for a kill that has begun

    def end(self) -> int:
        """Kill the process if it is running, and return its exit code; negative for a signal."""
        self._process.kill()
        code = self._process.wait()
        for stream in (self._stdin, self._stdout):
            with contextlib.suppress(OSError):  # unsent data for a dead process
                stream.close()
        return code


class Pool:
    """At most `size` workers, each with `megabytes` of memory for its queries, ended after `idle` seconds of rest."""

    def __init__(self, size: int, megabytes: int, idle: float = IDLE) -> None:
        self._size, self._megabytes, self._rest = size, megabytes, idle
        self._idle: list[Worker] = []
        self._change = Condition()
        self._all: set[Worker] = set()
        self._timer: Timer | None = None
        self._hire()

    def ask(self, request: dict[str, Any], seconds: float) -> tuple[dict[str, Any], bytes]:
        """The answer of the next free worker; `seconds` include the wait for it.

        Raises:
            BusyError: no worker became free in time.
            TimeLimitError: the query was stopped.
            MemoryLimitError: the query was stopped.
            SparqlError: what the worker reports.
        """
        deadline = time.monotonic() + seconds
        worker = self._take(seconds)
        try:
            left = deadline - time.monotonic()
            head, body = worker.ask(request | {"seconds": left}, left)
        except _StoppedError:
            code = worker.end()
            late = time.monotonic() >= deadline
            raise TimeLimitError(request["limit"]) if late else self._death(code) from None
        finally:
            self._give_back(worker)
        if "error" in head:
            raise rebuilt(head["error"], head["arguments"])
        return head, body

    def close(self) -> None:
        """Stop every worker; running queries fail."""
        with self._change:
            workers, self._all = self._all, set()
            self._size = 0  # no other is started
            self._quiet()
        for worker in workers:
            worker.end()

    def rest(self) -> None:
        """End the workers, unless one of them is busy."""
        with self._change:
            if len(self._idle) < len(self._all):
                return
            workers, self._all = self._all, set()
            self._idle.clear()
            self._change.notify_all()
        for worker in workers:
            worker.end()

    def _quiet(self) -> None:
        """Forget the rest that was planned."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _take(self, seconds: float) -> Worker:
        """A free worker, preferably one that has started; replaces workers that died while idle."""
        deadline = time.monotonic() + seconds
        while True:
            with self._change:
                self._quiet()
                if not self._change.wait_for(self._may_take, max(0.0, deadline - time.monotonic())):
                    raise BusyError(seconds, "every worker was still busy")
                if not self._idle:
                    self._hire()
                worker = next((worker for worker in self._idle if worker.alive and worker.ready), self._idle[0])
                self._idle.remove(worker)
            if worker.alive:
                return worker
            self._give_back(worker)

    def _give_back(self, worker: Worker) -> None:
        if worker.alive:
            self._offer(worker)
            return
        worker.end()
        with self._change:
            known = worker in self._all
            self._all.discard(worker)
        if known:
            self._hire()

    def _may_take(self) -> bool:
        """Whether there is a free worker, or there may be another one."""
        return bool(self._idle) or len(self._all) < self._size

    def _hire(self) -> None:
        worker = Worker(self._megabytes)
        with self._change:
            self._all.add(worker)
        self._offer(worker)

    def _offer(self, worker: Worker) -> None:
        with self._change:
            self._idle.append(worker)
            self._change.notify()
            self._quiet()
            if len(self._idle) == len(self._all):
                self._timer = Timer(self._rest, self.rest)
                self._timer.daemon = True
                self._timer.start()

    def _death(self, code: int) -> SparqlError:
        """Why a worker ended without being killed: the engine aborts when it gets no memory."""
        if -code in {signal.SIGABRT, signal.SIGSEGV, signal.SIGKILL}:
            return MemoryLimitError(self._megabytes)
        return QueryFailedError(f"its process ended with the code {code}")
