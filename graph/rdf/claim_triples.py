"""Claims, verdicts and runs as RDF: schema.org Claim and ClaimReview, PROV-O for runs and the prices that they used.

A verdict is a `schema:ClaimReview`; its rating is the table `RATINGS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal
from enum import Enum
from typing import Any

from pyoxigraph import NamedNode

from graph.models.claim_models import Claim, Speaker, Stance, StatedClaim, Tense, VerdictName
from graph.models.node_models import host_of
from graph.models.query_models import SnapshotRecord
from graph.models.verdict_models import Flip, Input, Moment, QuotePlace, Run, Verdict, VerdictRow
from graph.rdf.iris import IriFactory, part, web
from graph.rdf.triples import TripleBuilder
from graph.rdf.vocabulary import CITO, DCTERMS, OA, PROV, SCHEMA
from graph.values import Value

RATINGS: dict[VerdictName, int | None] = {
    VerdictName.HOLDS: 5,
    VerdictName.CONFLICTING: 3,
    VerdictName.DEPENDS: 3,
    VerdictName.STALE: 2,
    VerdictName.REFUTED: 1,
    VerdictName.UNVERIFIABLE: None,
    VerdictName.ERROR: None,
}
"""Verdict to `schema:ratingValue` from 1 (false) to 5 (true); None if there is no result to rate."""

STANCES = {Stance.ENDORSES: "supports", Stance.DISPUTES: "disputes", Stance.REPORTS: "discusses"}
"""Stance to the CiTO property from the node to its claim."""

_FIELDS: dict[str, Callable[[Any, IriFactory], tuple[Any, ...]]] = {
    "id": lambda name, _: (DCTERMS.identifier, name),
    "says": lambda text, _: (SCHEMA.text, text),
    "as_of": lambda day, names: (names.own.asOf, day),
    "node": lambda node, names: (SCHEMA.appearance, names.node(node)),
    "severity": lambda severity, names: (names.own.severity, severity.value),
    "value": lambda formula, names: (names.own.formula, formula),
    "expect": lambda bar, names: (names.own.expects, bar.text()),
    "tags": lambda tags, names: (DCTERMS.subject, *map(names.tag, tags)),
    "for_runs": lambda runs, names: (names.own.forRuns, runs),
    "contradicts": lambda others, names: (names.own.contradicts, *map(names.claim, others)),
    "allow": lambda allowed, names: (names.own.allows, *(f"{rule}: {reason}" for rule, reason in allowed)),
    "root": lambda root, names: (names.own.root, names.claim(root) if root else None),
    "note": lambda note, names: (names.own.note, note or None),
    "source": lambda source, _: (DCTERMS.source, web(source) if source else None),
}
"""The fields of a claim with a property in a standard vocabulary, each with the property and its values."""

FURTHER = tuple(name for name in StatedClaim.model_fields if name not in {*_FIELDS, "given"})
"""All other fields: each is a property of the `brain:` vocabulary, named after the field."""


def further(field: str) -> str:
    """The property of a field: `asserted_by` is `assertedBy`."""
    head, *tail = field.split("_")
    return head + "".join(word.capitalize() for word in tail)


def _plain(value: object) -> Iterable[Any]:
    """The values of a field as literals; none for an empty one."""
    if isinstance(value, tuple):
        return tuple(each for one in value for each in _plain(one))
    if isinstance(value, Value):
        return (value.model_dump_json(exclude_none=True),)
    return () if value is None or value == "" else (value.value if isinstance(value, Enum) else value,)


def claim_facts(claim: Claim, names: IriFactory, quoted: QuotePlace | None = None) -> TripleBuilder:
    """A claim with its formula, as its author stated it; `quoted` is where the node states the figure."""
    own = names.own
    facts = TripleBuilder(names.claim(claim.id), own.Claim, SCHEMA.Claim)
    for field, said in _FIELDS.items():
        facts.say(*said(getattr(claim, field), names))
    for field in FURTHER:
        facts.say(own[further(field)], *_plain(getattr(claim, field)))
    for name, formula in claim.given:
        iri = part(facts.subject, "given", name)
        facts.say(own.given, iri)
        facts.part(iri, own.Given).say(own.name, name).say(own.formula, formula)
    stance = CITO[STANCES[claim.stance]]
    facts.part(names.node(claim.node)).say(own.asserts, facts.subject).say(stance, facts.subject)
    _speaker(facts, claim)
    if quoted is not None:
        _annotation(facts, claim, quoted, names)
    return facts


def _speaker(facts: TripleBuilder, claim: Claim) -> None:
    """The author of the claim: the brain of the node, or the host of the claim's source; a watch has none."""
    name = {
        Speaker.AUTHOR: claim.node.partition("/")[0],
        Speaker.SOURCE: host_of(claim.source or "") or f"a source of {claim.node}",
    }.get(claim.asserted_by)
    if name:
        iri = part(facts.subject, "author", claim.asserted_by.value)
        facts.say(SCHEMA.author, iri)
        facts.part(iri, SCHEMA.Organization).say(SCHEMA.name, name)


def _annotation(facts: TripleBuilder, claim: Claim, quoted: QuotePlace, names: IriFactory) -> None:
    """The quote as a Web Annotation (https://www.w3.org/TR/annotation-model/): the claim, on words of the node."""
    whole, node, anchor = facts.subject, names.node(claim.node), quoted.anchor
    note, target, words, span = (part(whole, "quote", name) for name in ("annotation", "target", "words", "position"))
    told = facts.part(note, OA.Annotation).say(OA.motivatedBy, OA.linking)
    told.say(OA.hasBody, whole).say(OA.hasTarget, target)
    facts.part(target, OA.SpecificResource).say(OA.hasSource, node).say(OA.hasSelector, words, span)
    selector = facts.part(words, OA.TextQuoteSelector).say(OA.exact, anchor.text)
    selector.say(OA.prefix, quoted.prefix or None).say(OA.suffix, quoted.suffix or None)
    facts.part(span, OA.TextPositionSelector).say(OA.start, anchor.start).say(OA.end, anchor.end)
    cited = part(whole, "quote", "quotation")
    facts.say(SCHEMA.citation, cited).say(names.own.quotedAt, note)
    quotation = facts.part(cited, SCHEMA.Quotation).say(SCHEMA.text, anchor.text).say(SCHEMA.isPartOf, node)
    quotation.say(names.own.firstLine, anchor.line)


def verdict_of(row: VerdictRow, run: Run, claim: Claim) -> Verdict:
    """A row of the ledger as a verdict without its working."""
    standing = claim.tense is Tense.STANDING
    return Verdict(
        claim=row.claim,
        node=claim.node,
        says=claim.says,
        verdict=row.verdict,
        severity=claim.severity,
        value=row.value,
        expected=claim.expect.text(),
        unit=row.unit,
        margin=row.margin,
        then=Moment(as_of=claim.as_of, value=row.then_value, holds=row.then_holds),
        now=Moment(as_of=run.as_of, value=row.value if standing else row.now_value, holds=row.now_holds),
        reason=row.reason,
        robust=row.robust,
        asserted_by=claim.asserted_by,
        stance=claim.stance,
        tense=claim.tense,
        helps=claim.helps,
        run=run.id,
        evaluated_at=run.finished_at,
    )


def verdict_facts(verdict: Verdict, names: IriFactory) -> TripleBuilder:
    """A verdict, with its inputs, flips and calculation steps, if it has them."""
    own = names.own
    iri = names.verdict(verdict.claim, verdict.run, verdict.now.as_of)
    facts = TripleBuilder(iri, own.Verdict, SCHEMA.ClaimReview, PROV.Entity)
    facts.say(own.claim, names.claim(verdict.claim)).say(own.finding, names.own[verdict.verdict.value])
    facts.say(own.value, verdict.value).say(own.unit, verdict.unit or None).say(own.margin, verdict.margin)
    facts.say(own.expects, verdict.expected).say(own.severity, verdict.severity.value)
    facts.say(own.asOf, verdict.now.as_of).say(own.holdsNow, verdict.now.holds)
    facts.say(own.thenAsOf, verdict.then.as_of).say(own.thenValue, verdict.then.value)
    facts.say(own.heldThen, verdict.then.holds).say(own.assumedShare, verdict.assumed)
    facts.say(own.reason, verdict.reason or None)
    if verdict.run is not None:
        facts.say(PROV.wasGeneratedBy, names.run(verdict.run))
    _review(facts, verdict, names)
    _working(facts, verdict, names)
    return facts


def _review(facts: TripleBuilder, verdict: Verdict, names: IriFactory) -> None:
    """The properties that schema.org requires of a ClaimReview."""
    rating = part(facts.subject, "rating", verdict.verdict.value)
    day = verdict.evaluated_at.date() if verdict.evaluated_at else verdict.now.as_of
    facts.say(SCHEMA.claimReviewed, verdict.says).say(SCHEMA.itemReviewed, names.claim(verdict.claim))
    facts.say(SCHEMA.author, names.publisher).say(SCHEMA.datePublished, day).say(SCHEMA.url, facts.subject)
    facts.say(SCHEMA.reviewRating, rating)
    told = facts.part(rating, SCHEMA.Rating).say(SCHEMA.alternateName, verdict.verdict.value)
    told.say(SCHEMA.bestRating, 5).say(SCHEMA.worstRating, 1).say(SCHEMA.ratingValue, RATINGS[verdict.verdict])
    told.say(SCHEMA.ratingExplanation, verdict.reason or None)


def _working(facts: TripleBuilder, verdict: Verdict, names: IriFactory) -> None:
    own = names.own
    inputs = {entry.name: entry for entry in verdict.inputs}
    for entry in verdict.inputs:
        iri = part(facts.subject, "input", entry.name)
        facts.say(own.input, iri)
        _input(facts.part(iri, own.Input), entry, names)
    for flip in verdict.flips:
        iri = part(facts.subject, "flip", flip.input)
        facts.say(own.flip, iri)
        _flip(facts.part(iri, own.Flip), flip, inputs.get(flip.input), names)
    for place, step in enumerate(verdict.steps, start=1):
        iri = part(facts.subject, "step", place)
        facts.say(own.working, iri)
        told = facts.part(iri, own.WorkingStep).say(own.place, place).say(own.name, step.name)
        told.say(own.formula, step.text).say(own.value, step.value).say(own.unit, step.unit or None)


def _input(facts: TripleBuilder, entry: Input, names: IriFactory) -> None:
    own = names.own
    facts.say(own.name, entry.name).say(own.value, entry.value).say(own.unit, entry.unit or None)
    facts.say(own.inputKind, entry.kind).say(own.reads, _thing(entry, names)).say(own.component, entry.component)
    facts.say(own.catalog, entry.catalog).say(own.checked, entry.checked).say(own.note, entry.note or None)
    facts.say(SCHEMA.validFrom, entry.valid_from).say(SCHEMA.validThrough, entry.valid_to)
    if entry.source:
        facts.say(DCTERMS.source, web(entry.source)).say(own.sourceText, entry.source)


def _thing(entry: Input, names: IriFactory) -> NamedNode | None:
    """The price or assumption that an input is read from."""
    if entry.kind == "price" and entry.item:
        return names.price(entry.item)
    if entry.kind == "assumption":
        return names.assumption(entry.item or entry.name)
    return None


def _flip(facts: TripleBuilder, flip: Flip, entry: Input | None, names: IriFactory) -> None:
    own = names.own
    facts.say(own.name, flip.input).say(own.flipsAt, flip.at).say(own.unit, flip.unit or None)
    facts.say(own.distance, _distance(flip.at, entry.value if entry else None))


def _distance(at: Decimal | None, value: Decimal | None) -> Decimal | None:
    """How far an input may move before the verdict changes, as a share of its value, to at least six places."""
    if at is None or value is None or not value or not (at.is_finite() and value.is_finite()):
        return None
    share = abs(at - value) / abs(value)
    return share.quantize(Decimal("0.000001")) if share < _FAR else share


_FAR = Decimal(10**12)


def run_facts(run: Run, names: IriFactory) -> TripleBuilder:
    """A run of the ledger, with the counts of its verdicts."""
    own = names.own
    facts = TripleBuilder(names.run(run.id), own.Run, PROV.Activity).say(own.number, run.id).say(own.asOf, run.as_of)
    facts.say(PROV.startedAtTime, run.started_at).say(PROV.endedAtTime, run.finished_at)
    facts.say(PROV.used, names.snapshot(run.snapshot)).say(PROV.wasAssociatedWith, names.publisher)
    facts.say(own.code, run.code).say(own.rules, run.rules).say(own.note, *run.notes)
    for finding in VerdictName:
        if finding.value in run.counts:
            iri = part(facts.subject, "count", finding.value)
            facts.say(own.tally, iri)
            facts.part(iri, own.Tally).say(own.finding, own[finding.value]).say(own.count, run.counts[finding.value])
    return facts


def snapshot_facts(digest: str, record: SnapshotRecord | None, names: IriFactory) -> TripleBuilder:
    """The catalogue that a run used, by its hash; with more details if the store has it."""
    facts = TripleBuilder(names.snapshot(digest), names.own.Snapshot, PROV.Entity).say(names.own.sha256, digest)
    if record is not None:
        facts.say(names.own.catalog, record.catalog).say(PROV.generatedAtTime, record.created_at)
        facts.say(names.own.bytes, record.size)
    return facts
