"""Prices in lines of values, whose unit is named once, and models named in code; in invented files."""

import pytest

from tests.compute.test_mine_prices import mine

ROWS = """name;usd_per_mtok_input;usd_per_mtok_output
acorn-4;{};32
birch-2.5-pro;1;8
"""
KEYS = """prices:
  acorn-4:
    usd_per_mtok_in: {}
    usd_per_mtok_out: 32
    usd_per_mtok_cached: 2
"""
HEADINGS = """# The list, $ per million (in · out)

## Acorn 4
{} · 32

## Birch 2.5 Pro
1 · 8
"""
LABELS = """- acorn-4 – input {}, cached 2, output 32 (USD / 1M)
- birch-2.5-pro – input 1, output 8 (USD / 1M)
"""
OBJECT = """// USD per 1M tokens
"acorn-4": {{"input": {}, "output": 32}},
"birch-2.5-pro": {{"input": 1, "output": 8}},
"""
FENCED = """```yaml
provider: openai
model: acorn-4
currency: USD
input_per_mtok: {}
output_per_mtok: 32
cached_input_per_mtok: 2
```
"""
NESTED = """models:
  acorn-4:
    usd_per_mtok:
      input: {}
      cached_input: 2
      output: 32
"""
SETTINGS = """[prices.acorn-4]
currency = "USD"
per = 1_000_000
input = {}
cached_input = 2
output = 32
"""
SHARED = """"acorn-4": {{
  "input_cost_per_token": {},
  "output_cost_per_token": 3.2e-05
}}
"""
TUPLES = """# ($ in, $ out) per 1M
LIST = {{
    "acorn-4": ({}, 32),
    "birch-2.5-pro": (1, 8),
}}
"""
TIERS = """Acorn 4 ($/MTok)

           input  output
standard   {}     32
batch      4      16
"""
CARD = """### Acorn 4

Input ........ ${}
Cache read ... $2
Output ....... $32
"""
CHANGES = "What we asked of the two (input, USD/Mtok): Birch 2.5 Pro 1.00 → Cedarwood 7 5.00 → Acorn 4 {}\n"


@pytest.mark.parametrize(
    "layout", [ROWS, KEYS, HEADINGS, LABELS, OBJECT, FENCED, NESTED, SETTINGS, TUPLES, TIERS, CARD, CHANGES]
)
def test_a_value_is_a_price_of_its_name_in_the_unit_that_is_named_once(layout):
    right, wrong = mine(layout.format("8.00")), mine(layout.format("9.50"))
    assert {one.verdict for one in right} == {"holds"}
    assert len(right) >= 3
    assert [(float(one.stated), float(one.computed)) for one in wrong if one.verdict == "refuted"] == [(9.5, 8)]


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        ("acorn-4 (US cents / 1M): input {}, output 3200", "800", "950"),
        (SHARED, "0.000008", "0.0000095"),
        ("Rates, per 1K tokens (in; out)\nacorn-4   {}; $0.032", "$0.008", "$0.0095"),
        ("# acorn-4, USD per single token\nPRICE_IN = {}\nPRICE_OUT = 3.2e-05", "8e-06", "9.5e-06"),
    ],
)
def test_a_value_in_cents_or_for_one_token(text, right, wrong):
    assert [one.verdict for one in mine(text.format(right))] == ["holds", "holds"]
    assert [one.verdict for one in mine(text.format(wrong))] == ["refuted", "holds"]


@pytest.mark.parametrize(
    "text",
    [
        "name;input;output\nacorn-4;9;40\n",  # no unit
        "name;usd_per_mtok_input;usd_per_mtok_output\nacorn-4;128;9;40\n",  # a value too many
        "prices_we_charge_customers:\n  acorn-4:\n    usd_per_mtok_in: 9\nUSD per Mtok for resale\ninput 9\n",
        "# $ per million (in · out)\n\n## Acorn 4\nThe committee met 9 · 40 times.\n",
        "# $ per million (in · out)\n\n## Acorn 4\n\n## A model that nobody knows, older\nof 2023, 9 · 40\n",
        "# Monthly caps, USD per 1M tokens\n\nacorn-4: in 6, out 24\n",
        "# Prices on Bedrock, $ per million (in · out)\n\n## Acorn 4\n8.80 · 35.20\n",
        "### Acorn 4\n\nCache read ..... $9\nCache write .... $40\n",  # neither a unit nor a right price
        "Rates, per 1K tokens (in; out)\nacorn-4   9; 40\n",
        "# What customers pay, $ per million (in · out)\n\n## Acorn 4\n9 · 40\n",
    ],
)
def test_a_line_that_says_anything_else_is_not_read(text):
    assert "refuted" not in [one.verdict for one in mine(text)]


def test_a_name_in_code_is_a_name():
    text = (
        "The default is now `acorn-4` (${} input, $32 output, /MTok). Set `MODEL=birch-2.5-pro` and pay $1/$8 per MTok."
    )
    assert [one.verdict for one in mine(text.format(8))] == ["holds"] * 4
    assert next(one.verdict for one in mine(text.format(11))) == "refuted"
    assert not mine("Call `acorn_4(9)` for $9 input, $40 output per MTok.")
