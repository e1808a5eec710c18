"""The right figure of another relation, where the words next to it name the one that is meant."""

import pytest

from tests.bench.bench_mining import verdicts

PAIRS = [
    ("Three probes of 3.1, 4.4 and 6.3 mg/l give a mean lead level of {} mg/l.", "4.6", "13.8"),
    ("I had 240 g of oats in the tin and needed 650 g for the batch, so I bought another {} g.", "410", "890"),
    ("The basin held 900 litres at dawn and 540 at dusk, having lost {} of its water.", "40%", "60%"),
    ("The parish shrank from 5,000 souls to 3,500, a loss of {}.", "30%", "70%"),
    ("Now 3,500 people live where 5,000 had lived before, just {} of the old number.", "70%", "30%"),
    ("The sofa was marked down by 20% from $900, to {}.", "$720", "$180"),
    ("The bill of £240 went down by a quarter, to {}.", "£180", "£60"),
    ("Of the 6,000 trees, 35% were lost, and {} remained.", "3,900", "2,100"),
    ("Morning sales of 320 loaves and evening sales of 140 add up to {} loaves sold.", "460", "640"),
    ("At an error rate of 2.0%, the 1,500 forms sent this year will have had {} mistakes.", "30", "75"),
    ("Stops:\n- tyre 7 h\n- fuel 2 h\n- check 9 h\nMean time to repair: {} h", "6", "18"),
    ("380 g of flour for four people comes to {} g a person.", "95", "76"),
]
"""A text, its figure, and the usual mistake."""


@pytest.mark.parametrize(("text", "right"), [(text, right) for text, right, _ in PAIRS])
def test_what_the_words_name_is_not_accused(tool, text, right):
    assert "refuted" not in verdicts(tool, text.format(right))


@pytest.mark.parametrize(("text", "wrong"), [(text, wrong) for text, _, wrong in PAIRS])
def test_the_right_figure_of_another_relation_is_accused(tool, text, wrong):
    assert "refuted" in verdicts(tool, text.format(wrong))


FAIR = [
    "They averaged 12 points over three games of 9, 11 and 16, and 36 in all.",
    "The two shifts, 8 and 9 hours, mean 17 hours a day for the guard.",
    "Average revenue per user is $50 a month and gross margin is 80%, so each user leaves us $40.",
    "The 20% fee on $150 comes to $30.",
    "The herd fell from 50 to 20, 40% of the old number.",
    "The deposit is £52,500 on a house of £350,000: that's 15% down.",
]


@pytest.mark.parametrize("text", FAIR)
def test_words_that_name_something_else_accuse_nothing(tool, text):
    assert "refuted" not in verdicts(tool, text)
