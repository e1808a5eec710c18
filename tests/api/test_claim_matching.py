"""Which prices a claim asks for: a claim about long prompts says nothing of the price of short ones."""

from datetime import date
from decimal import Decimal
from functools import partial

import pytest

from api.services.claim_matching import asked, meant_by
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Price

DAY = date(2026, 3, 1)


def flat(item, low, high, **rest):
    pairs = (("input", low), ("output", high))
    return [
        Price(item=item, component=component, value=Decimal(value), unit="USD/Mtok", catalog="cards", **rest)
        for component, value in pairs
    ]


BOOK = CatalogBook.of(
    [*flat("google/birch-2.5-pro", "1", "10"), *flat("google/birch-2.5-pro", "2", "15", above=200_000),
     *flat("google/birch-2.5-pro", "0.5", "5", processing="batch")]
)  # fmt: skip  # one kind of price in one line
MEANT = partial(meant_by, BOOK, DAY)
SHORT, LONG = 'price("google/birch-2.5-pro", "output")', 'price("google/birch-2.5-pro", "output", context=200001)'
BATCH = 'price("google/birch-2.5-pro", "output", processing="batch")'


@pytest.mark.parametrize(
    ("formula", "same"),
    [
        ('price("google/birch-2.5-pro", "output", context=100k)', SHORT),
        ('price("google/birch-2.5-pro", "output", context=200k)', SHORT),
        ('price("google/birch-2.5-pro", "output", context=250k)', LONG),
        ('price("google/birch-2.5-pro", "output", context=200_001)', LONG),
        ('price("google/birch-2.5-pro", "output", context=1M)', LONG),
        ('price("google/birch-2.5-pro", "output", catalog="cards")', SHORT),
        ('price("google/birch-2.5-pro", "output", catalog="cards", processing="batch")', BATCH),
    ],
)
def test_a_claim_is_about_the_tier_that_its_context_and_processing_have(formula, same):
    """A wrong price of $11 was answered with the $15 of prompts above 200,000 tokens."""
    assert [one for one in (SHORT, LONG, BATCH) if asked([formula], MEANT) == asked([one], MEANT)] == [same]
