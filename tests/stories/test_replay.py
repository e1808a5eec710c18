"""A brain with a past: runs for past days are computed afterwards, say so, and show what changed and when."""

import xml.etree.ElementTree as ET
from datetime import date

import pytest

from api.cli.ledger_commands import past_days
from tests.stories.days import home_by_day  # noqa: F401  # the fixture `home`
from tests.stories.written import risen, stated

RENT = 'price("acme/h100", "on_demand")'
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
