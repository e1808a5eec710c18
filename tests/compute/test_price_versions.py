"""Short names of models in texts that have named the version: Claude Haiku 4.5 is ours. Haiku costs $1."""

from dataclasses import replace

import pytest

from tests.bench.bench_mining import DAY, passage, price_miner


@pytest.fixture(scope="module")
def tool():
    return price_miner()


def told(tool, text):
    """The verdicts on prices, each with the models that it is about."""
    found = [one for one in tool.mine(replace(passage(text), on=DAY)) if one.kind == "price"]
    return [(text[one.figure_start : one.figure_end], one.verdict, one.expression) for one in found]


@pytest.mark.parametrize(
    ("text", "model", "figures"),
    [
        ("We run on Claude Haiku 4.5. Haiku costs $1 per million input tokens.", "claude-haiku-4-5", 1),
        ("Our tests use Claude Sonnet 4.5. A million output tokens of Sonnet cost $15, and with batch $7.50.",
         "claude-sonnet-4-5", 2),
        ("Claude Haiku 4.5 sorts, GPT-4o answers. Haiku is 60% cheaper than GPT-4o.", "claude-haiku-4-5", 1),
        ("## Claude Haiku 4.5\n\nHaiku costs $1 per million input tokens.", "claude-haiku-4-5", 1),
        ("Claude Haiku 4.5 is ours.\n\nWe like Haiku. It costs $1 per million input tokens.", "claude-haiku-4-5", 1),
        ("Prices of Claude Haiku 4.5:\n\n| model | input, per Mtok | output, per Mtok |\n|---|--:|--:|\n| Haiku | $1 | $5 |",
         "claude-haiku-4-5", 2),
        ("Claude Opus 4 was dear. Claude Opus 4.5 is not. Opus costs $5 per million input tokens.", "claude-opus-4-5", 1),
    ],
)  # fmt: skip  # one text on a line
def test_a_short_name_is_the_version_that_the_text_has_named(tool, text, model, figures):
    """Right prices of Haiku 4.5 were called stale, because the newest Haiku costs a tenth."""
    found = told(tool, text)
    assert len(found) == figures
    assert all(verdict == "holds" and model in expression for _, verdict, expression in found)


def test_a_short_name_may_still_mean_the_latest_model(tool):
    text = "Claude Haiku 4.5 was ours. Haiku costs $0.10 per million input tokens today."
    assert [(figure, verdict) for figure, verdict, _ in told(tool, text)] == [
        ("$0.10 per million input tokens", "holds")
    ]


def test_a_price_that_neither_the_version_nor_the_latest_model_has_is_refuted(tool):
    text = "We run on Claude Haiku 4.5. Haiku costs $3 per million input tokens."
    assert [verdict for _, verdict, _ in told(tool, text)] == ["refuted"]
