"""Runs in a store: what is stored with them, which of them moves flags, and how a run computed again is compared."""

from datetime import UTC, datetime, timedelta

import pytest

from compute.runs import run_ledger
from compute.runs.alerts import AlertProcessor
from graph.store import Store
from tests.compute.made import append_run, book_of, claim, price, verify

START = datetime(2026, 3, 2, 3, tzinfo=UTC)
CLAIM = claim(id="under-three", node="acme/prices", as_of=START.date(), at_most="3 USD/Mtok")


@pytest.fixture
def store(tmp_path):
    with Store.open(tmp_path / "brain.db") as opened:
        opened.claims.put("claims.yaml", [CLAIM])
        yield opened


def appended(store, value, at=START):
    book = book_of([price(value)])
    return append_run(store, verify([CLAIM], book, at.date()), book, at)


def test_a_run_for_another_day_is_no_observation(store):
    appended(store, "2")
    for days in (-300, 300):
        appended(store, "4", START + timedelta(days=days))
    assert AlertProcessor(store, "x").catch_up(START + timedelta(days=1)) == ()
    assert store.alerts.flags() == ()


def test_a_run_with_a_different_result_is_reported_claim_by_claim_and_the_same_prices_are_stored_once(store):
    kept = appended(store, "2")
    again = list(verify([CLAIM], book_of([price("2.5")]), kept.as_of))
    (difference,) = run_ledger.compare(store.ledger.rows(kept.id), again)
    assert (difference.claim, str(difference.kept.value), str(difference.again.value)) == ("under-three", "2", "2.5")
    for day in range(1, 3):
        appended(store, "2", START + timedelta(days=day))
    assert len(store.snapshots.all(run_ledger.BOOKS)) == 1
    assert len(store.snapshots.all(run_ledger.MANIFESTS)) == 1
