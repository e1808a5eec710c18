"""No alert is lost: notices belong to flags, and each receiver gets what it is owed exactly once."""

import json

from api.cli.root import main
from tests.compute.receivers import SECRET, Receiver
from tests.stories.night_home import Home, data, day, kinds, moment

BREAK, BACK = {2: "2.40"}, {2: "2.40", 6: "1.80"}


def test_a_run_by_hand_without_the_setting_does_not_swallow_the_notice(tmp_path):
    home = Home(tmp_path, BREAK)
    with Receiver() as receiver:
        home.night(1, receiver.url)
        home.by_hand(2, hour=1)
        home.night(2, receiver.url)
        assert kinds(receiver) == ["claim.raised"]
        home.night(3, receiver.url)
    assert len(receiver.got) == 1


def test_a_break_and_a_return_found_only_by_manual_runs_are_both_sent_in_order(tmp_path):
    home = Home(tmp_path, BACK)
    with Receiver() as receiver:
        home.night(1, receiver.url)
        home.by_hand(3)
        home.by_hand(7)
        home.night(8, receiver.url)
    assert kinds(receiver) == ["claim.raised", "claim.returned"]


def test_the_command_line_without_the_setting_leaves_the_notice_to_the_next_night(tmp_path, monkeypatch, capsys):
    home = Home(tmp_path, BREAK)
    monkeypatch.setenv("BRAIN_HOME", str(home.path))

    def brain(*arguments):
        try:
            main(list(arguments))
        except SystemExit as end:
            return end.code or 0
        return 0

    with Receiver() as receiver:
        assert brain("verify", "--json") == 0
        assert brain("nightly", "--no-refresh", "--json") == 0
        assert receiver.got == []
        monkeypatch.setenv("BRAIN_WEBHOOK_URL", receiver.url)
        monkeypatch.setenv("BRAIN_WEBHOOK_SECRET", SECRET)
        capsys.readouterr()
        assert brain("nightly", "--no-refresh", "--json") == 0
        assert json.loads(capsys.readouterr().out)["delivery"]["delivered"] == 1
        assert brain("nightly", "--no-refresh") == 0
    assert kinds(receiver) == ["claim.raised"]


def test_a_flag_that_goes_up_in_a_silence_is_reported_after_it(tmp_path):
    home = Home(tmp_path, BREAK)
    home.silence(1, 5)
    with Receiver() as receiver:
        for number in range(1, 5):
            home.night(number, receiver.url)
        assert receiver.got == []
        home.night(5, receiver.url)
        home.night(6, receiver.url)
    assert kinds(receiver) == ["claim.raised"]
    told = data(receiver)
    assert (told["since"], told["raised"], told["as_of"], told["verdict"]) == (
        str(day(2)),
        str(day(2)),
        str(day(5)),
        "stale",
    )


def test_a_silence_that_is_lifted_early_is_over_with_the_next_run(tmp_path):
    home = Home(tmp_path, BREAK)
    home.silence(1, 30, tag="gpu")
    with Receiver() as receiver:
        home.night(2, receiver.url)
        with home.open() as brain:
            assert brain.alerts.remove_silence("s")
        home.night(3, receiver.url)
    assert kinds(receiver) == ["claim.raised"]


def test_a_flag_that_is_over_before_its_silence_is_reported_neither_up_nor_down(tmp_path):
    home = Home(tmp_path, {2: "2.40", 4: "1.80"})
    home.silence(1, 6)
    with Receiver() as receiver:
        for number in range(1, 9):
            home.night(number, receiver.url)
    assert receiver.got == []


def test_a_return_within_a_silence_is_reported_after_it_if_the_break_was(tmp_path):
    home = Home(tmp_path, BACK)
    with Receiver() as receiver:
        home.night(2, receiver.url)
        home.silence(5, 8)
        for number in range(3, 8):
            home.night(number, receiver.url)
        assert kinds(receiver) == ["claim.raised"]
        home.night(8, receiver.url)
        home.night(9, receiver.url)
    assert kinds(receiver) == ["claim.raised", "claim.returned"]


def test_a_return_and_a_new_break_within_a_silence_are_one_notice_of_what_is_the_case(tmp_path):
    home = Home(tmp_path, {2: "2.40", 5: "1.80", 7: "2.60"})
    with Receiver() as receiver:
        home.night(2, receiver.url)
        home.silence(4, 9)
        for number in range(4, 10):
            home.night(number, receiver.url)
    assert kinds(receiver) == ["claim.raised", "claim.raised"]
    assert (data(receiver)["before"], data(receiver)["since"]) == ("stale", str(day(7)))


def test_a_second_receiver_and_one_that_is_set_later_get_what_they_are_owed_once(tmp_path):
    home = Home(tmp_path, BACK)
    with Receiver() as first, Receiver() as second:
        home.night(2, first.url)
        home.night(3, first.url, second.url)
        home.night(4, second.url)
        assert [kinds(first), kinds(second)] == [["claim.raised"]] * 2
        assert first.got[0][0]["webhook-id"] == second.got[0][0]["webhook-id"]
        home.night(6, second.url)
        home.night(7, first.url, second.url)
    assert [kinds(first), kinds(second)] == [["claim.raised", "claim.returned"]] * 2
    assert [len(first.got), len(second.got)] == [2, 2]


def test_a_receiver_that_is_set_after_the_return_is_owed_nothing(tmp_path):
    home = Home(tmp_path, BACK)
    for number in (2, 6):
        home.by_hand(number)
    with Receiver() as receiver:
        home.night(7, receiver.url)
    assert receiver.got == []


def test_two_runs_need_two_days(tmp_path):
    home = Home(tmp_path, BREAK, for_runs=2)
    for hour in (9, 10, 11):
        home.by_hand(2, hour)
    assert [flag.standing for flag in home.flags()] == [False]
    home.by_hand(3)
    assert [flag.raised_at for flag in home.flags()] == [day(3)]


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


def test_what_is_still_raised_is_reported_again_each_week(tmp_path):
    home = Home(tmp_path, {2: "2.40", 20: "1.80"})
    with Receiver() as receiver:
        for number in (2, 3, 8, 9, 10, 15, 16, 20, 27):
            home.night(number, receiver.url)
    assert kinds(receiver) == ["claim.raised", "claims.reminder", "claims.reminder", "claim.returned"]
    events = [json.loads(body) for _, body in receiver.got]
    assert [event["time"][:10] for event in events] == [str(day(number)) for number in (2, 9, 16, 20)]
    (listed,) = events[1]["data"]["claims"]
    assert (listed["claim"], listed["verdict"], listed["since"]) == ("cheap-rent", "stale", str(day(2)))


def test_reminders_have_a_setting_and_can_be_disabled(tmp_path):
    home = Home(tmp_path, BREAK)
    with Receiver() as receiver:
        for number in (2, 9, 30):
            home.night(number, receiver.url, remind_days=0)
        assert kinds(receiver) == ["claim.raised"]
        home.night(30, receiver.url, remind_days=29)
        home.night(31, receiver.url, remind_days=29)
    assert kinds(receiver) == ["claim.raised", "claims.reminder"]


def test_a_silence_holds_reminders_back_too(tmp_path):
    home = Home(tmp_path, BREAK)
    with Receiver() as receiver:
        home.night(2, receiver.url)
        home.silence(3, 20)
        for number in (3, 9, 10, 19):
            home.night(number, receiver.url)
        assert kinds(receiver) == ["claim.raised"]
        home.night(20, receiver.url)
    assert kinds(receiver) == ["claim.raised", "claims.reminder"]


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
