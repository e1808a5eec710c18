"""The output formats of the graph, each written in chunks, and the files of its vocabulary: ontology, shapes, context.

JSON-LD 1.1 is compacted by the published context, one object for each run of triples with one subject. The context
gives each property one type, so a value of that type is a bare string or number; any other value is written in full.
Decimals are strings: a JSON number with a fraction would be read as a binary double.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.resources import files
from itertools import groupby, islice
from typing import Any

from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, Triple, serialize

from graph.models.link_models import CITO_PROPERTIES
from graph.rdf.iris import RDF, XSD, IriFactory
from graph.values import dumps

PIECE = 2000  # statements written at a time

Statements = Iterable[Triple] | Iterable[Quad]

FORMATS = {
    "turtle": RdfFormat.TURTLE,
    "trig": RdfFormat.TRIG,
    "jsonld": RdfFormat.JSON_LD,
    "ntriples": RdfFormat.N_TRIPLES,
}
"""Formats by name on the command line, the preferred one first."""


def write(statements: Statements, form: str, names: IriFactory, context: str | None = None) -> Iterator[bytes]:
    """Statements in a format; only `trig` takes quads; JSON-LD links `context` or embeds its own."""
    if form == "jsonld":
        yield from _jsonld(statements, names, context)
        return
    prefixes = None if form == "ntriples" else names.prefixes  # written once, in order: pyoxigraph does in any order
    head = b"".join(f"@prefix {name}: <{iri}> .\n".encode() for name, iri in sorted((prefixes or {}).items()))
    yield head
    stream: Iterator[Any] = iter(statements)  # the types of `serialize` accept triples or quads, not a union
    while piece := list(islice(stream, PIECE)):
        yield (serialize(piece, format=FORMATS[form], prefixes=prefixes) or b"")[len(head) :]


def _jsonld(statements: Statements, names: IriFactory, context: str | None) -> Iterator[bytes]:
    yield f'{{"@context": {dumps(context or context_document(names)["@context"])},\n"@graph": ['.encode()
    before = "\n"
    stream: Iterable[Triple | Quad] = statements
    for subject, group in groupby(stream, key=lambda statement: statement.subject):
        yield (before + dumps(_compact(subject, group, names))).encode()
        before = ",\n"
    yield b"\n]}\n"


def _compact(subject: object, triples: Iterable[Triple | Quad], names: IriFactory) -> dict[str, object]:
    keys = _keys(names)
    found: dict[str, list[object]] = {"id": [_reference(subject)]}
    for triple in triples:
        key, kind = keys.get(triple.predicate.value, (triple.predicate.value, ""))
        value = _value(triple.object, kind)
        if triple.predicate == RDF.type and isinstance(triple.object, NamedNode):
            key, value = "type", keys.get(triple.object.value, (triple.object.value,))[0]
        found.setdefault(key, []).append(value)
    return {key: values[0] if len(values) == 1 else values for key, values in found.items()}


def _reference(term: object) -> str:
    """The value of `id`; query results may have blank nodes."""
    return term.value if isinstance(term, NamedNode) else str(term)


def _value(term: object, kind: str) -> object:
    """The shortest form of a value under a key of that type."""
    if not isinstance(term, Literal):
        return _reference(term) if kind == "@id" else {"id": _reference(term)}
    if kind == term.datatype.value or (not kind and term.datatype == XSD.string):
        return term.value
    if not kind and term.datatype == XSD.boolean and term.value in {"true", "false"}:
        return term.value == "true"
    if not kind and term.datatype == XSD.integer and _SAFE_INTEGER.fullmatch(term.value):
        return int(term.value)
    if term.language:
        return {"@value": term.value, "@language": term.language}
    return {"@value": term.value} | ({} if term.datatype == XSD.string else {"@type": term.datatype.value})


_SAFE_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,14}")  # integers that every JSON reader reads exactly


def context_document(names: IriFactory) -> dict[str, dict[str, Any]]:
    """The context that JSON-LD answers link."""
    cito = {name: {"@id": f"cito:{name}", "@type": "@id"} for name in sorted(CITO_PROPERTIES)}
    terms = cito | json.loads(_published("context.jsonld"))
    return {"@context": {"@version": 1.1, **names.prefixes, "id": "@id", "type": "@type", **terms}}


@lru_cache(maxsize=8)
def _keys(names: IriFactory) -> dict[str, tuple[str, str]]:
    """IRI of a term to its key and the IRI of its type."""
    found = {}
    for key, entry in context_document(names)["@context"].items():
        curie, kind = (entry["@id"], entry["@type"]) if isinstance(entry, dict) else (str(entry), "")
        if curie.partition(":")[0] in names.prefixes:
            found[names.term(curie).value] = key, names.term(kind).value if ":" in kind else kind
    return found


def shapes(names: IriFactory, file: str = "shapes.ttl") -> bytes:
    """A vocabulary file as Turtle, relative to the base."""
    return f"@base <{names.base}> .\n{_published(file)}".encode()


def _published(file: str) -> str:
    return files("graph.rdf").joinpath(file).read_text("utf-8")
