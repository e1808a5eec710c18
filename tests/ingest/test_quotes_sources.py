"""Which source a quotation is from, and how sure that is."""

from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from graph.models.node_models import Kind, Source
from ingest.quotations.cite_spans import cite_spans
from ingest.quotations.publication_ids import publication_id
from ingest.quotations.source_resolution import resolve_page
from tests.ingest.own_documents import node


def reading(text, urls, line=1, tags=()):
    clean, spans, _ = cite_spans(text)
    sources = tuple(Source(id=url, url=url) for url in urls)
    return node(Kind.READING, "Harbours", clean, tags, line).model_copy(update={"sources": sources}), spans


def mark(document, text="words"):
    return f'(cite index="{document}-1">{text}</cite> '


def sources(node):
    return {quote.document: quote.source for quote in node.quotes}


A, B, C, D = (f"https://{name}.example/{number}" for number, name in enumerate("abcd"))


def test_one_document_and_one_source_are_exact_and_several_take_the_sources_in_the_order_of_their_first_appearance():
    quotes = resolve_page([reading(mark(7) + mark(7), [A])])[0].quotes
    assert [(q.source, q.resolution, q.span) for q in quotes] == [(A, "exact", 0), (A, "exact", 1)]
    assert quotes[0].candidates == (A,)
    (found,) = resolve_page([reading(mark(9) + mark(2) + mark(9) + mark(5), [A, B, C])])
    assert sources(found) == {9: A, 2: B, 5: C}
    assert {quote.resolution for quote in found.quotes} <= {"exact", "likely"}


@pytest.mark.parametrize(("first", "second", "urls"), [
    ("Dredging doubles below fourteen metres.", "Pilots charge by draught.",
     ["https://x.example/pilots-charge-draught", "https://y.example/dredging-doubles-fourteen-metres"]),
    ("Tideline says nothing.", "Portwatch counted.", ["https://www.portwatch.example/1", "https://tideline.example/2"]),
], ids=["words of a path", "the name of a host"])  # fmt: skip
def test_words_of_an_address_move_a_document_out_of_the_order(first, second, urls):
    (found,) = resolve_page([reading(mark(1, first) + mark(2, second), urls)])
    assert sources(found) == {1: urls[1], 2: urls[0]}


def test_readings_of_one_session_share_their_sources_and_a_number_means_another_address_in_another_session():
    tags = ("cranes", "quay", "night-shift")
    first, second = reading(mark(4) + mark(7), [A, B], 1, tags), reading(mark(4) + mark(7), [A, B], 20, tags)
    swapped = reading(mark(7) + mark(4), [A, B], 40, tags)
    assert sources(resolve_page([swapped])[0]) == {7: A, 4: B}
    assert sources(resolve_page([first, second, swapped])[2]) == {7: B, 4: A}
    contradicting = resolve_page([first, swapped] * 2)
    assert {quote.resolution for each in contradicting for quote in each.quotes} == {"ambiguous"}
    other = reading(mark(4) + mark(7), [C, D], 20, ("tides", "silt"))
    assert [sources(one) for one in resolve_page([first, other])] == [{4: A, 7: B}, {4: C, 7: D}]


def test_more_documents_than_sources_leave_some_unnamed():
    (found,) = resolve_page([reading(mark(1) + mark(2) + mark(3) + mark(4), [A, B])])
    named = [quote for quote in found.quotes if quote.source]
    assert len({quote.source for quote in named}) == len(named) <= 2
    assert {quote.resolution for quote in found.quotes} & {"ambiguous", "unresolved"}
    assert all(quote.source is None for quote in found.quotes if quote.resolution in {"ambiguous", "unresolved"})


def test_without_sources_a_quotation_is_left_unresolved():
    plain = node(Kind.THESIS, "Plain", "No quotation.", (), 1)
    (passed, found) = resolve_page([(plain, ()), reading(mark(3, "Tides turn."), [])])
    (one,) = found.quotes
    assert (one.quote, one.resolution, one.candidates, one.confidence) == ("Tides turn.", "unresolved", (), 0.0)
    assert passed == plain


def test_a_span_of_several_documents_gives_a_quotation_for_each():
    quotes = resolve_page([reading('(cite index="12-2,26-13,26-14">both say so</cite>', [A, B])])[0].quotes
    found = [(q.span, q.marker, q.document, q.sentences) for q in quotes]
    assert found == [(0, "12-2", 12, (2,)), (0, "26-13", 26, (13, 14))]
    assert {q.quote for q in quotes} == {"both say so"}


NUMBERS = st.lists(st.integers(1, 30), max_size=9)


@settings(max_examples=60)
@given(st.lists(st.tuples(NUMBERS, st.integers(0, 14), st.sampled_from(["a", "b"])), max_size=5))
def test_no_page_raises_and_no_quotation_is_lost(drafts):
    items = [
        reading("".join(map(mark, numbers)), [f"https://e.example/{n}" for n in range(count)], 10 * i + 1, (tag,))
        for i, (numbers, count, tag) in enumerate(drafts)
    ]
    result = resolve_page(items)
    for (_, spans), each in zip(items, result, strict=True):
        assert len(each.quotes) == len(spans)
        for quote in each.quotes:
            assert (quote.source is not None) == (quote.resolution in {"exact", "likely"})
            assert quote.source is None or quote.source == quote.candidates[0]
            assert 0 <= quote.confidence <= 1


def test_a_reading_of_thirty_documents_and_thirty_sources_is_resolved():
    urls = [f"https://e.example/{number}" for number in range(30)]
    (found,) = resolve_page([reading("".join(map(mark, range(30, 0, -1))), urls)])
    assert list(sources(found).values())[:3] == urls[:3]


@pytest.mark.documents
def test_the_quotations_of_the_brain_page_are_resolved(real):
    nodes = real("kai-brain-page.txt").nodes
    counts = Counter(quote.resolution for node in nodes for quote in node.quotes)
    assert sum(counts.values()) == 857
    assert counts["exact"] > 350
    assert counts["exact"] + counts["likely"] > 620
    assert counts["unresolved"] < 60


@pytest.mark.documents
def test_four_readings_on_gpu_prices_share_their_documents(real):
    nodes = [node for node in real("kai-brain-page.txt").nodes if node.kind is Kind.READING][24:28]
    meant: dict[int, set[str | None]] = {}
    for each in nodes:
        for document, source in sources(each).items():
            meant.setdefault(document, set()).add(source)
    assert all(len(found) == 1 and None not in found for found in meant.values())
    assert meant[7] == {"https://gpuperhour.com/"}


SAME = [
    ("arxiv:2101.00001", [
        "https://arxiv.org/abs/2101.00001", "http://arxiv.org/abs/2101.00001v3",
        "https://www.arxiv.org/pdf/2101.00001v1.pdf", "https://arxiv.org/pdf/2101.00001.pdf#page=4",
        "https://export.arxiv.org/html/2101.00001v2", "arxiv.org/abs/2101.00001?context=cs", "arXiv:2101.00001v2",
        "https://doi.org/10.48550/arXiv.2101.00001", "https://ar5iv.labs.arxiv.org/html/2101.00001",
    ]),
    ("arxiv:hep-th/9901001", ["https://arxiv.org/abs/hep-th/9901001v1", "https://arxiv.org/pdf/hep-th/9901001"]),
    ("doi:10.1000/abc.1", [
        "https://doi.org/10.1000/ABC.1",
        "http://dx.doi.org/10.1000/abc.1/",
        "https://dl.example.org/doi/10.1000/abc.1",
        "https://dl.example.org/doi/fullHtml/10.1000/abc.1",
        "https://dl.example.org/doi/10.1000/abc.1/pdf",
        "doi:10.1000/abc.1",
    ]),
    ("https://example.org/a/b", [
        "http://www.example.org/a/b/", "https://EXAMPLE.org:443/a/b#part", "//example.org/a/b", "example.org/a/b",
        "https://example.org/a/b?utm_source=x&gclid=1&fbclid=2", "https://example.org/%61/b/index.html",
        " https://example.org/a/b \n", "<https://example.org/a/b>", "https://example.org./a/b?",
    ]),
    ("https://example.org/a?id=7&b=1", ["https://www.example.org/a/?id=7&utm_medium=mail&b=1"]),
    ("https://example.org:8080/", ["http://example.org:8080/"]),
]  # fmt: skip  # one work to a row
OWN = [(work, url) for work, urls in SAME for url in urls]

DIFFERENT = [
    ("https://example.org/A", "https://example.org/a"),
    ("https://example.org/a?id=1", "https://example.org/a?id=2"),
    ("https://blog.example.org/a", "https://example.org/a"),
    ("https://example.org/a%2Fb", "https://example.org/a/b"),
    ("https://example.org/#!/one", "https://example.org/#!/two"),
    ("https://arxiv.org/abs/2101.00001", "https://arxiv.org/abs/2101.00002"),
    ("https://arxiv.org/list/cs", "https://arxiv.org/list/math"),
]


@pytest.mark.parametrize(("work", "url"), OWN, ids=[url.strip() for _, url in OWN])
def test_spellings_of_one_address_are_one_work(work, url):
    assert publication_id(url).rstrip("/") == work.rstrip("/")


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_pages_that_may_differ_stay_separate(one, other):
    assert publication_id(one) != publication_id(other)


@example("http://[::1").via("brackets that do not close")
@example("http://a:99999/").via("no such port")
@given(st.text(max_size=80) | st.from_regex(r"https?://[^\s]{0,60}", fullmatch=True))
def test_no_address_raises_and_an_id_is_its_own_id(url):
    once = publication_id(url)
    assert publication_id(once) == once


@pytest.mark.documents
def test_the_89_arxiv_addresses_of_the_brain_page_are_79_works(real):
    urls = {source.url for node in real("kai-brain-page.txt").nodes for source in node.sources}
    papers = {url for url in urls if "arxiv.org" in url}
    assert (len(urls), len(papers), len({publication_id(url) for url in papers})) == (424, 89, 79)
    assert all(publication_id(url).startswith("arxiv:") for url in papers)
