"""Why a query was not answered."""

from __future__ import annotations


class SparqlError(Exception):
    """A query was not answered; pickles by its arguments, which complete `sentence`."""

    sentence = ""

    def __str__(self) -> str:
        return self.sentence.format(*self.args)


class QuerySyntaxError(SparqlError):
    """The query cannot be parsed; `line` and `column` count from 1."""

    def __init__(self, message: str, line: int, column: int, text: str) -> None:
        super().__init__(message, line, column, text)
        self.message, self.line, self.column, self.text = message, line, column, text

    def __str__(self) -> str:
        lines = self.text.split("\n")
        shown = lines[self.line - 1].expandtabs(1).rstrip("\r") if 0 < self.line <= len(lines) else ""
        start = max(0, self.column - 60)
        caret = " " * (self.column - 1 - start) + "^"
        place = f"line {self.line}, column {self.column}: {self.message}"
        return f"{place}\n  {shown[start : start + 120]}\n  {caret}"


class QueryTooLongError(SparqlError):
    """The query has more characters than allowed."""

    sentence = "the query has {:,} characters; at most {:,} are read"


class GraphNameError(SparqlError):
    """A graph of the dataset is not named by an absolute IRI."""

    sentence = "{!r} is not an absolute IRI, so it names no graph"


class RefusedError(SparqlError):
    """The query asks for what this service does not support."""


class UpdateRefusedError(RefusedError):
    """The text is an update."""

    sentence = "{} is an update; this service only answers SELECT, ASK, CONSTRUCT and DESCRIBE"


class ServiceRefusedError(RefusedError):
    """The query calls another service."""

    sentence = "SERVICE is not supported: query each service separately"


class NotAcceptableError(SparqlError):
    """The client accepts no format of this kind of answer."""

    def __init__(self, accept: str, form: str, offered: tuple[str, ...]) -> None:
        super().__init__(accept, form, offered)
        self.offered = offered

    def __str__(self) -> str:
        accept, form, offered = self.args
        return f"an answer to {form} comes as {', '.join(offered)}; none of these is in {accept!r}"


class TimeLimitError(SparqlError):
    """The query was stopped after these seconds."""

    sentence = "the query was stopped after {:g} s; ask for less: add patterns that join, or a LIMIT"


class MemoryLimitError(SparqlError):
    """The query was stopped: it needed more than these megabytes."""

    sentence = "the query needed more than {:,} MB of memory; ask for less at once"


class AnswerTooLargeError(SparqlError):
    """The answer has more bytes than allowed."""

    sentence = "the answer has more than {:,} bytes; ask for fewer rows or columns"


class QueryFailedError(SparqlError):
    """The engine could not answer the query."""

    sentence = "the query could not be answered: {}"


class BusyError(SparqlError):
    """The seconds passed before the query could start."""

    sentence = "{1} after {0:g} s; try again"
