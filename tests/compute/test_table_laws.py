"""Tables whose rows follow one formula but for one cell, seen by rows and by columns, and those that only seem to."""

import pytest

from compute.mining.mining_models import DOUBTFUL
from tests.bench.bench_mining import miner, passage

MINER = miner()


def refuted(text):
    return {
        (text[one.figure_start : one.figure_end], float(round(one.computed, 6)))
        for one in MINER.mine(passage(text))
        if one.verdict == "refuted"
    }


def table(*rows):
    header, *others = rows
    return "\n".join([header, "|---" * (header.count("|") - 1) + "|", *others]) + "\n"


CHARTERS = """Each boat costs €46.50 a day, fuel included.

| Charter | Boats | Days | Bill |
|---|---|---|---|
| Skerries | 3 | 7 | €976.50 |
| North cape | 2 | 11 | €1,023.00 |
| Islands | 4 | 9 | €{bill} |
| Locks | 5 | 13 | €3,022.50 |
"""


def test_a_constant_that_the_text_states_is_a_part_of_the_law():
    assert refuted(CHARTERS.format(bill="1,674.00")) == set()
    assert refuted(CHARTERS.format(bill="1,764.00")) == {("€1,764.00", 1674)}


def test_what_a_column_is_per_another_is_read_from_its_name_with_its_units():
    rows = "| Line | Length (km) | Faults | Faults per 100 km |", "| Coast | 415 | 83 | 20.0 |"
    assert refuted(table(*rows, "| Inland | 640 | 176 | 27.5 |")) == set()
    assert refuted(table(*rows, "| Inland | 640 | 176 | 22.5 |")) == {("22.5", 27.5)}


def test_a_table_may_have_its_records_in_columns():
    rows = "| | June | July |", "| Guests | 5,200 | 6,450 |", "| Linen (kg) | 3,796 | 4,515 |"
    assert refuted(table(*rows, "| Linen per guest (g) | 730 | 700 |")) == set()
    assert refuted(table(*rows, "| Linen per guest (g) | 730 | 750 |")) == {("750", 700)}


def test_a_work_that_the_text_states_is_divided_by_each_time():
    text = "Every loader moves the same 24 million rows.\n\n" + table(
        "| Loader | Time (s) | Rows per second |",
        "| heron | 48 | 500,000 |",
        "| plover | 75 | {} |",
        "| curlew | 64 | 375,000 |",
    )
    assert refuted(text.format("320,000")) == set()
    assert refuted(text.format("280,000")) == {("280,000", 320_000)}


def test_what_is_left_follows_from_the_row_before():
    rows = (
        "| Week | Came in | Went out | Left at night |", "| 31 | 8,240 | 7,910 | 1,130 |", "| 32 | 9,015 | 8,460 | 1,685 |",
        "| 33 | 7,330 | 8,105 | {} |", "| 34 | 8,020 | 7,795 | 1,135 |",
    )  # fmt: skip
    assert refuted(table(*rows).format("910")) == set()
    short = table(*rows[:4]).format("1,190")
    assert refuted("On the Sunday before, 800 crates were left.\n\n" + short) == {("1,190", 910)}


def test_a_stock_may_run_out():
    rows = (
        "| Day | Came in | Sold | Left |", "| 1 | 815 | 640 | 175 |", "| 2 | 742 | 917 | 0 |", "| 3 | 960 | 585 | 375 |",
        "| 4 | 688 | 731 | 332 |", "| 5 | 590 | 406 | {} |",
    )  # fmt: skip
    assert refuted(table(*rows).format("516")) == set()
    assert refuted(table(*rows).format("615")) == {("615", 516)}


def test_several_periods_of_an_amount_and_points_of_wins_and_draws():
    rent = table("| Flat | Per month | 12 months |", "| A | £845 | £10,140 |", "| B | £910 | £10,290 |")
    assert refuted(rent) == {("£10,290", 10_920)}
    points = table(
        "| Club | Won | Drawn | Points |", "| Ayr | 17 | 6 | 57 |", "| Esk | 14 | 9 | 51 |", "| Dee | 11 | 8 | 44 |"
    )
    assert refuted(points) == {("44", 41)}


def test_a_rate_of_the_total_is_that_of_its_sums_and_no_sum_of_rates():
    rows = (
        "| Branch | Loans | Hours | Loans per hour |", "| East | 91,800 | 2,550 | 36 |", "| West | 57,120 | 2,040 | 28 |",
        "| Hill | 24,480 | 1,530 | 16 |",
    )  # fmt: skip
    assert refuted(table(*rows, "| Total | 173,400 | 6,120 | 28.3 |")) == set()
    assert refuted(table(*rows, "| Total | 173,400 | 6,120 | 26.7 |")) == {("26.7", 28.333333)}


@pytest.mark.parametrize(
    "text",
    [
        table("| Plan | Seats | Per month | Yearly |", "| S | 5 | €40 | €400 |", "| M | 12 | €84 | €840 |",
              "| L | 30 | €180 | €1,700 |"),
        table("| Model | Layers | Width | Heads |", "| a | 24 | 2,048 | 16 |", "| b | 32 | 4,096 | 32 |",
              "| c | 40 | 5,120 | 40 |"),
        table("| | 2023 | 2024 | Change |", "| Costs | £5,250 | £4,410 | −£840 |", "| Fees | £7,000 | £7,900 | £900 |",
              "| Gifts | £1,300 | £1,150 | −£150 |"),
        table("| Team | Played | Won | Points |", "| A | 9 | 6 | 20 |", "| B | 9 | 5 | 16 |", "| C | 9 | 2 | 9 |"),
    ],
    ids=["two prices are no law", "sizes", "a minus sign", "no draws are stated"],
)  # fmt: skip
def test_columns_that_follow_no_law_refute_nothing(text):
    assert refuted(text) == set()


def test_a_cell_is_a_question_where_the_text_names_what_may_change_one_row():
    text = "On the long plan one month is free.\n\n" + table(
        "| Plan | Months | Fee (€) | Paid (€) |",
        "| Short | 4 | 55 | 220 |",
        "| Middle | 7 | 52 | 364 |",
        "| Long | 14 | 46 | 598 |",
    )
    (found,) = (one for one in MINER.mine(passage(text)) if one.verdict == "refuted")
    assert found.confidence < DOUBTFUL
    assert "the text says “free”" in found.note


def test_a_column_with_minus_signs_has_no_plain_sum():
    rows = ("| Office | Staff 2022 | Staff 2023 | Change |", "| Bern | 314 | 331 | +17 |", "| Genf | 168 | 161 | −7 |")
    assert refuted(table(*rows, "| Total | 482 | 492 | +10 |")) == set()
