"""A run for another day than today looks back or ahead: it appends nothing unless requested, and is never the present."""

import xml.etree.ElementTree as ET
from datetime import date

import pytest

from api.cli.ledger_commands import past_days
from tests.conftest import write_part
from tests.stories.days import home_by_day  # noqa: F401  # the fixture `home`
from tests.stories.written import RENT, risen, stated

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


# Runs for past days are computed afterwards, say so, and show what changed and when.


REPLAY = ("replay", "--from", "2026-08-15")


@pytest.fixture
def past(home):
    """A home of 15 November with a rent that rose on 12 September, and a claim of August on it."""
    home.on("2026-11-15")
    risen(home, "2026-09-12", as_of="2026-08-20")
    return home


@pytest.mark.parametrize(
    ("since", "until", "every", "days"),
    [
        ("2026-08-15", "2026-11-01", "month", ["2026-09-01", "2026-10-01"]),
        ("2026-09-01", "2026-09-02", "month", ["2026-09-01"]),
        ("2026-11-01", "2026-11-16", "week", ["2026-11-02", "2026-11-09"]),
        ("2026-11-03", "2026-11-04", "week", []),
    ],
)
def test_past_days_begin_with_the_first_day_and_end_before_the_last(since, until, every, days):
    found = past_days(date.fromisoformat(since), date.fromisoformat(until), every)
    assert [day.isoformat() for day in found] == days


def test_a_replay_says_when_a_figure_broke_and_that_it_was_computed_afterwards(past):
    runs = past(*REPLAY, "--json").json["items"]
    expected = [("2026-09-01", {"holds": 1}), ("2026-10-01", {"stale": 1}), ("2026-11-01", {"stale": 1})]
    assert [(one["as_of"], one["counts"]) for one in runs] == expected
    assert [one["notes"] for one in runs] == [["computed afterwards"]] * 3
    assert {one["started_at"][:10] for one in runs} == {"2026-11-15"}
    assert past(*REPLAY, "--json").json["items"] == []  # each day has its run
    assert past("verify", "--run", "2", "--json").json["same"] is True
    past("verify")
    (turned,) = past("changes", "--json").json["items"]
    (change,) = turned["changes"]
    assert (turned["as_of"], change["before"], change["after"]) == ("2026-10-01", "holds", "stale")
    assert "(afterwards)" in past("runs").out
    for command, what in (("runs", "more"), ("changes", "earlier runs")):
        assert past(command, "--limit", "1").err == f"3 {what}: brain {command} --limit 4\n"
    assert past("runs", "--limit", "1", "--json").json["total"] == 4
    (group,) = past("record", "--basis", "ledger", "--json").json["groups"]
    assert (group["true_when_written"], group["broken"]) == (1, 1)
    with past.web() as web, past.brain() as brain:
        for page in ("/runs", "/runs/2", "/changes"):
            assert "computed afterwards" in web.get(page).text
        feed = ET.fromstring(web.get("/feed.atom").content)
        assert "Computed afterwards, for 2026-10-01." in ET.tostring(feed, "unicode")
        assert brain.ledger.latest_run().id == 4
        assert [flag.first_run for flag in brain.alerts.flags()] == [4]


def test_a_replay_has_only_the_claims_of_its_day_and_moves_no_flags(past):
    stated(past, "later", RENT, "3 USD/GPU/h", as_of="2026-10-15")
    runs = past(*REPLAY, "--json").json["items"]
    assert [sum(one["counts"].values()) for one in runs] == [1, 1, 2]
    assert past("verify", "--run", "1", "--json").json["same"] is True
    with past.brain() as brain:
        assert not list(brain.alerts.flags())
        assert not brain.notices.latest(10)
        assert [change.claim for run in brain.reports.changed_runs() for change in run.changes] == ["rent"]


def test_a_replay_begins_on_a_past_day(past):
    for given in (("--from", "2026-11-15"), ("--from", "2026-01-01", "--every", "year"), ()):
        assert past("replay", *given).code == 2, given


def test_a_replay_is_for_the_operator_and_the_report_after_it_lists_everything_as_a_first_report_does(past):
    assert past("--as-public", *REPLAY).code == 2
    past(*REPLAY)
    assert past("verify", "--json").json["before"] is None
    past.on("2026-11-16")
    assert past("verify", "--json").json["before"]["as_of"] == "2026-11-15"
