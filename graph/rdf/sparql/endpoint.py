"""The SPARQL endpoint: answers a query within a total time limit."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Self

from graph.rdf.rdf_export import Export
from graph.rdf.sparql.datasets import Datasets
from graph.rdf.sparql.sparql_answers import SparqlAnswer
from graph.rdf.sparql.sparql_errors import QueryTooLongError
from graph.rdf.sparql.worker_pool import Pool

LONGEST = 100_000
"""Maximum characters of a query."""

LARGEST = 64 * 2**20
"""Maximum bytes of an answer."""


class Endpoint:
    """SPARQL over an export, safe to share between threads.

    `folder` is where datasets are stored; `workers` how many queries run in parallel; `megabytes` the memory of each;
    `patience` how many seconds a query waits for the newest data before using older data.
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
        self._size, self._megabytes = workers, megabytes
        self._datasets = Datasets(export.store.version, export.quads, folder)
        self._starting = Lock()
        self._pool: Pool | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def start(self) -> Pool:
        """Start the workers if they are not running; a service may call this before the first query."""
        with self._starting:
            if self._pool is None:
                self._pool = Pool(self._size, self._megabytes)
            return self._pool

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
        """The answer to a query. `seconds` limits the total time, including waiting; `rows` limits rows or triples.

        `accept` is an Accept header or the name of a format (`graph.rdf.sparql.sparql_answers`). `default` and `named`
        are the IRIs of the graphs to query, instead of the complete dataset and of `FROM` and `FROM NAMED`.

        Raises:
            SparqlError: there is no answer; the subclass says why.
        """
        if len(text) > LONGEST:
            raise QueryTooLongError(len(text), LONGEST)
        deadline = time.monotonic() + seconds
        pool = self.start()
        dataset, fresh = self._datasets.current(self._patience, seconds)
        request = {
            "path": str(dataset.path),
            "base": self._export.names.base,
            "text": text.encode("utf-8", "replace").decode(),
            "accept": accept,
            "default": list(default),
            "named": list(named),
            "rows": rows,
            "bytes": LARGEST,
            "limit": seconds,
        }
        head, body = pool.ask(request, deadline - time.monotonic())
        return SparqlAnswer(body=body, version=dataset.version, fresh=fresh, **head)

    def close(self) -> None:
        """Stop the workers and delete the datasets."""
        if self._pool is not None:
            self._pool.close()
        self._datasets.close()
