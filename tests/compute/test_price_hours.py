"""Tiers of certain hours of the day, by how a text names them."""

import pytest

from compute.mining.price_times import hours_of

TIERS = frozenset({"01:00-04:00 UTC", "06:00-10:00 UTC", "batch"})


@pytest.mark.parametrize(
    ("text", "tier"),
    [
        ("between 01:00 to 04:00 it asks ", "01:00-04:00 UTC"),
        ("from 06:00–10:00 UTC one pays ", "06:00-10:00 UTC"),
        ("outside 01:00-04:00 it asks ", ""),
        ("from 09:00-17:00 it asks ", ""),
        ("at night it asks ", ""),
    ],
)
def test_the_hours_before_a_price_are_its_tier_unless_it_is_for_all_others(text, tier):
    assert hours_of(text, TIERS) == tier
