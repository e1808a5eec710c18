"""What everything costs on a day: prices by component, their first day, their change, their kind, and their seller."""

from datetime import date
from decimal import Decimal

import pytest

from compute.catalogs.catalog_files import packaged
from compute.prices.families import Family, Member
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Question, Quote
from compute.prices.price_overview import kind_of, model_key, price_rows, rows_of
from tests.compute import made
from tests.compute.made import book_of

TODAY = date(2026, 11, 21)


def price(value, start=None, end=None, **fields):
    return made.price(value, valid_from=start, valid_to=end, **fields)


def row(*prices, families=()):
    return next(iter(price_rows(book_of(prices, families=families), TODAY)))


def test_a_price_counts_from_the_first_day_of_its_value_though_it_was_stated_again_and_of_regions_there_is_a_range():
    again = price("6", date(2026, 2, 1), date(2026, 5, 1)), price("6", date(2026, 5, 1))
    found = row(price("8", date(2025, 1, 1), date(2026, 2, 1)), *again)
    assert (found.value, found.since, found.before) == (Decimal(6), date(2026, 2, 1), Decimal(8))
    assert found.change == Decimal("-0.25")
    changes = [row(price("6", first)).change for first in (None, date(2025, 1, 1), date(2026, 10, 1))]
    assert changes == [None, 0, None], "no change over a year is claimed for a price without a first day"
    found = row(price("6", region="eu"), price("4", region="us"), price("9", above=1000, region="us"))
    assert (found.value, found.low, found.high) == (None, Decimal(4), Decimal(6))


def family(**begins):
    members = (Member(**{"from": day, "model": f"acme/{model}"}) for model, day in begins.items())
    return Family(name="acme/family", members=tuple(members))


def test_no_price_is_before_the_release_of_its_model_and_that_of_a_family_counts_from_the_model_with_the_same_one():
    released = [family(large=date(2026, 3, 1))]
    found = row(price("8", None, date(2026, 6, 1)), price("6", date(2026, 6, 1)), families=released)
    assert (found.before, found.released) == (None, date(2026, 3, 1)), "a year ago there was no such model"
    both = [family(one=date(2026, 1, 1), two=date(2026, 6, 1))]
    book = book_of([price("6", item="acme/one"), price("6", item="acme/two")], families=both)
    assert rows_of(book, "acme/family", TODAY)[0].since == date(2026, 1, 1)


def test_the_table_of_all_prices_says_what_formulas_read():
    """Most prices are alone and are taken without a lookup: they are the same as those of a lookup."""
    book = CatalogBook([packaged()])
    rows = price_rows(book, TODAY)
    assert len({one.item for one in rows}) == len(book.items())
    for one in rows[::23]:
        found = book.price(Question(item=one.item, component=one.component, processing=one.processing), TODAY)
        expected = found.price.value if isinstance(found, Quote) and found.price.unit == one.unit else None
        assert one.value == expected, one.item


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({}, "input"),
        ({"processing": "batch"}, "batch-input"),
        ({"processing": "flex"}, "tokens"),
        ({"component": "cache_read"}, "cached"),
        ({"component": "on_demand", "unit": "USD/GPU/h"}, "gpu-hour"),
        ({"component": "on_demand", "unit": "USD/instance/h"}, "instance-hour"),
        ({"component": "energy", "unit": "USD/kWh"}, "power"),
        ({"component": "egress", "unit": "USD/GB"}, "egress"),
        ({"component": "web_searches", "unit": "USD/request"}, "requests"),
        ({"component": "pages", "unit": "USD/page"}, "other"),
    ],
)
def test_every_price_has_a_kind(fields, kind):
    assert kind_of(price("1", **fields)).name == kind


@pytest.mark.parametrize(
    ("item", "key"),
    [
        ("anthropic/claude-sonnet-4-5", "claude-sonnet-4-5"),
        ("openrouter/anthropic/claude-sonnet-4.5", "claude-sonnet-4-5"),
        ("aws/global.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5"),
        ("together/meta-llama/Meta-Llama-3.3-70B-Instruct-Turbo", "llama-3-3-70b"),
        ("cerebras/llama-3.3-70b", "llama-3-3-70b"),
        ("fireworks/kimi-k2p5", "kimi-k2-5"),
        ("doubleword/zai-org/GLM-5.2-FP8", "glm-5-2"),
        ("market/h100-sxm-low", "h100-sxm"),
        ("openrouter/anthropic/claude-sonnet-4.5:batch", "claude-sonnet-4-5:batch"),
        ("openai/gpt-4-turbo", "gpt-4-turbo"),
        ("openai/gpt-4o-mini", "gpt-4o-mini"),
    ],
)
def test_the_same_model_of_several_sellers_has_one_name(item, key):
    assert model_key(item) == key
