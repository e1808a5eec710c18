"""The quote of a claim as a Web Annotation conforms to the published shapes, and has the stance as a CiTO property."""

import pyoxigraph
import pytest
import rdflib
from pyshacl import validate

from graph.models.claim_models import Speaker, Stance
from graph.models.verdict_models import QuoteAnchor, QuotePlace
from graph.rdf.claim_triples import STANCES, claim_facts
from graph.rdf.iris import CITO, OA, SCHEMA
from graph.rdf.rdf_formats import shapes

ANCHOR = QuoteAnchor(text="oats at 200", start=4, end=15, line=9)
PLACE = QuotePlace(anchor=ANCHOR, document="farm.md", prefix="Buy ", suffix=".")


@pytest.fixture
def claim(farm):
    return farm.claims.get("oats-at-200")


def values(triples, predicate):
    return [triple.object.value for triple in triples if triple.predicate == predicate]


def test_every_stance_has_a_property(claim, names):
    assert STANCES.keys() == set(Stance)
    for stance, name in STANCES.items():
        told = list(claim_facts(claim.model_copy(update={"stance": stance}), names))
        assert values(told, CITO[name]) == [names.claim(claim.id).value]


@pytest.mark.parametrize(
    ("speaker", "source", "author"),
    [
        (Speaker.AUTHOR, None, "ada"),
        (Speaker.SOURCE, "https://www.mill.example/a", "mill.example"),
        (Speaker.SOURCE, None, "a source of ada/oats-pay"),
        (Speaker.NOBODY, "https://www.mill.example/a", None),
    ],
)
def test_the_author_is_who_states_the_figure(claim, names, speaker, source, author):
    stated = claim.model_copy(update={"asserted_by": speaker, "source": source, "node": "ada/oats-pay"})
    assert values(claim_facts(stated, names), SCHEMA.name) == ([author] if author else [])


def test_a_quote_is_an_annotation_that_conforms_to_the_shapes(claim, names):
    told = list(claim_facts(claim, names, PLACE))
    assert values(told, OA.exact) == ["oats at 200"]
    assert (values(told, OA.start), values(told, OA.end)) == (["4"], ["15"])
    assert _violations(told, claim, names) == []
    wrong = [triple for triple in told if triple.predicate != OA.exact]
    assert len(_violations(wrong, claim, names)) == 1


def _violations(triples, claim, names):
    """What the shape of annotations says of some triples; the kinds of other resources are added."""
    graph = rdflib.Graph().parse(data=pyoxigraph.serialize(triples, format=pyoxigraph.RdfFormat.N_TRIPLES), format="nt")
    node = rdflib.URIRef(names.node(claim.node).value)
    graph.add((node, rdflib.RDF.type, rdflib.URIRef(names.own.Node.value)))
    known = rdflib.Graph().parse(data=shapes(names), format="turtle")
    shape = rdflib.URIRef(names.base + "shapes#Annotation")
    _, found, _ = validate(graph, shacl_graph=known, use_shapes=[shape])
    return list(found.subjects(rdflib.RDF.type, rdflib.URIRef("http://www.w3.org/ns/shacl#ValidationResult")))
