"""The output formats of the graph by name; each is written in chunks.

JSON-LD is compacted by the published context (`graph.rdf.jsonld`); the others are pyoxigraph's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from pyoxigraph import Quad, RdfFormat, Triple, serialize

from graph.rdf.iris import IriFactory
from graph.rdf.jsonld import write_jsonld
from graph.values import Value

PIECE = 2000
"""How many statements are written at a time."""


class Format(Value):
    """A format: its name on the command line, media type and file extension."""

    name: str
    media_type: str
    extension: str


FORMATS = {
    form.name: form
    for form in (
        Format(name="turtle", media_type="text/turtle", extension=".ttl"),
        Format(name="trig", media_type="application/trig", extension=".trig"),
        Format(name="jsonld", media_type="application/ld+json", extension=".jsonld"),
        Format(name="ntriples", media_type="application/n-triples", extension=".nt"),
    )
}
"""By name, the preferred one first."""

_WRITERS = {"turtle": RdfFormat.TURTLE, "trig": RdfFormat.TRIG, "ntriples": RdfFormat.N_TRIPLES}


class FormatError(ValueError):
    """There is no format of that name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name!r} is no RDF format: expected one of {', '.join(FORMATS)}")


def write(
    statements: Iterable[Triple] | Iterable[Quad], form: str, names: IriFactory, context: str | None = None
) -> Iterator[bytes]:
    """The statements in a format, in the order given. Only `trig` takes quads.

    JSON-LD links its context where `context` is the context's address, and embeds it if that is None.

    Raises:
        FormatError: no such format.
    """
    if form == "jsonld":
        return write_jsonld(statements, names, context)
    if form not in _WRITERS:
        raise FormatError(form)
    return _pieces(statements, _WRITERS[form], names)


def _pieces(statements: Iterable[Triple] | Iterable[Quad], form: RdfFormat, names: IriFactory) -> Iterator[bytes]:
    """The prefixes once, in order, as pyoxigraph writes them in any order; then the chunks without prefixes."""
    prefixes = None if form == RdfFormat.N_TRIPLES else names.prefixes
    head = b"".join(f"@prefix {name}: <{iri}> .\n".encode() for name, iri in sorted((prefixes or {}).items()))
    yield head
    stream: Iterator[Any] = iter(statements)  # the types of `serialize` accept triples or quads, not a union
    while piece := list(islice(stream, PIECE)):
        yield (serialize(piece, format=form, prefixes=prefixes) or b"")[len(head) :]
