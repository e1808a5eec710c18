"""Figures that follow exactly, though the words hardly say so, and numbers that only seem to.

On texts of a new hand many true figures were passed over, though a relation gave them to the last digit: its words were
unusual, and only the words had counted, as in the first text below. The others held before, and the small numbers did not:
both must stay so.
"""

import pytest

from tests.bench.bench_mining import miner, passage

MINER = miner()


def told(text):
    return [
        (text[one.figure_start : one.figure_end], one.verdict, {each.text for each in one.inputs})
        for one in MINER.mine(passage(text))
    ]


@pytest.mark.parametrize(
    ("text", "figure", "inputs"),
    [
        (
            "Net of the £18.75 voucher I spent £131.25 on that lamp, which had cost £150 new in May.",
            "£150",
            {"£18.75", "£131.25"},
        ),
        (
            "Less the £18.75 voucher she had from her aunt, the coat, £150.00 in the window, left her with £131.25 to find.",
            "£131.25",
            {"£150.00", "£18.75"},
        ),
        (
            "Warrants for 8,214,500 acres were issued in spring, others for 5,120,350 in autumn; the whole, 13,334,850, "
            "has been settled.",
            "13,334,850",
            {"8,214,500", "5,120,350"},
        ),
        (
            "The firm had assets of $29,300 in 1905 and $1,318,500 in 1950, 4,400% more.",
            "4,400%",
            {"$29,300", "$1,318,500"},
        ),
    ],
)
def test_a_precise_figure_that_follows_exactly_holds_whatever_the_words(text, figure, inputs):
    assert told(text) == [(figure, "holds", inputs)]


@pytest.mark.parametrize(
    "text",
    [
        "The act of 1846 was followed by those of 1845 and 1847.",
        "Supported devices are eb1a:2860, eb1a:2861, eb1a:2862 and eb1a:2863.",
        "They were four, and two of them, both from Ulm, walked home; the two had met in May.",
        "Figure 404: the 404 show, number 1,310, is the best of the 1,310 shows.",
        "Page: 1 2 3 4 5 Next. 18 comments in total.",
    ],
)
def test_years_codes_small_numbers_and_repeated_ones_do_not_hold_by_chance(text):
    assert told(text) == []


def test_a_relation_of_the_same_figures_is_told_once():
    """The price followed from the total and the number as exactly as the total from the price."""
    text = "A crate of lemons is £14.20 at the dock. For 35 crates the stall paid £497.00."
    assert told(text) == [("£497.00", "holds", {"£14.20", "35"})]


@pytest.mark.parametrize(
    ("price", "tokens", "cost"),
    [("$8 per million output tokens", "prompt", "$0.40"), ("$2 per million input tokens", "answer", "$0.10")],
)
def test_a_prompt_is_not_paid_at_the_price_of_output(price, tokens, cost):
    """With the price of the other direction a wrong cost of a request held."""
    other = {"prompt": "$2 per million input tokens", "answer": "$8 per million output tokens"}[tokens]
    found = told(f"The model asks {other}, and {price}. A 50K {tokens} costs {cost}.")
    assert "holds" not in {verdict for _, verdict, _ in found}


def test_a_prompt_costs_what_its_input_costs_where_prices_are_listed():
    """Only its direction tells the output price apart here: without it these held."""
    for prices, request in (
        ("It asks $2 per million input tokens, $8 per million output tokens.", "A 25K prompt costs $0.20."),
        ("Our model costs $1 per million input tokens, $4 per million output tokens.", "A 60K prompt costs $0.24."),
    ):
        assert "holds" not in {verdict for _, verdict, _ in told(f"{prices} {request}")}


@pytest.mark.parametrize(("power", "verdict"), [("292 W", "holds"), ("432 W", "refuted")])
def test_energy_by_time_is_power(power, verdict):
    found = told(f"A run took 730 kJ and lasted 2,500 s, so the mean power was {power}.")
    assert [(figure, said) for figure, said, _ in found] == [(power, verdict)]
