"""The real documents as RDF: two parsers, the shapes, and questions that have answers."""

from pathlib import Path

import pyshacl
import pytest
import rdflib

from graph.rdf.claim_triples import ontology
from graph.rdf.rdf_export import Export
from graph.rdf.rdf_formats import shapes
from graph.store import Store
from ingest.document_reader import read as read_document
from ingest.terms.term_mentions import link

ROOT = Path(__file__).parents[3]
DOCUMENTS = ROOT / "../shared/documents"

pytestmark = [
    pytest.mark.documents,
    pytest.mark.slow,
    pytest.mark.filterwarnings(  # rdflib's own JSON-LD parser uses a class that rdflib has deprecated
        "ignore:ConjunctiveGraph is deprecated:DeprecationWarning"
    ),
]


@pytest.fixture(scope="module")
def library(make, names, tmp_path_factory):
    """A store with the five documents and the links between their terms."""
    if not DOCUMENTS.is_dir():
        pytest.skip("the real documents are not next to the repository")
    with Store.open(tmp_path_factory.mktemp("library") / "brain.db") as store:
        for path in sorted(DOCUMENTS.iterdir()):
            store.documents.put(read_document(path.read_bytes(), path.name), make.noon)
        store.edges.set_derived(link(store.nodes.all()))
        yield Export(store, names)


@pytest.mark.parametrize("form", ["ntriples", "jsonld", "turtle"])
def test_two_parsers_read_the_same_triples(library, read, form):
    data = b"".join(library.write(form))
    found = set(read.ox(data, form))
    assert len(found) > 20_000
    assert set(read.rdflib(data, form)) == found


def test_the_export_has_its_shapes(library, names):
    data = rdflib.Graph().parse(b"".join(library.write("ntriples")), format="nt")
    shape = rdflib.Graph().parse(shapes(names), format="turtle")
    own = rdflib.Graph().parse(ontology(names), format="turtle")
    conforms, _, text = pyshacl.validate(data, shacl_graph=shape, ont_graph=own, inference="none")
    assert conforms, text[:2000]
