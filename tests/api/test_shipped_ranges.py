"""The ranges of the content that ships: the break-even that holds at its point values, on its page, in JSON, in the terminal."""

import re
from decimal import Decimal
from io import StringIO

import numpy as np
import pytest
from rich.console import Console

from api.brain import Brain
from api.settings import Settings
from api.terminal import verdict_tables
from tests.conftest import NOW, TODAY
from tests.web_client import web_client

BREAK_EVEN = "h100-break-even-at-the-markets-rent"
HTML = {"accept": "text/html"}


@pytest.fixture(scope="module")
def client(shipped_brain):
    with web_client(shipped_brain, lambda: NOW) as opened:
        yield opened


def test_the_break_even_holds_in_a_tenth_of_its_ranges_as_a_million_random_points_do(shipped_brain):
    verdict = shipped_brain.evaluator.explain(BREAK_EVEN, TODAY)
    assert verdict.verdict == "depends"
    assert abs(verdict.robust.share - Decimal("0.1")) < Decimal("0.02")
    assert verdict.robust.fragile
    assert verdict.sensitivity[0].input == "years"
    at = {one.name: float(one.value) for one in verdict.inputs}
    rng, count = np.random.default_rng(3), 1_000_000
    power, pue, years = rng.uniform(500, 700, count), rng.uniform(1.1, 1.6, count), rng.uniform(3, 6, count)
    hours = years * 8760
    owned = at["purchase"] + at["network"] + at["facility"] * years + power / 1000 * pue * at["energy"] * hours
    value = 100 * owned / (at["rate"] * hours)
    share = np.mean(np.abs(value - 38) <= 3)
    assert abs(float(verdict.robust.share) - share) < 0.02
    for found, level in ((verdict.robust.p05, 0.05), (verdict.robust.p50, 0.5), (verdict.robust.p95, 0.95)):
        assert abs(float(found) - np.quantile(value, level)) < 0.2


def test_the_ledger_keeps_the_share_and_computes_the_run_again_byte_for_byte(shipped_brain):
    run = shipped_brain.ledger.latest_run()
    rows = {row.claim: row for row in shipped_brain.ledger.rows(run.id)}
    assert rows[BREAK_EVEN].robust == shipped_brain.evaluator.explain(BREAK_EVEN, run.as_of).robust
    assert shipped_brain.evaluator.rerun(run.id).same
    assert sum(row.robust is not None for row in rows.values()) > 20


def test_a_run_of_earlier_rules_is_kept_and_not_computed_again(shipped_copy):
    with Brain.open(Settings(home=shipped_copy)) as opened:
        run = opened.ledger.latest_run()
        early = run.model_copy(update={"method": 4})
        opened.evaluator.store.ledger.run = lambda number: early
        again = opened.evaluator.rerun(run.id)
    assert (again.rules, again.claims, again.differences, again.same) == (4, 0, (), None)
    told = Console(width=200, file=StringIO())
    told.print(verdict_tables.rerun(again))
    assert "was made by version 4 of the rules for verdicts" in told.file.getvalue()


def test_its_json_has_the_share_and_the_lists_say_which_claims_are_fragile(client, shipped_brain):
    body = client.get(f"/v1/claims/{BREAK_EVEN}").json()
    found = body["verdict"] if isinstance(body.get("verdict"), dict) else body
    assert set(found["robust"]) == {"share", "p05", "p50", "p95", "points", "undefined", "fragile"}
    assert found["sensitivity"][0]["input"] == "years"
    assert {one["input"] for one in found["swings"]} == {"years", "overhead", "power"}
    assert client.get("/charts/claims/utilisation-step-gives-1-44/tornado.svg").status_code == 404
    assert 'id="ranges"' not in client.get("/claims/utilisation-step-gives-1-44", headers=HTML).text
    page = client.get("/claims?tag=breakeven-analysis", headers=HTML).text
    rows = {row: "fragile" in row for row in page.partition("claim-rows")[2].split("<li class") if "/claims/" in row}
    assert [word for row, word in rows.items() if f"/claims/{BREAK_EVEN}" in row] == [True]
    assert False in rows.values()
    assert BREAK_EVEN in [state.id for state in shipped_brain.status.states() if state.fragile]


def test_its_page_has_the_word_the_sentence_and_a_table_that_draws_each_swing(client):
    page = client.get(f"/claims/{BREAK_EVEN}", headers=HTML).text
    assert "fragile: true in only 10% of plausible inputs" in page.replace("\xa0", " ")
    assert re.search(r"Holds in 9\.\d+% of the stated ranges; 5th percentile", page)
    section = page.partition('<h2 id="ranges">')[2].partition("</section>")[0]
    assert section.count('<th scope="row">') == 3
    for ends in (("3 years", "6 years"), ("1.1", "1.6"), ("500 W/GPU", "700 W/GPU")):
        assert all(f">at {end}" in section.replace("\xa0", " ") for end in ends)
    widths = [float(one) for one in re.findall(r'<rect x="[\d.]+%" width="([\d.]+)%" y=', section)]
    assert len(widths) == 3, "each swing is drawn in its row"
    assert max(widths) == widths[0], "the one that decides comes first"


def test_the_terminal_says_it_in_explain_in_claims_and_with_robust(brain, shipped_home, monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")

    def said(*words):
        found = brain(*words, home=shipped_home)
        assert found.code == 0, found
        return found.out

    assert "Holds in 9.96% of the stated ranges" in " ".join(said("explain", BREAK_EVEN).split())
    assert re.search(rf"depends fragile\s+{BREAK_EVEN}", said("claims"))
    listed = said("verify", "--robust", "--claim", BREAK_EVEN).partition("within the stated ranges")[2]
    assert re.search(rf"9\.96%\s+depends fragile\s+{BREAK_EVEN}", listed)
    assert "within the stated ranges" not in said("verify", "--claim", BREAK_EVEN)
    assert "## Within the stated ranges" in said("explain", BREAK_EVEN, "--format", "markdown")
    assert brain("explain", BREAK_EVEN, "--json", home=shipped_home).json["robust"]["fragile"] is True
