"""One thing as RDF, for the routes that offer it: the triples of `graph.rdf.resources`, written in a form."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from api.http.answers import Desk, Writer
from api.http.discovery import service
from graph.claims import Run, Verdict
from graph.nodes import Kind, Node
from graph.query import NodeQuery, NodeRef
from graph.rdf import resources
from graph.rdf.formats import write
from graph.rdf.glossaries import Glossaries
from graph.rdf.jsonld import context_document
from graph.rdf.names import Names
from graph.rdf.nanopubs import nanopublication
from graph.rdf.published import ontology, shapes
from graph.rdf.reviews import claim_review
from graph.values import dumps

NAME = "Brain"
"""What the publisher of verdicts is called in RDF."""
LINKED = ("turtle", "jsonld", "ntriples")
"""The forms of one thing."""


class Described:
    """Writes single things as RDF. Triples are made when a form is asked for, and not before."""

    def __init__(self, desk: Desk) -> None:
        self._brain = desk.brain
        self.names = Names(desk.site + "/")
        self._terms = desk.brain.store.cache(1, "graph")

    def node(self, node: Node) -> dict[str, Writer]:
        """A node with all edges that begin at it, its claims and its health."""

        def triples() -> Iterable[Any]:
            store = self._brain.store
            edges = [
                (edge, derived) for derived in (False, True) for edge in store.edges(subject=node.id, derived=derived)
            ]
            return resources.node_resource(
                node,
                self.names,
                glossaries=self._glossaries() if node.kind is Kind.TERM else None,
                edges=edges,
                refs=self._brain.store.refs(edge.target for edge, _ in edges),
                claims=self._brain.store.claims(node=node.id),
                health=self._brain.standing.health(node.id).state.value,
            )

        return self._writers(triples)

    def _glossaries(self) -> Glossaries:
        store = self._brain.store
        return self._terms.get("glossaries", lambda: Glossaries.of(store))

    def claim(self, claim: str, verdict: Verdict | None) -> dict[str, Writer]:
        """A claim and a verdict on it."""
        stated = self._brain.store.claim(claim)
        return self._writers(lambda: resources.claim_resource(stated, verdict, NAME, self.names))

    def run(self, run: Run) -> dict[str, Writer]:
        """A run."""
        return self._writers(lambda: resources.run_resource(run, NAME, self.names))

    def tag(self, tag: str) -> dict[str, Writer]:
        """A tag and its nodes, a thousand at most."""

        def triples() -> Iterable[Any]:
            page = self._brain.store.summaries(NodeQuery(tags=(tag,), limit=1000))
            refs = [NodeRef(id=one.id, kind=one.kind, title=one.title) for one in page.items]
            return resources.tag_resource(self._brain.store.tag(tag), refs, self.names)

        return self._writers(triples)

    def source(self, work: str) -> dict[str, Writer]:
        """A work and the nodes that list or quote it."""
        return self._writers(lambda: resources.source_resource(self._brain.store.source(work), self.names))

    def verdict(self, verdict: Verdict, run: Run | None) -> dict[str, Writer]:
        """A verdict: TriG is its nanopublication, JSON-LD its ClaimReview."""
        claim = self._brain.store.claim(verdict.claim)
        writers = self._writers(lambda: resources.claim_resource(claim, verdict, NAME, self.names))
        review = claim_review(verdict, claim, NAME, self.names)
        quads = nanopublication(verdict, run, NAME, self.names)
        return {
            **writers,
            "jsonld": lambda: dumps(review).encode(),
            "trig": lambda: b"".join(write(quads, "trig", self.names)),
        }

    def service(self) -> bytes:
        """What the SPARQL endpoint can do."""
        return service(self.names.base.rstrip("/"))

    def published(self, name: str) -> bytes:
        """A file of the vocabulary: `ns`, `shapes` or `context`."""
        made = {"ns": lambda: ontology(self.names), "shapes": lambda: shapes(self.names)}
        return made[name]() if name in made else dumps(context_document(self.names), indent=2).encode()

    def _writers(self, triples: Any) -> dict[str, Writer]:  # noqa: ANN401  # makes triples of a library that has an owner
        context = self.names.base + "context.jsonld"
        return {form: partial(_written, triples, form, self.names, context) for form in LINKED}


def _written(triples: Any, form: str, names: Names, context: str) -> bytes:  # noqa: ANN401  # as above
    return b"".join(write(triples(), form, names, context))
