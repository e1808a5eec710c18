"""No alert is lost: notices belong to flags, and each receiver gets what it is owed exactly once."""

import json

import pytest

from tests.command import outcome
from tests.compute.receivers import SECRET, Receiver
from tests.stories.night_home import Home, data, day, kinds, moment

BREAK, BACK = {2: "2.40"}, {2: "2.40", 6: "1.80"}
UP, DOWN, AGAIN = "claim.raised", "claim.returned", "claims.reminder"

SENT = {
    "a run by hand without the setting does not swallow the notice": (BREAK, None, (2,), (1, 2, 3), [(2, UP)], {}),
    "a break and a return found only by hand are both sent": (BACK, None, (3, 7), (1, 8), [(3, UP), (7, DOWN)], {}),
    "a receiver that is set after the return is owed nothing": (BACK, None, (2, 6), (7,), [], {}),
    "a flag that goes up in a silence is reported after it": (
        *(BREAK, (1, 5), (), range(1, 7), [(5, UP)]),
        {"since": str(day(2)), "raised": str(day(2)), "as_of": str(day(5)), "verdict": "stale"},
    ),
    "a flag that is over before its silence is not reported": ({2: "2.40", 4: "1.80"}, (1, 6), (), range(1, 9), [], {}),
    "a return within a silence is reported after it": (BACK, (5, 8), (), range(2, 10), [(2, UP), (8, DOWN)], {}),
    "a return and a new break within a silence are one notice of what is the case": (
        *({2: "2.40", 5: "1.80", 7: "2.60"}, (4, 9), (), (2, *range(4, 10)), [(2, UP), (9, UP)]),
        {"before": "stale", "since": str(day(7))},
    ),
    "what is still raised is reported again each week": (
        *({2: "2.40", 20: "1.80"}, None, (), (2, 3, 8, 9, 10, 15, 16, 20, 27)),
        *([(2, UP), (9, AGAIN), (16, AGAIN), (20, DOWN)], {}),
    ),
    "a silence holds reminders back too": (BREAK, (3, 20), (), (2, 3, 9, 10, 19, 20), [(2, UP), (20, AGAIN)], {}),
}
"""Prices by day, the days of a silence, runs by hand, nights; what is sent on which day, and what the last notice says."""


@pytest.mark.parametrize(("prices", "silence", "by_hand", "nights", "sent", "about"), SENT.values(), ids=SENT)
def test_notices_are_sent_once_and_on_their_day(tmp_path, prices, silence, by_hand, nights, sent, about):
    home = Home(tmp_path, prices)
    if silence:
        home.silence(*silence)
    with Receiver() as receiver:
        for number in sorted({*by_hand, *nights}):
            if number in by_hand:
                home.by_hand(number, hour=1)
            if number in nights:
                home.night(number, receiver.url)
    events = [json.loads(body) for _, body in receiver.got]
    told = [(event["time"][:10], event["type"]) for event in events]
    assert told == [(str(day(at)), f"brain.{kind}") for at, kind in sent]
    assert not sent or about.items() <= data(receiver).items()


def test_the_command_line_without_the_setting_leaves_the_notice_to_the_next_night(tmp_path, monkeypatch):
    home = Home(tmp_path, BREAK)
    with Receiver() as receiver:
        assert outcome(home.path, "verify").code == 0
        assert outcome(home.path, "nightly", "--no-refresh").code == 0
        assert receiver.got == []
        monkeypatch.setenv("BRAIN_WEBHOOK_URL", receiver.url)
        monkeypatch.setenv("BRAIN_WEBHOOK_SECRET", SECRET)
        night = outcome(home.path, "nightly", "--no-refresh", "--json")
        assert (night.code, night.json["delivery"]["delivered"]) == (0, 1)
        assert outcome(home.path, "nightly", "--no-refresh").code == 0
    assert kinds(receiver) == ["claim.raised"]


def test_five_runs_that_hold_narrowly_need_five_days_to_lower_a_flag(tmp_path):
    home = Home(tmp_path, {2: "2.40", 3: "1.999"})
    home.by_hand(2)
    for hour in range(9, 15):
        home.by_hand(3, hour)
    assert [flag.standing for flag in home.flags()] == [True]
    for number in (4, 5, 6):
        home.by_hand(number)
    assert [flag.standing for flag in home.flags()] == [True]
    home.by_hand(7)
    assert [flag.lowered_at for flag in home.flags()] == [day(7)]


def test_reminders_have_a_setting_and_can_be_disabled(tmp_path):
    home = Home(tmp_path, BREAK)
    with Receiver() as receiver:
        for number in (2, 9, 30):
            home.night(number, receiver.url, remind_days=0)
        assert kinds(receiver) == ["claim.raised"]
        home.night(30, receiver.url, remind_days=29)
        home.night(31, receiver.url, remind_days=29)
    assert kinds(receiver) == ["claim.raised", "claims.reminder"]
    (listed,) = data(receiver)["claims"]
    assert (listed["claim"], listed["verdict"], listed["since"]) == ("cheap-rent", "stale", str(day(2)))


def test_the_flag_of_a_deleted_claim_is_reported_as_removed(tmp_path):
    home = Home(tmp_path, BREAK)
    with Receiver() as receiver:
        home.night(2, receiver.url)
        with home.open() as brain:
            name = next(head.name for head in brain.documents.heads() if head.name.endswith("claims.yaml"))
            brain.importer.remove([name], at=moment(3))
        home.night(3, receiver.url)
        home.night(4, receiver.url)
    assert kinds(receiver) == ["claim.raised", "claim.removed"]
    assert data(receiver)["before"] == "stale"


def test_the_feed_has_a_change_whatever_silences_and_receivers_say(tmp_path):
    home = Home(tmp_path, BREAK)
    home.silence(1, 30)
    home.night(1)
    home.night(2)
    with home.open() as brain:
        (turned,) = brain.reports.changed_runs()
        assert [(change.claim, change.after.value) for change in turned.changes] == [("cheap-rent", "stale")]
        assert brain.notices.latest() == ()
