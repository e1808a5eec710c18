"""A worker process: answers one query after another over a read-only dataset on disk.

Run as `python -m graph.rdf.sparql.worker MEGABYTES`, with messages (`graph.rdf.sparql.worker_messages`) on its standard
input and output. The service stops it by killing it. If the service itself has ended, an alarm ends the query.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
from itertools import islice
from pathlib import Path
from typing import IO, Any

from pyoxigraph import BlankNode, DefaultGraph, NamedNode, QueryBoolean, QuerySolutions, QueryTriples, Store

from graph.rdf.iris import IriFactory
from graph.rdf.rdf_formats import write
from graph.rdf.sparql import result_formats
from graph.rdf.sparql.query_check import form_of, syntax_error
from graph.rdf.sparql.sparql_answers import choose
from graph.rdf.sparql.sparql_errors import (
    AnswerTooLargeError,
    GraphNameError,
    MemoryLimitError,
    QueryFailedError,
    SparqlError,
)
from graph.rdf.sparql.worker_messages import receive, send

GRACE = 1.0
"""Seconds after the time limit at which a worker ends itself if the service has not stopped it."""

_MEMORY = Path("/proc/self/statm")
"""Its first field is the pages of memory in use. Linux only; other systems would not enforce a limit either."""


Name = NamedNode | BlankNode
Graph = Name | DefaultGraph
Found = QuerySolutions | QueryBoolean | QueryTriples


class Reader:
    """The dataset of the last query, open; queries get `megabytes` of memory on top of an idle process's."""

    def __init__(self, megabytes: int) -> None:
        self._megabytes = megabytes
        self._path = ""
        self._store = Store()

    def ask(self, request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
        """Head and body of the answer.

        Raises:
            SparqlError: the query is not answered; the subclass says why.
        """
        text, most = request["text"], int(request["rows"])
        form = form_of(text)
        name, media = choose(request["accept"], form)
        names = IriFactory(request["base"])
        chosen = request["default"] or request["named"]
        default = list[Graph](_graphs(request["default"])) if chosen else None
        named = _graphs(request["named"]) if chosen else None
        found = self._query(request["path"], text, names, default, named)
        body, rows, truncated = _reported(found, name, most, names)
        if len(body) > request["bytes"]:
            raise AnswerTooLargeError(request["bytes"])
        return {"media_type": media, "form": form, "rows": rows, "truncated": truncated}, body

    def _query(
        self, path: str, text: str, names: IriFactory, default: list[Graph] | None, named: list[Name] | None
    ) -> Found:
        """The result of the engine; `default` and `named` replace the store's dataset and `FROM`."""
        if path != self._path:
            self._open(path)
        try:
            return self._store.query(text, prefixes=names.prefixes, default_graph=default, named_graphs=named)
        except SyntaxError as error:
            raise syntax_error(text, error) from None
        except (ValueError, OSError, RuntimeError) as error:
            raise QueryFailedError(str(error)) from error

    def _open(self, path: str) -> None:
        """Open another dataset, run a query so that all its threads have started, then limit the memory."""
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        self._store = Store.read_only(path)
        self._store.query("ASK { ?s ?p ?o }")
        self._path = path
        if _MEMORY.exists():
            held = int(_MEMORY.read_text("ascii").split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (held + self._megabytes * 2**20, most))


def _graphs(iris: list[str]) -> list[Name]:
    """The graphs of these names.

    Raises:
        GraphNameError: a name is not an absolute IRI.
    """
    return [_graph(iri) for iri in iris]


def _graph(iri: str) -> NamedNode:
    try:
        return NamedNode(iri)
    except ValueError:
        raise GraphNameError(iri) from None


def _reported(found: Found, name: str, most: int, names: IriFactory) -> tuple[bytes, int, bool]:
    """The body of an answer, the rows in it, and whether there were more. It computes no further rows."""
    if isinstance(found, QueryBoolean):
        return result_formats.boolean(name, bool(found)), 1, False
    if isinstance(found, QuerySolutions):
        rows = [tuple(row) for row in islice(found, most + 1)]
        variables = [variable.value for variable in found.variables]
        return result_formats.table(name, variables, rows[:most]), min(len(rows), most), len(rows) > most
    triples = list(islice(found, most + 1))
    return b"".join(write(sorted(triples[:most], key=str), name, names)), min(len(triples), most), len(triples) > most


def serve(requests: IO[bytes], answers: IO[bytes], megabytes: int) -> None:
    """Answer until the service closes the pipe, or until this process runs out of memory."""
    reader = Reader(megabytes)
    while True:
        try:
            request, _ = receive(requests)
        except EOFError:
            return
        signal.setitimer(signal.ITIMER_REAL, float(request["seconds"]) + GRACE)
        try:
            head, body = reader.ask(request)
        except SparqlError as error:
            head, body = _failure(error), b""
        except MemoryError:
            send(answers, _failure(MemoryLimitError(megabytes)))
            return
        except Exception as error:  # noqa: BLE001 - a worker always answers; the text describes the error
            head, body = _failure(QueryFailedError(f"{type(error).__name__}: {error}")), b""
        signal.setitimer(signal.ITIMER_REAL, 0)
        send(answers, head, body)


def _failure(error: SparqlError) -> dict[str, Any]:
    """The head that carries an error over to the service."""
    return {"error": type(error).__name__, "arguments": error.arguments}


def main() -> None:
    """Take the channels, warm up, and serve."""
    megabytes = int(sys.argv[1])
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output of libraries must not mix with the messages
    form_of("ASK {}")
    send(answers, {"ready": True})
    serve(requests, answers, megabytes)


if __name__ == "__main__":
    main()
