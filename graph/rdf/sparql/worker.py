"""A worker process: it answers one query after another over a dataset on disk that it only reads.

Run as `python -m graph.rdf.sparql.worker MEGABYTES`, with messages (`graph.rdf.sparql.worker_messages`) on its standard input
and output. The service stops it by killing it. Should the service itself be gone, an alarm ends the query.
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
"""Seconds behind the time limit after which a worker that nobody has stopped stops itself."""

_MEMORY = Path("/proc/self/statm")
"""The pages that this process holds come first in it. Linux has it; elsewhere the system would keep no limit either."""


Name = NamedNode | BlankNode
Graph = Name | DefaultGraph
Found = QuerySolutions | QueryBoolean | QueryTriples


class Reader:
    """The dataset that was asked last, open; queries have `megabytes` of memory over what an idle process takes."""

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
        body, rows, truncated = _told(found, name, most, names)
        if len(body) > request["bytes"]:
            raise AnswerTooLargeError(request["bytes"])
        return {"media_type": media, "form": form, "rows": rows, "truncated": truncated}, body

    def _query(
        self, path: str, text: str, names: IriFactory, default: list[Graph] | None, named: list[Name] | None
    ) -> Found:
        """What the engine finds; `default` and `named` take the place of the store's dataset and of `FROM`."""
        if path != self._path:
            self._open(path)
        try:
            return self._store.query(text, prefixes=names.prefixes, default_graph=default, named_graphs=named)
        except SyntaxError as error:
            raise syntax_error(text, error) from None
        except (ValueError, OSError, RuntimeError) as error:
            raise QueryFailedError(str(error)) from error

    def _open(self, path: str) -> None:
        """Open another dataset and ask it something, so that all its threads stand, then shut the door on memory."""
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
        GraphNameError: a name is no absolute IRI.
    """
    return [_graph(iri) for iri in iris]


def _graph(iri: str) -> NamedNode:
    try:
        return NamedNode(iri)
    except ValueError:
        raise GraphNameError(iri) from None


def _told(found: Found, name: str, most: int, names: IriFactory) -> tuple[bytes, int, bool]:
    """The body of an answer, the rows in it, and whether there were more. No row beyond that is made."""
    if isinstance(found, QueryBoolean):
        return result_formats.boolean(name, bool(found)), 1, False
    if isinstance(found, QuerySolutions):
        rows = [tuple(row) for row in islice(found, most + 1)]
        variables = [variable.value for variable in found.variables]
        return result_formats.table(name, variables, rows[:most]), min(len(rows), most), len(rows) > most
    triples = list(islice(found, most + 1))
    return b"".join(write(sorted(triples[:most], key=str), name, names)), min(len(triples), most), len(triples) > most


def serve(requests: IO[bytes], answers: IO[bytes], megabytes: int) -> None:
    """Answer until the service closes its end, or until the memory of this process is used up."""
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
        except Exception as error:  # noqa: BLE001 - a worker answers whatever happens; the text says what did
            head, body = _failure(QueryFailedError(f"{type(error).__name__}: {error}")), b""
        signal.setitimer(signal.ITIMER_REAL, 0)
        send(answers, head, body)


def _failure(error: SparqlError) -> dict[str, Any]:
    """The head that carries an error over to the service."""
    return {"error": type(error).__name__, "told": error.told}


def main() -> None:
    """Take the channels, warm up, and serve."""
    megabytes = int(sys.argv[1])
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints must not stand among the messages
    form_of("ASK {}")
    send(answers, {"ready": True})
    serve(requests, answers, megabytes)


if __name__ == "__main__":
    main()
