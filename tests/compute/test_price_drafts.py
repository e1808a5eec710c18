"""The claims that are drafted from stated prices: they hold and fail as the text was found to."""

import re
from dataclasses import replace
from decimal import Decimal

import pytest

from compute.mining.claim_stubs import claims
from compute.mining.miner import Miner
from compute.mining.mining_models import Statement
from compute.prices.price_book import CatalogBook
from tests.bench.bench_mining import passage
from tests.compute.mining_books import DAY, flat

BOOK = CatalogBook.of([*flat("openai/acorn-4", "2.50", "10", valid_from=DAY.replace(year=2024))])


def drafted(text):
    """The value and the tolerance of the only claim of a text, and the price that the catalogue has."""
    (one,) = Miner(BOOK, DAY).mine(replace(passage(text), on=DAY))
    (found,) = re.findall(r"expect: \{is: ([\d.]+) USD/Mtok(?:, within: ([\d.]+) USD/Mtok)?\}", claims([one], DAY))
    return one, Decimal(found[0]), Decimal(found[1] or "0")


@pytest.mark.parametrize("stated", ["$3", "$2", "about $3", "typically $3"])
def test_the_draft_of_a_wrong_price_fails(stated):
    one, value, within = drafted(f"Acorn 4 costs {stated} per million input tokens.")
    assert one.verdict == "refuted"
    assert abs(value - Decimal("2.50")) > within


@pytest.mark.parametrize(("stated", "most"), [("$10", "0.2"), ("$10.00", "0.005")])
def test_the_draft_of_a_right_price_notices_the_next_change(stated, most):
    one, value, within = drafted(f"Acorn 4 costs {stated} per million output tokens.")
    assert one.verdict == "holds"
    assert (value, within) == (10, Decimal(most))


def test_no_tolerance_excuses_a_refuted_figure():
    one, *_ = drafted("Acorn 4 costs $3 per million input tokens.")
    wide = Statement(**{**one.model_dump(), "within": Decimal(1)})
    assert "expect: {is: 3 USD/Mtok}" in claims([wide], DAY)
