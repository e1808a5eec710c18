"""A night from end to end: the clock is an argument, a price changed, a receiver that fails twice, the ledger and the lock."""

from datetime import UTC, datetime, timedelta

import pytest
from filelock import FileLock

from compute.catalogs.catalog_download import RefreshError
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Catalog
from compute.prices.snapshots import diff
from compute.runs import run_ledger
from compute.runs.alert_processor import AlertProcessor
from compute.runs.nightly_job import NightRunningError, TimeLimitError, night
from compute.runs.notice_delivery import Delivery
from compute.runs.webhook_delivery import Webhooks
from compute.verify.claim_verifier import verify
from graph.models.claim_models import VerdictName
from graph.store import Store
from tests.compute.made import claim, price
from tests.compute.receivers import SECRET

START = datetime(2026, 3, 2, 3, tzinfo=UTC)


def catalog(value, **days):
    return Catalog(name="cards", prices=(price(value, **days),), taken=START.date())


CLAIM = claim(id="under-three", node="acme/prices", as_of=START.date(), at_most="3 USD/Mtok")


class Brain:
    """The steps of a night over a store, with a catalogue that a test changes."""

    def __init__(self, store, value="2", hook=None):
        self.store, self.catalog, self.newest, self.hook = store, catalog(value), None, hook
        store.claims.put("claims.yaml", [CLAIM])

    def read(self, _at):
        return ()

    def refresh(self, _at):
        if self.newest is None:
            raise RefreshError("https://acme.example", OSError("no route to host"))
        changes, self.catalog = diff([self.catalog], [self.newest]), self.newest
        return changes

    list_notes = ("default list: could not fetch",)

    def waiting_catalogs(self):
        return ()

    def verify(self, at, deadline, notes):
        book = CatalogBook([self.catalog])
        rows = deadline.over(verify([CLAIM], book, at.date()), "verify")
        return run_ledger.append(
            self.store, rows, snapshot=book.snapshot, rules=run_ledger.manifest(self.store.documents.all()), as_of=at.date(),
            started_at=at, clock=lambda: at, code="test", notes=notes,
        )  # fmt: skip

    def flag(self, _run, at):
        return AlertProcessor(self.store, "https://brain.example").catch_up(at)

    def deliver(self, clock):
        return self.hook.deliver(self.store.notices, clock) if self.hook else Delivery()


@pytest.fixture
def store(tmp_path):
    with Store.open(tmp_path / "brain.db") as opened:
        yield opened


def run(brain, tmp_path, at=START, **rest):
    return night(brain, clock=lambda: at, lock=tmp_path / "nightly.lock", **rest)


FAULTS = (VerdictName.STALE, VerdictName.REFUTED, VerdictName.ERROR)


def test_without_a_network_the_night_goes_on_with_the_prices_at_hand_and_says_so(store, tmp_path):
    one = run(Brain(store), tmp_path)
    assert one.run.counts == {"holds": 1}
    assert "no route to host" in one.run.notes[0]
    assert one.outcome(FAULTS) == "not refreshed"
    assert run(Brain(store), tmp_path, refresh=False).outcome(FAULTS) == "done"


def test_a_receiver_that_stays_away_is_the_outcome_of_the_night(store, tmp_path):
    brain = Brain(store, "4", Webhooks("http://127.0.0.1:9/", SECRET, tries=1))
    brain.newest = catalog("4")
    assert run(brain, tmp_path).outcome(FAULTS) == "not delivered"
    assert store.notices.deliveries()[0].last_error.startswith("ConnectionRefusedError")


def test_two_nights_do_not_run_at_once(store, tmp_path):
    with FileLock(tmp_path / "nightly.lock"), pytest.raises(NightRunningError, match="did nothing"):
        run(Brain(store), tmp_path)
    assert store.ledger.runs() == ()


def test_a_night_that_takes_too_long_leaves_no_half_run(store, tmp_path):
    ticks = iter(range(40))
    with pytest.raises(TimeLimitError, match="verify"):
        night(
            Brain(store),
            clock=lambda: START + timedelta(minutes=next(ticks)),
            lock=tmp_path / "nightly.lock",
            limit=timedelta(minutes=1, seconds=30),
            refresh=False,
        )
    assert store.ledger.runs() == ()
    assert run(Brain(store), tmp_path, refresh=False).run.id == 1


def test_a_run_for_another_day_is_no_observation(store, tmp_path):
    run(Brain(store, "2"), tmp_path, refresh=False)
    for day in (START - timedelta(days=300), START + timedelta(days=300)):
        Brain(store, "4").verify(day, type("No", (), {"over": lambda _, rows, __: rows})(), ())
    assert AlertProcessor(store, "x").catch_up(START + timedelta(days=1)) == ()
    assert store.alerts.flags() == ()


def test_a_run_with_a_different_result_is_reported_claim_by_claim(store, tmp_path):
    kept = run(Brain(store, "2"), tmp_path, refresh=False).run
    again = list(verify([CLAIM], CatalogBook([catalog("2.5")]), kept.as_of))
    (difference,) = run_ledger.compare(store.ledger.rows(kept.id), again)
    assert (difference.claim, str(difference.kept.value), str(difference.again.value)) == ("under-three", "2", "2.5")


def test_the_same_prices_and_documents_are_stored_once(store, tmp_path):
    for day in range(3):
        run(Brain(store), tmp_path, START + timedelta(days=day), refresh=False)
    assert len(store.snapshots.all(run_ledger.BOOKS)) == 1
    assert len(store.snapshots.all(run_ledger.MANIFESTS)) == 1
