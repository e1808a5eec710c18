"""Builds triples with exact literals from values and their fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from functools import lru_cache
from itertools import chain
from typing import Any

from pyoxigraph import Literal, NamedNode, Triple

from graph.rdf.iris import XSD, IriFactory, part, web
from graph.values import Value

Triples = list[Triple]
"""The triples of one resource."""


Parts = dict[NamedNode, dict[Triple, None]]
"""Subject to its triples, in the order of insertion."""


class TripleBuilder:
    """The triples about a subject and its parts, each once, by subject, in order; `classes` are `prefix:local …`."""

    def __init__(self, subject: NamedNode, names: IriFactory, classes: str = "", parts: Parts | None = None) -> None:
        self.subject, self.names = subject, names
        self._parts: Parts = {} if parts is None else parts
        self._here = self._parts.setdefault(subject, {})
        self.say("rdf:type", *map(names.term, classes.split()))

    def say(self, predicate: str, *values: object) -> TripleBuilder:
        """Add a triple for each value that is not empty."""
        for value in values:
            if (term := value if isinstance(value, NamedNode) else literal(value)) is not None:
                self._here[Triple(self.subject, self.names.term(predicate), term)] = None
        return self

    def copy(self, value: object, fields: str) -> TripleBuilder:
        """Add fields of a value, as `properties` reads them."""
        for path, predicate, room in properties(fields):
            found = _reached(value, path.split("."))
            link: Callable[[Any], object] = web if room == "web" else getattr(self.names, room or "node")
            self.say(predicate, *(map(link, found) if room else found))
        return self

    def part(self, subject: NamedNode, classes: str = "") -> TripleBuilder:
        """A builder for another subject, whose triples are added here."""
        return TripleBuilder(subject, self.names, classes, parts=self._parts)

    def piece(self, predicate: str, which: object, classes: str, kind: str = "") -> TripleBuilder:
        """A builder for a linked part, `…#KIND-WHICH`; the predicate is the default kind."""
        iri = part(self.subject, kind or predicate.partition(":")[2], which)
        self.say(predicate, iri)
        return self.part(iri, classes)

    def __iter__(self) -> Iterator[Triple]:
        return chain.from_iterable(self._parts.values())


@lru_cache(maxsize=100)
def properties(fields: str) -> tuple[tuple[str, str, str], ...]:
    """Each field with its property, and the method of `IriFactory` that makes its values links, or "".

    `as_of` is `brain:asOf`, `title=dcterms:title` another property, `lines.kept` the field of a field, or of each of
    several; `tags=dcterms:subject@tag` are links to tags, `source@web` to a web address.
    """
    found = []
    for word in fields.split():
        head, _, room = word.partition("@")
        path, _, predicate = head.partition("=")
        first, *more = path.rpartition(".")[2].split("_")
        found.append((path, predicate or f"brain:{first}{''.join(map(str.capitalize, more))}", room))
    return tuple(found)


def _reached(value: object, path: Sequence[str]) -> Iterator[object]:
    """The values at the end of a path, without empty ones."""
    if isinstance(value, tuple):
        for each in value:
            yield from _reached(each, path)
    elif value is not None and value != "":
        if not path:
            yield value
            return
        found = getattr(value, path[0])
        yield from _reached(found() if callable(found) else found, path[1:])


def once(*groups: Iterable[Triple]) -> Triples:
    """All these triples, each once."""
    return list(dict.fromkeys(chain.from_iterable(groups)))


def literal(value: object) -> Literal | None:
    """The literal of a value; None for None, empty text, and numbers that are not finite."""
    plain = value.value if isinstance(value, Enum) else value
    match plain:
        case None | "":
            term = None
        case str():
            term = Literal(plain.encode("utf-8", "replace").decode())
        case bool() | int():
            term = Literal(plain)
        case datetime():
            term = Literal(plain.isoformat(), datatype=XSD.dateTime)
        case date():
            term = Literal(plain.isoformat(), datatype=XSD.date)
        case Value():
            term = Literal(plain.model_dump_json(exclude_none=True))
        case _:  # xsd:decimal has no exponent and no infinity
            number = plain if isinstance(plain, Decimal) else Decimal(repr(plain))
            term = Literal(format(number, "f"), datatype=XSD.decimal) if number.is_finite() else None
    return term
