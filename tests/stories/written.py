CLAIM = """claims:
  - {{id: {id}, node: ada/prices, says: {says}, as_of: {as_of}, value: '{value}', expect: {{is: {expect}}}}}
"""
PRICE = (
    "  - {{item: acme/h100, component: on_demand, value: {value} USD/GPU/h, from: {begin}, "
    "source: 'https://acme.example/prices', checked: {checked}}}\n"
)


RENT = 'price("acme/h100", "on_demand")'


def stated(home, name, value, expect, as_of="2026-11-10", says="It costs what it costs."):
    text = CLAIM.format(id=name, says=says, as_of=as_of, value=value, expect=expect)
    assert home("ingest", home.write(f"{name}.claims.yaml", text), "--format", "claims").code == 0


def spaced(outcome):
    return " ".join((outcome.out + outcome.err).split())


def card(home, *steps, checked="2026-11-20"):
    """Write the card of a rent with its prices, each with its first day; gives what the ingest said."""
    prices = "".join(PRICE.format(value=value, begin=begin, checked=checked) for value, begin in steps)
    return home("ingest", home.write("acme.yaml", f"prices:\n{prices}"))


def risen(home, day, as_of):
    """Write a rent that rose from $2 to $3 on a day, a note, and a claim from `as_of` on that it is $2."""
    card(home, ("2", f"2025-01-01, to: {day}"), ("3", day), checked="2026-11-10")
    home("ingest", home.write("prices.md", "---\ntitle: Prices\n---\nRents rise.\n"), "--brain", "ada")
    stated(home, "rent", RENT, "2 USD/GPU/h", as_of=as_of)
    return home
