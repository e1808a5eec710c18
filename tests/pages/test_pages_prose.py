"""Markdown as safe HTML, with links, quotations and figures where they belong."""

import html
import re
from datetime import date
from decimal import Decimal
from html.parser import HTMLParser
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from api.pages.render.figure_marks import claim_places
from api.pages.render.markdown_html import markdown_to_html
from api.pages.render.text_marks import TextMark, TextMarker
from graph.models.claim_models import Claim, Expectation, VerdictName
from graph.models.verdict_models import VerdictRow
from graph.text.math_text import looks_like_maths

TEXTS = Path(__file__).parents[1] / "compute/figures_texts.yaml"


class Wellformed(HTMLParser):
    """Complains about anything that is not closed in order, and collects elements and attributes."""

    VOID = frozenset({"br", "hr", "img", "mspace"})

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.attributes = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag


def parsed(markup):
    parser = Wellformed()
    parser.feed(markup)
    parser.close()
    assert not parser.open
    return parser


def parsed_text(markup):
    return html.unescape(re.sub(r"<[^>]+>", "", markup)).strip()


@pytest.mark.parametrize(
    "text",
    ["$3.00 in, $15.00 out", "$3/$15", "($15 input / $75 output)", "from $5 to $6 a unit", "US$4 and C$5", "$1–$2"],
)
def test_dollar_amounts_are_no_maths(text):
    assert re.sub("</?span[^>]*>", "", markdown_to_html(TextMarker(text))) == f'<p dir="auto">{text}</p>\n'


@pytest.mark.parametrize("text", ["T > 8D", r"\alpha", "p", "H/4", "r < 1", r"\frac{1}{0.76} - 1 = 32\%.", "N_1, N_2"])
def test_formulas_are_maths(text):
    assert looks_like_maths(text)
    assert "<math" in markdown_to_html(TextMarker(f"So ${text}$ holds."))


@pytest.mark.parametrize("text", ["15 input / ", "3.00 per million and ", "", "about twenty", "x" * 3000])
def test_stretches_between_two_prices_are_no_formulas(text):
    assert not looks_like_maths(text)


@pytest.mark.parametrize(
    "text",
    [
        "It cost $8 a month, later $about nine$ of it.", "Half of $15 in / $75 out, and so on.",
        "Rent ($2 per hour) of $5 in all$.",
    ],
)  # fmt: skip
def test_no_word_is_lost_where_a_dollar_sign_is_no_formula(text):
    assert parsed_text(markdown_to_html(TextMarker(text))) == text


def test_a_coefficient_makes_a_formula_and_one_that_cannot_be_read_is_shown_as_written():
    shown = markdown_to_html(TextMarker("Attention outweighs the rest, it is said, beyond $8D$ (or so)."))
    assert 'Attention outweighs the rest, it is said, beyond <span class="math inline"><math' in shown
    assert r"<code>\frac</code>" in markdown_to_html(TextMarker(r"$\frac$"))


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>", "[x](javascript:alert(1))", "[x](JaVaScRiPt:alert(1))", "![x](javascript:alert(1))",
        '<a href="https://a.example" onclick="alert(1)">x</a>', "<div><p>never closed", r"$\text{<script>alert(1)</script>}$",
        r"$x^{\href{javascript:alert(1)}{y}}$", "[x](https://a.example/\"onmouseover=alert(1))",
        "`<img src=x onerror=alert(1)>`", "\U000f0000\U000f0001\U000f0003 text",
    ],
)  # fmt: skip
def test_hostile_text_is_shown_harmless(text):
    found = parsed(markdown_to_html(TextMarker(text)))
    assert not {"script", "img", "iframe", "style", "object"} & set(found.tags)
    assert not [name for name, _ in found.attributes if name.startswith("on") or name == "style"]
    links = [value for name, value in found.attributes if name == "href"]
    assert not [link for link in links if not link.startswith("https://a.example")]


@settings(max_examples=60)
@given(st.text(alphabet="ab *_`[]()<>|#$\\\n&!~-:1\U000f0000", max_size=80), st.data())
def test_marks_over_any_text_give_wellformed_html(text, data):
    marker = TextMarker(text)
    for _ in range(3):
        start = data.draw(st.integers(0, len(marker.text)))
        end = data.draw(st.integers(start, len(marker.text)))
        marker.wrap_all([(start, end, TextMark("a", {"href": "/x", "title": '"<'}))])
    found = parsed(markdown_to_html(marker))
    assert set(found.tags) <= {"p", "a", "em", "strong", "code", "pre", "span", "h2", "h3", "ul", "ol", "li", "blockquote",
                              "hr", "br", "del", "s", "div", "table", "thead", "tbody", "tr", "th", "td", "math", "mrow",
                              "mi", "mo", "mn", "mtext", "mspace", "mover", "munder", "msup", "msub", "mfrac", "mstyle"}  # fmt: skip


def test_a_mark_over_two_paragraphs_is_closed_and_opened_again():
    marker = TextMarker("one *two\n\nthree* four")
    marker.wrap_all([(0, len(marker.text), TextMark("q", {"class": "k"}, "!"))])
    markup = markdown_to_html(marker)
    parsed(markup)
    assert markup.count('<q class="k">') == 2
    assert markup.count("!") == 1


def test_a_link_inside_a_link_is_a_span():
    marker = TextMarker("[see 95% here](https://a.example)")
    marker.wrap_all([(5, 8, TextMark("a", {"href": "/claims/x", "class": "figure"}))])
    assert '<span class="figure">95%</span>' in markdown_to_html(marker)


def test_headings_begin_below_the_title_and_have_addresses_of_their_own():
    markup = markdown_to_html(TextMarker("### One\n\n### One\n\n#### Two"))
    assert re.findall(r'<(h\d) id="([^"]+)"', markup) == [("h2", "s-one"), ("h2", "s-one-2"), ("h3", "s-two")]


def test_columns_of_numbers_are_right_aligned():
    markup = markdown_to_html(TextMarker("| name | price |\n|---|---|\n| a | $1.50 |\n| b | 7–14 |\n"))
    assert '<th dir="auto" class="number">price</th>' in markup or 'class="number" dir="auto">price' in markup
    assert 'class="number"' not in markup.split("price")[0].split("name")[0]


def claim(says, bound, form="is", name="c"):
    expect = Expectation(form=form, bound=bound)
    return Claim(id=name, node="a/b", says=says, as_of=date(2026, 1, 1), value="1", expect=expect)


@pytest.mark.parametrize(
    ("text", "stated", "found"),
    [
        ("Cached tokens cost 95% less.", claim("Cached tokens cost 95% less.", "95%"), "95%"),
        ("It fell 95% in May. Cached tokens cost 95% less.", claim("Cached tokens cost less.", "95%"), "95%"),
        ("A token costs $3.00 today.", claim("A token costs $3 a million.", "3 USD/Mtok"), "$3.00"),
        ("Opus is fifteen times dearer.", claim("Opus is dearer.", "15", "times"), "fifteen times"),
        ("Opus is 15× dearer.", claim("Opus is dearer.", "15", "times"), "15×"),
        ("Twelve ships of 20,000 boxes carry 260,000 boxes.", claim("They carry them.", "260_000"), "260,000"),
        ("It holds 300 cars, and the toll is $450,000.", claim("The toll is paid.", "450k USD"), "$450,000"),
    ],
)  # fmt: skip
def test_the_figure_of_a_claim_is_found(text, stated, found):
    start = text.rindex(found)  # of two equal figures the one in the likelier sentence
    assert claim_places(text, [stated])["c"] == (start, start + len(found))


@pytest.mark.parametrize(
    ("text", "bound"),
    [("It costs 96% less.", "95%"), ("It costs 3 less.", "95%"), ("Nothing here.", "95%"), ("195% cost", "95%")],
)
def test_a_figure_that_is_not_there_is_not_found(text, bound):
    assert not claim_places(text, [claim("It costs 95% less.", bound)])


def test_a_band_is_marked_whole_and_a_price_inside_it_by_the_value_of_its_claim():
    text = "Large models cost 15–75, so Opus at $25/$75 fits."
    stated = [
        claim("It costs $15 to $75.", "low", name=name).model_copy(update={"quote": quote})
        for name, quote in (("band", "cost 15–75"), ("price", "Opus at $25/$75 fits"))
    ]
    quoted = {one.id: (text.index(one.quote), text.index(one.quote) + len(one.quote)) for one in stated}
    unknown = dict.fromkeys(("margin", "then_value", "then_holds", "now_holds"))
    row = VerdictRow(claim="price", verdict=VerdictName.HOLDS, value=Decimal(25), unit="USD/Mtok", **unknown)
    found = claim_places(text, stated, None, quoted, {"price": row})
    assert {name: text[slice(*place)] for name, place in found.items()} == {"band": "15–75", "price": "$25"}


@pytest.mark.parametrize(("text", "bound", "found"), yaml.safe_load(TEXTS.read_text("utf-8"))["marks"])
def test_of_a_quoted_sentence_the_figure_that_the_claim_checks_is_marked_and_no_other(text, bound, found):
    stated = claim(text, bound).model_copy(update={"quote": text})
    start, end = claim_places(text, [stated], None, {"c": (0, len(text))})["c"]
    assert text[start:end] == found


def test_claims_about_one_figure_share_its_place():
    text = "Cached tokens cost 95% less."
    found = claim_places(
        text, [claim(text, "95%", name="a"), claim("Cached tokens cost less by 95%.", "95%", name="b")]
    )
    assert found["a"] == found["b"]


def test_footnotes_are_at_the_end_and_link_back():
    markup = markdown_to_html(TextMarker("A word[^1] and [^2].\n\n[^1]: The *note*."))
    assert '<sup class="footnote-ref"><a href="#fn1" id="fnref1">a</a></sup>' in markup
    assert "[^2]" in markup, "one that is not written stays as it is"
    assert parsed_text(markup).endswith("The note. ↑")
    parsed(markup)


@pytest.mark.parametrize(
    ("text", "element"),
    [("- שלום\n- b", "ul"), ("1. שלום", "ol"), ("> שלום", "blockquote"), ("| א | b |\n|---|---|\n| x | 1 |", "table")],
)
def test_lists_quotations_and_tables_go_as_their_first_words_do(text, element):
    assert f'<{element} dir="rtl">' in markdown_to_html(TextMarker(text))
    assert f'<{element} dir="rtl">' not in markdown_to_html(TextMarker(text.replace("שלום", "hello").replace("א", "a")))
