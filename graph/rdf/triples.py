"""Builds triples, one subject at a time, from Python values to exact literals."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from itertools import chain

from pyoxigraph import Literal, NamedNode, Triple

from graph.rdf.vocabulary import RDF, XSD

Said = NamedNode | str | bool | int | float | Decimal | date | None
"""The value of a property; None adds no triple."""

Told = dict[NamedNode, dict[Triple, None]]
"""Subject to its triples, in the order of insertion."""


class TripleBuilder:
    """The triples about a subject and its parts, each once; subject by subject, in order of insertion."""

    def __init__(self, subject: NamedNode, *classes: NamedNode, told: Told | None = None) -> None:
        self.subject = subject
        self._told: Told = {} if told is None else told
        self._here = self._told.setdefault(subject, {})
        self.say(RDF.type, *classes)

    def say(self, predicate: NamedNode, *values: Said) -> TripleBuilder:
        """Add one triple for each value that is not None."""
        for value in values:
            term = value if isinstance(value, NamedNode) else literal(value)
            if term is not None:
                self._here[Triple(self.subject, predicate, term)] = None
        return self

    def part(self, subject: NamedNode, *classes: NamedNode) -> TripleBuilder:
        """A builder for another subject; its triples are added to this one too."""
        return TripleBuilder(subject, *classes, told=self._told)

    def __iter__(self) -> Iterator[Triple]:
        return chain.from_iterable(self._told.values())


def literal(value: str | bool | int | float | Decimal | date | None) -> Literal | None:
    """The literal of a value; None for None and for numbers without a decimal numeral."""
    match value:
        case None:
            told = None
        case str():
            told = Literal(value.encode("utf-8", "replace").decode())
        case bool():
            told = Literal(str(value).lower(), datatype=XSD.boolean)
        case int():
            told = Literal(str(value), datatype=XSD.integer)
        case datetime():
            told = Literal(value.isoformat(), datatype=XSD.dateTime)
        case date():
            told = Literal(value.isoformat(), datatype=XSD.date)
        case _:
            told = _decimal(value if isinstance(value, Decimal) else Decimal(repr(value)))
    return told


def _decimal(value: Decimal) -> Literal | None:
    """`xsd:decimal` has no exponent and no infinity."""
    return Literal(format(value, "f"), datatype=XSD.decimal) if value.is_finite() else None
