"""Flags, silences, notices, the audit log."""

from datetime import date, timedelta

import pytest

from graph.models.alert_models import Flag, Notice, Silence
from graph.models.claim_models import VerdictName
from graph.models.query_models import AuditEntry
from graph.store import UnknownNoticeError


def test_flags_wait_stand_and_are_over(store):
    waiting = Flag(claim="a", verdict=VerdictName.STALE, first_run=3, first_seen=date(2026, 3, 4))
    standing = waiting.model_copy(update={"claim": "b", "raised_at": date(2026, 3, 4), "raised_run": 3})
    over = standing.model_copy(update={"first_run": 1, "lowered_at": date(2026, 3, 2), "lowered_run": 2})
    store.alerts.put_flags([waiting, standing, over])
    assert store.alerts.flags() == (waiting, over, standing)
    assert store.alerts.flags(standing=True) == (standing,)
    assert store.alerts.flags(over=False) == (waiting, standing)
    assert store.alerts.flags(claim="b", over=True) == (over,)
    raised = waiting.model_copy(update={"raised_at": date(2026, 3, 5), "streak": 2})
    store.alerts.put_flags([raised])
    assert store.alerts.flags(claim="a") == (raised,)
    version = store.version()
    store.alerts.remove_flags([waiting])
    store.alerts.remove_flags([waiting])
    store.alerts.put_flags([])
    assert store.alerts.flags(claim="a") == ()
    assert store.version() == version + 1


def test_silences_are_replaced_and_lifted(store):
    quiet = Silence(id="s1", tag="gpu", reason="moving house", since=date(2026, 3, 4))
    store.alerts.put_silence(quiet)
    longer = quiet.model_copy(update={"until": date(2026, 4, 1)})
    store.alerts.put_silence(longer)
    assert store.alerts.silences() == (longer,)
    assert store.alerts.remove_silence("s1") is True
    assert store.alerts.remove_silence("s1") is False


def test_notices_come_due_and_are_delivered(store, make):
    notice = Notice(id="n1", kind="raised", subject="a broke", body="{}", created_at=make.noon, next_try=make.noon)
    later = notice.model_copy(update={"id": "n2", "next_try": make.noon + timedelta(minutes=5)})
    given_up = notice.model_copy(update={"id": "n3", "next_try": None, "last_error": "410"})
    store.alerts.put_notices([notice, later, given_up])
    assert store.alerts.due_notices(make.noon) == (notice,)
    assert store.alerts.due_notices(make.noon + timedelta(hours=1)) == (notice, later)
    done = notice.model_copy(update={"delivered_at": make.noon, "attempts": 1, "next_try": None})
    store.alerts.put_notices([done])
    assert store.alerts.notice("n1") == done
    assert store.alerts.notices(delivered=True) == (done,)
    assert [one.id for one in store.alerts.notices(limit=2)] == ["n3", "n2"]
    with pytest.raises(UnknownNoticeError):
        store.alerts.notice("n9")


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
