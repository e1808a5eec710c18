"""JSON-LD 1.1: the published context, and objects compacted by it, one for each run of triples with one subject.

The context gives each property one type, so a value of that type is a bare string or number; any other value is written
in full. Decimals are strings: a JSON number with a fraction would be read as a binary double.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby

from pyoxigraph import BlankNode, Literal, NamedNode, Quad, Triple

from graph.models.cito_properties import CITO_PROPERTIES
from graph.rdf.iris import IriFactory
from graph.rdf.vocabulary import RDF, XSD
from graph.values import dumps

_TYPED: dict[str, str] = {
    "@id": """dcterms:isPartOf dcterms:references dcterms:relation dcterms:source dcterms:subject
        prov:used prov:wasAssociatedWith prov:wasAttributedTo prov:wasDerivedFrom prov:wasGeneratedBy
        skos:broadMatch skos:broader skos:closeMatch skos:exactMatch skos:inScheme skos:related skos:relatedMatch
        schema:appearance schema:author schema:itemReviewed schema:mentions schema:reviewRating schema:sameAs
        schema:citation schema:url schema:isPartOf=isPartOfWork oa:hasBody oa:hasSelector oa:hasSource oa:hasTarget
        oa:motivatedBy
        cito:hasCitationCharacterization cito:hasCitedEntity
        cito:hasCitingEntity np:hasAssertion np:hasProvenance np:hasPublicationInfo brain:asserts
        brain:broader=broaderNode brain:candidate brain:claim brain:contradicts brain:finding brain:flip
        brain:figure brain:from brain:given brain:input brain:makes brain:price brain:quotedAt brain:quotes brain:reads
        brain:relation=linkProperty brain:root brain:sameAs=sameNodeAs brain:step brain:table brain:tally brain:to
        brain:working""",
    "xsd:date": """dcterms:issued schema:datePublished schema:validFrom schema:validThrough brain:asOf brain:checked
        brain:thenAsOf""",
    "xsd:dateTime": """dcterms:created prov:endedAtTime prov:generatedAtTime prov:invalidatedAtTime
        prov:startedAtTime""",
    "xsd:decimal": """brain:assumedShare brain:confidence brain:distance brain:flipsAt brain:high brain:low
        brain:margin brain:thenValue brain:value""",
    "": """dcterms:date dcterms:format dcterms:identifier dcterms:title schema:alternateName
        schema:bestRating schema:claimReviewed schema:encodingFormat schema:name schema:ratingExplanation
        schema:ratingValue oa:end oa:exact oa:prefix oa:start oa:suffix schema:text schema:worstRating
        skos:altLabel skos:definition skos:hiddenLabel skos:prefLabel brain:abbreviation brain:above brain:assertedBy
        brain:because
        brain:bytes brain:catalog brain:code brain:component
        brain:context brain:count brain:csv brain:declaredNodes brain:derived brain:document brain:expansion
        brain:expects brain:firstLine brain:forRuns brain:formula brain:health brain:heldThen brain:helps brain:holdsNow
        brain:host brain:inputKind brain:lastLine brain:linesKept brain:linesSkipped brain:marker
        brain:name=inputName brain:note brain:number brain:owner brain:place brain:processing brain:quote
        brain:reason brain:region
        brain:resolution brain:rules brain:section brain:sentence brain:severity brain:sha256 brain:sourceText
        brain:span brain:stance brain:tense brain:unit""",
}
"""Type to the properties that have it, as `prefix:local` or `prefix:local=key`; the key is else the local name.

The properties of CiTO are added to those of the type `@id`.
"""

_CLASSES = """skos:Concept skos:ConceptScheme prov:Activity prov:Agent prov:Entity
    cito:Citation=CitationAct schema:Claim=SchemaClaim schema:ClaimReview schema:CreativeWork schema:Organization
    schema:Quotation=SchemaQuotation schema:Rating np:Nanopublication oa:Annotation
    oa:SpecificResource oa:TextPositionSelector oa:TextQuoteSelector brain:Assumption brain:Brain brain:Citation
    brain:Claim brain:Document brain:Figure brain:Finding brain:Flip brain:Given brain:Input brain:Link
    brain:Methodology brain:Node brain:Pov brain:Price brain:PricedItem brain:Quotation brain:Reading
    brain:Reference brain:Run brain:Snapshot brain:Source brain:Table brain:Tag brain:Tally brain:Term brain:Thesis
    brain:Tombstone brain:Verdict brain:Watching brain:WorkingStep"""

Json = dict[str, object]


def context_document(names: IriFactory) -> Json:
    """The context document, to be published as `application/ld+json` and linked from every JSON-LD answer."""
    terms: Json = {"@version": 1.1, **names.prefixes, "id": "@id", "type": "@type"}
    for kind, curie, key in _typed():
        terms[key] = {"@id": curie, "@type": kind} if kind else curie
    terms |= {key: curie for curie, key in map(_entry, _CLASSES.split())}
    return {"@context": terms}


def write_jsonld(
    statements: Iterable[Triple] | Iterable[Quad], names: IriFactory, context: str | None
) -> Iterator[bytes]:
    """A JSON-LD document in chunks: its context, or a link to it, and one object on each line."""
    told = dumps(context if context is not None else context_document(names)["@context"])
    yield f'{{"@context": {told},\n"@graph": ['.encode()
    before = "\n"
    stream: Iterable[Triple | Quad] = statements
    for _, group in groupby(stream, key=lambda statement: statement.subject):
        yield (before + dumps(compact(group, names))).encode()
        before = ",\n"
    yield b"\n]}\n"


def compact(triples: Iterable[Triple | Quad], names: IriFactory) -> Json:
    """The object of triples that have one subject."""
    keys, classes = _keys(names), _classes(names)
    told: dict[str, list[object]] = {}
    subject: Json = {}
    for triple in triples:
        subject = {"id": _reference(triple.subject)}
        if triple.predicate == RDF.type and isinstance(triple.object, NamedNode):
            told.setdefault("type", []).append(classes.get(triple.object.value, triple.object.value))
            continue
        key, kind = keys.get(triple.predicate.value, (triple.predicate.value, ""))
        told.setdefault(key, []).append(_value(triple.object, kind))
    return subject | {key: values[0] if len(values) == 1 else values for key, values in told.items()}


def _entry(text: str) -> tuple[str, str]:
    """`prefix:local` and its key."""
    curie, _, key = text.partition("=")
    return curie, key or curie.partition(":")[2]


def _typed() -> Iterator[tuple[str, str, str]]:
    """Type, `prefix:local` and key of every property of the context."""
    listed = {curie: (kind, curie, key) for kind, text in _TYPED.items() for curie, key in map(_entry, text.split())}
    yield from ({f"cito:{name}": ("@id", f"cito:{name}", name) for name in sorted(CITO_PROPERTIES)} | listed).values()


@lru_cache(maxsize=8)
def _keys(names: IriFactory) -> dict[str, tuple[str, str]]:
    """The inverse context: the IRI of a property to its key and the IRI of its type."""
    return {_full(curie, names): (key, _full(kind, names)) for kind, curie, key in _typed()}


@lru_cache(maxsize=8)
def _classes(names: IriFactory) -> dict[str, str]:
    return {_full(curie, names): key for curie, key in map(_entry, _CLASSES.split())}


def _full(curie: str, names: IriFactory) -> str:
    prefix, colon, local = curie.partition(":")
    return names.prefixes[prefix] + local if colon else curie


def _reference(term: object) -> str:
    """The value of `id`; the result of a query may have blank nodes."""
    return str(term) if isinstance(term, BlankNode) else str(getattr(term, "value", term))


def _value(term: object, kind: str) -> object:
    """The shortest form of a value under a key of that type."""
    if not isinstance(term, Literal):
        return _reference(term) if kind == "@id" else {"id": _reference(term)}
    if kind == term.datatype.value or (not kind and term.datatype == XSD.string):
        return term.value
    if not kind and term.datatype == XSD.boolean and term.value in {"true", "false"}:
        return term.value == "true"
    if not kind and term.datatype == XSD.integer and _SAFE_INTEGER.fullmatch(term.value):
        return int(term.value)
    return _in_full(term)


_SAFE_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,14}")
"""The integers that every JSON reader reads exactly."""


def _in_full(term: Literal) -> Json:
    told: Json = {"@value": term.value}
    if term.language:
        told["@language"] = term.language
    elif term.datatype != XSD.string:
        told["@type"] = term.datatype.value
    return told
