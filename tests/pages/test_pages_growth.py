"""The work for a page grows with the length of its text and not with its square, whatever the text repeats.

Counted are the lines of Python that run. What regular expressions do is not counted: those tests only have to end.
"""

import sys

import pytest

from api.pages.render.annotation import annotated
from api.pages.render.markdown_html import markdown_to_html
from api.pages.render.markdown_limits import MOST_BRACKETS
from api.pages.render.text_marks import Spans, TextMark, TextMarker
from compute.figures.figure_reader import figures
from graph.models.node_models import Kind, Node, Provenance
from graph.text.plain_text import plain_text
from ingest.document_reader import read
from tests.ingest.resolved_links import resolve
from tests.pages.repeated import CONSTRUCTS

SHORT, LONG = 500, 2000
MOST = 1.6
"""Four times the text takes at most 4 × 1.6 times the work; a square would take 16 times."""


def _page(text):
    place = Provenance(document="x.md", first_line=1, last_line=1, sha256="ab" * 32)
    node = Node(id="notes/x", brain="notes", kind=Kind.READING, title="X", body=text, provenance=place)
    return annotated(node, {}, ())


def _work(function, *arguments):
    """How many lines of Python run."""
    count = 0

    def line(_frame, event, _argument):
        nonlocal count
        count += event == "line"
        return line

    before = sys.gettrace()
    sys.settrace(line)
    try:
        function(*arguments)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_the_work_for_a_page_grows_with_its_text(name):
    make = CONSTRUCTS[name]
    _page("warm up")
    short, long = _work(_page, make(SHORT)), _work(_page, make(LONG))
    assert long <= max(20_000, short * LONG / SHORT * MOST)


@pytest.mark.parametrize("name", ["defs", "wiki code", "wiki url", "footnote refs", "figures", "cites"])
def test_marks_and_definitions_together(name):
    """Definitions of links guard stretches of the text; each figure and each link is looked up among them."""
    make = CONSTRUCTS[name]
    texts = [CONSTRUCTS["defs"](size) + "\n\n" + make(size) for size in (SHORT, LONG)]
    short, long = (_work(_page, text) for text in texts)
    assert long <= short * len(texts[1]) / len(texts[0]) * MOST


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_no_expression_stalls_on_a_long_text(name):
    """A square of 60,000 characters would take minutes."""
    text = CONSTRUCTS[name](60_000)
    TextMarker(text).guarded()
    plain_text(text)
    figures(text)
    resolve([read(f"---\ntitle: T\n---\n\n{text}\n".encode(), "x.md", format="note")])


@pytest.mark.parametrize(
    "text",
    ["`" * 200_000, "~" * 200_000, "[" * 100_000, "[^a]: b\n\n" + "[^" * 100_000, "$$a\n\n" * 40_000,
     "\n".join(f"[{number}]: https://a.example/{number}" for number in range(8_000)), "![" * 50_000, "> " * 100_000],
    ids=["backticks", "tildes", "brackets", "footnotes", "dollars", "definitions", "pictures", "quotations"],
)  # fmt: skip  # one list
def test_a_long_hostile_text_has_its_page(text):
    assert _page(text).markup is not None


def test_beyond_the_most_brackets_a_text_has_no_more_links():
    many = "[" * MOST_BRACKETS + "]"
    assert "<a" in markdown_to_html(TextMarker("[a](https://a.example)"))
    assert "<a" in markdown_to_html(TextMarker("[[[[" + "\n\n[a](https://a.example)"))
    assert "<a" not in markdown_to_html(TextMarker(many + "\n\n[a](https://a.example)"))


def test_marks_are_drawn_where_they_are_put():
    marker = TextMarker("one two three two")
    marker.wrap_all([(14, 17, TextMark("b")), (0, 3, TextMark("i")), (4, 7, TextMark("b"))])
    assert markdown_to_html(marker) == '<p dir="auto"><i>one</i> <b>two</b> three <b>two</b></p>\n'


def test_a_place_is_inside_a_span_up_to_its_last_character():
    spans = Spans([(5, 8), (1, 2)])
    assert [place for place in range(10) if place in spans] == [1, 5, 6, 7]
    assert 3 not in Spans()


def test_a_formula_is_set_where_it_is_closed_and_left_alone_where_not():
    assert "<math" in markdown_to_html(TextMarker("$$\nx^2\n$$\n"))
    assert "<math" in markdown_to_html(TextMarker("> $$\n> x^2\n> $$\n"))
    assert "<math" in markdown_to_html(TextMarker("- a\n\n  $$x^2$$\n"))
    assert "<math" not in markdown_to_html(TextMarker("$$\nx^2\n\nno end\n"))
    assert "<math" in markdown_to_html(TextMarker("$$\nx^2\n\n$$\n$$ \nno end\n"))


def test_a_reference_has_its_footnote_where_its_name_is_not_too_long():
    assert "footnote-ref" in markdown_to_html(TextMarker("a[^n]\n\n[^n]: b\n"))
    assert "footnote-ref" in markdown_to_html(TextMarker(f"a[^{'n' * 190}]\n\n[^{'n' * 190}]: b\n"))
    assert "footnote-ref" not in markdown_to_html(TextMarker(f"a[^{'n' * 300}]\n\n[^{'n' * 300}]: b\n"))


def test_brackets_that_nothing_closes_are_not_tried_as_links():
    """A page with 100,000 of them took 5.8 seconds: the end of a link was looked for behind each of the first 40,000."""
    _page("warm up")
    for opening in ("[" * 2000, "![" * 2000):
        assert _work(_page, opening) < 0.6 * _work(_page, f"{opening}]")
    assert "<a" in markdown_to_html(TextMarker("[[[ [x](https://a.example) [[["))
