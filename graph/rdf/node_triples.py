"""Nodes as RDF: SKOS for terms, CiTO for citations and quotations, PROV-O for where they were written."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest

from pyoxigraph import NamedNode

from graph.models.node_models import Citation, Kind, Node, Quotation, Table
from graph.rdf.glossary_labels import Glossaries
from graph.rdf.iris import IriFactory, part, web
from graph.rdf.triples import TripleBuilder
from graph.rdf.vocabulary import CITO, DCTERMS, PROV, RDF, SCHEMA, SKOS, citing
from graph.text.csv_text import exact_rows

CLASSES = {kind: kind.value.capitalize() for kind in Kind}
"""Kind to the local name of its class in the `brain:` vocabulary."""


def node_facts(node: Node, names: IriFactory, glossaries: Glossaries, health: str | None = None) -> TripleBuilder:
    """The triples of a node and its citations; for its relations see `edge_triples`, for its sources `library_triples`.

    `health` is one of the values of `brain:health` (sound, weakened, broken, unchecked).
    """
    own = names.own
    facts = TripleBuilder(names.node(node.id), own[CLASSES[node.kind]], own.Node, SCHEMA.CreativeWork, PROV.Entity)
    facts.say(DCTERMS.identifier, node.id).say(DCTERMS.title, node.title)
    facts.say(DCTERMS.isPartOf, names.brain(node.brain)).say(DCTERMS.issued, node.published)
    facts.say(DCTERMS.subject, *(names.tag(tag) for tag in node.tags))
    facts.say(own.section, " / ".join(node.section) or None).say(own.health, health)
    if node.body:
        facts.say(SCHEMA.text, node.body).say(SCHEMA.encodingFormat, "text/markdown")
    _origin(facts, node, names)
    if node.kind is Kind.TERM:
        _concept(facts, node, names, glossaries)
    for position, citation in enumerate(node.cites):
        _citation(facts, citation, part(facts.subject, "citation", position), names)
    works = {source.url: names.source(source.id) for source in node.sources}
    for position, quotation in enumerate(node.quotes):
        _quotation(facts, quotation, part(facts.subject, "quotation", position), works, names)
    for position, table in enumerate(node.tables):
        _table(facts, table, part(facts.subject, "table", position), names)
    return facts


def _origin(facts: TripleBuilder, node: Node, names: IriFactory) -> None:
    at = node.provenance
    facts.say(PROV.wasDerivedFrom, names.document(at.document, at.sha256))
    facts.say(names.own.firstLine, at.first_line).say(names.own.lastLine, at.last_line)
    facts.say(DCTERMS.references, *(names.source(source.id) for source in node.sources))


def _concept(facts: TripleBuilder, node: Node, names: IriFactory, glossaries: Glossaries) -> None:
    labels = glossaries.labels(node)
    facts.say(RDF.type, SKOS.Concept).say(SKOS.inScheme, names.brain(node.brain))
    facts.say(SKOS.prefLabel, labels.preferred)
    facts.say(SKOS.altLabel, *labels.alternative).say(SKOS.hiddenLabel, *labels.hidden)
    facts.say(SKOS.definition, node.body or None)
    if node.labels:
        facts.say(names.own.abbreviation, node.labels.abbreviation).say(names.own.expansion, node.labels.expansion)


def _citation(node: TripleBuilder, citation: Citation, iri: NamedNode, names: IriFactory) -> None:
    """The citation as a direct link, if it has a target, and as a resource that says how it was resolved."""
    own, how = names.own, citing(citation.cito)
    target = names.node(citation.target) if citation.target is not None else None
    node.say(how, target).say(own.makes, iri)
    told = node.part(iri, CITO.Citation, own.Citation)
    told.say(CITO.hasCitingEntity, node.subject).say(CITO.hasCitedEntity, target)
    told.say(CITO.hasCitationCharacterization, how)
    told.say(own.marker, citation.marker).say(own.number, citation.number).say(own.context, citation.context or None)
    told.say(own.resolution, citation.resolution).say(own.confidence, citation.confidence)


def _quotation(
    node: TripleBuilder, quotation: Quotation, iri: NamedNode, works: Mapping[str, NamedNode], names: IriFactory
) -> None:
    """The quotation as a resource, and the work that it is from, if known."""
    own = names.own
    source = _work(quotation.source, works)
    node.say(CITO.includesQuotationFrom, source).say(own.quotes, iri)
    told = node.part(iri, own.Quotation, SCHEMA.Quotation)
    told.say(SCHEMA.isPartOf, node.subject).say(SCHEMA.text, quotation.quote).say(DCTERMS.source, source)
    told.say(own.marker, quotation.marker).say(own.document, quotation.document)
    told.say(own.span, quotation.span).say(own.sentence, *quotation.sentences)
    told.say(own.candidate, *(_work(address, works) for address in quotation.candidates))
    told.say(own.resolution, quotation.resolution).say(own.confidence, quotation.confidence)


def _work(address: str | None, works: Mapping[str, NamedNode]) -> NamedNode | None:
    """The work that the node lists under an address; else the address itself."""
    return None if address is None else works.get(address) or web(address)


def _table(node: TripleBuilder, table: Table, iri: NamedNode, names: IriFactory) -> None:
    own = names.own
    node.say(own.table, iri)
    told = node.part(iri, own.Table).say(DCTERMS.title, table.name).say(own.firstLine, table.line)
    told.say(own.csv, _csv(table))


def _csv(table: Table) -> str:
    """The table as CSV (RFC 4180), a unit after the name of its column."""
    heads = [f"{name} [{unit}]" if unit else name for name, unit in zip_longest(table.header, table.units)]
    return exact_rows([heads, *table.rows])
