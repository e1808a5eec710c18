"""A claim and a price card as an analyst writes them."""

CLAIM = """claims:
  - id: {id}
    node: ada/prices
    says: {says}
    as_of: {as_of}
    value: {value}
    expect: {{is: {expect}}}
"""
CARD = """prices:
  - item: acme/h100
    component: on_demand
    value: {value} USD/GPU/h
    from: {begin}
    source: https://acme.example/prices
    checked: {checked}
"""


def stated(home, name, value, expect, as_of="2026-11-10", says="It costs what it costs."):
    text = CLAIM.format(id=name, says=says, as_of=as_of, value=value, expect=expect)
    assert home("ingest", home.write(f"{name}.claims.yaml", text), "--format", "claims").code == 0
