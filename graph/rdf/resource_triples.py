"""The triples of a single resource, as served at its IRI."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain

from pyoxigraph import RdfFormat, Triple, parse

from graph.models.claim_models import Claim
from graph.models.node_models import Edge, Kind, Node
from graph.models.query_models import DocumentRecord, NodeRef, SnapshotRecord, SourceDetail, TagDetail
from graph.models.verdict_models import QuotePlace, Run, Verdict
from graph.rdf import library_triples
from graph.rdf.claim_triples import claim_facts, run_facts, snapshot_facts, verdict_facts
from graph.rdf.edge_triples import edge_facts, relation_facts
from graph.rdf.glossary_labels import Glossaries
from graph.rdf.iris import IriFactory
from graph.rdf.nanopubs import nanopublication
from graph.rdf.node_triples import node_facts
from graph.rdf.published_files import ontology
from graph.rdf.triples import TripleBuilder
from graph.rdf.vocabulary import CITO, DCTERMS

Triples = list[Triple]
"""The triples of one resource."""


def node_resource(
    node: Node,
    names: IriFactory,
    *,
    glossaries: Glossaries | None = None,
    edges: Iterable[tuple[Edge, bool]] | None = None,
    refs: Mapping[str, NodeRef] | None = None,
    claims: Iterable[tuple[Claim, QuotePlace | None]] = (),
    health: str | None = None,
) -> list[Triple]:
    """A node with its brain, tags, sources and document, so that the answer is self-contained.

    `edges` are all that begin at the node, each with whether it was derived, `refs` what is known of their ends;
    without them only the relations that the node itself states are included. `glossaries` keep a term's SKOS free of
    contradictions. `claims` are those that it asserts, each with the place of its words.
    """
    terms = glossaries or Glossaries()
    told: list[Iterable[Triple]] = [node_facts(node, names, terms, health)]
    if edges is None:
        told.append(relation_facts(node, names, terms))
    else:
        kinds = {node.id: node.kind} | {name: ref.kind for name, ref in (refs or {}).items()}
        told += [edge_facts(edge, names, kinds, terms, derived=derived) for edge, derived in edges]
    told += [claim_facts(claim, names, place) for claim, place in claims]
    told.append(library_triples.brain_facts(node.brain, names, glossary=node.kind is Kind.TERM))
    told.append(library_triples.version_facts(node.provenance.document, node.provenance.sha256, names))
    told += [library_triples.tag_facts(tag, names) for tag in node.tags]
    told += [library_triples.source_facts(source, [source.url], names) for source in node.sources]
    return _once(told)


def claim_resource(
    claim: Claim, verdict: Verdict | None, publisher: str, names: IriFactory, quoted: QuotePlace | None = None
) -> list[Triple]:
    """A claim, where its node states it, and its last verdict."""
    told: list[Iterable[Triple]] = [claim_facts(claim, names, quoted)]
    if verdict is not None:
        told += [verdict_facts(verdict, names), library_triples.publisher_facts(publisher, names)]
    return _once(told)


def run_resource(run: Run, publisher: str, names: IriFactory) -> list[Triple]:
    """A run, the snapshot that it used and who made it."""
    snapshot = snapshot_facts(run.snapshot, None, names)
    return _once([run_facts(run, names), snapshot, library_triples.publisher_facts(publisher, names)])


def tag_resource(tag: TagDetail, nodes: Iterable[NodeRef], claims: Iterable[str], names: IriFactory) -> list[Triple]:
    """A tag and the nodes and claims that carry it."""
    carried = TripleBuilder(names.tag(tag.tag))
    for claim in claims:
        carried.part(names.claim(claim)).say(DCTERMS.subject, names.tag(tag.tag))
    for ref in nodes:
        _title(carried, ref, names).say(DCTERMS.subject, names.tag(tag.tag))
    return _once([library_triples.tag_facts(tag.tag, names), library_triples.scheme_facts(names), carried])


def source_resource(detail: SourceDetail, names: IriFactory) -> list[Triple]:
    """A work and the nodes that list or quote it."""
    source = detail.use.source
    facts = library_triples.source_facts(source, detail.use.urls, names)
    for ref in detail.use.nodes:
        _title(facts, ref, names).say(DCTERMS.references, facts.subject)
    for use in detail.quotations:
        _title(facts, use.node, names).say(CITO.includesQuotationFrom, facts.subject)
    return list(facts)


def brain_resource(name: str, glossary: bool, names: IriFactory) -> list[Triple]:
    """A brain; a glossary is also a concept scheme."""
    return list(library_triples.brain_facts(name, names, glossary=glossary))


def scheme_resource(tags: Iterable[str], names: IriFactory) -> list[Triple]:
    """The scheme of tags with all tags."""
    return _once([library_triples.scheme_facts(names), *(library_triples.tag_facts(tag, names) for tag in tags)])


def document_resource(record: DocumentRecord, names: IriFactory) -> list[Triple]:
    """One version of a document, with its brain."""
    return _once(
        [
            library_triples.document_facts(record, names),
            library_triples.brain_facts(record.brain, names, glossary=False),
        ]
    )


def snapshot_resource(
    digest: str, record: SnapshotRecord | None, runs: Iterable[Run], names: IriFactory
) -> list[Triple]:
    """A snapshot and the runs that used it."""
    return _once([snapshot_facts(digest, record, names), *(run_facts(run, names) for run in runs)])


def publisher_resource(publisher: str, names: IriFactory) -> list[Triple]:
    """The operator of the service."""
    return list(library_triples.publisher_facts(publisher, names))


def nanopublication_resource(verdict: Verdict, run: Run, publisher: str, names: IriFactory) -> list[Triple]:
    """The four graphs of a nanopublication, merged into one."""
    return _once([[quad.triple for quad in nanopublication(verdict, run, publisher, names)]])


def vocabulary_resource(names: IriFactory) -> list[Triple]:
    """The vocabulary `brain:`."""
    return [quad.triple for quad in parse(ontology(names), format=RdfFormat.TURTLE)]


def _title(facts: TripleBuilder, ref: NodeRef, names: IriFactory) -> TripleBuilder:
    return facts.part(names.node(ref.id)).say(DCTERMS.title, ref.title)


def _once(told: Iterable[Iterable[Triple]]) -> list[Triple]:
    return list(dict.fromkeys(chain.from_iterable(told)))
