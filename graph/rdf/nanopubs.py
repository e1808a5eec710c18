"""A verdict as a nanopublication (https://nanopub.net/guidelines/working_draft/).

head         names the other three graphs
assertion    the claim's figure and its verdict
provenance   the run, and the catalogue snapshot that it used
pubinfo      who published it, when
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from pyoxigraph import NamedNode, Quad, Triple

from graph.models.verdict_models import Run, Verdict
from graph.rdf.claim_triples import verdict_facts
from graph.rdf.iris import IriFactory
from graph.rdf.library_triples import publisher_facts
from graph.rdf.triples import TripleBuilder
from graph.rdf.vocabulary import DCTERMS, NP, PROV, SCHEMA

GRAPHS = ("head", "assertion", "provenance", "pubinfo")
"""The graphs of a nanopublication, in the order in which they are written."""


def nanopublication(verdict: Verdict, run: Run | None, publisher: str, names: IriFactory) -> Iterator[Quad]:
    """The four graphs of a verdict; `run` None for an evaluation that no run has stored."""
    paper = names.nanopublication(verdict.claim, verdict.run, verdict.now.as_of)
    told: dict[str, Iterable[Triple]] = {
        "head": _head(paper),
        "assertion": verdict_facts(verdict, names),
        "provenance": _provenance(verdict, run, graph_of(paper, "assertion"), names),
        "pubinfo": _publication(paper, verdict, publisher, names),
    }
    for name in GRAPHS:
        graph = graph_of(paper, name)
        yield from (Quad(triple.subject, triple.predicate, triple.object, graph) for triple in told[name])


def graph_of(paper: NamedNode, name: str) -> NamedNode:
    """The IRI of one of the graphs of a nanopublication."""
    return NamedNode(f"{paper.value}#{name}")


def _head(paper: NamedNode) -> TripleBuilder:
    facts = TripleBuilder(paper, NP.Nanopublication).say(NP.hasAssertion, graph_of(paper, "assertion"))
    facts.say(NP.hasProvenance, graph_of(paper, "provenance"))
    return facts.say(NP.hasPublicationInfo, graph_of(paper, "pubinfo"))


def _provenance(verdict: Verdict, run: Run | None, assertion: NamedNode, names: IriFactory) -> TripleBuilder:
    own = names.own
    facts = TripleBuilder(assertion).say(PROV.wasDerivedFrom, names.claim(verdict.claim))
    facts.part(names.claim(verdict.claim)).say(SCHEMA.appearance, names.node(verdict.node))
    facts.say(PROV.generatedAtTime, verdict.evaluated_at)
    if run is not None:
        facts.say(PROV.wasGeneratedBy, names.run(run.id))
        told = facts.part(names.run(run.id), PROV.Activity).say(PROV.used, names.snapshot(run.snapshot))
        told.say(PROV.startedAtTime, run.started_at).say(PROV.endedAtTime, run.finished_at).say(own.asOf, run.as_of)
        told.say(own.code, run.code).say(own.rules, run.rules).say(PROV.wasAssociatedWith, names.publisher)
    return facts


def _publication(paper: NamedNode, verdict: Verdict, publisher: str, names: IriFactory) -> Iterable[Triple]:
    made = verdict.evaluated_at or verdict.now.as_of
    facts = TripleBuilder(paper).say(DCTERMS.created, made).say(PROV.wasAttributedTo, names.publisher)
    return chain(facts, publisher_facts(publisher, names))
