"""What a claim expects, in words: a name is shown as its figure."""

import pytest

from compute.claims.claim_cases import Terms
from compute.prices.price_book import CatalogBook
from compute.verify.claim_verifier import Verifier, explain
from graph.models.claim_models import Expectation
from tests.compute.made import INPUT, NOW, claim, price

GIVEN = {"low": "2 h", "high": "low + 2 h", "part": "5%", "ceiling": INPUT, "unknown_yet": 'assume("unknown")'}


@pytest.mark.parametrize(
    ("value", "expect", "expected", "reason"),
    [
        ("1 h", {"at_least": "low"}, "at least 2 h", "1 h below the minimum of 2 h"),
        ("3 h", {"at_most": "low * 2"}, "at most 4 h", "1 h below the maximum of 4 h"),
        ("5 h", {"between": "low .. high"}, "between 2 h and 4 h", "1 h outside 2 h to 4 h"),
        ("5 h", {"between": "low", "upper": "high"}, "between 2 h and 4 h", "1 h outside 2 h to 4 h"),
        ("2 h", {"is_": "low", "within": "part"}, "2 h ± 5%", "0.1 h inside 2 h ± 5%"),
        ("1 h", {"is_": "3 h", "within": "low"}, "3 h ± 2 h", "exactly at the bound of 3 h ± 2 h"),
        ("2 USD/Mtok", {"at_most": "ceiling"}, "at most 3.00 USD/Mtok", "1.00 USD/Mtok below the maximum"),
        ("2 < 3", {"is_": "true"}, "true", ""),
        ("unknown_yet", {"at_least": "low"}, "at least low", "missing"),
        ("1 +", {"at_least": "1"}, "", "expected a number"),
    ],
)
def test_a_name_in_an_expectation_is_shown_as_its_figure(value, expect, expected, reason):
    book, one = CatalogBook.of([price("3")]), claim(value, GIVEN, **expect)
    told = explain(one, book, NOW)
    assert told.expected == Verifier(book, NOW, Terms()).expected(one) == expected
    assert reason in told.reason


@pytest.mark.parametrize(
    ("expect", "words"),
    [
        (Expectation(form="is", bound="95%", within="0.5pp"), "95% ± 0.5pp"),
        (Expectation(form="at_least", bound="15"), "at least 15"),
        (Expectation(form="between", bound="1", upper="2"), "between 1 and 2"),
        (Expectation(form="times", bound="15", within="5%"), "15× ± 5%"),
        (Expectation(form="same_as", bound="other"), "the same as other"),
        (Expectation(form="same_as", bound="other", within="1%"), "the same as other ± 1%"),
    ],
)
def test_an_expectation_in_words(expect, words):
    assert expect.text() == words
