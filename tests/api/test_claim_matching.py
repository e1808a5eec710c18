"""Which prices a claim asks for: a claim about long prompts says nothing of the price of short ones."""

from datetime import date
from decimal import Decimal
from functools import partial

import pytest

from api.services.claim_matching import asked, meant_by
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Price

DAY = date(2026, 3, 1)


ITEM = "google/birch-2.5-pro"
BOOK = CatalogBook.of(
    [
        Price(item=ITEM, component="output", value=Decimal(value), unit="USD/Mtok", catalog="cards", **rest)
        for value, rest in (("10", {}), ("15", {"above": 200_000}), ("5", {"processing": "batch"}))
    ]
)
MEANT = partial(meant_by, BOOK, DAY)
SHORT, LONG, BATCH = (f'price("{ITEM}", "output"{rest})' for rest in ("", ", context=200001", ', processing="batch"'))


@pytest.mark.parametrize(
    ("rest", "same"),
    [
        (", context=100k", SHORT),
        (", context=200k", SHORT),
        (", context=200_001", LONG),
        (", context=1M", LONG),
        (', catalog="cards"', SHORT),
        (', catalog="cards", processing="batch"', BATCH),
    ],
)
def test_a_claim_is_about_the_tier_that_its_context_and_processing_have(rest, same):
    """A wrong price of $11 was answered with the $15 of prompts above 200,000 tokens."""
    formula = SHORT.replace(")", f"{rest})")
    assert [one for one in (SHORT, LONG, BATCH) if asked([formula], MEANT) == asked([one], MEANT)] == [same]
