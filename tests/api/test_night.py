"""A complete night: a price changes, a claim breaks, the receiver fails twice, and everybody is notified once."""

import itertools
import json
import re
import threading
from datetime import UTC, datetime, time, timedelta

import pytest
from filelock import FileLock
from standardwebhooks import Webhook

from api.cli.service_commands import OUTCOMES
from api.server import NightlySchedule
from api.services.nightly_job import LOCK, run_night
from compute.runs.night_models import NightRunningError, TimeLimitError
from graph.models.claim_models import Cause, VerdictName
from tests.command import outcome as command
from tests.compute.receivers import SECRET, Receiver
from tests.conftest import ROOT
from tests.stories.night_home import Home, moment


def test_a_night_in_which_a_price_breaks_a_claim(tmp_path):
    home = Home(tmp_path, {2: "2.40"})
    with Receiver(503, 503) as receiver:
        calm = home.night(1, receiver.url)
        assert (calm.outcome({VerdictName.STALE}), receiver.got) == ("done", [])
        night = home.night(2, receiver.url)
        assert home.night(3, receiver.url).notices == 0, "the same fault is reported once"
    assert (night.run.counts["stale"], night.notices, night.delivery.delivered) == (1, 1, 1)
    assert OUTCOMES[night.outcome({VerdictName.STALE})] == 1
    assert len(receiver.got) == 3, "two refusals, then success"
    assert len({(headers["webhook-id"], body) for headers, body in receiver.got}) == 1
    headers, body = receiver.got[-1]
    event = json.loads(body)
    assert (event["subject"], event["type"].endswith("raised")) == ("cheap-rent", True)
    signed = datetime.fromtimestamp(int(headers["webhook-timestamp"]), UTC)
    assert headers["webhook-signature"] == Webhook(SECRET).sign(headers["webhook-id"], signed, body.decode())
    with home.open() as opened:
        (flag,) = opened.alerts.flags(standing=True)
        assert (flag.claim, flag.verdict) == ("cheap-rent", VerdictName.STALE)
        (turned,) = opened.reports.changed_runs()
        assert [(change.claim, change.after) for change in turned.changes] == [("cheap-rent", VerdictName.STALE)]
        assert opened.status.health("own/rents").state.value == "broken"
        (kept,) = opened.notices.deliveries()
        assert (kept.attempts, kept.delivered_at, kept.last_error) == (3, moment(2), "503 Service Unavailable")


def test_a_change_has_its_cause_and_its_effect_since_the_run_before(tmp_path):
    """A price that fell back to what it was on the claim's own day moved, though no verdict gives that as its cause."""
    home = Home(tmp_path, {2: "2.40", 5: "1.80"})
    runs = [home.night(number).run for number in (1, 2, 5)]
    with home.open() as opened:
        turned = [change for run in runs[1:] for change in opened.reports.report(run).changes]
    assert [(one.after, one.cause, one.helps_thesis) for one in turned] == [
        (VerdictName.STALE, Cause.PRICE_MOVED, False), (VerdictName.HOLDS, Cause.PRICE_MOVED, True),
    ]  # fmt: skip


def test_a_night_that_is_locked_or_takes_too_long_leaves_no_run(tmp_path):
    home, minutes = Home(tmp_path, {}), itertools.count()
    with FileLock(home.path / LOCK), pytest.raises(NightRunningError, match="this one stopped"):
        home.night(1)
    with home.open(nightly_seconds=210) as brain, pytest.raises(TimeLimitError, match="verify"):
        run_night(brain, lambda: moment(1) + timedelta(minutes=next(minutes)), refresh=False)
    with home.open() as brain:
        assert brain.ledger.runs() == ()
    assert home.night(1).run.id == 1


def test_one_secret_signs_for_all_receivers(brain, monkeypatch):
    monkeypatch.setenv("BRAIN_WEBHOOK_URL", "http://127.0.0.1:9/a http://127.0.0.1:9/b http://127.0.0.1:9/c")
    for count, code, said in (
        (0, 2, ["BRAIN_WEBHOOK_SECRET: set it to"]), (2, 2, ["one `whsec_`"]), (1, 0, []),
    ):  # fmt: skip
        if count:
            monkeypatch.setenv("BRAIN_WEBHOOK_SECRET", " ".join([SECRET] * count))
        outcome = brain("nightly", "--no-refresh")
        assert outcome.code == code
        assert [words for words in said if words not in outcome.error] == []


def test_the_nightly_command_ends_with_the_code_of_its_outcome(tmp_path):
    home = Home(tmp_path, {2: "2.40"})
    outcome = command(home.path, "nightly", "--no-refresh", "--fail-on", "stale", "--json")
    assert (outcome.code, outcome.json["outcome"]) == (1, "below the bar")
    steps = [line for line in outcome.err.splitlines() if "level=info" in line]
    assert [line.split()[2] for line in steps] == ["event=refresh", "event=verify", "event=flag", "event=deliver"]
    assert command(home.path, "nightly", "--no-refresh").code == 0


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
    brain("ingest", write("rents.md", "# Rents\n\nThey rise.\n"))
    monkeypatch.setenv(name, value)
    ended = brain("nightly", "--no-refresh")
    monkeypatch.delenv(name)
    assert (ended.code, ended.out) == (code, "")
    assert said in ended.err
    assert brain("runs", "--json").json["items"] == []
    unit = (ROOT / "docs/deploy/brain-nightly.service").read_text()
    assert str(code) not in re.findall(r"^SuccessExitStatus=(.*)$", unit, re.M)[0].split()


def test_the_help_and_the_docs_of_a_night_list_why_there_is_none(brain):
    docs = (ROOT / "docs/nights.md").read_text().partition("| exit code |")[2].partition("\n\n")[0]
    for text in (docs, brain("nightly", "--help").out):
        words = " ".join(re.sub(r"[│|]", " ", text).split())
        causes = "another nightly job, time limit, database cannot be reached, disk is full, setting is wrong"
        assert [cause for cause in causes.split(", ") if cause not in words] == []


def test_a_killed_night_runs_at_once_and_the_next_one_at_its_time():
    ran = threading.Event()
    with NightlySchedule(ran.set, time(4), at_once=True) as schedule:
        assert ran.wait(60)
        assert schedule.next.time() == time(4)
        assert schedule.next > datetime.now(UTC)
