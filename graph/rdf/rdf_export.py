"""The complete store as a stream of RDF statements in a stable order, with a few nodes at a time in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from pyoxigraph import Quad, Triple

from graph.models.claim_models import Claim
from graph.models.node_models import Kind
from graph.models.verdict_models import QuotePlace, Run, Verdict, VerdictRow
from graph.rdf import claim_triples as claims
from graph.rdf import node_triples as things
from graph.rdf.glossary_labels import Glossaries
from graph.rdf.iris import IriFactory
from graph.rdf.rdf_formats import write
from graph.rdf.triples import once
from graph.store import Store

BATCH = 500  # works or edges read at a time


class Export:
    """The graph of a store as RDF, without verdicts on claims that no document states any more.

    `explain` returns for a run a function that gives the full verdict on a claim, or None for that of the ledger.
    `health` returns a value of `brain:health`, `quoted` where the node of a claim has its words.
    """

    def __init__(
        self,
        store: Store,
        names: IriFactory,
        *,
        explain: Callable[[Run], Callable[[Claim], Verdict | None]] = lambda _run: lambda _claim: None,
        health: Callable[[str], str | None] = lambda _node: None,
        quoted: Callable[[Claim], QuotePlace | None] = lambda _claim: None,
    ) -> None:
        self.store, self.names = store, names
        self._explain, self._health, self._quoted = explain, health, quoted

    def write(self, form: str) -> Iterator[bytes]:
        """The export in chunks; only `trig` has nanopublications."""
        return write(self.quads() if form == "trig" else self.triples(), form, self.names)

    def triples(self) -> Iterator[Triple]:
        """The default graph."""
        yield from self._ground()
        for verdict, _ in self.verdicts():
            yield from claims.verdict_facts(verdict, self.names)

    def quads(self) -> Iterator[Quad]:
        """The default graph and the nanopublications."""
        yield from (Quad(*triple) for triple in self._ground())
        for verdict, run in self.verdicts():
            yield from (Quad(*triple) for triple in claims.verdict_facts(verdict, self.names))
            yield from claims.nanopublication(verdict, run, self.names)

    def verdicts(self) -> Iterator[tuple[Verdict, Run]]:
        """The verdicts of the latest run, by claim."""
        ledger = self.store.ledger
        for run in ledger.present_runs(1):
            explain = self._explain(run)
            for claim, row in _joined(self.store.claims.all(), ledger.rows(run.id)):
                yield explain(claim) or claims.verdict_of(row, run, claim), run

    def _ground(self) -> Iterator[Triple]:
        """All except verdicts."""
        yield from claims.publisher_facts(self.names)
        yield from things.scheme_facts(self.names)
        glossaries = Glossaries.of(self.store.nodes, self.store.edges)
        yield from self._nodes(glossaries)
        yield from self._sources()
        yield from self._edges(glossaries)
        yield from self._claims()
        yield from self._runs()

    def _nodes(self, glossaries: Glossaries) -> Iterator[Triple]:
        store, names = self.store, self.names
        brains: dict[str, bool] = {}
        versions: set[tuple[str, str]] = set()
        for node in store.nodes.all():
            brains[node.brain] = brains.get(node.brain, False) or node.kind is Kind.TERM
            versions.add((node.provenance.document, node.provenance.sha256))
            yield from things.node_facts(node, names, glossaries, self._health(node.id))
        for tombstone in store.nodes.tombstones():
            versions.add((tombstone.document, tombstone.sha256))
            yield from things.tombstone_facts(tombstone, names)
        read = {(record.name, record.sha256): record for record in store.documents.all()}
        for record in read.values():
            yield from things.document_facts(record, names)
        for name, sha256 in sorted(versions - read.keys()):
            yield from things.version_facts(name, sha256, names)
        for name in sorted({*brains, *(record.brain for record in read.values())}):
            yield from things.brain_facts(name, names, glossary=brains.get(name, False))

    def _sources(self) -> Iterator[Triple]:
        after = ""
        while uses := self.store.sources.page(limit=BATCH, after=after):
            for use in uses:
                yield from things.source_facts(use.source, use.urls, self.names)
            after = uses[-1].source.id

    def _edges(self, glossaries: Glossaries) -> Iterator[Triple]:
        """The edges, with one query for the kinds of a batch's ends."""
        for derived in (False, True):
            edges = iter(self.store.edges.select(derived=derived))
            while batch := list(islice(edges, BATCH)):
                refs = self.store.nodes.refs({end for edge in batch for end in (edge.subject, edge.target)})
                kinds = {name: ref.kind for name, ref in refs.items()}
                yield from once(
                    *(things.edge_facts(edge, self.names, kinds, glossaries, derived=derived) for edge in batch)
                )

    def _claims(self) -> Iterator[Triple]:
        tags = {count.value for count in self.store.tags.all()}
        for claim in self.store.claims.all():
            tags.update(claim.tags)
            yield from claims.claim_facts(claim, self.names, self._quoted(claim))
        for tag in sorted(tags):
            yield from things.tag_facts(tag, self.names)

    def _runs(self) -> Iterator[Triple]:
        runs = self.store.ledger.runs()
        known = {record.hash: record for record in self.store.snapshots.all()}
        for run in runs:
            yield from claims.run_facts(run, self.names)
        for digest in sorted({run.snapshot for run in runs} | known.keys()):
            yield from claims.snapshot_facts(digest, known.get(digest), self.names)


def _joined(stated: Iterable[Claim], rows: Iterable[VerdictRow]) -> Iterator[tuple[Claim, VerdictRow]]:
    """Inner join of two streams sorted by claim id."""
    stream = iter(stated)
    claim = next(stream, None)
    for row in rows:
        while claim is not None and claim.id < row.claim:
            claim = next(stream, None)
        if claim is not None and claim.id == row.claim:
            yield claim, row
