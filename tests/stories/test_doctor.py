"""`brain doctor`: one line for each thing that can be wrong with a home, each made wrong here in turn."""

import shutil

from api.services.nightly_steps import LAST_NIGHT
from tests.stories.days import home_by_day  # noqa: F401  # the fixture `home`
from tests.stories.written import stated

PRICE = 'price("anthropic/claude-sonnet-5-5", "input")'


def states(home):
    told = home("doctor", "--json")
    found = {one["name"]: one for one in told.json["items"]}
    assert all(one["todo"] for one in found.values() if one["state"] != "ok"), "what is wrong says what to do"
    assert told.code == int(any(one["state"] == "error" for one in found.values()))
    return found


def wrong(home):
    return {name: one["state"] for name, one in states(home).items() if one["state"] != "ok"}


def test_a_home_is_well_after_a_night_and_each_fault_has_its_line(home, monkeypatch):
    home.on("2026-11-10")
    assert wrong(home) == {"home": "error"}
    assert not (home.folder / "brain.db").exists(), "a diagnosis starts no home"
    stated(home, "sonnet", PRICE, "2 USD/Mtok")
    assert wrong(home) == {"last night": "warning"}
    assert home("nightly", "--no-refresh").code == 0
    assert wrong(home) == {}
    assert "run 1" in states(home)["last night"]["message"]
    assert home("doctor").out.count("ok ") >= 8

    shutil.rmtree(home.folder / "index")
    assert wrong(home) == {"index": "warning"}
    home("search", "sonnet")
    (home.folder / "index").chmod(0o755)
    assert wrong(home) == {"permissions": "warning"}
    assert wrong(home) == {}, "opening the home made it private"

    until = ("--until", "2026-11-13", "--reason", "list changes")
    home("silences", "add", "--claim", "sonnet", *until)
    assert "claim:sonnet on 2026-11-13" in states(home)["silences"]["message"]
    home("silences", "remove", "claim:sonnet")

    monkeypatch.setenv("BRAIN_WEBHOOK_URL", "http://127.0.0.1:1/hook")
    assert wrong(home) == {"notices": "error"}
    monkeypatch.delenv("BRAIN_WEBHOOK_URL")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**9, 10**9, 1000))
    assert wrong(home) == {"disk": "error"}


def test_a_night_that_is_late_or_was_killed_old_prices_and_a_damaged_file_are_reported(home):
    home.on("2026-11-10")
    stated(home, "sonnet", PRICE, "2 USD/Mtok")
    home("nightly", "--no-refresh")
    home.on("2026-11-12")
    assert wrong(home) == {"last night": "warning"}
    with home.brain() as brain:
        brain.store.metadata.put(LAST_NIGHT, '{"started_at":"2026-11-12T04:30:00Z","outcome":"begun"}')
    assert "did not finish" in states(home)["last night"]["message"]
    home("nightly", "--no-refresh")
    home.on("2028-01-01")
    assert wrong(home) == {"last night": "warning", "catalogue genai-prices": "error"}

    with home.brain() as brain, brain.store.writing() as work:
        work.sql.exec_driver_sql("UPDATE documents SET text_sha256 = 'x'")
    assert "differs from its hash" in states(home)["integrity"]["message"]
    assert wrong(home)["integrity"] == "error"
    (home.folder / "brain.db").write_bytes(b"this is no database, but long enough to be read as one" * 99)
    assert wrong(home) == {"store": "error"}
