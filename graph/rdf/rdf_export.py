"""The complete store as a stream of statements in a stable order, with a few nodes at a time in memory.

    publisher, tags' scheme · nodes · brains, tags, sources, documents, tombstones · edges · claims · runs · verdicts

Each verdict is in the default graph and, as a nanopublication, in four graphs of its own (`graph.rdf.nanopubs`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import TypeVar

from pyoxigraph import Quad, Triple

from graph.models.claim_models import Claim
from graph.models.node_models import Kind
from graph.models.verdict_models import QuotePlace, Run, Verdict, VerdictRow
from graph.rdf import library_triples
from graph.rdf.claim_triples import claim_facts, run_facts, snapshot_facts, verdict_facts, verdict_of
from graph.rdf.edge_triples import edges_facts
from graph.rdf.glossary_labels import Glossaries
from graph.rdf.iris import IriFactory
from graph.rdf.nanopubs import nanopublication
from graph.rdf.node_triples import node_facts
from graph.rdf.rdf_formats import write
from graph.store import Store

BATCH = 500
"""How many works or edges are read at a time."""

Item = TypeVar("Item")


Explain = Callable[[Claim], Verdict | None]
"""The full verdict of a run on a claim, None if it cannot be computed again."""


def no_working(_run: Run) -> Explain:
    """For services without explanations."""
    return lambda _claim: None


def no_health(_node: str) -> str | None:
    """For services that do not compute the health of nodes."""
    return None


def no_place(_claim: Claim) -> QuotePlace | None:
    """For services that do not look for quotes."""
    return None


class Export:
    """The graph of a store as RDF.

    `explain` returns for a run a function that gives the full verdict on a claim, or None: then the row of the ledger
    is exported. `health` returns one of the values of `brain:health`,
    `quoted` where the node of a claim has its words. `history` exports the verdicts of all runs, not
    only of the latest; verdicts on claims that no document states any more are left out.
    """

    def __init__(
        self,
        store: Store,
        names: IriFactory,
        *,
        title: str = "Brain",
        explain: Callable[[Run], Explain] = no_working,
        health: Callable[[str], str | None] = no_health,
        quoted: Callable[[Claim], QuotePlace | None] = no_place,
        history: bool = False,
    ) -> None:
        self.store, self.names, self.title = store, names, title
        self._explain, self._health, self._quoted, self._history = explain, health, quoted, history

    def write(self, form: str) -> Iterator[bytes]:
        """The export in one of `graph.rdf.rdf_formats.FORMATS`, in chunks; only `trig` has the nanopublications.

        Raises:
            FormatError: no such format.
        """
        return write(self.quads() if form == "trig" else self.triples(), form, self.names)

    def triples(self) -> Iterator[Triple]:
        """The default graph."""
        yield from self._ground()
        for verdict, _ in self.verdicts():
            yield from verdict_facts(verdict, self.names)

    def quads(self) -> Iterator[Quad]:
        """The default graph and the nanopublications."""
        yield from (Quad(*triple) for triple in self._ground())
        for verdict, run in self.verdicts():
            yield from (Quad(*triple) for triple in verdict_facts(verdict, self.names))
            yield from nanopublication(verdict, run, self.title, self.names)

    def verdicts(self) -> Iterator[tuple[Verdict, Run]]:
        """The verdicts of the latest run, or of all runs, by claim."""
        ledger = self.store.ledger
        for run in ledger.runs() if self._history else ledger.present_runs(1):
            explain = self._explain(run)
            for claim, row in _joined(self.store.claims.all(), self.store.ledger.rows(run.id)):
                yield explain(claim) or verdict_of(row, run, claim), run

    def _ground(self) -> Iterator[Triple]:
        yield from library_triples.publisher_facts(self.title, self.names)
        yield from library_triples.scheme_facts(self.names)
        glossaries = Glossaries.of(self.store.nodes, self.store.edges)
        yield from self._nodes(glossaries)
        yield from self._sources()
        yield from self._edges(glossaries)
        yield from self._claims()
        yield from self._runs()

    def _nodes(self, glossaries: Glossaries) -> Iterator[Triple]:
        """The nodes, then their brains and documents, then the tombstones."""
        brains: dict[str, bool] = {}
        versions: set[tuple[str, str]] = set()
        for node in self.store.nodes.all():
            brains[node.brain] = brains.get(node.brain, False) or node.kind is Kind.TERM
            versions.add((node.provenance.document, node.provenance.sha256))
            yield from node_facts(node, self.names, glossaries, self._health(node.id))
        for stone in self.store.nodes.tombstones():
            versions.add((stone.document, stone.sha256))
            yield from library_triples.tombstone_facts(stone, self.names)
        yield from self._documents(brains, versions)

    def _documents(self, brains: Mapping[str, bool], versions: set[tuple[str, str]]) -> Iterator[Triple]:
        read = {(record.name, record.sha256): record for record in self.store.documents.all()}
        for record in read.values():
            yield from library_triples.document_facts(record, self.names)
        for name, sha256 in sorted(versions - read.keys()):
            yield from library_triples.version_facts(name, sha256, self.names)
        for name in sorted({*brains, *(record.brain for record in read.values())}):
            yield from library_triples.brain_facts(name, self.names, glossary=brains.get(name, False))

    def _sources(self) -> Iterator[Triple]:
        after = ""
        while uses := self.store.sources.page(limit=BATCH, after=after):
            for use in uses:
                yield from library_triples.source_facts(use.source, use.urls, self.names)
            after = uses[-1].source.id

    def _edges(self, glossaries: Glossaries) -> Iterator[Triple]:
        for derived in (False, True):
            for batch in _batches(self.store.edges.select(derived=derived), BATCH):
                yield from edges_facts(batch, self.names, self._kinds, glossaries, derived=derived)

    def _kinds(self, ids: Iterable[str]) -> dict[str, Kind]:
        return {name: ref.kind for name, ref in self.store.nodes.refs(ids).items()}

    def _claims(self) -> Iterator[Triple]:
        """The claims, then the tags of claims and nodes."""
        tags = {count.value for count in self.store.tags.all()}
        for claim in self.store.claims.all():
            tags.update(claim.tags)
            yield from claim_facts(claim, self.names, self._quoted(claim))
        for tag in sorted(tags):
            yield from library_triples.tag_facts(tag, self.names)

    def _runs(self) -> Iterator[Triple]:
        runs = self.store.ledger.runs()
        kept = {record.hash: record for record in self.store.snapshots.all()}
        yield from chain.from_iterable(run_facts(run, self.names) for run in runs)
        for digest in sorted({run.snapshot for run in runs} | kept.keys()):
            yield from snapshot_facts(digest, kept.get(digest), self.names)


def _joined(claims: Iterator[Claim], rows: Iterator[VerdictRow]) -> Iterator[tuple[Claim, VerdictRow]]:
    """Inner join of two streams that are sorted by claim id."""
    claim = next(claims, None)
    for row in rows:
        while claim is not None and claim.id < row.claim:
            claim = next(claims, None)
        if claim is not None and claim.id == row.claim:
            yield claim, row


def _batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    stream = iter(items)
    while batch := list(islice(stream, size)):
        yield batch
