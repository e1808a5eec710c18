"""Claims, verdicts and runs as RDF: schema.org Claim and ClaimReview, PROV-O for runs and the prices that they used.

A verdict is also a nanopublication (https://nanopub.net/guidelines/working_draft/) of four graphs:

head         names the other three
assertion    the claim's figure and its verdict
provenance   the run, and the catalogue snapshot that it used
pubinfo      who published it, when
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from pyoxigraph import BlankNode, Literal, NamedNode, Quad, RdfFormat, Triple, parse

from graph.groups import group_by
from graph.models.claim_models import Claim, Speaker, Stance, StatedClaim, Tense, VerdictName
from graph.models.node_models import host_of
from graph.models.query_models import SnapshotRecord
from graph.models.verdict_models import STATED, Flip, Moment, QuotePlace, Run, Verdict, VerdictRow
from graph.rdf.iris import RDF, SCHEMA, XSD, IriFactory, part
from graph.rdf.rdf_formats import shapes
from graph.rdf.triples import TripleBuilder, Triples, properties
from graph.values import dumps

RATINGS: dict[VerdictName, int | None] = {
    VerdictName.HOLDS: 5,
    VerdictName.CONFLICTING: 3,
    VerdictName.DEPENDS: 3,
    VerdictName.STALE: 2,
    VerdictName.REFUTED: 1,
    VerdictName.UNVERIFIABLE: None,
    VerdictName.ERROR: None,
}
"""Verdict to `schema:ratingValue` from 1 (false) to 5 (true); None without a result."""

STANCES = {Stance.ENDORSES: "supports", Stance.DISPUTES: "disputes", Stance.REPORTS: "discusses"}
"""Stance to the CiTO property from the node to its claim."""

GRAPHS = ("head", "assertion", "provenance", "pubinfo")  # the graphs of a nanopublication, in the order written

_LINKED = """id=dcterms:identifier says=schema:text as_of severity value=brain:formula for_runs note
    expect.text=brain:expects node=schema:appearance@node tags=dcterms:subject@tag source=dcterms:source@web
    contradicts@claim root@claim"""
_MADE = {"allow", "given", "expect", *(field for field, *_ in properties(_LINKED))}
FURTHER = " ".join(name for name in (*StatedClaim.model_fields, "ranges") if name not in _MADE)
"""Fields of a claim that are no links and have no term in a standard vocabulary."""

_VERDICT = """claim@claim value unit margin expected=brain:expects severity now.as_of now.holds=brain:holdsNow
    then.as_of=brain:thenAsOf then.value=brain:thenValue then.holds=brain:heldThen assumed=brain:assumedShare reason
    run=prov:wasGeneratedBy@run says=schema:claimReviewed claim=schema:itemReviewed@claim"""
_INPUT = """name value unit kind=brain:inputKind component catalog checked note valid_from=schema:validFrom
    valid_to=schema:validThrough source=dcterms:source@web source=brain:sourceText"""
_FLIP = "input=brain:name at=brain:flipsAt unit"
_RUN = """as_of started_at=prov:startedAtTime finished_at=prov:endedAtTime code rules
    snapshot=prov:used@snapshot"""

NAME = "Brain"  # the name of the publisher of verdicts

Json = dict[str, object]


def claim_facts(claim: Claim, names: IriFactory, quoted: QuotePlace | None = None) -> TripleBuilder:
    """A claim as stated; `quoted` is where its node states the figure."""
    facts = TripleBuilder(names.claim(claim.id), names, "brain:Claim schema:Claim").copy(claim, _LINKED)
    node = names.node(claim.node)
    facts.say("brain:allows", *(f"{rule}: {reason}" for rule, reason in claim.allow)).copy(claim, FURTHER)
    for name, formula in claim.given:
        facts.piece("brain:given", name, "brain:Given").say("brain:name", name).say("brain:formula", formula)
    facts.part(node).say("brain:asserts", facts.subject).say(f"cito:{STANCES[claim.stance]}", facts.subject)
    author = {
        Speaker.AUTHOR: claim.node.partition("/")[0],
        Speaker.SOURCE: host_of(claim.source or "") or f"a source of {claim.node}",
    }.get(claim.asserted_by)
    if author:  # a watch has none
        facts.piece("schema:author", claim.asserted_by.value, "schema:Organization").say("schema:name", author)
    if quoted is not None:
        _annotation(facts, node, quoted)
    return facts


def _annotation(facts: TripleBuilder, node: NamedNode, quoted: QuotePlace) -> None:
    """The claim as a Web Annotation of the node's words (https://www.w3.org/TR/annotation-model/)."""
    note, target, words, span, cited = (
        part(facts.subject, "quote", name) for name in ("annotation", "target", "words", "position", "quotation")
    )
    piece = facts.part(note, "oa:Annotation").say("oa:motivatedBy", facts.names.term("oa:linking"))
    piece.say("oa:hasBody", facts.subject).say("oa:hasTarget", target)
    piece = facts.part(target, "oa:SpecificResource").say("oa:hasSource", node).say("oa:hasSelector", words, span)
    piece.part(words, "oa:TextQuoteSelector").copy(quoted, "anchor.text=oa:exact prefix=oa:prefix suffix=oa:suffix")
    piece.part(span, "oa:TextPositionSelector").copy(quoted.anchor, "start=oa:start end=oa:end")
    facts.say("schema:citation", cited).say("brain:quotedAt", note)
    quotation = facts.part(cited, "schema:Quotation").say("schema:isPartOf", node)
    quotation.copy(quoted.anchor, "text=schema:text line=brain:firstLine")


def verdict_of(row: VerdictRow, run: Run, claim: Claim) -> Verdict:
    """A row of the ledger as a verdict without working."""
    shown = row.value if claim.tense is Tense.STANDING else row.now_value
    return Verdict(
        **{name: getattr(claim, name) for name in ("severity", *STATED)},
        **{name: getattr(row, name) for name in ("claim", "verdict", "value", "unit", "margin", "reason", "robust")},
        expected=claim.expect.text(),
        then=Moment(as_of=claim.as_of, value=row.then_value, holds=row.then_holds),
        now=Moment(as_of=run.as_of, value=shown, holds=row.now_holds),
        run=run.id,
        evaluated_at=run.finished_at,
    )


def verdict_facts(verdict: Verdict, names: IriFactory) -> TripleBuilder:
    """A verdict with its inputs, flips and calculation steps."""
    iri = names.verdict(verdict.claim, verdict.run, verdict.now.as_of)
    facts = TripleBuilder(iri, names, "brain:Verdict schema:ClaimReview prov:Entity")
    word = verdict.verdict.value
    facts.say("brain:finding", names.own[word]).copy(verdict, _VERDICT)
    day = verdict.evaluated_at.date() if verdict.evaluated_at else verdict.now.as_of
    facts.say("schema:author", names.publisher).say("schema:datePublished", day).say("schema:url", iri)
    piece = facts.piece("schema:reviewRating", word, "schema:Rating", "rating")
    piece.say("schema:alternateName", word).say("schema:bestRating", 5).say("schema:worstRating", 1)
    piece.say("schema:ratingValue", RATINGS[verdict.verdict]).say("schema:ratingExplanation", verdict.reason)
    _working(facts, verdict)
    return facts


def _working(facts: TripleBuilder, verdict: Verdict) -> None:
    for entry in verdict.inputs:
        piece = facts.piece("brain:input", entry.name, "brain:Input").copy(entry, _INPUT)
        if entry.kind == "price" and entry.item:
            piece.say("brain:reads", facts.names.price(entry.item))
        elif entry.kind == "assumption":
            piece.say("brain:reads", facts.names.assumption(entry.item or entry.name))
    inputs = {entry.name: entry.value for entry in verdict.inputs}
    for flip in verdict.flips:
        piece = facts.piece("brain:flip", flip.input, "brain:Flip").copy(flip, _FLIP)
        piece.say("brain:distance", _distance(flip, inputs.get(flip.input)))
    for place, step in enumerate(verdict.steps, start=1):
        piece = facts.piece("brain:working", place, "brain:WorkingStep", "step").say("brain:place", place)
        piece.copy(step, "name text=brain:formula value unit")


def _distance(flip: Flip, value: Decimal | None) -> Decimal | None:
    """The move that changes the verdict, as a share of the value."""
    if flip.at is None or not value or not (flip.at.is_finite() and value.is_finite()):
        return None
    share = abs(flip.at - value) / abs(value)
    return share.quantize(Decimal("0.000001")) if share < 10**12 else share


def publisher_facts(names: IriFactory) -> TripleBuilder:
    """The operator of the service, responsible for its verdicts."""
    facts = TripleBuilder(names.publisher, names, "schema:Organization prov:Agent")
    return facts.say("schema:name", NAME).say("schema:url", NamedNode(names.base))


def run_facts(run: Run, names: IriFactory) -> TripleBuilder:
    """A run of the ledger, with the counts of its verdicts."""
    facts = TripleBuilder(names.run(run.id), names, "brain:Run prov:Activity").copy(run, "id=brain:number " + _RUN)
    facts.say("prov:wasAssociatedWith", names.publisher).copy(run, "notes=brain:note")
    for word in VerdictName:
        if word.value in run.counts:
            piece = facts.piece("brain:tally", word.value, "brain:Tally", "count")
            piece.say("brain:finding", names.own[word.value]).say("brain:count", run.counts[word.value])
    return facts


def snapshot_facts(digest: str, record: SnapshotRecord | None, names: IriFactory) -> TripleBuilder:
    """A catalogue snapshot, with details if the store has it."""
    facts = TripleBuilder(names.snapshot(digest), names, "brain:Snapshot prov:Entity").say("brain:sha256", digest)
    return facts.copy(record, "catalog created_at=prov:generatedAtTime size=brain:bytes")


def nanopublication(verdict: Verdict, run: Run | None, names: IriFactory) -> Iterator[Quad]:
    """The four graphs of a verdict; `run` is None if none has stored it."""
    paper = names.nanopublication(verdict.claim, verdict.run, verdict.now.as_of)
    head, assertion, provenance, pubinfo = (NamedNode(f"{paper.value}#{name}") for name in GRAPHS)
    claim = names.claim(verdict.claim)
    named = TripleBuilder(paper, names, "np:Nanopublication").say("np:hasAssertion", assertion)
    named.say("np:hasProvenance", provenance).say("np:hasPublicationInfo", pubinfo)
    made = TripleBuilder(assertion, names).say("prov:wasDerivedFrom", claim)
    made.part(claim).say("schema:appearance", names.node(verdict.node))
    made.say("prov:generatedAtTime", verdict.evaluated_at)
    if run is not None:
        made.say("prov:wasGeneratedBy", names.run(run.id))
        piece = made.part(names.run(run.id), "prov:Activity").copy(run, _RUN)
        piece.say("prov:wasAssociatedWith", names.publisher)
    about = TripleBuilder(paper, names).say("dcterms:created", verdict.evaluated_at or verdict.now.as_of)
    about.say("prov:wasAttributedTo", names.publisher)
    graphs: dict[NamedNode, Iterable[Triple]] = {
        head: named,
        assertion: verdict_facts(verdict, names),
        provenance: made,
        pubinfo: (*about, *publisher_facts(names)),
    }
    for graph, triples in graphs.items():
        yield from (Quad(triple.subject, triple.predicate, triple.object, graph) for triple in triples)


def claim_review(verdict: Verdict, claim: Claim, names: IriFactory, quoted: QuotePlace | None = None) -> Json:
    """A verdict as JSON-LD for search engines, with only the terms of schema.org."""
    review = verdict_facts(verdict, names)
    about = group_by((*review, *claim_facts(claim, names, quoted), *publisher_facts(names)), lambda one: one.subject)
    return {"@context": "https://schema.org"} | _nested(review.subject, about, ())


def _nested(subject: NamedNode, about: Mapping[Any, list[Triple]], above: tuple[NamedNode, ...]) -> Json:
    here = (*above, subject)
    found: Json = {"@id": subject.value}
    for triple in about[subject]:
        value, key = triple.object, _local(triple.predicate)
        if triple.predicate == RDF.type:
            key, value = "@type", Literal(_local(value) or "")
        if not key or isinstance(value, BlankNode | Triple) or not value.value:
            continue
        if isinstance(value, NamedNode) and value in about and value not in here:
            found.setdefault(key, _nested(value, about, here))
        else:
            number = isinstance(value, Literal) and value.datatype == XSD.integer
            found.setdefault(key, int(value.value) if number else value.value)
    return found


def _local(term: object) -> str | None:
    """The name of a schema.org term; None for others."""
    iri = term.value if isinstance(term, NamedNode) else ""
    return iri.removeprefix(SCHEMA.iri) if iri.startswith(SCHEMA.iri) else None


def ontology(names: IriFactory) -> bytes:
    """The `brain:` vocabulary as Turtle, with properties for `FURTHER`."""
    text = shapes(names, "ontology.ttl").decode()
    for field, term, _ in properties(FURTHER):
        name, note = dumps(field.replace("_", " ")), dumps(Claim.model_fields[field].description or field)
        text += f"{term} a owl:DatatypeProperty ; rdfs:domain brain:Claim ; rdfs:label {name} ; rdfs:comment {note} .\n"
    return text.encode()


def vocabulary(names: IriFactory) -> Triples:
    """The triples of the ontology."""
    return [quad.triple for quad in parse(ontology(names), format=RdfFormat.TURTLE)]
