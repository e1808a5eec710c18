import hashlib
from datetime import UTC, date, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from graph.models.alert_models import Flag, Notice, Silence
from graph.models.claim_models import ClaimSeverity, VerdictName
from graph.models.query_models import AuditEntry
from graph.models.verdict_models import VerdictRow
from graph.store import store_errors as errors
from graph.store.ledger_tables import VERDICTS


def test_claims_belong_to_their_document(store, make):
    one = make.claim("one", tags=("price", "gpu"))
    two = make.claim("two", node="ada/rye", severity=ClaimSeverity.CRITICAL)
    assert store.claims.put("a.yaml", [one, two]).added == ("one", "two")
    assert list(store.claims.all()) == [one, two]
    assert list(store.claims.all(node="ada/rye")) == [two]
    assert list(store.claims.all(ids=["two", "three"])) == [two]
    assert store.claims.by_node() == {"ada/barley": ("one",), "ada/rye": ("two",)}
    assert store.claims.get("one") == one
    assert store.claims.put("a.yaml", [one, two]).nothing
    later = one.model_copy(update={"note": "Look again."})
    changes = store.claims.put("a.yaml", [later, make.claim("three")])
    assert (changes.added, changes.changed, changes.removed) == (("three",), ("one",), ("two",))
    assert store.claims.documents() == {"a.yaml": 2}
    assert store.claims.count() == 2
    with pytest.raises(errors.UnknownClaimError):
        store.claims.get("two")


def test_a_claim_has_one_home(store, make):
    store.claims.put("a.yaml", [make.claim("one")])
    with pytest.raises(errors.TakenError, match=r"b\.yaml contains the claim one, which a\.yaml already has"):
        store.claims.put("b.yaml", [make.claim("zero"), make.claim("one")])
    with pytest.raises(errors.DuplicateError):
        store.claims.put("b.yaml", [make.claim("zero"), make.claim("zero")])
    assert store.claims.count() == 1


def test_a_run_is_stored_with_every_digit(store, make):
    rows = [
        make.row("a", value="0.9500000000000000000000000001", then_holds=True),
        make.row("b", VerdictName.STALE, "1E+30", then_holds=False, reason="It broke, “badly”."),
        make.row("c", VerdictName.UNVERIFIABLE, None, now_holds=None),
    ]
    run = make.run(store, iter(rows), notes=("catalogue is old",))
    assert run.id == 1
    assert run.counts == {"holds": 1, "stale": 1, "unverifiable": 1}
    assert store.ledger.run(1) == run
    assert run.finished_at == make.noon
    assert list(store.ledger.rows(1)) == rows
    assert [str(row.value) for row in store.ledger.rows(1)][:2] == ["0.9500000000000000000000000001", "1E+30"]
    assert list(store.ledger.rows(1, verdict=VerdictName.STALE)) == [rows[1]]
    assert list(store.ledger.rows(1, claims=["a", "c", "z"])) == [rows[0], rows[2]]
    assert list(store.ledger.rows(1, after="a")) == rows[1:]
    assert store.ledger.row(1, "b") == rows[1]
    for ask in (lambda: store.ledger.run(2), lambda: store.ledger.row(1, "z"), lambda: store.ledger.row(2, "a")):
        with pytest.raises(errors.UnknownRunError):
            ask()


def test_runs_are_found_by_day_and_order(store, make):
    first = make.run(store, [make.row("a")], date(2026, 3, 1))
    second = make.run(store, [make.row("a", VerdictName.STALE), make.row("b")], date(2026, 3, 2))
    third = make.run(store, [make.row("b", VerdictName.STALE)], date(2026, 3, 1))
    assert [run.id for run in store.ledger.runs()] == [3, 2, 1]
    assert store.ledger.runs(limit=1, before=3) == (second,)
    assert store.ledger.latest_run() == second
    assert store.ledger.present_runs() == (second, third, first)
    assert store.ledger.present_runs(1, before=third) == (first,)
    assert store.ledger.next_run(third) == second
    assert store.ledger.next_run(second) is None
    assert store.ledger.latest_run(as_of=date(2026, 3, 1)) == third
    assert store.ledger.latest_run(as_of=date(2026, 3, 1), before=third) == first
    assert store.ledger.latest_run(as_of=date(2027, 1, 1)) is None
    assert [(run.id, row.verdict.value) for run, row in store.ledger.history("a")] == [(2, "stale"), (1, "holds")]
    (a, old, new), (b, none, first) = store.ledger.changes(1, 2)
    assert (a, old.verdict, new.verdict, b, none, first.verdict) == ("a", "holds", "stale", "b", None, "holds")
    assert [claim for claim, _, _ in store.ledger.changes(2, 3)] == ["a", "b"]


def test_a_run_that_fails_half_way_is_not_there_and_one_may_be_made_from_the_claims_as_they_stream(store, make):
    def breaks():
        yield make.row("a")
        raise RuntimeError("the night is over")

    with pytest.raises(RuntimeError):
        make.run(store, breaks())
    with pytest.raises(errors.DuplicateError, match="claim a twice"):
        make.run(store, [make.row("a"), make.row("b"), make.row("a")])
    assert store.ledger.runs() == ()
    assert list(store.ledger.rows(1)) == []
    assert make.run(store, []).id == 1
    store.claims.put("a.yaml", (make.claim(f"c{number:05}") for number in range(2500)))
    run = make.run(store, (make.row(claim.id) for claim in store.claims.all()))
    assert (run.id, run.counts) == (2, {"holds": 2500})


@pytest.mark.parametrize("table", ["runs", "verdicts"])
@pytest.mark.parametrize("statement", ["UPDATE {} SET {} = 'x'", "DELETE FROM {}"])
def test_the_ledger_refuses_to_be_changed(store, make, table, statement):
    make.run(store, [make.row("a")])
    column = {"runs": "code", "verdicts": "reason"}[table]
    with pytest.raises(DBAPIError, match="append-only"), store.writing() as work:
        work.sql.execute(text(statement.format(table, column)))
    assert store.ledger.row(1, "a").reason == "It is as it was said."


def test_every_verdict_has_its_number_for_ever(store, make):
    assert set(VERDICTS) == set(VerdictName)
    numbered = ["holds", "stale", "refuted", "unverifiable", "conflicting", "error", "depends"]
    assert [name.value for name in VERDICTS] == numbered
    make.run(store, [make.row(name.value, name) for name in VERDICTS])
    assert {row.claim: row.verdict for row in store.ledger.rows(1)} == {name.value: name for name in VERDICTS}


NUMBERS = st.none() | st.decimals(allow_nan=False, allow_infinity=False)
WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20)
FLAGS = st.none() | st.booleans()
TEXTS = dict.fromkeys(("claim", "unit", "reason"), WORDS)
FIGURES = {"value": NUMBERS, "margin": NUMBERS, "then_value": NUMBERS, "then_holds": FLAGS, "now_holds": FLAGS}
ROWS = st.builds(VerdictRow, verdict=st.sampled_from(VerdictName), **TEXTS, **FIGURES)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(ROWS, max_size=8, unique_by=lambda row: row.claim))
def test_what_goes_into_the_ledger_comes_out_digit_for_digit(lite, make, rows):
    run = make.run(lite, rows)
    found = {row.claim: row for row in lite.ledger.rows(run.id)}
    assert found == {row.claim: row for row in rows}
    assert all(str(found[row.claim].value) == str(row.value) for row in rows)


def test_snapshots_are_stored_by_their_hash(store, make):
    payload = b'{"prices": []}' * 1000
    digest = hashlib.sha256(payload).hexdigest()
    assert store.snapshots.put(digest, "cards", payload, make.noon) is True
    version = store.version()
    assert store.snapshots.put(digest, "cards", payload, make.noon) is False
    assert store.version() == version
    assert store.snapshots.get(digest) == payload
    assert [(one.hash, one.catalog, one.size) for one in store.snapshots.all()] == [(digest, "cards", len(payload))]
    assert store.snapshots.all("other") == ()
    with pytest.raises(errors.SnapshotMismatchError):
        store.snapshots.put(digest, "cards", b"else", make.noon)
    with pytest.raises(errors.UnknownSnapshotError):
        store.snapshots.get("0" * 64)


def test_the_check_sees_what_was_tampered_with(lite, make):
    payload = b"prices"
    digest = hashlib.sha256(payload).hexdigest()
    make.put(lite, make.node("oats"))
    lite.snapshots.put(digest, "cards", payload, make.noon)
    make.run(lite, [make.row("a")], snapshot=digest)
    assert lite.check() == []
    spoil = ("UPDATE documents SET text = x'00'", "UPDATE snapshots SET payload = x'789c'")
    spoil += ("DROP TRIGGER verdicts_no_delete", "DELETE FROM verdicts", "UPDATE nodes SET document = 'gone.md'")
    with lite.writing() as work:
        for statement in spoil:
            work.sql.execute(text(statement))
    found = sorted(problem.code for problem in lite.check())
    assert found == ["document-hash", "node-count", "orphan-node", "run-count", "snapshot-hash"]


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
