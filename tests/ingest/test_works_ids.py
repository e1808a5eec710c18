"""Addresses that lead to one work share one id, others do not."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ingest.quotations.publication_ids import publication_id

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
