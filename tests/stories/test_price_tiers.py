"""Prices of different tiers do not conflict, and a tier is named wherever two prices stand side by side."""

from tests.stories.days import home_by_day  # noqa: F401  # the fixture `home`
from tests.stories.written import stated

CARDS = """prices:
  - {item: acme/zorn, component: input, value: 3.10 USD/Mtok, from: 2026-01-01, source: "https://acme.example/a", checked: 2026-11-20}
  - {item: acme/zorn, component: input, processing: batch, value: 1.60 USD/Mtok, from: 2026-01-01, source: "https://acme.example/a", checked: 2026-11-20}
"""
MAP = """{"zorn": {"litellm_provider": "acme", "input_cost_per_token": 3e-06, "input_cost_per_token_above_200k_tokens": 6e-06,
"input_cost_per_token_batches": 1.5e-06}}"""


def test_conflicts_name_the_tier_and_leave_out_prices_of_different_tiers(home):
    home.on("2026-12-01")
    home("ingest", home.write("acme.yaml", CARDS))
    home("prices", "import", home.write("map.json", MAP))
    found = home("prices", "conflicts")
    lines = [" ".join(line.split()) for line in found.out.splitlines()]
    assert "acme/zorn input 3.10 USD/Mtok (cards) 3.00 USD/Mtok (litellm) open" in lines
    assert "acme/zorn input, batch 1.60 USD/Mtok (cards) 1.50 USD/Mtok (litellm) open" in lines
    assert len(lines) == 3, "and the heads"
    stated(home, "long", 'price("acme/zorn", "input", context=300k)', "6 USD/Mtok", as_of="2026-12-01")
    assert home("explain", "long", "--json").json["verdict"] == "holds"


def test_lists_that_disagree_whether_there_is_a_tier_are_named_with_it(home):
    """genai-prices has one price for any length, the other list a tier: what a long request costs is not known."""
    home.on("2026-12-01")
    listed = MAP.replace("zorn", "claude-haiku-4-5").replace("acme", "anthropic").replace("3e-06", "1e-06")
    home("prices", "import", home.write("map.json", listed))
    lines = [" ".join(line.split()) for line in home("prices", "conflicts").out.splitlines()]
    told = "input, above 200,000 tokens 1.00 USD/Mtok without a tier (genai-prices) 6.00 USD/Mtok (litellm) open"
    assert f"anthropic/claude-haiku-4-5 {told}" in lines
    asked = 'price("anthropic/claude-haiku-4-5", "input", context=300k)'
    stated(home, "long", asked, "6 USD/Mtok", as_of="2026-12-01")
    found = home("explain", "long", "--json").json
    assert found["verdict"] == "conflicting"
    assert "(genai-prices, without a tier)" in found["reason"]
    assert "(litellm, above 200,000 tokens)" in found["reason"]
    assert "litellm says 6.00 USD/Mtok above 200,000 tokens" in found["inputs"][0]["note"]


def test_a_difference_of_two_snapshots_names_the_tier(home):
    home.on("2026-12-01")
    home("prices", "import", home.write("map.json", MAP))
    stated(home, "long", 'price("acme/zorn", "input")', "3 USD/Mtok", as_of="2026-12-01")
    home("verify")
    home.on("2026-12-02")
    home("prices", "import", home.write("map.json", MAP.replace("6e-06", "7e-06")))
    home("verify")
    told = home("prices", "diff", "1", "2").said
    assert told == "changed acme/zorn input standard, above 200,000 tokens 6.00 USD/Mtok → 7.00 USD/Mtok"
