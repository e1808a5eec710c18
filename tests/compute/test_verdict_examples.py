"""docs/verdicts.md: every example gives the verdict and the cause next to its name."""

import re
from pathlib import Path

import pytest

from compute.catalogs import price_cards
from compute.claims import claim_loader
from compute.claims.claim_cases import Terms
from compute.prices.price_book import CatalogBook
from compute.verify.claim_verifier import explain
from graph.models.claim_models import Cause, VerdictName
from tests.compute.made import NOW, assumed, family

PAGE = (Path(__file__).parents[2] / "docs/verdicts.md").read_text("utf-8")
CARDS, CLAIMS = re.findall(r"```yaml\n(.*?)```", PAGE, re.S)
TOLD = re.findall(r"- id: ([a-z0-9-]+) +# ([a-z]+)(?:, ([a-z_]+))?", CLAIMS)
TARIFF = assumed("tariff", "0.06", "USD/kWh", "0.05", "0.12")


@pytest.fixture(scope="module")
def claims():
    found, problems = claim_loader.load("verdicts.md", CLAIMS)
    assert not problems
    return {claim.id: claim for claim in found}


@pytest.fixture(scope="module")
def book():
    catalog, problems = price_cards.load("verdicts.md", CARDS)
    assert not problems
    return CatalogBook([catalog], [family("acme/one", "acme/two")], [TARIFF])


@pytest.mark.parametrize(("name", "verdict", "cause"), TOLD, ids=lambda one: one)
def test_an_example_has_the_verdict_and_the_cause_that_the_page_states(claims, book, name, verdict, cause):
    found = explain(claims[name], book, NOW, Terms(find=claims.get))
    assert (found.verdict.value, found.cause and found.cause.value) == (verdict, cause or None), found.reason


def test_every_claim_of_the_page_is_tested_and_every_cause_has_an_example(claims):
    assert [name for name, _, _ in TOLD] == list(claims)
    assert {cause for _, _, cause in TOLD if cause} == {cause.value for cause in Cause}
    assert {verdict for _, verdict, _ in TOLD} == {name.value for name in VerdictName if name is not VerdictName.ERROR}


def test_the_quoted_reason_is_the_one_that_is_given(claims, book):
    quoted = re.search(r'`brain explain open-tariff` says: "(.*?), …"', PAGE).group(1)
    assert explain(claims["open-tariff"], book, NOW).reason.startswith(quoted)
