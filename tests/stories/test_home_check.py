"""`brain check` reports what an operator watches: each thing that can be wrong around a home, made wrong here in turn."""

import shutil
from datetime import timedelta

import pytest

from api.services.nightly_job import LAST_NIGHT
from tests.compute.receivers import SECRET, Receiver
from tests.stories.days import home_by_day  # noqa: F401  # the fixture `home`
from tests.stories.written import stated

PRICE = 'price("anthropic/claude-sonnet-5-5", "input")'


def found(home):
    """The problems of the home by their code, each with what to do."""
    told = home("check", "--json")
    problems = [one for one in told.json["problems"] if one["document"] in {"home", "index", "brain.db"}]
    assert all(one["hint"] for one in problems if one["document"] == "home"), "what is wrong says what to do"
    assert told.code == int(any(one["severity"] == "error" for one in problems))
    return {one["code"]: one for one in problems}


def wrong(home):
    return {name: one["severity"] for name, one in found(home).items()}


def test_a_home_is_well_after_a_night_and_each_fault_has_its_line(home, monkeypatch):
    home.on("2026-11-10")
    stated(home, "sonnet", PRICE, "2 USD/Mtok")
    assert home("nightly", "--no-refresh").code == 0
    assert wrong(home) == {}

    until = ("--until", "2026-11-13", "--reason", "list changes")
    home("silences", "add", "--claim", "sonnet", *until)
    assert "claim:sonnet ends on 2026-11-13" in found(home)["home-silence"]["message"]
    assert "home-silence" not in home("--as-public", "check", "--json").out
    home("silences", "remove", "claim:sonnet")

    monkeypatch.setenv("BRAIN_WEBHOOK_URL", "http://127.0.0.1:1/hook")
    assert wrong(home) == {"home-notices": "error"}
    monkeypatch.delenv("BRAIN_WEBHOOK_URL")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**9, 10**9, 1000))
    assert wrong(home) == {"home-disk": "error"}
    assert "free some space now" in home("check").out


def test_a_night_that_is_late_or_was_killed_and_old_prices_are_reported(home):
    home.on("2026-11-10")
    stated(home, "sonnet", PRICE, "2 USD/Mtok")
    home("nightly", "--no-refresh")
    home.on("2026-11-12")
    assert wrong(home) == {"home-night": "warning"}
    with home.brain() as brain:
        brain.store.metadata.put(LAST_NIGHT, '{"started_at":"2026-11-12T04:30:00Z","outcome":"begun"}')
    assert "did not finish" in found(home)["home-night"]["message"]
    assert wrong(home) == {"home-night": "error"}
    home("nightly", "--no-refresh")
    home.on("2028-01-01")
    assert wrong(home) == {"home-night": "warning", "home-prices": "warning"}
    assert "catalogue genai-prices: checked on " in found(home)["home-prices"]["message"]


# A webhook answered 500, its operator mended it and ran the night again: it sent nothing, said nothing and ended with 0.


@pytest.fixture
def receiver(monkeypatch):
    """A webhook that refuses three attempts and then works."""
    with Receiver(500, 500, 500) as found:
        monkeypatch.setenv("BRAIN_WEBHOOK_URL", found.url)
        monkeypatch.setenv("BRAIN_WEBHOOK_SECRET", SECRET)
        yield found


def test_a_night_that_is_too_early_for_what_is_pending_says_when_and_ends_with_4(home, receiver):
    home.on("2026-11-10")
    stated(home, "sonnet", PRICE, "1 USD/Mtok")
    failed = home("nightly", "--no-refresh", "--json")
    assert (failed.code, failed.json["delivery"]["failed"]) == (4, 1)
    due = failed.json["delivery"]["next_try"]
    assert due > home.moment.isoformat()

    home.moment += timedelta(minutes=3)
    early = home("nightly", "--no-refresh")
    assert early.code == 4
    assert "0 delivered, 0 failed, 0 given up, 1 waiting; a night tries again from 2026-11-10 06:40 UTC on" in early.out
    assert "a night after 2026-11-10 06:40 UTC retries the pending ones" in home("check").out
    told = home("nightly", "--no-refresh", "--json").json
    assert (told["outcome"], told["delivery"]["waiting"], told["delivery"]["next_try"]) == ("not delivered", 1, due)
    assert len(receiver.got) == 3

    home.moment += timedelta(minutes=10)
    sent = home("nightly", "--no-refresh", "--json")
    assert (sent.code, sent.json["delivery"]["delivered"], sent.json["delivery"]["next_try"]) == (0, 1, None)
    assert len(receiver.got) == 4
