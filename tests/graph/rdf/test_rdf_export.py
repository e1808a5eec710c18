"""The complete store as RDF: read by two parsers, the same every time, and true to its shapes and its vocabulary."""

import json
import re
from decimal import Decimal
from pathlib import Path

import pyoxigraph
import pyshacl
import pytest
import rdflib
from rdflib.namespace import DCTERMS, PROV, RDF, SKOS

from graph.rdf import rdf_formats
from graph.rdf.claim_triples import ontology
from graph.rdf.rdf_export import Export
from graph.rdf.rdf_formats import FORMATS, context_document, shapes, write
from ingest.document_reader import read as read_document
from ingest.terms.term_mentions import link

TRIPLES = ("turtle", "jsonld", "ntriples")


def written(export, form):
    return b"".join(export.write(form))


@pytest.mark.parametrize("form", TRIPLES)
def test_two_parsers_read_the_same_triples(export, read, form):
    told = {tuple(map(read.of_ox, triple)) for triple in export.triples()}
    assert len(told) > 250
    assert not [term for triple in told for term in triple if term[0] == "blank"], "everything has an IRI"
    assert set(read.ox(written(export, form), form)) == told
    assert set(read.rdflib(written(export, form), form)) == told


def test_trig_adds_the_nanopublications_to_the_same_default_graph(export, read):
    quads = list(pyoxigraph.parse(written(export, "trig"), format=pyoxigraph.RdfFormat.TRIG))
    default = {quad.triple for quad in quads if quad.graph_name == pyoxigraph.DefaultGraph()}
    named = {quad.graph_name.value for quad in quads if quad.graph_name != pyoxigraph.DefaultGraph()}
    assert default == set(export.triples())
    assert len(named) == 4 * 3
    by_rdflib = rdflib.Dataset()
    by_rdflib.parse(data=written(export, "trig"), format="trig")
    assert {str(graph.identifier) for graph in by_rdflib.graphs() if len(graph)} >= named
    assert len(list(by_rdflib.quads())) == len(set(quads))


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_two_exports_are_the_same_bytes_of_each_triple_once(export, form):
    data = written(export, form)
    assert data == written(export, form)
    assert form != "ntriples" or len(data.splitlines()) == len(set(data.splitlines()))


def test_only_the_verdicts_of_the_latest_run_are_exported(export, names):
    verdicts = {s.value for s, p, o in export.triples() if p.value.endswith("#type") and o == names.own.Verdict}
    assert {verdict.removeprefix(names.base).partition("/claims/")[0] for verdict in verdicts} == {"runs/2"}
    assert len(verdicts) == 3


def test_a_large_store_is_exported_in_pieces(lite, make, names):
    """The first piece comes before the store has been read to its end."""
    nodes = [make.node(f"n{number}", body="word " * 50, line=4 * number + 1) for number in range(3000)]
    make.put(lite, *nodes)
    read = []
    export = Export(lite, names, health=read.append)
    pieces = export.write("ntriples")
    assert len(next(pieces) + next(pieces)) < 2_000_000
    assert len(read) < 400
    assert max(map(len, pieces)) < 2_000_000
    assert len(read) == 3000


@pytest.fixture(scope="module")
def checked(names):
    """Checks a graph, or what is said of one subject in it; gives whether it conforms, and the report."""
    known = {
        "shacl_graph": rdflib.Graph().parse(shapes(names), format="turtle"),
        "ont_graph": rdflib.Graph().parse(ontology(names), format="turtle"),
    }

    def check(graph, *subjects):
        conforms, _, text = pyshacl.validate(graph, **known, inference="none", focus_nodes=[*subjects] or None)
        return conforms, text

    return check


@pytest.fixture(scope="module")
def exported(export):
    return rdflib.Graph().parse(written(export, "ntriples"), format="nt")


def test_the_export_has_its_shapes_and_an_unresolved_citation_alone_may_lack_its_target(checked, exported):
    conforms, text = checked(exported)
    assert conforms, text
    graph = rdflib.Graph() + exported
    batch = next(graph.subjects(own("resolution"), rdflib.Literal("batch")))
    graph.remove((batch, CITO.hasCitedEntity, None))
    assert not checked(graph)[0]


@pytest.mark.slow
@pytest.mark.documents
def test_the_export_of_the_real_documents_has_its_shapes(lite, make, names, real_documents, checked):
    for path in sorted(real_documents.iterdir()):
        lite.documents.put_all([read_document(path.read_bytes(), path.name)], make.noon)
    lite.edges.set_derived(link(lite.nodes.all()))
    conforms, text = checked(rdflib.Graph().parse(written(Export(lite, names), "ntriples"), format="nt"))
    assert conforms, text[:2000]


def _without(predicate):
    return lambda graph, subject: graph.remove((subject, predicate, None))


def _with(predicate, value):
    return lambda graph, subject: graph.add((subject, predicate, value))


def own(local):
    return rdflib.URIRef(f"https://farm.example/brain/ns#{local}")


SDO = rdflib.Namespace("https://schema.org/")
CITO = rdflib.Namespace("http://purl.org/spar/cito/")
BROKEN = {
    "a node without a title": ("Thesis", _without(DCTERMS.title)),
    "a node from no document": ("Reading", _without(PROV.wasDerivedFrom)),
    "a node of two kinds": ("Thesis", _with(RDF.type, own("Reading"))),
    "a node that ends before it begins": ("Thesis", _with(own("firstLine"), rdflib.Literal(10**6))),
    "a term without a name": ("Term", _without(SKOS.prefLabel)),
    "a term in no glossary": ("Term", _without(SKOS.inScheme)),
    "a second name that is the first": ("Term", _with(SKOS.altLabel, rdflib.Literal("groat"))),
    "a thesis in the place of a concept": ("Thesis", _with(SKOS.broader, own("x"))),
    "a tag without a name": ("Tag", _without(SKOS.prefLabel)),
    "a citation from nowhere": ("Citation", _without(CITO.hasCitingEntity)),
    "a resolution that is none": ("Citation", _with(own("resolution"), rdflib.Literal("guessed"))),
    "a confidence above one": ("Quotation", _with(own("confidence"), rdflib.Literal(Decimal("1.5")))),
    "a quotation without words": ("Quotation", _without(SDO.text)),
    "a claim without a formula": ("Claim", _without(own("formula"))),
    "a claim in no node": ("Claim", _without(SDO.appearance)),
    "a verdict that is no word": ("Verdict", _with(own("finding"), own("maybe"))),
    "a verdict of no run": ("Verdict", _without(PROV.wasGeneratedBy)),
    "a review without an author": ("Verdict", _without(SDO.author)),
    "a review without a rating": ("Verdict", _without(SDO.reviewRating)),
    "a run that used nothing": ("Run", _without(PROV.used)),
    "a margin that is text": ("Verdict", _with(own("margin"), rdflib.Literal("small"))),
    "a health that is no word": ("Thesis", _with(own("health"), rdflib.Literal("fine"))),
    "a work without an id": ("Source", _without(DCTERMS.identifier)),
    "a document without a hash": ("Document", _without(own("sha256"))),
}


@pytest.mark.parametrize("fault", sorted(BROKEN))
def test_broken_data_do_not_have_their_shapes(exported, checked, fault):
    kind, spoil = BROKEN[fault]
    graph = rdflib.Graph() + exported
    subject = min(s for s in graph.subjects(RDF.type, own(kind)) if "lost" not in s and "scales" not in s)
    assert checked(graph, subject)[0]
    spoil(graph, subject)
    conforms, text = checked(graph, subject)
    assert not conforms
    assert str(subject) in text


def used_terms(export, names):
    """The properties and classes of the export, the nanopublications included."""
    for quad in export.quads():
        yield quad.predicate.value
        if quad.predicate.value == str(RDF.type):
            yield quad.object.value


def test_every_own_term_is_defined_with_a_label_and_a_comment(export, names):
    graph = rdflib.Graph().parse(ontology(names), format="turtle")
    prefix = names.own.iri
    used = {term.removeprefix(prefix) for term in used_terms(export, names) if term.startswith(prefix)}
    defined = {str(term).removeprefix(prefix) for term in graph.subjects() if str(term).startswith(prefix)}
    assert used <= defined
    for term in defined:
        assert list(graph.objects(own(term), rdflib.RDFS.label)), term
        assert {*graph.objects(own(term), rdflib.RDFS.comment), *graph.objects(own(term), SKOS.definition)}, term


def test_every_standard_term_is_one_that_its_standard_has(export, names):
    """rdflib ships closed lists of SKOS, PROV-O, Dublin Core and schema.org."""
    closed = {str(space): space for space in (SKOS, PROV, DCTERMS, rdflib.SDO, rdflib.RDF, rdflib.RDFS)}
    used = set(used_terms(export, names))
    checked = {term for term in used for name in closed if term.startswith(name)}
    assert len(checked) > 40
    known = {term for term in checked for name, terms in closed.items() if term.startswith(name) and term in terms}
    assert checked == known


def test_every_term_has_a_key_in_the_context(export, names):
    context = context_document(names)["@context"]
    assert isinstance(context, dict)
    full = {}
    for key, entry in context.items():
        curie = entry["@id"] if isinstance(entry, dict) else entry
        prefix, _, local = str(curie).partition(":")
        if prefix in names.prefixes:
            full.setdefault(names.prefixes[prefix] + local, key)
    missing = set(used_terms(export, names)) - full.keys() - {str(RDF.type)}
    assert not missing
    text = (Path(rdf_formats.__file__).parent / "context.jsonld").read_text("utf-8")
    keys = json.loads(text, object_pairs_hook=lambda pairs: [key for key, _ in pairs] if len(pairs) > 2 else None)
    assert len(keys) == len(set(keys)), "two terms share a key"


def test_jsonld_may_link_its_context_and_turtle_is_written_with_prefixes_and_none_twice(export, names):
    data = json.loads(b"".join(write(export.triples(), "jsonld", names, context="https://farm.example/context")))
    assert data["@context"] == "https://farm.example/context"
    assert len(data["@graph"]) > 30
    lines = written(export, "turtle").decode().splitlines()
    heads = [line for line in lines if line.startswith("@prefix")]
    assert heads == sorted(heads)
    assert len(heads) == len(set(heads))
    assert not re.search(r"<https://schema\.org/\w+>", "\n".join(lines))
