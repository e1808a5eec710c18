"""Verdicts as reviews and as nanopublications, runs as activities."""

import json
from datetime import date
from decimal import Decimal

import pyoxigraph
import pytest
import rdflib
from pyshacl import validate

from graph.models.claim_models import ClaimSeverity, Speaker, Stance, VerdictName
from graph.models.node_models import Citation
from graph.models.verdict_models import Moment, QuoteAnchor, QuotePlace, Verdict
from graph.rdf.claim_triples import (
    GRAPHS,
    RATINGS,
    STANCES,
    claim_facts,
    claim_review,
    nanopublication,
    publisher_facts,
    run_facts,
    verdict_facts,
)
from graph.rdf.glossary_labels import Glossaries
from graph.rdf.iris import CITO, DCTERMS, NP, OA, PROV, SCHEMA, SKOS, BaseError, IriFactory, web
from graph.rdf.node_triples import node_facts, source_facts
from graph.rdf.rdf_formats import shapes, write
from graph.rdf.triples import TripleBuilder, literal


@pytest.fixture
def stale(export):
    return next((verdict, run) for verdict, run in export.verdicts() if verdict.claim == "oats-at-200")


def values(triples, subject, predicate):
    found = [triple for triple in triples if triple.predicate == predicate]
    return [one.object.value for one in found if subject is None or one.subject.value.endswith(subject)]


def test_a_verdict_is_shown_with_its_working_and_nearest_change_and_one_that_no_run_keeps_is_named_by_its_day(
    stale, names
):
    told = list(verdict_facts(stale[0], names))
    own = names.own
    for subject, predicate, expected in (
        (None, own.margin, ["-10.50"]),
        ("#input-oats", own.value, ["192.50"]),
        ("#input-oats", own.reads, [names.base + "prices/mill/oats"]),
        ("#input-freight", own.reads, [names.base + "assumptions/freight"]),
        ("#input-oats", SCHEMA.validFrom, ["2026-02-01"]),
        ("#flip-oats", own.flipsAt, ["203"]),
        ("#flip-oats", own.distance, ["0.054545"]),  # 10.5 / 192.5
        ("#flip-freight", own.flipsAt, []),
        ("#step-1", own.formula, ["oats - freight"]),
    ):
        assert values(told, subject, predicate) == expected, (subject, predicate)
    facts = verdict_facts(stale[0].model_copy(update={"run": None}), names)
    assert facts.subject.value == names.base + "claims/oats-at-200/on/2026-03-04"
    assert not values(facts, None, PROV.wasGeneratedBy)


def test_every_verdict_has_a_rating_or_none_where_nothing_was_found_out(names):
    for word in VerdictName:
        moment = Moment(as_of=date(2026, 1, 1), value=None, holds=None)
        verdict = Verdict(
            claim="c", node="a/b", says="s", verdict=word, severity=ClaimSeverity.INFO, value=None, expected="is 1", unit="",
            margin=None, then=moment, now=moment,
        )  # fmt: skip
        told = list(verdict_facts(verdict, names))
        found = values(told, f"#rating-{word.value}", SCHEMA.ratingValue)
        assert found == ([] if RATINGS[word] is None else [str(RATINGS[word])])
        assert values(told, f"#rating-{word.value}", SCHEMA.alternateName) == [word.value]
        assert values(told, None, SCHEMA.datePublished) == ["2026-01-01"]
    assert {word for word, rating in RATINGS.items() if rating is None} == {VerdictName.UNVERIFIABLE, VerdictName.ERROR}


def test_a_nanopublication_has_its_four_graphs_and_nothing_outside_of_them(stale, names):
    verdict, run = stale
    data = b"".join(write(nanopublication(verdict, run, names), "trig", names))
    quads = list(pyoxigraph.parse(data, format=pyoxigraph.RdfFormat.TRIG))
    graphs = {}
    for quad in quads:
        graphs.setdefault(quad.graph_name, []).append(quad.triple)
    review = verdict_facts(verdict, names).subject.value
    paper = pyoxigraph.NamedNode(review + "/nanopub")
    named = {name: pyoxigraph.NamedNode(f"{paper.value}#{name}") for name in GRAPHS}
    assert set(graphs) == set(named.values())
    head = {(t.predicate, t.object) for t in graphs[named["head"]] if t.subject == paper}
    parts = {NP.hasAssertion: "assertion", NP.hasProvenance: "provenance", NP.hasPublicationInfo: "pubinfo"}
    assert {(link, named[name]) for link, name in parts.items()} <= head
    assert set(graphs[named["assertion"]]) == set(verdict_facts(verdict, names))
    about_assertion = {t.predicate for t in graphs[named["provenance"]] if t.subject == named["assertion"]}
    assert {PROV.wasGeneratedBy, PROV.wasDerivedFrom} <= about_assertion
    assert values(graphs[named["provenance"]], "runs/2", PROV.used) == [names.base + "snapshots/" + "s" * 64]
    about_paper = {t.predicate for t in graphs[named["pubinfo"]] if t.subject == paper}
    assert {DCTERMS.created, PROV.wasAttributedTo} <= about_paper


def test_a_claim_review_has_what_schema_org_requires(stale, farm, names):
    review = claim_review(stale[0], farm.claims.get("oats-at-200"), names)
    assert (review["@context"], review["@type"]) == ("https://schema.org", "ClaimReview")
    assert review["claimReviewed"] == "oats-at-200 stands at 200 EUR/t."
    assert (review["datePublished"], review["url"]) == ("2026-03-04", names.base + "runs/2/claims/oats-at-200")
    author = {"@id": review["author"]["@id"], "@type": "Organization", "name": "Brain", "url": names.base}
    assert review["author"] == author
    rating = review["reviewRating"]
    assert (rating["@type"], rating["alternateName"]) == ("Rating", "stale")
    assert (rating["worstRating"], rating["ratingValue"], rating["bestRating"]) == (1, 2, 5)
    item = review["itemReviewed"]
    assert (item["@type"], item["appearance"]["@id"]) == ("Claim", names.base + "nodes/ada/oats-pay")


def test_a_claim_review_as_jsonld_says_what_the_export_says(stale, farm, names, read):
    """Read with schema.org's vocabulary in the place of its context, which lives on the web."""
    review = claim_review(stale[0], farm.claims.get("oats-at-200"), names)
    review["@context"] = {
        "@vocab": "https://schema.org/",
        **{key: {"@type": "@id"} for key in ("url", "appearance")},
        "datePublished": {"@type": "http://www.w3.org/2001/XMLSchema#date"},
    }
    graph = rdflib.Graph().parse(data=json.dumps(review), format="json-ld")
    assert len(graph) > 15
    facts = (claim_facts(farm.claims.get("oats-at-200"), names), verdict_facts(stale[0], names))
    told = (triple for part in (*facts, publisher_facts(names)) for triple in part)
    known = {tuple(map(read.of_ox, triple)) for triple in told}
    assert {tuple(map(read.of_rdflib, triple)) for triple in graph} <= known


def test_what_is_said_of_runs_nodes_edges_citations_and_works(export, farm, make, names):
    run, whole = list(run_facts(farm.ledger.run(2), names)), list(export.triples())
    survey = list(node_facts(farm.nodes.get("ada/survey"), names, Glossaries()))
    odd = make.node("x", quotes=(Citation(marker="m", target="ada/y", resolution="link", cito="../evil"),))
    unknown = list(node_facts(odd, names, Glossaries()))
    use = farm.sources.get("arxiv:1907.00001").use
    work = list(source_facts(use.source, use.urls, names))
    node, own = names.base + "nodes/", names.own
    for told, subject, predicate, expected in (
        (run, "runs/2", PROV.used, [names.base + "snapshots/" + "s" * 64]),
        (run, "runs/2", PROV.startedAtTime, ["2026-03-04T03:00:00+00:00"]),
        *(
            (run, f"#count-{word}", own["count"], found)
            for word, found in (("holds", ["2"]), ("stale", ["1"]), ("refuted", []))
        ),
        (survey, "#table-0", own.csv, ['grain,price [EUR/t]\noats,212\n"rye, raw",190\n']),
        (survey, "#quotation-0", own.sentence, ["1", "4"]),
        (survey, "#quotation-2", DCTERMS.source, ["https://unlisted.example/rye"]),
        (whole, "ada/rye-waits", CITO.disagreesWith, [node + "ada/oats-pay"]),
        (whole, "words/groat", SKOS.broader, [node + "words/kernel"]),
        (whole, "words/tonne", SKOS.exactMatch, [node + "scales/tonne"]),
        (whole, "words/tonne", SKOS.altLabel, ["t", "metric ton"]),
        (whole, "oats-pay", CITO.cites, [node + "ada/survey", node + "ada/lost-note"]),
        (whole, "oats-pay#citation-2", own.resolution, ["unresolved"]),
        (whole, "oats-pay#citation-2", CITO.hasCitedEntity, []),
        (whole, "oats-pay#citation-0", own.confidence, ["0.9"]),
        (unknown, "ada/x", CITO.cites, [node + "ada/y"]),
        (work, "1907.00001", SCHEMA.sameAs, ["https://arxiv.org/abs/1907.00001"]),
    ):
        assert values(told, subject, predicate) == expected, (subject, predicate)
    assert "one label" in values(whole, None, own.reason)


def test_a_base_is_an_address_and_gets_its_slash():
    for base in ("", "brain", "ftp://host/", "https://", "https://host/?a=b", "https://host/#x", "//host"):
        with pytest.raises(BaseError, match="expected https://host/"):
            IriFactory(base)
    assert IriFactory("https://host/deep").base == "https://host/deep/"
    assert IriFactory("http://localhost:8000").node("a/b").value == "http://localhost:8000/nodes/a/b"


def test_numbers_keep_their_digits_and_need_no_exponent_and_nothing_is_said_of_what_is_not_known(names):
    assert list(TripleBuilder(names.node("a/b"), names).say("brain:note", None, "")) == []
    assert literal(Decimal("1E+3")).value == "1000"
    assert literal(Decimal("0.10")).value == "0.10"
    assert literal(1e-7).value == "0.0000001"
    assert literal(Decimal("NaN")) is None
    assert literal(True).datatype.value.endswith("#boolean")


@pytest.mark.parametrize(("written", "told"), [
    ("https://host/a b", "https://host/a%20b"), ("https://host/ä?q=ö", "https://host/%C3%A4?q=%C3%B6"),
    ("https://host/100%", "https://host/100%25"), ("https://host/a%20b", "https://host/a%20b"),
    ("https://host/<x>|{y}", "https://host/%3Cx%3E%7C%7By%7D"), (" https://host/a\n ", "https://host/a"),
    ("https://[::1", None), ("javascript:alert(1)", None), ("host/a", None), ("", None),
])  # fmt: skip
def test_an_address_becomes_an_iri_or_nothing(written, told):
    iri = web(written)
    assert (iri and iri.value) == told


ANCHOR = QuoteAnchor(text="oats at 200", start=4, end=15, line=9)
PLACE = QuotePlace(anchor=ANCHOR, document="farm.md", prefix="Buy ", suffix=".")


@pytest.fixture
def claim(farm):
    return farm.claims.get("oats-at-200")


def objects(triples, predicate):
    return [triple.object.value for triple in triples if triple.predicate == predicate]


def test_every_stance_has_a_property(claim, names):
    assert STANCES.keys() == set(Stance)
    for stance, name in STANCES.items():
        told = list(claim_facts(claim.model_copy(update={"stance": stance}), names))
        assert objects(told, CITO[name]) == [names.claim(claim.id).value]


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
    assert objects(claim_facts(stated, names), SCHEMA.name) == ([author] if author else [])


def test_a_quote_is_an_annotation_that_conforms_to_the_shapes(claim, names):
    told = list(claim_facts(claim, names, PLACE))
    assert objects(told, OA.exact) == ["oats at 200"]
    assert (objects(told, OA.start), objects(told, OA.end)) == (["4"], ["15"])
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
