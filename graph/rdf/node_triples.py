"""Nodes as RDF, with all that they name: SKOS for terms, CiTO for citations, PROV-O for where they were written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import zip_longest
from typing import Any

from pyoxigraph import NamedNode

from graph.models.link_models import CITO_PROPERTIES, Link
from graph.models.node_models import Citation, Kind, Node, Quotation, Source
from graph.models.query_models import DocumentRecord, Tombstone
from graph.rdf.glossary_labels import Glossaries
from graph.rdf.iris import IriFactory, digest, web
from graph.rdf.triples import TripleBuilder
from graph.text.csv_text import exact_rows

RELATIONS = {
    "same_as": "brain:sameAs",
    "broader": "brain:broader",
    "mentions": "schema:mentions",
    "step": "brain:step",
    "contradicts": "cito:disagreesWith",
}
"""Kind of an edge to its property, except between terms; `dcterms:relation` for others."""

_RESOLVERS = {"arxiv": "https://arxiv.org/abs/", "doi": "https://doi.org/"}

_NODE = """id=dcterms:identifier title=dcterms:title brain=dcterms:isPartOf@brain published=dcterms:issued
    tags=dcterms:subject@tag body=schema:text provenance.first_line provenance.last_line
    sources.id=dcterms:references@source labels.abbreviation labels.expansion"""
_QUOTATION = "quote=schema:text marker document span sentences=brain:sentence resolution confidence"
_FIGURE = """value unit valid_from=schema:validFrom valid_to=schema:validThrough checked note source=brain:sourceText
    source=dcterms:source@web"""


def node_facts(node: Node, names: IriFactory, glossaries: Glossaries, health: str | None = None) -> TripleBuilder:
    """A node with its parts; `health` is a value of `brain:health`."""
    kind = f"brain:{node.kind.value.capitalize()}"
    facts = TripleBuilder(names.node(node.id), names, f"{kind} brain:Node schema:CreativeWork prov:Entity")
    facts.copy(node, _NODE).say("brain:section", " / ".join(node.section)).say("brain:health", health)
    facts.say("prov:wasDerivedFrom", names.document(node.provenance.document, node.provenance.sha256))
    if node.body:
        facts.say("schema:encodingFormat", "text/markdown")
    if node.kind is Kind.TERM:
        piece = facts.part(facts.subject, "skos:Concept").copy(node, "body=skos:definition brain=skos:inScheme@brain")
        labels = "preferred=skos:prefLabel alternative=skos:altLabel hidden=skos:hiddenLabel"
        piece.copy(glossaries.labels(node), labels)
    for position, citation in enumerate(node.cites):
        _citation(facts, citation, position)
    for position, quotation in enumerate(node.quotes):
        _quotation(facts, quotation, position, {source.url: names.source(source.id) for source in node.sources})
    for position, table in enumerate(node.tables):
        heads = [f"{name} [{unit}]" if unit else name for name, unit in zip_longest(table.header, table.units)]
        piece = facts.piece("brain:table", position, "brain:Table")
        piece.copy(table, "name=dcterms:title line=brain:firstLine").say("brain:csv", exact_rows([heads, *table.rows]))
    return facts


def _citation(node: TripleBuilder, citation: Citation, position: int) -> None:
    how = f"cito:{citation.cito if citation.cito in CITO_PROPERTIES else 'cites'}"
    node.copy(citation, f"target={how}@node")
    piece = node.piece("brain:makes", position, "cito:Citation brain:Citation", "citation")
    piece.say("cito:hasCitingEntity", node.subject).say("cito:hasCitationCharacterization", node.names.term(how))
    piece.copy(citation, "target=cito:hasCitedEntity@node marker number context resolution confidence")


def _quotation(node: TripleBuilder, quotation: Quotation, position: int, works: Mapping[str, NamedNode]) -> None:
    """A quotation; its work is one that the node lists, else the address."""
    piece = node.piece("brain:quotes", position, "brain:Quotation schema:Quotation", "quotation")
    source, *candidates = (works.get(url or "") or web(url) for url in (quotation.source, *quotation.candidates))
    node.say("cito:includesQuotationFrom", source)
    piece.say("schema:isPartOf", node.subject).say("dcterms:source", source)
    piece.say("brain:candidate", *candidates).copy(quotation, _QUOTATION)


def edge_facts(
    edge: Link, names: IriFactory, kinds: Mapping[str, Kind], glossaries: Glossaries, *, derived: bool
) -> TripleBuilder:
    """An edge, with a `brain:Link` for its reason or confidence; no triples if it contradicts other edges of terms.

    `kinds` are those of its ends, where known; `derived`: it was found across documents, not stated by one.
    """
    terms = all(kinds.get(end) is Kind.TERM for end in (edge.subject, edge.target))
    skos = terms and edge.kind in {"same_as", "broader", "related"}  # which makes its ends concepts
    how = glossaries.relation(edge) if skos else RELATIONS.get(edge.kind, "dcterms:relation")
    start, end = names.node(edge.subject), names.node(edge.target)
    facts = TripleBuilder(start, names)
    if how is not None:
        facts.say(how, end)
    if how is not None and (edge.reason or edge.confidence < 1):
        link = facts.part(names.link(edge, derived=derived), "brain:Link").say("brain:from", start).say("brain:to", end)
        link.say("brain:relation", names.term(how)).copy(edge, "reason confidence").say("brain:derived", derived)
    return facts


def brain_facts(name: str, names: IriFactory, *, glossary: bool) -> TripleBuilder:
    """A brain; one that has terms is a SKOS concept scheme."""
    facts = TripleBuilder(names.brain(name), names, "brain:Brain" + " skos:ConceptScheme" * glossary)
    return facts.say("dcterms:identifier", name).say("dcterms:title", name)


def tag_facts(tag: str, names: IriFactory) -> TripleBuilder:
    """A tag as a concept."""
    facts = TripleBuilder(names.tag(tag), names, "brain:Tag skos:Concept")
    return facts.say("skos:prefLabel", tag).say("skos:inScheme", names.tags)


def scheme_facts(names: IriFactory) -> TripleBuilder:
    """The scheme of tags."""
    return TripleBuilder(names.tags, names, "skos:ConceptScheme").say("dcterms:title", "Tags")


def source_facts(source: Source, addresses: Iterable[str], names: IriFactory) -> TripleBuilder:
    """A work with its addresses."""
    facts = TripleBuilder(names.source(source.id), names, "brain:Source schema:CreativeWork")
    facts.copy(source, "id=dcterms:identifier title=dcterms:title date=dcterms:date host")
    registry, _, number = source.id.partition(":")
    if registry in _RESOLVERS:
        facts.say("schema:sameAs", web(_RESOLVERS[registry] + number))
    return facts.say("schema:url", *map(web, addresses))


def document_facts(record: DocumentRecord, names: IriFactory) -> TripleBuilder:
    """A document as read, with its numbers of lines."""
    return version_facts(record.name, record.sha256, names).copy(
        record,
        "brain=dcterms:isPartOf@brain format=dcterms:format ingested_at=prov:generatedAtTime declared_nodes"
        " lines.kept=brain:linesKept lines.skipped=brain:linesSkipped",
    )


def version_facts(name: str, sha256: str, names: IriFactory) -> TripleBuilder:
    """A version of a document by name and hash."""
    facts = TripleBuilder(names.document(name, sha256), names, "brain:Document prov:Entity")
    return facts.say("dcterms:title", name).say("brain:sha256", sha256)


def tombstone_facts(tombstone: Tombstone, names: IriFactory) -> TripleBuilder:
    """A removed node that others cite."""
    facts = TripleBuilder(names.node(tombstone.id), names, "brain:Tombstone prov:Entity")
    facts.copy(tombstone, "id=dcterms:identifier title=dcterms:title removed_at=prov:invalidatedAtTime")
    return facts.say("prov:wasDerivedFrom", names.document(tombstone.document, tombstone.sha256))


def item_facts(item: str, prices: Iterable[Any], names: IriFactory) -> TripleBuilder:
    """A priced item or family, with its prices."""
    facts = TripleBuilder(names.price(item), names, "brain:PricedItem")
    facts.say("dcterms:identifier", item).say("dcterms:title", item)
    for price in prices:
        key = (price.item, price.catalog, price.component, price.processing, price.above, price.region)
        piece = _figure(facts, "price", price, *key).copy(price, "component processing region catalog")
        piece.say("brain:above", price.above or None)
        if price.item != item:
            piece.say("dcterms:isPartOf", names.price(price.item))
    return facts


def assumption_facts(name: str, figures: Iterable[Any], names: IriFactory) -> TripleBuilder:
    """An assumption with the `Assumption` of each interval."""
    facts = TripleBuilder(names.assumption(name), names, "brain:Assumption")
    facts.say("dcterms:identifier", name).say("dcterms:title", name)
    for figure in figures:
        _figure(facts, "figure", figure).copy(figure, "low high")
    return facts


def _figure(facts: TripleBuilder, kind: str, figure: Any, *key: object) -> TripleBuilder:  # noqa: ANN401  # as above
    which = digest(16, *key, figure.value, figure.unit, figure.valid_from, figure.valid_to)
    piece = facts.piece(f"brain:{kind}", which, f"brain:{kind.capitalize()}")
    return piece.copy(figure, _FIGURE)
