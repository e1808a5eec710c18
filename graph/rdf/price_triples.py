"""Prices and assumptions as RDF: value, source and days of validity.

The values are defined in other packages, so this file uses protocols with their fields.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from typing import Protocol

from pyoxigraph import NamedNode

from graph.rdf.iris import IriFactory, part, web
from graph.rdf.triples import TripleBuilder
from graph.rdf.vocabulary import DCTERMS, SCHEMA


class DatedFigure(Protocol):
    """A value in a unit over an interval of days."""

    @property
    def value(self) -> Decimal: ...  # noqa: D102  # a field
    @property
    def unit(self) -> str: ...  # noqa: D102  # a field
    @property
    def valid_from(self) -> date | None: ...  # noqa: D102  # a field
    @property
    def valid_to(self) -> date | None: ...  # noqa: D102  # a field
    @property
    def source(self) -> str | None: ...  # noqa: D102  # a field
    @property
    def checked(self) -> date | None: ...  # noqa: D102  # a field
    @property
    def note(self) -> str: ...  # noqa: D102  # a field


class PriceFigure(DatedFigure, Protocol):
    """A price of a catalogue."""

    @property
    def item(self) -> str: ...  # noqa: D102  # a field
    @property
    def component(self) -> str: ...  # noqa: D102  # a field
    @property
    def processing(self) -> str: ...  # noqa: D102  # a field
    @property
    def above(self) -> int: ...  # noqa: D102  # a field
    @property
    def region(self) -> str | None: ...  # noqa: D102  # a field
    @property
    def catalog(self) -> str: ...  # noqa: D102  # a field


class AssumedFigure(DatedFigure, Protocol):
    """An assumption with its range."""

    @property
    def low(self) -> Decimal | None: ...  # noqa: D102  # a field
    @property
    def high(self) -> Decimal | None: ...  # noqa: D102  # a field


def item_facts(item: str, prices: Iterable[PriceFigure], names: IriFactory) -> TripleBuilder:
    """A priced item, or a family of items, with every price that a catalogue has."""
    own = names.own
    facts = TripleBuilder(names.price(item), own.PricedItem).say(DCTERMS.identifier, item).say(DCTERMS.title, item)
    for price in prices:
        said = (price.component, price.processing, price.above, price.region)
        iri = _part(facts, "price", price, price.item, price.catalog, *said)
        facts.say(own.price, iri)
        told = _figure(facts.part(iri, own.Price), price, names)
        told.say(own.component, price.component).say(own.processing, price.processing).say(own.region, price.region)
        told.say(own.above, price.above or None).say(own.catalog, price.catalog)
        if price.item != item:
            told.say(DCTERMS.isPartOf, names.price(price.item))
    return facts


def assumption_facts(name: str, figures: Iterable[AssumedFigure], names: IriFactory) -> TripleBuilder:
    """An assumption with the figure of each interval."""
    own = names.own
    facts = TripleBuilder(names.assumption(name), own.Assumption).say(DCTERMS.identifier, name).say(DCTERMS.title, name)
    for figure in figures:
        iri = _part(facts, "figure", figure)
        facts.say(own.figure, iri)
        told = _figure(facts.part(iri, own.Figure), figure, names)
        told.say(own.low, figure.low).say(own.high, figure.high)
    return facts


def _part(facts: TripleBuilder, kind: str, figure: DatedFigure, *more: object) -> NamedNode:
    """A figure as a part of the resource, named by the fields that identify it."""
    key = "\x1f".join(map(str, (*more, figure.value, figure.unit, figure.valid_from, figure.valid_to)))
    return part(facts.subject, kind, hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:16])


def _figure(told: TripleBuilder, figure: DatedFigure, names: IriFactory) -> TripleBuilder:
    """A value with its unit, days and source."""
    own = names.own
    told.say(own.value, figure.value).say(own.unit, figure.unit)
    told.say(SCHEMA.validFrom, figure.valid_from).say(SCHEMA.validThrough, figure.valid_to)
    told.say(own.checked, figure.checked).say(own.note, figure.note or None)
    if figure.source:
        told.say(DCTERMS.source, web(figure.source)).say(own.sourceText, figure.source)
    return told
