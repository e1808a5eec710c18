"""A disk has damaged the database: each command says so in a sentence, names what it found, and how to go on."""

import gc
import random
import re
import shutil
import sqlite3
from contextlib import closing
from datetime import timedelta

import pytest
from filelock import FileLock

from api.services.nightly_job import LAST_NIGHT
from tests.compute.receivers import SECRET, Receiver
from tests.stories.days import home_by_day  # noqa: F401  # the fixture `home`
from tests.stories.written import stated

PAGE = 4096
COMMANDS = ("check", "check --repair", "verify", "claims", "nightly --no-refresh", "check --json")


@pytest.fixture
def damaged(home):  # the fixture
    """A home with a claim; `damaged(change)` lets `change` damage the bytes of its database."""
    home.on("2026-11-10")
    stated(home, "zorn", "1 USD/Mtok", "2 USD/Mtok")
    assert home("verify", "--append").code == 0
    path = home.folder / "brain.db"
    with closing(sqlite3.connect(path)) as opened:
        opened.execute("PRAGMA journal_mode=DELETE")
    sound = path.read_bytes()

    def damage(change):
        gc.collect()  # the error of the command before holds a statement, with it the lock of its process, for 30 s
        data = bytearray(sound)
        change(data)
        for log in home.folder.glob("brain.db-*"):
            log.unlink()
        path.write_bytes(data)

    return damage


def no_text(data):
    at = data.index(b'"says"')
    data[at : at + 6] = b"\xff" * 6


def no_json(data):
    at = data.index(b'"says"')
    data[at : at + 6] = b"\0" * 6


@pytest.mark.parametrize("change", [no_text, no_json])
def test_every_command_says_that_the_store_is_damaged_and_what_to_do(home, damaged, change):  # the fixture
    damaged(change)
    for asked in COMMANDS:
        told = home(*asked.split())
        assert told.code == 3, (asked, told)
        said = r"^brain: the store at \S+ is damaged: [^\n]+; restore it from a backup"
        assert re.search(said, told.err, re.M), (asked, told)
        assert "Traceback" not in told.err
        assert "\0" not in told.out + told.err
    assert "store-damaged" in home("check", "--json").out


def test_whatever_bytes_are_changed_no_command_ends_in_a_traceback(home, damaged, monkeypatch):  # the fixture
    monkeypatch.setattr("graph.store.database_engine.BUSY_SECONDS", 0.5)  # a lock that an error still holds
    for seed in range(12):
        numbers = random.Random(seed)

        def change(data, numbers=numbers):
            start = numbers.randrange(2 * PAGE, len(data) - PAGE)
            if numbers.random() < 0.5:
                data[start : start + 2000] = numbers.randbytes(2000)
            else:
                data[start - start % PAGE : start - start % PAGE + PAGE] = bytes(PAGE)

        damaged(change)
        for asked in (("check",), ("claims",)):
            told = home(*asked)  # a defect would be raised here
            gc.collect()
            assert told.code in {0, 1, 3}, (seed, asked, told)


# `brain check --repair` rebuilds what is derived and touches nothing else.


ZORN = 'price("acme/zorn", "input")'
MAP = '{{"zorn": {{"litellm_provider": "acme", "input_cost_per_token": {value}e-06}}}}'
DAMAGE = (
    "UPDATE meta SET value = '[1]' WHERE key = 'prices.seen'",
    "UPDATE seen_prices SET body = 'x'",
    """UPDATE meta SET value = replace(value, '"digest": "', '"digest": "0') WHERE key = 'prices.seen'""",
)


def repaired(home):
    told = home("check", "--repair", "--json")
    return {one["part"]: one["done"] for one in told.json["repairs"]}


def stored_tables(home):
    with home.brain() as brain:
        return {name: list(rows) for name, rows in brain.store.history.sections() if name != "meta"}


def test_derived_parts_are_rebuilt_and_nothing_else_is_touched(home):
    for day, value in (("2026-11-10", 2), ("2026-11-12", 3), ("2026-11-15", 4)):
        home.on(day)
        home("prices", "import", home.write("map.json", MAP.format(value=value)))
        if value == 2:
            stated(home, "zorn", ZORN, "2 USD/Mtok")
        assert home("verify").code == 0
    before = stored_tables(home)
    assert before["seen_prices"]
    sound = {"links": "sound", "seen prices": "sound", "search index": "rebuilt"}
    assert repaired(home) == sound
    assert stored_tables(home) == before

    for statement in DAMAGE:
        with home.brain() as brain, brain.store.writing() as work:
            assert work.sql.exec_driver_sql(statement).rowcount, statement
        told = home("check", "--json")
        assert "check --repair" in told.out + told.err, statement
        assert repaired(home) == {**sound, "seen prices": "rebuilt"}
        after = stored_tables(home)
        rows = [[{**row, "id": 0} for row in each["seen_prices"]] for each in (before, after)]
        assert rows[0] == rows[1], statement
        assert {**after, "seen_prices": 0} == {**before, "seen_prices": 0}, statement

    with FileLock(home.folder / "index" / "lock"):
        assert "could not be written now" in home("check", "--repair").out, "it said that all was rebuilt"
    with closing(sqlite3.connect(home.folder / "brain.db")) as other, other:
        other.execute("INSERT INTO node_tags (node, tag) VALUES ('gone/node', 'prices')")  # foreign keys are off
    (home.folder / "index" / "manifest.json").write_text("{}", "utf-8")
    told = home("check", "--repair")
    assert "removed 1 rows of node_tags" in told.out
    assert "rebuilt from" in told.out
    assert home("check").code == 0
    assert "index" not in [one["document"] for one in home("check", "--json").json["problems"]]


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
