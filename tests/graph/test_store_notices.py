"""Flags, silences, notices, the audit log."""

from datetime import UTC, date, datetime

from graph.models.alert_models import Flag, Notice, Silence
from graph.models.claim_models import VerdictName
from graph.models.query_models import AuditEntry

DAY = date(2026, 3, 4)
STALE = {"claim": "a", "verdict": VerdictName.STALE, "first_run": 1, "first_seen": DAY}
NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


def test_flags_wait_are_raised_and_are_over(store):
    waiting = Flag(**STALE | {"first_run": 3})
    standing = waiting.model_copy(update={"claim": "b", "raised_at": DAY, "raised_run": 3})
    over = standing.model_copy(update={"first_run": 1, "lowered_at": date(2026, 3, 2), "lowered_run": 2})
    store.alerts.put_flags([waiting, standing, over])
    assert store.alerts.flags() == (waiting, over, standing)
    assert store.alerts.flags(standing=True) == (standing,)
    assert store.alerts.flags(over=False) == (waiting, standing)
    assert store.alerts.flags(claim="b", over=True) == (over,)
    raised = waiting.model_copy(update={"raised_at": date(2026, 3, 5), "streak": 2})
    store.alerts.put_flags([waiting, raised])
    assert store.alerts.flags(claim="a") == (raised,), "of two with one key the last one is kept"
    version = store.version()
    store.alerts.remove_flags([waiting])
    store.alerts.remove_flags([waiting])
    store.alerts.put_flags([])
    assert store.alerts.flags(claim="a") == ()
    assert store.version() == version + 1


def test_silences_are_replaced_and_lifted_and_a_reported_flag_that_is_over_owes_a_notice_until_it_is_settled(store):
    quiet = Silence(id="s1", tag="gpu", reason="moving house", since=date(2026, 3, 4))
    longer = quiet.model_copy(update={"until": date(2026, 4, 1)})
    for silence in (quiet, longer):
        store.alerts.put_silence(silence)
    assert store.alerts.silences() == (longer,)
    assert [store.alerts.remove_silence("s1") for _ in range(2)] == [True, False]
    reported = Flag(**STALE, raised_at=DAY, told_on=DAY)
    over = reported.model_copy(update={"lowered_at": DAY})
    for flag, owing in ((reported, ()), (over, (over,)), (over.model_copy(update={"settled": True}), ())):
        store.alerts.put_flags([flag])
        assert store.alerts.flags(owing=True) == owing


def notice(number, body="{}"):
    stated = {"kind": "claim.raised", "subject": "a", "claims": ("a",), "created_at": NOON}
    return Notice(id=f"n{number}", body=body, **stated)


def ids(deliveries):
    return [one.notice.id for one in deliveries]


def test_each_receiver_gets_each_notice_once_from_its_own_cursor(store):
    store.notices.queue("one", NOON)
    store.notices.put([notice(1), notice(2)])
    store.notices.put([notice(1, body="other")])
    store.notices.queue("one", NOON)
    (first, _) = store.notices.pending("one")
    assert (first.notice, first.next_try) == (notice(1), NOON)
    store.notices.save(first.model_copy(update={"delivered_at": NOON, "next_try": None, "attempts": 1}))
    store.notices.queue("two", NOON)
    store.notices.put([notice(3)])
    for receiver in ("one", "two", "one", "two"):
        store.notices.queue(receiver, NOON)
    assert ids(store.notices.pending("one")) == ["n2", "n3"]
    assert ids(store.notices.pending("two")) == ["n3"]
    assert [one.attempts for one in store.notices.deliveries("one")] == [1, 0, 0]
    assert [one.id for one in store.notices.latest(2)] == ["n3", "n2"]


def test_a_new_receiver_gets_the_notices_of_the_flags_that_are_still_raised_and_no_news_are_no_write(store):
    store.notices.put([notice(1), notice(2), notice(3)])
    raised = Flag(**STALE, raised_at=DAY, told_on=DAY, notice="n2")
    over = raised.model_copy(update={"claim": "b", "notice": "n1", "lowered_at": DAY})
    store.alerts.put_flags([raised, over])
    store.notices.queue("late", NOON)
    version = store.version()
    store.notices.queue("late", NOON)
    assert (ids(store.notices.pending("late")), store.version()) == (["n2"], version)


def test_the_audit_log_and_notes(store, make):
    first = AuditEntry(at=make.noon, actor="token", action="put-document", detail="farm.md")
    second = first.model_copy(update={"action": "run"})
    store.audit.append(first)
    store.audit.append(second)
    assert store.audit.latest() == (second, first)
    assert store.metadata.get("season") is None
    store.metadata.put("season", "spring")
    version = store.version()
    store.metadata.put("season", "spring")
    assert store.version() == version
    store.metadata.put("season", "summer")
    assert store.metadata.get("season") == "summer"
