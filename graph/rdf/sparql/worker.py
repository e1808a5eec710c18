"""A worker process: checks and answers one query after another over a read-only dataset on disk.

Run as `python -m graph.rdf.sparql.worker PIPE MEGABYTES IDLE`, with the file descriptor of a pipe to the service. The
service stops a query by killing the process; if the service has ended, an alarm does.
"""

from __future__ import annotations

import re
import resource
import signal
import sys
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from pyoxigraph import NamedNode, QueryBoolean, QuerySolutions, QueryTriples, Store
from rdflib.plugins.sparql.parser import parseQuery, parseUpdate

from graph.rdf.iris import IriFactory
from graph.rdf.rdf_formats import write
from graph.rdf.sparql import sparql_errors as errors
from graph.rdf.sparql.sparql_answers import LARGEST, Question, SparqlAnswer, boolean, choose, table

GRACE = 1.0  # seconds after the time limit at which a worker ends itself if the service has not stopped it

_MEMORY = Path("/proc/self/statm")
"""Its first field is the pages in use. Linux only; other systems would not enforce a limit either."""

_AT = re.compile(r"error at (\d+):(\d+): (.*)", re.S)
_SENTENCE = re.compile(r"\b[A-Z][A-Za-z]+ [^,\[]+")
_WORD = re.compile(r"[\w:?$]+|\S")
_WORD_BEFORE = re.compile(r"(?<![\w:?$-])[\w:?$-]++$")

Found = QuerySolutions | QueryBoolean | QueryTriples


names_at = lru_cache(maxsize=8)(IriFactory)  # what is made of the names, such as the keys of JSON-LD, is cached by them


class Reader:
    """The open dataset of the last query; queries get `megabytes` more than an idle process."""

    def __init__(self, megabytes: int) -> None:
        self._megabytes = megabytes
        self._path: Path | None = None
        self._store = Store()

    def answer(self, question: Question) -> SparqlAnswer:
        """The answer to a question. Raises SparqlError."""
        text, dataset, base, accept, default, named, rows = question
        form = form_of(text)
        name, media = choose(accept, form)
        names, chosen = names_at(base), default or named
        graphs = [list[Any](map(_graph, iris)) if chosen else None for iris in (default, named)]
        if dataset != self._path:
            self._open(dataset)
        try:
            found = self._store.query(text, prefixes=names.prefixes, default_graph=graphs[0], named_graphs=graphs[1])
        except SyntaxError as error:
            raise syntax_error(text, error) from None
        except (ValueError, OSError, RuntimeError) as error:
            raise errors.QueryFailedError(str(error)) from error
        body, count, truncated = _reported(found, name, rows, names)
        if len(body) > LARGEST:
            raise errors.AnswerTooLargeError(LARGEST)
        return SparqlAnswer(media_type=media, body=body, form=form, rows=count, truncated=truncated)

    def _open(self, path: Path) -> None:
        """Open a dataset, start its threads by a query, then limit the memory."""
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        self._store = Store.read_only(str(path))
        self._store.query("ASK { ?s ?p ?o }")
        self._path = path
        if _MEMORY.exists():
            used = int(_MEMORY.read_text("ascii").split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (used + self._megabytes * 2**20, most))


def _graph(iri: str) -> NamedNode:
    try:
        return NamedNode(iri)
    except ValueError:
        raise errors.GraphNameError(iri[:200]) from None


def _reported(found: Found, name: str, most: int, names: IriFactory) -> tuple[bytes, int, bool]:
    """Body, number of rows, and whether there were more."""
    if isinstance(found, QueryBoolean):
        return boolean(name, found), 1, False
    rows = list(islice(found, most + 1))
    shown = rows[:most]
    if isinstance(found, QuerySolutions):
        body = table(name, [variable.value for variable in found.variables], map(tuple, shown))
    else:
        body = b"".join(write(sorted(shown, key=str), name, names))
    return body, len(shown), len(rows) > most


def serve(pipe: Connection, megabytes: int, idle: float) -> None:
    """Answer until the pipe closes, `idle` seconds pass, or memory is exhausted."""
    reader = Reader(megabytes)
    while pipe.poll(idle):
        seconds, question = pipe.recv()
        signal.setitimer(signal.ITIMER_REAL, seconds + GRACE)
        found: SparqlAnswer | errors.SparqlError
        try:
            found = reader.answer(question)
        except errors.SparqlError as error:
            found = error
        except MemoryError:
            found = errors.MemoryLimitError(megabytes)
        except Exception as error:  # noqa: BLE001 - a worker always answers; the text describes the error
            found = errors.QueryFailedError(f"{type(error).__name__}: {error}")
        signal.setitimer(signal.ITIMER_REAL, 0)
        pipe.send(found)
        if isinstance(found, errors.MemoryLimitError):
            return


@lru_cache(maxsize=256)
def form_of(text: str) -> str:
    """SELECT, ASK, CONSTRUCT or DESCRIBE: the form of a query that only reads.

    Raises:
        QuerySyntaxError: the text is neither a query nor an update.
        UpdateRefusedError: it is an update, including LOAD.
        ServiceRefusedError: it calls another service.
        QueryFailedError: it is nested too deeply to parse.
    """
    try:
        parsed = parseQuery(text)
        written = repr(parsed)
    except RecursionError:
        raise errors.QueryFailedError("it is nested too deeply") from None
    except Exception as error:  # noqa: BLE001  # an exception of the library that rdflib parses with
        raise _refusal(text, getattr(error, "lineno", 1), getattr(error, "column", 1)) from None
    if "ServiceGraphPattern_" in written:  # the name of a part, as rdflib writes it
        raise errors.ServiceRefusedError
    return str(parsed[1].name).removesuffix("Query").upper()


def syntax_error(text: str, error: SyntaxError) -> errors.QuerySyntaxError:
    """The error for a grammatical query that the engine rejects."""
    found = _AT.search(str(error))
    if found is None:
        return errors.QuerySyntaxError(str(error), 1, 1, text)
    line, column = int(found[1]), int(found[2])
    named = _SENTENCE.search(found[3])
    word = _WORD_BEFORE.search(_line(text, line)[: column - 1])
    start = column - len(word[0]) if word else column
    return errors.QuerySyntaxError(
        f"{named[0].strip() if named else 'not SPARQL'}, at {word[0] if word else 'this place'!r}", line, start, text
    )


def _refusal(text: str, line: int, column: int) -> errors.SparqlError:
    try:
        operation = parseUpdate(text).request[0].name
    except Exception:  # noqa: BLE001  # as above: it is no update either
        word = _WORD.match(_line(text, line)[column - 1 :])
        message = f"what begins with {word[0]!r} cannot be read" if word else "the query ends too early"
        return errors.QuerySyntaxError(message, line, column, text)
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", operation).upper()
    return errors.UpdateRefusedError("DELETE/INSERT" if spaced == "MODIFY" else spaced)


def _line(text: str, line: int) -> str:
    lines = text.split("\n")
    return lines[line - 1] if 0 < line <= len(lines) else ""


if __name__ == "__main__":
    with suppress(EOFError):
        serve(Connection(int(sys.argv[1])), int(sys.argv[2]), float(sys.argv[3]))
