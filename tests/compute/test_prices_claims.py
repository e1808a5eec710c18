"""The claims that this brain was started for, over the installed catalogue and the shipped content."""

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from compute.catalogs import genai_prices_catalog
from compute.claims import claim_loader
from compute.prices import rule_library
from compute.verify.claim_verifier import explain
from compute.verify.forecast import Forecaster

CONTENT = Path(__file__).parents[2] / "content"
NOW = date(2026, 11, 21)

TEXT = """
- id: family
  node: a/n
  says: Cache and batch together take 95% off a Sonnet token.
  as_of: 2025-02-01
  given:
    list: price("anthropic/sonnet", "input")
    cached: price("anthropic/sonnet", "cache_read", processing="batch")
  value: 1 - cached / list
  expect: {is: 95%, within: 0.5pp}
- id: pinned
  node: a/n
  says: They take 95% off a token of Claude 3.5 Sonnet.
  as_of: 2025-02-01
  given:
    list: price("anthropic/claude-3-5-sonnet", "input")
    cached: price("anthropic/claude-3-5-sonnet", "cache_read", processing="batch")
  value: 1 - cached / list
  expect: {is: 95%, within: 0.5pp}
- id: gemini
  node: a/n
  says: They take 95% off a token of Gemini 2.5 Pro.
  as_of: 2026-10-20
  given:
    list: price("google/gemini-2.5-pro", "input")
    cached: price("google/gemini-2.5-pro", "cache_read", processing="batch")
  value: 1 - cached / list
  expect: {is: 95%, within: 0.5pp}
- id: argon
  node: a/n
  says: Gemini 4 Argon reads a million tokens for 2 dollars.
  as_of: 2026-10-20
  value: price("google/gemini-4-argon", "input")
  expect: {at_most: 2 USD/Mtok}
- id: unpriced
  node: a/n
  says: A token of Claude 2 is cheaper in batch.
  as_of: 2025-02-01
  value: price("anthropic/claude-2", "input", processing="batch")
  expect: {at_most: 5 USD/Mtok}
"""


@pytest.fixture(scope="module")
def book():
    return rule_library.load(CONTENT).book([genai_prices_catalog.load()])


@pytest.fixture(scope="module")
def stated():
    found, problems = claim_loader.load("claims.yaml", TEXT)
    assert problems == []
    return {claim.id: claim for claim in found}


@pytest.fixture
def verdict(book, stated):
    return lambda name, on=NOW: explain(stated[name], book, on)


def test_the_family_moved_and_its_newest_model_takes_97_5_percent_off(verdict):
    found = verdict("family")
    assert (found.verdict.value, found.value, found.then.value) == ("stale", Decimal("97.5"), Decimal(95))
    assert {(one.item, one.value) for one in found.inputs} == {
        ("anthropic/claude-sonnet-5-5", Decimal(2)),
        ("anthropic/claude-sonnet-5-5", Decimal("0.05")),
    }


def test_on_the_day_of_the_thesis_the_claim_about_the_family_holds(verdict):
    found = verdict("family", date(2025, 2, 1))
    assert (found.verdict.value, [str(one.value) for one in found.inputs]) == ("holds", ["3.00", "0.15"])


def test_the_pinned_model_holds_by_a_dated_card_with_its_source(verdict):
    found = verdict("pinned")
    cached = next(one for one in found.inputs if one.name == "cached")
    assert (found.verdict.value, found.value, cached.catalog) == ("holds", Decimal(95), "cards")
    assert cached.source.startswith("https://")


def test_gemini_takes_90_percent_off_because_batch_does_not_touch_its_cache(verdict):
    found = verdict("gemini")
    assert (found.verdict.value, found.value, found.then.dated) == ("unverifiable", Decimal(90), False)


def test_a_price_that_no_catalogue_has_is_named(verdict):
    found = verdict("unpriced")
    assert found.verdict.value == "unverifiable"
    assert "batch price of input of anthropic/claude-2 on 2026-11-21" in found.reason


def test_the_announced_price_of_december_names_the_claim_and_the_day(book, stated):
    forecaster = Forecaster(book, NOW, date(2026, 12, 31))
    coming = [change for claim in stated.values() for change in forecaster.changes(claim)]
    assert [(one.claim, one.on, one.after.value) for one in coming] == [("argon", date(2026, 12, 1), "stale")]
