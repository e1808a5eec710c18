"""The format of an answer, chosen by the Accept header (RFC 9110, section 12.5.1), and tables in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pyoxigraph as ox

from graph.rdf.accept_header import quality
from graph.rdf.iris import XSD
from graph.rdf.rdf_formats import FORMATS
from graph.rdf.sparql.sparql_errors import NotAcceptableError
from graph.text.csv_text import csv_row
from graph.values import Value

LARGEST = 64 * 2**20  # maximum bytes of an answer

TABLES = {
    "json": ox.QueryResultsFormat.JSON,
    "xml": ox.QueryResultsFormat.XML,
    "csv": ox.QueryResultsFormat.CSV,
    "tsv": ox.QueryResultsFormat.TSV,
}
"""Formats of SELECT and ASK by name, the preferred one first."""

GRAPHS = {name: FORMATS[name] for name in ("turtle", "jsonld", "ntriples")}  # formats of CONSTRUCT and DESCRIBE by name

Question = tuple[str, Path, str, str | None, tuple[str, ...], tuple[str, ...], int]
"""Query, dataset, base of IRIs, Accept header, default and named graphs instead of `FROM`, maximum of rows."""

_ALIASES = {
    "application/json": "json",
    "application/xml": "xml",
    "text/xml": "xml",
    "application/x-turtle": "turtle",
    "text/plain": "ntriples",
}
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")

Term = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple


class SparqlAnswer(Value):
    """An answer with `rows` rows or triples; `truncated`: there were more.

    `version` is that of the queried store, `fresh` whether it is the current one.
    """

    media_type: str
    body: bytes
    form: str
    rows: int
    truncated: bool
    version: int = 0
    fresh: bool = True

    @property
    def warning(self) -> str | None:
        """What a reader should know of it, if anything."""
        cut = f"cut after {self.rows:,} rows: there are more" if self.truncated else None
        old = None if self.fresh else "the data are being brought up to date"
        return "; ".join(filter(None, (cut, old))) or None


def choose(accept: str | None, form: str) -> tuple[str, str]:
    """Name and media type of the format of an answer. Raises NotAcceptableError."""
    formats: Mapping[str, ox.QueryResultsFormat | ox.RdfFormat] = TABLES if form in {"SELECT", "ASK"} else GRAPHS
    offered = {name: one.media_type for name, one in formats.items()}
    wanted = (accept or "*/*").strip().lower()
    if wanted in offered:
        return wanted, offered[wanted]
    types = {media.partition(";")[0]: (name, media) for name, media in offered.items()}
    types |= {alias: (name, alias) for alias, name in _ALIASES.items() if name in offered}
    weight, _, media = max((quality(media, wanted), -place, media) for place, media in enumerate(types))
    if weight <= 0:
        raise NotAcceptableError(accept or "", form, tuple(offered.values()))
    return types[media]


def boolean(form: str, answer: ox.QueryBoolean) -> bytes:
    """The answer to an ASK."""
    return (answer.serialize(format=TABLES[form]) or b"").rstrip() + b"\n"


def table(form: str, variables: Sequence[str], rows: Iterable[Sequence[Term | None]]) -> bytes:
    """The rows of a SELECT in a format; None is an unbound variable.

    TSV has each term unchanged, CSV is safe for spreadsheets (`graph.text.csv_text`), and XML has U+FFFD for the
    control characters that it cannot write.
    """
    if form == "csv":
        return "".join(map(csv_row, [variables, *(map(_plain, row) for row in rows)])).encode()
    lines = [[f"?{name}" for name in variables], *(map(_exact, row) for row in rows)]
    tsv = "".join("\t".join(line) + "\n" for line in lines).encode()
    if form == "tsv":
        return tsv
    solutions = ox.parse_query_results(tsv, format=TABLES["tsv"])
    assert isinstance(solutions, ox.QuerySolutions)  # noqa: S101  # a table is never a boolean
    body = solutions.serialize(format=TABLES[form]) or b""
    return _NO_XML.sub("\ufffd", body.decode()).replace("\r", "&#13;").encode() if form == "xml" else body


def _plain(term: Term | None) -> str:
    if term is None:
        return ""
    return term.value if isinstance(term, ox.NamedNode | ox.Literal) else str(term)


def _exact(term: Term | None) -> str:
    """N-Triples, which escapes as TSV needs; integers as bare numerals."""
    if isinstance(term, ox.Literal) and term.datatype == XSD.integer and re.fullmatch(r"[+-]?\d+", term.value):
        return term.value
    return "" if term is None else str(term)
