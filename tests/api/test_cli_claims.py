"""Claims on the command line: the two figures that the brain was started for, and the ledger under them."""

import re
from datetime import date, timedelta

import pytest

from api.brain import Brain
from api.settings import Settings
from graph.models.claim_models import VerdictName
from graph.store.claim_tables import ClaimTables
from graph.store.store_errors import UnknownClaimError
from tests.command import written
from tests.conftest import NOW, TODAY
from tests.stories.gpu_home import CLAIM, NOTE
from tests.web_client import web_client

SONNET = "sonnet-cached-batch-discount"
OWNED = "h100-break-even-at-the-markets-rent"


def verdict(brain, home, claim, *more):
    return brain("explain", claim, "--as-of", "2026-11-21", *more, "--json", home=home).json


def test_the_family_claim_is_stale_and_says_by_which_prices_and_the_pinned_one_holds(brain, shipped_home):
    found = verdict(brain, shipped_home, SONNET)
    assert found["verdict"] == "stale"
    assert (found["then"]["value"], found["then"]["holds"]) == (95, True)
    assert (found["now"]["value"], found["now"]["holds"]) == (97.5, False)
    assert {one["name"]: one["value"] for one in found["inputs"]} == {"list": 2, "cached": 0.05}
    assert "claude-3-5-sonnet" in found["reason"]
    assert "claude-sonnet-5-5" in found["reason"]
    assert all(one["catalog"] == "genai-prices" and one["source"] for one in found["inputs"])
    found = verdict(brain, shipped_home, "sonnet-3-5-cached-batch-discount")
    assert (found["verdict"], found["value"]) == ("holds", 95)
    cached = next(one for one in found["inputs"] if one["name"] == "cached")
    assert cached["catalog"] == "cards"
    assert cached["source"].startswith("https://")


def test_break_even_shows_its_working_and_the_value_at_which_the_verdict_changes(brain, shipped_home):
    found = verdict(brain, shipped_home, OWNED)
    assert round(found["value"], 1) == 38.1
    steps = {step["name"]: step for step in found["steps"]}
    assert steps["owned"]["unit"] == "USD/GPU"
    assert round(steps["owned"]["value"]) == 39935
    assert {one["kind"] for one in found["inputs"]} == {"price", "assumption"}
    rate = next(flip for flip in found["flips"] if flip["input"] == "rate")
    assert rate["unit"] == "USD/GPU/h"
    just_below, just_above = (f"rate={rate['at'] + d:.4f}" for d in (-0.001, 0.001))
    assert verdict(brain, shipped_home, OWNED, "--set", just_above)["verdict"] == "depends"
    assert verdict(brain, shipped_home, OWNED, "--set", just_below)["verdict"] != "holds"


def test_another_day_gives_other_verdicts_and_its_run_computed_again_is_the_same(brain, part_copy):
    past = ("verify", "--as-of", "2025-02-01", "--json")
    then = brain(*past, home=part_copy).json
    assert {one["claim"]: one["verdict"] for one in then["claims"]}[SONNET] == "holds"
    assert any(change["claim"] == SONNET for change in then["changes"])
    brain(*past, "--append", home=part_copy)
    outcome = brain("verify", "--run", 2, "--json", home=part_copy)
    assert (outcome.code, outcome.json["same"]) == (0, True)


def test_the_exit_code_says_whether_claims_fail(brain, shipped_home):
    day = ("verify", "--claim", SONNET, "--as-of", "2026-11-21")
    assert brain(*day, home=shipped_home).code == 0
    assert brain(*day, "--fail-on", "stale,refuted", home=shipped_home).code == 1
    assert brain(*day, "--fail-on", "error", home=shipped_home).code == 0
    wrong = brain(*day, "--fail-on", "rotten", home=shipped_home)
    assert wrong.code == 2
    assert all(name.value in wrong.err for name in VerdictName)


@pytest.mark.parametrize("form", ["markdown", "json", "sarif", "junit", "text"])
def test_the_report_in_every_form(brain, shipped_home, form):
    outcome = brain("verify", "--claim", SONNET, "--as-of", "2026-11-21", "--format", form, home=shipped_home)
    assert outcome.code == 0
    assert SONNET in outcome.out


def test_the_last_day_of_the_calendar_is_a_day(brain):
    assert brain("verify", "--as-of", "9999-12-31").code == 0


def test_the_names_of_claims_are_never_cut_or_broken(brain, shipped_home, monkeypatch):
    ids = {one["claim"] for one in brain("runs", "1", "--json", home=shipped_home).json["verdicts"]}
    monkeypatch.setenv("COLUMNS", "100")
    assert ids <= set(brain("runs", "1", home=shipped_home).out.split())


def test_impact_and_health_name_the_path_and_a_price_has_an_impact_though_nothing_depends_on_it(brain, shipped_home):
    found = brain("impact", "anthropic/sonnet", "--json", home=shipped_home).json["items"]
    assert SONNET in {hit["claim"] for hit in found["claims"]}
    stands = brain("health", "analyst/caching-and-batch-stack", "--json", home=shipped_home).json["items"][0]
    assert stands["state"] == "weakened"
    failing = brain("claims", "--node", "analyst/caching-and-batch-stack", "--json", home=shipped_home).json["items"]
    assert stands["claim"] in {one["id"] for one in failing if one["verdict"] in {"stale", "refuted"}}
    assert brain("impact", "anthropic/claude-2", home=shipped_home).code == 0


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        (["impact", "antropic/sonet"], "anthropic/sonnet"),
        (["impact", "anthropic/sonnet/no-such-component"], "anthropic/sonnet"),
        (["impact", "assume:utilization"], "assume:utilisation"),
        (["prices", "show", "Sonnet"], "anthropic/sonnet"),
        (["explain", "sonnet-cached-batch"], "sonnet-cached-batch-discount"),
        (["verify", "--claim", "sonnet-cache-batch-discount"], "sonnet-cached-batch-discount"),
        (["show", "analyst/caching-batch-stack"], "analyst/caching-and-batch-stack"),
        (["health", "caching-batch-stack"], "analyst/caching-and-batch-stack"),
        (["claims", "--node", "analyst/caching-and-batch"], "analyst/caching-and-batch-stack"),
    ],
)
def test_an_unknown_name_is_an_error_that_names_the_nearest(brain, shipped_home, asked, meant):
    outcome = brain(*asked, home=shipped_home)
    assert (outcome.code, outcome.out) == (3, "")
    assert meant in outcome.err.partition("near it: ")[2]


def test_sentences_out_of_their_text_read_as_words(brain, shipped_home):
    told = brain("backlinks", "analyst/anthropic-discounts-and-tokenizer", home=shipped_home).out
    assert "[[" not in told
    assert "95% off, as A constant rate card" in " ".join(told.split())
    whole = brain("show", "analyst/anthropic-discounts-and-tokenizer", home=shipped_home).out
    assert "0.5 × 0.1 = 0.05" in " ".join(whole.split())


def test_a_picture_is_shown_in_its_place_and_no_word_is_lost(brain, write):
    text = "The first words of a long paragraph, ![a quay](quay.png), then ![](img/mud.png) and the last words of it."
    brain("ingest", write("tide.md", f"# Tide\n\n{text * 3}\n"))
    told = brain("show", "notes/tide").said
    assert ("The first words of a long paragraph, a quay, then mud.png and the last words of it." * 3) in told


DIGITS = re.compile(r"(?<![\w.])\d[\d,]*\.\d+(?![\w.]*\d)")


def test_no_sentence_or_working_has_more_digits_than_people_read(shipped_home):
    texts = []
    with Brain.open(Settings(home=shipped_home)) as opened:
        for claim in opened.claims.all():
            verdict = opened.evaluator.explain(claim.id, date(2026, 11, 21))
            written = {figure for text in (claim.value, *dict(claim.given).values()) for figure in DIGITS.findall(text)}
            told = [verdict.reason, verdict.expected, *(step.text for step in verdict.steps)]
            texts += [(claim.id, one) for text in told for one in DIGITS.findall(text) if one not in written]
    long = [(claim, one) for claim, one in texts if len(one.replace(",", "").replace(".", "").strip("0")) > 7]
    assert texts
    assert not long


@pytest.mark.parametrize(("hits", "saving"), [(0, 50), (50, 65), (90, 77), (100, 80)])
def test_the_saving_of_a_full_request_at_four_hit_rates(brain, shipped_home, hits, saving):
    found = verdict(brain, shipped_home, f"sonnet-request-at-{hits}-percent-hits")
    values = [f"{found[when]['value']:.2f}" for when in ("then", "now")]
    assert (values, found["verdict"]) == ([f"{saving}.00"] * 2, "holds")
    inputs = {"list_in", "list_out", "batch_in", "batch_out", "batch_cached", "hits"}
    assert inputs <= {one["name"] for one in found["inputs"]}


def test_a_number_of_ones_own_for_all_claims_lists_changed_verdicts_and_appends_nothing(brain, shipped_home):
    before = brain("runs", "--json", home=shipped_home).json
    found = brain("verify", "--as-of", "2026-11-21", "--set", "assume:pue=1.1", "--json", home=shipped_home).json
    assert found["run"]["id"] == 0
    assert [(one["claim"], one["before"], one["after"]) for one in found["changes"]] == [
        ("h100-hour-emits-half-a-kilogram", "holds", "refuted"),
        ("owning-saves-38-percent-of-busy-hours", "holds", "depends"),
    ]
    brain("explain", OWNED, "--set", "rate=2.00", home=shipped_home)
    assert brain("runs", "--json", home=shipped_home).json == before


def test_a_verification_by_what_was_known_on_a_day_stores_nothing(brain, part_home):
    before = brain("runs", "--json", home=part_home).json
    made = before["items"][0]["started_at"][:10]
    found = brain("verify", "--as-of", "2025-06-30", "--known", made, "--json", home=part_home).json
    assert (found["run"]["id"], found["run"]["as_of"]) == (0, "2025-06-30")
    assert brain("runs", "--json", home=part_home).json == before
    too_early = brain("verify", "--known", "2001-01-01", home=part_home)
    assert "nothing was known on 2001-01-01" in too_early.err


@pytest.fixture
def opened(shipped_copy):
    with Brain.open(Settings(home=shipped_copy)) as brain:
        yield brain


def test_the_status_of_one_claim_is_that_of_the_list_and_its_request_reads_no_other(opened, monkeypatch):
    ids = [claim.id for claim in opened.claims.all()][::7]
    alone = {claim: opened.status.state(claim) for claim in ids}
    listed = {state.id: state for state in opened.status.states()}
    assert len({state.verdict for state in alone.values()}) > 3
    for _ in range(2):
        assert alone == {claim: listed[claim] for claim in ids}
        alone = {claim: opened.status.state(claim) for claim in ids}
    claim = next(flag.claim for flag in opened.alerts.flags(standing=True))
    until = TODAY + timedelta(days=9)
    opened.status.acknowledgements.acknowledge(claim, until=until, comment="A new price is due.", by="Kai", on=TODAY)
    alone = opened.status.state(claim)
    assert alone.acknowledgement
    assert alone.flagged
    assert alone == next(state for state in opened.status.states() if state.id == claim)
    claim = ids[0]
    monkeypatch.setattr(ClaimTables, "all", lambda *_, **__: pytest.fail("every claim was read"))
    with web_client(opened, pages=False) as client:
        answer = client.get(f"/v1/claims/{claim}")
    assert answer.status_code == 200
    assert answer.json()["state"]["id"] == claim


def test_a_claim_before_the_first_run_has_no_verdict_yet(tmp_path):
    with Brain.open(Settings(home=tmp_path / "home")) as brain:
        assert brain.ingest([written(tmp_path / "vault", {"gpu.md": NOTE, "claims.yaml": CLAIM})], at=NOW).stored
        assert brain.status.state("gpu-costs-two").verdict is None
        with pytest.raises(UnknownClaimError):
            brain.status.state("no-such-claim")
