"""The package `genai-prices` as it is installed, and small providers of our own made of its types."""

from datetime import UTC, date, datetime, time
from decimal import Decimal

import pytest
from genai_prices import types as genai
from genai_prices.data_snapshot import get_snapshot

from compute.catalogs import genai_prices_catalog as catalog
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Missing, Question

NOW = date(2026, 11, 21)


@pytest.fixture(scope="module")
def book():
    return CatalogBook([catalog.load()])


def ask(book, item, component, on=NOW, **rest):
    return book.price(Question(item=item, component=component, **rest), on)


def test_sonnet_5_5_costs_2_then_10_cents_cached_then_5_cents_cached_in_batch(book):
    item = "anthropic/claude-sonnet-5-5"
    found = [
        ask(book, item, "input").price.value,
        ask(book, item, "cache_read").price.value,
        ask(book, item, "cache_read", processing="batch").price.value,
    ]
    assert found == [Decimal("2"), Decimal("0.1"), Decimal("0.05")]


def test_claude_3_5_sonnet_has_no_batch_price_although_the_package_would_give_one(book):
    item = "anthropic/claude-3-5-sonnet-20240620"
    assert ask(book, item, "input").price.value == 3
    assert isinstance(ask(book, item, "input", processing="batch"), Missing)


def test_batch_prices_are_unknown_before_they_were_recorded(book):
    item = "google/gemini-2.5-pro"
    assert ask(book, item, "input", date(2026, 10, 14), processing="batch").price.dated == "record"
    assert "began to record" in ask(book, item, "input", date(2026, 10, 13), processing="batch").reason


def test_gemini_2_5_pro_reads_its_cache_at_the_same_price_in_batch(book):
    standard = ask(book, "google/gemini-2.5-pro", "cache_read").price
    batch = ask(book, "google/gemini-2.5-pro", "cache_read", processing="batch").price
    assert standard.value == batch.value == Decimal("0.125")
    assert "omits" in batch.note


def test_gemini_4_argon_doubles_on_the_first_of_december(book):
    item, last, first = "google/gemini-4-argon", date(2026, 11, 30), date(2026, 12, 1)
    assert [ask(book, item, "input", day).price.value for day in (last, first)] == [2, 4]
    batch = [ask(book, item, "input", day, processing="batch").price for day in (last, first)]
    assert [(one.value, one.dated) for one in batch] == [(1, "record"), (2, "price")]
    assert first in book.borders()


def test_tiers_begin_above_their_start(book):
    edge = [ask(book, "google/gemini-2.5-pro", "input", context=tokens).price.value for tokens in (200_000, 200_001)]
    assert edge == [Decimal("1.25"), Decimal("2.5")]


def test_prices_not_in_tokens_keep_their_own_unit(book):
    assert ask(book, "anthropic/claude-sonnet-5-5", "web_searches").price.unit == "USD/request"
    assert ask(book, "anthropic/claude-sonnet-5-5", "web_searches").price.value == Decimal("0.01")
    assert ask(book, "openai/whisper-1", "audio_hours").price.unit == "USD/h"


def _context(price):
    return {} if price.processing == "standard" else {"processing": price.processing}


def test_every_standard_and_batch_price_is_the_one_the_package_uses_on_that_day(book):
    """The package's own lookup, called for the first and the last day of each of our intervals, says the same."""
    models = {f"{p.id}/{m.id}": m for p in get_snapshot().providers for m in p.models}
    checked = 0
    for price in catalog.load().prices:
        if price.unit != "USD/Mtok" or price.processing not in {"standard", "batch"}:
            continue
        model = models[price.item]
        if "outside" in price.note:
            continue
        begin = price.valid_from or date(2020, 1, 1)
        said = model.get_prices(datetime(begin.year, begin.month, begin.day, tzinfo=UTC), _context(price))
        value = getattr(said, f"{price.component}_mtok")
        tiers = {0: value} if isinstance(value, Decimal) else {0: value.base, **{t.start: t.price for t in value.tiers}}
        assert tiers[price.above] == price.value, price
        checked += 1
    assert checked > 7_000


def test_every_model_of_the_package_is_found_under_its_own_name(book):
    for provider in get_snapshot().providers:
        for model in provider.models:
            assert book.names.meaning(f"{provider.id}/{model.id}") == f"{provider.id}/{model.id}"


@pytest.mark.parametrize("name", ["claude-3-5-sonnet-20241022", "claude-sonnet-4-5-20250929", "claude-3.7-sonnet"])
def test_names_mean_what_the_package_takes_them_for(book, name):
    theirs = get_snapshot().find_provider_model(name, None, "anthropic", None)[1]
    assert book.names.meaning(f"anthropic/{name}") == f"anthropic/{theirs.id}"


def provider(model, **rest):
    return genai.Provider(id="acme", name="Acme", api_pattern="acme", models=[model], **rest)


def model(prices, variants=None):
    return genai.ModelInfo(id="m", match=genai.ClauseEquals(equals="m"), prices=prices, price_variants=variants)


def window(value, start=None, hours=None):
    constraint = genai.StartDateConstraint(start_date=start) if start else hours
    return genai.ConditionalPrice(constraint=constraint, prices=genai.ModelPrice(input_mtok=Decimal(value)))


def variant(value, start=None, **when):
    constraint = genai.StartDateConstraint(start_date=start) if start else None
    return genai.PriceVariant(when=when, prices=genai.ModelPrice(input_mtok=Decimal(value)), constraint=constraint)


def records(*models):
    found = catalog.convert([provider(one) for one in models], NOW).prices
    return [(p.processing, str(p.value), p.valid_from, p.valid_to, p.dated) for p in found]


def test_several_dated_windows_become_intervals_that_touch():
    first, second = date(2026, 3, 1), date(2026, 6, 1)
    assert records(model([window("1"), window("2", first), window("3", second)])) == [
        ("standard", "1", None, first, "record"),
        ("standard", "2", first, second, "price"),
        ("standard", "3", second, None, "price"),
    ]


def test_windows_of_the_same_price_are_one_interval():
    assert records(model([window("1"), window("1", date(2026, 3, 1))])) == [("standard", "1", None, None, "record")]


def test_before_the_first_of_only_dated_windows_nothing_is_known():
    assert records(model([window("1", date(2026, 3, 1))])) == [("standard", "1", date(2026, 3, 1), None, "price")]


def test_a_price_by_time_of_day_is_a_processing_of_its_own():
    night = genai.TimeOfDateConstraint(start_time=time(1, tzinfo=UTC), end_time=time(4, tzinfo=UTC))
    assert records(model([window("1"), window("2", hours=night)])) == [
        ("standard", "1", None, None, "record"),
        ("01:00-04:00 UTC", "2", None, None, "record"),
    ]


def test_a_variant_begins_as_a_record_and_changes_as_a_price():
    variants = [
        variant("2", date(2026, 12, 1), processing="batch"),
        variant("1", date(2026, 10, 14), processing="batch"),
    ]
    assert records(model([window("2"), window("4", date(2026, 12, 1))], variants))[2:] == [
        ("batch", "1", date(2026, 10, 14), date(2026, 12, 1), "record"),
        ("batch", "2", date(2026, 12, 1), None, "price"),
    ]


def test_a_variant_that_begins_with_a_new_standard_price_is_a_price():
    day = date(2026, 10, 14)
    found = records(model([window("2"), window("4", day)], [variant("1", day, processing="batch")]))
    assert found[-1] == ("batch", "1", day, None, "price")


def test_a_variant_that_renames_the_standard_price_is_left_out():
    plain = genai.PriceVariant(when={"service_tier": "default"}, prices=genai.ModelPrice())
    assert records(model([window("1")], [plain])) == [("standard", "1", None, None, "record")]


def test_a_refresh_gives_a_catalogue_of_the_day():
    fresh = catalog.convert(get_snapshot().providers, NOW)
    assert fresh.taken == NOW
    assert set(fresh.prices) == set(catalog.load().prices)
