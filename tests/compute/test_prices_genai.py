"""The package `genai-prices` as it is installed, small providers of our own made of its types, and snapshots of prices."""

from datetime import UTC, date, datetime, time
from decimal import Decimal

import pytest
from genai_prices import types as genai
from genai_prices.data_snapshot import get_snapshot
from hypothesis import given
from hypothesis import strategies as st

from compute.catalogs import genai_prices_catalog
from compute.catalogs import genai_prices_catalog as catalog
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Catalog, Missing, Name, Question, Rule
from compute.prices.snapshots import Snapshot, SnapshotError, diff, pack, unpack
from tests.compute.made import price

NOW = date(2026, 11, 21)


@pytest.fixture(scope="module")
def book():
    return CatalogBook([catalog.load()])


def ask(book, item, component, on=NOW, **rest):
    return book.price(Question(item=item, component=component, **rest), on)


SONNET, GEMINI, ARGON = "anthropic/claude-sonnet-5-5", "google/gemini-2.5-pro", "google/gemini-4-argon"
LAST, FIRST = date(2026, 11, 30), date(2026, 12, 1)
"""The days on which the price of Gemini 4 Argon doubles."""


@pytest.mark.parametrize(
    ("item", "component", "question", "value"),
    [
        (SONNET, "web_searches", {}, "0.01"),
        (GEMINI, "input", {"context": 200_000}, "1.25"),  # tiers begin above their start
        (GEMINI, "input", {"context": 200_001}, "2.5"),
        (GEMINI, "cache_read", {}, "0.125"),
        (GEMINI, "cache_read", {"processing": "batch"}, "0.125"),
        (ARGON, "input", {"on": LAST}, "2"),
        (ARGON, "input", {"on": FIRST, "processing": "batch"}, "2"),
        ("anthropic/claude-3-5-sonnet-20240620", "input", {}, "3"),
    ],
)
def test_what_the_package_says_of_known_models(book, item, component, question, value):
    assert ask(book, item, component, **question).price.value == Decimal(value)


def test_what_is_known_of_prices_besides_their_amounts(book):
    """The package would give Claude 3.5 Sonnet a batch price, which it does not have."""
    assert isinstance(ask(book, "anthropic/claude-3-5-sonnet-20240620", "input", processing="batch"), Missing)
    assert "omits" in ask(book, GEMINI, "cache_read", processing="batch").price.note
    dated = [ask(book, ARGON, "input", day, processing="batch").price.dated for day in (LAST, FIRST)]
    assert (dated, FIRST in book.borders()) == (["record", "price"], True)
    assert ask(book, SONNET, "web_searches").price.unit == "USD/request"
    assert ask(book, "openai/whisper-1", "audio_hours").price.unit == "USD/h"


def _context(price):
    return {} if price.processing == "standard" else {"processing": price.processing}


def test_every_standard_and_batch_price_is_the_one_the_package_uses_on_that_day(book):
    """The package's own lookup, called for the first and the last day of each of our intervals, says the same."""
    models = {f"{p.id}/{m.id}": m for p in get_snapshot().providers for m in p.models}
    checked = 0
    for one in catalog.load().prices:
        if one.unit != "USD/Mtok" or one.processing not in {"standard", "batch"}:
            continue
        model = models[one.item]
        if "outside" in one.note:
            continue
        begin = one.valid_from or date(2020, 1, 1)
        said = model.get_prices(datetime(begin.year, begin.month, begin.day, tzinfo=UTC), _context(one))
        value = getattr(said, f"{one.component}_mtok")
        tiers = {0: value} if isinstance(value, Decimal) else {0: value.base, **{t.start: t.price for t in value.tiers}}
        assert tiers[one.above] == one.value, one
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


MAR, JUN, OCT, DEC = date(2026, 3, 1), date(2026, 6, 1), date(2026, 10, 14), date(2026, 12, 1)
NIGHT = genai.TimeOfDateConstraint(start_time=time(1, tzinfo=UTC), end_time=time(4, tzinfo=UTC))
PLAIN = genai.PriceVariant(when={"service_tier": "default"}, prices=genai.ModelPrice())
BATCH = [variant("2", DEC, processing="batch"), variant("1", OCT, processing="batch")]


ONE = [window("1")]


@pytest.mark.parametrize(("windows", "variants", "expected"), [
    # several dated windows become intervals that touch, those of the same price one
    ([*ONE, window("2", MAR), window("3", JUN)], [], ["1 …–Mar01 record", "2 Mar01–Jun01 price", "3 Jun01–… price"]),
    ([*ONE, window("1", MAR)], [], ["1 …–… record"]),
    # before the first of only dated windows nothing is known
    ([window("1", MAR)], [], ["1 Mar01–… price"]),
    # a price by time of day is a processing of its own
    ([*ONE, window("2", hours=NIGHT)], [], ["1 …–… record", "01:00-04:00 UTC 2 …–… record"]),
    # a variant begins as a record and changes as a price
    ([window("2"), window("4", DEC)], BATCH,
     ["2 …–Dec01 record", "4 Dec01–… price", "batch 1 Oct14–Dec01 record", "batch 2 Dec01–… price"]),
    # a variant that begins with a new standard price is a price
    ([window("4", OCT)], BATCH[1:], ["4 Oct14–… price", "batch 1 Oct14–… price"]),
    # a variant that renames the standard price is left out
    (ONE, [PLAIN], ["1 …–… record"]),
])  # fmt: skip
def test_windows_and_variants_become_intervals(windows, variants, expected):
    found = catalog.convert([provider(model(windows, variants or None))], NOW).prices
    days = [[f"{day:%b%d}" if day else "…" for day in (price.valid_from, price.valid_to)] for price in found]
    told = [f"{p.processing} {p.value} {'–'.join(ends)} {p.dated}" for p, ends in zip(found, days, strict=True)]
    assert [text.removeprefix("standard ") for text in told] == expected


def test_a_refresh_gives_a_catalogue_of_the_day():
    fresh = catalog.convert(get_snapshot().providers, NOW)
    assert fresh.taken == NOW
    assert set(fresh.prices) == set(catalog.load().prices)


def cards_catalog(*prices):
    return Catalog(name="cards", prices=prices, taken=date(2026, 1, 1))


def test_the_installed_catalogue_comes_back_price_by_price_with_its_names():
    before = genai_prices_catalog.load()
    (after,) = unpack(pack([before]))
    assert set(after.prices) == set(before.prices)
    assert (after.names, after.elsewhere, after.taken) == (before.names, before.elsewhere, before.taken)


def test_the_name_depends_on_every_digit_and_name_and_not_on_the_order_of_loading():
    one, two = price("1", valid_from=date(2026, 1, 1)), price("2", region="eu")
    other = Catalog(name="other", prices=())
    assert pack([cards_catalog(one, two), other]).digest == pack([other, cards_catalog(two, one)]).digest
    plain, longer = cards_catalog(price("2")), cards_catalog(price("2.0"))
    named = plain.model_copy(update={"names": (Name(item="acme/m", rule=Rule(op="equals", text="mm")),)})
    assert len({pack([one]).digest for one in (plain, longer, named)}) == 3


amounts = st.decimals(min_value=0, max_value=10**6, places=9)


@given(st.lists(st.tuples(amounts, st.none() | st.dates(), st.text(max_size=20)), max_size=6))
def test_any_prices_come_back_as_they_were(rows):
    prices = tuple(price(str(value), valid_from=begin, note=note) for value, begin, note in rows)
    (after,) = unpack(pack([cards_catalog(*prices)]))
    assert sorted(map(repr, after.prices)) == sorted(map(repr, prices))
    assert pack([after]).digest == pack([cards_catalog(*prices)]).digest


@pytest.mark.parametrize("text", [b"", b"nonsense", pack([cards_catalog(price("9"))]).text])
def test_bytes_that_are_not_what_the_name_says_are_refused(text):
    good = pack([cards_catalog(price())])
    with pytest.raises(SnapshotError, match=good.digest[:12]):
        unpack(Snapshot(digest=good.digest, text=text))


def test_a_difference_is_reported_price_by_price_and_a_note_alone_is_none():
    before = cards_catalog(price("1"), price("5", region="eu"), price(component="output"))
    again = price(component="output", note="read again")
    after = cards_catalog(price("1.5"), price("7", valid_from=date(2026, 6, 1)), again)
    found = [(one.kind, str(one.price.value)) for one in diff([before], [after])]
    assert found == [("changed", "1.5"), ("added", "7"), ("removed", "5")]
