"""Amounts that were spent, which look like prices per token and are none."""

import pytest

from compute.mining.price_amounts import is_of_many
from tests.compute.test_mine_prices import mine


@pytest.mark.parametrize(
    "text",
    [
        "On Acorn 4 we spent $640 for input tokens and $1,100 for output tokens in October.",
        "Acorn 4 charged $18 for input and $9 for output on Tuesday.",
        "On Acorn 4 it takes $18 for input and $9 for output, $27 in all.",
        "Acorn 4 is $8 per million input tokens. Last year's archive takes $640 for input.",
        "| model | input, per Mtok | 1,000 Mtok in and 100 Mtok out |\n|---|--:|--:|\n| Acorn 4 | $8 | $11,200 |",
        "| model | 10,000 tokens in | 1,000 tokens out |\n|---|--:|--:|\n| Acorn 4 | $0.08 | $0.032 |",
        "What we spent:\n\n| model | input | output | total |\n|---|--:|--:|--:|\n| Acorn 4 | $18 | $9 | $27 |",
    ],
)
def test_an_amount_that_was_spent_is_no_price_per_token(text):
    assert {one.verdict for one in mine(text)} <= {"holds"}


@pytest.mark.parametrize(
    "head", ["1,000 Mtok in and 100 Mtok out", "10,000 tokens in", "20M in + 3M out", "500k tokens"]
)
def test_the_head_of_a_column_may_say_how_many_tokens_its_amounts_are_for(head):
    assert is_of_many(head)


@pytest.mark.parametrize(
    "head", ["Input ($/1M tokens)", "1,000 tokens out", "per 1,000 tokens in", "input up to 200k tokens", "128K context",
             "output, > 200K tokens", "1M tokens in", "200K+ input"],
)  # fmt: skip  # one list
def test_a_unit_and_a_limit_are_no_number_of_tokens(head):
    assert not is_of_many(head)


def test_a_wrong_price_with_its_unit_is_still_refuted():
    assert "refuted" in [one.verdict for one in mine("Acorn 4 costs $9 for input and $32 for output.")]
    table = "| model | input, per Mtok | output, per Mtok |\n|---|--:|--:|\n| Acorn 4 | $8,000 | $32 |"
    assert "refuted" in [one.verdict for one in mine(table)]
