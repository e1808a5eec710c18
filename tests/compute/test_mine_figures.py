"""Figures in prose: what is one, with which value and unit, and what only looks like one."""

from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compute.mining.figure_reader import figures


def read(text):
    return [(one.low, one.high, one.sort, one.full_unit) for one in figures(text)]


@pytest.mark.parametrize(
    ("text", "low", "sort", "unit"),
    [
        ("$3.00 per million input tokens", "3.00", "money", "USD/Mtok"),
        ("$12.50/MTok", "12.50", "money", "USD/Mtok"),
        ("$0.004 per 1K tokens", "0.004", "money", "USD/ktok"),
        ("$2.10/hr", "2.10", "money", "USD/h"),
        ("$1.99 per GPU-hour", "1.99", "money", "USD/GPU/h"),
        ("$48K a year", "48000", "money", "USD/year"),
        ("£3bn", "3000000000", "money", "GBP"),
        ("$900 monthly", "900", "money", "USD/month"),
        ("$0.11/kWh", "0.11", "money", "USD/kWh"),
        ("a 45% share", "45", "%", ""),
        ("45 percent", "45", "%", ""),
        ("3 percentage points", "3", "pp", ""),
        ("2.5x", "2.5", "x", "x"),
        ("a 40-fold rise", "40", "x", ""),
        ("sixteen times", "16", "x", "word"),
        ("one-quarter", "0.25", "x", "word"),
        ("700 W", "700", "unit", "W"),
        ("3.2 TB/s", "3.2", "unit", "TB/s"),
        ("16 gigabytes", "16", "unit", "GB"),
        ("12,500 requests per second", "12500", "unit", "request/second"),
        ("64,000", "64000", "count", ""),
        ("7 billion", "7000000000", "count", ""),
        ("1.5 M rows", "1500000", "count", ""),
        ("Mar 47 mm of rain", "47", "count", ""),
        ("by 1 October 31 had been let", "31", "count", ""),
        ("it was cut four times as often", "4", "x", "word"),
    ],
)
def test_a_figure_has_its_value_and_its_unit(text, low, sort, unit):
    (found,) = figures(text)
    assert (found.low, found.sort) == (Decimal(low), sort)
    assert found.full_unit in {unit, "word", ""}
    assert found.text in text


@pytest.mark.parametrize(
    "text",
    [
        "the H100 and the A100",
        "GPT-4 and Llama-3",
        "in 2024, as in 1999",
        "see Section 3.2, Table 4 and Figure 12",
        "open 24/7 all year",
        "8x H100 in a box",
        "Mixtral 8x7B",
        "Claude 3.5 Sonnet",
        "version 4.1 of v2.0",
        "at 10:30",
        "31 December: the treaty, the tariffs and the courts",
        "from the 3rd of May to 17 June",
        "on 4 October 2023",
    ],
)
def test_numbers_that_name_something_are_no_figures(text):
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("60–80%", 60, 80),
        ("2-3x", 2, 3),
        ("$5 to $9", 5, 9),
        ("40% to 65%", 40, 65),
        ("rose by 10 to 20%", 10, 20),
        ("fell by $5 to $9", 5, 9),
        ("rose by 5 to 15%", 5, 15),
    ],
)
def test_a_range_is_one_figure(text, low, high):
    assert [one[:2] for one in read(text)] == [(low, high)]


@pytest.mark.parametrize(
    "text",
    [
        "from 60% to 80%",
        "grew 20% to $60M",
        "cost $0.36 — 5.7x cheaper",
        "$9 to $5",
        "fell by $70 to $240",
    ],
)
def test_two_figures_are_no_range(text):
    assert len(read(text)) == 2


@pytest.mark.parametrize(
    ("text", "hedge"),
    [("about 40%", "about"), ("~40%", "about"), ("up to 40%", "at most"), ("over 40%", "at least"), ("40+ GB", "at least"),
     ("<40%", "at most"), ("exactly 40%", "")],
)  # fmt: skip
def test_a_hedge_is_kept(text, hedge):
    assert figures(text)[0].hedge == hedge


@pytest.mark.parametrize(
    ("text", "half", "coarse"), [("5.7x", "0.05", "0.05"), ("2,600", "0.5", "50"), ("30%", "0.5", "0.5"), ("$48K", "500", "500")]
)  # fmt: skip
def test_rounding_is_half_a_step_of_the_last_digit(text, half, coarse):
    (found,) = figures(text)
    assert (found.half, found.coarse) == (Decimal(half), Decimal(coarse))


def test_a_pair_with_a_slash_is_input_and_output_per_million():
    assert [(one.label, one.per) for one in figures("$4/$16 per million")] == [("input", "Mtok"), ("output", "Mtok")]


@given(st.text(alphabet="0123456789.,$€%x×/ -–~to MKBGPUWhr()tokensper", max_size=80))
@settings(max_examples=300, deadline=None)
def test_figures_stand_in_the_text_in_order_and_apart(text):
    found = figures(text)
    assert all(text[one.start : one.end] == one.text for one in found)
    assert all(one.end <= two.start for one, two in pairwise(found))


@pytest.mark.parametrize(
    ("text", "lows"),
    [
        ("I have read 130 of 310 pages.", ["130", "310"]),
        ("Capacity rose 40% to 140 Gbit/s.", ["40", "140"]),
        ("Beds: now 45, before 60 – 15 fewer.", ["45", "60", "15"]),
        ("We lowered the membership by £6 to £18 a month.", ["6", "18"]),
        (
            "The pass drops to £24 from £30, a fifth less than before, a quarter less than in May.",
            ["24", "30", "0.2", "0.25"],
        ),
    ],
)
def test_two_figures_that_look_like_a_range_or_a_name_are_two(text, lows):
    """*40% to 140* and *60 – 15* were read as one range, *read 130* as the name of a page, *£30, a quarter* as three months."""
    assert [format(one.low.normalize(), "f") for one in figures(text)] == lows


@pytest.mark.parametrize(
    ("text", "low", "high"), [("60–80% of it", 60, 80), ("$10 to $25 off", 10, 25), ("5% to 7%", 5, 7)]
)
def test_ranges_stay_ranges(text, low, high):
    assert [(one.low, one.high) for one in figures(text)] == [(low, high)]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Die Kosten stiegen von 8.000 € auf 10.000 €, ein Anstieg von 25,0 %.", ["8000", "10000", "25.0"]),
        ("Netto 1.234,56 EUR, brutto € 1469,13; das sind 5,5–6,5 %.", ["1234.56", "1469.13", "5.5", "6.5"]),
        ("Es waren 2,5 Millionen, 0,075 und 8.000 Stück; Abb. [1,2], also 3,4 %.",
         ["2.5", "0.075", "8000", "1", "3.4"]),
        ("Rates of 5, 6 % and of 5,6,7 % are lists.", ["5", "6", "5"]),
        ("It rose from $8,000 to $10,000, by 25.0%.", ["8000", "10000", "25.0"]),
        ("A slip of 25,0 %: $1,250 is $2.50, or $3.50, or $4.50.", ["25.0", "1250", "2.50", "3.50", "4.50"]),
        ("In doubt are 1,250 €, or 8.000 €, where 25,0 % and 2.5 % are.", ["25.0", "2.5"]),
        ("Ein Liter für 1,599 €, mit 2,5 % Rabatt.", ["2.5"]),
        ("Allein sind 8.000 € zweierlei.", []),
        ("Auch 10 000,50 € sind es, wie in Zeile 10 200,50 €.", []),
    ],
)  # fmt: skip
def test_decimal_commas_are_read_where_percent_or_currency_say_so_and_what_is_in_doubt_is_no_figure(text, values):
    found = [value for one in figures(text) for value in dict.fromkeys((one.low, one.high))]
    assert found == [Decimal(value) for value in values]
    assert all(one.text == text[one.start : one.end] for one in figures(text))
