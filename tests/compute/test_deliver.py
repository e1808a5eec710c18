"""Notices on their way: a real receiver on this machine, and the outbox of a real store."""

import json
from datetime import UTC, datetime

import pytest
from cloudevents.core.bindings.http import HTTPMessage, from_structured_event

from compute.runs.alerts import FlagReport, NoticeWriter
from compute.runs.notice_delivery import GIVEN_UP_AFTER
from compute.runs.webhook_delivery import SecretError, Webhooks
from graph.models.alert_models import REMINDER, Flag, Notice
from graph.models.claim_models import VerdictName
from graph.models.verdict_models import Run
from graph.store import Store
from tests.compute import made
from tests.compute.receivers import SECRET, Receiver

NOW = datetime(2026, 3, 2, 3, tzinfo=UTC)


@pytest.fixture
def store(tmp_path):
    with Store.open(tmp_path / "brain.db") as opened:
        yield opened


def notice(**rest):
    usual = {"id": "msg_1", "kind": "claim.raised", "subject": "c", "body": '{"a": 1.50}', "created_at": NOW}
    return Notice(**{**usual, **rest})


def hook(url, tries=3):
    made = Webhooks(url, SECRET)
    made.tries = tries
    return made


def written(store, hook, *notices):
    store.notices.queue(hook.receiver, NOW)
    store.notices.put(notices)
    return hook


def sent(store, hook, *notices):
    return written(store, hook, *notices).deliver(store.notices, lambda: NOW)


def test_a_failure_stays_pending_with_its_reason_and_is_tried_again_later(store):
    with Receiver(500, 500, 500) as receiver:
        done = sent(store, hook(receiver.url), notice())
        assert (done.failed, done.complete) == (1, False)
        assert "500" in done.errors[0]
        (kept,) = store.notices.pending(hook(receiver.url).receiver)
        assert kept.next_try > NOW
        assert hook(receiver.url).deliver(store.notices, lambda: NOW).delivered == 0
        assert hook(receiver.url).deliver(store.notices, lambda: kept.next_try).delivered == 1
    assert store.notices.deliveries()[0].attempts == 4


def test_a_receiver_that_is_away_costs_one_notice_a_night_and_loses_none(store):
    away = hook("http://127.0.0.1:9/", tries=1)
    notices = [notice(id=f"msg_{number}", claims=(f"c{number}",)) for number in range(5)]
    assert sent(store, away, *notices).failed == 1
    assert [one.attempts for one in store.notices.pending(away.receiver)] == [1, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("status", "tried", "given_up"),
    [(410, 0, 1), *((code, GIVEN_UP_AFTER - 1, 1) for code in (400, 404)), (404, GIVEN_UP_AFTER - 2, 0)]
    + [(code, GIVEN_UP_AFTER - 1, 0) for code in (500, 503, 429, 408)],
)
def test_a_notice_is_given_up_only_if_the_receiver_rejects_it_and_stays_stored(store, status, tried, given_up):
    with Receiver(status) as receiver:
        hooked = written(store, hook(receiver.url, tries=1), notice())
        store.notices.queue(hooked.receiver, NOW)
        (waiting,) = store.notices.pending(hooked.receiver)
        store.notices.save(waiting.model_copy(update={"attempts": tried}))
        assert hooked.deliver(store.notices, lambda: NOW).given_up == given_up
        assert len(receiver.got) == 1
    assert [one.pending for one in store.notices.deliveries()] == [not given_up]


def test_only_a_return_waits_for_the_break_that_it_ends_and_the_round_is_not_complete(store):
    with Receiver(500) as receiver:
        hooked = hook(receiver.url, tries=1)
        broke, back = notice(claims=("a",)), notice(id="msg_2", kind="claim.returned", claims=("a",))
        first = sent(store, hooked, broke, back, notice(id="msg_3", claims=("b",)))
        assert (first.delivered, first.failed, first.waiting, first.complete) == (1, 1, 1, False)
        early = hooked.deliver(store.notices, lambda: NOW)
        assert (early.failed, early.waiting, early.complete) == (0, 2, False)
        assert early.next_try == first.next_try == store.notices.pending(hooked.receiver)[0].next_try
        last = hooked.deliver(store.notices, lambda: early.next_try)
    assert (last.delivered, last.waiting, last.next_try, last.complete) == (2, 0, None, True)
    assert [headers["webhook-id"] for headers, _ in receiver.got] == ["msg_1", "msg_3", "msg_1", "msg_2"]


def test_of_the_reminders_that_wait_only_the_newest_is_sent(store):
    with Receiver() as receiver:
        hooked = hook(receiver.url)
        store.notices.queue(hooked.receiver, NOW)
        for number in range(3):
            store.notices.put([notice(id=f"msg_{number}", kind=REMINDER, claims=("a",))])
            if number == 1:
                store.notices.queue(hooked.receiver, NOW)
        assert hooked.deliver(store.notices, lambda: NOW).delivered == 1
    assert [headers["webhook-id"] for headers, _ in receiver.got] == ["msg_2"]


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_é", "whsec_aaaa whsec_bbbb"])
def test_a_secret_that_cannot_sign_is_refused_at_once(secret):
    with pytest.raises(SecretError):
        Webhooks("http://127.0.0.1:9/", secret)


RUN = Run(id=7, as_of=NOW.date(), started_at=NOW, finished_at=NOW, code="t", snapshot="s", rules="r", counts={})


def claim(name):
    return made.claim("1", id=name, says="It says so.", as_of=NOW.date(), is_="1")


def turn(name, kind="raised", reason="because"):
    told = {"value": "97.50", "unit": "%", "then_holds": True, "now_holds": False, "reason": reason}
    flag = Flag(claim=name, verdict=VerdictName.STALE, first_run=7, first_seen=NOW.date())
    return FlagReport(kind, flag, made.row(name, VerdictName.STALE, **told))


def notices_of(turns, **rest):
    return [one for one, _ in NoticeWriter(RUN, NOW, "https://brain.example", claim, **rest).notices(turns)]


def test_a_notice_is_a_cloudevent_whose_numbers_keep_their_digits_with_the_same_id_for_the_same_run_of_a_home():
    (one,) = notices_of([turn("c")])
    event = from_structured_event(HTTPMessage({"content-type": "application/cloudevents+json"}, one.body.encode()))
    assert event.get_type() == "brain.claim.raised"
    assert (event.get_source(), event.get_subject(), event.get_id()) == ("https://brain.example", "c", one.id)
    assert '"value": 97.50' in one.body
    assert json.loads(one.body)["data"]["says"] == "It says so."
    one, again, other = (notices_of([turn("c")], store=name)[0].id for name in ("one", "one", "other"))
    assert one == again != other


def test_one_missing_catalogue_is_one_notice_with_its_causes():
    (one,) = notices_of([turn(name, "unchecked", f"no price for {missing}") for name, missing in ("ax", "bx", "cy")])
    causes = json.loads(one.body)["data"]["causes"]
    assert causes == [{"reason": "no price for x", "claims": 2}, {"reason": "no price for y", "claims": 1}]


class LostError(Exception):
    """The lock of the night is lost."""


def test_without_the_lock_nothing_is_sent_and_a_failure_replaces_no_success_of_another_process(store):
    def lost():
        raise LostError

    def lost_meanwhile():
        if receiver.got:
            raise LostError

    with Receiver(410) as receiver:
        hooked = written(store, hook(receiver.url), notice())
        with pytest.raises(LostError):
            hooked.deliver(store.notices, lambda: NOW, lost)
        assert receiver.got == []
        with pytest.raises(LostError):
            hooked.deliver(store.notices, lambda: NOW, lost_meanwhile)
        assert len(receiver.got) == 1
    (kept,) = store.notices.deliveries()
    assert (kept.pending, kept.attempts) == (True, 0)
