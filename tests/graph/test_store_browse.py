import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.models.link_models import Link
from graph.models.node_models import Citation, Kind
from graph.models.query_models import NodeQuery
from graph.store import Store
from graph.store.node_rows import excerpt_of
from graph.store.store_errors import CursorError, UnknownSourceError, UnknownTagError
from tests.statements import sent


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


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def dozen(request, make, tmp_path_factory):
    """A store of twelve nodes of two brains, for tests that only read."""
    home = tmp_path_factory.mktemp("field") / "brain.db"
    kinds = [Kind.THESIS, Kind.READING, Kind.READING]
    nodes = [
        make.node(
            f"n{number:02}",
            f"Title {chr(ord('l') - number)}",
            kind=kinds[number % 3],
            tags=("all", f"t{number % 4}", *(("rare",) if number == 5 else ())),
            brain="ada" if number < 8 else "bob",
            line=number * 4 + 1,
            urls=(f"https://example.org/{number % 2}",),
            body=f"**Bold** words of [[n00|node]] {number}.",
            published=f"2026-01-{number + 1:02}" if number % 2 else None,
        )
        for number in range(12)
    ]
    with Store.open(request.getfixturevalue("postgres_store")() if request.param == "postgres" else home) as store:
        make.put(store, *nodes)
        yield store


def ids(page):
    return [item.id.partition("/")[2] for item in page.items]


@pytest.mark.parametrize(
    ("body", "excerpt"),
    [
        ("It follows [[soil]] and [[bob/secret]].", "It follows What soil costs and secret."),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n\nRye is dearer.", "Rye is dearer."),
        ("Prices:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nRye is dearer.", "Prices: … Rye is dearer."),
        ("| only | rows |\n|---|---|\n", "only rows"),
        (f"{'Rye is dear. ' * 18}It is very much dearer than oats.", f"{'Rye is dear. ' * 18}".strip()),
        (f"Three: 1. {'Rye is up. ' * 20}\n2. It is dearer than oats.", f"Three: 1. {'Rye is up. ' * 20}".strip()),
    ],
)
def test_an_excerpt_has_sentences_and_titles_without_tables_or_what_may_be_private(make, body, excerpt):
    """Lists showed tables as rows of words, cut sentences, and names of files as words."""
    titles = {"ada/soil": "What soil costs", "bob/secret": "A private title"}
    cites = [
        Citation(marker="[[x]]", target=one, target_title=title, resolution="link") for one, title in titles.items()
    ]
    assert excerpt_of(make.node("rye", body=body).model_copy(update={"citations": tuple(cites)})) == excerpt


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (NodeQuery(tags=("t1",)), ["n01", "n05", "n09"]),
        (NodeQuery(tags=("t1", "rare")), ["n05"]),
        (NodeQuery(tags=("t1", "t2")), []),
        (NodeQuery(kind=Kind.THESIS), ["n00", "n03", "n06", "n09"]),
        (NodeQuery(brain="bob", kind=Kind.READING), ["n08", "n10", "n11"]),
        (NodeQuery(source="https://example.org/1", tags=("t3",)), ["n03", "n07", "n11"]),
        (NodeQuery(ids=("ada/n03", "bob/n09", "x/y")), ["n03", "n09"]),
        (NodeQuery(document="other.md"), []),
        (NodeQuery(tags=("t0",), sort="newest"), ["n08", "n04", "n00"]),
        (NodeQuery(tags=("t0",), sort="title"), ["n08", "n04", "n00"]),
        (NodeQuery(tags=("t1",), sort="published"), ["n09", "n05", "n01"]),
    ],
)
def test_filters_and_sorts(dozen, query, expected):
    page = dozen.nodes.page(query)
    assert ids(page) == expected
    assert page.total == len(expected)
    assert page.next is None


def test_a_summary_is_what_a_list_shows_and_facets_count_everything_that_matches(dozen):
    (first,) = dozen.nodes.page(NodeQuery(limit=1)).items
    assert (first.id, first.excerpt, first.tags) == ("ada/n00", "Bold words of node 0.", ("all", "t0"))
    assert (first.document, first.first_line) == ("farm.md", 1)
    facets = dozen.nodes.page(NodeQuery(brain="ada", limit=2)).facets
    tags, kinds, brains = (facets.tag, facets.kind, facets.brain)
    assert [*tags.items()] == [("all", 8), *((f"t{n}", 2) for n in range(4)), ("rare", 1)]
    assert ([*kinds.items()], brains) == ([("reading", 5), ("thesis", 3)], {"ada": 8})


@pytest.mark.parametrize("sort", ["added", "newest", "id", "title", "published"])
def test_a_walk_gives_every_node_once(dozen, sort):
    for limit in (1, 5, 12, 100):
        seen, cursor = [], None
        while not seen or cursor:
            page = dozen.nodes.page(NodeQuery(sort=sort, limit=limit, cursor=cursor))
            assert page.total == 12
            seen += ids(page)
            cursor = page.next
        assert sorted(seen) == [f"n{number:02}" for number in range(12)]
        assert seen == ids(dozen.nodes.page(NodeQuery(sort=sort)))


def test_a_cursor_belongs_to_one_list(dozen):
    cursor = dozen.nodes.page(NodeQuery(tags=("all",), limit=3)).next
    assert ids(dozen.nodes.page(NodeQuery(tags=("all",), limit=2, cursor=cursor))) == ["n03", "n04"]
    for other in (NodeQuery(cursor=cursor), NodeQuery(tags=("all",), sort="id", cursor=cursor)):
        with pytest.raises(CursorError):
            dozen.nodes.page(other)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cursor=st.one_of(st.text(max_size=40), st.binary(max_size=40).map(lambda data: data.hex())))
def test_no_text_is_a_cursor_but_one_that_was_given(lite, cursor):
    with pytest.raises(CursorError):
        lite.nodes.page(NodeQuery(cursor=cursor))


@pytest.mark.parametrize("count", [3, 300])
def test_a_list_costs_the_same_few_statements_whatever_its_length(store, make, count):
    nodes = [
        make.node(f"n{n}", tags=("a", f"t{n}"), urls=(f"https://e.org/{n}",), cites=("ada/n0",)) for n in range(count)
    ]
    make.put(store, *nodes)
    asked = {
        "first page": (lambda: store.nodes.page(NodeQuery(tags=("a",), limit=1000)), 8),
        "page again": (lambda: store.nodes.page(NodeQuery(tags=("a",), limit=1000)), 1),
        "summaries by id": (lambda: store.nodes.summaries(node.id for node in nodes), 1),
        "nodes by id": (lambda: store.nodes.get_many(node.id for node in nodes), 1),
        "backlinks": (lambda: store.edges.backlinks("ada/n0"), 2),
        "sources": (lambda: store.sources.page(limit=1000), 3),
        "tags": (store.tags.all, 3),
        "one tag": (lambda: store.tags.get("a"), 4),
        "one node": (lambda: store.nodes.get("ada/n0"), 3),
        "version": (store.version, 1),
    }
    for name, (ask, most) in asked.items():
        with sent(store) as statements:
            ask()
        assert len(statements) <= most, name


STEP = st.tuples(st.sampled_from(["page", "ingest"]), st.sets(st.integers(0, 30), max_size=20), st.integers(0, 3))
STEPS = st.lists(STEP, max_size=14)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS, limit=st.integers(1, 6), sort=st.sampled_from(["added", "newest", "id"]))
def test_a_walk_meets_every_node_that_stays_exactly_once_whatever_is_ingested(lite, make, steps, limit, sort):
    _put(lite, make, range(0, 31, 2), 0)
    always = set(range(0, 31, 2))
    seen, cursor, done = [], None, False
    for what, numbers, salt in [*steps, *[("page", set(), 0)] * 40]:
        if what == "ingest":
            _put(lite, make, sorted(numbers), salt)
            always &= numbers
        elif not done:
            page = lite.nodes.page(NodeQuery(sort=sort, limit=limit, cursor=cursor))
            seen += [int(one.id.removeprefix("ada/n")) for one in page.items]
            cursor = page.next
            done = cursor is None
    assert done
    assert always <= set(seen)
    assert len(seen) == len(set(seen))


def _put(store, make, numbers, salt):
    sha = f"{salt}-{'-'.join(map(str, numbers))}"
    nodes = (make.node(f"n{n:02}", body=f"salt {salt}", line=place, sha=sha) for place, n in enumerate(numbers, 1))
    make.put(store, *nodes, sha=sha)
