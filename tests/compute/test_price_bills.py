"""What tokens cost on a model, in invented prose: whose tokens an amount is for, and when it is refuted."""

import pytest

from tests.compute.test_mine_prices import figures


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        (
            "The desk sends 40 million tokens a month and gets 6 million back. On Acorn 4 that comes to {}.",
            "$512",
            "$670",
        ),
        ("A night is 3M tokens in and 1M out. Acorn 4: {}. Birch 2.5 Pro: $11.", "$56", "$65"),
        ("A night of 3M tokens in and 1M out on Acorn 4 costs $56. In batch mode it would be {}.", "$28", "$34"),
        ("July, Acorn 4: 3M prompt tokens × $8 = $24; 1M completion tokens × $32 = $32; total {}.", "$56", "$66"),
        ("One reply of 50,000 tokens from Acorn 4? {}.", "$1.60", "$2.60"),
        ("For 2,000 tokens of prompt and 500 of reply, Acorn 4 takes {}.", "3.2 cents", "4.2 cents"),
        ("Each of the 200 clerks uses 1M input and 100K output tokens. On Acorn 4 that makes {}.", "$2,240", "$2,840"),
        ("The loop sent 10M input tokens to Acorn 4. Direct cost {} at list, and nobody noticed.", "$80", "$95"),
        ("A night is 3M tokens in and 1M out on Acorn 4. That's $56, or {} if we send it as a batch.", "$28", "$37"),
        ("A task on Acorn 4: 2M input ($16) + 1M cache reads ($2) + 1M output ($32) = {}.", "$50", "$59"),
        ("LOG, Acorn 4: 2M input tokens, $16; 1M output tokens, {}; total $48", "$32", "$39"),
        ("A billion tokens of (short) prompts: Acorn 4 {}, Birch 2.5 Pro $1,000.", "$8,000", "$9,500"),
        ("Acorn 4 in July: 2M tokens in at {} and 1M out at $32.", "$8", "$9"),
    ],
)
def test_an_amount_is_compared_with_the_tokens_before_it(text, right, wrong):
    assert right in figures(text.format(right), "holds")
    assert wrong in figures(text.format(wrong), "refuted")
    assert not figures(text.format(right), "refuted")


def test_what_one_direction_costs_is_no_bill_for_both():
    assert figures("10,000 tickets (500 input / 200 output each) cost $64 on Acorn 4.", "refuted") == ["$64"]
    text = "10,000 tickets (500 input / 200 output each) cost $104 on Acorn 4, of which writing is $64."
    assert figures(text, "holds") == ["$104", "$64"]


@pytest.mark.parametrize(
    "text",
    [
        "A year of Acorn 4 costs 4 cents a form. With 200 tokens in and 25 out for each, a thousand forms take $2.40.",
        "3M tokens in and 1M out on Acorn 4 make $24 for reading plus $32 for writing.",
        "3M tokens in and 1M out on Acorn 4: $24 + $32 = $56",
        "A 10,000-token call costs an eightieth of a dollar on Acorn 4.",
        "Once a request passes 200K tokens of prompt, Birch 2.5 Pro is billed at $2 and $12.",
        "For a prompt of 400K tokens Birch 2.5 Pro takes $0.80.",
        "Reading 12M tokens a day is cheap on Acorn 4. Of the rest we spent $700 last week.",
        "30 days of 20M input tokens on Acorn 4 make $4,800.",
        "Acorn 4 read 3M tokens and wrote 1M for us: $56, of which we were refunded $20.",
        "We estimated 3M tokens in and 1M out on Acorn 4. It cost $61.",
        "Reading 2M tokens with Acorn 4 costs $16. Writing them costs $64. Together $80.",
        "Two runs of 3M input tokens on Acorn 4 cost $48.",
        "In 2025 we sent 10M input tokens to Fir 33 and paid $40. Now the same 10M cost $20.",
        "We sent 10M tokens in to Acorn 4 on Monday. That makes $410 since then.",
        "3M tokens in and 1M out, on Acorn 4. That's $28 for each of the two shifts.",
        "10M input tokens of Acorn 4 a day. That's $29,200 a year, or a clerk.",
        "1M in ($8), 1M out ($32) on Acorn 4, a map ($3): $43.",
        "10M input tokens on Acorn 4 cost $80. A smaller model would do it for $9.",
        "A map look-up adds three cents to a reply, while 1k in and 1k out of Acorn 4 are 4 cents.",
        "A reply costs three cents for the map before 1k in and 1k out of Acorn 4 add 4 cents.",
        "At $9 and $40 per million tokens, 3M in and 1M out cost $67 on Acorn 4.",
        "The dealer asks $9 and $40 per million tokens. A night of 3M tokens in and 1M out costs $67 on Acorn 4.",
    ],
)
def test_a_part_a_rate_or_another_count_is_no_wrong_bill(text):
    assert not figures(text, "refuted")


@pytest.mark.parametrize(
    "text",
    [
        "Cedarwood 7, at $5 and $15, is 1.7 times as dear as Dogwood 9, at $3 and $9.",
        "Our dealer passes Acorn 4 on at $7.20 in and $28.80 out, ten per cent under the list.",
        "A newsletter had guessed $4/$20 for Acorn 4.",
        "The judge is Acorn 4, the pupil Birch 2.5 Pro 8 dollars a million written.",
        "The slow edition of Acorn 4 is $6 in and $24 out per million tokens.",
        "Acorn 4 nano costs $1 in and $2 out per million tokens.",
    ],
)
def test_what_list_prices_explain_and_what_is_a_guess_is_not_refuted(text):
    assert not figures(text, "refuted")
