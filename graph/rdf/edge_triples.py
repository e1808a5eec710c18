"""Relations between nodes as RDF: SKOS between terms, schema.org, CiTO and the own vocabulary otherwise.

An edge is one triple; if it has a reason or a confidence below 1, a `brain:Link` states that as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from pyoxigraph import NamedNode, Triple

from graph.models.node_models import Edge, Kind, Node
from graph.rdf.glossary_labels import Glossaries
from graph.rdf.iris import IriFactory
from graph.rdf.triples import TripleBuilder
from graph.rdf.vocabulary import CITO, DCTERMS, SCHEMA


def edge_facts(
    edge: Edge, names: IriFactory, kinds: Mapping[str, Kind], glossaries: Glossaries, *, derived: bool
) -> TripleBuilder:
    """One edge; `kinds` gives the kinds of its ends, where known.

    `derived` says whether the edge was found across documents (True) or is stated by one (False). An edge
    between terms that would contradict the others gives no triples.
    """
    own = names.own
    how = _property(edge, names, kinds, glossaries)
    start, end = names.node(edge.subject), names.node(edge.target)
    facts = TripleBuilder(start)
    if how is None:
        return facts
    facts.say(how, end)
    if edge.reason or edge.confidence < 1:
        iri = names.link(edge, derived=derived)
        link = facts.part(iri, own.Link).say(own["from"], start).say(own.to, end).say(own.relation, how)
        link.say(own.reason, edge.reason or None).say(own.confidence, edge.confidence).say(own.derived, derived)
    return facts


def relation_facts(node: Node, names: IriFactory, glossaries: Glossaries) -> list[Triple]:
    """The relations that a node itself states; assumes that the other ends are of its own kind."""
    edges = [Edge(subject=node.id, **relation.model_dump()) for relation in node.relations]
    kinds = {node.id: node.kind} | {edge.target: node.kind for edge in edges}
    return [triple for edge in edges for triple in edge_facts(edge, names, kinds, glossaries, derived=False)]


def edges_facts(
    edges: Iterable[Edge],
    names: IriFactory,
    kinds_of: Callable[[Iterable[str]], Mapping[str, Kind]],
    glossaries: Glossaries,
    *,
    derived: bool,
) -> list[Triple]:
    """A batch of edges, with one query for the kinds of all their ends."""
    batch = tuple(edges)
    kinds = kinds_of({end for edge in batch for end in (edge.subject, edge.target)})
    told = dict.fromkeys(
        triple for edge in batch for triple in edge_facts(edge, names, kinds, glossaries, derived=derived)
    )
    return list(told)


def _property(edge: Edge, names: IriFactory, kinds: Mapping[str, Kind], glossaries: Glossaries) -> NamedNode | None:
    """SKOS only between terms: its semantic relations make their ends concepts."""
    terms = all(kinds.get(end) is Kind.TERM for end in (edge.subject, edge.target))
    own = names.own
    if terms and edge.kind in {"same_as", "broader", "related"}:
        return glossaries.relation(edge, own)
    others = {
        "same_as": own.sameAs,
        "broader": own.broader,
        "mentions": SCHEMA.mentions,
        "step": own.step,
        "contradicts": CITO.disagreesWith,
    }
    return others.get(edge.kind, DCTERMS.relation)
