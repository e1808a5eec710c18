"""What a claim expects, in words: a name is shown as its figure."""

from datetime import date

import pytest

from compute.prices.price_book import CatalogBook
from compute.verify.claim_verifier import explain
from graph.models.claim_models import Claim, Expectation

DAY = date(2025, 2, 1)
GIVEN = (("low", "2 h"), ("high", "low + 2 h"), ("part", "5%"), ("unknown_yet", 'assume("unknown")'))


def explained(value, form, bound, upper=None, within=None):
    expect = Expectation(form=form, bound=bound, upper=upper, within=within)
    claim = Claim(id="it", node="acme/note", says="It.", as_of=DAY, given=GIVEN, value=value, expect=expect)
    return explain(claim, CatalogBook.of([]), DAY)


@pytest.mark.parametrize(
    ("value", "expect", "expected", "reason"),
    [
        ("1 h", ("at_least", "low"), "at least 2 h", "1 h below the minimum of 2 h"),
        ("3 h", ("at_most", "low * 2"), "at most 4 h", "1 h below the maximum of 4 h"),
        ("5 h", ("between", "low .. high"), "between 2 h and 4 h", "1 h outside 2 h to 4 h"),
        ("5 h", ("between", "low", "high"), "between 2 h and 4 h", "1 h outside 2 h to 4 h"),
        ("2 h", ("is", "low", None, "part"), "2 h ± 5%", "0.1 h inside 2 h ± 5%"),
        ("1 h", ("is", "3 h", None, "low"), "3 h ± 2 h", "exactly at the bound of 3 h ± 2 h"),
        ("unknown_yet", ("at_least", "low"), "at least low", "missing"),
    ],
)
def test_a_name_in_an_expectation_is_shown_as_its_figure(value, expect, expected, reason):
    found = explained(value, *expect)
    assert found.expected == expected
    assert reason in found.reason
