"""The dataset that queries read: the export of one version of the store on disk, rebuilt when it has changed."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as LateError
from pathlib import Path
from threading import Lock

import pyoxigraph

from graph.private_files import OTHERS, private_folder
from graph.rdf.sparql import dataset_loader
from graph.rdf.sparql.sparql_errors import BusyError, QueryFailedError
from graph.values import Value

_TRIES = 3
"""How often a build restarts if the store changes meanwhile."""


class Dataset(Value):
    """A dataset on disk and the version of the store that it was built from."""

    path: Path
    version: int


class Datasets:
    """The datasets of one process, in a folder of its own below `folder` (the system's for temporary files by default).

    `version` returns the current version of the store, `quads` its export. At most two datasets exist: the current
    one and the previous one, which running queries may still read.
    """

    def __init__(
        self, version: Callable[[], int], quads: Callable[[], Iterable[pyoxigraph.Quad]], folder: Path | None = None
    ) -> None:
        self._version, self._quads = version, quads
        self._folder = _own_folder(folder)
        self._lock = Lock()
        self._builder = ThreadPoolExecutor(1, thread_name_prefix="sparql-dataset")
        self._kept: list[Dataset] = []
        self._build: Future[Dataset] | None = None

    def current(self, patience: float, seconds: float) -> tuple[Dataset, bool]:
        """The dataset to read, and whether it is of the current version.

        If the store has changed, wait up to `patience` seconds for a new dataset, then return the previous one; if
        there is no previous one, wait up to `seconds`.

        Raises:
            BusyError: there is no dataset yet.
        """
        version = self._version()
        with self._lock:
            latest = self._kept[-1] if self._kept else None
            if latest is not None and latest.version == version:
                return latest, True
            if self._build is None or self._build.done():
                self._build = self._builder.submit(self._make)
            build = self._build
        wait = seconds if latest is None else min(patience, seconds)
        try:
            built = build.result(timeout=max(0.0, wait))
        except LateError:
            if latest is None:
                raise BusyError(seconds, "the data were still being prepared") from None
            return latest, False
        return built, built.version >= version

    def close(self) -> None:
        """Wait for a running build and delete the datasets."""
        self._builder.shutdown(wait=True, cancel_futures=True)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _make(self) -> Dataset:
        """Build until the store did not change meanwhile, a few times at most; then the next query rebuilds."""
        for _ in range(_TRIES):
            built = self._written(self._version())
            if self._version() == built.version:
                break
        with self._lock:
            self._kept.append(built)
            old, self._kept = self._kept[:-2], self._kept[-2:]
        for dataset in old:
            shutil.rmtree(dataset.path, ignore_errors=True)
        return built

    def _written(self, version: int) -> Dataset:
        path = Path(tempfile.mkdtemp(prefix=f"v{version}-", dir=self._folder))
        try:
            _load(path, self._quads())
        except BaseException:
            shutil.rmtree(path, ignore_errors=True)
            raise
        return Dataset(path=path, version=version)


def _load(path: Path, quads: Iterable[pyoxigraph.Quad]) -> None:
    """Write a dataset in a process of its own (see `graph.rdf.sparql.dataset_loader`).

    Raises:
        QueryFailedError: the process ended before it had read everything, or with an error.
    """
    command = [sys.executable, "-P", dataset_loader.__file__, str(path)]
    with subprocess.Popen(  # noqa: S603 - a fixed command: this interpreter, a file of ours
        command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, umask=OTHERS
    ) as process:
        assert process.stdin is not None  # noqa: S101 - both are pipes
        assert process.stderr is not None  # noqa: S101 - both are pipes
        try:
            with contextlib.suppress(BrokenPipeError), process.stdin as pipe:  # its own words are better
                pyoxigraph.serialize(quads, pipe, pyoxigraph.RdfFormat.N_QUADS)
            told = process.stderr.read().decode(errors="replace").strip()
        except BaseException:
            process.kill()
            raise
    if process.returncode:
        raise QueryFailedError(told.rpartition("\n")[2] or f"its loader ended with the code {process.returncode}")


def _own_folder(parent: Path | None) -> Path:
    """A new folder named after this process; deletes those of processes that have ended.

    It is one of the system's temporary folders where `parent` cannot be written.
    """
    prefix = f"sparql-{os.getpid()}-"
    if parent is None:
        return Path(tempfile.mkdtemp(prefix=prefix))
    try:
        private_folder(parent)
        for left in parent.glob("sparql-*"):
            if not _runs(left.name.split("-")[1]):
                shutil.rmtree(left, ignore_errors=True)
        return Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
    except OSError:
        return Path(tempfile.mkdtemp(prefix=prefix))


def _runs(pid: str) -> bool:
    with contextlib.suppress(ProcessLookupError, ValueError, OverflowError):
        try:
            os.kill(int(pid), 0)
        except PermissionError:
            return True
        return True
    return False
