"""A worker process: it answers one query after another over a dataset on disk that it only reads.

Run as `python -m graph.rdf.sparql.worker MEGABYTES`, with messages (`graph.rdf.sparql.frames`) on its standard input
and output. The service stops it by killing it. Should the service itself be gone, an alarm ends the query.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any

import pyoxigraph
import rdflib
from oxrdflib import OxigraphStore
from rdflib.query import Result, ResultRow
from rdflib.term import Literal, Node, URIRef

from graph.rdf.formats import write
from graph.rdf.names import Names
from graph.rdf.sparql import results
from graph.rdf.sparql.answers import choose
from graph.rdf.sparql.errors import (
    AnswerTooLargeError,
    MemoryLimitError,
    QueryFailedError,
    SparqlError,
)
from graph.rdf.sparql.frames import receive, send
from graph.rdf.sparql.gate import form_of, syntax_error

GRACE = 1.0
"""Seconds behind the time limit after which a worker that nobody has stopped stops itself."""

_MEMORY = Path("/proc/self/statm")
"""The pages that this process holds come first in it. Linux has it; elsewhere the system would keep no limit either."""


class Reader:
    """The dataset that was asked last, open; queries have `megabytes` of memory over what an idle process takes."""

    def __init__(self, megabytes: int) -> None:
        self._megabytes = megabytes
        self._path = ""
        self._store = OxigraphStore()

    def ask(self, request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
        """Head and body of the answer.

        Raises:
            SparqlError: the query is not answered; the subclass says why.
        """
        text, most = request["text"], int(request["rows"])
        form = form_of(text)
        name, media = choose(request["accept"], form)
        found = self._query(request["path"], text, Names(request["base"]))
        body, rows, truncated = _told(found, name, most, Names(request["base"]))
        if len(body) > request["bytes"]:
            raise AnswerTooLargeError(request["bytes"])
        return {"media_type": media, "form": form, "rows": rows, "truncated": truncated}, body

    def _query(self, path: str, text: str, names: Names) -> Result:
        if path != self._path:
            self._open(path)
        try:
            # Not by way of `rdflib.Dataset`, which sets a default graph, so that FROM would be passed over.
            return self._store.query(text, initNs=names.prefixes, initBindings={}, queryGraph="")
        except SyntaxError as error:
            raise syntax_error(text, error) from None
        except (ValueError, OSError, RuntimeError) as error:
            raise QueryFailedError(str(error)) from error

    def _open(self, path: str) -> None:
        """Open another dataset and ask it something, so that all its threads stand, then shut the door on memory."""
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        self._store = OxigraphStore(store=pyoxigraph.Store.read_only(path))
        self._store.query("ASK { ?s ?p ?o }", initNs={}, initBindings={}, queryGraph="")
        self._path = path
        if _MEMORY.exists():
            held = int(_MEMORY.read_text("ascii").split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (held + self._megabytes * 2**20, most))


def _told(found: Result, name: str, most: int, names: Names) -> tuple[bytes, int, bool]:
    """The body of an answer, the rows in it, and whether there were more."""
    if found.type == "ASK":
        return results.boolean(name, bool(found.askAnswer)), 1, False
    if found.type == "SELECT":
        rows: list[results.Row] = [tuple(row) for row in islice(_rows(found), most + 1)]
        variables = [str(variable) for variable in found.vars or ()]
        return results.table(name, variables, rows[:most]), min(len(rows), most), len(rows) > most
    triples = sorted(_triples(found), key=str)
    return b"".join(write(triples[:most], name, names)), min(len(triples), most), len(triples) > most


def _rows(found: Result) -> Iterator[ResultRow]:
    """The rows one by one: `Result.bindings` would hold all of them."""
    return (row for row in found if isinstance(row, ResultRow))


def _triples(found: Result) -> Iterator[pyoxigraph.Triple]:
    """The triples that were made, for the writers of `graph.rdf.formats`."""
    for triple in found.graph or ():
        terms: Any = map(_term, triple)  # the engine made them: each stands where it may
        yield pyoxigraph.Triple(*terms)


def _term(term: Node) -> pyoxigraph.NamedNode | pyoxigraph.BlankNode | pyoxigraph.Literal:
    if isinstance(term, URIRef):
        return pyoxigraph.NamedNode(str(term))
    if not isinstance(term, Literal):
        return pyoxigraph.BlankNode(str(term))
    if term.language or not term.datatype:
        return pyoxigraph.Literal(str(term), language=term.language)
    return pyoxigraph.Literal(str(term), datatype=pyoxigraph.NamedNode(str(term.datatype)))


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
    rdflib.NORMALIZE_LITERALS = False
    form_of("ASK {}")
    send(answers, {"ready": True})
    serve(requests, answers, megabytes)


if __name__ == "__main__":
    main()
