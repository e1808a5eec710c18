"""What is no working of a list price: the version of a model, and the prices of others."""

from dataclasses import replace
from datetime import date

import pytest

from compute.mining.figure_reader import figures
from tests.bench.bench_mining import passage, price_miner

MINER = price_miner()
DAY = date(2026, 11, 20)


def told(text):
    """The kind and the verdict of each figure of a text."""
    return {(text[one.figure_start : one.figure_end].split()[0], one.kind, one.verdict)
            for one in MINER.mine(replace(passage(text), on=DAY))}  # fmt: skip  # one line more is no help


@pytest.mark.parametrize(
    "text",
    ["It is cheap. Gemini 2.5 Pro is slow.", "So be it. Sonnet 4.5 writes.", "Well: Claude Opus 4.5 reads.",
     "It ends. DeepSeek V3 runs.", "Go. Qwen 2.5 runs."],
)  # fmt: skip
def test_the_version_of_a_model_is_no_figure_at_the_start_of_a_sentence_either(text):
    assert figures(text) == ()


def test_things_after_the_name_of_a_model_are_figures():
    assert [one.text for one in figures("Sonnet wrote 4.5 pages. Gemini used 2.5 of them.")] == ["4.5", "2.5"]


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("GPT-4o costs $2.50 per million input tokens. Gemini 2.5 Pro costs $1 per million input tokens.", "$1"),
        ("Claude Opus 4.5 costs $6 per million input tokens.\n\nGemini 2.5 Pro costs $10 per million output tokens, "
         "and Sonnet 4.5 costs $16 per million output tokens.", "$16"),
        ("- At Anthropic Claude Sonnet 4.5 takes $3 per million input tokens and $15 for a million output tokens.\n"
         "- GPT-4o takes $2.50 per million input tokens and $12 for a million output tokens.\n", "$12"),
        ("- A: $2.50 per million input tokens.\n- B: $1 per million input tokens.\n- C: $6 per million input tokens.\n"
         "- D: $10 per million output tokens.\n", "$10"),
    ],
)  # fmt: skip
def test_a_wrong_list_price_is_not_certified_by_the_prices_of_others(text, figure):
    assert not [one for one in told(text) if one[0] == figure and one[1:] == ("arithmetic", "holds")]


def test_a_price_beside_the_one_that_it_is_a_part_of_is_still_computed():
    found = told("Claude Sonnet 4.5 costs $3 per million input tokens. It was $4 before; a cut of 25%.")
    assert ("25%", "arithmetic", "holds") in found


def verdicts(text, figure):
    return [one.verdict for one in MINER.mine(replace(passage(text), on=DAY))
            if text[one.figure_start : one.figure_end].startswith(figure) and one.kind == "price"]  # fmt: skip  # as above


def test_the_true_price_of_a_model_of_another_bullet_does_not_hide_a_wrong_one():
    """Opus at $15, which is what Sonnet's output costs one bullet above, was not mentioned at all."""
    bullets = ("- At Anthropic Claude Sonnet 4.5 takes $3 per million input tokens and $15 for a million output tokens.\n"
               "- Claude Opus 4.5 costs {} per million input tokens.\n")  # fmt: skip  # as above
    assert verdicts(bullets.format("$14"), "$14") == verdicts(bullets.format("$15.0"), "$15.0") == ["refuted"]


def test_a_price_without_its_model_may_still_be_that_of_the_model_above():
    text = "Claude Sonnet 4.5 writes at $15 per million tokens, Opus 4.5 at more. In Opus 4.5 we trust, at $15."
    assert "refuted" not in verdicts(text, "$15")


def workings(text):
    return {text[one.figure_start : one.figure_end]: (one.verdict, one.expression, [each.text for each in one.inputs])
            for one in MINER.mine(replace(passage(text), on=DAY))}  # fmt: skip  # as above


def test_a_multiple_is_that_of_the_prices_of_its_own_sentence():
    """Output is four times input: of GPT-4o, not the 3.75 of Sonnet's long prompts that stood two bullets above."""
    text = ("- At Anthropic Claude Sonnet 4.5 takes $3 per million input tokens and $15 for a million output tokens.\n"
            "- Above 200,000 tokens Claude Sonnet 4.5 costs $6 for input and $22.50 for output.\n"
            "- GPT-4o is $2.50 in and $10 out, so output is four times input.\n")  # fmt: skip  # as above
    assert workings(text)["four times"] == ("holds", "output / input", ["$2.50", "$10"])


def test_an_hour_long_write_is_no_price_of_input():
    text = ("Claude Sonnet 4.5 costs $3 per million input tokens.\n"
            "A cache write of Claude Sonnet 4.5 costs $3.75; an hour-long one costs $6, twice the input price.")  # fmt: skip  # as above
    assert workings(text)["$6"][:2] == ("holds", 'price("anthropic/claude-sonnet-4-5", "cache_write_1h")')


def test_a_multiple_of_a_list_price_that_the_sentence_does_not_state_is_not_refuted():
    text = "A cache write of Claude Sonnet 4.5 costs $3.75; an hour-long one costs $6, twice the input price."
    assert "refuted" not in {one[0] for one in workings(text).values()}
