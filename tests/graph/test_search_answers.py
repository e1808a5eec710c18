import unicodedata
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.models.node_models import Citation, Kind
from graph.models.query_models import NodeQuery
from graph.search.query_language import Prefix, Word, parse
from graph.search.search import Search
from graph.search.snippets import Marker
from graph.search.synonyms import expand, synonyms_of
from graph.search.tokenizer import stem
from graph.store import Store
from graph.store.store_errors import CursorError
from tests.statements import sent


def farm(make):
    barley = "Malting **barley** sold for 212 EUR/t; see [[oats|the oats]]. Two buyers & a <shed>."
    oats = "Oats follow barley. The price of oats rose by 3.5% after the rain."
    rye = "Rye wants little, as [[soil]] says. Bread of rye keeps at $h \\times 2$."
    soil = "Nitrogen use efficiency decides. Lime helps barley."
    on_soil = Citation(
        marker="[[soil]]", target="bob/soil", target_title="On soil", resolution="link", confidence=1, context=rye
    )
    wheat = "Café wheat naïvely sown: prices, prices, prices. T-34 tractors."
    return make.document(
        make.node("barley", "Barley prices", body=barley, tags=("grain", "Spring-Sown")),
        make.node("oats", "Oats", body=oats, tags=("grain",)),
        make.node("rye", "Rye bread", body=rye, tags=("bread",), kind=Kind.THESIS, quotes=[on_soil]),
        make.node("soil", "On soil", body=soil, tags=("soil",), brain="bob"),
        make.node("nue", "Lower doses", body="Our NUE went up when doses were split.", tags=("soil", "grain")),
        make.node("wheat", "Wheat", body=wheat, tags=("grain",)),
        make.term("nue", "NUE", expansion="Nitrogen use efficiency", body="Harvest over fertiliser."),
        make.term("price", "Spot price", body="What is paid today."),
    )


@pytest.fixture(scope="module", params=["whoosh", "database", pytest.param("postgres", marks=pytest.mark.postgres)])
def engine(request):
    return request.param


def searched(store, folder, engine):
    return Search(store, folder, "database" if engine == "postgres" else engine)


@pytest.fixture
def held(engine, home, request):
    where = request.getfixturevalue("postgres_store")() if engine == "postgres" else home / "brain.db"
    with Store.open(where) as opened:
        yield opened


@pytest.fixture
def search(held, home, make, engine):
    held.documents.put_all([farm(make)], make.noon)
    found = searched(held, home / "index", engine)
    yield found
    found.close()


@pytest.fixture(scope="module")
def farmed(engine, make, request, tmp_path_factory):
    """The farm, for tests that only read: one for all of them."""
    home = tmp_path_factory.mktemp("farm")
    where = request.getfixturevalue("postgres_store")() if engine == "postgres" else home / "brain.db"
    with Store.open(where) as opened:
        opened.documents.put_all([farm(make)], make.noon)
        found = searched(opened, home / "index", engine)
        yield found
        found.close()


def names(answer):
    return [hit.node.id for hit in answer.hits]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("barley", {"ada/barley", "ada/oats", "bob/soil"}),
        ("barley price", {"ada/barley", "ada/oats"}),
        ("barley -oats", {"ada/barley", "bob/soil"} - {"ada/barley"}),
        ('"rye bread"', {"ada/rye"}),
        ('"bread rye"', set()),
        ("malt*", {"ada/barley"}),
        ("cafe", {"ada/wheat"}),
        ("3.5", {"ada/oats"}),
        ("T-34", {"ada/wheat"}),
        ("T34", {"ada/wheat"}),
        ("tag:grain", {"ada/barley", "ada/oats", "ada/nue", "ada/wheat"}),
        ("tag:grain tag:soil", {"ada/nue"}),
        ("tag:spring-sown", {"ada/barley"}),
        ("barley -tag:grain", {"bob/soil"}),
        ("-barley brain:ada", {"ada/rye", "ada/nue", "ada/wheat"}),
        ("kind:thesis kind:term", {"ada/rye", "words/nue", "words/price"}),
        ("brain:bob barley", {"bob/soil"}),
        ("title:price", {"ada/barley", "words/price"}),
        ("212 EUR/t;", {"ada/barley"}),
        ("<shed>", {"ada/barley"}),
        ("?!", set()),
        ("tag:nothing", set()),
    ],
)
def test_what_is_found(farmed, typed, expected):
    answer = farmed.search(typed)
    assert set(names(answer)) == expected
    assert answer.total == len(expected)
    assert answer.relaxed is False


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_decomposed_text_is_found_by_every_spelling_and_marked(held, search, make, form):
    """As macOS writes the name of a file, and some editors a text."""
    title, body = (unicodedata.normalize("NFD", text) for text in ("Naïve café", "Sown too early in Übergröße fields."))
    make.put(held, make.node("cafe", title, body=body), name="mac.md")
    for typed in ("naïve", "naive", "Übergröße", "title:café early", '"ubergrosse fields"', "uberg*"):
        assert names(search.search(unicodedata.normalize(form, typed)))[0] == "ada/cafe", typed
    hit = search.search(unicodedata.normalize(form, "übergröße")).hits[0]
    assert unicodedata.normalize("NFC", hit.snippet) == "Sown too early in <mark>Übergröße</mark> fields."
    assert search.search("uber").total == 0


def test_titles_and_tags_come_first_and_where_no_node_has_all_words_those_with_most(farmed):
    for typed, first in (("oats", "ada/oats"), ("price", "words/price"), ("bread", "ada/rye")):
        assert names(farmed.search(typed))[0] == first
    scores = [hit.score for hit in farmed.search("barley").hits]
    assert scores == sorted(scores, reverse=True)
    assert scores[-1] > 0
    answer = farmed.search("barley malting unicorn")
    assert (names(answer)[0], answer.relaxed, answer.total) == ("ada/barley", True, 3)


def test_the_names_of_a_term_are_synonyms_both_ways(farmed):
    short = farmed.search("NUE")
    assert {"bob/soil", "ada/nue", "words/nue"} == set(names(short))
    assert [(one.query, one.used) for one in short.synonyms] == [("NUE", ("Nitrogen use efficiency",))]
    assert names(short)[0] == "words/nue"
    long = farmed.search("nitrogen use efficiency doses")
    assert names(long) == ["ada/nue"]
    assert [(one.query, one.used) for one in long.synonyms] == [("nitrogen use efficiency", ("NUE",))]
    assert "ada/nue" in names(farmed.search("nitrogn use eficiency"))
    assert farmed.search('"nitrogen use efficiency"').synonyms == ()
    assert set(names(farmed.search("barley -NUE"))) == {"ada/barley", "ada/oats", "bob/soil"}


def test_a_word_is_a_name_in_any_number_and_spelling_but_not_the_name_of_a_term_with_the_same_stem():
    """Porter's stem of `tokenization` is `token`: a search for tokens is none for the pipeline that makes them."""
    tokens = ("Tokenisation", "Tokenization", "Tokenization Pipeline")
    known = synonyms_of([tokens, ("GPU-hour", "accelerator hour"), ("Battery", "cell"), ("Batch", "bulk request")])

    def others(text):
        return [used for one in expand(parse(text).required, known)[1] for used in one.used]

    assert others("token") == others("tokens") == []
    assert others("tokenization") == others("tokenisation") == ["Tokenization Pipeline"]
    assert others("GPU hours") == ["accelerator hour"]
    assert others("batteries") == ["cell"]
    assert others("batches") == ["bulk request"]


def test_a_snippet_is_escaped_and_marked_and_reads_links_as_titles_and_formulas_as_words(farmed):
    hit = farmed.search("buyers").hits[0]
    assert hit.snippet.endswith("for 212 EUR/t; see the oats. Two <mark>buyers</mark> &amp; a &lt;shed&gt;.")
    assert hit.plain == "Malting barley sold for 212 EUR/t; see the oats. Two buyers & a <shed>."
    assert "<mark>Nitrogen use efficiency</mark> decides" in _snippet(farmed, "NUE", "bob/soil")
    assert "Malting <mark>barley</mark> sold" in _snippet(farmed, 'barley "barley sown"', "ada/barley", relaxed=True)
    assert "<mark>naïvely</mark>" in farmed.search("naive").hits[0].snippet
    rye = _snippet(farmed, "rye", "ada/rye")
    assert rye.endswith("little, as On soil says. Bread of <mark>rye</mark> keeps at h × 2.")


def _snippet(search, typed, node, relaxed=False):
    answer = search.search(typed)
    assert answer.relaxed is relaxed
    return next(hit.snippet for hit in answer.hits if hit.node.id == node)


def test_facets_count_all_hits_and_filters_narrow_them(farmed):
    answer = farmed.search("barley", NodeQuery(limit=1))
    assert answer.total == 3
    assert answer.facets.tag == {"grain": 2, "Spring-Sown": 1, "soil": 1}
    assert answer.facets.brain == {"ada": 2, "bob": 1}
    narrowed = farmed.search("barley", NodeQuery(tags=("grain", "Spring-Sown"), kind=Kind.READING, brain="ada"))
    assert names(narrowed) == ["ada/barley"]
    assert names(farmed.search("barley", NodeQuery(ids=("bob/soil", "x/y")))) == ["bob/soil"]
    assert names(farmed.search("barley", NodeQuery(source="https://none"))) == []
    assert farmed.search("", NodeQuery(tags=("soil",))).total == 2


def test_a_word_that_occurs_nowhere_is_corrected_and_the_notes_with_what_was_meant_come_first(farmed):
    meant = {"barly prices": "barley prices", "nitrogn": "nitrogen", "price-nitrogn": "price-nitrogen"}
    for typed in (*meant, "barley", "zzzzqqq", "12345", "yield-stabillity"):
        assert farmed.search(typed).suggestion == meant.get(typed), typed
    answer = farmed.search("oats folow")
    assert (answer.suggestion, answer.relaxed) == ("oats follow", True)
    assert names(answer)[0] == "ada/oats"
    assert "<mark>Oats follow</mark> barley" in answer.hits[0].snippet


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("nitrogn unicorn", "words/nue"),  # no node has all, as they were meant
        ("sorghum rain unicorn", "ada/rare"),  # the rarer word counts more
        ("what the hail is", "ada/hail"),  # a title with its common words
    ],
)
def test_what_comes_first_among_notes_that_have_some_words(held, search, make, typed, first):
    often = [(f"often{n}", "A note", "Rain, rain and rain.") for n in range(20)]
    others = [("rare", "A note", "Some sorghum."), ("late", "Hail in July here", ""), ("hail", "What the hail is", "")]
    notes = enumerate((*often, *others), 1)
    nodes = (make.node(slug, title, body=body, document="s.md", line=n) for n, (slug, title, body) in notes)
    make.put(held, *nodes, name="s.md")
    assert names(search.search(typed))[0] == first


def test_a_number_is_found_with_and_without_commas_and_a_tag_by_the_spelling_that_was_merged_into_it(held, home, make):
    body = "It reaches 3,958 TFLOPS, or 1,5 of it."
    make.put(held, make.node("card", body=body, tags=("grain",)))
    found = Search(held, home / "other", "database", lambda: {"grains": "grain"})
    typed = ("3958", "3,958", "15", "1,5", "tag:grains", "tag:grain", "card -tag:grains")
    assert [found.search(one).total for one in typed] == [1, 1, 0, 1, 1, 1, 0]


def test_completion_of_tags_terms_and_titles(farmed):
    assert [(one.kind, one.text) for one in farmed.complete("soi")] == [("tag", "soil"), ("title", "On soil")]
    assert [one.insert for one in farmed.complete("spring")] == ["tag:Spring-Sown"]
    term = farmed.complete("nitro")[0]
    assert (term.kind, term.text, term.node) == ("term", "Nitrogen use efficiency", "words/nue")
    assert next(one.text for one in farmed.complete("Spot PR")) == "Spot price"
    assert farmed.complete("  ") == ()
    assert len(farmed.complete("o", limit=1)) == 1


def test_a_walk_gives_every_hit_once_also_when_an_ingest_comes_between(search, held, make):
    first = search.search("barley", NodeQuery(limit=1))
    sheds = (make.node(f"shed{n}", "Barley barley barley", document="s.md", line=n + 1) for n in range(20))
    make.put(held, *sheds, name="s.md")
    seen, cursor = names(first), first.next
    while cursor:
        page = search.search("barley", NodeQuery(limit=1, cursor=cursor))
        seen += names(page)
        cursor = page.next
    assert Counter(seen) == Counter(["ada/barley", "ada/oats", "bob/soil"])
    assert search.search("barley").total == 23


def test_an_empty_store_answers(held, home, engine):
    search = searched(held, home / "index", engine)
    assert [search.search(typed).total for typed in ("barley", "")] == [0, 0]
    assert search.complete("a") == ()
    search.close()


def test_a_walk_passes_over_what_was_removed(search, held, make):
    first = search.search("tag:grain", NodeQuery(limit=2))
    held.documents.remove("farm.md", make.noon)
    rest = search.search("tag:grain", NodeQuery(limit=2, cursor=first.next))
    assert names(rest) == []
    assert search.search("tag:grain").total == 0


def test_the_index_follows_the_store(search, held, make):
    assert search.search("barley").total == 3
    document = farm(make)
    nodes = [node.model_copy(update={"body": "Nothing."}) if node.id == "ada/oats" else node for node in document.nodes]
    changed = document.model_copy(update={"nodes": (*nodes[:5], make.node("new", body="New barley.")), "sha256": "b"})
    held.documents.put_all([changed], make.noon)
    assert set(names(search.search("barley"))) == {"ada/barley", "bob/soil", "ada/new"}
    assert search.search("wheat").total == 0
    assert search.search("NUE").synonyms == ()


def test_another_process_brings_nodes_and_this_one_finds_them(search, held, home, make, engine):
    assert search.search("sorghum").total == 0
    with Store.open(held.engine.url.render_as_string(hide_password=False)) as elsewhere:
        make.put(elsewhere, make.node("extra", document="e.md", body="Sorghum."), name="e.md")
        other = searched(elsewhere, home / "index", engine)
        assert other.search("sorghum").total == 1
        other.close()
    assert search.search("sorghum").total == 1


def test_threads_ask_at_once_and_a_cursor_belongs_to_one_question(farmed):
    cursor = farmed.search("barley", NodeQuery(limit=1)).next
    for typed, text in (("oats", cursor), ("barley", "x"), ("barley", "")):
        with pytest.raises(CursorError):
            farmed.search(typed, NodeQuery(cursor=text))
    found = []

    def ask(typed):
        for _ in range(5):
            found.append((typed, farmed.search(typed).total))
            farmed._rankings.clear()

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(ask, ("barley", "tag:grain", '"rye bread"', "malt*")))
    assert Counter(found) == Counter({("barley", 3): 5, ("tag:grain", 4): 5, ('"rye bread"', 1): 5, ("malt*", 1): 5})


PIECES = st.sampled_from(['"', *"-* \x00é'\\[", "tag:", "kind:", "title:", ' "', "barley", "rye", "NUE"])


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(typed=st.one_of(st.text(max_size=40), st.lists(PIECES, max_size=12).map("".join)))
def test_no_text_is_an_error(farmed, typed):
    answer = farmed.search(typed, NodeQuery(limit=3))
    assert len(answer.hits) == min(3, answer.total)
    assert sum(answer.facets.kind.values()) == answer.total


def test_a_page_costs_a_few_statements(search, held, make, engine):
    sheds = (make.node(f"shed{n}", "Shed", document="s.md", line=n + 1) for n in range(200))
    make.put(held, *sheds, name="s.md")
    search.refresh()
    for limit in (1, 200):
        with sent(held) as statements:
            assert len(search.search("shed", NodeQuery(limit=limit)).hits) == limit
        assert len(statements) <= 12


def test_a_snippet_marks_the_words_of_a_text_once_each():
    text = "Keys, 1.5 keys and 15 key-value pairs; monkeys, 2,000 tokens (tokenized) of 1.55, per-key."
    marked = Marker([Word(stem("keys")), Word("1.5"), Word(stem("token")), Word("2000"), Prefix("pai")]).marked(text)
    assert marked == (
        "<mark>Keys</mark>, <mark>1.5 keys</mark> and 15 key-value <mark>pairs</mark>; monkeys, "
        "<mark>2,000 tokens</mark> (<mark>tokenized</mark>) of 1.55, per-key."
    )
