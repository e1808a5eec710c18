"""A complete night: a price changes, a claim breaks, the receiver fails twice, and everybody is notified once."""

import itertools
import json
import re
import threading
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

import pytest
from filelock import FileLock
from standardwebhooks import Webhook

from api.brain import Brain
from api.cli.service_commands import OUTCOMES
from api.server import NightlySchedule
from api.services.nightly_job import LOCK, run_night
from api.settings import Settings
from compute.runs.night_models import NightRunningError, TimeLimitError
from graph.models.claim_models import VerdictName
from tests.compute.receivers import SECRET, Receiver

FIRST = datetime(2026, 3, 1, 4, 30, tzinfo=UTC)
NOTE = "---\ntitle: Rents\nbrain: own\n---\nAn hour of the card rents for under two dollars.\n"
CLAIM = """claims:
  - id: cheap-rent
    node: own/rents
    says: An hour of the card rents for under two dollars.
    as_of: 2026-01-01
    given: {rent: 'price("acme/card", "on_demand")'}
    value: rent
    expect: {at_most: 2 USD/GPU/h}
"""
CARD = """catalog: cards
prices:
  - {item: acme/card, component: on_demand, value: 1.80 USD/GPU/h, from: 2025-06-01, to: 2026-03-02,
     source: 'https://example.org/a', checked: 2026-03-01}
  - {item: acme/card, component: on_demand, value: 2.40 USD/GPU/h, from: 2026-03-02,
     source: 'https://example.org/b', checked: 2026-03-02}
"""


class Clock:
    """A clock that a test sets."""

    def __init__(self, at):
        self.at = at

    def __call__(self):
        self.at += timedelta(milliseconds=1)
        return self.at


@pytest.fixture
def receiver():
    """A receiver that answers two requests with 503, then with 204."""
    with Receiver(503, 503) as listening:
        yield listening


@pytest.fixture
def opened(tmp_path, receiver, write):
    write("rents.md", NOTE)
    write("claims.yaml", CLAIM)
    cards = write("cards.yaml", CARD)
    settings = Settings(home=tmp_path / "home", webhook_url=receiver.url, webhook_secret=SECRET)
    with Brain.open(settings) as brain:
        assert brain.ingest([cards.parent], at=FIRST).stored
        yield brain


def test_a_night_in_which_a_price_breaks_a_claim(opened, receiver):
    clock = Clock(FIRST)
    calm = run_night(opened, clock, refresh=False)
    assert calm.outcome({VerdictName.STALE}) == "done"
    assert receiver.got == []

    clock.at = FIRST + timedelta(days=1)
    night = run_night(opened, clock, refresh=False)
    assert (night.run.counts["stale"], night.notices, night.delivery.delivered) == (1, 1, 1)
    assert OUTCOMES[night.outcome({VerdictName.STALE})] == 1
    assert len(receiver.got) == 3, "two refusals, then success"
    assert len({headers["webhook-id"] for headers, _ in receiver.got}) == 1
    headers, body = receiver.got[-1]
    event = json.loads(body)
    assert event["subject"] == "cheap-rent"
    assert event["type"].endswith("raised")
    signed = datetime.fromtimestamp(int(headers["webhook-timestamp"]), UTC)
    assert headers["webhook-signature"] == Webhook(SECRET).sign(headers["webhook-id"], signed, body.decode())

    (flag,) = opened.alerts.flags(standing=True)
    assert (flag.claim, flag.verdict) == ("cheap-rent", VerdictName.STALE)
    (turned,) = opened.reports.changed_runs()
    assert [(change.claim, change.after) for change in turned.changes] == [("cheap-rent", VerdictName.STALE)]
    assert opened.status.health("own/rents").state.value == "broken"

    clock.at = FIRST + timedelta(days=2)
    assert run_night(opened, clock, refresh=False).notices == 0, "the same fault is reported once"
    assert len(receiver.got) == 3


def test_a_night_that_is_locked_or_takes_too_long_leaves_no_run(opened):
    with FileLock(opened.settings.home / LOCK), pytest.raises(NightRunningError, match="this one stopped"):
        run_night(opened, Clock(FIRST), refresh=False)
    minutes = itertools.count()
    with (
        Brain.open(opened.settings.model_copy(update={"nightly_seconds": 150})) as brain,
        pytest.raises(TimeLimitError, match="verify"),
    ):
        run_night(brain, lambda: FIRST + timedelta(minutes=next(minutes)), refresh=False)
    assert opened.ledger.runs() == ()
    assert run_night(opened, Clock(FIRST + timedelta(hours=1)), refresh=False).run.id == 1


def test_a_receiver_without_a_secret_is_a_mistake_of_the_operator(brain, monkeypatch):
    monkeypatch.setenv("BRAIN_WEBHOOK_URL", "http://127.0.0.1:9/hook")
    outcome = brain("nightly", "--no-refresh")
    assert outcome.code == 2
    assert "BRAIN_WEBHOOK_SECRET" in outcome.err


def test_several_receivers_have_one_secret_or_one_each(brain, monkeypatch):
    monkeypatch.setenv("BRAIN_WEBHOOK_URL", "http://127.0.0.1:9/a http://127.0.0.1:9/b http://127.0.0.1:9/c")
    monkeypatch.setenv("BRAIN_WEBHOOK_SECRET", f"{SECRET} {SECRET}")
    outcome = brain("nightly", "--no-refresh")
    assert outcome.code == 2
    assert "3 addresses" in outcome.err
    assert "2 secrets" in outcome.err
    for count in (1, 3):
        monkeypatch.setenv("BRAIN_WEBHOOK_SECRET", " ".join([SECRET] * count))
        assert brain("nightly", "--no-refresh").code == 0


def test_the_nightly_command_ends_with_the_code_of_its_outcome(brain, write):
    write("rents.md", NOTE)
    write("claims.yaml", CLAIM)
    brain("ingest", write("cards.yaml", CARD).parent)
    outcome = brain("nightly", "--no-refresh", "--fail-on", "stale", "--json")
    assert outcome.code == 1
    assert outcome.json["outcome"] == "below the bar"
    steps = [line for line in outcome.err.splitlines() if "level=info" in line]
    assert [line.split()[2] for line in steps] == ["event=refresh", "event=verify", "event=flag", "event=deliver"]
    assert brain("nightly", "--no-refresh").code == 0


@pytest.mark.parametrize(
    ("name", "value", "code", "said"),
    [
        ("BRAIN_DB", "postgresql://brain@127.0.0.1:1/none?connect_timeout=2", 3, "cannot be reached"),
        ("BRAIN_NIGHTLY_SECONDS", "0.0000001", 3, "exceeded its time limit"),
        ("BRAIN_OWNERS", "alice", 2, "BRAIN_OWNERS"),
    ],
)
def test_a_night_without_a_run_prints_no_report_and_is_no_success_for_systemd(
    brain, write, monkeypatch, name, value, code, said
):
    brain("ingest", write("rents.md", NOTE))
    monkeypatch.setenv(name, value)
    ended = brain("nightly", "--no-refresh")
    monkeypatch.delenv(name)
    assert (ended.code, ended.out) == (code, "")
    assert said in ended.err
    assert brain("runs", "--json").json["items"] == []
    unit = (Path(__file__).parents[2] / "docs/deploy/brain-nightly.service").read_text()
    assert str(code) not in re.findall(r"^SuccessExitStatus=(.*)$", unit, re.M)[0].split()


def test_the_help_and_the_docs_of_a_night_list_why_there_is_none(brain):
    docs = (Path(__file__).parents[2] / "docs/nights.md").read_text().partition("| exit code |")[2].partition("\n\n")[0]
    for text in (docs, brain("nightly", "--help").out):
        words = " ".join(re.sub(r"[│|]", " ", text).split())
        for cause in (
            "another nightly job",
            "time limit",
            "database cannot be reached",
            "disk is full",
            "setting is wrong",
        ):
            assert cause in words


def test_a_killed_night_runs_at_once_and_the_next_one_at_its_time():
    ran = threading.Event()
    with NightlySchedule(ran.set, time(4), at_once=True) as schedule:
        assert ran.wait(60)
        assert schedule.next.time() == time(4)
        assert schedule.next > datetime.now(UTC)
