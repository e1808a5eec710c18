"""A verdict as schema.org markup for a page: a ClaimReview as one nested JSON-LD object.

It contains those of the triples of `graph.rdf.claim_triples` that are in schema.org's vocabulary, and nothing else.
"""

from __future__ import annotations

from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from graph.models.claim_models import Claim
from graph.models.verdict_models import QuotePlace, Verdict
from graph.rdf.claim_triples import claim_facts, verdict_facts
from graph.rdf.iris import IriFactory
from graph.rdf.library_triples import publisher_facts
from graph.rdf.vocabulary import RDF, SCHEMA, XSD

Json = dict[str, object]


def claim_review(
    verdict: Verdict, claim: Claim, publisher: str, names: IriFactory, quoted: QuotePlace | None = None
) -> Json:
    """The ClaimReview of a verdict, with the claim, the rating and the author inside, as search engines read it."""
    review = verdict_facts(verdict, names)
    told = [*review, *claim_facts(claim, names, quoted), *publisher_facts(publisher, names)]
    about: dict[NamedNode, list[Triple]] = {}
    for triple in told:
        if isinstance(triple.subject, NamedNode):
            about.setdefault(triple.subject, []).append(triple)
    return {"@context": "https://schema.org"} | _nested(review.subject, about, ())


def _nested(subject: NamedNode, about: dict[NamedNode, list[Triple]], above: tuple[NamedNode, ...]) -> Json:
    """The object of a subject, with the objects of its properties nested inside."""
    here = (*above, subject)
    found: Json = {"@id": subject.value}
    for triple in about[subject]:
        key, value = _key(triple), triple.object
        if key is None or isinstance(value, BlankNode | Triple):
            continue
        if isinstance(value, NamedNode) and value in about and value not in here:
            found.setdefault(key, _nested(value, about, here))
        else:
            found.setdefault(key, _plain(key, value))
    return found


def _key(triple: Triple) -> str | None:
    """The name in schema.org's vocabulary; None for other properties."""
    if triple.predicate == RDF.type:
        return "@type" if _local(triple.object) else None
    return _local(triple.predicate)


def _local(term: object) -> str | None:
    iri = term.value if isinstance(term, NamedNode) else ""
    return iri.removeprefix(SCHEMA.iri) if iri.startswith(SCHEMA.iri) else None


def _plain(key: str, value: NamedNode | Literal) -> object:
    if key == "@type":
        return _local(value)
    return int(value.value) if isinstance(value, Literal) and value.datatype == XSD.integer else value.value
