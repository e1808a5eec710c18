"""Which price a figure is, beside another one: after a change, a tier, a sibling, a unit that says nothing else."""

import pytest

from tests.compute.test_mine_prices import figures


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        ("We move Acorn 4 to batches. There output falls from $32 to {}.", "$16", "$19"),
        ("Acorn 4 is $8 in and $32 out. If you can wait a day, the same job in a batch costs $4 and {}.", "$16", "$21"),
        (
            "[03:15] ANA: What was it, Acorn 4?\n[03:18] BEN: Eight dollars in, {} dollars out.",
            "thirty-two",
            "forty-two",
        ),
        ("Birch 2.5 Pro writes at $8 per million output tokens; Acorn 4 lists at {}.", "$32", "$37"),
        ("A million tokens of reply, by price:\n1. Birch 2.5 Pro, $8\n2. Acorn 4, {}\n", "$32", "$37"),
        ("ANA: What does output cost on Acorn 4?\nBEN: {} per million.", "$32", "$37"),
        ("Acorn 4 bills a hit at {} instead of $8 per million tokens.", "$2", "$3"),
    ],
)
def test_a_price_is_compared_in_its_own_clause(text, right, wrong):
    assert not figures(text.format(right), "refuted")
    assert len(figures(text.format(wrong), "refuted")) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Acorn 4, in the style of old lists: $0.008 per 1K tokens in, $0.032 per 1K out.",
        "Branches are recharged for Acorn 4 at $10.40/$41.60, that is cost plus 30%.",
        "A third-party shop serves us Acorn 4 at $7.10 in and $29 out.",
        "An alarm rings when Acorn 4 passes $50 per million requests.",
        "Tuning Acorn 4 costs $25 per million training tokens.",
        "How much input does $40 buy on Acorn 4? $8 per million buys five million tokens.",
        "Price for a case that is solved:\n1. Birch 2.5 Pro, $2.70\n2. Acorn 4, $5.20\n",
        "In batches Acorn 4 falls from $8 to $4 in; with a rebate of our own on top, from $4 to $3.70.",
        "Per million tokens Birch 2.5 Pro is cheap. At that mix Acorn 4 costs $13.",
        "Acorn 4 is $40 per million pages in our shop.",
        "Acorn 4 works out at $11 per million, with what we cache.",
    ],
)
def test_a_price_of_something_else_is_not_one_of_tokens(text):
    assert not figures(text, "refuted")
