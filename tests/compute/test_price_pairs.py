"""Pairs of prices and comparisons in invented prose: which figure of them is the price of what."""

import pytest

from api.services.mining_service import shipped
from compute.catalogs import genai_prices_catalog
from compute.mining.model_mentions import Lexicon
from tests.compute.test_mine_prices import mine


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        ("Acorn 4 is $8 in, $32 out. Birch 2.5 Pro sits lower, at $1 and {}.", "$8", "$9"),
        ("Acorn 4 ($8 in, $32 out) writes. The rest runs on Birch 2.5 Pro ({}, $8).", "$1", "$1.50"),
        ("Output from Acorn 4 costs four times what input does: $32 against {} a million.", "$8", "$9"),
        ("Acorn 4 is four times as dear as Birch 2.5 Pro ($8 vs. $1 for input, {} vs. $8 for output).", "$32", "$42"),
        ("With Acorn 4 you pay, for input, {} rather than $10 a million.", "$8", "$9"),
        ("Acorn 4 takes eight dollars for a million tokens of prompt, {} for cached ones.", "$2", "$3"),
        ("Birch 2.5 Pro wants {} for a million tokens of prompt.", "one dollar", "two dollars and a half"),
        ("Q: What does Acorn 4 cost?\nA: {} per million in, $32 out.", "$8", "$9.50"),
        ("acorn 4 = $8/{} per MTok", "$32", "$28"),
        ("Acorn 4 is {} per 1M input tokens, search fees not included.", "$8", "$9"),
        ("acorn-4\n  base input   $8 / MTok\n  cache write  {} / MTok (5 min)\n  cache hit    $2 / MTok", "$10", "$12"),
    ],
)
def test_a_price_beside_another_one_is_read(text, right, wrong):
    found = mine(text.format(right))
    assert {one.verdict for one in found} == {"holds"}
    assert "refuted" in [one.verdict for one in mine(text.format(wrong))]


def test_a_model_has_its_name_without_the_day_and_the_variant_that_the_catalogue_has():
    names = Lexicon(shipped().book([genai_prices_catalog.load()]))
    assert [one.item for one in names.mentions("Grok 4 beats Grok 4 Fast.")] == ["x-ai/grok-4", "x-ai/grok-4-fast"]


@pytest.mark.parametrize(
    "text",
    [
        "Acorn 4 is $8 in, $32 out. The mugs we sell to Birch 2.5 Pro fans are at $12 and $14 each.",
        "A newsletter that leaked Acorn 4 had it at $5 and $20 a million tokens.",
        "On the aggregator that we use, Acorn 4 goes for $9 in and $36 out, and OpenAI itself asks less.",
        "Moving from Acorn 4 to Birch 2.5 Pro: input $1 instead of $8, output $8 instead of $32.",
        "With Birch 2.5 Pro roast at $12 and $18 a kilo, the café undercuts Acorn 4, $8 in and $32 out per million.",
        "A broker sells Acorn 4 at $9 and $36 a million.",
        "Acorn 4.2 is $9 and $33 per million tokens, Acorn 4 is $8 and $32.",
    ],
)
def test_another_price_is_not_refuted(text):
    assert "refuted" not in [one.verdict for one in mine(text)]
