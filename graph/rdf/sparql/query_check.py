"""Checks a query: it is parsed, and accepted only if it just reads this dataset."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from pyparsing import ParseBaseException, ParseResults
from rdflib.plugins.sparql.parser import parseQuery, parseUpdate
from rdflib.plugins.sparql.parserutils import CompValue

from graph.rdf.sparql.sparql_errors import QueryFailedError, QuerySyntaxError, ServiceRefusedError, UpdateRefusedError

_AT = re.compile(r"error at (\d+):(\d+): (.*)", re.S)
_SENTENCE = re.compile(r"\b[A-Z][A-Za-z]+ [^,\[]+")
_WORD = re.compile(r"[\w:?$]+|\S")
_WORD_BEFORE = re.compile(r"(?<![\w:?$-])[\w:?$-]++$")

_OPERATIONS = {
    "Load": "LOAD",
    "Clear": "CLEAR",
    "Drop": "DROP",
    "Create": "CREATE",
    "Add": "ADD",
    "Move": "MOVE",
    "Copy": "COPY",
    "InsertData": "INSERT DATA",
    "DeleteData": "DELETE DATA",
    "DeleteWhere": "DELETE WHERE",
    "Modify": "DELETE/INSERT",
}


@lru_cache(maxsize=256)
def form_of(text: str) -> str:
    """SELECT, ASK, CONSTRUCT or DESCRIBE: the form of a query that only reads.

    Raises:
        QuerySyntaxError: the text is neither a query nor an update.
        UpdateRefusedError: the text is an update, including LOAD.
        ServiceRefusedError: the query calls another service.
        QueryFailedError: the query is nested too deeply to parse.
    """
    try:
        parsed = parseQuery(text)
    except ParseBaseException as error:
        raise _refusal(text, error) from None
    except RecursionError:
        raise QueryFailedError("it is nested too deeply") from None
    if any(part.name == "ServiceGraphPattern" for part in _parts(parsed)):
        raise ServiceRefusedError
    return str(parsed[1].name).removesuffix("Query").upper()


def syntax_error(text: str, error: SyntaxError) -> QuerySyntaxError:
    """The error for a grammatical query that the engine rejects: undeclared prefix, variable that is not grouped."""
    found = _AT.search(str(error))
    if found is None:
        return QuerySyntaxError(str(error), 1, 1, text)
    line, column = int(found[1]), int(found[2])
    named = _SENTENCE.search(found[3])
    word = _WORD_BEFORE.search(_line(text, line)[: column - 1])
    start = column - len(word[0]) if word else column
    return QuerySyntaxError(
        f"{named[0].strip() if named else 'not SPARQL'}, at {word[0] if word else 'this place'!r}", line, start, text
    )


def _refusal(text: str, error: ParseBaseException) -> QuerySyntaxError | UpdateRefusedError:
    """Distinguishes an update from text that is not SPARQL."""
    operation = _update(text)
    if operation is not None:
        return UpdateRefusedError(operation)
    word = _WORD.match(_line(text, error.lineno)[error.column - 1 :])
    message = f"what begins with {word[0]!r} cannot be read" if word else "the query ends too early"
    return QuerySyntaxError(message, error.lineno, error.column, text)


def _line(text: str, line: int) -> str:
    lines = text.split("\n")
    return lines[line - 1] if 0 < line <= len(lines) else ""


def _update(text: str) -> str | None:
    """The first operation of an update; None if the text is not an update."""
    try:
        request = parseUpdate(text)
    except (ParseBaseException, RecursionError):
        return None
    names = [part.name for part in _parts(request) if part.name in _OPERATIONS]
    return _OPERATIONS[names[0]] if names else None


def _parts(thing: object) -> Iterator[CompValue]:
    """Every part of a parsed query, from the outside in."""
    waiting = [thing]
    while waiting:
        part = waiting.pop()
        if isinstance(part, CompValue):
            yield part
        if isinstance(part, ParseResults | list | tuple | set):  # first, as pyparsing's lists are mappings too
            waiting.extend(part)
        elif isinstance(part, Mapping):
            waiting.extend(part.values())
