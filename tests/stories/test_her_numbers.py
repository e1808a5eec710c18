"""Her numbers: units as people write them, exchange rates, names that nothing reads, catalogues at an address, and a
claim that goes to a colleague."""

import pytest

NOTE = "---\ntitle: Costs\n---\n\nWhat the help desk costs.\n"

PRICES = """
prices:
  - {item: aws/s3, component: storage, value: 0.023 USD/GB-month, from: 2025-01-01, SRC}
  - {item: desk/seats, component: licence, value: 40 USD/seat/month, from: 2025-01-01, SRC}
  - {item: desk/edp, component: discount, value: 10%, from: 2025-01-01, SRC}
  - {item: bot/answers, component: chat, value: $0.99 per conversation, from: 2025-01-01, SRC}
  - {item: bot/triage, component: run, value: 5 USD per 1k tickets, from: 2025-01-01, SRC}
  - {item: de/power, component: energy, value: 32.5 ct/kWh, from: 2025-01-01, SRC}
  - {item: de/wholesale, component: energy, value: 80 EUR/MWh, from: 2025-01-01, SRC}
  - {item: x/small, component: input, value: 2 USD per 1M tokens, from: 2025-01-01, SRC}
  - {item: x/node, component: on_demand, value: $98/instance/hr, from: 2025-01-01, SRC}
""".replace("SRC", 'source: "https://prices.example", checked: 2026-11-01')

UNITS = "units:\n  - name: ticket\n    also: [case]\n    plural: [tickets]\n"

CLAIMS = """
claims:
  - id: seats-after-discount
    node: notes/costs
    says: A seat costs 36 dollars a month after the discount.
    as_of: 2026-01-01
    given:
      seat_price: price("desk/seats", "licence")
      off: price("desk/edp", "discount")
    value: seat_price * (1 - off)
    expect: {is: 36 USD/seat/month}
  - id: triage-of-a-month
    node: notes/costs
    says: Triage of twelve thousand tickets costs 60 dollars.
    as_of: 2026-01-01
    value: price("bot/triage", "run") * 12_000 tickets
    expect: {is: 60 USD}
  - id: power-margin
    node: notes/costs
    says: Retail power costs four times as much as wholesale power.
    as_of: 2026-01-01
    value: price("de/power", "energy") / price("de/wholesale", "energy")
    expect: {times: 4.0625}
"""


@pytest.fixture
def week(brain, write):
    """Her vault, read in with her own unit in the same command."""
    files = [write("costs.md", NOTE), write("prices.yaml", PRICES), write("claims.yaml", CLAIMS)]
    done = brain("ingest", *files, write("units.yaml", UNITS))
    assert done.code == 0, done.err
    return done


def test_units_are_read_as_people_write_them(week, brain):
    assert "warning" not in week.err
    shown = {
        "aws/s3": "0.023 USD/GB/month",
        "desk/seats": "40.00 USD/seat/month",
        "desk/edp": "10%",
        "bot/answers": "0.99 USD/conversation",
        "bot/triage": "5.00 USD/kticket",
        "de/power": "32.5 ct/kWh",
        "de/wholesale": "80.00 EUR/MWh",
        "x/small": "2.00 USD/Mtok",
        "x/node": "98.00 USD/instance/hr",
    }
    for item, text in shown.items():
        assert text in brain("prices", "show", item).out
    for claim in ("seats-after-discount", "triage-of-a-month", "power-margin"):
        assert brain("explain", claim, "--json").json["verdict"] == "holds"


def test_what_a_claim_prints_can_be_typed_back(week, brain):
    printed = next(one for one in brain("explain", "seats-after-discount").out.splitlines() if "  seat_price  " in one)
    figure = printed.rstrip().rpartition("  ")[2]
    assert figure == "40.00 USD/seat/month"
    again = brain("explain", "seats-after-discount", "--set", f"seat_price={figure}", "--json")
    assert again.code == 0, again.err
    assert again.json["verdict"] == "holds"


def test_her_own_unit_is_known_to_the_next_command_and_to_the_service(week, brain, served, write):
    assert brain("explain", "triage-of-a-month", "--set", "price:bot/triage/run=4 USD per 1k tickets").code == 0
    with served() as client:
        found = client.get("/v1/claims/triage-of-a-month/evaluate", params={"price:bot/triage/run": "0.004 USD/case"})
        assert found.json()["value"] == 48
    wrong = write("wrong.yaml", "units:\n  - name: kWh\n  - name: two words\n  - name: lead\n    plural: [lead]\n")
    told = brain("ingest", wrong)
    assert told.code != 0
    for line in ("'kWh' is a unit already", "'two words' cannot be the name", "'lead' is named twice"):
        assert line in told.err


def test_a_claim_in_a_unit_that_was_taken_out_says_so(week, brain):
    assert brain("remove", "units.yaml").code == 0
    found = brain("explain", "triage-of-a-month", "--json").json
    assert found["verdict"] == "error"
    assert "ticket" in found["reason"]
