"""Markdown as words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.text.math_text import linear, spelled_out
from graph.text.plain_text import names_of, naming, plain_text, readable

TITLES = naming(names_of("ada/oat-prices", "What oats cost"))


@pytest.mark.parametrize(
    ("markdown", "words"),
    [
        ("see [[oat-prices]]", "see What oats cost"),
        ("see [[ada/oat-prices#why]]", "see What oats cost"),
        ("see [[Oat-Prices]]", "see What oats cost"),
        ("see [[oat-prices|the oats]]", "see the oats"),
        ("| see [[oat-prices\\|the oats]] |", "see the oats"),
        ("see ![[rye-and-soil]]", "see rye and soil"),
        ("see [[Rye and soil]]", "see Rye and soil"),
        ("[a link](https://a.example), a note[^1]", "a link, a note"),
        ('[one](./a/B.md "A title"), [two](<a b.md>) and [three](https://a.example/x_y(z))', "one, two and three"),
        ("[[2025-11-22]], [[#What it costs]], [[#Part#Why]] and [[#^b1]]", "2025-11-22, What it costs, Why and b1"),
        ("one of `a|b`", "one of a b"),
        ("**bold**, _slanted_, `code`, snake_case", "bold, slanted, code, snake_case"),
        ("# Head\n\n- one\n> two", "Head one two"),
        ("$3 in and $15 out", "$3 in and $15 out"),
        ("code `df[[x]]`, then [[oat-prices]]", "code df[[x]], then What oats cost"),
        ("Set:\n\n    y[[oat-prices]]", "Set: y[[oat-prices]]"),
        ("so $A = [[a, b]]$ and [[rye|`r`]]", "so A = [[a, b]] and r"),
        (r"so $0.5 \times 0.1 = 0.05$: $3", "so 0.5 × 0.1 = 0.05: $3"),
    ],
)
def test_marks_become_words(markdown, words):
    assert plain_text(markdown, TITLES) == words


@pytest.mark.parametrize(
    ("formula", "line"),
    [
        (r"\frac{A}{N^{\alpha}} + 1", "A/N^α + 1"),
        (r"\frac{1-\alpha^{\gamma+1}}{1-\alpha}", "(1-α^(γ+1))/(1-α)"),
        (r"3.65 \times 10^{25}", "3.65 × 10^25"),
        (r"8{,}192\,\text{tokens} \leq \sqrt{x + y}", "8,192 tokens ≤ √(x + y)"),
        (r"\mathrm{PUE}/u", "PUE/u"),
        (r"g^{*}", "g^∗"),
    ],
)
def test_a_formula_reads_on_one_line(formula, line):
    assert linear(formula) == line
    assert spelled_out(f"so ${formula}$.") == f"so {line}."


@given(st.text(alphabet="ab $\\\\{}[]|^_frac.-#\n", max_size=80))
def test_any_text_becomes_one_line_and_a_readable_one_is_still_markdown(text):
    assert "\n" not in plain_text(text)
    assert readable("# See\n\n**[[oat-prices]]**", TITLES) == "# See\n\n**What oats cost**"
