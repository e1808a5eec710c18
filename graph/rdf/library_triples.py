"""Brains, tags, sources, documents and tombstones as RDF."""

from __future__ import annotations

from collections.abc import Iterable

from pyoxigraph import NamedNode

from graph.models.node_models import Source
from graph.models.query_models import DocumentRecord, Tombstone
from graph.rdf.iris import IriFactory, web
from graph.rdf.triples import TripleBuilder
from graph.rdf.vocabulary import DCTERMS, PROV, SCHEMA, SKOS

_RESOLVERS = {"arxiv": "https://arxiv.org/abs/", "doi": "https://doi.org/"}


def brain_facts(name: str, names: IriFactory, glossary: bool) -> TripleBuilder:
    """A brain; one that has terms is a SKOS concept scheme."""
    facts = TripleBuilder(names.brain(name), names.own.Brain, *([SKOS.ConceptScheme] if glossary else []))
    return facts.say(DCTERMS.identifier, name).say(DCTERMS.title, name)


def tag_facts(tag: str, names: IriFactory) -> TripleBuilder:
    """A tag, a concept of the scheme of tags."""
    facts = TripleBuilder(names.tag(tag), names.own.Tag, SKOS.Concept)
    return facts.say(SKOS.prefLabel, tag).say(SKOS.inScheme, names.tags)


def scheme_facts(names: IriFactory) -> TripleBuilder:
    """The scheme of tags."""
    return TripleBuilder(names.tags, SKOS.ConceptScheme).say(DCTERMS.title, "Tags")


def source_facts(source: Source, addresses: Iterable[str], names: IriFactory) -> TripleBuilder:
    """A work with every address under which it was listed."""
    own = names.own
    facts = TripleBuilder(names.source(source.id), own.Source, SCHEMA.CreativeWork)
    facts.say(DCTERMS.identifier, source.id).say(DCTERMS.title, source.title).say(DCTERMS.date, source.date)
    facts.say(own.host, source.host or None).say(SCHEMA.sameAs, _resolver(source.id))
    for address in addresses:
        facts.say(SCHEMA.url, web(address))
    return facts


def document_facts(record: DocumentRecord, names: IriFactory) -> TripleBuilder:
    """A document as it was read, with the numbers of lines used and skipped."""
    own = names.own
    facts = version_facts(record.name, record.sha256, names)
    facts.say(DCTERMS.format, record.format).say(DCTERMS.isPartOf, names.brain(record.brain))
    facts.say(PROV.generatedAtTime, record.ingested_at).say(own.declaredNodes, record.declared_nodes)
    return facts.say(own.linesKept, record.lines.kept).say(own.linesSkipped, record.lines.skipped)


def version_facts(name: str, sha256: str, names: IriFactory) -> TripleBuilder:
    """A version of a document of which only the name and the hash are known."""
    facts = TripleBuilder(names.document(name, sha256), names.own.Document, PROV.Entity)
    return facts.say(DCTERMS.title, name).say(names.own.sha256, sha256)


def tombstone_facts(stone: Tombstone, names: IriFactory) -> TripleBuilder:
    """A removed node that others cite."""
    facts = TripleBuilder(names.node(stone.id), names.own.Tombstone, PROV.Entity)
    facts.say(DCTERMS.identifier, stone.id).say(DCTERMS.title, stone.title)
    facts.say(PROV.wasDerivedFrom, names.document(stone.document, stone.sha256))
    return facts.say(PROV.invalidatedAtTime, stone.removed_at)


def publisher_facts(title: str, names: IriFactory) -> TripleBuilder:
    """The operator of the service, who is responsible for the verdicts."""
    facts = TripleBuilder(names.publisher, SCHEMA.Organization, PROV.Agent)
    return facts.say(SCHEMA.name, title).say(SCHEMA.url, NamedNode(names.base))


def _resolver(work: str) -> NamedNode | None:
    """The address of a work with an id in a registry."""
    registry, _, number = work.partition(":")
    return web(_RESOLVERS[registry] + number) if registry in _RESOLVERS else None
