"""On which day a stated price is compared, and which prices are known for that day."""

from dataclasses import replace
from datetime import date

import pytest

from compute.mining.miner import Miner
from compute.mining.mining_models import DOUBTFUL
from compute.prices.price_book import CatalogBook
from tests.bench.bench_mining import passage
from tests.compute.mining_books import DAY, NEW, OLD, flat, price

BOOK = CatalogBook.of(
    [
        *flat("mistral/cedarwood-7", "10", "40", **OLD),
        *flat("mistral/cedarwood-7", "2", "8", **NEW),
        price("mistral/cedarwood-7", "cache_read", "0.5"),
        *flat("openai/acorn-4", "8", "32", valid_from=date(2024, 1, 1)),
        *flat("mistral/dogwood-9", "20", "80"),
        price("openai/acorn-4", "cache_read", "2", valid_from=date(2024, 1, 1)),
    ]
)


def mine(text, on=None):
    return Miner(BOOK, DAY).mine(replace(passage(text), on=on))


def told(text, figure, on=None):
    """The verdicts on a figure of a text."""
    start = text.index(figure)
    return {one.verdict for one in mine(text, on) if one.figure_start <= start < one.figure_end}


@pytest.mark.parametrize("on", [date(2025, 5, 1), date(2024, 3, 1)])
def test_a_ratio_is_not_refuted_by_a_price_that_is_not_known_for_the_day(on):
    """Today's price of the cache divided by the price of input of last year: 95% off, which it never was."""
    text = "A cached token of Cedarwood 7 is 75% cheaper than an input token."
    (one,) = mine(text, on)
    assert one.verdict == "needs-assumption"
    assert "cache read: the catalogue does not know since when" in one.note


def test_a_ratio_of_dated_prices_is_refuted():
    assert told("A cached token of Acorn 4 is 60% cheaper than an input token.", "60%", date(2025, 5, 1)) == {"refuted"}


ITEM = "- A cached token of Cedarwood 7 is 75% cheaper than an input token.\n"


@pytest.mark.parametrize(
    ("text", "figure", "on", "verdicts"),
    [
        ("- Acorn 4 was $8 per million input tokens in May 2025.\n- Cedarwood 7 costs $2 per million input tokens.\n",
         "$2", DAY, {"holds"}),
        ("- Acorn 4 was $8 per million input tokens in May 2025.\n- Cedarwood 7 costs $10 per million input tokens.\n",
         "$10", DAY, {"refuted"}),
        ("- Acorn 4 was $8 per million input tokens in May 2025.\n" + ITEM, "75%", DAY, {"holds"}),
        ("- Acorn 4 was $8 per million input tokens in May 2025.\n" + ITEM, "75%", None, {"holds"}),
        ("In May 2025:\n- Acorn 4 is $8 per million input tokens.\n"
         "- Cedarwood 7 costs $10 per million input tokens.\n", "$10", DAY, {"holds"}),
        ("- In May 2025\n  - Acorn 4 is $8 per million input tokens.\n"
         "  - Cedarwood 7 costs $10 per million input tokens.\n", "$10", DAY, {"holds"}),
        ("In May 2025 we chose Cedarwood 7. It is listed at $10 per million input tokens.", "$10", DAY, {"holds"}),
        ("In May 2025 we chose Cedarwood 7. It is listed at $2 per million input tokens.", "$2", DAY, {"holds"}),
        ("In May 2025 we chose Cedarwood 7. It is listed at $7 per million input tokens.", "$7", DAY,
         {"needs-assumption"}),
        ("In May 2025 we chose Acorn 4. Output of it costs 4 times as much as input.", "4 times", DAY, {"holds"}),
        ("In May 2025 we chose Acorn 4. A cached token of Acorn 4 is 60% cheaper than an input token.", "60%", DAY,
         {"refuted"}),
    ],
)  # fmt: skip  # one text in one line is more readable
def test_the_day_of_another_item_is_not_that_of_a_price(text, figure, on, verdicts):
    """A memo of today recalls in one bullet what a model cost in May; the next bullets speak of today."""
    assert told(text, figure, on) == verdicts


def test_a_ratio_that_is_wrong_on_the_day_of_an_earlier_sentence_as_well_is_a_question():
    text = "In May 2025 we chose Acorn 4. A cached token of Acorn 4 is 60% cheaper than an input token."
    assert [one.confidence < DOUBTFUL for one in mine(text, DAY)] == [True]


def test_list_prices_of_two_models_without_a_known_change_make_a_question():
    (one,) = mine("Acorn 4 is 20% cheaper than Dogwood 9 on input.", date(2025, 5, 1))
    assert (one.verdict, one.confidence < DOUBTFUL) == ("refuted", True)
