"""Past statements of catalogues are stored: a price edited in place never makes a claim that was once true count as never true."""

import copy
import json
from decimal import Decimal

import pytest
from genai_prices.data_snapshot import get_snapshot

from compute.catalogs import catalog_files, genai_prices_catalog
from compute.catalogs.catalog_download import Download, Validators
from tests.stories.days import home_by_day  # noqa: F401  # the fixture `home`
from tests.stories.test_refreshed_catalogs import set_lists
from tests.stories.written import RENT, card, spaced
from tests.stories.written import stated as claimed

MAP = '{{"zorn": {{"litellm_provider": "acme", "input_cost_per_token": {value}e-06}}, "gift": {{"litellm_provider": "acme", "output_cost_per_token": 7e-06}}}}'
VMS = "InstanceType,AcceleratorName,AcceleratorCount,Price,SpotPrice,Region\nbig.8,H100,8,{value},,north\n"


def stated(home, name, value, expect, **rest):
    claimed(home, name, value, expect, **rest)
    home(
        "ingest", home.write("prices.md", "---\ntitle: Prices\n---\nIt costs $1, $2, $3, $4 or $5.\n"), "--brain", "ada"
    )


def explained(home, name, *options):
    return home("explain", name, *options, "--json").json


def listed(home, value, name="zorn"):
    home("prices", "import", home.write("map.json", MAP.format(value=value).replace("zorn", name)))


def verdicts(home):
    return {one["id"]: one["verdict"] for one in home("claims", "--json").json["items"]}


@pytest.fixture
def upstream(monkeypatch):
    """The list that genai-prices publishes of one provider, in which one undated price can be edited."""
    anthropic = copy.deepcopy(next(one for one in get_snapshot().providers if one.id == "anthropic"))

    def edit(value):
        next(one for one in anthropic.models if one.id == "claude-sonnet-5-5").prices.input_mtok = Decimal(value)

    set_lists(monkeypatch, "", genai_prices="data.json")
    monkeypatch.setattr(catalog_files, "download", lambda *_, **__: Download(b"[]", Validators()))
    monkeypatch.setattr(genai_prices_catalog, "providers_of", lambda _: [anthropic])
    return edit


def test_an_undated_price_that_upstream_edits_in_place_makes_a_claim_stale_and_accuses_nobody(home, upstream):
    home.on("2026-11-10")
    stated(home, "sonnet", 'price("anthropic/claude-sonnet-5-5", "input")', "2 USD/Mtok")
    stated(home, "cheaper", 'price("anthropic/claude-sonnet-5-5", "input")', "1 USD/Mtok")
    first = home("verify", "--json").json
    assert {one["claim"]: one["verdict"] for one in first["claims"]} == {"sonnet": "holds", "cheaper": "unverifiable"}

    home.on("2026-11-15")
    upstream("3")
    assert home("prices", "refresh").code == 0
    found = explained(home, "sonnet")
    assert found["verdict"] == "stale"
    assert found["then"] == {"as_of": "2026-11-10", "value": 2, "holds": True, "dated": True}
    reason = "it was 2.00 USD/Mtok in the snapshot of 2026-11-10 and 3.00 USD/Mtok in that of 2026-11-15"
    assert reason in " ".join(found["reason"].split())
    assert explained(home, "cheaper")["verdict"] == "refuted"
    assert explained(home, "sonnet", "--as-of", "2026-11-12")["verdict"] == "holds"

    second = home("verify", "--json").json
    assert {one["claim"]: one["verdict"] for one in second["claims"]} == {"sonnet": "stale", "cheaper": "refuted"}
    assert home("verify", "--run", "1", "--json").json["same"] is True
    assert home("verify", "--run", "2", "--json").json["same"] is True


def test_a_card_that_is_edited_in_place_warns_its_author_and_keeps_what_runs_saw(home):
    home.on("2026-11-10")
    card(home, ("2", "2025-01-01"), checked="2026-11-10")
    stated(home, "on-the-day", RENT, "2 USD/GPU/h")
    stated(home, "of-last-year", RENT, "2 USD/GPU/h", as_of="2025-06-01")
    stated(home, "never", RENT, "1 USD/GPU/h")
    home("verify")

    home.on("2026-11-15")
    edited = card(home, ("3", "2025-01-01"), checked="2026-11-15")
    assert "was 2.00 USD/GPU/h from 2025-01-01 on and is now 3.00 USD/GPU/h from the same day" in spaced(edited)
    assert "acme.yaml:2: warning" in spaced(edited)
    home("verify")
    found = verdicts(home)
    assert found == {"on-the-day": "stale", "of-last-year": "stale", "never": "refuted"}
    reason = "it was 2.00 USD/GPU/h in the snapshot of 2026-11-10 and 3.00 USD/GPU/h in that of 2026-11-15"
    for name in ("on-the-day", "of-last-year"):
        assert reason in explained(home, name)["reason"]
    home.on("2026-11-16")
    home("verify")
    assert verdicts(home) == found
    with home.brain() as brain:
        runs = brain.ledger.runs()
        assert runs[0].snapshot == runs[1].snapshot != runs[2].snapshot
    for run in (1, 2, 3):
        assert home("verify", "--run", run, "--json").json["same"] is True


def test_a_card_that_is_ended_and_followed_by_another_dates_the_change_itself(home):
    home.on("2026-11-10")
    card(home, ("2", "2025-01-01"), checked="2026-11-10")
    stated(home, "before", RENT, "2 USD/GPU/h", as_of="2026-11-11")
    stated(home, "after", RENT, "2 USD/GPU/h", as_of="2026-11-13")
    home("verify")
    home.on("2026-11-15")
    edited = card(home, ("2", "2025-01-01, to: 2026-11-12"), ("3", "2026-11-12"), checked="2026-11-15")
    assert "same day" not in spaced(edited)
    home("verify")
    assert verdicts(home) == {"before": "stale", "after": "refuted"}
    shown = home("prices", "show", "acme/h100", "--json").json["items"]
    spans = [(one["value"], one["valid_from"], one["valid_to"]) for one in shown]
    assert spans == [(2, "2025-01-01", "2026-11-12"), (3, "2026-11-12", None)]


@pytest.mark.parametrize(
    ("name", "text", "item", "component", "unit", "factor"),
    [
        ("map.json", MAP, "acme/zorn", "input", "USD/Mtok", 1),
        ("vms.csv", VMS, "skypilot/h100", "on_demand", "USD/GPU/h", 8),
    ],
)
def test_an_imported_list_keeps_what_it_said_before(home, name, text, item, component, unit, factor):
    home.on("2026-11-10")
    home("prices", "import", home.write(name, text.format(value=2 * factor)))
    asked = f'price("{item}", "{component}")'
    stated(home, "first", asked, f"2 {unit}")
    stated(home, "wrong", asked, f"1 {unit}")
    home.on("2026-11-12")
    home("prices", "import", home.write(name, text.format(value=2 * factor)))
    assert explained(home, "first")["then"]["value"] == 2
    home.on("2026-11-15")
    home("prices", "import", home.write(name, text.format(value=3 * factor)))
    found = explained(home, "first")
    assert (found["verdict"], found["then"]["value"]) == ("stale", 2)
    assert f"it was 2.00 {unit} in the snapshot of 2026-11-12 and 3.00 {unit} in that of 2026-11-15" in found["reason"]
    assert explained(home, "wrong")["verdict"] != "holds"
    shown = home("prices", "show", item, "--json").json["items"]
    spans = [(one["value"], one["valid_from"], one["valid_to"]) for one in shown if one["component"] == component]
    assert spans == [(2, "2026-11-10", "2026-11-15"), (3, "2026-11-15", None)]
    with home.web() as web:
        history = web.get(f"/v1/prices/{item}/history").json()["items"]
        assert {one["last_seen"] for one in history if one["value"] == 2} == {"2026-11-12"}
        for day, value in (("2026-11-10", 2), ("2026-11-14", 2), ("2026-11-15", 3)):
            found = web.get("/v1/prices", params={"item": item, "as_of": day}).json()["items"]
            assert {one["value"] for one in found if one["component"] == component} == {value}
        answer = web.get(f"/charts/prices/{item}.svg?chart={component}/standard")
        assert answer.status_code == 200, answer.text


def test_a_snapshot_never_makes_an_unknown_day_an_accusation(home):
    listed(home.on("2026-11-10"), 2)
    stated(home, "early", 'price("acme/zorn", "input")', "5 USD/Mtok", as_of="2026-11-11")
    listed(home.on("2026-11-15"), 3)
    assert explained(home, "early")["verdict"] == "stale"
    assert "cannot be known" in explained(home, "early")["reason"]


def test_a_difference_of_two_imports_lists_what_changed_and_nothing_else(home):
    home.on("2026-11-10")
    stated(home, "first", 'price("acme/zorn", "input")', "2 USD/Mtok")
    listed(home, 2)
    home("verify")
    listed(home.on("2026-11-15"), 3)
    home("verify")
    found = home("prices", "diff", "1", "2", "--json").json["items"]
    assert [(one["kind"], one["before"]["value"], one["after"]["value"]) for one in found] == [("changed", 2, 3)]


def test_a_card_that_is_corrected_in_place_tells_of_no_change_of_the_price(home):
    home.on("2026-12-01")
    card(home, ("9", "2026-01-01"))
    stated(home, "rent", RENT, "5 USD/GPU/h", as_of="2026-11-20")
    home("verify")
    home.on("2026-12-10")
    card(home, ("5", "2026-01-01"))
    night = home("verify", "--json").json
    assert [one["verdict"] for one in night["claims"]] == ["holds"]
    assert [(one["claim"], one["cause"]) for one in night["turned"]] == [("rent", None)], "no price moved"
    assert explained(home, "rent", "--as-of", "2026-12-05")["verdict"] == "holds"
    shown = home("prices", "show", "acme/h100", "--json").json["items"]
    assert [(one["value"], one["valid_from"], one["valid_to"]) for one in shown] == [(5, "2026-01-01", None)]
    record = home("record", "--json").json
    assert (record["broken"], record["groups"][0]["true_when_written"]) == ([], 1)
    with home.brain() as brain:
        assert [row.verdict for row in brain.ledger.rows(1)] == ["refuted"], "what a run said stays"
    for run in (1, 2):
        assert home("verify", "--run", run, "--json").json["same"] is True


def test_a_claim_that_a_correction_makes_wrong_is_excused_and_did_not_break(home):
    home.on("2026-12-02")
    card(home, ("3", "2026-01-01"))
    stated(home, "rent", RENT, "3 USD/GPU/h", as_of="2026-11-20")
    home("verify")
    home.on("2026-12-05")
    ended, later = "2026-01-01, to: 2027-01-15", ("2", "2027-01-15")
    card(home, ("3", ended), later, checked="2026-12-05")
    home.on("2026-12-20")
    card(home, ("3.20", ended), later, checked="2026-12-05")
    assert "was corrected from 3.00 to 3.20 USD/GPU/h (it was 3.00" in explained(home, "rent")["reason"]

    home.on("2027-04-10")
    found = explained(home, "rent")
    assert found["verdict"] == "stale"
    seen = "(it was 3.00 USD/GPU/h in the snapshot of 2026-12-02 and is 2.00 USD/GPU/h from 2027-01-15 on)"
    assert f"went from 3.00 to 2.00 USD/GPU/h {seen}" in found["reason"]
    record = home("record", "--json").json
    assert (record["broken"], record["groups"][0]["unknown_when_written"]) == ([], 1)
    with home.web() as web:
        life = web.get("/v1/claims/rent").json()["life"]
        assert ([one["state"] for one in life["spans"]], life["turns"], life["excused"]) == (["failed"], [], True)


def test_an_imported_price_that_is_missing_for_a_night_and_comes_back_is_one_price(home):
    listed(home.on("2027-01-01"), 2)
    stated(home, "zorn", 'price("acme/zorn", "input")', "2 USD/Mtok", as_of="2027-01-10")
    home("verify")
    listed(home.on("2027-01-10"), 2)
    home("verify")
    listed(home.on("2027-02-01"), 2, "other")
    night = home("verify", "--json").json
    assert [one["verdict"] for one in night["claims"]] == ["unverifiable"]

    listed(home.on("2027-02-02"), 2)
    home("verify")
    for day in ("2027-01-01", "2027-01-10", "2027-02-01"):
        assert explained(home, "zorn", "--as-of", day)["verdict"] == "holds"
    assert explained(home, "zorn", "--as-of", "2027-02-01")["inputs"][0]["valid_from"] == "2027-01-01"
    assert home("record", "--json").json["groups"][0]["alive"]

    listed(home.on("2027-02-10"), 20)
    home("prices", "accept", "litellm")
    record = home("record", "--json").json
    assert [(one["claim"], one["day"]) for one in record["broken"]] == [("zorn", "2027-02-10")]


def test_an_imported_price_that_returns_to_an_earlier_amount_keeps_both_changes_and_counts_on_the_same_day(home):
    for day, value in (("2027-01-01", 2), ("2027-01-05", 3), ("2027-01-09", 2)):
        listed(home.on(day), value)
    shown = home("prices", "show", "acme/zorn", "--json").json["items"]
    spans = [(one["value"], one["valid_from"]) for one in shown if one["component"] == "input"]
    assert spans == [(2, "2027-01-01"), (3, "2027-01-05"), (2, "2027-01-09")]
    for value in (3, 2):
        listed(home, value)
    again = home("prices", "show", "acme/zorn", "--json").json["items"]
    assert [one["value"] for one in again if one["valid_to"] is None and one["component"] == "input"] == [2]


def test_a_price_that_ends_is_reported_under_prices_and_not_as_another_source(home):
    home.on("2026-12-02")
    card(home, ("2", "2026-01-01, to: 2026-12-03"))
    stated(home, "rent", RENT, "2 USD/GPU/h", as_of="2026-11-20")
    home("verify")
    home.on("2026-12-03")
    prices, audit = spaced(home("verify")).split("Audit of sources")
    assert "holds → unverifiable rent" in prices
    assert "is missing: no catalogue has a price" in prices
    assert "Nothing changed" not in prices
    assert "another source answers" not in audit


def test_a_claim_that_could_not_be_checked_is_listed_where_the_report_points_to(home):
    listed(home.on("2027-02-10"), 2)
    stated(home, "zorn", 'price("acme/zorn", "input")', "2 USD/Mtok", as_of="2027-02-10")
    home("verify")
    listed(home.on("2027-02-11"), 3)
    home("verify")
    listed(home.on("2027-02-12"), 3, "other")
    assert "1 unverifiable (brain claims --verdict unverifiable)" in spaced(home("verify"))
    for verdict in ("unverifiable", "stale"):
        assert "stale zorn" in spaced(home("claims", "--verdict", verdict))
        assert "not checked again" in spaced(home("claims", "--verdict", verdict))
    assert home("claims", "--verdict", "holds", "--json").json["items"] == []


def test_a_price_of_a_past_day_is_not_nearest_to_turning(home):
    home.on("2026-12-05")
    card(home, ("2.50", "2026-01-01"), checked="2026-12-05")
    then = 'price("acme/h100", "on_demand", on=2026-02-01)'
    given = f"as_of: 2026-12-05, given: {{then: '{then}'}}, value: '{RENT}', expect: {{at_most: then}}"
    text = f"claims:\n  - {{id: rose, node: ada/prices, says: It did not rise., {given}}}\n"
    assert home("ingest", home.write("rose.claims.yaml", text), "--format", "claims").code == 0
    home("verify")
    near = home("verify", "--json").json["near"]
    assert [(one["claim"], one["input"]) for one in near] == [("rose", RENT)]


# A corrected price card is called a correction wherever a price that moved is called so.


PRICE, RECORD = "2026-01-01", "2026-01-01, since: record"


@pytest.fixture(params=[PRICE, RECORD], ids=["price", "record"])
def corrected(request, home):
    """The analyst finds that she wrote 2 where her source has 2.40, under the same first day."""
    home.on("2026-12-01")
    card(home, ("2", request.param))
    for name in ("rent", "bill", "fee"):
        stated(home, name, RENT, "2 USD/GPU/h", as_of="2026-11-20")
    stated(home, "right", RENT, "2.40 USD/GPU/h", as_of="2026-12-01")
    home("verify")
    home.on("2026-12-10")
    assert "a correction, which counts for all its days" in spaced(card(home, ("2.40", request.param)))
    return home


def test_a_correction_is_called_so_in_reports_pages_feeds_and_notices_and_no_price_moved(corrected):
    night = corrected("verify")
    assert "holds → stale rent" in spaced(night)
    assert spaced(night).count("a price was corrected") == 4, "once for each claim, also for the one that holds now"
    assert "was corrected from 2.00 to 2.40 USD/GPU/h" in spaced(night)
    assert "a price moved" not in spaced(night)
    assert " went from " not in spaced(night)
    turned = corrected("verify", "--run", "2", "--json").json
    assert turned["same"] is True
    assert {one["cause"] for one in corrected("changes", "--json").json["items"][0]["changes"]} == {None}
    assert corrected("explain", "rent", "--json").json["cause"] is None
    found = corrected("prices", "diff", "1", "2", "--json").json["items"]
    assert [(one["kind"], one["before"]["value"], one["after"]["value"]) for one in found] == [("corrected", 2, 2.4)]
    assert "corrected acme/h100 on_demand" in spaced(corrected("prices", "diff", "1", "2"))
    shown = corrected("prices", "show", "acme/h100", "--json").json["items"]
    assert [(one["value"], one["valid_from"]) for one in shown] == [(2.4, "2026-01-01")], "it counts for all its days"
    with corrected.web() as web:
        texts = {page: web.get(page).text for page in ("/", "/changes", "/claims/rent", "/feed.atom", "/record")}
        texts["price"] = web.get("/prices/acme/h100").text
    assert "was corrected from 2.00 to 2.40" in texts["/"]
    assert "A price was corrected" in texts["/claims/rent"]
    assert [page for page, text in texts.items() if "rice moved" in text or " went from " in text] == []
    with corrected.brain() as brain:
        (notice,) = [one for one in brain.store.notices.latest() if one.kind == "claims.raised"]
    assert json.loads(notice.body)["data"]["cause"] == "acme/h100 on_demand corrected from 2 to 2.40 USD/GPU/h"


def test_a_price_that_moved_and_was_corrected_later_is_told_by_what_happened_tonight(home):
    home.on("2026-12-01")
    old = ("2", "2025-01-01, to: 2026-01-01")
    card(home, old, ("2", "2026-01-01"))
    stated(home, "rent", RENT, "2 USD/GPU/h", as_of="2025-06-01")
    home("verify")
    home.on("2026-12-10")
    card(home, old, ("2.40", "2026-01-01"))
    (turned,) = home("verify", "--json").json["turned"]
    assert (turned["cause"], turned["corrected"]) == (None, True)
    assert "went from 2.00 to 2.40 USD/GPU/h" in home("explain", "rent", "--json").json["reason"], "since its own day"


# Prices of different tiers do not conflict, and a tier is named wherever two prices stand side by side.


TIERS = """prices:
  - {item: acme/zorn, component: input, value: 3.10 USD/Mtok, from: 2026-01-01, source: "https://acme.example/a", checked: 2026-11-20}
  - {item: acme/zorn, component: input, processing: batch, value: 1.60 USD/Mtok, from: 2026-01-01, source: "https://acme.example/a", checked: 2026-11-20}
"""
TIERED = """{"zorn": {"litellm_provider": "acme", "input_cost_per_token": 3e-06, "input_cost_per_token_above_200k_tokens": 6e-06,
"input_cost_per_token_batches": 1.5e-06}}"""


def test_prices_of_different_tiers_do_not_conflict(home):
    home.on("2026-12-01")
    home("ingest", home.write("acme.yaml", TIERS))
    home("prices", "import", home.write("map.json", TIERED))
    lines = [" ".join(line.split()) for line in home("prices", "show", "acme/zorn").out.splitlines()]
    for told in (
        "input 3.10 USD/Mtok 2026-01-01 … cards [1]",
        "input, batch 1.50 USD/Mtok 2026-12-01 (record) … litellm –",
    ):
        assert told in lines, "what each catalogue says"
    stated(home, "long", 'price("acme/zorn", "input", context=300k)', "6 USD/Mtok", as_of="2026-12-01")
    assert home("explain", "long", "--json").json["verdict"] == "holds"


def test_lists_that_disagree_whether_there_is_a_tier_are_named_with_it(home):
    """genai-prices has one price for any length, the other list a tier: what a long request costs is not known."""
    home.on("2026-12-01")
    tiered = TIERED.replace("zorn", "claude-haiku-4-5").replace("acme", "anthropic").replace("3e-06", "1e-06")
    home("prices", "import", home.write("map.json", tiered))
    asked = 'price("anthropic/claude-haiku-4-5", "input", context=300k)'
    stated(home, "long", asked, "6 USD/Mtok", as_of="2026-12-01")
    found = home("explain", "long", "--json").json
    assert found["verdict"] == "conflicting"
    assert "(genai-prices, without a tier)" in found["reason"]
    assert "(litellm, above 200,000 tokens)" in found["reason"]
    assert "litellm says 6.00 USD/Mtok above 200,000 tokens" in found["inputs"][0]["note"]


def test_a_difference_of_two_snapshots_names_the_tier(home):
    home.on("2026-12-01")
    home("prices", "import", home.write("map.json", TIERED))
    stated(home, "long", 'price("acme/zorn", "input")', "3 USD/Mtok", as_of="2026-12-01")
    home("verify")
    home.on("2026-12-02")
    home("prices", "import", home.write("map.json", TIERED.replace("6e-06", "7e-06")))
    home("verify")
    told = home("prices", "diff", "1", "2").said
    assert told == "changed acme/zorn input standard, above 200,000 tokens 6.00 USD/Mtok → 7.00 USD/Mtok"
