"""The triples about each thing of a brain under an address; lookups of the things that IRIs name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date
from functools import lru_cache
from typing import Annotated

from pydantic import Field

from api.brain import Brain
from compute.impact.note_health import HealthState
from compute.prices.price_models import Assumption, Price
from graph.models.claim_models import VerdictName
from graph.models.node_models import Kind, Node
from graph.models.query_models import (
    DocumentRecord,
    FacetCount,
    NodeQuery,
    NodeRef,
    NodeSummary,
    SnapshotRecord,
    SourceDetail,
    TagDetail,
)
from graph.models.verdict_models import Run, Verdict
from graph.rdf import claim_triples as claims
from graph.rdf import node_triples as things
from graph.rdf.glossary_labels import Glossaries
from graph.rdf.iris import IriFactory
from graph.rdf.triples import TripleBuilder, Triples, once
from graph.store.store_errors import NotFoundError, UnknownSnapshotError, UnknownTagError
from graph.store.versioned_cache import VersionedCache
from graph.values import Value
from ingest.terms.tag_parsing import normal

LATEST = "latest"  # in the place of a hash: the snapshot that the last run used


class UnknownBrainError(NotFoundError):
    """The brain has no node and no document."""


class UnknownAssumptionError(NotFoundError):
    """No assumption has the name."""


class LinkedData:
    """The triples about things of an open brain under one address; `cache` is for what they share."""

    def __init__(self, brain: Brain, site: str, cache: VersionedCache) -> None:
        self.brain, self.names, self._cache = brain, names_at(site), cache

    def node(self, node: Node) -> Triples:
        """A node with its brain, tags, sources, document, claims, outgoing edges and health."""
        brain, names, at = self.brain, self.names, node.provenance
        term = node.kind is Kind.TERM
        made = lambda: Glossaries.of(brain.nodes, brain.edges)  # noqa: E731  # short
        glossaries = self._cache.get("glossaries", made) if term else Glossaries()
        edges = [
            (edge, derived)
            for derived in (False, True)
            for edge in brain.edges.select(subject=node.id, derived=derived)
        ]
        refs = brain.nodes.refs(edge.target for edge, _ in edges)
        kinds = {node.id: node.kind} | {name: ref.kind for name, ref in refs.items()}
        return once(
            things.node_facts(node, names, glossaries, brain.status.health(node.id).state.value),
            *(things.edge_facts(edge, names, kinds, glossaries, derived=derived) for edge, derived in edges),
            *(claims.claim_facts(claim, names, brain.quotes.place(claim)) for claim in brain.claims.all(node=node.id)),
            things.brain_facts(node.brain, names, glossary=term),
            things.version_facts(at.document, at.sha256, names),
            *(things.tag_facts(tag, names) for tag in node.tags),
            *(things.source_facts(source, [source.url], names) for source in node.sources),
        )

    def claim(self, claim: str, verdict: Verdict | None) -> Triples:
        """A claim, where its node states it, and a verdict on it."""
        stated = self.brain.claims.get(claim)
        told = [claims.claim_facts(stated, self.names, self.brain.quotes.place(stated))]
        if verdict is not None:
            told += [claims.verdict_facts(verdict, self.names), claims.publisher_facts(self.names)]
        return once(*told)

    def run(self, run: Run) -> Triples:
        """A run."""
        used = claims.snapshot_facts(run.snapshot, None, self.names)
        return once(claims.run_facts(run, self.names), used, claims.publisher_facts(self.names))

    def tag(self, tag: str) -> Triples:
        """A tag with its claims and at most a thousand of its nodes."""
        page = self.brain.nodes.page(NodeQuery(tags=(tag,), limit=1000))
        facts = things.tag_facts(tag, self.names)
        for claim in self.brain.status.claims():
            if tag in claim.tags:
                facts.part(self.names.claim(claim.id)).say("dcterms:subject", facts.subject)
        self._titled(facts, "dcterms:subject", page.items)
        return once(facts, things.scheme_facts(self.names))

    def _titled(self, facts: TripleBuilder, predicate: str, nodes: Iterable[NodeRef | NodeSummary]) -> None:
        for node in nodes:
            told = facts.part(self.names.node(node.id)).say("dcterms:title", node.title)
            told.say(predicate, facts.subject)

    def tags(self) -> Triples:
        """The scheme of all tags, with those of claims."""
        tags = {count.value for count in self.brain.tags.all()}
        tags |= {tag for claim in self.brain.status.claims() for tag in claim.tags}
        return once(things.scheme_facts(self.names), *(things.tag_facts(tag, self.names) for tag in sorted(tags)))

    def source(self, detail: SourceDetail) -> Triples:
        """A work and the nodes that list or quote it."""
        facts = things.source_facts(detail.use.source, detail.use.urls, self.names)
        self._titled(facts, "dcterms:references", detail.use.nodes)
        self._titled(facts, "cito:includesQuotationFrom", (use.node for use in detail.quotations))
        return list(facts)

    def document(self, record: DocumentRecord) -> Triples:
        """One version of a document."""
        brain = things.brain_facts(record.brain, self.names, glossary=False)
        return once(things.document_facts(record, self.names), brain)

    def snapshot(self, digest: str, record: SnapshotRecord | None, runs: Iterable[Run]) -> Triples:
        """A catalogue snapshot and the runs that used it."""
        used = claims.snapshot_facts(digest, record, self.names)
        return once(used, *(claims.run_facts(run, self.names) for run in runs))


@lru_cache(maxsize=64)
def names_at(site: str) -> IriFactory:
    """The IRIs under an address of the service."""
    return IriFactory(site + "/")


def tag_detail(brain: Brain, tag: str) -> TagDetail:
    """A tag as stored or as an author writes it: `Größe`, `GRÖSSE`. Raises `UnknownTagError`."""
    for name in dict.fromkeys((tag, normal(tag))):
        if found := _tag(brain, name):
            return found
    folded = normal(tag).casefold()
    alike = [one.value for one in brain.tags.all() if one.value.casefold() == folded]
    if found := _tag(brain, alike[0]) if alike else None:
        return found
    raise UnknownTagError(tag)


def _tag(brain: Brain, name: str) -> TagDetail | None:
    try:
        return brain.tags.get(name)
    except UnknownTagError:
        claimed = any(name in claim.tags for claim in brain.status.claims())
        return TagDetail(tag=name, count=0) if claimed else None


def snapshot(brain: Brain, digest: str) -> tuple[SnapshotRecord | None, tuple[Run, ...]]:
    """What is stored about a snapshot, and the runs that used it. Raises `UnknownSnapshotError`."""
    record = next((record for record in brain.snapshots.all() if record.hash == digest), None)
    runs = tuple(run for run in brain.ledger.runs() if run.snapshot == digest)
    if record is None and not runs:
        raise UnknownSnapshotError(digest)
    return record, runs


def snapshot_hash(brain: Brain, name: str) -> str:
    """A hash itself; for `latest` the snapshot of the last run. Raises `UnknownSnapshotError`."""
    if name != LATEST:
        return name
    run = brain.ledger.latest_run()
    if run is None:
        raise UnknownSnapshotError(name)
    return run.snapshot


def assumption(brain: Brain, name: str) -> tuple[Assumption, ...]:
    """The figures of an assumption, one per interval of days. Raises `UnknownAssumptionError`."""
    found = tuple(one for one in brain.prices.library().assumptions if one.name == name)
    if not found:
        raise UnknownAssumptionError(name)
    return found


def priced(brain: Brain, item: str, today: date) -> tuple[Price, ...]:
    """Every price of an item or family, none if only claims name it. Raises `UnknownPriceError`."""
    found = brain.prices.book().prices(item)
    if not found:
        brain.status.impact(item, today)
    return found


def documents_of(brain: Brain, name: str) -> tuple[str, ...]:
    """The names of the documents of a brain. Raises `UnknownBrainError` if it has no nodes either."""
    found = tuple(record.name for record in brain.documents.all() if record.brain == name)
    if not found and not brain.nodes.page(NodeQuery(brain=name, limit=1)).total:
        raise UnknownBrainError(name)
    return found


def document(brain: Brain, name: str) -> DocumentRecord:
    """The document `NAME/SHA256`, or the current one by its name. Raises `UnknownDocumentError`."""
    head, _, digest = name.rpartition("/")
    versioned = bool(head) and len(digest) == 64 and all(sign in "0123456789abcdef" for sign in digest)
    return brain.documents.get(head, digest) if versioned else brain.documents.get(name)


def verdict(brain: Brain, run: int, claim: str) -> tuple[Verdict, Run]:
    """The verdict of a run on a claim with its working. Raises `UnknownRunError`, `UnknownClaimError`."""
    made, row = brain.ledger.run(run), brain.ledger.row(run, claim)
    stated = brain.claims.get(claim)
    kept = brain.quotes.with_quote(claims.verdict_of(row, made, stated), stated)
    again = brain.evaluator.explain(claim, made.as_of, run=made)
    if again.verdict is not row.verdict:
        return kept, made
    return again.model_copy(update={"run": made.id, "evaluated_at": made.finished_at}), made


THESES, TAGS = 50, 30
"""How many theses (the newest first) and tags of each type (the most used first) are listed."""


class ThesisView(Value):
    """A thesis of a brain, with its health."""

    id: str
    title: str
    health: HealthState


class BrainView(Value):
    """A brain: how many nodes of each kind it has, and its documents by name.

    `verdicts` counts its claims by their last verdict, `health` its nodes by state. `tags` are those that only this
    brain uses, `shared_tags` the others. `cited_by` are the brains that cite it, `cites` those that it cites, each with
    the number of citations. `run` is the day of the last run. `private`: only tokens for it show it.
    """

    id: str
    nodes: int
    kinds: tuple[FacetCount, ...]
    documents: tuple[str, ...]
    private: bool
    claims: int
    verdicts: dict[str, int]
    health: dict[HealthState, int]
    theses: tuple[ThesisView, ...]
    theses_left: Annotated[int, Field(exclude=True)]
    tags: tuple[FacetCount, ...]
    shared_tags: tuple[FacetCount, ...]
    cited_by: tuple[FacetCount, ...]
    cites: tuple[FacetCount, ...]
    run: date | None


def overview(brain: Brain, name: str) -> BrainView:
    """The overview of a brain. Raises `UnknownBrainError`."""
    documents = documents_of(brain, name)
    page, run = brain.nodes.page(NodeQuery(brain=name, limit=1)), brain.status.latest()
    theses = brain.nodes.page(NodeQuery(brain=name, kind=Kind.THESIS, sort="newest", limit=THESES))
    states = brain.status.states(brain=name)
    verdicts, health = Counter(state.verdict for state in states), brain.status.healths()
    cited_by, cites = brain.edges.across(name)
    everywhere, tags = {one.value: one.count for one in brain.tags.all()}, brain.tags.all(brain=name)
    own, shared = ([one for one in tags if (everywhere.get(one.value) == one.count) is same] for same in (True, False))
    sound = Counter(health[card.id].state for card in brain.index_feed.card_list() if card.brain == name)
    listed = tuple(ThesisView(id=one.id, title=one.title, health=health[one.id].state) for one in theses.items)
    return BrainView(
        id=name,
        private=name in brain.brains.private(),
        documents=documents,
        nodes=page.total,
        kinds=_counted(page.facets.kind),
        claims=len(states),
        verdicts={one.value if one else "unchecked": verdicts[one] for one in (*VerdictName, None) if verdicts[one]},
        health={state: sound[state] for state in HealthState if sound[state]},
        theses=listed,
        theses_left=theses.total - len(listed),
        tags=tuple(own[:TAGS]),
        shared_tags=tuple(shared[:TAGS]),
        cited_by=_counted(cited_by),
        cites=_counted(cites),
        run=run.as_of if run else None,
    )


def _counted(found: Mapping[str, int]) -> tuple[FacetCount, ...]:
    ordered = sorted(found.items(), key=lambda one: (-one[1], one[0]))
    return tuple(FacetCount(value=value, count=count) for value, count in ordered)
