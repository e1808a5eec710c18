"""One night with a clock far ahead, and the nights after it: the brain goes on as if that night had not been."""

from datetime import timedelta

import pytest

from api.brain import Brain
from api.services.checks import content_problems
from api.services.nightly_job import run_night
from api.settings import Settings
from compute.runs.night_models import FAR_AHEAD, NightFarAheadError
from compute.runs.notice_delivery import is_due
from graph.models.alert_models import Notice, NoticeDelivery
from tests.stories.night_home import PRICE, Home, day, moment
from tests.web_client import web_client

AHEAD = 400


def dearer(home):
    (home.vault / "cards.yaml").write_text("prices:\n" + PRICE.format(value="2.40", start=day(1), end=""))


@pytest.fixture(params=[1, 2])
def wrong(request, tmp_path):
    """A home with a night on the 7th of March and one 393 days later; then the price breaks its bound on the 8th."""
    home = Home(tmp_path, {}, for_runs=request.param)
    home.night(7)
    with home.open() as brain:
        run_night(brain, lambda: moment(AHEAD), refresh=False, sure=True)
        dearer(home)
        brain.ingest([home.vault], at=moment(8, 1))
    home.for_runs = request.param
    return home


def test_the_nights_after_it_raise_the_flag_and_write_the_notice_and_are_what_people_read(wrong):
    eighth = wrong.night(8)
    with wrong.open() as brain:
        http = web_client(brain, lambda: moment(8, 9), pages=False)
        assert [one["verdict"] for one in http.get("/v1/claims").json()["items"]] == ["stale"]
        assert [one["run"] for one in http.get("/v1/changes").json()["items"]] == [3]
        assert brain.record.record(day(8)).as_of == day(8)
        assert [run.id for run in brain.ledger.present_runs()] == [3, 1]
        assert brain.reports.report(brain.ledger.run(3)).before.id == 1
    ninth = wrong.night(9)
    assert eighth.run.counts == ninth.run.counts == {"stale": 1}
    assert (eighth.changes, ninth.changes) == (2, 0)  # the card of before is out, another came
    assert (eighth.notices, ninth.notices) == ((1, 0) if wrong.for_runs == 1 else (0, 1))
    with wrong.open() as brain:
        (flag,) = brain.alerts.flags(standing=True)
        assert flag.raised_at == day(8 + wrong.for_runs - 1)


def test_before_the_next_night_the_run_that_is_ahead_is_not_the_latest_and_check_names_it(wrong):
    with wrong.open() as brain:
        for clock, latest in ((7, 1), (AHEAD - 1, 1), (AHEAD, 2), (7, 1)):  # one process: nothing is remembered
            brain.use_clock(lambda at=clock: moment(at, 9))
            assert brain.status.latest().id == latest
            assert brain.status.states()[0].run == latest
    with wrong.open() as brain:
        brain.use_clock(lambda: moment(9))
        said = [problem.message for problem in content_problems(brain) if problem.code == "run-ahead"]
        assert len(said) == 1
        assert f"run 2 for {day(AHEAD)}" in said[0]
        brain.use_clock(lambda: moment(AHEAD + 1))
        assert not brain.ledger.runs_ahead()
    with Brain.open(Settings(home=wrong.path)) as brain:
        assert brain.ledger.latest_run().id == 2


def test_a_price_that_the_wrong_night_saw_first_counts_from_the_next_night_on(tmp_path):
    home = Home(tmp_path, {})
    home.night(7)
    with home.open() as brain:
        dearer(home)
        brain.ingest([home.vault], at=moment(AHEAD, 1))
        run_night(brain, lambda: moment(AHEAD), refresh=False, sure=True)
    home.night(8)
    with home.open() as brain:
        rows = (*brain.store.observed_prices.past(), *brain.store.observed_prices.current())
        assert rows
        assert all(seen <= day(8) for row in rows for seen in (row.first_seen, row.last_seen, row.replaced) if seen)


def test_a_reminder_and_a_notice_are_not_put_off_by_it(tmp_path):
    home = Home(tmp_path, {8: "2.40"})
    home.night(7)
    with home.open() as brain:
        assert run_night(brain, lambda: moment(AHEAD), refresh=False, sure=True).notices == 1
    assert home.night(9).notices == 1  # the reminder: the notice that was written is of a day that has not come
    assert home.night(10).notices == 0
    notice = Notice(id="msg_1", kind="claim.raised", subject="a", body="{}", created_at=moment(AHEAD), claims=("a",))
    tried = NoticeDelivery(notice=notice, receiver="a", attempts=3, next_try=moment(AHEAD))
    assert is_due(tried, moment(9))
    assert not is_due(tried, moment(AHEAD) - timedelta(hours=1))


def test_a_night_far_after_the_last_run_needs_somebody_who_is_sure(tmp_path):
    home = Home(tmp_path, {})
    assert home.night(7).run.id == 1
    with pytest.raises(NightFarAheadError, match=r"393 days after the last run.*--yes"):
        home.night(AHEAD)
    with home.open() as brain:
        assert [run.id for run in brain.ledger.runs()] == [1]
    slept = home.night(7 + 92)  # a season
    assert slept.run.id == 2
    with pytest.raises(NightFarAheadError):
        home.night(7 + 92 + FAR_AHEAD.days)
    assert isinstance(slept.receivers, int)


@pytest.fixture
def home(tmp_path):
    return Home(tmp_path, {8: "2.40"}).path


def test_the_command_says_so_and_prints_the_report(brain, monkeypatch):
    monkeypatch.setattr("api.cli.service_commands.now", lambda: moment(7))
    assert brain("nightly", "--no-refresh").code == 0
    monkeypatch.setattr("api.cli.service_commands.now", lambda: moment(AHEAD))
    refused = brain("nightly", "--no-refresh")
    assert (refused.code, refused.out) == (3, "")
    assert "brain nightly --yes" in refused.err
    monkeypatch.setattr("api.cli.service_commands.now", lambda: moment(8))
    night = brain("nightly", "--no-refresh", "--fail-on", "stale")
    assert night.code == 1
    for said in ("Changed (1)", "cheap-rent", "a price moved", "no receiver is set", "notices: 1 written"):
        assert said in night.out
    told = brain("nightly", "--no-refresh", "--json").json
    assert (told["outcome"], told["receivers"], told["report"]["run"]["id"]) == ("done", 0, told["run"]["id"])
