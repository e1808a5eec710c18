"""Errata by the command line, over HTTP, on their page and for agents; and the quiet night of the shipped content."""

import html
import re
from datetime import timedelta
from io import StringIO

import pytest
from rich.console import Console

from api.brain import Brain
from api.settings import Settings
from api.terminal.document import document
from compute.reports.morning_report import blocks
from compute.reports.report_document import markdown
from tests.conftest import NOW, TODAY
from tests.web_client import web_client

NOTE = """---
title: Sums
brain: own
---
One and one make three, says the source.

Half of three is 1.5. Two and two make 5, or even 6.
"""

CLAIMS = """claims:
  - {id: three, node: own/sums, says: Three it is., quote: One and one make three, asserted_by: source, stance: disputes,
     as_of: 2026-01-01, value: 1 + 1, expect: {is: 3}, source: 'https://sums.example/a', severity: info}
  - {id: half, node: own/sums, says: Half it is., root: three, as_of: 2026-01-01, value: (1 + 1) / 2, expect: {is: 1.5}}
  - {id: five, node: own/sums, says: Five it is., as_of: 2026-01-01, value: 2 + 2, expect: {is: 5}, severity: critical}
  - {id: four, node: own/sums, says: Four it is., as_of: 2026-01-01, value: 2 + 2, expect: {is: 4}}
"""


@pytest.fixture
def sums(brain, write, tmp_path):
    write("sums.md", NOTE)
    assert brain("ingest", write("claims.yaml", CLAIMS).parent).code == 0
    assert brain("verify").code == 0
    return tmp_path / "own"


def test_errata_are_grouped_by_root_with_words_place_and_figures_in_every_list(brain, sums):
    found = brain("errata", "--json").json
    assert (found["total"], found["contradictions"], found["differing"]) == (2, [], 0)
    five, three = found["items"]
    assert (five["root"], five["quote"], five["says"], five["severity"]) == ("five", None, "Five it is.", "critical")
    assert (three["root"], three["claims"], three["severity"]) == ("three", ["three", "half"], "warning")
    assert (three["quote"], three["stated"], three["computed"]) == ("One and one make three", "3", 2)
    assert (three["asserted_by"], three["stance"], three["source"]) == ("source", "disputes", "https://sums.example/a")
    assert (three["document"].rpartition("/")[2], three["run"], three["title"]) == ("sums.md", 1, "Sums")
    assert three["line"] >= 1
    assert three["since"]
    told = brain("errata").out
    for words in ("“One and one make three", "stated 3, computed 2", "disputed by the node", "found by three, half"):
        assert words in told
    first = brain("errata", "--limit", 1)
    assert ("Five it is." in first.out, "one make three" in first.out, "1 more" in first.err) == (True, False, True)
    assert brain("errata", "--limit", 0).code == 2
    three = next(one for one in brain("claims", "--json").json["items"] if one["id"] == "three")
    assert three["then"] == {"as_of": "2026-01-01", "value": 2, "holds": False, "dated": True}
    fields = ("cause", "helps_thesis", "oldest_input", "robust")
    assert [three[name] for name in fields] == ["miscalculated", None, None, None]
    row = next(one for one in brain("runs", "1", "--json").json["verdicts"] if one["claim"] == "three")
    assert (row["asserted_by"], row["stance"], row["quote"]["text"]) == ("source", "disputes", "One and one make three")
    with Brain.open(Settings(home=sums)) as opened:
        client = web_client(opened, pages=False)
        assert client.get("/v1/claims?node=own/sums").json()["items"][-1]["cause"] == "miscalculated"
        assert next(one for one in client.get("/v1/runs/1").json()["verdicts"] if one["claim"] == "three") == row


def test_before_the_first_run_there_is_nothing_to_compare_with_and_it_is_said(brain, write):
    write("sums.md", NOTE)
    brain("ingest", write("claims.yaml", CLAIMS).parent)
    assert brain("errata", "--json").json["run"] is None
    assert brain("errata").out == brain("changes").out == "no run yet: brain verify makes one\n"
    trial = brain("verify", "--as-of", "2026-01-01").out
    assert "There is no run yet to compare with: brain verify makes one." in " ".join(trial.split())
    alone = brain("verify", "--claim", "three").out
    assert not any(words in trial + alone for words in ("Nothing changed", "Still failing", "of them new"))
    brain("verify")
    assert (brain("errata", "--json").json["run"], brain("changes").out) == (1, "no verdict has changed\n")


def test_errata_over_http_by_parts_as_csv_and_with_an_entity_tag(sums):
    with Brain.open(Settings(home=sums)) as brain:
        web = web_client(brain)
        whole = web.get("/v1/errata")
        assert [one["root"] for one in whole.json()["items"]] == ["five", "three"]
        assert whole.json()["total"] == 2
        assert web.get("/v1/errata", headers={"If-None-Match": whole.headers["etag"]}).status_code == 304
        part = web.get("/v1/errata?limit=1").json()
        assert [one["root"] for one in part["items"]] == ["five"]
        rest = web.get(f"/v1/errata?limit=1&cursor={part['next']}").json()
        assert ([one["root"] for one in rest["items"]], rest["next"]) == (["three"], None)
        head, *rows = web.get("/v1/errata?format=csv").text.split("\r\n")
        assert head.startswith("root,says,quote,node,title,document,line,stated,computed,unit")
        assert len([row for row in rows if row]) == 2
        assert web.get("/v1/errata?limt=1").status_code == 422
        page = html.unescape(web.get("/errata").text)
        for words in ("“One and one make three", "/claims/half", "Five it is.", "1.5 times too high", "not linked"):
            assert words in page
        assert "stated 3 computed 2" in " ".join(re.sub(r"<[^>]+>", " ", page).split())
        home = web.get("/").text
        assert '<a href="/errata">2 source figures are wrong (found by 3 claims)</a>.' in home.replace("\u00a0", " ")


def test_the_first_run_counts_from_the_first_run_that_refuted_the_claim(brain, write, sums):
    for _ in range(2):
        brain("verify")
    assert {one["run"] for one in brain("errata", "--json").json["items"]} == {1}
    with Brain.open(Settings(home=sums)) as opened:
        found = opened.ledger.first_refuted(["three", "four", "nothing"])
    assert {name: run.id for name, run in found.items()} == {"three": 1}
    six = CLAIMS.splitlines()[-2].replace("five", "six").replace("5", "6")
    brain("ingest", write("six.yaml", f"claims:\n{six}\n"))
    brain("verify")
    with Brain.open(Settings(home=sums)) as opened:
        report = opened.reports.report(opened.ledger.latest_run())
    assert ([one.claim for one in report.changes], report.known) == (["six"], ())


def test_a_quiet_night_of_the_shipped_content_fits_on_a_screen(shipped_copy):
    at = NOW + timedelta(days=1)
    with Brain.open(Settings(home=shipped_copy)) as brain:
        first = brain.reports.report(brain.ledger.latest_run())
        run = brain.verify(TODAY + timedelta(days=1), at=at, clock=lambda: at)
        second = brain.reports.report(run)
    assert second.changes == ()
    for report in (first, second):
        for width in (80, 120):
            told = Console(width=width, file=StringIO(), force_terminal=True)
            told.print(document(blocks(report)))
            assert len(told.file.getvalue().splitlines()) <= 40
        assert len(markdown(blocks(report)).splitlines()) <= (40 if report is second else 50)
    audit = "none of them new; texts differ on 1 figure: brain errata lists them."
    for words in ("Nothing changed since run 1 for 2026-11-21.", audit):
        assert words in markdown(blocks(second))


def test_the_complete_list_stays_reachable(brain, part_home):
    whole = brain("verify", "--as-of", "2026-11-20", "--all", home=part_home).out
    assert len(whole.splitlines()) > 3 * 40, "three times what fits on a screen"
    states = brain("claims", "--verdict", "refuted", "--json", home=part_home).json["items"]
    assert states
    assert all(one["id"] in whole for one in states)
    one = brain("verify", "--claim", "sonnet-cached-batch-discount", home=part_home).out
    assert "stale (1)" in one, "a requested claim is reported with its reason"


def test_a_note_that_no_longer_says_it_is_not_accused_and_the_old_run_stays_the_same(brain, sums, write):
    corrected = NOTE.replace("One and one make three", "One and one make two")
    told = brain("ingest", write("sums.md", corrected)).out
    assert "the figures differ" not in told  # numbers in words: the nearest passage is another one
    assert "that the claim three quotes are not in own/sums" in told.replace("\n", " ")
    assert brain("verify").code == 0
    rows = {one["id"]: one for one in brain("claims", "--json").json["items"]}
    assert rows["three"]["verdict"] == "unverifiable"  # it was: refuted, in words that the note does not have
    assert "the quoted words are not in the text" in rows["three"]["reason"]
    assert rows["five"]["verdict"] == "refuted", (
        "a claim without a quote speaks for its author, if the text has the figure"
    )
    assert [one["root"] for one in brain("errata", "--json").json["items"]] == ["five", "half"]
    assert "the same byte for byte" in brain("verify", "--run", "1").out
    assert "the same byte for byte" in brain("verify", "--run", "2").out
