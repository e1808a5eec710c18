"""Runs of before: version 1 of the rules gives the verdicts and sentences that the program of then wrote.

`first_rules.json` was written by the program of commit 7392897: prices, claims, and its rows for three days.
"""

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from api.brain import Brain
from api.settings import Settings
from compute.claims.claim_cases import Terms
from compute.prices.families import Family
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Assumption, Price
from compute.verify.claim_verifier import verify
from graph.models.claim_models import Claim
from graph.models.verdict_models import METHOD, VerdictRow
from graph.values import dumps, loads

KEPT = loads((Path(__file__).parent / "first_rules.json").read_text("utf-8"))
CLAIMS = [Claim.model_validate(one) for one in KEPT["claims"]]
BOOK = CatalogBook.of(
    [Price.model_validate(one) for one in KEPT["prices"]],
    families=[Family.model_validate(one) for one in KEPT["families"]],
    assumptions=[Assumption.model_validate({"unit": "", **one}) for one in KEPT["assumptions"]],
)
FIRST = Terms(method=1)


@pytest.mark.parametrize("day", KEPT["runs"])
def test_a_run_of_before_is_computed_again_byte_for_byte(day):
    again = list(verify(CLAIMS, BOOK, date.fromisoformat(day), FIRST))
    kept = [VerdictRow.model_validate(row) for row in KEPT["runs"][day]]
    assert [dumps(row) for row in again] == [dumps(row) for row in kept]


def test_the_fixture_has_every_verdict_of_version_1():
    names = {row["verdict"] for rows in KEPT["runs"].values() for row in rows}
    assert names == {"holds", "stale", "refuted", "unverifiable", "conflicting", "error"}


def test_the_new_rules_give_other_verdicts_for_the_same_prices():
    day = date(2026, 5, 1)
    old, new = (list(verify(CLAIMS, BOOK, day, terms)) for terms in (FIRST, Terms()))
    turned = {(one.verdict.value, two.verdict.value) for one, two in zip(old, new, strict=True)} - {
        (name, name) for name in ("holds", "stale", "refuted", "unverifiable", "conflicting", "error")
    }
    assert turned == {("refuted", "stale"), ("refuted", "depends")}


CARDS = """
prices:
  - {item: acme/large, component: input, value: 9 USD/Mtok, from: 2024-01-01, since: record, source: "https://acme.example", checked: 2025-01-01}
"""
CLAIM = """
claims:
  - id: cheap
    node: acme/note
    says: The large model is cheap.
    as_of: 2025-02-01
    value: price("acme/large", "input")
    expect: {at_most: 5 USD/Mtok}
"""


@pytest.fixture
def brain(tmp_path):
    (tmp_path / "cards.yaml").write_text(CARDS, "utf-8")
    (tmp_path / "claims.yaml").write_text(CLAIM, "utf-8")
    with Brain.open(Settings(home=tmp_path / "home")) as opened:
        opened.ingest([tmp_path / "cards.yaml", tmp_path / "claims.yaml"], at=night(1))
        yield opened


def night(day):
    return datetime(2026, 11, day, 4, tzinfo=UTC)


def run_of_before(brain, day):
    """A run as version 1 of the rules made it."""
    inputs = brain.evaluator.inputs.now()
    rows = list(verify(inputs.claims(), inputs.book, night(day).date(), Terms(inputs.tables, method=1)))
    with brain.store.transaction():
        brain.store.snapshots.put(inputs.snapshot().digest, "book", inputs.snapshot().text, night(day))
        brain.store.snapshots.put(inputs.rules().digest, "manifest", inputs.rules().text, night(day))
        return brain.store.ledger.append(
            rows, as_of=night(day).date(), started_at=night(day), clock=lambda: night(day), code="1", method=1,
            snapshot=inputs.snapshot().digest, rules=inputs.rules().digest,
        )  # fmt: skip


def test_each_run_is_computed_again_by_its_own_rules_and_the_new_rules_are_reported_once(brain):
    old = run_of_before(brain, 1)
    first = brain.verify(night(2).date(), at=night(2), clock=lambda: night(2))
    second = brain.verify(night(3).date(), at=night(3), clock=lambda: night(3))
    assert [run.method for run in (old, first, second)] == [1, METHOD, METHOD]
    assert all(brain.evaluator.rerun(run.id).same for run in (old, first, second))
    assert [run.counts for run in (old, first, second)] == [{"refuted": 1}, {"stale": 1}, {"stale": 1}]
    assert first.notes == (f"verdicts are made by version {METHOD} of the rules since this run",)
    assert second.notes == ()
    assert brain.evaluator.explain("cheap", old.as_of, run=old).verdict == "refuted"
    (change,) = brain.comparer.changes(old, first)
    assert change.reason.startswith(f"The figures did not change it: version {METHOD} of the rules did. ")


def test_a_raised_flag_takes_the_verdict_of_the_new_rules_without_a_notice(brain):
    run_of_before(brain, 1)
    brain.alert_processor.catch_up(night(1))
    assert [notice.kind for notice in brain.store.notices.latest()] == ["claim.raised"]
    brain.verify(night(2).date(), at=night(2), clock=lambda: night(2))
    assert len(brain.store.notices.latest()) == 1
    assert [flag.verdict.value for flag in brain.store.alerts.flags(standing=True)] == ["stale"]
