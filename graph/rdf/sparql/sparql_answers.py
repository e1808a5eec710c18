"""Answers and their formats, chosen by the Accept header (RFC 9110, section 12.5.1)."""

from __future__ import annotations

from graph.rdf.accept_header import quality
from graph.rdf.rdf_formats import FORMATS
from graph.rdf.sparql.sparql_errors import NotAcceptableError
from graph.values import Value

TABLES = {
    "json": "application/sparql-results+json",
    "xml": "application/sparql-results+xml",
    "csv": "text/csv; charset=utf-8",
    "tsv": "text/tab-separated-values; charset=utf-8",
}
"""The formats of SELECT and ASK by name, the preferred one first."""

GRAPHS = {name: FORMATS[name].media_type for name in ("turtle", "jsonld", "ntriples")}
"""The formats of CONSTRUCT and DESCRIBE by name."""

_ALIASES = {
    "application/json": "json",
    "application/xml": "xml",
    "text/xml": "xml",
    "application/x-turtle": "turtle",
    "text/plain": "ntriples",
}


class SparqlAnswer(Value):
    """The answer to a query: `body` in `media_type`.

    `rows` counts rows or triples; `truncated` says that there were more than the limit; `version` is the version of
    the store that was queried, `fresh` whether that is the current one.
    """

    media_type: str
    body: bytes
    form: str
    rows: int
    truncated: bool
    version: int
    fresh: bool

    @property
    def warning(self) -> str | None:
        """A note for the reader, for a header or a page."""
        cut = f"cut after {self.rows:,} rows: there are more" if self.truncated else None
        old = None if self.fresh else "the data are being brought up to date"
        return "; ".join(filter(None, (cut, old))) or None


def choose(accept: str | None, form: str) -> tuple[str, str]:
    """The name and the media type of the format of an answer to a `form` of query.

    `accept` is an Accept header, or the name of a format.

    Raises:
        NotAcceptableError: none of the formats is accepted.
    """
    offered = TABLES if form in {"SELECT", "ASK"} else GRAPHS
    wanted = (accept or "*/*").strip().lower()
    if wanted in offered:
        return wanted, offered[wanted]
    types = {media.partition(";")[0]: (name, media) for name, media in offered.items()}
    types |= {alias: (name, alias) for alias, name in _ALIASES.items() if name in offered}
    weighed = [(quality(media, wanted), -place, media) for place, media in enumerate(types)]
    weight, _, media = max(weighed)
    if weight <= 0:
        raise NotAcceptableError(accept or "", form, tuple(offered[name] for name in offered))
    return types[media]
