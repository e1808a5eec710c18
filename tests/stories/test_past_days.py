"""A run for another day than today looks back or ahead: it appends nothing unless requested, and is never the present."""

import xml.etree.ElementTree as ET

import pytest

from tests.shipped_part import write_part
from tests.stories.days import home_by_day  # noqa: F401  # the fixture `home`
from tests.stories.written import risen, stated

BEARER = {"Authorization": "Bearer a-token-of-the-tests"}


@pytest.fixture
def rising(home):
    """A home in which a rent rose on 12 November: the claim holds until then, and is stale in the run of the 15th."""
    home.on("2026-11-10")
    risen(home, "2026-11-12", as_of="2026-11-10")
    assert home("verify").code == 0
    home.on("2026-11-15")
    assert home("verify").code == 0
    return home


def present_state(home):
    """Everything that shows the present: pages, feeds, health, notices, agents."""
    with home.web() as web, home.brain() as brain:
        assert web.get("/").status_code == 200
        feed = ET.fromstring(web.get("/feed.atom").content)
        shown = ("/", "/v1/claims", "/v1/changes", "/changes", "/claims/rent", "/v1/nodes/ada/prices/health")
        return {
            **{path: web.get(path).text for path in shown},
            "entries": [one.findtext("{*}id") for one in feed.findall("{*}entry")],
            "feed": [one["id"] for one in web.get("/feed.json").json()["items"]],
            "metrics": [line for line in web.get("/metrics").text.splitlines() if line.startswith("brain_claims")],
            "latest": brain.ledger.latest_run(),
            "flags": brain.alerts.flags(),
            "turns": list(brain.reports.changed_runs()),
        }


def test_a_past_day_appends_nothing_unless_requested(rising):
    before = rising("runs", "--json").json
    found = rising("verify", "--as-of", "2026-11-11")
    assert found.code == 0
    assert "2026-11-11 is not today: nothing was appended; --append appends a run for a past day" in found.err
    assert "a trial" in found.out
    report = rising("verify", "--as-of", "2026-11-11", "--json").json
    assert [(one["claim"], one["verdict"]) for one in report["claims"]] == [("rent", "holds")]
    assert [(one["before"], one["after"]) for one in report["changes"]] == [("stale", "holds")]
    assert rising("verify", "--as-of", "2027-01-01").code == 0
    assert rising("runs", "--json").json == before


def test_a_run_for_a_past_day_is_in_the_ledger_and_nowhere_else(rising):
    before = present_state(rising)
    assert rising("verify", "--as-of", "2026-11-11", "--append").code == 0
    days = [one["as_of"] for one in rising("runs", "--json").json["items"]]
    assert days == ["2026-11-11", "2026-11-15", "2026-11-10"]
    assert present_state(rising) == before
    assert rising("verify", "--as-of", "2026-11-14", "--append").code == 0
    assert present_state(rising)["latest"] == before["latest"]
    assert present_state(rising) == before
    assert rising("verify", "--run", "3", "--json").json["same"] is True
    rising.on("2026-11-16")
    assert rising("verify", "--json").json["changes"] == []


def test_a_run_for_a_past_day_alone_says_nothing_about_the_present(home):
    home.on("2026-11-10")
    stated(home, "rent", "2", "2")
    assert home("verify", "--as-of", "2026-11-09", "--append").code == 0
    assert [one["verdict"] for one in home("claims", "--json").json["items"]] == [None]


def test_append_makes_no_sense_for_a_future_day_or_a_trial(rising):
    for more in (("--as-of", "2026-12-01"), ("--claim", "rent"), ("--set", "rent=1")):
        assert rising("verify", "--append", *more).code == 2, more
    assert len(rising("runs", "--json").json["items"]) == 2


def test_over_http_a_past_day_appends_nothing_unless_requested(rising):
    before = present_state(rising)
    with rising.web(token="a-token-of-the-tests") as web:
        for day in ("2026-11-11", "2026-12-24"):
            found = web.post("/v1/runs", params={"as_of": day}, headers=BEARER)
            assert (found.status_code, found.json()["id"], found.json()["as_of"]) == (200, 0, day)
        assert web.post("/v1/runs", params={"as_of": "2026-12-24", "append": True}, headers=BEARER).status_code == 422
        assert web.get("/v1/runs").json()["items"][0]["id"] == 2
        found = web.post("/v1/runs", params={"as_of": "2026-11-11", "append": True}, headers=BEARER)
        assert (found.status_code, found.json()["id"]) == (201, 3)
        assert "never the latest" in web.get("/runs").text
        assert web.get("/runs/3").status_code == 200
    assert present_state(rising) == before


def test_a_tour_of_an_earlier_day_is_shown_and_a_second_one_stores_nothing(home, tmp_path, monkeypatch):
    write_part(tmp_path / "content")
    monkeypatch.setattr("api.brain.SHIPPED", tmp_path / "content")
    home.on("2026-11-15")
    assert home("demo", "--no-serve", "--as-of", "2026-11-10").code == 0
    assert home("claims", "--verdict", "stale", "--json").json["items"]
    assert home("demo", "--no-serve", "--as-of", "2026-11-09").code == 0
    last, *replayed = home("runs", "--json").json["items"]
    assert last["as_of"] == "2026-11-10"
    assert {(one["as_of"][-2:], *one["notes"]) for one in replayed} == {("01", "computed afterwards")}
