"""Tags, sources, backlinks and edges."""

import pytest

from graph.models.link_models import Link
from graph.store.store_errors import UnknownSourceError, UnknownTagError


@pytest.fixture
def field(store, make):
    """Three readings and a thesis that cites two of them."""
    page, book = "https://www.example.org/page", "https://books.example.com/1"
    make.put(
        store,
        make.node("oats", tags=("grain", "spring"), urls=(page, page + "/"), quotes=(make.quote("Oats first.", page),)),
        make.node("rye", tags=("grain", "autumn"), urls=(book,), line=5),
        make.node("hops", tags=("vine",), urls=(page,), quotes=(make.quote("Hops later.", page),), line=9),
        make.node("mix", tags=("grain",), cites=("ada/oats", "ada/oats", "ada/rye"), broader=("ada/hops",), line=13),
    )
    return store


def test_tags_are_counted_and_know_their_neighbours(field, make):
    assert {tag.value: tag.count for tag in field.tags.all()} == {"grain": 3, "autumn": 1, "spring": 1, "vine": 1}
    assert [tag.value for tag in field.tags.all()] == ["grain", "autumn", "spring", "vine"]
    assert ([tag.value for tag in field.tags.all("s")], field.tags.all("%")) == (["spring"], ())
    grain = field.tags.get("grain")
    assert grain.count == 3
    assert [(one.tag, one.count, one.together) for one in grain.related] == [("autumn", 1, 1), ("spring", 1, 1)]
    assert grain.related[0].score == pytest.approx(1 / 3)
    assert [(kind.value, kind.count) for kind in grain.kinds] == [("reading", 3)]
    with pytest.raises(UnknownTagError, match="no tag weed"):
        field.tags.get("weed")
    field.documents.remove("farm.md", make.noon)
    assert field.tags.all() == ()


def test_a_source_is_one_work_under_several_addresses(field):
    page = next(use for use in field.sources.page() if use.source.id == "https://www.example.org/page")
    assert page.urls == ("https://www.example.org/page", "https://www.example.org/page/")
    assert [node.id for node in page.nodes] == ["ada/oats", "ada/hops"]
    assert page.quotations == 2
    detail = field.sources.get(page.source.id)
    quoted = [(use.node.id, use.quotation.quote) for use in detail.quotations]
    assert quoted == [("ada/oats", "Oats first."), ("ada/hops", "Hops later.")]
    with pytest.raises(UnknownSourceError):
        field.sources.get("https://example.org/none")


def test_sources_by_host_and_page_by_page(field):
    assert [use.source.id for use in field.sources.page(host="books.example.com")] == ["https://books.example.com/1"]
    assert field.sources.count() == 2
    assert field.sources.count("example.org") == 1
    hosts = [(host.value, host.count) for host in field.sources.hosts()]
    assert hosts == [("books.example.com", 1), ("example.org", 1)]
    first = field.sources.page(limit=1)
    second = field.sources.page(limit=1, after=first[0].source.id)
    assert first[0].source.id < second[0].source.id
    assert field.sources.page(after=second[0].source.id) == ()


def test_derived_edges_are_replaced_all_at_once_and_separately_from_stated_ones(field):
    mention = Link(subject="ada/oats", kind="mentions", target="ada/rye", reason="rye", confidence=0.5)
    stray = Link(subject="ada/nobody", kind="mentions", target="ada/rye")
    before = field.graph_version()
    assert field.edges.set_derived([mention, mention, stray]) == 1
    assert field.graph_version() == before + 1
    assert field.edges.set_derived([mention]) == 1
    assert field.graph_version() == before + 1
    assert list(field.edges.select(derived=True)) == [mention]
    assert [edge.kind for edge in field.edges.select()] == ["broader", "mentions"]
    assert list(field.edges.select(kind="mentions", subject="ada/rye")) == []
    assert [link.derived for link in field.edges.backlinks("ada/rye")] == [False, True]
    assert field.edges.set_derived([]) == 0
    assert [edge.kind for edge in field.edges.select()] == ["broader"]


def test_citations_are_edges_too_and_backlinks_carry_the_sentence_and_how_sure_they_are(field):
    cited = [("cites", "ada/mix", f"ada/{slug}", "cites") for slug in ("oats", "oats", "rye")]
    edges = [(link.kind, link.subject, link.target, link.cito) for link in field.edges.all()]
    assert edges == [*cited, ("broader", "ada/mix", "ada/hops", None)]
    assert field.edges.citation_counts() == {"batch": 3, "quotations": 2}
    links = field.edges.backlinks("ada/oats")
    found = [(link.node.id, link.kind, link.marker, link.context) for link in links]
    assert found == [("ada/mix", "cites", marker, "So much for ada/oats.") for marker in ("[1]", "[2]")]
    assert (links[0].resolution, links[0].confidence) == ("batch", 0.9)
    assert [link.kind for link in field.edges.backlinks("ada/hops")] == ["broader"]
    assert field.edges.backlinks("ada/oats", kinds=["mentions"]) == field.edges.backlinks("ada/nobody") == ()


def test_documents_wait_for_the_names_in_their_links_and_a_changed_node_leaves_nothing_of_its_old_self(field, make):
    field.unresolved.put({"lost.md": {"tide", "moon"}})
    assert [field.unresolved.waiting_for([name]) for name in ("anything", "moon")] == [(), ("lost.md",)]
    version = field.version()
    field.unresolved.put({"lost.md": {"moon", "tide"}, "fine.md": ()})
    assert field.version() == version
    make.put(field, make.node("mix", tags=("new",), sha="b" * 64), sha="b" * 64)
    assert [tag.value for tag in field.tags.all()] == ["new"]
    assert [*field.sources.page(), *field.edges.select(), *field.edges.all(), *field.check()] == []
