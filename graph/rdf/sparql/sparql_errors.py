"""Why a query was not answered.

SparqlError
├── QuerySyntaxError        cannot be parsed; line and column
├── QueryTooLongError
├── GraphNameError          a graph of the dataset is not named by an absolute IRI
├── RefusedError            more than reading
│   ├── UpdateRefusedError
│   └── ServiceRefusedError
├── NotAcceptableError      no format that the client accepts
├── TimeLimitError          stopped
├── MemoryLimitError        stopped
├── AnswerTooLargeError
├── QueryFailedError        the engine could not answer it
└── BusyError               no worker or no data in time: try again later
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any


class SparqlError(Exception):
    """A query was not answered. `arguments` are those of its constructor, used to pass it between processes."""

    def __init__(self, sentence: str, /, **arguments: object) -> None:
        self.arguments = arguments
        super().__init__(sentence)


class QuerySyntaxError(SparqlError):
    """The query cannot be parsed. `line` and `column` count from 1."""

    def __init__(self, message: str, line: int, column: int, text: str) -> None:
        self.message, self.line, self.column = message, line, column
        lines = text.split("\n")
        shown = lines[line - 1].expandtabs(1).rstrip("\r") if 0 < line <= len(lines) else ""
        start = max(0, column - 60)
        caret = " " * (column - 1 - start) + "^"
        sentence = f"line {line}, column {column}: {message}\n  {shown[start : start + 120]}\n  {caret}"
        super().__init__(sentence, message=message, line=line, column=column, text=text)


class QueryTooLongError(SparqlError):
    """The query is too long."""

    def __init__(self, length: int, most: int) -> None:
        super().__init__(f"the query has {length:,} characters; at most {most:,} are read", length=length, most=most)


class GraphNameError(SparqlError):
    """A graph of the dataset is not named by an absolute IRI."""

    def __init__(self, iri: str) -> None:
        super().__init__(f"{iri[:200]!r} is not an absolute IRI, so it names no graph", iri=iri)


class RefusedError(SparqlError):
    """The query asks for something that this service does not support."""


class UpdateRefusedError(RefusedError):
    """The text is an update."""

    def __init__(self, operation: str) -> None:
        self.operation = operation
        sentence = f"{operation} is an update; this service only answers SELECT, ASK, CONSTRUCT and DESCRIBE"
        super().__init__(sentence, operation=operation)


class ServiceRefusedError(RefusedError):
    """The query calls another service."""

    def __init__(self) -> None:
        super().__init__("SERVICE is not supported: query each service separately")


class NotAcceptableError(SparqlError):
    """The client accepts no format of this kind of answer."""

    def __init__(self, accept: str, form: str, offered: Iterable[str]) -> None:
        self.offered = tuple(offered)
        sentence = f"an answer to {form} comes as {', '.join(self.offered)}; none of these is in {accept!r}"
        super().__init__(sentence, accept=accept, form=form, offered=list(self.offered))


class TimeLimitError(SparqlError):
    """The query was stopped at the time limit."""

    def __init__(self, seconds: float) -> None:
        sentence = f"the query was stopped after {seconds:g} s; ask for less: add patterns that join, or a LIMIT"
        super().__init__(sentence, seconds=seconds)


class MemoryLimitError(SparqlError):
    """The query was stopped because it needed more memory than allowed."""

    def __init__(self, megabytes: int) -> None:
        sentence = f"the query needed more than {megabytes:,} MB of memory; ask for less at once"
        super().__init__(sentence, megabytes=megabytes)


class AnswerTooLargeError(SparqlError):
    """The answer is too large."""

    def __init__(self, most: int) -> None:
        super().__init__(f"the answer has more than {most:,} bytes; ask for fewer rows or columns", most=most)


class QueryFailedError(SparqlError):
    """The engine could not answer the query."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the query could not be answered: {reason}", reason=reason)


class BusyError(SparqlError):
    """The time limit passed before the query could start."""

    def __init__(self, seconds: float, what: str) -> None:
        super().__init__(f"{what} after {seconds:g} s; try again", seconds=seconds, what=what)


_REPORTED = (
    QuerySyntaxError,
    GraphNameError,
    UpdateRefusedError,
    ServiceRefusedError,
    NotAcceptableError,
    MemoryLimitError,
    AnswerTooLargeError,
    QueryFailedError,
)
"""The errors that a worker may report."""


def rebuilt(name: str, arguments: dict[str, Any]) -> SparqlError:
    """The error that a worker reported by the name of its class and its arguments."""
    kinds: dict[str, Callable[..., SparqlError]] = {kind.__name__: kind for kind in _REPORTED}
    return kinds[name](**arguments)
