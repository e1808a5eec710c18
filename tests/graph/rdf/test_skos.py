"""The glossaries as SKOS: no integrity condition is violated, in the content that ships, in real documents, in any store."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode, Triple

from api.brain import Brain
from api.settings import Settings
from graph.models.link_models import Link
from graph.models.node_models import Kind, Labels, Node, Provenance
from graph.rdf.glossary_labels import Glossaries
from graph.rdf.iris import RDF, SKOS, IriFactory
from graph.rdf.node_triples import edge_facts, node_facts
from graph.rdf.rdf_export import Export
from graph.store import Store
from tests.graph.rdf.skos import shared_labels, violations

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
NAMES = IriFactory("https://x.example/")


def exported(home):
    with Store.open(home / "brain.db") as store:
        return list(Export(store, NAMES).triples())


def term(name, brain="words", section=(), **labels):
    slug, _, title = name.partition("=")
    return Node(
        id=f"{brain}/{slug}", brain=brain, kind=Kind.TERM, title=title or slug, section=section,
        labels=Labels(preferred=title or slug, **labels),
        provenance=Provenance(document="a.md", first_line=1, last_line=1, sha256="0" * 64),
    )  # fmt: skip


def skos_triples(terms, edges=()):
    glossaries = Glossaries(terms, edges)
    kinds = {node.id: Kind.TERM for node in terms}
    nodes = [triple for node in terms for triple in node_facts(node, NAMES, glossaries)]
    return [*nodes, *(triple for edge in edges for triple in edge_facts(edge, NAMES, kinds, glossaries, derived=False))]


def relations(terms, edges):
    """`subject property object` of the SKOS relations and of the own ones that take their place."""
    spaces = (SKOS.iri, NAMES.own.iri)
    short = {NAMES.node(node.id): node.id for node in terms}
    return [
        f"{short[s]} {p.value.rpartition('#')[2]} {short[o]}"
        for s, p, o in skos_triples(terms, edges)
        if p.value.startswith(spaces) and o in short and s in short
    ]


def edge(text, confidence=1.0):
    subject, kind, target = text.split()
    return Link(subject=subject, kind=kind, target=target, confidence=confidence)


@pytest.mark.slow
def test_the_content_that_ships(shipped_home):
    """43 pairs of its terms were `related` and `broader` at once (S27)."""
    triples = exported(shipped_home)
    assert sum(triple.predicate == SKOS.prefLabel for triple in triples) > 300
    assert violations(triples) == shared_labels(triples) == []
    with Store.open(shipped_home / "brain.db") as store:
        glossaries = Glossaries.of(store.nodes, store.edges)
        stated = store.edges.select(kind="related", derived=False)
        assert [one for one in stated if glossaries.relation(one) is None] == [], "no term is related to one above it"


@pytest.mark.slow
@pytest.mark.documents
def test_the_five_documents_with_the_shipped_content(shipped_copy, real_documents):
    """14 names were preferred labels of two concepts of one glossary; with the content, one pair violated S46."""
    with Brain.open(Settings(home=shipped_copy)) as brain:
        report = brain.ingest([real_documents], at=NOON)
        assert report.stored, [problem.render() for problem in report.problems]
    triples = exported(shipped_copy)
    assert sum(triple.predicate == SKOS.prefLabel for triple in triples) > 700
    assert violations(triples) == shared_labels(triples) == []


@pytest.mark.parametrize(("edges", "expected"), [
    ("words/a broader words/b, words/a related words/b", ["words/a broader words/b"]),
    ("words/a broader words/b, words/b related words/a", ["words/a broader words/b"]),
    ("words/a broader words/b, words/b broader words/c, words/c related words/a, words/a related words/d",
     ["words/a broader words/b", "words/a related words/d", "words/b broader words/c"]),
    ("words/a broader other/a, other/a related words/a", ["words/a broadMatch other/a"]),
    ("words/a same_as other/a, other/a same_as words/b, words/b same_as other/b, words/a related other/b",
     ["words/a exactMatch other/a", "words/b exactMatch other/b", "other/a exactMatch words/b"]),
    ("words/a same_as other/a, words/a broader other/a", ["words/a exactMatch other/a", "words/a broader other/a"]),
    ("words/a same_as words/b", ["words/a sameAs words/b"]),
    ("words/a related words/a", []),
    ("words/a related other/b", ["words/a relatedMatch other/b"]),
])  # fmt: skip
def test_the_narrower_relation_wins(edges, expected):
    terms = [term(name) for name in "abcd"] + [term(name, "other") for name in "ab"]
    given_edges = [edge(text) for text in edges.split(", ")]
    assert sorted(relations(terms, given_edges)) == sorted(expected)
    assert violations(skos_triples(terms, given_edges)) == []


def test_the_second_entry_of_a_name_is_labelled_with_its_heading():
    terms = [
        term("cache=Cache", section=("Serving", "Memory"), variants=("store",)),
        term("cache-2=Cache", section=("Serving", "Networks"), variants=("store", "proxy")),
        term("cache-3=cache", section=("Serving", "Networks")),
        term("cache-4=Cache"),
        term("proxy=Proxy"),
        term("cache=Cache", "other"),
    ]
    labels = list(map(Glossaries(terms).labels, terms))
    names = ["Cache", "Cache (Networks)", "cache (Serving)", "Cache (2)", "Proxy", "Cache"]
    assert [one.preferred for one in labels] == names
    assert [one.alternative for one in labels] == [("store",), *[()] * 5]
    assert [one.hidden for one in labels] == [(), ("Cache", "store", "proxy"), ("cache",), ("Cache",), (), ()]
    assert violations(skos_triples(terms)) == shared_labels(skos_triples(terms)) == []


WORDS = st.sampled_from(["a", "A", "b", "c", "c ", "a (x)"])
BRAINS, SECTIONS = st.sampled_from(["words", "other"]), st.sampled_from([(), ("x",), ("y", "x")])
TERMS = st.lists(st.tuples(WORDS, BRAINS, SECTIONS, st.lists(WORDS, max_size=3)), max_size=6)
KINDS, SURE = st.sampled_from(["same_as", "broader", "related"]), st.sampled_from([0.5, 1.0])
EDGES = st.lists(st.tuples(st.integers(0, 5), KINDS, st.integers(0, 5), SURE), max_size=12)


@given(TERMS, EDGES)
def test_whatever_a_store_holds_its_skos_is_sound(entries, pairs):
    terms = [
        term(f"t{number}={name}", brain, section, variants=tuple(others))
        for number, (name, brain, section, others) in enumerate(entries)
    ]
    edges = [
        Link(subject=terms[start].id, kind=kind, target=terms[end].id, confidence=sure)
        for start, kind, end, sure in pairs
        if max(start, end) < len(terms)
    ]
    triples = skos_triples(terms, edges)
    assert violations(triples) == shared_labels(triples) == []


def skos(text):
    subject, name, value = text.split(" ", 2)
    thing = NamedNode(f"https://x/{value}")
    if name == "a":
        return Triple(NamedNode(f"https://x/{subject}"), RDF.type, SKOS[value])
    return Triple(NamedNode(f"https://x/{subject}"), SKOS[name], Literal(value) if "Label" in name else thing)


@pytest.mark.parametrize(("condition", "lines"), [
    ("S9", ["x a Concept", "x a ConceptScheme"]), ("S13", ["x prefLabel l", "x altLabel l"]),
    ("S13", ["x prefLabel l", "x hiddenLabel l"]), ("S13", ["x altLabel l", "x hiddenLabel l"]),
    ("S14", ["x prefLabel l", "x prefLabel m"]), ("S27", ["x related y", "y broader z", "z broadMatch x"]),
    ("S27", ["x relatedMatch y", "x narrower y"]), ("S37", ["x a Concept", "x a Collection"]),
    ("S46", ["x exactMatch y", "z exactMatch y", "x relatedMatch z"]), ("S46", ["x exactMatch y", "y broadMatch x"]),
    ("S46", ["x exactMatch y", "y narrowMatch x"]),
])  # fmt: skip  # rows
def test_the_checker_finds_what_it_looks_for(condition, lines):
    assert {found[0] for found in violations(map(skos, lines))} == {condition}
