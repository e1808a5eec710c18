"""The work for a page grows with the length of its text and not with its square, whatever the text repeats.

Counted are the lines of Python that run. What regular expressions do is not counted: those tests only have to end.
"""

import sys

import pytest

from api.pages.render.annotation import annotated
from api.pages.render.markdown_html import MOST_BRACKETS, markdown_to_html
from api.pages.render.text_marks import Spans, TextMark, TextMarker
from graph.models.node_models import Kind, Node, Provenance
from tests.pages.repeated import CONSTRUCTS

SHORT, LONG = 500, 2000
MOST = 1.6
"""Four times the text takes at most 4 × 1.6 times the work; a square would take 16 times."""


def _page(text):
    place = Provenance(document="x.md", first_line=1, last_line=1, sha256="ab" * 32)
    node = Node(id="notes/x", brain="notes", kind=Kind.READING, title="X", body=text, provenance=place)
    return annotated(node, {}, ())


def _work(function, *arguments):
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


@pytest.mark.parametrize(
    "name", ["defs", "`a` [[a]] ", "http://a [[a]] ", "[^a] where a is a footnote", "12% $3.50 ", "[1] "]
)
def test_marks_and_definitions_together(name):
    """Definitions of links guard stretches of the text; each figure and each link is looked up among them."""
    make = CONSTRUCTS[name]
    texts = [CONSTRUCTS["defs"](size) + "\n\n" + make(size) for size in (SHORT, LONG)]
    short, long = (_work(_page, text) for text in texts)
    assert long <= short * len(texts[1]) / len(texts[0]) * MOST


@pytest.mark.parametrize(
    ("text", "element", "there"),
    [
        ("[a](https://a.example)", "<a", True),
        ("[[[[\n\n[a](https://a.example)", "<a", True),
        ("[[[ [x](https://a.example) [[[", "<a", True),
        ("[" * MOST_BRACKETS + "]\n\n[a](https://a.example)", "<a", False),
        ("$$\nx^2\n$$\n", "<math", True),
        ("> $$\n> x^2\n> $$\n", "<math", True),
        ("- a\n\n  $$x^2$$\n", "<math", True),
        ("$$\nx^2\n\n$$\n$$ \nno end\n", "<math", True),
        ("$$\nx^2\n\nno end\n", "<math", False),
        ("a[^n]\n\n[^n]: b\n", "footnote-ref", True),
        (f"a[^{'n' * 190}]\n\n[^{'n' * 190}]: b\n", "footnote-ref", True),
        (f"a[^{'n' * 300}]\n\n[^{'n' * 300}]: b\n", "footnote-ref", False),
    ],
)
def test_links_formulas_and_footnotes_are_set_up_to_a_bound_and_where_they_are_closed(text, element, there):
    assert (element in markdown_to_html(TextMarker(text))) is there


def test_marks_are_drawn_where_they_are_put():
    marker = TextMarker("one two three two")
    marker.wrap_all([(14, 17, TextMark("b")), (0, 3, TextMark("i")), (4, 7, TextMark("b"))])
    assert markdown_to_html(marker) == '<p dir="auto"><i>one</i> <b>two</b> three <b>two</b></p>\n'


def test_a_place_is_inside_a_span_up_to_its_last_character():
    spans = Spans([(5, 8), (1, 2)])
    assert [place for place in range(10) if place in spans] == [1, 5, 6, 7]
    assert 3 not in Spans()


def test_brackets_that_nothing_closes_are_not_tried_as_links():
    """A page with 100,000 of them took 5.8 seconds: the end of a link was looked for behind each of the first 40,000."""
    _page("warm up")
    for opening in ("[" * 800, "![" * 800):
        assert _work(_page, opening) < 0.6 * _work(_page, f"{opening}]")
