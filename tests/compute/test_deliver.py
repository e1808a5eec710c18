"""Notices on their way: a real receiver on this machine, and the outbox of a real store."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from cloudevents.core.bindings.http import HTTPMessage, from_structured_event
from standardwebhooks.webhooks import Webhook

from compute.runs.flag_rules import FlagChange, FlagChanges
from compute.runs.notice_writer import GROUPED, NoticeWriter
from compute.runs.webhook_delivery import GIVEN_UP_AFTER, SecretError, Webhooks
from graph.models.alert_models import Flag, Notice, Silence
from graph.models.claim_models import Claim, Expectation, Run, VerdictName, VerdictRow
from graph.store import Store
from tests.compute.receivers import SECRET, Receiver

NOW = datetime.now(UTC).replace(microsecond=0)


@pytest.fixture
def store(tmp_path):
    with Store.open(tmp_path / "brain.db") as opened:
        yield opened


def notice(**rest):
    made = {
        "id": "msg_1",
        "kind": "claim.raised",
        "subject": "c",
        "body": '{"a": 1.50}',
        "created_at": NOW,
        "next_try": NOW,
    }
    return Notice(**{**made, **rest})


def hook(url, **rest):
    return Webhooks(url, SECRET, sleep=lambda _: None, **rest)


def test_a_receiver_that_fails_twice_gets_it_at_the_third_try_signed_and_the_same_each_time(store):
    store.alerts.put_notices([notice()])
    with Receiver(500, 503) as receiver:
        done = hook(receiver.url).deliver(store.alerts, lambda: NOW)
    assert (done.delivered, done.complete, len(receiver.got)) == (1, True, 3)
    assert len({body for _, body in receiver.got}) == 1
    assert {headers["webhook-id"] for headers, _ in receiver.got} == {"msg_1"}
    headers, body = receiver.got[-1]
    Webhook(SECRET).verify(body, headers)
    kept = store.alerts.notice("msg_1")
    assert (kept.attempts, kept.delivered_at, kept.last_error) == (3, NOW, "503 Service Unavailable")


def test_a_failure_stays_in_the_outbox_with_its_reason_and_is_tried_again_later(store):
    store.alerts.put_notices([notice()])
    with Receiver(500, 500, 500) as receiver:
        done = hook(receiver.url).deliver(store.alerts, lambda: NOW)
        assert (done.failed, done.complete) == (1, False)
        assert "500" in done.errors[0]
        kept = store.alerts.notice("msg_1")
        assert kept.next_try > NOW
        assert hook(receiver.url).deliver(store.alerts, lambda: NOW).delivered == 0
        assert hook(receiver.url).deliver(store.alerts, lambda: kept.next_try).delivered == 1
    assert store.alerts.notice("msg_1").attempts == 4


def test_a_receiver_that_is_not_there_is_a_failure_and_no_exception(store):
    store.alerts.put_notices([notice()])
    done = hook("http://127.0.0.1:9/").deliver(store.alerts, lambda: NOW)
    assert done.failed == 1
    assert "ConnectError" in store.alerts.notice("msg_1").last_error


def test_a_receiver_that_is_gone_is_not_asked_again(store):
    store.alerts.put_notices([notice()])
    with Receiver(410) as receiver:
        done = hook(receiver.url).deliver(store.alerts, lambda: NOW)
        assert (done.given_up, len(receiver.got)) == (1, 1)
    assert store.alerts.due_notices(NOW + timedelta(days=365)) == ()


def test_after_many_attempts_a_notice_is_given_up_and_kept(store):
    store.alerts.put_notices([notice(attempts=GIVEN_UP_AFTER - 1)])
    assert hook("http://127.0.0.1:9/").deliver(store.alerts, lambda: NOW).given_up == 1
    assert store.alerts.notices(delivered=False)[0].next_try is None


def test_one_that_fails_does_not_hold_back_the_others(store):
    store.alerts.put_notices([notice(), notice(id="msg_2", created_at=NOW + timedelta(seconds=1))])
    with Receiver(500) as receiver:
        done = hook(receiver.url, tries=1).deliver(store.alerts, lambda: NOW)
    assert (done.failed, done.delivered) == (1, 1)


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_é"])
def test_a_secret_that_cannot_sign_is_refused_at_once(secret):
    with pytest.raises(SecretError):
        Webhooks("http://127.0.0.1:9/", secret)


RUN = Run(
    id=7, as_of=NOW.date(), started_at=NOW, finished_at=NOW, code="t", snapshot="s", rules="r", counts={"stale": 1}
)


def claim(name):
    return Claim(
        id=name,
        node="acme/n",
        says="It says so.",
        as_of=NOW.date(),
        value="1",
        expect=Expectation(form="is", bound="1"),
    )


def turn(name, silent=None, reason="because"):
    row = VerdictRow(
        claim=name, verdict=VerdictName.STALE, value="97.50", margin=None, unit="%", then_value=None, then_holds=True,
        now_holds=False, reason=reason,
    )  # fmt: skip
    flag = Flag(claim=name, verdict=VerdictName.STALE, first_run=7, first_seen=NOW.date())
    return FlagChange(name, flag, row, None, silent)


def written(turns, **rest):
    return NoticeWriter(RUN, NOW, "https://brain.example", claim, **rest).notices(turns)


def test_a_notice_is_a_cloudevent_whose_numbers_keep_their_digits():
    (made,) = written(FlagChanges(raised=[turn("c")]))
    event = from_structured_event(HTTPMessage({"content-type": "application/cloudevents+json"}, made.body.encode()))
    assert event.get_type() == "brain.claim.raised"
    assert (event.get_source(), event.get_subject(), event.get_id()) == ("https://brain.example", "c", made.id)
    assert '"value": 97.50' in made.body
    assert json.loads(made.body)["data"]["says"] == "It says so."


def test_the_same_run_writes_the_same_ids():
    assert [n.id for n in written(FlagChanges(raised=[turn("c")]))] == [
        n.id for n in written(FlagChanges(raised=[turn("c")]))
    ]


def test_many_turns_of_a_run_are_one_notice():
    (made,) = written(FlagChanges(raised=[turn(f"c{number}") for number in range(GROUPED)]))
    data = json.loads(made.body)["data"]
    assert (made.kind, data["count"]) == ("claims.raised", GROUPED)


def test_one_missing_catalogue_is_one_notice_with_its_causes():
    turns = [turn("a", reason="no price for x"), turn("b", reason="no price for x"), turn("c", reason="no price for y")]
    (made,) = written(FlagChanges(unchecked=turns))
    causes = json.loads(made.body)["data"]["causes"]
    assert causes == [{"reason": "no price for x", "claims": 2}, {"reason": "no price for y", "claims": 1}]


def test_what_is_silenced_is_not_told():
    silence = Silence(id="s", claim="c", reason="known", since=NOW.date())
    assert written(FlagChanges(raised=[turn("c", silence)], unchecked=[turn("c", silence)])) == []


def test_where_nobody_gets_notices_none_is_due(store):
    store.alerts.put_notices(written(FlagChanges(raised=[turn("c")]), send=False))
    assert store.alerts.due_notices(NOW + timedelta(days=1)) == ()
    assert len(store.alerts.notices()) == 1
