"""Her numbers: units as people write them, exchange rates, names that nothing reads, and a claim for a colleague."""

import io
import re
import zipfile

import pytest

from compute.catalogs.catalog_download import download
from tests.stories.test_refreshed_catalogs import list_server  # noqa: F401  # the fixture `server`

NOTE = "---\ntitle: Costs\n---\n\nWhat the help app_context costs.\n"

PRICES = """
prices:
  - {item: aws/s3, component: storage, value: 0.023 USD/GB-month, from: 2025-01-01, SRC}
  - {item: app_context/seats, component: licence, value: 40 USD/seat/month, from: 2025-01-01, SRC}
  - {item: app_context/edp, component: discount, value: 10%, from: 2025-01-01, SRC}
  - {item: bot/answers, component: chat, value: $0.99 per conversation, from: 2025-01-01, SRC}
  - {item: bot/triage, component: run, value: 5 USD per 1k tickets, from: 2025-01-01, SRC}
  - {item: de/power, component: energy, value: 32.5 ct/kWh, from: 2025-01-01, SRC}
  - {item: de/wholesale, component: energy, value: 80 EUR/MWh, from: 2025-01-01, SRC}
  - {item: x/small, component: input, value: 2 USD per 1M tokens, from: 2025-01-01, SRC}
  - {item: x/node, component: on_demand, value: $98/instance/hr, from: 2025-01-01, SRC}
""".replace("SRC", 'source: "https://prices.example", checked: 2026-11-01')

UNITS = "units:\n  - name: ticket\n    also: [case]\n    plural: [tickets]\n"

CLAIMS = """claims:
  - {id: seats-after-discount, node: notes/costs, says: A seat costs 36 dollars a month., as_of: 2026-01-01,
     given: {seat_price: 'price("app_context/seats", "licence")', off: 'price("app_context/edp", "discount")'},
     value: seat_price * (1 - off), expect: {is: 36 USD/seat/month}}
  - {id: triage-of-a-month, node: notes/costs, says: Triage costs 60 dollars., as_of: 2026-01-01,
     value: 'price("bot/triage", "run") * 12_000 tickets', expect: {is: 60 USD}}
  - {id: power-margin, node: notes/costs, says: Four times., as_of: 2026-01-01,
     value: 'price("de/power", "energy") / price("de/wholesale", "energy")', expect: {times: 4.0625}}
"""


@pytest.fixture
def week(brain, write):
    files = [write("costs.md", NOTE), write("prices.yaml", PRICES), write("claims.yaml", CLAIMS)]
    done = brain("ingest", *files, write("units.yaml", UNITS))
    assert done.code == 0, done.err
    return done


def test_units_are_read_as_people_write_them(week, brain):
    assert "warning" not in week.err
    for item, text in (
        ("aws/s3", "0.023 USD/GB/month"), ("app_context/seats", "40.00 USD/seat/month"), ("app_context/edp", "10%"),
        ("bot/answers", "0.99 USD/conversation"), ("bot/triage", "5.00 USD/kticket"), ("de/power", "32.5 ct/kWh"),
        ("de/wholesale", "80.00 EUR/MWh"), ("x/small", "2.00 USD/Mtok"), ("x/node", "98.00 USD/instance/hr"),
    ):  # fmt: skip
        assert text in brain("prices", "show", item).out
    for claim in ("seats-after-discount", "triage-of-a-month", "power-margin"):
        assert brain("explain", claim, "--json").json["verdict"] == "holds"


def test_what_a_claim_prints_can_be_typed_back_until_its_unit_is_taken_out(week, brain):
    printed = next(one for one in brain("explain", "seats-after-discount").out.splitlines() if "  seat_price  " in one)
    figure = printed.rstrip().rpartition("  ")[2]
    assert figure == "40.00 USD/seat/month"
    again = brain("explain", "seats-after-discount", "--set", f"seat_price={figure}", "--json")
    assert again.code == 0, again.err
    assert again.json["verdict"] == "holds"
    assert brain("remove", "units.yaml").code == 0
    found = brain("explain", "triage-of-a-month", "--json").json
    assert found["verdict"] == "error"
    assert "ticket" in found["reason"]


def test_her_own_unit_is_known_to_the_next_command_and_to_the_service(week, brain, served, write):
    assert brain("explain", "triage-of-a-month", "--set", "price:bot/triage/run=4 USD per 1k tickets").code == 0
    with served() as client:
        found = client.get("/v1/claims/triage-of-a-month/evaluate", params={"price:bot/triage/run": "0.004 USD/case"})
        assert found.json()["value"] == 48
    wrong = write("wrong.yaml", "units:\n  - name: kWh\n  - name: two words\n  - name: lead\n    plural: [lead]\n")
    told = brain("ingest", wrong)
    assert told.code == 3
    for line in ("'kWh' is a unit already", "'two words' cannot be the name", "'lead' is named twice"):
        assert line in told.out + told.err


RATES = """Date,USD,JPY,GBP,XYZ,
2026-11-20,1.10,160.5,0.88,N/A,
2026-11-19,1.15,161,N/A,N/A,
2026-01-02,1.20,162,0.80,3,
"""

ABROAD = """
prices:
  - {item: us/power, component: energy, value: 0.11 USD/kWh, from: 2025-01-01, SRC}
  - {item: uk/power, component: energy, value: 0.22 GBP/kWh, from: 2025-01-01, SRC}
  - {item: de/wholesale, component: energy, value: 80 EUR/MWh, from: 2025-01-01, SRC}
""".replace("SRC", 'source: "https://prices.example", checked: 2026-11-01')

MIXED = """
claims:
  - {id: power-abroad, node: notes/costs, says: American power is a quarter dearer., as_of: 2026-01-05, value: abroad / here,
     given: {abroad: 'price("us/power", "energy")', here: 'price("de/wholesale", "energy")'}, expect: {at_most: 1.25}}
  - {id: power-of-three, node: notes/costs, says: In each of three countries., as_of: 2026-01-05,
     value: 'price("us/power", "energy") + price("de/wholesale", "energy") + price("uk/power", "energy")',
     expect: {at_most: 50 ct/kWh}}
  - {id: power-bill, node: notes/costs, says: 'A kilowatt for a month costs 80 dollars.', as_of: 2026-01-05,
     given: {abroad: 'price("us/power", "energy")'}, value: abroad * 730 h * 1 kW, expect: {is: 80 USD, within: 1%}}
"""

XML = """<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
<Cube><Cube time='2026-11-21'><Cube currency='USD' rate='1.0000'/><Cube currency='GBP' rate='0.5'/></Cube></Cube>
</gesmes:Envelope>"""


@pytest.fixture
def abroad(brain, write):
    files = [write("costs.md", NOTE), write("abroad.yaml", ABROAD), write("mixed.yaml", MIXED)]
    assert brain("ingest", *files).code == 0


def explained(brain, claim, *options):
    done = brain("explain", claim, "--as-of", "2026-11-20", *options, "--json")
    assert done.code == 0, done.err
    return done.json


def test_a_formula_that_mixes_currencies_needs_the_rate_of_the_day(abroad, brain, write):
    found = explained(brain, "power-abroad")
    assert found["verdict"] == "unverifiable"
    assert "fx/usd_per_eur" in found["reason"]
    assert "brain prices import eurofxref-hist.csv" in found["reason"]
    done = brain("prices", "import", write("eurofxref-hist.csv", RATES), "--json").json
    assert (done["catalog"], done["prices"]) == ("ecb", 8)
    assert "XYZ" in str(done["problems"])
    found = explained(brain, "power-abroad")
    assert (found["now"]["value"], found["then"]["value"]) == (1.25, pytest.approx(0.11 / 1.2 / 0.08))
    assert found["verdict"] == "holds"
    rate = next(one for one in found["inputs"] if one["name"] == "usd_per_eur")
    assert (rate["value"], rate["unit"], rate["valid_from"]) == (1.1, "USD/EUR", "2026-11-20")
    assert rate["source"].startswith("https://www.ecb.europa.eu/")
    three = explained(brain, "power-of-three")
    assert (three["value"], three["unit"]) == (10 + 8 + 25, "ct/kWh")
    ledger = {one["claim"]: one for one in brain("verify", "--as-of", "2026-11-20", "--json").json["claims"]}
    assert ledger["power-abroad"]["verdict"] == "holds"


def test_a_claim_is_shown_in_another_currency_by_every_interface(abroad, brain, write, served):
    brain("prices", "import", write("eurofxref-hist.csv", RATES))
    found = explained(brain, "power-bill", "--currency", "eur")
    assert (found["value"], found["unit"], found["verdict"]) == (pytest.approx(73), "EUR", "holds")
    assert found["then"]["value"] == pytest.approx(0.11 * 730 / 1.2)
    assert "usd_per_eur" in {step["name"] for step in found["steps"]}
    pounds = explained(brain, "power-bill", "--in", "GBP")
    assert pounds["value"] == pytest.approx(0.11 * 730 / 1.1 * 0.88)
    own = explained(brain, "power-bill", "--in", "EUR", "--set", "usd_per_eur=1.46")
    assert own["value"] == pytest.approx(55)
    with served() as client:
        day = {"as_of": "2026-11-20", "currency": "EUR"}
        assert client.get("/v1/claims/power-bill", params=day).json()["value"] == pytest.approx(73)
        told = client.get("/v1/claims/power-bill/evaluate", params={**day, "usd_per_eur": "1.46"})
        assert told.json()["value"] == pytest.approx(55)
        wrong = client.get("/v1/claims/power-bill", params={"currency": "EURO"})
        assert (wrong.status_code, wrong.json()["type"]) == (422, "/problems/invalid-currency")
        assert client.get("/v1/claims/power-abroad", params=day).status_code == 422
    assert brain("explain", "power-bill", "--in", "EURO").code == 2


def test_a_rate_too_old_is_not_known_and_a_file_of_one_day_adds_to_the_history(abroad, brain, write):
    brain("prices", "import", write("eurofxref-hist.csv", RATES))
    found = brain("explain", "power-bill", "--in", "EUR", "--as-of", "2026-12-24", "--json").json
    assert found["verdict"] == "unverifiable"
    assert "counts for at most 10 days" in found["reason"]
    between = brain("explain", "power-bill", "--in", "EUR", "--as-of", "2026-06-01", "--json").json
    assert between["verdict"] == "unverifiable"
    brain("prices", "import", write("eurofxref-hist.csv", RATES))
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("eurofxref.csv", "Date, USD, GBP, \n18 November 2026, 1.16, 0.9, \n")
    for name, data in (("eurofxref-daily.xml", XML), ("eurofxref.zip", archive.getvalue())):
        assert brain("prices", "import", write(name, data)).code == 0
    days = [one["valid_from"] for one in brain("prices", "show", "fx/usd_per_eur", "--json").json["items"]]
    assert days == ["2026-01-02", "2026-11-18", "2026-11-19", "2026-11-20", "2026-11-21"]
    broken = brain("prices", "import", write("eurofxref-hist.zip", archive.getvalue()[:60]))
    assert broken.code == 3


def test_an_assumption_replaces_a_rate_and_says_so(abroad, brain, write):
    text = "assumptions:\n  - {name: usd_per_eur, value: 1.1 USD/EUR, source: a round figure, checked: 2026-11-01}\n"
    assert brain("ingest", write("assumptions.yaml", text)).code == 0
    found = explained(brain, "power-bill", "--currency", "EUR")
    assert found["value"] == pytest.approx(73)
    assert next(one["kind"] for one in found["inputs"] if one["name"] == "usd_per_eur") == "assumption"


UNREAD = (
    (("explain", "power-bill", "--set", "usd_per_eur=1.2"), "reads usd_per_eur"),
    (("explain", "power-bill", "--set", "abrod=1.2"), "did you mean abroad?"),
    (("explain", "power-bill", "--set", "price:us/powr/energy=1"), "did you mean price:us/power/energy"),
    (("explain", "power-bill", "--set", "abrod=1.2"), "Inputs that can be set: "),
    (("verify", "--set", "abrod=1.2"), "did you mean abroad?"),
    (("verify", "--claim", "power-bil"), "near it: power-bill"),
    (("verify", "--run", "1", "--set", "abroad=1"), "--set does not go with --run"),
    (("impact", "us/powr"), "near it: us/power"),
    (("impact", "assume:pue"), "there is no price of assume:pue"),
    (("explain", "power-bill", "--in", "EURO"), "did you mean 'EUR'?"),
)


def test_a_name_that_nothing_reads_is_an_error_with_the_near_name(abroad, brain):
    for arguments, told in UNREAD:
        done = brain(*arguments)
        assert (done.code in {2, 3}, done.out) == (True, ""), arguments
        assert told in done.error, arguments


def test_a_parameter_that_nothing_reads_is_an_error_over_http(abroad, served):
    with served() as client:
        for address, near in (
            ("/v1/claims/power-bill/evaluate?nonsense=3", []),
            ("/v1/claims/power-bill/evaluate?abrod=3", ["abroad"]),
            ("/v1/claims/power-bill?abroad=3", None),
            ("/v1/claims/power-bill?as_off=2026-01-01", ["as_of"]),
            ("/v1/claims?verdct=stale", ["verdict"]),
            ("/v1/nodes?tga=x", ["tag"]),
            ("/v1/prices/us/power/impact?as-of=2026-01-01", ["as_of"]),
        ):
            answer = client.get(address)
            assert answer.status_code == 422, address
            assert near is None or answer.json().get("near", []) == near, address
        assert client.get("/claims/power-bill?nonsense=3").status_code in {404, 422}
        assert client.get("/v1/claims/power-bill/evaluate?abroad=0.2").status_code == 200


VMS = b"InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Price,SpotPrice,Region\n" + (
    b"p5,192,2048,H100,8,,98.32,30.1,us-east-1\n"
)


def test_a_catalogue_is_imported_from_an_address(brain, server):
    server.files = {"/hist.csv": RATES, "/aws/vms.csv": VMS, "/page": b"<html>no</html>"}
    server.moved = {"/moved": "/hist.csv"}
    assert brain("prices", "import", f"{server.address}/moved", "--json").json["catalog"] == "ecb"
    assert brain("prices", "import", f"{server.address}/aws/vms.csv", "--json").json["catalog"] == "skypilot"
    assert "98.32" in brain("prices", "show", "aws/p5").out
    wrong = brain("prices", "import", f"{server.address}/page")
    assert (wrong.code, "contains no prices" in wrong.err) == (3, True)


def test_an_address_that_misbehaves_is_refused_and_nothing_changes(brain, server, monkeypatch):
    server.moved = {
        "/endless": "/endless", "/file": "file:///etc/hostname", "/secret": "http://user:word@127.0.0.1/x",
    }  # fmt: skip
    server.files = {"/large": b"Date,USD,\n" + b"x" * 2000}
    monkeypatch.setitem(download.__kwdefaults__, "largest", 1000)
    for path, why in (
        ("/missing", "404"),
        ("/endless", "redirect"),
        ("/file", "is not allowed"),
        ("/secret", "password"),
        ("/large", "larger than 1000 bytes"),
    ):
        told = brain("prices", "import", server.address + path)
        assert (told.code, told.out) == (3, ""), path
        assert why in told.err, path
    assert brain("prices", "import", "http://127.0.0.1:1/x").code == 3
    assert "fx/usd_per_eur" not in brain("prices", "list").out


def test_a_family_that_means_itself_is_reported_as_a_cycle(brain, write):
    family = "families:\n  acme/{}: [{{from: 2024-01-01, model: acme/{}}}]\n"
    halves = [write(f"{one}.yaml", family.format(one, other)) for one, other in ("ab", "ba")]
    asked = 'value: \'price("acme/a", "input")\', expect: {is: 1 USD/Mtok}'
    claim = f"claims:\n  - {{id: c, node: notes/costs, says: x, as_of: 2026-01-01, {asked}}}\n"
    assert brain("ingest", *halves, write("c.yaml", claim), write("costs.md", NOTE)).code == 0
    told = "the family acme/a means acme/b, which means acme/a: a circle without a model"
    assert told in brain("explain", "c", "--json").json["reason"]
    assert told in brain("check").said


def test_what_was_mined_goes_in_as_it_is(brain, write):
    cut = "The fee went from $8.00 to $2.00, a 75% cut."
    other = "The seat went from $80 to $60, a 25% cut; the 'old' one: #1 went from $10 to $5, a 50% cut."
    texts = (f"{cut}\n\n## Again\n\n{cut} {other}", f"{cut}\n\n{other}", f"> {cut}\n\n- {cut}\n- {cut}")
    notes = [write(f"{number}.md", f"# Note {number}\n\n{text}\n") for number, text in enumerate(texts)]
    assert brain("ingest", *notes).code == 0
    mined = brain("mine", "--claims").out
    ids = re.findall(r"id: (\S+)", mined)
    assert len(ids) >= 5
    assert len(set(ids)) == len(ids)
    done = brain("ingest", write("claims.yaml", mined))
    assert done.code == 0, done.out
    assert len(brain("claims", "--json").json["items"]) == len(ids)
    assert brain("ingest", write("claims.yaml", brain("mine", "--claims").out)).code == 0


def test_a_claim_goes_to_a_colleague_as_one_file(abroad, brain, write, tmp_path):
    brain("prices", "import", write("eurofxref-hist.csv", RATES))
    tricky = MIXED.replace("A kilowatt for a month", "<script>alert(1)</script> A *kilowatt* | month")
    assert brain("ingest", write("mixed.yaml", tricky)).code == 0
    for day in ("2026-11-19", "2026-11-20"):
        brain("verify", "--as-of", day, "--append")
    asked = ("explain", "power-bill", "--as-of", "2026-11-20", "--in", "EUR")
    markdown = brain(*asked, "--format", "markdown").out
    for part in (
        "<script\\>alert(1)", "**holds**", "`power-bill`", "## Then and now", "## Working", "## Inputs", "## History",
        "Margin: ", "2026-11-20", "usd\\_per\\_eur", "<https://www.ecb.europa.eu/", "1.10 USD/EUR", "73.00 EUR",
    ):  # fmt: skip
        assert part.replace("<script\\>", "\\<script\\>") in markdown, part
    assert brain(*asked, "--format", "json").json == brain(*asked, "--json").json
